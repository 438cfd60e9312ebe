"""A Run as JSON, and back.

The JSON is schema 1 of the design: ids are short, numbers are not rounded, and `entities` and
`properties` tell what the ids stand for, so that a Run can be shown without its graph. It holds
no picture. The other shapes of the command line (mentions, ranked facts) are made here too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from expartkg.errors import RunFormatError
from expartkg.records import (
    Answer,
    Artwork,
    Count,
    Dated,
    Entity,
    Iteration,
    Mention,
    Named,
    PairCount,
    Prompt,
    Property,
    Question,
    RankedTriple,
    Run,
    Sentence,
    Triple,
    Verdict,
)

SCHEMA = 1

Json = dict[str, Any]


def run_to_json(run: Run) -> Json:
    """The Run as a document of `tests/schema/run.json`."""
    return {
        "schema": SCHEMA,
        "status": run.status,
        "question": {"text": run.question.text, "with_title": run.question.with_title},
        "artwork": {
            "id": run.artwork.id,
            "title": run.artwork.title,
            "artist": run.artwork.artist,
            "found": run.artwork.found,
        },
        "settings": dict(run.settings),
        "engine": dict(run.engine),
        "iterations": [_iteration_to_json(iteration) for iteration in run.iterations],
        "answer": run.answer,
        "support": [_sentence_to_json(sentence) for sentence in run.support],
        "signature": dict(run.signature),
        "error": run.error,
        **_glossary(run),
    }


def mention_to_json(mention: Mention) -> Json:
    return {
        "start": mention.start,
        "end": mention.end,
        "text": mention.text,
        "entity": mention.entity.id,
        "label": mention.entity.label,
        "candidates": [entity.id for entity in mention.candidates],
    }


def ranked_to_json(fact: RankedTriple) -> Json:
    """A fact of one entity's ranked document; `fact_to_json` adds whose it is."""
    triple = fact.triple
    return {
        "subject": triple.subject.id,
        "predicate": triple.predicate.id,
        "object": triple.object.id,
        "labels": list(triple.labels),
        "score": fact.score,
        "f": _count_to_json(fact.f),
        "n_t": _count_to_json(fact.n_t),
    }


def fact_to_json(fact: RankedTriple) -> Json:
    return {**ranked_to_json(fact), "anchor": fact.anchor.id}


def _count_to_json(count: Count) -> int | Json:
    return {"p": count.p, "q": count.q} if isinstance(count, PairCount) else count


def _iteration_to_json(iteration: Iteration) -> Json:
    answer, verdict = iteration.answer, iteration.verdict
    return {
        "number": iteration.number,
        "source": iteration.source,
        "mentions": [mention_to_json(mention) for mention in iteration.mentions],
        "facts": [fact_to_json(fact) for fact in iteration.facts],
        "facts_dropped": iteration.facts_dropped,
        "prompt": {"system": iteration.prompt.system, "text": iteration.prompt.text},
        "answer": {
            "text": answer.text,
            "finish_reason": answer.finish_reason,
            "tokens": answer.tokens,
            "seconds": answer.seconds,
        },
        "verdict": verdict
        and {
            "accepted": verdict.accepted,
            "p_true": verdict.p_true,
            "mass": verdict.mass,
            "method": verdict.method,
        },
        "retrieval_seconds": iteration.retrieval_seconds,
        "verdict_seconds": iteration.verdict_seconds,
    }


def _sentence_to_json(sentence: Sentence) -> Json:
    return {
        "start": sentence.start,
        "end": sentence.end,
        "status": sentence.status,
        "facts": [
            {"subject": fact.subject.id, "predicate": fact.predicate.id, "object": fact.object.id}
            for fact in sentence.facts
        ],
        "dates": [
            {"entity": dated.entity.id, "years": list(dated.years)} for dated in sentence.dates
        ],
        "entities": [
            {"start": named.start, "end": named.end, "id": named.entity.id}
            for named in sentence.named
        ],
    }


def _glossary(run: Run) -> Json:
    """All entities and properties of a Run; the facts of its support are those of iterations."""
    entities: dict[str, Json] = {}
    properties: dict[str, Json] = {}
    for entity in _entities_of_support(run.support):
        entities[entity.id] = _entity_to_json(entity)
    for iteration in run.iterations:
        for entity in _entities_of(iteration):
            entities[entity.id] = _entity_to_json(entity)
        for fact in iteration.facts:
            predicate = fact.triple.predicate
            properties[predicate.id] = {"label": predicate.label, "iri": predicate.iri}
    return {"entities": entities, "properties": properties}


def _entity_to_json(entity: Entity) -> Json:
    return {"label": entity.label, "kind": entity.kind, "iri": entity.iri}


def _entities_of_support(support: Iterable[Sentence]) -> Iterable[Entity]:
    for sentence in support:
        yield from (dated.entity for dated in sentence.dates)
        yield from (named.entity for named in sentence.named)


def _entities_of(iteration: Iteration) -> Iterable[Entity]:
    for mention in iteration.mentions:
        yield from mention.candidates
    for fact in iteration.facts:
        yield from (fact.triple.subject, fact.triple.object, fact.anchor)


def run_from_json(document: object) -> Run:
    """The Run of a document that `run_to_json` made. Raises `RunFormatError` for any other."""
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise RunFormatError(f"This is not an exported Run of schema {SCHEMA}.")
    try:
        return _run_from_json(document)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RunFormatError(f"The exported Run is damaged: {error!r}.") from error


def _run_from_json(document: Json) -> Run:
    read = _Reader(document)
    artwork = document["artwork"]
    return Run(
        status=document["status"],
        question=Question(document["question"]["text"], document["question"]["with_title"]),
        artwork=Artwork(artwork["id"], artwork["title"], artwork["artist"], found=artwork["found"]),
        settings=document["settings"],
        engine=document["engine"],
        iterations=tuple(read.iteration(item) for item in document["iterations"]),
        signature=document["signature"],
        error=document["error"],
        # Runs that were exported before there was any still load.
        support=tuple(read.sentence(item) for item in document.get("support", ())),
    )


class _Reader:
    """Turns ids back into entities by the document's own glossary."""

    def __init__(self, document: Json) -> None:
        self._question: str = document["question"]["text"]
        self._N: int = document["signature"]["graph"]["entities"]
        self._entities = {
            id: Entity(id, known["label"], known["kind"], known["iri"])
            for id, known in document["entities"].items()
        }
        self._properties = {
            id: Property(id, known["label"], known["iri"])
            for id, known in document["properties"].items()
        }

    def iteration(self, item: Json) -> Iteration:
        facts = tuple(self._fact(fact) for fact in item["facts"])
        prompt = Prompt(item["prompt"]["system"], item["prompt"]["text"], self._question, facts)
        return Iteration(
            number=item["number"],
            source=item["source"],
            mentions=tuple(self._mention(mention) for mention in item["mentions"]),
            facts=facts,
            prompt=prompt,
            answer=Answer(**item["answer"]),
            verdict=Verdict(**item["verdict"]) if item["verdict"] else None,
            facts_dropped=item["facts_dropped"],
            retrieval_seconds=item.get("retrieval_seconds"),
            verdict_seconds=item.get("verdict_seconds"),
        )

    def sentence(self, item: Json) -> Sentence:
        return Sentence(
            start=item["start"],
            end=item["end"],
            status=item["status"],
            facts=tuple(self._triple(fact) for fact in item["facts"]),
            dates=tuple(
                Dated(self._entities[dated["entity"]], tuple(dated["years"]))
                for dated in item["dates"]
            ),
            named=tuple(
                Named(named["start"], named["end"], self._entities[named["id"]])
                for named in item["entities"]
            ),
        )

    def _mention(self, item: Json) -> Mention:
        candidates = tuple(self._entities[id] for id in item["candidates"])
        entity = self._entities[item["entity"]]
        return Mention(item["start"], item["end"], item["text"], entity, candidates)

    def _triple(self, item: Json) -> Triple:
        return Triple(
            self._entities[item["subject"]],
            self._properties[item["predicate"]],
            self._entities[item["object"]],
        )

    def _fact(self, item: Json) -> RankedTriple:
        triple = self._triple(item)
        anchor = self._entities[item["anchor"]]
        f, n_t = _count_from_json(item["f"]), _count_from_json(item["n_t"])
        return RankedTriple(triple, anchor, item["score"], f, n_t, self._N)


def _count_from_json(count: int | Mapping[str, int]) -> Count:
    return count if isinstance(count, int) else PairCount(count["p"], count["q"])


def to_text(document: object) -> str:
    """JSON as the command line prints it: ASCII, so that any terminal and any string will do."""
    return json.dumps(document, indent=2, allow_nan=False)
