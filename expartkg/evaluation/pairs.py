"""Generated texts beside their references: what `score` reads."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from expartkg.errors import DataError
from expartkg.evaluation.lines import id_field, read_lines, text_field


@dataclass(frozen=True, slots=True)
class Pair:
    """A generated text and the reference that it is compared with."""

    id: str
    generated: str
    reference: str


def read_pairs(path: Path) -> list[Pair]:
    """The pairs of a file of `{"id", "generated", "reference"}` lines; other fields are ignored.

    Raises `DataError`, with the line and the remedy, for a file without pairs, a line that is no
    such object, and an id that comes twice.
    """
    lines: dict[str, int] = {}
    pairs = []
    for number, document in read_lines(path):
        where = f"{path}, line {number}"
        pair = Pair(
            id_field(document, "id", where),
            text_field(document, "generated", where),
            text_field(document, "reference", where),
        )
        if pair.id in lines:
            raise DataError(
                f"{where} has the id {pair.id!r} of line {lines[pair.id]} again; "
                "give every line an id of its own."
            )
        lines[pair.id] = number
        pairs.append(pair)
    if not pairs:
        raise DataError(
            f'{path} has no line; each has to be {{"id": …, "generated": …, "reference": …}}.'
        )
    return pairs


def aligned(pairs: list[Pair], others: list[Pair]) -> list[Pair]:
    """`others` in the order of `pairs`. Raises `DataError` unless both have the same questions.

    The references have to be the same too: a difference of scores says nothing otherwise.
    """
    by_id = {pair.id: pair for pair in others}
    missing = [pair.id for pair in pairs if pair.id not in by_id]
    added = by_id.keys() - {pair.id for pair in pairs}
    if missing or added:
        examples = ", ".join([*missing, *sorted(added)][:3])
        raise DataError(
            f"The two files do not have the same ids ({len(missing)} only in the first, "
            f"{len(added)} only in the second, such as {examples}); keep those that both have."
        )
    for pair in pairs:
        if by_id[pair.id].reference != pair.reference:
            raise DataError(
                f"The two files have different references for the id {pair.id!r}; "
                "both have to be scored against the same texts."
            )
    return [by_id[pair.id] for pair in pairs]
