"""A Run as JSON, and back.

The JSON is schema 1 of the design: ids are short, numbers are not rounded, and `entities` and
`properties` tell what the ids stand for, so that a Run can be shown without its graph. It holds
no picture. The other shapes of the command line (mentions, ranked facts) are made here too.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, NoReturn

from expartkg.errors import RunFormatError
from expartkg.records import (
    Answer,
    Artwork,
    Count,
    Dated,
    Entity,
    Intervention,
    Iteration,
    Mention,
    Method,
    Named,
    PairCount,
    PictureSource,
    Prompt,
    Property,
    Question,
    RankedTriple,
    Run,
    Sentence,
    Source,
    Triple,
    Verdict,
)
from expartkg.typed import check_types

SCHEMA = 1
MOST_BYTES = 10 * 2**20

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
        "picture": run.artwork.picture and asdict(run.artwork.picture),
        "settings": dict(run.settings),
        "engine": dict(run.engine),
        "iterations": [_iteration_to_json(iteration) for iteration in run.iterations],
        "answer": run.answer,
        "support": [_sentence_to_json(sentence) for sentence in run.support],
        "signature": dict(run.signature),
        "error": run.error,
        "interventions": [_intervention_to_json(change) for change in run.interventions],
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
    return {
        **_triple_to_json(fact.triple),
        "labels": list(fact.triple.labels),
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
        "facts": [_triple_to_json(fact) for fact in sentence.facts],
        "dates": [
            {"entity": dated.entity.id, "years": list(dated.years)} for dated in sentence.dates
        ],
        "entities": [
            {"start": named.start, "end": named.end, "id": named.entity.id}
            for named in sentence.named
        ],
    }


def _intervention_to_json(change: Intervention) -> Json:
    return {
        "iteration": change.iteration,
        "removed_facts": [_triple_to_json(triple) for triple in change.removed_facts],
        "removed_entities": [entity.id for entity in change.removed_entities],
        "added_entities": [entity.id for entity in change.added_entities],
        "question": change.question,
    }


def _triple_to_json(triple: Triple) -> Json:
    return {
        "subject": triple.subject.id,
        "predicate": triple.predicate.id,
        "object": triple.object.id,
    }


def _glossary(run: Run) -> Json:
    """All entities and properties of a Run; the facts of its support are those of iterations."""
    entities: dict[str, Json] = {}
    properties: dict[str, Json] = {}
    triples = list(_triples_of(run))
    for entity in _entities_of(run, triples):
        entities[entity.id] = {"label": entity.label, "kind": entity.kind, "iri": entity.iri}
    for predicate in (triple.predicate for triple in triples):
        properties[predicate.id] = {"label": predicate.label, "iri": predicate.iri}
    return {"entities": entities, "properties": properties}


def _triples_of(run: Run) -> Iterable[Triple]:
    for iteration in run.iterations:
        yield from (fact.triple for fact in iteration.facts)
    for change in run.interventions:
        yield from change.removed_facts


def _entities_of(run: Run, triples: Iterable[Triple]) -> Iterable[Entity]:
    for iteration in run.iterations:
        for mention in iteration.mentions:
            yield from mention.candidates
        yield from (fact.anchor for fact in iteration.facts)
    for triple in triples:
        yield from (triple.subject, triple.object)
    for change in run.interventions:
        yield from (*change.removed_entities, *change.added_entities)
    for sentence in run.support:
        yield from (dated.entity for dated in sentence.dates)
        yield from (named.entity for named in sentence.named)


def read_run(content: bytes) -> Run:
    """The Run of an exported file, whoever wrote it. Raises `RunFormatError`."""
    if len(content) > MOST_BYTES:
        raise RunFormatError(
            f"The file is larger than the {MOST_BYTES // 2**20} MB that an exported Run may have."
        )
    try:
        document = json.loads(content, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise RunFormatError(
            "The file is not an exported Run: it is not JSON. Take one that ends in .json and "
            "that the guide has saved."
        ) from error
    return run_from_json(document)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def _finite(text: str) -> float:
    """Python reads `1e999` as infinite, which it cannot write again."""
    number = float(text)
    return number if math.isfinite(number) else _refuse(text)


def run_from_json(document: object) -> Run:
    """The Run of a document that `run_to_json` made. Raises `RunFormatError` for any other.

    What it returns has the types that the records say, so that it can be shown like any other.
    """
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise RunFormatError(f"This is not an exported Run of schema {SCHEMA}.")
    try:
        run = _run_from_json(document)
        check_types(run, "the Run")
        _check_sentences(run)
        _check_used(run)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RunFormatError(f"The exported Run is damaged: {error!r:.200}.") from error
    return run


def _check_sentences(run: Run) -> None:
    """Sentences follow each other in the answer, and names in them. Raises `ValueError`."""
    end = 0
    for sentence in run.support:
        places = [place for named in sentence.named for place in (named.start, named.end)]
        for place in (sentence.start, *places, sentence.end):
            if not end <= place <= len(run.answer):
                raise ValueError("sentences or names are not where the answer has them")
            end = place


def _check_used(run: Run) -> None:
    """The parts of settings, engine and signature that every Run has. Raises `TypeError`."""
    settings, engine = dict[str, Any](run.settings), dict[str, Any](run.engine)
    graph: Json = dict(run.signature)["graph"]  # type: ignore[assignment]  # it is checked below
    check_types(_Used(**{name: settings[name] for name in _Used.__slots__}), "the settings")
    check_types(_Graph(**graph), "the signature's graph")
    check_types(_Engine(engine["name"], engine.get("notice")), "the engine")


@dataclass(frozen=True, slots=True)
class _Used:
    """The settings that shape a run."""

    method: Method
    ranking: str
    top_k: int
    max_iterations: int
    source: Source
    facts_budget: int
    validator_facts: bool
    time_limit: float


@dataclass(frozen=True, slots=True)
class _Graph:
    name: str
    entities: int
    sha256: str | None


@dataclass(frozen=True, slots=True)
class _Engine:
    name: str
    notice: str | None


def _run_from_json(document: Json) -> Run:
    read = _Reader(document)
    return Run(
        status=document["status"],
        question=Question(document["question"]["text"], document["question"]["with_title"]),
        artwork=_artwork(document["artwork"], document.get("picture")),
        settings=document["settings"],
        engine=document["engine"],
        iterations=tuple(read.iteration(item) for item in document["iterations"]),
        signature=document["signature"],
        error=document["error"],
        interventions=tuple(map(read.intervention, document.get("interventions", []))),
        # Runs that were exported before there was any still load.
        support=tuple(read.sentence(item) for item in document.get("support", ())),
    )


def _artwork(item: Json, picture: Json | None) -> Artwork:
    source = PictureSource(**picture) if picture else None
    for address in (source.page, source.licence_url) if source else ():
        if address is not None and not address.startswith(("https://", "http://")):
            raise ValueError(f"{address!r:.60} is not the address of a page")
    return Artwork(
        item["id"],
        item["title"],
        item["artist"],
        found=item["found"],
        picture=source,
    )


class _Reader:
    """Turns ids back into entities by the document's own glossary."""

    def __init__(self, document: Json) -> None:
        self._question: str = document["question"]["text"]
        self._changes: list[Json] = document.get("interventions", [])
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
        system, text = item["prompt"]["system"], item["prompt"]["text"]
        return Iteration(
            number=item["number"],
            source=item["source"],
            mentions=tuple(self._mention(mention) for mention in item["mentions"]),
            facts=facts,
            prompt=Prompt(system, text, self._asked(item["number"]), facts),
            answer=Answer(**item["answer"]),
            verdict=Verdict(**item["verdict"]) if item["verdict"] else None,
            facts_dropped=item["facts_dropped"],
            retrieval_seconds=item.get("retrieval_seconds"),
            verdict_seconds=item.get("verdict_seconds"),
        )

    def _asked(self, iteration: int) -> str:
        """The question of an iteration: the run's, or the one that a person put in its place."""
        edited = [change for change in self._changes if change["iteration"] <= iteration]
        texts: list[str] = [change["question"] for change in edited if change["question"]]
        return texts[-1] if texts else self._question

    def intervention(self, item: Json) -> Intervention:
        return Intervention(
            item["iteration"],
            tuple(map(self._triple, item["removed_facts"])),
            tuple(self._entities[id] for id in item["removed_entities"]),
            tuple(self._entities[id] for id in item["added_entities"]),
            item["question"],
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

    def _fact(self, item: Json) -> RankedTriple:
        triple = self._triple(item)
        anchor = self._entities[item["anchor"]]
        f, n_t = _count_from_json(item["f"]), _count_from_json(item["n_t"])
        return RankedTriple(triple, anchor, item["score"], f, n_t, self._N)

    def _triple(self, item: Json) -> Triple:
        return Triple(
            self._entities[item["subject"]],
            self._properties[item["predicate"]],
            self._entities[item["object"]],
        )


def _count_from_json(count: int | Mapping[str, int]) -> Count:
    return count if isinstance(count, int) else PairCount(count["p"], count["q"])


def to_text(document: object) -> str:
    """JSON as the command line prints it: ASCII, so that any terminal and any string will do."""
    return json.dumps(document, indent=2, allow_nan=False)
