"""The facts of a run as a drawing that can be read."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import gradio
import pytest
from PIL import ImageFont

from expartkg.records import ARTWORK, CONCEPT, Entity, Property, Triple
from expartkg.retrieval.retriever import Retriever
from expartkg.subgraph import ENGLISH_LABELS, draw, work_of
from expartkg.subgraph.drawing import DEEPEST, MOST_FACTS
from expartkg.subgraph.layout import ENTITY_SIZE, GLYPH, LABEL_SIZE, PAD, Box, Layout, lay_out
from expartkg.subgraph.metrics import lines_of, width_of
from expartkg.subgraph.tree import Branch, trees_of

FONT = (
    Path(gradio.__file__).parent
    / "templates/frontend/static/fonts/IBMPlexSans/IBMPlexSans-Regular.woff2"
)
"""The page's font, as gradio brings it."""
SVG = "{http://www.w3.org/2000/svg}"


def entity(number: int, label: str = "", kind: str = "Artwork") -> Entity:
    iri = f"http://www.wikidata.org/entity/Q{number}"
    return Entity(f"Q{number}", label or f"Label of Q{number}", kind, iri)


def fact(subject: int, predicate: str, object_: int) -> Triple:
    return Triple(entity(subject), Property(predicate, predicate), entity(object_))


def facts_of_runs(retriever: Retriever, count: int) -> Iterator[tuple[list[Triple], Entity]]:
    """What runs of one to three rounds retrieve: about works, and about what their facts name."""
    chance = random.Random(7)
    works = [one for one in retriever.graph.entities if one.kind == ARTWORK]
    for _ in range(count):
        work = chance.choice(works)
        facts = [one.triple for one in retriever.ranker.rank(work, "qid", 10)]
        ends = {one.object for one in facts if one.object.kind != CONCEPT}
        for one in sorted(ends, key=lambda end: end.id)[: chance.randrange(6)]:
            facts += [ranked.triple for ranked in retriever.ranker.rank(one, "qid", 10)]
        yield list(dict.fromkeys(facts)), work


def written(layout: Layout) -> Iterator[tuple[Box, float, float]]:
    """Every box of a drawing, the size of its letters, and where they begin within it."""
    waiting = list(layout.branches)
    while waiting:
        branch = waiting.pop()
        yield branch.box, ENTITY_SIZE, PAD + GLYPH
        for stem in branch.stems:
            yield stem.box, LABEL_SIZE, 0.0
            waiting += stem.branches


def overlap(one: Box, other: Box) -> bool:
    return (
        one.x < other.right
        and other.x < one.right
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


def test_no_two_texts_overlap_in_two_hundred_runs(shipped: Retriever) -> None:
    fonts = {size: ImageFont.truetype(FONT, 10 * size) for size in (ENTITY_SIZE, LABEL_SIZE)}
    drawn = 0
    for facts, work in facts_of_runs(shipped, 200):
        layout = lay_out(trees_of(facts[:MOST_FACTS], work, DEEPEST))
        for box, size, indent in written(layout):
            for line in box.lines:
                # The fallback for other scripts is not this font; its letters are as wide as high.
                if all(ord(character) < 0x250 for character in line.replace("▸", "")):
                    plain = line.replace("▸", "").replace("◂", "")
                    assert indent + fonts[size].getlength(plain) / 10 <= box.width + 0.5, line
            assert box.x >= 0
            assert box.right <= layout.width
            assert box.y >= 0
            assert box.y + box.height <= layout.height
        for one, other in itertools.combinations(layout.boxes, 2):
            assert not overlap(one, other), (one.lines, other.lines)
        drawn += len(layout.boxes)
    assert drawn > 5000


def test_every_fact_is_drawn_once_and_leads_on_from_the_work() -> None:
    facts = [fact(1, "a", 2), fact(2, "b", 3), fact(4, "a", 2), fact(1, "c", 3), fact(1, "d", 1)]
    (tree,) = trees_of([*facts, facts[0]], entity(1), 9)
    drawn = list(facts_in(tree))
    assert sorted(map(str, drawn)) == sorted(map(str, facts))
    assert tree.entity.id == "Q1"
    again = [branch.entity.id for branch in branches_in(tree) if branch.again]
    assert sorted(again) == ["Q1", "Q3"]


def facts_in(tree: Branch) -> Iterator[Triple]:
    for branch in branches_in(tree):
        if branch.fact:
            yield branch.fact


def branches_in(tree: Branch) -> Iterator[Branch]:
    yield tree
    for stem in tree.stems:
        for branch in stem.branches:
            yield from branches_in(branch)


def test_what_is_not_joined_to_the_work_has_a_tree_of_its_own() -> None:
    trees = trees_of([fact(5, "a", 6), fact(1, "a", 2)], entity(1), 9)
    assert [tree.entity.id for tree in trees] == ["Q1", "Q5"]
    assert [tree.entity.id for tree in trees_of([fact(5, "a", 6)], None, 9)] == ["Q5"]


def test_a_long_chain_goes_on_in_the_next_tree() -> None:
    chain = [fact(number, "a", number + 1) for number in range(1, 50)]
    trees = trees_of(chain, entity(1), DEEPEST)
    assert len(list(facts_in(trees[0]))) == DEEPEST
    drawn = [one for tree in trees for one in facts_in(tree)]
    assert sorted(map(str, drawn)) == sorted(map(str, chain))
    assert lay_out(trees).width < 1500


def test_the_same_facts_give_the_same_drawing(shipped: Retriever) -> None:
    facts, work = next(facts_of_runs(shipped, 1))
    assert draw(facts, work, key="k") == draw(list(facts), work, key="k")


@pytest.fixture
def figure() -> ElementTree.Element:
    labels = {1: 'A <b> & "c"', 2: "Painter", 3: "Museum"}
    work, painter, museum = (entity(number, label) for number, label in labels.items())
    facts = [
        Triple(work, Property("P170", "creator"), painter),
        Triple(work, Property("P195", "collection"), museum),
    ]
    return ElementTree.fromstring(draw(facts, work, key="k"))


def test_the_drawing_has_a_title_and_says_everything_as_a_list(
    figure: ElementTree.Element,
) -> None:
    svg = figure.find(f".//{SVG}svg")
    assert svg is not None
    title, description = svg.find(f"{SVG}title"), svg.find(f"{SVG}desc")
    assert title is not None
    assert description is not None
    assert title.text == ENGLISH_LABELS.title
    assert (description.text or "").startswith("3 entities and 2 facts")
    assert svg.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
    listed = ["".join(item.itertext()).strip() for item in figure.findall(".//ol/li")]
    assert listed == ['A <b> & "c" · creator · Painter', 'A <b> & "c" · collection · Museum']


def test_entities_lead_to_wikidata_and_stand_within_their_ways(
    figure: ElementTree.Element,
) -> None:
    """The style sheet lights up the groups around what is pointed at."""
    root = figure.find(f".//{SVG}svg/{SVG}g")
    assert root is not None
    anchors = root.findall(f".//{SVG}a")
    assert [one.get("href") for one in anchors] == [
        f"https://www.wikidata.org/wiki/Q{number}" for number in (1, 2, 3)
    ]
    stems = root.findall(f"{SVG}g[@class='stem']")
    assert len(stems) == 2
    for stem in stems:
        assert stem.find(f"{SVG}path[@class='way']") is not None
        assert len(stem.findall(f"{SVG}g[@class='branch']/{SVG}path[@class='way']")) == 1


def test_many_facts_are_capped_and_all_in_the_list() -> None:
    facts = [fact(1, f"p{number % 7}", number) for number in range(2, 302)]
    html = draw(facts, entity(1), key="k")
    assert html.count("<li>") >= 300
    assert "240 more are in the list below" in html
    assert 'href="#k-list"' in html
    assert html.count('class="entity') == MOST_FACTS + 1


def test_no_facts_no_drawing() -> None:
    assert draw([], entity(1), key="k") == ""


def test_the_work_is_found_among_the_facts() -> None:
    assert work_of([fact(1, "a", 2)], "Q2") == entity(2)
    assert work_of([fact(1, "a", 2)], None) is None


def test_texts_are_broken_and_cut_to_their_width() -> None:
    lines = lines_of("The Department of Paintings and Sculptures of the Louvre", 13, 100, 2)
    assert len(lines) == 2
    assert all(width_of(line, 13) <= 100 for line in lines)
    assert lines[1].endswith("…")
    assert lines_of("m" * 80, 13, 60, 2)[0].endswith("…")
    assert lines_of("m" * 500_000, 13, 60, 2) == lines_of("m" * 80, 13, 60, 2)
    assert lines_of("", 13, 60, 2) == ()
    assert width_of("é", 10) == width_of("e", 10)
    assert width_of("日", 10) > width_of("m", 10)


def test_labels_are_never_markup() -> None:
    hostile = Entity("Q1", '<script>"&', "x y' onload=", "javascript:alert(1)")
    html = draw([Triple(hostile, Property("p", "<i>"), hostile)], hostile, key="k")
    assert not re.search(r"<script|<i>|href=\"javascript", html)
    ElementTree.fromstring(html)
