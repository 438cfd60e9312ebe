"""What holds for every engine. A new engine is added to `ENGINES`, and nothing else."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from PIL import Image

from expartkg.engines import Engine
from expartkg.engines.preview import preview_engine
from expartkg.engines.scripted import scripted_engine
from expartkg.prompts import explainer_prompt, validator_prompt
from expartkg.records import Answer, RankedTriple, StopFlag, Verdict

QUESTION = 'Explain the artwork "Mona Lisa".'
ENGINES: dict[str, Callable[[], Engine]] = {
    "preview": preview_engine,
    "scripted": lambda: scripted_engine(["One answer in a few words.", "Another."], [0.4, 0.9]),
}
Collect = Callable[..., tuple[list[str], Answer]]


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Engine:
    return ENGINES[request.param]()


def test_says_what_it_is(engine: Engine) -> None:
    assert engine.name in ENGINES
    assert isinstance(engine.description["sees_pictures"], bool)
    assert engine.notice is None or engine.notice.endswith(".")


def test_pieces_joined_are_the_answer(
    engine: Engine, collect: Collect, mona_lisa: list[RankedTriple]
) -> None:
    pieces, answer = collect(engine, explainer_prompt(QUESTION, mona_lisa))
    assert len(pieces) > 1
    assert "".join(pieces) == answer.text
    assert answer.finish_reason == "stop"
    assert answer.seconds >= 0
    assert answer.tokens >= 0


@pytest.mark.parametrize("pieces", [0, 1, 3])
def test_stops_within_a_piece_and_keeps_what_was_said(
    engine: Engine, collect: Collect, mona_lisa: list[RankedTriple], pieces: int
) -> None:
    said, answer = collect(engine, explainer_prompt(QUESTION, mona_lisa), stop_after=pieces)
    assert len(said) == pieces
    assert answer.finish_reason == "stopped"
    assert answer.text == "".join(said)


def test_answers_without_facts_and_with_a_picture(engine: Engine) -> None:
    session = engine.explainer.session(Image.new("RGB", (8, 8)))
    *_, answer = session.answer(explainer_prompt("Explain this artwork.", ()), threading.Event())
    assert isinstance(answer, Answer)
    assert answer.text
    session.close()


def test_an_answer_can_be_abandoned_and_the_session_closed(
    engine: Engine, mona_lisa: list[RankedTriple]
) -> None:
    session = engine.explainer.session(None)
    stream = session.answer(explainer_prompt(QUESTION, mona_lisa), threading.Event())
    next(stream)
    stream.close()
    session.close()
    session.close()


def test_sessions_do_not_mix(engine: Engine, mona_lisa: list[RankedTriple]) -> None:
    stop = threading.Event()
    known, unknown = engine.explainer.session(None), engine.explainer.session(None)
    fresh = list(unknown.answer(explainer_prompt(QUESTION, ()), stop))
    *_, first = known.answer(explainer_prompt(QUESTION, mona_lisa), stop)
    late = engine.explainer.session(None)
    again = list(late.answer(explainer_prompt(QUESTION, ()), stop))
    assert isinstance(first, Answer)
    assert fresh[:-1] == again[:-1]


def test_judges(
    engine: Engine, collect: Collect, mona_lisa: list[RankedTriple], never: StopFlag
) -> None:
    assert engine.validator is not None
    _, answer = collect(engine, explainer_prompt(QUESTION, mona_lisa))
    prompt = validator_prompt(QUESTION, answer.text, mona_lisa)
    verdict = engine.validator.judge(prompt, answer.text, never)
    assert isinstance(verdict, Verdict)
    assert verdict.p_true is not None
    assert 0 <= verdict.p_true <= 1
    assert verdict == engine.validator.judge(prompt, answer.text, never)
