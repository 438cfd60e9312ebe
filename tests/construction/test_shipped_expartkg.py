"""What is promised of kg/expartkg.nt.gz, the graph of the paper's construction."""

from __future__ import annotations

import gzip
import hashlib
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from expartkg.construction import DEFAULT_NOISE, build_from_questions
from expartkg.construction.questions import read_questions
from expartkg.construction.sources.snapshot import open_snapshot
from tests.construction.shipped_graph import Graph

GENERAL = """
    oil paint|canvas|sky|horse|dress|woman|man|portrait|landscape|tree|dog|cloud|beard|hat|nude|
    child|still life|river|table|book|mountain|sword|window|mirror|wood|paper|marble|fresco|tempera|
    self-portrait|angel|boat|flag|garden|fruit|sheep|bread|candle|shield|king|bridge|sea|house|war|
    battle|love|death|night|painting|painter|artist|museum|church|girl|light|gold|wine|snow|moon|
    christianity|liberty|human|blood
"""
SHARED = """
    Mona Lisa|Paris|London|Raphael|Rome|Florence|Madonna|Amsterdam|Édouard Manet|Renaissance|David|
    Venice|Venus|Berlin|Naples|Moses|Claude Monet|Cupid|New York City|John the Baptist|Paul Gauguin|
    Europe|Homer|Annunciation|Dante Gabriel Rossetti|Munich|George Washington|Jupiter|Liverpool|
    William Hogarth|Aristotle|Hope|Mars|John Ruskin|Bologna|Hercules|Manchester|Edvard Munch|Egypt|
    Derby|Icarus|Ariadne|Rouen|Mary Magdalene|Golden Fleece|Jacob|Adam and Eve|Athens|Chicago|
    Venus of Urbino|Crucifixion|Neptune|Saint Peter|Circe|Prague
"""
"""Names that several Wikidata items share."""


def listed(names: str) -> set[str]:
    return {name.strip().casefold() for name in names.replace("\n", "").split("|")}


@pytest.fixture(scope="module")
def graph() -> Graph:
    return Graph("expartkg")


@pytest.fixture(scope="module")
def artworks() -> Graph:
    return Graph("artworks")


def test_the_manifest_names_this_file_and_counts_what_is_there(graph: Graph) -> None:
    manifest = graph.manifest
    assert manifest["sha256"] == hashlib.sha256(graph.packed).hexdigest()
    assert manifest["entities"] == len(graph.kinds)
    assert manifest["statements"] == len(graph.edges)
    assert manifest["kinds"] == dict(sorted(Counter(graph.kinds.values()).items()))
    predicates = Counter(predicate for _, predicate, _ in graph.edges)
    assert {p: e["statements"] for p, e in manifest["predicates"].items()} == predicates


def test_the_stages_lead_to_what_is_there(graph: Graph) -> None:
    stages = graph.manifest["stages"]
    dropped = sum(stages["candidates_dropped"].values())
    assert stages["candidates"] == stages["candidates_kept"] + dropped
    assert stages["candidates_kept"] == sum(stages["kept_by_list_of_titles"].values())
    left_out = sum(stages["statements_left_out"].values())
    assert stages["statements_between_kept"] == stages["edges"] + left_out
    assert stages["nodes"] == stages["candidates_kept"] - stages["kept_without_edge_dropped"]
    assert (stages["nodes"], stages["edges"]) == (len(graph.kinds), len(graph.edges))


def test_it_is_large_and_dense_enough(graph: Graph, artworks: Graph) -> None:
    assert len(graph.kinds) >= 1_200
    assert len(graph.edges) >= 2 * len(graph.kinds)
    joined = {end for subject, _, obj in graph.edges for end in (subject, obj)}
    assert len(joined) >= 0.95 * len(graph.kinds)


def test_every_edge_is_one_of_the_graph_of_all_artworks(graph: Graph, artworks: Graph) -> None:
    """Both take all statements of one source but noise, so the smaller is a part of the larger."""
    assert set(graph.edges) <= set(artworks.edges)
    between = {edge for edge in artworks.edges if {edge[0], edge[2]} <= graph.kinds.keys()}
    assert set(graph.edges) == between


def test_no_general_concept_is_left(graph: Graph) -> None:
    general = listed(GENERAL)
    assert len(general) >= 50
    assert {name for name in graph.names.values() if name.casefold() in general} == set()
    assert "Concept" not in graph.kinds.values()


def test_no_name_is_left_that_several_items_share(graph: Graph, artworks: Graph) -> None:
    shared = listed(SHARED)
    assert len(shared) >= 50
    assert {name for name in graph.names.values() if name.casefold() in shared} == set()
    bearers = defaultdict(set)
    for qid, name in [*graph.names.items(), *artworks.names.items()]:
        bearers[name.casefold()].add(qid)
    assert [name for name in graph.names.values() if len(bearers[name.casefold()]) > 1] == []


def test_no_statement_is_of_a_noise_property(graph: Graph) -> None:
    assert not {predicate for _, predicate, _ in graph.edges} & DEFAULT_NOISE


def test_a_known_work_has_its_facts(graph: Graph) -> None:
    facts = {(p, graph.labels[o]) for s, p, o in graph.edges if graph.labels[s] == "Las Meninas"}
    assert {("P170", "Diego Velázquez"), ("P195", "Museo del Prado"), ("P135", "Baroque")} <= facts


@pytest.mark.data
def test_every_edge_is_in_the_source(graph: Graph, data: Path) -> None:
    rows = (data / "wikidata" / "triples.tsv").read_text(encoding="utf-8").splitlines()
    assert set(graph.edges) <= {tuple(row.split("\t")[:3]) for row in rows}


@pytest.mark.data
def test_no_name_has_several_ids_in_the_source(graph: Graph, data: Path) -> None:
    rows = (data / "wikidata" / "label_to_qids.tsv").read_text(encoding="utf-8").splitlines()
    several = {row.split("\t")[0] for row in rows[1:] if row.split("\t")[1] != "1"}
    assert {name for name in graph.names.values() if name.casefold() in several} == set()


@pytest.mark.data
def test_the_file_can_be_rebuilt(graph: Graph, data: Path, tmp_path: Path) -> None:
    """Compared unpacked, since another zlib may pack the same text otherwise."""
    questions = read_questions(str(data / "qa" / "artpedia.jsonl"))
    manifest: dict[str, Any] = build_from_questions(questions, open_snapshot(data), tmp_path)
    assert gzip.decompress((tmp_path / "graph.nt.gz").read_bytes()) == graph.text
    assert {**manifest, "sha256": ""} == {**graph.manifest, "sha256": ""}
