"""A graph as a source: what was built once can be built again from its file."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from expartkg.construction import build_from_extract, build_from_questions
from expartkg.construction.questions import read_questions
from expartkg.construction.sources.graph import open_graph_file, read_graph_file
from expartkg.construction.sources.knowledge import Named
from expartkg.errors import SourceError

WD = "http://www.wikidata.org/entity/"


def unpacked(folder: Path) -> bytes:
    return gzip.decompress((folder / "graph.nt.gz").read_bytes())


def test_all_artworks_of_a_graph_are_that_graph(built: Any, tmp_path: Path) -> None:
    first = built().out
    build_from_extract(read_graph_file(first / "graph.nt.gz"), tmp_path / "again")
    assert unpacked(tmp_path / "again") == unpacked(first)


def test_the_shipped_graph_can_be_rebuilt_from_itself(root: Path, tmp_path: Path) -> None:
    shipped = root / "kg" / "artworks.nt.gz"
    build_from_extract(read_graph_file(shipped), tmp_path)
    assert unpacked(tmp_path) == gzip.decompress(shipped.read_bytes())


def test_a_question_set_takes_its_part_of_a_graph(built: Any, tiny: Any, tmp_path: Path) -> None:
    source = open_graph_file(built().out / "graph.nt.gz")
    manifest: Any = build_from_questions(read_questions(tiny.questions), source, tmp_path / "part")
    assert manifest["stages"]["kept_by_list_of_titles"] == {"labels of the graph": 4}
    assert manifest["stages"]["edges"] == 3
    assert manifest["settings"]["knowledge"] == "graph"


def write(path: Path, *lines: str) -> Path:
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    text = "\n".join(line.replace("LABEL", label).replace("wd:", WD) for line in lines)
    path.write_text(text + "\n", encoding="utf-8")
    return path


def test_a_graph_with_articles_has_no_other_titles(tmp_path: Path) -> None:
    path = write(
        tmp_path / "g.nt",
        '<wd:Q1> LABEL "Boat"@en .',
        '<wd:Q2> LABEL "Town"@en-GB .',
        '<wd:Q2> LABEL "Stadt"@de .',
        "<https://en.wikipedia.org/wiki/The_Boat> <http://schema.org/about> <wd:Q1> .",
    )
    source = open_graph_file(path)
    assert source.look_up(["The Boat", "Town", "Stadt"]) == {
        "The Boat": Named(("Q1",), "articles of the graph", True),
        "Town": Named(("Q2",), "", False),
        "Stadt": Named((), "", False),
    }


def test_labels_of_properties_are_those_of_the_graph(tmp_path: Path) -> None:
    path = write(
        tmp_path / "g.nt", '<wd:Q1> LABEL "Boat"@en .', '<wd:P99999> LABEL "moored at"@en .'
    )
    source = open_graph_file(path)
    assert source.property_labels(["P99999", "P170"]) == {"P99999": "moored at", "P170": "creator"}
    with pytest.raises(SourceError, match="P99998"):
        source.property_labels(["P99998"])


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("g.nt", b"no triples", "not valid N-Triples"),
        ("g.nt", b"", "no item with an English label"),
        ("g.nt.gz", b"not packed", "cannot be read"),
    ],
)
def test_what_is_no_graph_is_said(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SourceError, match=message):
        open_graph_file(tmp_path / name)


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"missing\.nt cannot be read"):
        open_graph_file(tmp_path / "missing.nt")
