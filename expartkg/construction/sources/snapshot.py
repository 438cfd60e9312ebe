"""The Wikidata snapshot: a data directory of tab-separated extracts and a noun list.

The directory holds `wikidata/` (`triples.tsv`, `nodes.tsv`, `artworks.tsv`: plain tabs, one header
line, no quoting) and `concepts/` (`oewn_nouns_with_wikidata.json`). This module says what the files
say and judges nothing: which statement is noise, or which label is wrong, is decided elsewhere.

To build a graph from questions, it also has to hold `wikidata/label_to_qids.tsv` (which ids share a
name) and two lists of titles in `titles/`; `qa/artpedia.jsonl` and `external/artworld.ttl` add
titles if they are there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from expartkg.construction.ids import ITEM, PROPERTY
from expartkg.construction.sources import titles
from expartkg.construction.sources.at_hand import AtHand, Title
from expartkg.construction.sources.records import (
    Extract,
    Node,
    Nouns,
    SourceFile,
    Statement,
    Work,
)
from expartkg.errors import SourceError

_YEARS = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,4}))?|")

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

SHARED = "wikidata/label_to_qids.tsv"
TITLES: Mapping[str, Callable[[Path], Iterator[Title]]] = {
    titles.PAINTINGS: titles.painting_titles,
    titles.LINKED: titles.linked_titles,
    titles.VITAL: titles.vital_titles,
    titles.POPULAR: titles.popular_titles,
}
OPTIONAL = frozenset({titles.PAINTINGS, titles.LINKED})
LICENCES_OF_NAMES = {
    SHARED: "CC0 1.0 (Wikidata, National Gallery of Art), CC BY 4.0 (Open English WordNet)",
    titles.PAINTINGS: "titles only (Artpedia, from English Wikipedia)",
    titles.LINKED: "links only (Apache_Jena_ArtWorld)",
    titles.VITAL: "titles only (English Wikipedia)",
    titles.POPULAR: "MIT (compromise-wikipedia)",
}

FACTS_AS_OF = (
    "The snapshot states no date of retrieval; its extracts of Wikidata are of different age."
)


def open_snapshot(directory: Path) -> AtHand:
    """The snapshot as a source for a graph that is built from questions.

    Raises `SourceError` as `read_snapshot` does.
    """
    read = [
        name for name in LICENCES_OF_NAMES if name not in OPTIONAL or (directory / name).exists()
    ]
    files = _files(directory, {name: LICENCES_OF_NAMES[name] for name in read})
    found = [title for name in TITLES if name in read for title in TITLES[name](directory / name)]
    found += titles.kept_titles()
    return AtHand(
        "snapshot",
        read_snapshot(directory),
        found,
        dict(_shared(directory)),
        files=files,
    )


def read_snapshot(directory: Path) -> Extract:
    """Read the snapshot under `directory` (the value of `EXPARTKG_DATA`).

    Raises `SourceError`, which names file and line, if a file is missing or a row is malformed.
    """
    return Extract(
        nodes=tuple(_nodes(directory)),
        statements=tuple(_statements(directory)),
        works=tuple(_works(directory)),
        nouns=_nouns(directory),
        files=_files(directory, LICENCES),
        facts_as_of=FACTS_AS_OF,
    )


def _files(directory: Path, licences: Mapping[str, str]) -> tuple[SourceFile, ...]:
    return tuple(
        SourceFile.of(name, licence, _read(directory, name)) for name, licence in licences.items()
    )


def _nodes(directory: Path) -> Iterator[Node]:
    columns = ("qid", "label_en", "role", "is_common_noun_in_OEWN")
    seen: set[str] = set()
    for place, (qid, label, role, noun) in _rows(directory, NODES, columns):
        _expect(ITEM, qid, place, "an item id (Q…)")
        _expect(re.compile("[01]"), noun, place, "0 or 1 in the last column")
        if qid in seen:
            raise SourceError(f"{place}: {qid} is listed a second time; keep one row an item")
        seen.add(qid)
        yield Node(qid, label, role, noun == "1")


def _statements(directory: Path) -> Iterator[Statement]:
    columns = ("subject", "predicate", "object", "sources")
    for place, (subject, predicate, obj, _) in _rows(directory, STATEMENTS, columns):
        _expect(ITEM, subject, place, "an item id (Q…) as subject")
        _expect(PROPERTY, predicate, place, "a property id (P…) as predicate")
        _expect(ITEM, obj, place, "an item id (Q…) as object")
        yield Statement(subject, predicate, obj)


def _works(directory: Path) -> Iterator[Work]:
    columns = ("qid", "label_en", "inception_P571", "image_P18")
    for place, (qid, _, inception, image) in _rows(directory, WORKS, columns):
        _expect(ITEM, qid, place, "an item id (Q…)")
        match = _YEARS.fullmatch(inception)
        if match is None:
            raise SourceError(f"{place}: {inception!r} is not a year, a range of years or empty")
        yield Work(qid, tuple(int(year) for year in match.groups() if year), image)


def _shared(directory: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    columns = ("label_lower", "n_qids", "qids", "sources")
    for place, (name, _, qids, _) in _rows(directory, SHARED, columns):
        listed = tuple(qids.split("|"))
        for qid in listed:
            _expect(ITEM, qid, place, "an item id (Q…)")
        yield name, listed


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
