"""A store that goes away or is damaged, while the page has it open and when it starts."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from pyoxigraph import Store

from expartkg.cli import main
from expartkg.engines.preview import preview_engine
from expartkg.errors import ExpArtError, GraphError
from expartkg.loop import explain
from expartkg.records import Artwork, Run
from expartkg.retrieval.opening import open_graph
from expartkg.retrieval.retriever import Retriever
from expartkg.retrieval.sparql import Queries
from expartkg.settings import Settings
from tests.conftest import MakeGraph
from tests.ophelia import EDGES, KINDS, LABELS

LARGE = bool(os.environ.get("EXPARTKG_LARGE"))
RunOf = Callable[[Iterable[object]], Run]
Change = Callable[[Path], object]


@pytest.fixture
def file(make_graph: MakeGraph, tmp_path: Path) -> Path:
    make_graph(EDGES, LABELS, KINDS)
    return tmp_path / "graph.nt"


@pytest.fixture(params=["with an index", "as Oxigraph makes it"])
def store(request: pytest.FixtureRequest, file: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "store"
    if request.param == "with an index":
        assert main(["kg", "load", str(file), "--store", str(folder)]) == 0
    else:
        written = Store(str(folder))
        written.load(path=str(file))
        written.flush()
        del written
    return folder


def run(retriever: Retriever, run_of: RunOf) -> Run:
    settings = Settings(max_iterations=1)
    artwork, engine = Artwork(title="Ophelia"), preview_engine()
    return run_of(explain(artwork, retriever=retriever, engine=engine, settings=settings))


@pytest.mark.parametrize(
    "vanish",
    [shutil.rmtree, lambda path: os.rename(path, path.with_name("elsewhere"))],
    ids=["deleted", "renamed"],
)
@pytest.mark.parametrize("used_before", [False, True])
def test_an_open_page_goes_on_and_queries_say_that_it_is_gone(
    store: Path, vanish: Change, used_before: bool, run_of: RunOf, file: Path
) -> None:
    retriever, queries = Retriever(open_graph(str(store))), Queries(str(store))
    if used_before:
        run(retriever, run_of)
        queries.ask("ASK { ?s ?p ?o }")
    vanish(store)
    explained = run(retriever, run_of)
    assert (explained.status, len(explained.iterations[0].facts)) == ("exhausted", 2)
    assert [work.entity.id for work in retriever.suggest("oph", 3)] == ["Q1"]
    with pytest.raises(ExpArtError, match=r"There is no graph|not an Oxigraph store"):
        queries.ask("ASK { ?s ?p ?o }")
    with pytest.raises(GraphError, match="There is no graph"):
        open_graph(str(store))
    # When it is there again, nothing has to be started again.
    assert main(["kg", "load", str(file), "--store", str(store)]) == 0
    assert queries.ask("ASK { ?s ?p ?o }").boolean
    queries.close()


def emptied(path: Path) -> None:
    os.truncate(path, 0)


def halved(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def overwritten(path: Path) -> None:
    path.write_bytes(b"<html>" * (path.stat().st_size // 6 + 1))


DAMAGES: tuple[Change, ...] = (halved, Path.unlink, emptied, overwritten)


@pytest.mark.parametrize("damage", DAMAGES if LARGE else DAMAGES[:2])
def test_of_a_damaged_store_the_page_says_so_or_has_all_of_it(
    store: Path, damage: Change, tmp_path: Path
) -> None:
    refused = 0
    for original in sorted(path for path in store.rglob("*") if path.is_file()):
        copy = tmp_path / "copy"
        shutil.copytree(store, copy)
        damage(copy / original.relative_to(store))
        said = refusal(copy)
        assert said is None or str(copy) in said
        refused += said is not None
        shutil.rmtree(copy)
    assert refused > 0


def refusal(store: Path) -> str | None:
    """What is said of a store; None if a fact of it can be had, which it then has."""
    try:
        graph = open_graph(str(store))
        assert len(graph.document(graph.entity("Q1"))) == 2
    except GraphError as error:
        return str(error)
    return None
