"""`evaluate`: which of its parts is meant. Each is imported when called."""

from __future__ import annotations

import argparse
from importlib import import_module

_PARTS = {
    "table": ("experiment", "experiment_command"),
    "retrieval": ("measure", "retrieval_command"),
    "linking": ("measure", "linking_command"),
    "validator": ("measure", "validator_command"),
}


def evaluate_command(options: argparse.Namespace) -> int:
    module, function = _PARTS[options.part]
    code: int = getattr(import_module(f"expartkg.commands.{module}"), function)(options)
    return code
