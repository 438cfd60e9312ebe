"""An engine that says what it was told to say: for tests and demonstrations."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from expartkg.engines.base import AnswerStream, Engine, Session
from expartkg.errors import EngineError
from expartkg.records import Answer, Prompt, StopFlag, Verdict

if TYPE_CHECKING:
    from PIL.Image import Image

POLL_SECONDS = 0.02


def scripted_engine(
    answers: Sequence[str | Exception],
    p_true: Sequence[float | Exception] = (),
    *,
    seconds_per_word: float = 0.0,
) -> Engine:
    """An engine whose n-th answer in a session is `answers[n]`, the last one for ever after.

    `p_true[n]` is the verdict on `answers[n]`, accepted above one half; without any, the engine
    has no validator. An exception in either list is raised in its turn. `seconds_per_word` makes
    it as slow as a model. Verdicts belong to texts, so two runs at once never mix.
    """
    verdicts = {
        answer: verdict
        for answer, verdict in zip(answers, p_true, strict=False)
        if isinstance(answer, str)
    }
    validator = _ScriptedValidator(verdicts) if p_true else None
    explainer = _ScriptedExplainer(tuple(answers), seconds_per_word)
    return Engine(
        "scripted",
        explainer,
        validator,
        {"explainer": "script", "validator": "script", "sees_pictures": False},
        notice="These answers were written beforehand; no model made them.",
    )


class _ScriptedExplainer:
    def __init__(self, answers: tuple[str | Exception, ...], seconds_per_word: float) -> None:
        self._answers = answers
        self._seconds_per_word = seconds_per_word

    def session(self, image: Image | None) -> _ScriptedSession:
        return _ScriptedSession(self._answers, self._seconds_per_word)


class _ScriptedSession(Session):
    def __init__(self, answers: tuple[str | Exception, ...], seconds_per_word: float) -> None:
        self._answers = answers
        self._seconds_per_word = seconds_per_word
        self._turn = 0

    def answer(self, prompt: Prompt, stop: StopFlag) -> AnswerStream:
        scripted = self._answers[min(self._turn, len(self._answers) - 1)]
        self._turn += 1
        if isinstance(scripted, Exception):
            raise scripted
        began = time.monotonic()
        said: list[str] = []
        for piece in pieces(scripted):
            _wait(self._seconds_per_word, stop)
            if stop.is_set():
                text = "".join(said)
                yield Answer(text, "stopped", len(said), time.monotonic() - began)
                return
            said.append(piece)
            yield piece
        yield Answer(scripted, "stop", len(said), time.monotonic() - began)

    def close(self) -> None:
        """Nothing is held."""


class _ScriptedValidator:
    def __init__(self, p_true: Mapping[str, float | Exception]) -> None:
        self._p_true = p_true

    def judge(self, prompt: Prompt, answer: str, stop: StopFlag) -> Verdict:
        p_true = self._p_true.get(answer)
        if p_true is None:
            raise EngineError("The script has no verdict on this answer.")
        if isinstance(p_true, Exception):
            raise p_true
        return Verdict(p_true > 0.5, p_true, 1.0, "forced")


def pieces(text: str) -> list[str]:
    """The words of a text, each with the blank before it: joined they are the text again."""
    words = text.split(" ")
    return [word if number == 0 else " " + word for number, word in enumerate(words)]


def _wait(seconds: float, stop: StopFlag) -> None:
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0 and not stop.is_set():
        time.sleep(min(left, POLL_SECONDS))
