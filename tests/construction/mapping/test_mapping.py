"""What a mapping may say, and what is said of one that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from expartkg.construction.mapping.mapping import Column, Edge, Mapping, read_mapping
from expartkg.errors import SourceError

WHOLE = """
wikidata = ["ex"]
leave_out = ["ex:Thing"]
[prefixes]
ex = "http://x/"
[labels]
properties = ["skos:prefLabel", "http://y/name"]
languages = ["ja", ""]
[kinds]
"ex:Painting" = "Artwork"
[edges]
"ex:by" = { id = "P170", label = "creator" }
"urn:near" = { label = "near" }
[literals]
images = ["ex:picture"]
dates = ["ex:year"]
[table]
id = "No"
iri = "http://x/{}"
label = "Title"
[table.edges]
Artist = { label = "creator", id = "P170", kind = "Artist", separator = ";" }
"""


def read(folder: Path, content: str) -> Mapping:
    path = folder / "map.toml"
    path.write_text(content, encoding="utf-8")
    return read_mapping(path)


def test_a_mapping_is_read_with_full_iris(tmp_path: Path) -> None:
    mapping = read(tmp_path, WHOLE)
    assert mapping.wikidata == ("http://x/",)
    assert mapping.leave_out == ("http://x/Thing",)
    assert mapping.labels.properties == (
        "http://www.w3.org/2004/02/skos/core#prefLabel",
        "http://y/name",
    )
    assert mapping.labels.languages == ("ja", "")
    assert mapping.kinds == {"http://x/Painting": "Artwork"}
    assert mapping.edges == {"http://x/by": Edge("creator", "P170"), "urn:near": Edge("near")}
    assert (mapping.literals.images, mapping.literals.dates) == (
        ("http://x/picture",),
        ("http://x/year",),
    )
    assert mapping.table
    assert (mapping.table.id, mapping.table.kind, mapping.table.encoding) == (
        "No",
        "Artwork",
        "utf-8",
    )
    assert mapping.table.edges == {"Artist": Column("creator", "P170", "Artist", ";")}


def test_an_empty_mapping_has_the_usual_labels(tmp_path: Path) -> None:
    labels = read(tmp_path, "").labels
    assert labels.properties == ("http://www.w3.org/2000/01/rdf-schema#label",)
    assert labels.languages == ("en", "")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[", "no valid TOML"),
        ("colour = 1", "the file has no colour; there are: wikidata"),
        ("wikidata = ['x']", "the prefix 'x' is not among"),
        ("wikidata = 'x'", "has to be a list of texts"),
        ("leave_out = ['Thing']", "neither prefix:name nor an IRI"),
        ("labels = 1", "labels has to be a table"),
        ("[labels]\nlanguage = 'en'", "labels has no language"),
        ("[kinds]\n'wd:Q1' = 'a b'", "a kind is one word"),
        ("[kinds]\n'wd:Q1' = 1", "table of texts"),
        ("[edges]\n'wd:Q1' = 'creator'", "edges.wd:Q1 has to be a table"),
        ("[edges]\n'wd:Q1' = {id = 'P1'}", "needs label"),
        ("[edges]\n'wd:Q1' = {id = 'Q1', label = 'x'}", "such as P170"),
        ("[edges]\n'wd:Q1' = {label = 1}", "label has to be a text"),
        ("edges = 1", "has to be a table"),
        ("[table]\nid = 'No'", "table needs label"),
        ("[table]\nid = 'No'\nlabel = 'T'\niri = 'http://x/'", "needs {} where"),
        ("[table]\nid = 'No'\nlabel = 'T'\niri = '{}'\nkind = ''", "a kind is one word"),
    ],
)
def test_what_is_wrong_is_told_in_one_sentence(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(SourceError, match=message) as error:
        read(tmp_path, content)
    assert "map.toml" in str(error.value)


def test_a_missing_mapping(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot be read"):
        read_mapping(tmp_path / "none.toml")


@pytest.mark.parametrize("name", ["artworld", "museum"])
def test_the_shipped_mappings_are_valid(root: Path, name: str) -> None:
    read_mapping(root / f"kg/maps/{name}.toml")
