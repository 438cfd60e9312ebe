"""`kg sparql`: a read-only query, in a process that is killed at its limits."""

from __future__ import annotations

import argparse

from expartkg.commands.options import settings_from
from expartkg.commands.printing import line, say, tell
from expartkg.errors import UsageError
from expartkg.retrieval.sparql import Limits, Queries, Results, short
from expartkg.runs import to_text

# Whoever has a command line may have more than a visitor of the page.
MOST_ROWS = 1_000_000
MOST_BYTES = 512 * 2**20
MOST_MEMORY = 4 * 2**30
WIDEST = 80
"""Longer cells are not cut, but the others of their column are not made as wide."""


def sparql_command(options: argparse.Namespace) -> int:
    settings = settings_from(options)
    seconds = settings.sparql_seconds if options.time_limit is None else options.time_limit
    if not 0 < seconds < 10**6:
        raise UsageError(f"time-limit must be a number of seconds above 0, not {seconds}.")
    queries = Queries(settings.kg, Limits(seconds, MOST_ROWS, MOST_BYTES, MOST_MEMORY))
    try:
        results = queries.ask(options.query)
    finally:
        queries.close()
    if options.json:
        say(to_text(results.document))
    else:
        _print_table(results)
    if results.cut:
        tell(f"Only the first {len(results):,} rows are given; ask for the others with OFFSET.")
    return 0


def _print_table(results: Results) -> None:
    if results.boolean is not None:
        say("true" if results.boolean else "false")
        return
    table = [results.variables, *([line(short(term)) for term in row] for row in results.rows)]
    widths = [min(WIDEST, max(map(len, column))) for column in zip(*table, strict=True)]
    for row in table:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        say("  ".join(cells).rstrip())
