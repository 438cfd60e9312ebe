"""Opening graphs, their entities, and the document of an entity."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from pyoxigraph import DefaultGraph, RdfFormat, Store

from expartkg.errors import GraphError, UnknownEntityError
from expartkg.records import Entity
from expartkg.retrieval.descriptions import (
    LONGEST_LABEL,
    descriptions_in,
    descriptions_in_lines,
    last_segment,
)
from expartkg.retrieval.opening import open_graph
from expartkg.retrieval.ranking import Ranker
from expartkg.retrieval.retriever import Retriever
from expartkg.retrieval.store import Graph, id_order

MakeGraph = Callable[..., Graph]

TURTLE = """
@prefix ex: <http://example.org/> .
@prefix other: <http://elsewhere.org/things#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix schema: <http://schema.org/> .
ex:kiss rdfs:label "The Kiss"@en, "Der Kuss"@de, "The Kiss (en-GB)"@en-GB ;
    a ex:Painting ; ex:by ex:klimt ; ex:about ex:love ; ex:size 180 ; schema:url ex:klimt .
ex:klimt rdfs:label "Gustav Klimt" ; ex:made ex:kiss .
ex:love rdfs:label "Liebe"@de .
ex:gold rdfs:label "Gold"@en-US .
ex:by rdfs:label "painted by"@en .
other:kiss rdfs:label "Kissing"@en .
"""


@pytest.fixture
def turtle(tmp_path: Path) -> Path:
    path = tmp_path / "kiss.ttl"
    path.write_text(TURTLE, encoding="utf-8")
    return path


def labels(graph: Graph) -> dict[str, str]:
    return {entity.id: entity.label for entity in graph.entities}


def test_entities_are_labelled_in_english_and_no_properties(turtle: Path) -> None:
    assert labels(open_graph(str(turtle))) == {
        "http://example.org/kiss": "The Kiss",
        "http://elsewhere.org/things#kiss": "Kissing",  # two short ids would clash
        "klimt": "Gustav Klimt",
        "gold": "Gold",
    }


def test_document_has_edges_of_foreign_vocabularies_but_not_of_the_excluded(turtle: Path) -> None:
    graph = open_graph(str(turtle))
    edges = graph.document(graph.entity("klimt"))
    seen = sorted((edge.predicate.label, edge.neighbour.label, edge.outgoing) for edge in edges)
    assert seen == [("made", "The Kiss", True), ("painted by", "The Kiss", False)]


@pytest.mark.parametrize("suffix", ["nt", "ttl", "nq", "trig", "rdf", "nt.gz", "ttl.gz", "nq.gz"])
def test_formats(turtle: Path, tmp_path: Path, suffix: str) -> None:
    store = Store()
    store.load(turtle.read_bytes(), RdfFormat.TURTLE)
    extension = suffix.removesuffix(".gz")
    rdf_format = RdfFormat.from_extension(extension)
    assert rdf_format is not None
    graph = None if rdf_format.supports_datasets else DefaultGraph()
    content = store.dump(format=rdf_format, from_graph=graph)
    assert content is not None
    path = tmp_path / f"same.{suffix}"
    path.write_bytes(gzip.compress(content) if suffix.endswith(".gz") else content)
    assert labels(open_graph(str(path))) == labels(open_graph(str(turtle)))


def test_jsonld(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonld"
    path.write_text(
        '{"@id": "http://example.org/kiss",'
        ' "http://www.w3.org/2000/01/rdf-schema#label": {"@value": "The Kiss", "@language": "en"}}'
    )
    assert labels(open_graph(str(path))) == {"kiss": "The Kiss"}


def test_a_store_directory(turtle: Path, tmp_path: Path) -> None:
    directory = tmp_path / "store"
    store = Store(str(directory))
    store.load(turtle.read_bytes(), RdfFormat.TURTLE)
    store.flush()
    del store
    graph = open_graph(str(directory))
    assert labels(graph) == labels(open_graph(str(turtle)))
    assert len(graph.document(graph.entity("klimt"))) == 2


def test_named_graphs_repeat_no_triple(tmp_path: Path) -> None:
    path = tmp_path / "twice.nq"
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    lines = [f'<http://x/{name}> {label} "{name}" .' for name in "ab"]
    lines += [f"<http://x/a> <http://x/p> <http://x/b> <http://x/g{n}> ." for n in (1, 2)]
    path.write_text("\n".join(lines))
    graph = open_graph(str(path))
    assert len(graph.document(graph.entity("a"))) == 1
    assert Ranker(graph).statistics.statements == 1


def test_a_store_directory_with_named_graphs(tmp_path: Path) -> None:
    directory = tmp_path / "store"
    store = Store(str(directory))
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    lines = [f'<http://x/{name}> {label} "{name}" <http://x/g1> .' for name in "ab"]
    lines += [f"<http://x/a> <http://x/p> <http://x/b> <http://x/g{n}> ." for n in (1, 2)]
    store.load("\n".join(lines).encode(), RdfFormat.N_QUADS)
    store.flush()
    del store
    graph = open_graph(str(directory))
    (edge,) = graph.document(graph.entity("b"))
    assert (edge.predicate.id, edge.neighbour.id, edge.outgoing) == ("p", "a", False)
    assert Ranker(graph).statistics.statements == 1


def test_a_self_loop_is_one_edge(make_graph: MakeGraph) -> None:
    graph = make_graph([("Q1", "P17", "Q1")])
    (edge,) = graph.document(graph.entity("Q1"))
    assert (edge.neighbour.id, edge.outgoing) == ("Q1", True)


def test_lines_of_a_literal_that_looks_like_a_label_are_no_labels() -> None:
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    lines = [
        f'<http://x/a> {label} "A > {label} B"@en .',
        f'<http://x/b> <http://x/p> "x> {label} \\"C\\"@en" .',
        f"<http://x/c> {label} <http://x/d> .",
        f'<http://x/e> {label} "E"@de .',
    ]
    content = "\n".join(lines).encode()
    store = Store()
    store.load(content, RdfFormat.N_TRIPLES)
    assert descriptions_in_lines(content) == descriptions_in(store)
    assert descriptions_in_lines(content).labels == {"http://x/a": f"A > {label} B"}


def test_the_shipped_graph_is_described_alike_by_lines_and_store(root: Path) -> None:
    content = gzip.decompress((root / "kg/artworks.nt.gz").read_bytes())
    store = Store()
    store.bulk_load(content, RdfFormat.N_TRIPLES)
    assert descriptions_in_lines(content) == descriptions_in(store)


def test_properties_are_never_entities(tmp_path: Path) -> None:
    path = tmp_path / "properties.nt"
    wikidata = "http://www.wikidata.org/"
    named = [f"{wikidata}entity/P1", f"{wikidata}prop/direct/P2", "http://x/used", "http://x/a"]
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    lines = [f'<{iri}> {label} "L"@en .' for iri in named]
    item = f"{wikidata}entity/Q5"
    lines += [f'<{item}> {label} "Used"@en .', f"<http://x/a> <{item}> <http://x/a> ."]
    lines.append("<http://x/a> <http://x/used> <http://x/a> .")
    path.write_text("\n".join(lines))
    assert labels(open_graph(str(path))) == {"a": "L"}


LITERALS = """
@prefix wdt: <http://www.wikidata.org/prop/direct/> .
@prefix p: <http://www.wikidata.org/prop/> .
@prefix ex: <http://example.org/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix schema: <http://schema.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
ex:work rdfs:label "Work" ; %s .
ex:other rdfs:label "Other" .
"""


def work_with(statements: str, folder: Path) -> tuple[Graph, Entity]:
    path = folder / "work.ttl"
    path.write_text(LITERALS % statements, encoding="utf-8")
    graph = open_graph(str(path))
    return graph, graph.entity("work")


@pytest.mark.parametrize(
    ("literals", "years"),
    [
        ('"1503"^^xsd:gYear', (1503,)),
        ('"-0044"^^xsd:gYear, "0079"^^xsd:gYear', (-44, 79)),
        ('"1503Z"^^xsd:gYear, "1504-05:00"^^xsd:gYear', (1503, 1504)),
        ('"1889-06"^^xsd:gYearMonth', (1889,)),
        ('"1889-06-01"^^xsd:date, "-0500-01-01+02:00"^^xsd:date', (-500, 1889)),
        ('"1889-06-01T00:00:00Z"^^xsd:dateTime', (1889,)),
        ('"-0500-01-01T00:00:00.5+14:00"^^xsd:dateTime', (-500,)),
        ('"1889", 1890, " 1891 "@en, "+1892-00-00T00:00:00Z"', (1889, 1890, 1891, 1892)),
        ('"1890"^^xsd:gYear, "1889"^^xsd:gYear, "1889-06-01"^^xsd:date', (1889, 1890)),
        ('"15th century", "about 1500", "", "1889.5", ex:1889, []', ()),
        (f'"{"9" * 5000}", "1" , "二"', (1,)),
    ],
)
def test_years(literals: str, years: tuple[int, ...], tmp_path: Path) -> None:
    graph, work = work_with(f"wdt:P571 {literals}", tmp_path)
    assert graph.years(work) == years


def test_years_by_another_vocabulary(tmp_path: Path) -> None:
    graph, work = work_with('ex:P571 "1889" ; p:P571 ex:statement ; ex:P5710 "1900"', tmp_path)
    assert graph.years(work) == (1889,)


@pytest.mark.parametrize(
    ("statements", "image"),
    [
        ("wdt:P18 <http://pictures/a.jpg>", "http://pictures/a.jpg"),
        ('wdt:P18 "A picture.jpg"', "A picture.jpg"),
        ("wdt:P18 <http://b>, <http://a>", "http://a"),
        ("ex:P18 <http://a> ; p:P18 <http://b> ; wdt:P18 <http://c>", "http://c"),
        ("ex:P18 <http://a>", "http://a"),
        ("schema:image <http://s> ; wdt:P18 <http://c>", "http://c"),
        ("schema:image <http://s> ; foaf:depiction <http://f>", "http://s"),
        ('foaf:depiction <http://f> ; wdt:P18 "", []', "http://f"),
        ("<https://schema.org/image> <http://s>", "http://s"),
        ("wdt:P180 <http://c>", None),
    ],
)
def test_image(statements: str, image: str | None, tmp_path: Path) -> None:
    graph, work = work_with(statements, tmp_path)
    assert graph.image(work) == image
    assert graph.image(graph.entity("other")) is None


def test_literals_and_images_are_shown_but_are_no_terms(tmp_path: Path) -> None:
    graph, work = work_with('wdt:P571 "1889"^^xsd:gYear ; wdt:P18 <http://a>', tmp_path)
    assert graph.document(work) == []
    assert len(graph) == 2


def test_objects_of_a_property(tmp_path: Path) -> None:
    statements = 'wdt:P170 ex:other, ex:unlabelled, "http://example.org/other" ; ex:P276 ex:other'
    graph, work = work_with(f"{statements} ; wdt:P1 ex:work", tmp_path)
    other = graph.entity("other")
    assert graph.objects(work, "P170") == [other]
    assert graph.objects(work, "P276") == [other]
    assert graph.objects(work, "P1") == [work]
    assert graph.objects(work, "P2") == graph.objects(other, "P170") == []


def test_years_and_images_of_the_shipped_graph(shipped: Retriever) -> None:
    """The counts that kg/README.md gives."""
    graph = shipped.graph
    years = [graph.years(entity) for entity in graph.entities]
    assert Counter(map(len, years)) == {0: len(graph) - 11_657, 1: 11_657 - 488, 2: 488}
    assert sum(graph.image(entity) is not None for entity in graph.entities) == 8360


def test_kinds(make_graph: MakeGraph) -> None:
    graph = make_graph([], {"Q1": "One", "Q2": "Two"}, {"Q1": "Artwork"})
    assert [graph.entity(id).kind for id in ("Q1", "Q2")] == ["Artwork", ""]


def test_unknown_and_clashing_ids(turtle: Path) -> None:
    graph = open_graph(str(turtle))
    with pytest.raises(UnknownEntityError, match="has no entity Q1"):
        graph.entity("Q1")
    with pytest.raises(UnknownEntityError, match="several entities"):
        graph.entity("kiss")
    assert graph.entity("http://example.org/kiss").label == "The Kiss"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("empty.nt", b"", "names no entity"),
        ("empty.nt.gz", b"", "names no entity"),
        ("broken.nt", b'<http://x/a> <http://x/p> "unfinished', "not valid"),
        ("broken.ttl", b"@prefix ex: <http://x/> . ex:a ex:b", "not valid"),
        ("iri.nt", b"<http://x/a b> <http://x/p> <http://x/c> .", "not valid"),
        ("binary.nt", bytes(range(256)), "not valid"),
        ("noise.nt.gz", b"this is not gzip", "cut off or damaged"),
        (
            "cut.nt.gz",
            gzip.compress(b"<http://x/a> <http://x/p> <http://x/c> .\n" * 99, mtime=0)[:40],
            "cut",
        ),
        ("table.csv", b"a,b", "no RDF format"),
        ("unlabelled.nt", b"<http://x/a> <http://x/p> <http://x/c> .", "names no entity"),
    ],
)
def test_bad_files(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(GraphError, match=message) as error:
        open_graph(str(path))
    assert name in str(error.value)


def test_the_line_of_a_syntax_error_is_told(tmp_path: Path) -> None:
    path = tmp_path / "line.nt"
    good = '<http://x/a> <http://www.w3.org/2000/01/rdf-schema#label> "A"@en .\n'
    path.write_text(good * 4 + "nonsense\n" + good)
    with pytest.raises(GraphError, match="line 5"):
        open_graph(str(path))


def test_a_file_without_its_ending_is_no_shipped_graph(tmp_path: Path) -> None:
    (tmp_path / "half.nt.gz").write_bytes(gzip.compress(b"no triples"))
    with pytest.raises(GraphError, match="no graph"):
        open_graph(str(tmp_path / "half"))


def test_missing_graphs(tmp_path: Path) -> None:
    with pytest.raises(GraphError, match=r"no graph nothing\.nt: give a file, or one of: artworks"):
        open_graph("nothing.nt")
    with pytest.raises(GraphError, match="not an Oxigraph store"):
        open_graph(str(tmp_path))


@pytest.mark.parametrize(
    ("iri", "segment"),
    [
        ("http://x/a/Q1", "Q1"),
        ("http://x/a#b", "b"),
        ("urn:isbn:1", "urn:isbn:1"),
        ("http://x/", "http://x/"),
    ],
)
def test_last_segment(iri: str, segment: str) -> None:
    assert last_segment(iri) == segment


def test_id_order_is_by_number() -> None:
    iris = ["http://x/zebra", "http://x/Q101", "http://x/Q12", "http://x/P3", "http://x/ant"]
    assert sorted(iris, key=id_order) == [
        "http://x/P3",
        "http://x/Q12",
        "http://x/Q101",
        "http://x/ant",
        "http://x/zebra",
    ]


def test_a_label_is_in_one_line_and_no_longer_than_a_name(make_graph: MakeGraph) -> None:
    labels = {
        "Q1": "Vase \n\n[Vase, creator]\u2028\r",
        "Q2": "W" * 100_000,
        "Q3": "W" * LONGEST_LABEL,
    }
    graph = make_graph([], labels)
    assert graph.entity("Q1").label == "Vase [Vase, creator]"
    assert graph.entity("Q2").label == "W" * (LONGEST_LABEL - 1) + "…"
    assert graph.entity("Q3").label == labels["Q3"]


@pytest.mark.parametrize("iri", ["http://a.test/..", "http://a.test/.", "http://a.test#..."])
def test_dots_are_no_id(iri: str) -> None:
    """In an address they are another folder."""
    assert last_segment(iri) == iri
