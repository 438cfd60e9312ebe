"""The Wikidata snapshot: a data directory of tab-separated extracts and a noun list.

The directory holds `wikidata/` (`triples.tsv`, `nodes.tsv`, `artworks.tsv`: plain tabs, one header
line, no quoting) and `concepts/` (`oewn_nouns_with_wikidata.json`). This module says what the files
say and judges nothing: which statement is noise, or which label is wrong, is decided elsewhere.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from expartkg.errors import SourceError

_ITEM = re.compile(r"Q[1-9][0-9]*")
_PROPERTY = re.compile(r"P[1-9][0-9]*")
_YEARS = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,4}))?|")


@dataclass(frozen=True)
class Node:
    """An item: its id (`Q…`), label, the role the snapshot gives it, and whether it is a noun."""

    qid: str
    label: str
    role: str
    is_common_noun: bool


@dataclass(frozen=True)
class Statement:
    """One statement between two items, by the ids `Q… P… Q…`."""

    subject: str
    predicate: str
    object: str


@dataclass(frozen=True)
class Work:
    """What is known of an artwork beside its statements.

    `years` are the one or two years (CE) of P571 as the snapshot gives them, two where it gives a
    range; `image` is the address of P18, empty if there is none.
    """

    qid: str
    years: tuple[int, ...]
    image: str


@dataclass(frozen=True)
class Nouns:
    """Nouns that stand in lower case in Open English WordNet: by label, and by Wikidata id."""

    labels: frozenset[str]
    qids: frozenset[str]


@dataclass(frozen=True)
class SourceFile:
    """A file that was read: its name in the data directory, its licence, its SHA-256 (hex)."""

    name: str
    licence: str
    sha256: str


@dataclass(frozen=True)
class Snapshot:
    """Everything that was read, in the order of the files."""

    nodes: tuple[Node, ...]
    statements: tuple[Statement, ...]
    works: tuple[Work, ...]
    nouns: Nouns
    files: tuple[SourceFile, ...]


NODES = "wikidata/nodes.tsv"
STATEMENTS = "wikidata/triples.tsv"
WORKS = "wikidata/artworks.tsv"
NOUNS = "concepts/oewn_nouns_with_wikidata.json"
LICENCES = {
    STATEMENTS: "CC0 1.0 (Wikidata)",
    NODES: "CC0 1.0 (Wikidata)",
    WORKS: "CC0 1.0 (Wikidata)",
    NOUNS: "CC BY 4.0 (Open English WordNet)",
}


def read_snapshot(directory: Path) -> Snapshot:
    """Read the snapshot under `directory` (the value of `EXPARTKG_DATA`).

    Raises `SourceError`, which names file and line, if a file is missing or a row is malformed.
    """
    return Snapshot(
        nodes=tuple(_nodes(directory)),
        statements=tuple(_statements(directory)),
        works=tuple(_works(directory)),
        nouns=_nouns(directory),
        files=tuple(
            SourceFile(name, licence, _sha256(_read(directory, name)))
            for name, licence in LICENCES.items()
        ),
    )


def _nodes(directory: Path) -> Iterator[Node]:
    columns = ("qid", "label_en", "role", "is_common_noun_in_OEWN")
    seen: set[str] = set()
    for place, (qid, label, role, noun) in _rows(directory, NODES, columns):
        _expect(_ITEM, qid, place, "an item id (Q…)")
        _expect(re.compile("[01]"), noun, place, "0 or 1 in the last column")
        if qid in seen:
            raise SourceError(f"{place}: {qid} is listed a second time; keep one row an item")
        seen.add(qid)
        yield Node(qid, label, role, noun == "1")


def _statements(directory: Path) -> Iterator[Statement]:
    columns = ("subject", "predicate", "object", "sources")
    for place, (subject, predicate, obj, _) in _rows(directory, STATEMENTS, columns):
        _expect(_ITEM, subject, place, "an item id (Q…) as subject")
        _expect(_PROPERTY, predicate, place, "a property id (P…) as predicate")
        _expect(_ITEM, obj, place, "an item id (Q…) as object")
        yield Statement(subject, predicate, obj)


def _works(directory: Path) -> Iterator[Work]:
    columns = ("qid", "label_en", "inception_P571", "image_P18")
    for place, (qid, _, inception, image) in _rows(directory, WORKS, columns):
        _expect(_ITEM, qid, place, "an item id (Q…)")
        match = _YEARS.fullmatch(inception)
        if match is None:
            raise SourceError(f"{place}: {inception!r} is not a year, a range of years or empty")
        yield Work(qid, tuple(int(year) for year in match.groups() if year), image)


def _nouns(directory: Path) -> Nouns:
    try:
        synsets = json.loads(_read(directory, NOUNS))
        found = [
            (synset["members"], synset["qids"])
            for synset in synsets.values()
            if any(member[:1].islower() for member in synset["members"])
        ]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise SourceError(
            f"{directory / NOUNS}: not an object of synsets with `members` and `qids` ({error})"
        ) from error
    return Nouns(
        labels=frozenset(name for members, _ in found for name in members if name[:1].islower()),
        qids=frozenset(qid for _, qids in found for qid in qids),
    )


def _rows(
    directory: Path, name: str, columns: tuple[str, ...]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield `FILE:LINE` and the fields of each row after the header, checked to be `columns`."""
    path = directory / name
    try:
        lines = _read(directory, name).decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise SourceError(f"{path}: not UTF-8 at byte {error.start}") from error
    if tuple(lines[0].split("\t")) != columns:
        raise SourceError(f"{path}:1: the header should be {' '.join(columns)}, tab-separated")
    for number, line in enumerate(lines[1:], start=2):
        if not line and number == len(lines):
            return  # what follows the last newline is no row
        fields = tuple(line.split("\t"))
        if len(fields) != len(columns):
            raise SourceError(f"{path}:{number}: {len(fields)} fields instead of {len(columns)}")
        yield f"{path}:{number}", fields


def _expect(pattern: re.Pattern[str], value: str, place: str, what: str) -> None:
    if pattern.fullmatch(value) is None:
        raise SourceError(f"{place}: {value!r} is not {what}")


def _read(directory: Path, name: str) -> bytes:
    path = directory / name
    try:
        return path.read_bytes()
    except OSError as error:
        reason = error.strerror or error
        raise SourceError(
            f"{path}: cannot be read ({reason}); give the directory that holds wikidata/"
        ) from error


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
