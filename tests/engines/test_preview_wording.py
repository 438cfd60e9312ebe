from __future__ import annotations

import pytest

from expartkg.engines.preview import wording
from expartkg.engines.preview.phrases import PHRASES, phrase_for, property_id
from expartkg.engines.preview.prose import flowing
from expartkg.records import Entity, Property


def concept(label: str) -> Entity:
    return Entity(label, label, "Concept")


@pytest.mark.parametrize(
    ("items", "most", "text"),
    [
        ([], 6, ""),
        (["a"], 6, "a"),
        (["a", "b"], 6, "a and b"),
        (["a", "b", "c"], 6, "a, b and c"),
        (["a", "b", "c"], 2, "a and b, among others"),
        (list("abcdefghi"), 8, "a, b, c, d, e, f, g and h, among others"),
    ],
)
def test_lists(items: list[str], most: int, text: str) -> None:
    assert wording.listed(items, most) == text


def test_a_list_after_include_is_cut_silently() -> None:
    assert wording.listed(["a", "b", "c"], 2, open=False) == "a and b"


@pytest.mark.parametrize(
    ("noun", "text"),
    [
        ("oil lamp", "an oil lamp"),
        ("man", "a man"),
        ("hourglass", "an hourglass"),
        ("unicorn", "a unicorn"),
        ("umbrella", "an umbrella"),
        ("eunuch", "a eunuch"),
        ("X-ray tube", "an X-ray tube"),
        ("hat", "a hat"),
    ],
)
def test_articles_follow_the_sound(noun: str, text: str) -> None:
    assert wording.with_article(noun) == text


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("Man", "a man"),
        ("Sky", "the sky"),
        ("Oil paint", "an oil paint"),
        ("Red hair", "red hair"),
        ("Trousers", "trousers"),
        ("Dress", "a dress"),
        ("Kiss", "a kiss"),
        ("Walrus moustache", "a walrus moustache"),
        ("Fragaria vesca", "Fragaria vesca"),
        ("Phrygian cap", "a Phrygian cap"),
        ("Building", "a building"),
        ("Sitting", "sitting"),
    ],
)
def test_what_a_picture_shows(label: str, text: str) -> None:
    assert wording.shown(concept(label)) == text


@pytest.mark.parametrize("label", ["Sitting", "Sleep", "Old age", "Crucifixion", "Genre art"])
def test_actions_and_ideas_are_motifs(label: str) -> None:
    assert wording.is_motif(concept(label))


@pytest.mark.parametrize("label", ["Building", "Wedding ring", "Earring", "Man", "Old man"])
def test_things_are_not(label: str) -> None:
    assert not wording.is_motif(concept(label))


def test_names_of_subjects_are_never_motifs() -> None:
    assert not wording.is_motif(Entity("Q1", "Crucifixion", "Subject"))


@pytest.mark.parametrize(
    ("label", "kind", "text"),
    [
        ("Rijksmuseum", "Museum", "the Rijksmuseum"),
        ("The Frick Collection", "Museum", "The Frick Collection"),
        ("Tate", "Museum", "Tate"),
        ("Keble College", "Museum", "Keble College"),
        ("White House", "Museum", "the White House"),
        ("Netherlands", "Place", "the Netherlands"),
        ("Paris", "Place", "Paris"),
        ("The Hague", "Place", "The Hague"),
        ("Baroque", "Movement", "the Baroque"),
        ("Impressionism", "Movement", "Impressionism"),
        ("Virgin Mary", "Subject", "the Virgin Mary"),
        ("Rembrandt", "Artist", "Rembrandt"),
        ("Louvre Museum", "", "the Louvre Museum"),
        ("The Kiss", "Artwork", "“The Kiss”"),
        ("drawer", "Concept", "drawer"),
    ],
)
def test_names(label: str, kind: str, text: str) -> None:
    assert wording.named(Entity(label, label, kind)) == text


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        (["Oil paint", "Canvas"], "in oil paint on canvas"),
        (["Canvas"], "on canvas"),
        (["Tempera", "Gold", "Panel"], "in tempera and gold on panel"),
        (["Marble"], "in marble"),
        (["Panel", "Oak panel"], "on oak panel"),
    ],
)
def test_materials(labels: list[str], text: str) -> None:
    assert wording.material([concept(label) for label in labels]) == text


@pytest.mark.parametrize(
    ("label", "painted"),
    [
        ("Oil paint", True),
        ("Canvas", True),
        ("Fresco", True),
        ("Poplar panel", True),
        ("Landscape painting", True),
        ("Marble", False),
        ("Paper", False),
        ("Portrait", False),
    ],
)
def test_a_painting_is_called_so_only_if_it_is_made_like_one(label: str, painted: bool) -> None:
    assert wording.is_painted([concept(label)]) is painted


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("Portrait", "a portrait"),
        ("Allegory", "an allegory"),
        ("Religious art", "a work of religious art"),
        ("Landscape painting", "a landscape painting"),
    ],
)
def test_genres(label: str, text: str) -> None:
    assert wording.genre(concept(label)) == text


def test_sentences_use_a_pronoun_after_the_first() -> None:
    clauses = ["{S} was born in Delft", "{P} awards include A", "Works by {s} include B"]
    assert list(flowing(clauses, "Vermeer", "Artist")) == [
        "Vermeer was born in Delft.",
        "The artist's awards include A.",
        "Works by the artist include B.",
    ]


def test_nobody_is_he_or_she() -> None:
    clauses = ["{S} lived in A and B", "{P} awards include C"]
    assert list(flowing(clauses, "Oscar Wilde", "Person"))[1] == "Oscar Wilde's awards include C."


def test_clauses_are_joined_up_to_three() -> None:
    clauses = ["{S} is a", "{S} is b", "{S} is c", "{S} is d"]
    assert list(flowing(clauses, "X", "Place")) == ["X is a, is b and is c.", "It is d."]


def test_life_in_one_town_is_said_once() -> None:
    clauses = ["{S} was born in Delft", "{S} worked in Delft", "{S} died in Delft"]
    assert list(flowing(clauses, "Vermeer", "Artist")) == [
        "Vermeer was born, worked and died in Delft."
    ]


def test_a_name_in_lower_case_stays_so_at_the_head_of_a_sentence() -> None:
    said = list(flowing(["{S} is new"], "pointillism", "Movement"))
    assert said == ["The movement pointillism is new."]


@pytest.mark.parametrize("id", PHRASES)
def test_phrases_have_their_places(id: str) -> None:
    for template in PHRASES[id][1:]:
        assert "{O}" in template
        assert any(head in template for head in ("{S}", "{s}", "{P}"))


@pytest.mark.parametrize(
    ("label", "outgoing", "incoming"),
    [
        ("part of", "{S} is part of {O}", "{P} parts include {O}"),
        ("editor", "{P} editor is {O}", "{S} is the editor of {O}"),
        ("heir of", "{S} is an heir of {O}", "{O} {is} an heir of {s}"),
        ("restored by", "{S} is restored by {O}", "{O} {is} restored by {s}"),
        ("has cause", "{S} has cause {O}", "To {s} this applies: {O} has cause it"),
        ("odd {label}", "{P} odd (label) is {O}", "{S} is the odd (label) of {O}"),
    ],
)
def test_unknown_properties_are_read_from_their_label(
    label: str, outgoing: str, incoming: str
) -> None:
    assert phrase_for(Property("x", label))[1:] == (outgoing, incoming)


def test_a_property_of_another_graph_is_known_by_its_label() -> None:
    assert property_id(Property("madeBy", "creator")) == "P170"
    assert property_id(Property("P170", "made by")) == "P170"
    assert property_id(Property("madeBy", "made by")) == "madeBy"
