"""What comes of engines that do not keep to the protocol; tests/hard_use tries many more."""

from __future__ import annotations

import threading
from typing import Any, cast

import pytest

from expartkg.engines.base import AnswerStream, Engine, Session
from expartkg.engines.checked import CHARACTERS_A_TOKEN, checked_session
from expartkg.engines.scripted import scripted_engine
from expartkg.errors import EngineError
from expartkg.records import Answer, Prompt, StopFlag

PROMPT = Prompt("System.", "Text.", "Question?")


class Speaking(Session):
    """An engine of one session that says the same again and again."""

    def __init__(self, piece: str) -> None:
        self.piece = piece
        self.closed = False

    def session(self, image: object) -> Session:
        return self

    def answer(self, prompt: Prompt, stop: StopFlag) -> AnswerStream:
        try:
            while True:
                yield self.piece
        finally:
            self.closed = True

    def close(self) -> None:
        raise ZeroDivisionError


def engine_of(explainer: object) -> Engine:
    return Engine("odd", cast(Any, explainer), None)


@pytest.mark.parametrize("piece", ["x", "word ", "x" * 1000])
def test_an_answer_without_end_is_cut(piece: str, caplog: pytest.LogCaptureFixture) -> None:
    speaking = Speaking(piece)
    with checked_session(engine_of(speaking), None, most_tokens=10) as session:
        *said, answer = session.answer(PROMPT, threading.Event())
    assert isinstance(answer, Answer)
    assert answer.finish_reason == "length"
    assert answer.text == "".join(map(str, said))
    assert len(answer.text) == 10 * CHARACTERS_A_TOKEN
    assert speaking.closed
    assert "it goes on and on" in caplog.text


def test_a_session_that_cannot_be_closed_spoils_nothing(caplog: pytest.LogCaptureFixture) -> None:
    with checked_session(engine_of(Speaking("x")), None, most_tokens=1) as session:
        *_, answer = session.answer(PROMPT, threading.Event())
    assert isinstance(answer, Answer)
    assert "cannot be closed" in caplog.text


def test_an_answer_within_its_limit_is_what_the_engine_gave() -> None:
    with checked_session(scripted_engine(["One two."]), None, most_tokens=10) as session:
        *said, answer = session.answer(PROMPT, threading.Event())
    assert said == ["One", " two."]
    assert isinstance(answer, Answer)
    assert (answer.text, answer.finish_reason, answer.tokens) == ("One two.", "stop", 2)


@pytest.mark.parametrize("odd", [None, 5, lambda: 1 / 0], ids=["nothing", "a number", "a function"])
def test_what_is_no_explainer_is_said(odd: object) -> None:
    with (
        pytest.raises(EngineError, match="The engine odd failed: AttributeError"),
        checked_session(engine_of(odd), None, most_tokens=10),
    ):
        raise AssertionError("there is no session")


@pytest.mark.parametrize("error", [SystemExit(1), KeyboardInterrupt()])
def test_what_would_end_a_thread_silently_is_said(error: BaseException) -> None:
    class Ending(Speaking):
        def answer(self, prompt: Prompt, stop: StopFlag) -> AnswerStream:
            yield "Half"
            raise error

    heard: list[object] = []

    def listen() -> None:
        with checked_session(engine_of(Ending("")), None, most_tokens=10) as session:
            try:
                for piece in session.answer(PROMPT, threading.Event()):
                    heard.append(piece)  # noqa: PERF402  # what came before the fault counts
            except EngineError as failure:
                heard.append(str(failure))

    thread = threading.Thread(target=listen)
    thread.start()
    thread.join()
    name = type(error).__name__
    assert heard[0] == "Half"
    assert str(heard[1]).startswith(f"The engine odd failed: {name}")


def test_ctrl_c_is_no_failure_of_the_engine() -> None:
    class Interrupted(Speaking):
        def answer(self, prompt: Prompt, stop: StopFlag) -> AnswerStream:
            yield "Half"
            raise KeyboardInterrupt

    with checked_session(engine_of(Interrupted("")), None, most_tokens=10) as session:
        stream = session.answer(PROMPT, threading.Event())
        next(stream)
        with pytest.raises(KeyboardInterrupt):
            next(stream)
