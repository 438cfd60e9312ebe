"""Sentences made from facts of a graph, right ones and such as have an entity or a year swapped."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from expartkg.records import ARTWORK, Artwork, Entity, Identification, SentenceStatus, Triple
from expartkg.retrieval.retriever import Retriever

TEMPLATES: Mapping[str, tuple[str, ...]] = {
    "P170": (
        "{S} was painted by {O}.",
        "{O} created {S}.",
        "{S} is a work by {O}.",
        "The creator of {S} is {O}.",
        "{O} is the artist behind {S}.",
    ),
    "P195": (
        "{S} is held by {O}.",
        "{S} is in the collection of {O}.",
        "The {O} houses {S}.",
        "{S} hangs in the {O}.",
    ),
    "P276": ("{S} is located in {O}.", "{S} can be seen in the {O}.", "Today {S} is kept at {O}."),
    "P19": ("{S} was born in {O}.", "The place of birth of {S} is {O}."),
    "P20": ("{S} died in {O}.", "The place of death of {S} was {O}."),
    "P180": ("{S} depicts {O}.", "{S} shows {O}.", "{O} appears in {S}."),
    "P186": ("{S} is made of {O}.", "{S} was painted in {O}."),
    "P135": ("{S} belongs to {O}.", "{S} is associated with {O}."),
    "P136": ("{S} is an example of {O}.", "The genre of {S} is {O}."),
    "P937": ("{S} worked in {O}.", "{S} was active in {O}."),
}
YEAR_TEMPLATES = (
    "{S} was painted in {O}.",
    "{S} dates from {O}.",
    "{S} was created around {O}.",
    "{S} ({O}) is a well known work.",
)
EXCLUSIVE = ("P170", "P195", "P276", "P19", "P20")
"""Where another object is a contradiction. A work may depict any number of things."""


@dataclass(frozen=True, slots=True)
class Made:
    """A sentence of one run: its work, the facts retrieved, and the status that it deserves."""

    text: str
    work: Identification
    facts: tuple[Triple, ...]
    status: SentenceStatus


def made_sentences(retriever: Retriever, count: int, seed: int) -> Iterator[Made]:
    """`count` sentences, every second one swapped; a quarter of all are about a year."""
    chance = random.Random(seed)
    works = [one for one in retriever.graph.entities if one.kind == ARTWORK]
    others = _objects(retriever)
    made = 0
    while made < count:
        work = retriever.identify(Artwork(id=chance.choice(works).id))
        facts = _facts(retriever, work)
        swapped = made % 2 == 1
        one = (
            _dated(retriever, work, facts, swapped, chance)
            if made % 4 > 1 and made % 8 > 4
            else _stated(retriever, work, facts, swapped, others, chance)
        )
        if one:
            made += 1
            yield one


def _facts(retriever: Retriever, work: Identification) -> tuple[Triple, ...]:
    """What two rounds retrieve: about the work, and about its makers."""
    assert work.entity
    entities = [work.entity, *retriever.graph.objects(work.entity, "P170")]
    ranked = [one for entity in entities for one in retriever.ranker.rank(entity, "qid", 10)]
    return tuple(dict.fromkeys(one.triple for one in ranked))


def _objects(retriever: Retriever) -> dict[str, list[Entity]]:
    graph = retriever.graph
    found: dict[str, set[str]] = {}
    for _, predicate, object_ in graph.statements():
        found.setdefault(graph.predicates[predicate].id, set()).add(object_)
    return {id: [graph.entity(iri) for iri in sorted(iris)] for id, iris in found.items()}


def _stated(
    retriever: Retriever,
    work: Identification,
    facts: tuple[Triple, ...],
    swapped: bool,
    others: Mapping[str, list[Entity]],
    chance: random.Random,
) -> Made | None:
    known = [fact for fact in facts if fact.predicate.id in TEMPLATES]
    if not known:
        return None
    id = chance.choice(sorted({fact.predicate.id for fact in known}))
    fact = chance.choice([fact for fact in known if fact.predicate.id == id])
    object_, status = fact.object, "supported"
    if swapped:
        true = set(retriever.graph.objects(fact.subject, id))
        alike = [one for one in others[id] if one.kind == fact.object.kind and one not in true]
        object_ = chance.choice(alike)
        status = "contradicts" if id in EXCLUSIVE else "unsupported"
    template = chance.choice(TEMPLATES[id])
    return Made(template.format(S=fact.subject.label, O=object_.label), work, facts, status)  # type: ignore[arg-type]


def _dated(
    retriever: Retriever,
    work: Identification,
    facts: tuple[Triple, ...],
    swapped: bool,
    chance: random.Random,
) -> Made | None:
    assert work.entity
    years = [year for year in retriever.graph.years(work.entity) if year > 1000]
    if len(years) != 1:
        return None
    year = years[0] + (chance.choice((-1, 1)) * chance.randint(15, 150) if swapped else 0)
    text = chance.choice(YEAR_TEMPLATES).format(S=work.entity.label, O=year)
    return Made(text, work, facts, "contradicts" if swapped else "supported")


FREE = (
    "{S}, painted by {C}, is now in the {M}.",
    "{S}, a masterpiece by the renowned artist {C}, hangs in the {M}.",
    "Painted in {Y}, {S} is one of the best known works of {C}.",
    "{S} is famous. It was painted by {C} in {Y}.",
    "{S} is famous. Today it can be admired at the {M}, where visitors come to see it.",
    "{C}'s {S} depicts {D}.",
    "The work, created by {C} around {Y}, shows {D}.",
    "In {Y}, {C} completed {S}.",
    "This painting is the work of {C}.",
    "{S} ({Y}) by {C} is held in the {M}.",
    "Housed in the {M}, {S} was executed by {C}.",
    "{S} is a fine picture. The artist, {C}, made it in {Y} and it belongs to the {M}.",
    "The artwork is attributed to no other than {C}, whose hand is unmistakable.",
    "The {M} acquired the painting by {C} long ago.",
    "{S} is the creation of {C}; the {M} now owns it.",
    "It is {C} who painted {S}, and the {M} that keeps it.",
    "The canvas, which {C} finished in {Y}, is a highlight of the {M}.",
)
"""As models write: passives, pronouns, appositions, and two or three facts in a sentence."""


def free_sentences(retriever: Retriever, count: int, seed: int) -> Iterator[Made]:
    """`count` texts of `FREE`, of which the last sentence counts; every second one has its
    creator, its museum or its year swapped.
    """
    chance = random.Random(seed)
    works = [one for one in retriever.graph.entities if one.kind == ARTWORK]
    others = _objects(retriever)
    made = 0
    while made < count:
        work = retriever.identify(Artwork(id=chance.choice(works).id))
        slots = _slots(retriever, work)
        if slots is None:
            continue
        template, status = FREE[made // 2 % len(FREE)], "supported"
        if made % 2:
            status = "contradicts"
            slot = chance.choice([one for one in "CMY" if f"{{{one}}}" in template])
            slots[slot] = _another(retriever, work, slot, slots[slot], others, chance)
        made += 1
        yield Made(template.format(**slots), work, _facts(retriever, work), status)  # type: ignore[arg-type]


def _slots(retriever: Retriever, work: Identification) -> dict[str, str] | None:
    """What fills the templates, of a work with one creator, museum and year that are retrieved."""
    assert work.entity
    found = {"S": [work.entity.label]}
    for slot, id in (("C", "P170"), ("M", "P195"), ("D", "P180")):
        facts = [fact for fact in _facts(retriever, work) if fact.subject == work.entity]
        found[slot] = [fact.object.label for fact in facts if fact.predicate.id == id]
    found["Y"] = [str(year) for year in retriever.graph.years(work.entity) if year > 1000]
    if any(len(found[slot]) != 1 for slot in "CMY") or not found["D"]:
        return None
    return {slot: values[0] for slot, values in found.items()}


def _another(
    retriever: Retriever,
    work: Identification,
    slot: str,
    true: str,
    others: Mapping[str, list[Entity]],
    chance: random.Random,
) -> str:
    if slot == "Y":
        return str(int(true) + chance.choice((-1, 1)) * chance.randint(15, 150))
    assert work.entity
    id, kind = ("P170", "Artist") if slot == "C" else ("P195", "Museum")
    alike = [one.label for one in others[id] if one.kind == kind and one.label != true]
    return chance.choice(alike)
