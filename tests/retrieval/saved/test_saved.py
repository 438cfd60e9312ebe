"""A graph with a saved index answers everything as the same graph in memory does."""

from __future__ import annotations

import gzip
import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
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
from tests.retrieval.conftest import load

LABEL = "http://www.w3.org/2000/01/rdf-schema#label"


ONE_IN = 8
"""Of the artworks; all would say no more and take longer."""


@pytest.fixture(scope="module")
def source(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A part of the shipped graph: some of its artworks, and all the rest."""
    lines = gzip.decompress((root / "kg/artworks.nt.gz").read_bytes()).splitlines()
    artworks = [line.split()[0] for line in lines if line.endswith(b"<urn:expartkg:Artwork> .")]
    dropped = set(artworks) - set(artworks[::ONE_IN])
    path = tmp_path_factory.mktemp("source") / "some.nt"
    path.write_bytes(b"\n".join(line for line in lines if line.split()[0] not in dropped))
    return path


@pytest.fixture(scope="module")
def plain(source: Path) -> Retriever:
    """It in memory."""
    return Retriever(open_graph(str(source)))


@pytest.fixture(scope="module")
def saved(source: Path) -> Retriever:
    """It as `kg load` saves it."""
    directory = source.with_name("store")
    load_store(statements_in(source, stop_at_bad_line), directory, lambda: "0" * 64)
    return Retriever(open_graph(str(directory)))


def by_iri(entities: object) -> dict[str, Entity]:
    assert isinstance(entities, list)
    return {entity.iri: entity for entity in entities}


def test_the_entities_are_the_same(saved: Retriever, plain: Retriever) -> None:
    assert by_iri(saved.graph.entities) == by_iri(plain.graph.entities)
    assert len(saved.graph) == len(plain.graph)
    assert saved.graph.entity("Q762") == plain.graph.entity("Q762")
    assert saved.graph.entity("http://www.wikidata.org/entity/Q762").id == "Q762"
    with pytest.raises(UnknownEntityError, match="has no entity Q0"):
        saved.graph.entity("Q0")


def test_the_statistics_are_the_same(saved: Retriever, plain: Retriever) -> None:
    ours, theirs = saved.ranker.statistics, plain.ranker.statistics
    assert (ours.N, ours.statements, ours.predicates) == (
        theirs.N,
        theirs.statements,
        theirs.predicates,
    )
    assert {iri: n for iri, n in ours.neighbours.items() if n} == theirs.neighbours
    assert list(saved.graph.predicates.items()) == list(plain.graph.predicates.items())


def test_mentions_and_facts_are_the_same(saved: Retriever, plain: Retriever) -> None:
    works = [entity.label for entity in plain.graph.entities][::53]
    for one, other in zip(works, reversed(works), strict=True):
        text = f"“{one}”, said to be by {other}; compare  {one}s, Self-portrait and oil paint."
        mentions = plain.names.find(text)
        assert saved.names.find(text) == mentions
        for ranking in ("pid", "qid", "pid-qid"):
            facts = [
                retriever.facts(mentions, ranking=ranking, top_k=7) for retriever in (saved, plain)
            ]
            assert facts[0] == facts[1]


def test_titles_are_the_same(saved: Retriever, plain: Retriever) -> None:
    for title in ("the kiss", "MONA LISA", "self portrait", "“Ophelia”.", "", "no such title"):
        found = [set(retriever.titles.works(title)) for retriever in (saved, plain)]
        assert found[0] == found[1]
    artwork = Artwork(title="The Kiss", artist="gustav klimt")
    assert saved.identify(artwork) == plain.identify(artwork)


def test_suggestions_are_the_same(saved: Retriever, plain: Retriever) -> None:
    for text in ("s", "mona", "klimt kiss", "rembrant self", "portrait of a wom", "louvre", "x!"):
        assert saved.suggest(text) == plain.suggest(text)


def test_a_saved_graph_has_the_hash_of_what_was_loaded(saved: Retriever) -> None:
    assert saved.graph.sha256 == "0" * 64


ALPHABET = "aB é\u0301.'"


@pytest.fixture(scope="module")
def odd_names(tmp_path_factory: pytest.TempPathFactory) -> tuple[Names, Names]:
    """The dictionary of many short, odd labels: saved, and in memory."""
    chance = random.Random(5)
    labels = {"".join(chance.choices(ALPHABET, k=chance.randint(1, 6))) for _ in range(300)}
    path = tmp_path_factory.mktemp("odd") / "odd.nt"
    path.write_text(
        "".join(
            f"<http://x/Q{number}> <{LABEL}> {json.dumps(label)} .\n"
            for number, label in enumerate(sorted(labels))
        )
    )
    load(path, path.with_name("store"))
    return Names(open_graph(str(path.with_name("store")))), Names(open_graph(str(path)))


@given(text=st.text(ALPHABET, max_size=60))
def test_names_in_any_text_are_the_same(odd_names: tuple[Names, Names], text: str) -> None:
    saved, in_memory = odd_names
    assert saved.find(text) == in_memory.find(text)


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
    load(path, directory)
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
    load(path, tmp_path / "loop")
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
    load(tmp_path / "twins.nt", again)

    def content(directory: Path) -> dict[str, bytes]:
        files = (directory / "expartkg").iterdir()
        return {path.name: path.read_bytes() for path in files if path.name != "index.json"}

    assert content(twins) == content(again)


def test_a_graph_in_memory_has_no_index(
    shipped: Retriever, make_graph: Callable[..., Graph]
) -> None:
    assert shipped.graph.index is None
    assert make_graph([("Q1", "P1", "Q2")]).index is None
