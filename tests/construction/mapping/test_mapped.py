"""Foreign RDF and tables, through a mapping, as the graph that the guide opens."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from expartkg.cli import main
from expartkg.construction.mapping import mapped_statements, read_mapping
from expartkg.errors import GraphError, SourceError
from expartkg.retrieval.loading import load_store
from expartkg.retrieval.opening import open_graph
from expartkg.retrieval.reading import stop_at_bad_line
from expartkg.retrieval.store import Graph

MAP = """
wikidata = ["art", "person"]
leave_out = ["art:sketch"]
[prefixes]
art = "http://a/art#"
person = "http://a/person#"
[labels]
languages = ["en", "fr"]
[kinds]
"art:painting" = "Artwork"
"art:thing" = "Subject"
[edges]
"art:by" = { id = "P170", label = "creator" }
"art:near" = { label = "hangs near" }
[literals]
images = ["art:picture"]
dates = ["art:year"]
"""
TURTLE = """
@prefix art: <http://a/art#> .
@prefix person: <http://a/person#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
art:Q1 a art:thing, art:painting ; rdfs:label "The Red Boat"@en, "Le Bateau rouge"@fr ;
    art:by person:Q2 ; art:near art:other ; art:year 1872 ; art:picture <http://a/1.jpg> ;
    art:price 5 .
art:other a art:painting ; rdfs:label "L'Autre"@fr, "Das Andere"@de ; art:near art:Q4, art:Q1 .
person:Q2 rdfs:label "Ada"@en .
art:Q3 rdfs:label "Nur deutsch"@de .
art:Q4 a art:sketch ; rdfs:label "Sketch"@en ; art:by person:Q2 .
"""

Make = Callable[..., Graph]


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def bad() -> list[tuple[str, int, str]]:
    return []


@pytest.fixture
def make(tmp_path: Path, told: list[str], bad: list[tuple[str, int, str]]) -> Make:
    """Loads one file through a mapping, skipping what is bad, and opens the store."""

    def graph(name: str, content: str | bytes, mapping: str) -> Graph:
        path, map_path = tmp_path / name, tmp_path / "map.toml"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        map_path.write_text(mapping, encoding="utf-8")
        statements = mapped_statements(
            [path],
            read_mapping(map_path),
            lambda where, line, reason: bad.append((where.name, line, reason)),
            told.append,
        )
        load_store(statements, tmp_path / "store", lambda: "")
        return open_graph(str(tmp_path / "store"))

    return graph


def edges(graph: Graph, id: str) -> set[tuple[str, str, str, bool]]:
    return {
        (edge.predicate.id, edge.predicate.label, edge.neighbour.label, edge.outgoing)
        for edge in graph.document(graph.entity(id))
    }


def test_foreign_rdf_becomes_a_graph_of_the_guide(make: Make, told: list[str]) -> None:
    graph = make("art.ttl", TURTLE, MAP)
    described = {(entity.id, entity.label, entity.kind) for entity in graph.entities}
    assert described == {
        ("Q1", "The Red Boat", "Artwork"),
        ("other", "L'Autre", "Artwork"),
        ("Q2", "Ada", ""),
    }
    work = graph.entity("http://www.wikidata.org/entity/Q1")
    assert edges(graph, "Q1") == {
        ("P170", "creator", "Ada", True),
        ("near", "hangs near", "L'Autre", True),
        ("near", "hangs near", "L'Autre", False),
    }
    assert graph.years(work) == (1872,)
    assert graph.image(work) == "http://a/1.jpg"
    assert told == ["The mapping makes nothing of these statements: http://a/art#price (1)."]


TABLE = """
[table]
id = "No"
iri = "https://museum.example/{}"
wikidata = "Q"
label = "Title"
date = "Year"
image = "Picture"
[table.edges]
Artist = { id = "P170", label = "creator", kind = "Artist", separator = ";" }
Wall = { label = "hangs on", iri = "https://museum.example/wall/{}" }
"""
HEADER = "No,Title,Artist,Year,Q,Picture,Wall\n"


def test_a_table_becomes_a_graph(make: Make, bad: list[tuple[str, int, str]]) -> None:
    rows = '7/a,"Fields, after\nRain",Ada; Ben,1881,,http://a/7.jpg,\nx,Sea,Ben,,Q5,,east\n'
    graph = make("works.csv", "\ufeff" + HEADER + rows, TABLE)
    assert bad == []
    work = graph.entity("https://museum.example/7%2Fa")
    assert (work.label, work.kind) == ("Fields, after Rain", "Artwork")
    assert edges(graph, work.iri) == {
        ("P170", "creator", "Ada", True),
        ("P170", "creator", "Ben", True),
    }
    assert (graph.years(work), graph.image(work)) == ((1881,), "http://a/7.jpg")
    sea = graph.entity("Q5")
    assert ("urn:expartkg:property:Wall", "hangs on", "east", True) in edges(graph, sea.id)
    assert graph.entity("https://museum.example/wall/east").kind == ""
    assert {entity.label for entity in graph.entities if entity.kind == "Artist"} == {"Ada", "Ben"}


def test_bad_rows_are_told_of_by_line(make: Make, bad: list[tuple[str, int, str]]) -> None:
    rows = [b"1,Sea,,,,,", b"2,,,,,,", b",Tide,,,,,", b"3,Sky", b"4,a,b,c,d,e,f,g",
            b"5,Caf\xe9,,,,,", b'6,"x"y,,,,,', b"7,Last,,,,,"]  # fmt: skip
    graph = make("works.csv", HEADER.encode() + b"\n".join(rows), TABLE)
    assert {entity.label for entity in graph.entities} == {"Sea", "Last"}
    assert [(name, line) for name, line, _ in bad] == [("works.csv", n) for n in range(3, 9)]
    reasons = [reason for _, _, reason in bad]
    assert reasons[0] == "Title is empty"
    assert reasons[1] == "No is empty"
    assert "more or fewer cells" in reasons[2]
    assert "more or fewer cells" in reasons[3]
    assert "not utf-8" in reasons[4]


def test_tables_of_other_encodings_and_delimiters(make: Make) -> None:
    mapping = TABLE.replace("[table]\n", '[table]\nencoding = "latin-1"\ndelimiter = "|"\n')
    rows = HEADER + "1,Café,,,,,\n"
    graph = make("works.csv", rows.replace(",", "|").encode("latin-1"), mapping)
    assert [entity.label for entity in graph.entities] == ["Café"]
    graph = make("works.tsv", (HEADER + "1,Sea,,,,,\n").replace(",", "\t"), TABLE)
    assert [entity.label for entity in graph.entities] == ["Sea"]


@pytest.mark.parametrize(
    ("name", "content", "mapping", "message"),
    [
        ("a.csv", HEADER, MAP, r"needs a \[table\]"),
        ("a.csv", "No,Title\n1,x\n", TABLE, "no column 'Artist'; it has: No, Title"),
        ("a.csv", "", TABLE, "it has: none"),
        ("a.csv", HEADER, TABLE.replace("[table]\n", "[table]\nencoding = 'klingon'\n"), "klingon"),
        ("a.csv", HEADER, TABLE.replace("[table]\n", "[table]\ndelimiter = ',,'\n"), "delimiter"),
        ("a.csv", '"No"x,Title\n1,x\n', TABLE, "expected after"),
        ("a.csv", HEADER + "1,Sea,,,,,\n", TABLE.replace("https://", ""), "No scheme"),
    ],
)
def test_a_table_that_does_not_fit_its_mapping(
    make: Make, name: str, content: str, mapping: str, message: str
) -> None:
    with pytest.raises(SourceError, match=message):
        make(name, content, mapping)


def test_a_bad_row_can_stop_the_load(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(HEADER + "1,,,,,,\n")
    (tmp_path / "map.toml").write_text(TABLE)
    mapping = read_mapping(tmp_path / "map.toml")
    with pytest.raises(GraphError, match=r"a\.csv line 2: Title is empty"):
        list(mapped_statements([tmp_path / "a.csv"], mapping, stop_at_bad_line, print))


def test_the_example_table_can_be_asked(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = str(tmp_path / "store")
    maps = root / "kg/maps"
    command = ["kg", "load", str(maps / "museum.csv"), "--map", str(maps / "museum.toml")]
    assert main([*command, "--store", store, "--json"]) == 0
    counts = json.loads(capsys.readouterr().out)
    assert (counts["entities"], counts["statements"]) == (18, 20)
    assert main(["retrieve", "The Night Ferry", "--kg", store, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)["facts"]
    assert ["The Night Ferry", "shown in", "Long Gallery"] in [fact["labels"] for fact in facts]


@pytest.mark.data
def test_artworld_is_loaded_by_the_shipped_mapping_and_knows_renoir(
    root: Path, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = str(tmp_path / "artworld")
    source, mapping = data / "external/artworld.ttl", root / "kg/maps/artworld.toml"
    assert main(["kg", "load", str(source), "--map", str(mapping), "--store", store]) == 0
    capsys.readouterr()
    graph = open_graph(store)
    assert sum(entity.kind == "Artwork" for entity in graph.entities) == 3858
    work = graph.entity("Q28129861")
    assert graph.years(work) == (1896,)
    assert (graph.image(work) or "").startswith("http://commons.wikimedia.org/")
    title = "The Artist's Family (La Famille de l'artiste)"
    assert main(["explain", "--kg", store, "--title", title, "--json"]) == 0
    run = json.loads(capsys.readouterr().out)
    assert run["artwork"]["id"] == "Q28129861"
    facts = run["iterations"][0]["facts"]
    assert [title, "creator", "Pierre-Auguste Renoir"] in [fact["labels"] for fact in facts]
