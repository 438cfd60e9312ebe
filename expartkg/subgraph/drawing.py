"""From facts to a figure: the drawing as inline SVG, its key, and the same facts as a list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment
from markupsafe import Markup

from expartkg.records import Entity, Iteration, Triple
from expartkg.subgraph import layout
from expartkg.subgraph.tree import trees_of
from expartkg.templating import templates_in

FOLDER = Path(__file__).parent
STYLE = FOLDER / "subgraph.css"
"""Its style sheet. The colours are those of the page where it is on one."""

MOST_FACTS = 60
"""More than these are in the list alone, which the drawing says."""
DEEPEST = 4

# A shape for every kind beside its colour, within 10 by 10 pixels.
SHAPES: Mapping[str, str] = {
    "Artwork": "M0 0H10V10H0ZM2.5 2.5V7.5H7.5V2.5Z",
    "Artist": "M5 0A5 5 0 1 1 4.99 0Z",
    "Person": "M5 0A5 5 0 1 1 4.99 0ZM5 2.5A2.5 2.5 0 1 0 5.01 2.5Z",
    "Subject": "M5 0A5 5 0 1 1 4.99 0ZM5 2.5A2.5 2.5 0 1 0 5.01 2.5Z",
    "Museum": "M5 0L10 4V10H0V4Z",
    "Place": "M5 10L0 0H10Z",
    "Movement": "M5 0L10 5L5 10L0 5Z",
    "Concept": "M0 4H10V6H0Z",
}
OTHER_SHAPE = "M3 0H7V3H10V7H7V10H3V7H0V3H3Z"


@dataclass(frozen=True, slots=True)
class Labels:
    """What the figure says, in the reader's language; `{…}` is filled in.

    `kinds` are the names of the kinds, by the kinds.
    """

    title: str
    description: str
    list: str
    more: str
    kinds: Mapping[str, str]


ENGLISH_LABELS = Labels(
    title="The facts as a graph",
    description=(
        "{entities} entities and {facts} facts, from the artwork at the left to the right. "
        "The same facts stand in the list below."
    ),
    list="All {facts} facts as a list",
    more="{n} more are in the list below",
    kinds={
        "Artwork": "artwork",
        "Artist": "artist",
        "Person": "person",
        "Subject": "subject",
        "Museum": "museum",
        "Place": "place",
        "Movement": "movement",
        "Concept": "concept",
    },
)


def facts_of(iterations: Iterable[Iteration]) -> list[Triple]:
    """The facts of some iterations, each once, in the order in which they were retrieved."""
    facts = (fact.triple for iteration in iterations for fact in iteration.facts)
    return list(dict.fromkeys(facts))


def work_of(facts: Iterable[Triple], id: str | None) -> Entity | None:
    """The entity of an id, if a fact has it."""
    ends = (end for fact in facts for end in (fact.subject, fact.object))
    return next((end for end in ends if end.id == id), None)


def draw(
    facts: Sequence[Triple], work: Entity | None, *, key: str, labels: Labels = ENGLISH_LABELS
) -> Markup:
    """A `<figure>`; empty where there is no fact. `key` makes its ids its own on the page."""
    if not facts:
        return Markup()
    trees = trees_of(facts[:MOST_FACTS], work, DEEPEST)
    placed = layout.lay_out(trees)
    drawn = sum(1 for fact in _facts_in(placed.branches))
    entities = list(dict.fromkeys(end for fact in facts for end in (fact.subject, fact.object)))
    html = (
        _environment()
        .get_template("figure.html")
        .render(
            key=key,
            labels=labels,
            layout=placed,
            facts=facts,
            entities=len(entities),
            left_out=len(facts) - drawn,
            kinds=[kind for kind in SHAPES if any(end.kind == kind for end in entities)],
        )
    )
    return Markup(html)


def _facts_in(branches: Iterable[layout.PlacedBranch]) -> Iterable[Triple]:
    for branch in branches:
        if branch.fact:
            yield branch.fact
        for stem in branch.stems:
            yield from _facts_in(stem.branches)


@cache
def _environment() -> Environment:
    environment = templates_in(FOLDER / "templates")
    environment.globals.update(
        shape=lambda kind: SHAPES.get(kind, OTHER_SHAPE),
        ENTITY_LINE=layout.ENTITY_LINE,
        LABEL_LINE=layout.LABEL_LINE,
        GLYPH=layout.GLYPH,
        PAD=layout.PAD,
    )
    return environment
