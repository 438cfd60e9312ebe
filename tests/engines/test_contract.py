"""What holds for every engine. A new one is added to `ENGINES`, with a fixture of its name."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import cast

import pytest
from PIL import Image

from expartkg.engines import Engine
from expartkg.engines.preview import preview_engine
from expartkg.engines.remote import remote_engine
from expartkg.engines.scripted import scripted_engine
from expartkg.prompts import explainer_prompt, validator_prompt
from expartkg.records import Answer, Prompt, RankedTriple, StopFlag, Verdict
from expartkg.settings import Settings
from tests.engines.fault_server import serving

QUESTION = 'Explain the artwork "Mona Lisa".'
MODEL_ENGINES = ("qwen", "remote")
ENGINES = ("preview", "scripted", *MODEL_ENGINES)
Collect = Callable[..., tuple[list[str], Answer]]


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Engine:
    return cast("Engine", request.getfixturevalue(request.param))


@pytest.fixture(params=MODEL_ENGINES)
def model_engine(request: pytest.FixtureRequest) -> Engine:
    return cast("Engine", request.getfixturevalue(request.param))


@pytest.fixture
def preview() -> Engine:
    return preview_engine()


@pytest.fixture
def scripted() -> Engine:
    return scripted_engine(["One answer in a few words.", "Another."], [0.4, 0.9])


@pytest.fixture
def remote(monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving() as server:
        yield remote_engine(Settings(remote_url=server.url))


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


def test_a_model_is_given_the_prompts_texts_and_nothing_else(
    model_engine: Engine, never: StopFlag, mona_lisa: list[RankedTriple]
) -> None:
    prompt = _texts_of(explainer_prompt(QUESTION, mona_lisa))
    session = model_engine.explainer.session(None)
    *_, answer = session.answer(prompt, never)
    session.close()
    assert isinstance(answer, Answer)
    validator = model_engine.validator
    assert validator is not None
    given = validator_prompt(QUESTION, answer.text, mona_lisa)
    verdict = validator.judge(_texts_of(given), answer.text, never)
    assert verdict == validator.judge(given, answer.text, never)


def _texts_of(prompt: Prompt) -> Prompt:
    """A prompt that has no `question` and no `facts` to look at."""
    return cast("Prompt", SimpleNamespace(system=prompt.system, text=prompt.text))
