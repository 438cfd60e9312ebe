"""The reader of the snapshot: what it accepts, and what it says about what it does not."""

from __future__ import annotations

from typing import Any

import pytest

from expartkg.construction.sources.records import Node, Statement, Work
from expartkg.construction.sources.snapshot import read_snapshot
from expartkg.errors import SourceError


def test_rows_become_records(tiny: Any) -> None:
    tiny.works = ["Q1001\tThe Red Boat\t1872-1874\thttp://example.org/a.jpg"]
    source = read_snapshot(tiny.write())
    assert source.nodes[0] == Node("Q1001", "The Red Boat", "artwork", False)
    assert source.statements[0] == Statement("Q1001", "P170", "Q1002")
    assert source.works == (Work("Q1001", (1872, 1874), "http://example.org/a.jpg"),)


def test_only_nouns_in_lower_case_are_general(tiny: Any) -> None:
    tiny.nouns = {
        "1-n": {"members": ["horse", "Equus caballus"], "qids": ["Q726"]},
        "2-n": {"members": ["Paris", "City of Light"], "qids": ["Q90"]},
    }
    nouns = read_snapshot(tiny.write()).nouns
    assert nouns.labels == {"horse"}
    assert nouns.qids == {"Q726"}


@pytest.mark.parametrize(
    ("rows", "row", "message"),
    [
        ("nodes", "Q1\tonly two", r"nodes\.tsv:7: 2 fields instead of 4"),
        ("nodes", "1\tA\tartist\t0", r"nodes\.tsv:7: '1' is not an item id"),
        ("nodes", "Q9\tA\tartist\tyes", r"nodes\.tsv:7: 'yes' is not 0 or 1"),
        ("nodes", "Q1001\tAgain\tartist\t0", r"nodes\.tsv:7: Q1001 is listed a second time"),
        ("nodes", "", r"nodes\.tsv:7: 1 fields instead of 4"),
        ("statements", "Q1\tQ2\tQ3\tx", r"triples\.tsv:6: 'Q2' is not a property id"),
        ("statements", "Q1\tP2\tQ03\tx", r"triples\.tsv:6: 'Q03' is not an item id"),
        ("works", "Q1\tA\tabout 1500\t", r"artworks\.tsv:3: 'about 1500' is not a year"),
        ("works", "Q1\tA\t1500-\t", r"artworks\.tsv:3: '1500-' is not a year"),
    ],
)
def test_a_malformed_row_is_named_by_file_and_line(
    tiny: Any, rows: str, row: str, message: str
) -> None:
    getattr(tiny, rows).append(row)
    with pytest.raises(SourceError, match=message):
        read_snapshot(tiny.write())


def test_a_missing_file_is_named(tiny: Any) -> None:
    directory = tiny.write()
    (directory / "wikidata" / "triples.tsv").unlink()
    with pytest.raises(SourceError, match=r"triples\.tsv: cannot be read \(No such file"):
        read_snapshot(directory)


def test_a_wrong_header_is_named(tiny: Any) -> None:
    directory = tiny.write()
    (directory / "wikidata" / "nodes.tsv").write_text("id\tname\n", encoding="utf-8")
    with pytest.raises(SourceError, match=r"nodes\.tsv:1: the header should be qid label_en"):
        read_snapshot(directory)


def test_bytes_that_are_not_text_are_named(tiny: Any) -> None:
    directory = tiny.write()
    (directory / "wikidata" / "artworks.tsv").write_bytes(b"qid\xff")
    with pytest.raises(SourceError, match=r"artworks\.tsv: not UTF-8 at byte 3"):
        read_snapshot(directory)


@pytest.mark.parametrize("content", ["[]", "{", '{"1-n": {"members": ["a"]}}', '{"1-n": 3}'])
def test_a_noun_list_of_another_shape_is_refused(tiny: Any, content: str) -> None:
    directory = tiny.write()
    (directory / "concepts" / "oewn_nouns_with_wikidata.json").write_text(content, "utf-8")
    with pytest.raises(SourceError, match=r"oewn_nouns_with_wikidata\.json: not an object of"):
        read_snapshot(directory)
