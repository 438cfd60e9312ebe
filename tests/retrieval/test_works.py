"""What tells works of the same title from each other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from expartkg.retrieval.opening import open_graph
from expartkg.retrieval.retriever import Retriever
from expartkg.retrieval.store import Graph
from expartkg.retrieval.works import Work, works_of

MakeGraph = Callable[..., Graph]

TURTLE = """
@prefix wd: <http://www.wikidata.org/entity/> .
@prefix wdt: <http://www.wikidata.org/prop/direct/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
wd:Q1 rdfs:label "The Kiss"@en ; wdt:P170 wd:Q3, wd:Q2, wd:Q9, "somebody" ;
    wdt:P195 wd:Q5, wd:Q4 ; wdt:P276 wd:Q6 ; wdt:P571 "1908"^^xsd:gYear, "1907"^^xsd:gYear .
wd:Q7 rdfs:label "The Kiss"@en ; wdt:P276 wd:Q6 .
wd:Q8 rdfs:label "The Kiss"@en ; wdt:P1 wd:Q1 .
wd:Q2 rdfs:label "Munch"@en ; wdt:P170 wd:Q3 .
wd:Q3 rdfs:label "Klimt"@en .
wd:Q4 rdfs:label "Uffizi"@en .
wd:Q5 rdfs:label "Belvedere"@en .
wd:Q6 rdfs:label "Vienna"@en .
wd:Q10 rdfs:label "Klimt"@en .
wd:Q11 rdfs:label "Vase"@en ; wdt:P170 wd:Q3, wd:Q10 .
"""


def works(tmp_path: Path, *ids: str) -> list[Work]:
    path = tmp_path / "kiss.ttl"
    path.write_text(TURTLE, encoding="utf-8")
    graph = open_graph(str(path))
    return list(works_of(graph, map(graph.entity, ids)))


def told(work: Work) -> tuple[object, ...]:
    return work.makers, work.holders, work.years


def test_makers_collections_and_years_in_order(tmp_path: Path) -> None:
    (work,) = works(tmp_path, "Q1")
    assert told(work) == (("Klimt", "Munch"), ("Belvedere", "Uffizi"), (1907, 1908))


def test_a_work_in_no_collection_is_held_where_it_is(tmp_path: Path) -> None:
    (work,) = works(tmp_path, "Q7")
    assert told(work) == ((), ("Vienna",), ())


def test_two_makers_of_one_name_are_named_once(tmp_path: Path) -> None:
    (work,) = works(tmp_path, "Q11")
    assert work.makers == ("Klimt",)


def test_what_the_graph_does_not_say_is_empty(tmp_path: Path, make_graph: MakeGraph) -> None:
    (work,) = works(tmp_path, "Q8")
    assert told(work) == ((), (), ())
    graph = make_graph([("Q1", "P1", "Q2")])
    assert [told(work) for work in works_of(graph, graph.entities)] == [((), (), ())] * 2


def test_the_order_is_kept(tmp_path: Path) -> None:
    ids = ["Q8", "Q1", "Q7"]
    assert [work.entity.id for work in works(tmp_path, *ids)] == ids


def test_works_of_the_shipped_graph(shipped: Retriever) -> None:
    (klimt,) = shipped.works([shipped.graph.entity("Q698487")])
    assert told(klimt) == (("Gustav Klimt",), ("Belvedere",), (1907,))


def test_works_without_a_maker_are_told_apart_all_the_same(shipped: Retriever) -> None:
    """Those of the shipped graph without P170: most have a holder or a year."""
    artworks = [entity for entity in shipped.graph.entities if entity.kind == "Artwork"]
    anonymous = [work for work in shipped.works(artworks) if not work.makers]
    told_apart = [work for work in anonymous if work.holders or work.years]
    print(f"{len(told_apart)} of {len(anonymous)} works without a maker have a holder or a year")
    assert len(anonymous) > 1000
    assert len(told_apart) / len(anonymous) > 0.9
