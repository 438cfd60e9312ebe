"""The two small protocols that every engine implements. Knows no graph, no loop and no page."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from expartkg.records import Answer, Prompt, StopFlag, Verdict

if TYPE_CHECKING:
    from PIL.Image import Image

AnswerStream = Generator[str | Answer, None, None]
Progress = Callable[[str], None]
"""Takes a sentence on how far loading has come, for a terminal or a page."""


class Session(Protocol):
    """One run with one picture, which is encoded once however many answers are written."""

    @property
    def description(self) -> Mapping[str, object]:
        """What the Run is to tell of this session alone, such as the resolution of the picture."""
        return {}

    def answer(self, prompt: Prompt, stop: StopFlag) -> AnswerStream:
        """Yields pieces of text and, last, the `Answer`, whose `text` is all pieces joined.

        Ends as soon as `stop` is set, with finish reason `stopped` and the text so far.
        Raises `EngineError` if the engine fails; what was yielded before stands.
        """
        ...

    def close(self) -> None:
        """Frees what the session holds. Called once, also after an error."""
        ...


class Explainer(Protocol):
    """Writes explanations: the LVLM of the paper, or something in its place."""

    def session(self, image: Image | None) -> Session:
        """A new session for a picture (RGB), or for none."""
        ...


class Validator(Protocol):
    """Judges an answer True or False: step 4 of Section 2."""

    def judge(self, prompt: Prompt, answer: str, stop: StopFlag) -> Verdict:
        """The verdict on `answer`; `prompt` is the validator's prompt of Table 2, filled in.

        Model engines read `prompt.system` and `prompt.text` and nothing else. Raises `EngineError`
        if the engine fails, or if `stop` was set before there was a verdict.
        """
        ...


@dataclass(frozen=True, slots=True)
class Engine:
    """An explainer and a validator under one name.

    `description` goes into the Run (models, revisions, devices, `sees_pictures`); `notice`, if
    there is one, is shown wherever an answer of this engine is shown. `repeatable` says that the
    same picture and prompt give the same answer in any session and at any turn, and the same
    answer the same verdict; then an experiment need not ask twice.
    """

    name: str
    explainer: Explainer
    validator: Validator | None
    description: Mapping[str, object] = field(default_factory=dict)
    notice: str | None = None
    repeatable: bool = False
