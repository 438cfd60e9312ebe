"""What the commands of the command line do, a module each (retrieval has three).

Results go to stdout, messages to stderr. A command returns its exit code.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module

Command = Callable[[argparse.Namespace], int]

# Imported when called: looking up a name should not wait for pictures, engines or a page.
_COMMANDS = {
    "explain": ("explain", "explain_command"),
    "link": ("retrieval", "link_command"),
    "rank": ("retrieval", "rank_command"),
    "retrieve": ("retrieval", "retrieve_command"),
    "kg info": ("kg", "info_command"),
    "kg sparql": ("sparql", "sparql_command"),
    "kg load": ("load", "load_command"),
    "build": ("build", "build_command"),
    "models fetch": ("models", "fetch_command"),
    "models quantize": ("models", "quantize_command"),
    "pictures index": ("pictures", "index_command"),
    "pictures add": ("pictures", "add_command"),
    "score": ("score", "score_command"),
    "evaluate": ("evaluate", "evaluate_command"),
    "serve": ("serve", "serve_command"),
}


def find_command(name: str) -> Command:
    """The command of that name."""
    module, function = _COMMANDS[name]
    command: Command = getattr(import_module(f"{__name__}.{module}"), function)
    return command
