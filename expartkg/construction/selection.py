"""Step 2 of Section 3: which candidates become nodes.

Kept is the title of an English Wikipedia article that names one Wikidata item and no general
concept. Everything else is dropped, with the reason.

The paper does not say how it told general concepts. `CONCEPT_RULES` are our reading, and any of
them can be left out. People, movements and countries are specific whatever their names (Titian is
also a colour, Turkey a bird), and so are the named things of `data/kinds.tsv`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from expartkg.construction.candidates import Candidate
from expartkg.construction.concepts import GENERAL_ROLES, KEPT_CONCEPTS
from expartkg.construction.kinds import HAND_KINDS, kind_of
from expartkg.construction.labels import fault
from expartkg.construction.sources.knowledge import UNKNOWN, Item, Knowledge, Named
from expartkg.construction.sources.records import Node, Nouns
from expartkg.records import ARTWORK, CONCEPT

CONCEPT_RULES: Mapping[str, str] = {
    "list": "on the kept list of concepts",
    "role": "a material, genre, occupation or field",
    "subclass": "a class: an end of a subclass statement",
    "noun": "a common noun of WordNet",
    "lower-case": "more often in lower case than with a capital in running text",
}
"""What makes an expression a general concept, in the order in which it is asked."""

NOT_A_TITLE = "not the title of an English Wikipedia article"
NO_ITEM = "no Wikidata item of that name"
AMBIGUOUS = "several Wikidata items share the name"
OTHER_ARTICLE = "the article of that name is not known to be about the work"
NO_LABEL = "its item is not in the source, or has no usable English label"
BAD_NAME = "cannot be a label"
OTHER_NAME = "another name of a node"
GENERAL = "general concept"

_SPECIFIC = frozenset({"Artist", "Person", "Movement"})


@dataclass(frozen=True, slots=True)
class Choice:
    """What became of a candidate: a node (`title`: which list has its title), or why it is none.

    `reason` is empty for a node; `detail` shows what the reason rests on.
    """

    name: str
    qid: str = ""
    kind: str = ""
    title: str = ""
    reason: str = ""
    detail: str = ""

    def to_json(self) -> dict[str, Any]:
        """A record that `Choice(**record)` reads."""
        return asdict(self)


def select(
    candidates: Iterable[Candidate],
    knowledge: Knowledge,
    concept_rules: Iterable[str] = CONCEPT_RULES,
) -> tuple[Choice, ...]:
    """A choice for every candidate, in their order.

    Where several names mean one item, the name seen most often is kept, the first by alphabet of
    equals. Raises `SourceError` if the source fails.
    """
    candidates, rules = tuple(candidates), frozenset(concept_rules)
    named = knowledge.look_up([candidate.name for candidate in candidates])
    choices = {}
    for candidate in candidates:
        found = named.get(candidate.name, UNKNOWN)
        if reason := _why_no_name(candidate.name, found):
            detail = " ".join(found.qids) if reason == AMBIGUOUS else ""
            choices[candidate.name] = Choice(
                candidate.name, title=found.title, reason=reason, detail=detail
            )
    items = knowledge.items(
        sorted({named[c.name].qids[0] for c in candidates if c.name not in choices})
    )
    for candidate in candidates:
        if candidate.name not in choices:
            found = named[candidate.name]
            choices[candidate.name] = _by_item(
                candidate, found, items.get(found.qids[0]), knowledge.nouns, rules
            )
    return _one_name_each(candidates, choices)


def _why_no_name(name: str, found: Named) -> str:
    if not found.title:
        return NOT_A_TITLE
    if not found.qids:
        return NO_ITEM
    if len(found.qids) > 1:
        return AMBIGUOUS
    return BAD_NAME if fault(name) else ""


def _by_item(
    candidate: Candidate, found: Named, item: Item | None, nouns: Nouns, rules: frozenset[str]
) -> Choice:
    name, title, qid = candidate.name, found.title, found.qids[0]
    if item is None:
        return Choice(name, title=title, reason=NO_LABEL, detail=qid)
    if rule := why_general(candidate, item, nouns, rules):
        return Choice(name, title=title, reason=GENERAL, detail=f"{qid}: {CONCEPT_RULES[rule]}")
    kind = _kind(item)
    if kind == ARTWORK and not found.is_certain:
        return Choice(name, title=title, reason=OTHER_ARTICLE, detail=qid)
    return Choice(name, qid, kind, title)


def why_general(candidate: Candidate, item: Item, nouns: Nouns, rules: frozenset[str]) -> str:
    """Return which of `rules` calls the expression a general concept, empty if none does."""
    node = item.node
    if node.qid in HAND_KINDS or node.role == "country" or _kind(item) in _SPECIFIC:
        return ""
    holds = {
        "list": node.qid in KEPT_CONCEPTS,
        "role": node.role in GENERAL_ROLES,
        "subclass": item.is_class,
        "noun": _is_noun(candidate.name, node, nouns),
        "lower-case": _in_lower_case(candidate),
    }
    return next((rule for rule in CONCEPT_RULES if rule in rules and holds[rule]), "")


def _is_noun(name: str, node: Node, nouns: Nouns) -> bool:
    """A town may be called Bath."""
    return node.role != "place" and (node.is_common_noun or nouns.include(node.qid, name))


def _in_lower_case(candidate: Candidate) -> bool:
    if candidate.name == candidate.name.lower():
        return True
    running = sum(candidate.seen.get(field, 0) for field in ("question", "reference"))
    return candidate.in_lower_case > running


def _kind(item: Item) -> str:
    """The kind as in the graph of all artworks; a concept that no rule has dropped is a subject."""
    kind = kind_of(item.node, Nouns(), item.is_created)
    return "Subject" if kind == CONCEPT else kind


def _one_name_each(
    candidates: Collection[Candidate], choices: Mapping[str, Choice]
) -> tuple[Choice, ...]:
    counts = {candidate.name: candidate.count for candidate in candidates}
    best: dict[str, str] = {}
    for name, choice in sorted(choices.items(), key=lambda pair: (-counts[pair[0]], pair[0])):
        if choice.qid:
            best.setdefault(choice.qid, name)
    return tuple(
        Choice(choice.name, title=choice.title, reason=OTHER_NAME, detail=best[choice.qid])
        if choice.qid and best[choice.qid] != choice.name
        else choice
        for choice in (choices[candidate.name] for candidate in candidates)
    )
