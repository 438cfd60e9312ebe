"""All runs about one work share its picture, and no answer is written twice.

Several runs of an experiment are about the same picture, and many of their prompts are equal:
without a title every first prompt is, and a run whose answers name the same entities again comes
back to the prompt before. Greedy decoding gives the same answer to the same prompt.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING

from expartkg.engines.base import AnswerStream, Engine, Session, Validator
from expartkg.engines.checked import close_session
from expartkg.records import Answer, Prompt, StopFlag, Verdict

if TYPE_CHECKING:
    from PIL.Image import Image

Asked = tuple[str, str]


class OneWork:
    """An engine for all runs about one work, which counts what is really written.

    It remembers answers and verdicts only where the engine's are `repeatable`.
    """

    def __init__(self, engine: Engine) -> None:
        self._explainer = engine.explainer
        self._repeatable = engine.repeatable
        self._session: Session | None = None
        self.answers: dict[Asked, Answer] = {}
        self.written = 0
        self.tokens = 0
        validator = engine.validator
        if validator and engine.repeatable:
            validator = _RememberingValidator(validator)
        self.engine = dataclasses.replace(engine, explainer=self, validator=validator)

    def session(self, image: Image | None) -> Session:
        """For one run: a session of its own, or its turn at the one that all share."""
        if not self._repeatable:
            return _CountedSession(self, self._explainer.session(image))
        if self._session is None:
            self._session = self._explainer.session(image)
        return _SharedSession(self, self._session)

    def count(self, answer: Answer) -> None:
        """One more answer was written."""
        self.written += 1
        self.tokens += answer.tokens

    def close(self) -> None:
        """Frees the picture, if it is still held."""
        if self._session is not None:
            close_session(self.engine.name, self._session)
            self._session = None


class _CountedSession(Session):
    """A session whose answers are counted."""

    def __init__(self, work: OneWork, session: Session) -> None:
        self._work = work
        self._session = session

    @property
    def description(self) -> Mapping[str, object]:
        return self._session.description

    def answer(self, prompt: Prompt, stop: StopFlag) -> AnswerStream:
        for piece in self._session.answer(prompt, stop):
            if isinstance(piece, Answer):
                self._work.count(piece)
            yield piece

    def close(self) -> None:
        self._session.close()


class _SharedSession(_CountedSession):
    """A turn at the session of all runs about a work."""

    def answer(self, prompt: Prompt, stop: StopFlag) -> AnswerStream:
        asked = prompt.system, prompt.text
        known = self._work.answers.get(asked)
        if known:
            yield known.text
            yield dataclasses.replace(known, seconds=0.0)
            return
        for piece in super().answer(prompt, stop):
            if isinstance(piece, Answer) and piece.finish_reason != "stopped":
                self._work.answers[asked] = piece
            yield piece

    def close(self) -> None:
        """The picture is still needed: `OneWork.close` frees it."""


class _RememberingValidator:
    """Judges each answer to a question once."""

    def __init__(self, validator: Validator) -> None:
        self._validator = validator
        self._verdicts: dict[Asked, Verdict] = {}

    def judge(self, prompt: Prompt, answer: str, stop: StopFlag) -> Verdict:
        asked = prompt.system, prompt.text
        if asked not in self._verdicts:
            self._verdicts[asked] = self._validator.judge(prompt, answer, stop)
        return self._verdicts[asked]
