"""The boundary to engines, which are other people's code, drivers and servers.

Whatever happens behind it comes out as text, an `Answer`, a `Verdict` or an `EngineError`: an
engine may raise anything, give what is none of these, or write without end.
"""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from numbers import Real
from typing import TYPE_CHECKING, get_args

from expartkg.engines.base import AnswerStream, Engine, Session
from expartkg.errors import EngineError, ExpArtError, in_one_line
from expartkg.records import Answer, FinishReason, Prompt, StopFlag, Verdict, VerdictMethod

if TYPE_CHECKING:
    from PIL.Image import Image

CHARACTERS_A_TOKEN = 32
"""More than a token of any answer has on average; what is beyond, no model with a limit writes."""

log = logging.getLogger(__name__)


class CheckedSession:
    """A session that gives what the protocol promises, and at most `most_tokens` an answer."""

    def __init__(self, name: str, session: Session, most_tokens: int) -> None:
        self._name = name
        self._session = session
        self._most = most_tokens * CHARACTERS_A_TOKEN

    @property
    def description(self) -> Mapping[str, object]:
        with _failures_of(self._name):
            return dict(self._session.description)

    def answer(self, prompt: Prompt, stop: StopFlag) -> AnswerStream:
        """As `Session.answer`, last an `Answer` in any case.

        One of more than `CHARACTERS_A_TOKEN` characters for each token that it may have is cut
        there, with the finish reason `length`. Raises `EngineError`.
        """
        said: list[str] = []
        room = self._most
        with _failures_of(self._name), closing(self._session.answer(prompt, stop)) as stream:
            for piece in stream:
                if isinstance(piece, Answer):
                    yield self._whole(piece)
                    return
                if not isinstance(piece, str):
                    raise EngineError(f"The engine {self._name} wrote {_shown(piece)}, no text.")
                said.append(piece[:room])
                yield said[-1]
                if (room := room - len(piece)) <= 0:
                    log.warning("an answer of the engine %s is cut: it goes on and on", self._name)
                    yield Answer("".join(said), "length")
                    return
        raise EngineError(f"The engine {self._name} ended without an answer.")

    def _whole(self, answer: Answer) -> Answer:
        numbers = answer.tokens, answer.seconds
        if (
            not isinstance(answer.text, str)
            or answer.finish_reason not in get_args(FinishReason)
            or not all(isinstance(number, Real) and 0 <= number < math.inf for number in numbers)
        ):
            raise EngineError(f"The engine {self._name} gave no answer, but {_shown(answer)}.")
        if len(answer.text) <= self._most:
            return answer
        return Answer(answer.text[: self._most], "length", answer.tokens, answer.seconds)


@contextmanager
def checked_session(
    engine: Engine, image: Image | None, most_tokens: int
) -> Iterator[CheckedSession]:
    """A session of the engine, closed at the end. Raises `EngineError` if it cannot be had.

    A session that cannot be closed is logged: what was written before is none the worse.
    """
    with _failures_of(engine.name):
        session = engine.explainer.session(image)
    try:
        yield CheckedSession(engine.name, session, most_tokens)
    finally:
        close_session(engine.name, session)


def close_session(name: str, session: Session) -> None:
    """Closes a session of the engine of that name, or logs why it cannot."""
    try:
        with _failures_of(name):
            session.close()
    except ExpArtError:
        log.warning("a session of the engine %s cannot be closed", name)


def checked_verdict(engine: Engine, prompt: Prompt, answer: str, stop: StopFlag) -> Verdict:
    """The verdict of the engine, which must have a validator. Raises `EngineError`."""
    assert engine.validator is not None
    with _failures_of(engine.name):
        verdict = engine.validator.judge(prompt, answer, stop)
        if not _is_verdict(verdict):
            raise EngineError(
                f"The engine {engine.name} judged the answer {_shown(verdict)}, which is no "
                "verdict: True or False, with probabilities from 0 to 1."
            )
    return verdict


class CheckedValidator:
    """The validator of an engine, which must have one, with verdicts that are some."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def judge(self, prompt: Prompt, answer: str, stop: StopFlag) -> Verdict:
        return checked_verdict(self._engine, prompt, answer, stop)


def _is_verdict(verdict: object) -> bool:
    return (
        isinstance(verdict, Verdict)
        and isinstance(verdict.accepted, bool)
        and verdict.method in get_args(VerdictMethod)
        and _is_probability(verdict.p_true)
        and _is_probability(verdict.mass)
    )


def _is_probability(value: object) -> bool:
    return value is None or (isinstance(value, float | int) and 0 <= value <= 1)


@contextmanager
def _failures_of(name: str) -> Iterator[None]:
    """What an engine raises, as an `EngineError`: also what would end a thread, or the process.

    Ctrl-C, which only the main thread gets, is no failure of the engine.
    """
    try:
        yield
    except (ExpArtError, GeneratorExit):
        raise
    except BaseException as error:
        is_main = threading.current_thread() is threading.main_thread()
        if isinstance(error, KeyboardInterrupt) and is_main:
            raise
        log.exception("the engine %s failed", name)
        said = f": {told}" if (told := in_one_line(error)) else ""
        raise EngineError(f"The engine {name} failed: {type(error).__name__}{said}") from error


def _shown(value: object) -> str:
    return in_one_line(repr(value))
