"""The final answer against the catalogue, as lines."""

from __future__ import annotations

from expartkg.commands.printing import line, say
from expartkg.records import Run
from expartkg.support.marked import legend, marked


def print_marks(run: Run) -> None:
    """The sentences of the answer, each with its mark and what the catalogue says of it."""
    if run.support:
        say(f"\n— The answer against the catalogue ({legend()})")
    for one in marked(run):
        if one.status:
            say(f"  {one.mark} {line(one.text)}")
            for reason in one.reasons:
                say(f"      {line(reason)}")
