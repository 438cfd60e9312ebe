"""What one iteration's card says, in words and records. Knows no HTML."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from expartkg.records import Entity, Mention, Prompt, RankedTriple, Triple, Verdict
from expartkg.ui.changes import Change, changes
from expartkg.ui.scores import ScoredFact, scored
from expartkg.ui.story import Round, Story
from expartkg.ui.text import Words


@dataclass(frozen=True, slots=True)
class Badge:
    """How an iteration ended or what it is at; `state` is a class of the style sheet."""

    state: str
    text: str


@dataclass(frozen=True, slots=True)
class Group:
    """The ranked facts of one anchor, best first, and how their scores come about, if by Eq. 1
    and the run is over.
    """

    anchor: Entity
    facts: tuple[RankedTriple, ...]
    scores: tuple[ScoredFact, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """An iteration, as a card shows it. `mentions` has every entity once.

    What is new is so against all rounds before; in the first one, nothing is. `changes` tell the
    answer from that of the round before, and are empty where there is none or it is not written.
    """

    number: int
    badge: Badge
    probability: str
    searched: str
    counts: str
    mentions: tuple[Mention, ...]
    groups: tuple[Group, ...]
    facts_dropped: int
    answer: str
    finish: str
    verdict: str
    new_entities: frozenset[Entity]
    new_facts: frozenset[Triple]
    changes: tuple[Change, ...]
    prompt: Prompt
    timings: tuple[tuple[str, str], ...]

    @property
    def is_unchanged(self) -> bool:
        """Whether the answer is that of the round before."""
        return all(change.kind == "same" for change in self.changes)


def card_of(round_: Round, story: Story, words: Words) -> Card:
    """The card of one of the story's rounds."""
    retrieved = round_.retrieved
    mentions = tuple({mention.entity: mention for mention in retrieved.mentions}.values())
    return Card(
        number=retrieved.number,
        badge=_badge(round_, story, words),
        probability=_probability(round_.verdict, words),
        searched=_searched(round_, story, words),
        counts=_counts(len(mentions), len(retrieved.facts), words) if mentions else "",
        mentions=mentions,
        groups=_groups(retrieved.facts, story),
        facts_dropped=retrieved.facts_dropped,
        answer=round_.text if round_.answer or story.is_over else words.being_written,
        finish=words.finish_reasons[round_.answer.finish_reason] if round_.answer else "",
        verdict=_verdict(round_, story, words),
        new_entities=frozenset(one.entity for one in mentions) - _entities_before(round_, story),
        new_facts=frozenset(one.triple for one in retrieved.facts) - _facts_before(round_, story),
        changes=_changes(round_, story),
        prompt=retrieved.prompt,
        timings=tuple(_timings(round_, words)),
    )


def _before(round_: Round, story: Story) -> list[Round]:
    return story.rounds[: next(n for n, one in enumerate(story.rounds) if one is round_)]


def _entities_before(round_: Round, story: Story) -> frozenset[Entity]:
    before = _before(round_, story) or [round_]
    return frozenset(one.entity for earlier in before for one in earlier.retrieved.mentions)


def _facts_before(round_: Round, story: Story) -> frozenset[Triple]:
    before = _before(round_, story) or [round_]
    return frozenset(one.triple for earlier in before for one in earlier.retrieved.facts)


def _changes(round_: Round, story: Story) -> tuple[Change, ...]:
    before = _before(round_, story)
    if not before or round_.answer is None:
        return ()
    return changes(before[-1].text, round_.text)


def _timings(round_: Round, words: Words) -> Iterator[tuple[str, str]]:
    """The steps that have ended, in order, and what they took."""
    written = round_.answer.seconds if round_.answer else None
    steps = {
        words.retrieval: round_.retrieved.seconds,
        words.writing_step: written,
        words.judging_step: round_.verdict_seconds,
    }
    for name, seconds in steps.items():
        if seconds is not None:
            yield name, words.seconds.format(s=seconds)


def _badge(round_: Round, story: Story, words: Words) -> Badge:
    if round_.verdict:
        accepted = round_.verdict.accepted
        return Badge("true", words.true) if accepted else Badge("false", words.false)
    if round_.answer is None:
        return Badge("cut", words.cut) if story.is_over else Badge("running", words.writing_badge)
    if round_.answer.finish_reason in ("stopped", "failed"):
        return Badge("cut", words.cut)
    if _is_left_unjudged(round_, story):
        return Badge("cut", words.not_judged)
    return Badge("running", words.judging_badge)


def _is_left_unjudged(round_: Round, story: Story) -> bool:
    """Whether no verdict will come: none is due, or the run has gone on without one."""
    return story.is_over or story.method == "baseline" or round_ is not story.rounds[-1]


def _verdict(round_: Round, story: Story, words: Words) -> str:
    """The verdict in full; empty while it may still come."""
    verdict = round_.verdict
    if verdict is None:
        return words.not_judged if round_.answer and _is_left_unjudged(round_, story) else ""
    said = words.true if verdict.accepted else words.false
    parts = (said, _probability(verdict, words), words.verdict_methods[verdict.method])
    return ", ".join(part for part in parts if part)


def _probability(verdict: Verdict | None, words: Words) -> str:
    if verdict is None or verdict.p_true is None:
        return ""
    return words.probability.format(p=verdict.p_true)


def _searched(round_: Round, story: Story, words: Words) -> str:
    if story.method == "baseline":
        return words.no_graph
    searched = words.searched[round_.retrieved.source]
    return searched if round_.retrieved.mentions else f"{searched} {words.no_entities}"


def _counts(entities: int, facts: int, words: Words) -> str:
    return f"{words.entities(entities)} · {words.facts(facts)}"


def _groups(facts: tuple[RankedTriple, ...], story: Story) -> tuple[Group, ...]:
    """Facts come ordered by anchor."""
    by_anchor = groupby(facts, key=lambda fact: fact.anchor)
    return tuple(_group(anchor, tuple(group), story) for anchor, group in by_anchor)


def _group(anchor: Entity, facts: tuple[RankedTriple, ...], story: Story) -> Group:
    # They double the size of the cards, which are sent again and again while a run goes on.
    scores = tuple(scored(facts, story.ranking)) if story.is_over else ()
    return Group(anchor, facts, scores)
