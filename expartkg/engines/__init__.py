"""Engines write answers and judge them. `base` has the protocols, `load_engine` picks one."""

from expartkg.engines.base import Engine, Explainer, Session, Validator
from expartkg.engines.selection import load_engine

__all__ = ["Engine", "Explainer", "Session", "Validator", "load_engine"]
