"""Properties that tell nothing about art and are left out unless asked for.

The paper keeps every predicate between two selected nodes (Section 3, step 3). Its nodes were
chosen by an art data set; this graph's also hold whole countries and cities, so statements about
those among themselves would crowd out art in Eq. 1. Each property is listed with its reason.
"""

from __future__ import annotations

from dataclasses import dataclass

from expartkg.construction.tables import table


@dataclass(frozen=True)
class NoiseProperty:
    """A property id (`P…`) and why its statements are left out."""

    pid: str
    reason: str


NOISE: tuple[NoiseProperty, ...] = tuple(
    NoiseProperty(pid, reason) for pid, reason in table("noise", ("property", "reason"))
)
DEFAULT_NOISE: frozenset[str] = frozenset(entry.pid for entry in NOISE)
