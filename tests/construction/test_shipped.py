"""What is promised of kg/artworks.nt.gz, checked on the file itself through Oxigraph."""

from __future__ import annotations

import gzip
import hashlib
import os
import unicodedata
from collections import Counter
from pathlib import Path

import pytest
from pyoxigraph import Literal, NamedNode

from expartkg.construction import build_artworks
from tests.construction.shipped_graph import (
    IMAGE,
    INCEPTION,
    LABEL,
    TYPE,
    Graph,
    short,
    text,
)

GENERAL = [
    "Oil paint",
    "Canvas",
    "Sky",
    "Horse",
    "Dress",
    "Woman",
    "Man",
    "Portrait",
    "Landscape painting",
    "Tree",
    "Dog",
    "Cloud",
    "Beard",
    "Hat",
    "Nude",
    "Infant",
    "Still life",
    "River",
    "Table",
    "Book",
    "Mountain",
    "Sword",
    "Window",
    "Mirror",
    "Wood",
    "Paper",
    "Marble",
    "Fresco",
    "Tempera",
    "Self-portrait",
    "Angel",
    "Boat",
    "Flag",
    "Crowd",
    "Garden",
    "Fruit",
    "Sheep",
    "Bread",
    "Candle",
    "Necklace",
    "Shield",
    "King",
    "Bridge",
    "Sea",
    "Moustache",
    "Standing",
    "Kneeling",
    "Love",
    "Death",
    "Night",
    "Chair",
    "Putto",
]
NAMED = [
    "Jesus Christ",
    "Virgin Mary|Mary",
    "Venus",
    "Paris",
    "Eiffel Tower",
    "Seine",
    "Zeus",
    "Renaissance",
    "Cubism",
    "Mercury",
    "Homer",
    "Annunciation",
    "Bible",
    "Napoleon",
    "Saint George",
    "Battle of Issus",
    "Impressionism",
    "Echo",
    "Psyche",
]


@pytest.fixture(scope="module")
def graph() -> Graph:
    return Graph("artworks")


def test_lines_are_sorted_and_unique(graph: Graph) -> None:
    lines = graph.text.splitlines()
    assert lines == sorted(set(lines))
    assert graph.text.endswith(b" .\n")


def test_the_manifest_names_this_file(graph: Graph) -> None:
    assert graph.manifest["sha256"] == hashlib.sha256(graph.packed).hexdigest()


def test_the_manifest_counts_what_is_there(graph: Graph) -> None:
    predicates = Counter(predicate for _, predicate, _ in graph.edges)
    found = {
        "entities": len(graph.kinds),
        "statements": len(graph.edges),
        "properties": len(predicates),
        "kinds": dict(Counter(graph.kinds.values())),
        "artworks": Counter(graph.kinds.values())["Artwork"],
        "labels": sum(name.startswith("Q") for name in graph.labels),
        "images": len({t.subject for t in graph.triples if t.predicate == IMAGE}),
        "inceptions": len({t.subject for t in graph.triples if t.predicate == INCEPTION}),
        "inception_values": sum(t.predicate == INCEPTION for t in graph.triples),
    }
    assert {key: graph.manifest[key] for key in found} == found
    assert {p: e["statements"] for p, e in graph.manifest["predicates"].items()} == predicates


def test_it_is_large_enough(graph: Graph) -> None:
    assert graph.manifest["artworks"] >= 12_000
    assert graph.manifest["statements"] >= 80_000


def test_every_item_has_one_english_label_and_one_kind(graph: Graph) -> None:
    for predicate in (LABEL, TYPE):
        items = Counter(
            t.subject
            for t in graph.triples
            if t.predicate == predicate and short(t.subject).startswith("Q")
        )
        assert set(items.values()) == {1}
        assert {short(item) for item in items} == set(graph.kinds)
    literals = [t.object for t in graph.triples if t.predicate == LABEL]
    assert all(isinstance(o, Literal) and o.language == "en" and o.value for o in literals)


def test_every_edge_joins_two_different_items_by_a_named_property(graph: Graph) -> None:
    for subject, predicate, obj in graph.edges:
        assert subject in graph.kinds
        assert obj in graph.kinds
        assert subject != obj
        assert predicate in graph.labels


def test_nothing_but_an_artwork_stands_alone(graph: Graph) -> None:
    joined = {end for subject, _, obj in graph.edges for end in (subject, obj)}
    assert {graph.kinds[item] for item in graph.kinds if item not in joined} <= {"Artwork"}


def test_literals_are_labels_and_years_and_images_are_addresses(graph: Graph) -> None:
    year = NamedNode("http://www.w3.org/2001/XMLSchema#gYear")
    for triple in graph.triples:
        if isinstance(triple.object, Literal) and triple.predicate != LABEL:
            assert triple.predicate == INCEPTION
            assert triple.object.datatype == year
            assert 2 <= int(triple.object.value) <= 2026
        if triple.predicate == IMAGE:
            assert text(triple.object).startswith(
                "http://commons.wikimedia.org/wiki/Special:FilePath/"
            )
    assert all(count <= 2 for count in _values(graph, INCEPTION).values())
    assert all(count == 1 for count in _values(graph, IMAGE).values())


def _values(graph: Graph, predicate: NamedNode) -> Counter[str]:
    return Counter(short(t.subject) for t in graph.triples if t.predicate == predicate)


def test_labels_are_in_latin_script_and_clean(graph: Graph) -> None:
    strange = [
        label
        for label in graph.labels.values()
        if any(c.isalpha() and "LATIN" not in unicodedata.name(c) for c in label)
        or label != " ".join(label.split())
        or not label.isprintable()
        or not any(c.isalpha() for c in label)
        or label.lower() in {"none", "no label", "label"}
        or "''" in label
        or "&amp;" in label
    ]
    assert strange == []


@pytest.mark.parametrize("label", GENERAL)
def test_general_concepts_are_concepts(graph: Graph, label: str) -> None:
    """Artworks apart: somebody painted a picture called "Horse"."""
    kinds = {graph.kinds[q] for q, text in graph.labels.items() if text == label}
    assert kinds - {"Artwork"} == {"Concept"}


@pytest.mark.parametrize("labels", NAMED)
def test_named_things_are_not_concepts(graph: Graph, labels: str) -> None:
    kinds = {graph.kinds[q] for q, text in graph.labels.items() if text in labels.split("|")}
    assert kinds
    assert "Concept" not in kinds


def test_no_statement_is_of_a_noise_property(graph: Graph) -> None:
    used = {predicate for _, predicate, _ in graph.edges}
    assert not used & set(graph.manifest["settings"]["dropped_properties"])


def test_mona_lisa(graph: Graph) -> None:
    facts = {(predicate, obj) for subject, predicate, obj in graph.edges if subject == "Q12418"}
    assert {
        ("P170", "Q762"),  # Leonardo da Vinci
        ("P195", "Q3044768"),  # Department of Paintings of the Louvre
        ("P186", "Q296955"),  # oil paint
        ("P136", "Q134307"),  # portrait
    } <= facts
    assert graph.kinds["Q12418"] == "Artwork"


def test_the_painters_that_came_in_arabic_script_have_their_names(graph: Graph) -> None:
    expected = {
        "Q41554": "Nicolas Poussin",
        "Q239394": "Édouard Vuillard",
        "Q310973": "Lorenzo Lotto",
        "Q317920": "Simon Vouet",
        "Q559559": "Fernand Khnopff",
    }
    assert {qid: graph.labels[qid] for qid in expected} == expected


@pytest.mark.data
def test_the_file_can_be_rebuilt(graph: Graph, tmp_path: Path) -> None:
    """Compared unpacked, since another zlib may pack the same text otherwise."""
    if "EXPARTKG_DATA" not in os.environ:
        pytest.skip("EXPARTKG_DATA does not name the data folder that the graph is built from")
    manifest = build_artworks(Path(os.environ["EXPARTKG_DATA"]), tmp_path)
    assert gzip.decompress((tmp_path / "graph.nt.gz").read_bytes()) == graph.text
    assert {**manifest, "sha256": ""} == {**graph.manifest, "sha256": ""}
