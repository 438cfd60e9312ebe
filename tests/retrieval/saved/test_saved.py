"""A graph with a saved index answers everything as the same graph in memory does."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode, Quad, Store

from expartkg.errors import GraphError, UnknownEntityError
from expartkg.records import Artwork, Entity
from expartkg.retrieval.loading import load_store
from expartkg.retrieval.names import Names
from expartkg.retrieval.opening import open_graph
from expartkg.retrieval.reading import statements_in, stop_at_bad_line
from expartkg.retrieval.retriever import Retriever
from expartkg.retrieval.store import Graph

LABEL = "http://www.w3.org/2000/01/rdf-schema#label"


@pytest.fixture(scope="module")
def saved(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Retriever:
    """The shipped graph as `kg load` saves it."""
    directory = tmp_path_factory.mktemp("saved") / "store"
    statements = statements_in(root / "kg/artworks.nt.gz", stop_at_bad_line)
    load_store(statements, directory, lambda: "0" * 64)
    return Retriever(open_graph(str(directory)))


def by_iri(entities: object) -> dict[str, Entity]:
    assert isinstance(entities, list)
    return {entity.iri: entity for entity in entities}


def test_the_entities_are_the_same(saved: Retriever, shipped: Retriever) -> None:
    assert by_iri(saved.graph.entities) == by_iri(shipped.graph.entities)
    assert len(saved.graph) == len(shipped.graph)
    assert saved.graph.entity("Q762") == shipped.graph.entity("Q762")
    assert saved.graph.entity("http://www.wikidata.org/entity/Q762").id == "Q762"
    with pytest.raises(UnknownEntityError, match="has no entity Q0"):
        saved.graph.entity("Q0")


def test_the_statistics_are_the_same(saved: Retriever, shipped: Retriever) -> None:
    ours, theirs = saved.ranker.statistics, shipped.ranker.statistics
    assert (ours.N, ours.statements, ours.predicates) == (
        theirs.N,
        theirs.statements,
        theirs.predicates,
    )
    assert {iri: n for iri, n in ours.neighbours.items() if n} == theirs.neighbours
    assert list(saved.graph.predicates.items()) == list(shipped.graph.predicates.items())


def test_mentions_and_facts_are_the_same(saved: Retriever, shipped: Retriever) -> None:
    works = [entity.label for entity in shipped.graph.entities][::151]
    for one, other in zip(works, reversed(works), strict=True):
        text = f"“{one}”, said to be by {other}; compare  {one}s, Self-portrait and oil paint."
        mentions = shipped.names.find(text)
        assert saved.names.find(text) == mentions
        for ranking in ("pid", "qid", "pid-qid"):
            facts = [
                retriever.facts(mentions, ranking=ranking, top_k=7)
                for retriever in (saved, shipped)
            ]
            assert facts[0] == facts[1]


def test_titles_are_the_same(saved: Retriever, shipped: Retriever) -> None:
    for title in ("the kiss", "MONA LISA", "self portrait", "“Ophelia”.", "", "no such title"):
        found = [set(retriever.titles.works(title)) for retriever in (saved, shipped)]
        assert found[0] == found[1]
    artwork = Artwork(title="The Kiss", artist="gustav klimt")
    assert saved.identify(artwork) == shipped.identify(artwork)


def test_suggestions_are_the_same(saved: Retriever, shipped: Retriever) -> None:
    for text in ("s", "mona", "klimt kiss", "rembrant self", "portrait of a wom", "louvre", "x!"):
        assert saved.suggest(text) == shipped.suggest(text)


def test_a_saved_graph_has_the_hash_of_what_was_loaded(saved: Retriever) -> None:
    assert saved.graph.sha256 == "0" * 64


ALPHABET = "aB é\u0301.'"
LABELS = st.lists(st.text(ALPHABET, min_size=1, max_size=6), min_size=1, max_size=5)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(labels=LABELS, text=st.text(ALPHABET, max_size=50))
def test_names_in_any_text_are_the_same(labels: list[str], text: str, tmp_path: Path) -> None:
    quads = [
        Quad(NamedNode(f"http://x/Q{number}"), NamedNode(LABEL), Literal(label))
        for number, label in enumerate(labels)
        if label.strip()
    ]
    if not quads:
        return
    directory = tmp_path / "store"
    load_store(quads, directory, lambda: "")
    saved = open_graph(str(directory))
    path = tmp_path / "same.nt"
    path.write_bytes(b"".join(f"{quad.triple} .\n".encode() for quad in quads))
    assert Names(saved).find(text) == Names(open_graph(str(path))).find(text)


TWINS = f"""
<http://a/Q1> <{LABEL}> "One" .
<http://b#Q1> <{LABEL}> "Other" .
<urn:isbn:1> <{LABEL}> "Book" .
<http://a/Q1> <http://a/P1> <urn:isbn:1> .
"""


@pytest.fixture
def twins(tmp_path: Path) -> Path:
    path = tmp_path / "twins.nt"
    path.write_text(TWINS)
    directory = tmp_path / "twins"
    load_store(statements_in(path, stop_at_bad_line), directory, lambda: "")
    return directory


def test_clashing_ids_are_full_iris(twins: Path) -> None:
    graph = open_graph(str(twins))
    assert {entity.id for entity in graph.entities} == {"http://a/Q1", "http://b#Q1", "urn:isbn:1"}
    with pytest.raises(UnknownEntityError, match="several entities"):
        graph.entity("Q1")
    (edge,) = graph.document(graph.entity("urn:isbn:1"))
    assert edge.neighbour.label == "One"


def test_a_self_loop_is_one_edge_and_named_graphs_repeat_none(tmp_path: Path) -> None:
    path = tmp_path / "loop.nq"
    edge = "<http://x/a> <http://x/p> <http://x/a>"
    path.write_text(f'<http://x/a> <{LABEL}> "A" .\n{edge} <http://g/1> .\n{edge} <http://g/2> .\n')
    load_store(statements_in(path, stop_at_bad_line), tmp_path / "loop", lambda: "")
    retriever = Retriever(open_graph(str(tmp_path / "loop")))
    entity = retriever.graph.entity("a")
    (edge_of_it,) = retriever.graph.document(entity)
    assert (edge_of_it.neighbour, edge_of_it.outgoing) == (entity, True)
    assert retriever.ranker.statistics.statements == 1


def test_a_store_that_was_written_to_afterwards_is_refused(twins: Path) -> None:
    Store(str(twins)).add(Quad(NamedNode("http://q"), NamedNode("http://q"), Literal("q")))
    with pytest.raises(GraphError, match="changed since it was indexed; load the files again"):
        open_graph(str(twins))
    shutil.rmtree(twins / "expartkg")
    assert len(open_graph(str(twins))) == 3


def test_a_store_that_was_only_opened_for_writing_still_fits_its_index(twins: Path) -> None:
    Store(str(twins)).flush()
    assert len(open_graph(str(twins))) == 3


def of_another_version(folder: Path) -> None:
    manifest = json.loads((folder / "index.json").read_text())
    (folder / "index.json").write_text(json.dumps({**manifest, "format": [0, "little"]}))


def without_a_file(folder: Path) -> None:
    (folder / "labels.text").unlink()


def cut_short(folder: Path) -> None:
    content = (folder / "names").read_bytes()
    (folder / "names").write_bytes(content[:-8])


def overwritten(folder: Path) -> None:
    (folder / "iris").write_bytes(bytes((folder / "iris").stat().st_size))


def no_manifest_at_all(folder: Path) -> None:
    (folder / "index.json").write_text("{")


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (of_another_version, "another version or machine"),
        (without_a_file, "not complete"),
        (cut_short, "not complete"),
        (overwritten, "damaged"),
        (no_manifest_at_all, "damaged"),
    ],
)
def test_a_damaged_index_is_refused_with_a_remedy(
    twins: Path, damage: Callable[[Path], None], message: str
) -> None:
    damage(twins / "expartkg")
    with pytest.raises(GraphError, match=rf"{message}.*load the files again with kg load"):
        open_graph(str(twins))


def test_indexes_have_the_same_bytes_whenever_they_are_made(twins: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    load_store(statements_in(tmp_path / "twins.nt", stop_at_bad_line), again, lambda: "")

    def content(directory: Path) -> dict[str, bytes]:
        files = (directory / "expartkg").iterdir()
        return {path.name: path.read_bytes() for path in files if path.name != "index.json"}

    assert content(twins) == content(again)


def test_a_graph_in_memory_has_no_index(
    shipped: Retriever, make_graph: Callable[..., Graph]
) -> None:
    assert shipped.graph.index is None
    assert make_graph([("Q1", "P1", "Q2")]).index is None
