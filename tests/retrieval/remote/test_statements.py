"""A graph on Oxigraph's own server answers as the same graph in memory does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from expartkg.cli import main
from expartkg.errors import GraphError
from expartkg.records import Artwork
from expartkg.retrieval.opening import open_graph
from expartkg.retrieval.retriever import Retriever
from tests.retrieval.conftest import load

LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
TURTLE = f"""
@prefix wd: <http://www.wikidata.org/entity/> .
@prefix wdt: <http://www.wikidata.org/prop/direct/> .
wd:Q1 <{LABEL}> "The Kiss"@en, "Der Kuss"@de ; a <urn:expartkg:Artwork> ;
    wdt:P170 wd:Q2 ; wdt:P571 "1908" ; wdt:P18 <http://a/1.jpg> ; wdt:P1 wd:Q1, wd:Q9 .
wd:Q2 <{LABEL}> "Gustav Klimt" ; wdt:P135 wd:Q3 .
wd:Q3 <{LABEL}> "Symbolism"@en-GB .
wd:Q4 <{LABEL}> "The Kiss"@en ; wdt:P170 wd:Q5 .
wd:Q5 <{LABEL}> "Edvard Munch"@en .
wd:P170 <{LABEL}> "creator"@en .
"""


@pytest.fixture
def kiss(tmp_path: Path) -> Path:
    path = tmp_path / "kiss.ttl"
    path.write_text(TURTLE)
    return path


@pytest.fixture
def address(kiss: Path, serve_store: Callable[[Path], str]) -> str:
    """Where the same is on a server."""
    load(kiss, kiss.with_name("store"))
    return serve_store(kiss.with_name("store"))


@pytest.fixture
def graphs(kiss: Path, address: str) -> tuple[Retriever, Retriever]:
    """On the server, and in memory."""
    return Retriever(open_graph(address)), Retriever(open_graph(str(kiss)))


def test_a_remote_graph_answers_as_one_in_memory(graphs: tuple[Retriever, Retriever]) -> None:
    remote, local = graphs
    assert set(remote.graph.entities) == set(local.graph.entities)
    assert remote.ranker.statistics == local.ranker.statistics
    text = "The Kiss by Gustav Klimt, a work of Symbolism"
    mentions = local.names.find(text)
    assert remote.names.find(text) == mentions
    for ranking in ("pid", "qid", "pid-qid"):
        facts = [r.facts(mentions, ranking=ranking, top_k=9) for r in graphs]
        assert facts[0] == facts[1]
        assert len(facts[0]) == 3
    work = local.graph.entity("Q1")
    assert remote.graph.image(work) == "http://a/1.jpg"
    assert remote.graph.years(work) == (1908,)
    artwork = Artwork(title="the kiss", artist="munch, edvard")
    assert remote.identify(artwork) == local.identify(artwork)
    assert remote.suggest("kis kli") == local.suggest("kis kli")


def test_the_command_line_takes_an_endpoint(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["retrieve", "By Gustav Klimt", "--kg", address]) == 0
    assert "[The Kiss, creator, Gustav Klimt]" in capsys.readouterr().out
    with pytest.raises(GraphError, match="answered 404"):
        open_graph(address.removesuffix("query") + "nothing")
