"""The steps in SQL, as the graph's README offers them, choose what the build chooses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from expartkg.construction import BuildOptions, build_from_questions
from expartkg.construction.questions import Passage, QuestionSet
from expartkg.construction.sources.dump.source import Dump
from tests.construction.sources.dump.writing import write_dump
from tests.construction.sources.wikidata_server import FakeItem

duckdb = pytest.importorskip("duckdb", reason="DuckDB is for those who have it")

ITEMS = {
    "Q1001": FakeItem("The Red Boat", "The Red Boat", {"P31": ["Q3305213"], "P170": ["Q1002"]}),
    "Q1002": FakeItem("Ada Painter", "Ada Painter", {"P31": ["Q5"], "P279": ["Q5"]}),
    "Q1003": FakeItem("Town", "Town", {"P47": ["Q1001"], "P17": ["Q1003"]}),
    "Q1004": FakeItem("Lugger", "Lugger", {"P279": ["Q1006"]}),
    "Q1005": FakeItem("Quay", "Quay (harbour)"),
    "Q1006": FakeItem("A quay", "Quay"),
    "Q1007": FakeItem("Town", claims={"P31": ["Q4167410"]}),
    "Q1008": FakeItem('The "Old" Mill', 'The "Old" Mill', {"P131": ["Q1003"]}),
    "P170": FakeItem("creator"),
    "P131": FakeItem("located in"),
}
TEXT = 'Ada Painter shows a Lugger at the Quay. The "Old" Mill stands in Town.'
QUESTIONS = QuestionSet(
    (
        Passage("1", "title", "The Red Boat"),
        Passage("1", "title", 'The "Old" Mill'),
        Passage("1", "reference", TEXT),
    ),
    (),
)


def test_duckdb_gives_the_nodes_and_edges_of_the_build(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "expartkg").symlink_to(root / "expartkg")
    write_dump(tmp_path / "latest-all.json.gz", ITEMS)
    rules = BuildOptions(concept_rules=frozenset({"list", "subclass", "lower-case"}))
    build_from_questions(QUESTIONS, Dump(tmp_path / "latest-all.json.gz"), tmp_path / "OUT", rules)
    duckdb.connect().execute((root / "kg" / "wikidata.sql").read_text(encoding="utf-8"))
    lines = (tmp_path / "graph.nt").read_text(encoding="utf-8").splitlines()
    steps = [
        [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[1:]]
        for path in sorted((tmp_path / "OUT" / "steps").iterdir())
    ]
    names = {(choice["qid"], choice["name"]) for choice in steps[2] if choice["qid"]}
    kept = {
        tuple(edge[name] for name in ("subject", "predicate", "object"))
        for edge in steps[3]
        if not edge["left_out"]
    }
    entity, direct = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    names |= {("P170", "creator"), ("P131", "located in")}
    expected = {f"<{entity}{id}> {label} {json.dumps(name)}@en ." for id, name in names}
    expected |= {f"<{entity}{s}> <{direct}{p}> <{entity}{o}> ." for s, p, o in kept}
    assert len(kept) == 2
    assert set(lines) == expected
