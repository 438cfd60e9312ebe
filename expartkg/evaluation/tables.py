"""Rows as text: comma-separated, or in columns for a terminal."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence


def csv_text(header: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A file of CSV; None is an empty field."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return table.getvalue()


def in_columns(lines: Sequence[Sequence[str]], *, names: int) -> str:
    """Lines of cells as columns: the first `names` flush left, the numbers after them right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    texts = []
    for line in lines:
        cells = [
            cell.ljust(width) if number < names else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        texts.append("  ".join(cells).rstrip())
    return "\n".join(texts)
