from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from expartkg.engines import Engine
from expartkg.engines.base import Session
from expartkg.engines.preview import preview_engine
from expartkg.prompts import explainer_prompt
from expartkg.records import Answer, Entity, Prompt, Property, RankedTriple, StopFlag, Triple

LABELS = {
    "P106": "occupation",
    "P131": "located in the administrative territorial entity",
    "P135": "movement",
    "P136": "genre",
    "P170": "creator",
    "P180": "depicts",
    "P186": "made from material",
    "P19": "place of birth",
    "P195": "collection",
    "P20": "place of death",
    "P276": "location",
    "P937": "work location",
}

Fact = Callable[..., RankedTriple]
Say = Callable[..., str]


@pytest.fixture
def fact() -> Fact:
    """`fact("Mona Lisa:Artwork", "P170", "Leonardo:Artist")`; the subject is the anchor unless
    `anchor` says otherwise. Ids are the labels. A predicate that is no known id is a label.
    """

    def make(subject: str, predicate: str, object_: str, anchor: str | None = None) -> RankedTriple:
        triple = Triple(
            _entity(subject),
            Property(predicate, LABELS.get(predicate, predicate)),
            _entity(object_),
        )
        return RankedTriple(triple, _entity(anchor or subject), 1.0, 1, 1, 100)

    return make


def _entity(text: str) -> Entity:
    label, _, kind = text.rpartition(":")
    return Entity(label, label, kind)


@pytest.fixture
def mona_lisa(fact: Fact) -> list[RankedTriple]:
    """All that a catalogue has on a work."""
    work = "Mona Lisa:Artwork"
    return [
        fact(work, "P170", "Leonardo da Vinci:Artist"),
        fact(work, "P186", "Oil paint:Concept"),
        fact(work, "P186", "Poplar panel:Concept"),
        fact(work, "P195", "Louvre Museum:Museum"),
        fact(work, "P180", "Lisa del Giocondo:Person"),
        fact(work, "P180", "Sky:Concept"),
        fact(work, "P136", "Portrait:Concept"),
        fact(work, "P135", "Italian Renaissance:Movement"),
    ]


@pytest.fixture
def say() -> Say:
    """The last answer of one session of the preview to a series of fact lists."""

    def answer(*rounds: Sequence[RankedTriple], question: str = "Explain the artwork.") -> str:
        session = preview_engine().explainer.session(None)
        text = ""
        for facts in rounds:
            *_, last = session.answer(explainer_prompt(question, facts), threading.Event())
            assert isinstance(last, Answer)
            text = last.text
        session.close()
        return text

    return answer


Collected = tuple[list[str], Answer]


@pytest.fixture
def collect() -> Callable[..., Collected]:
    """`collected_from` a new session of an engine."""

    def run(engine: Engine, prompt: Prompt, stop_after: int | None = None) -> Collected:
        session = engine.explainer.session(None)
        collected = collected_from(session, prompt, stop_after)
        session.close()
        return collected

    return run


def collected_from(session: Session, prompt: Prompt, stop_after: int | None = None) -> Collected:
    """The pieces and the answer of a session; `stop_after` pieces the stop flag is set."""
    stop = threading.Event()
    if stop_after == 0:
        stop.set()
    pieces: list[str] = []
    answers: list[Answer] = []
    for piece in session.answer(prompt, stop):
        if isinstance(piece, Answer):
            answers.append(piece)
            continue
        assert not answers, "text after the answer"
        pieces.append(piece)
        if stop_after is not None and len(pieces) >= stop_after:
            stop.set()
    assert len(answers) == 1
    return pieces, answers[0]


@pytest.fixture
def never() -> StopFlag:
    return threading.Event()


@pytest.fixture
def qwen(tiny_qwen: Engine, mona_lisa: list[RankedTriple]) -> Engine:
    """`tiny_qwen` with an end to its answers, which random weights never come to: the seventh
    token of what it says of the Mona Lisa.
    """
    from expartkg.engines.qwen.session import QwenExplainer

    explainer = tiny_qwen.explainer
    assert isinstance(explainer, QwenExplainer)
    prompt = explainer_prompt('Explain the artwork "Mona Lisa".', mona_lisa)
    *_, answer = explainer.session(None).answer(prompt, threading.Event())
    assert isinstance(answer, Answer)
    end = explainer.tokenizer.encode(answer.text)[6]
    return replace(tiny_qwen, explainer=replace(explainer, ends=frozenset({end})))
