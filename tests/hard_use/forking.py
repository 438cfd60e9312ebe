"""Runs commands in forks of one process that has imported all, so that a start costs nothing.

Reads a JSON list of arguments, and answers with the fork's number; then reads any line, and answers
with the fork's exit status.
"""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module

from expartkg import commands
from expartkg.cli import main
from expartkg.evaluation.report import writing


def fork(arguments: list[str]) -> int:
    if child := os.fork():
        return child
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    try:
        code = main(arguments)
    except SystemExit as exit:
        code = int(exit.code or 0)
    os._exit(code)


if __name__ == "__main__":
    for module, _ in commands._COMMANDS.values():
        if module != "serve":
            import_module(f"{commands.__name__}.{module}")
    if "--figures" not in sys.argv:
        writing.FIGURE_ENDINGS = ()  # type: ignore[assignment]  # none instead of three
    print("ready", flush=True)
    for line in sys.stdin:
        child = fork(json.loads(line))
        print(child, flush=True)
        sys.stdin.readline()
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
