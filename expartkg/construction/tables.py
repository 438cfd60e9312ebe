"""The hand-kept lists beside this package: tab-separated, with a header, `#` lines are comments."""

from __future__ import annotations

from functools import cache
from importlib import resources


@cache
def table(name: str, columns: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the rows of `data/NAME.tsv`, whose header must be `columns`.

    The lists ship with the package, so a wrong row is a fault of the program: `ValueError`.
    """
    text = resources.files(__package__).joinpath("data", f"{name}.tsv").read_text("utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    rows = [tuple(line.split("\t")) for line in lines]
    if rows[0] != columns:
        raise ValueError(f"{name}.tsv: header {rows[0]} instead of {columns}")
    for row in rows:
        if len(row) != len(columns) or not all(row):
            raise ValueError(f"{name}.tsv: {row} has an empty or missing field")
    if len({row[0] for row in rows}) != len(rows):
        raise ValueError(f"{name}.tsv: an id is listed twice")
    return tuple(rows[1:])
