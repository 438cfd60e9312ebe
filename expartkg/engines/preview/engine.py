"""The preview's explainer, and the engine that is made of it and the rule."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from expartkg.engines.base import AnswerStream, Engine, Session
from expartkg.engines.preview.rule import THRESHOLD, RuleValidator
from expartkg.engines.preview.wording import named
from expartkg.engines.preview.writer import write
from expartkg.prompts import QUESTION_WITHOUT_TITLE
from expartkg.records import ARTWORK, Answer, Entity, Prompt, RankedTriple, StopFlag, Triple

if TYPE_CHECKING:
    from PIL.Image import Image

NOTICE = (
    "Preview without a vision model: sentences are assembled from the graph's facts; "
    "the picture is not looked at."
)
WITHOUT_TITLE = (
    "This preview cannot see the picture, so without a title it cannot tell which work this is."
)
NOTHING_KNOWN = (
    "The graph gave no facts for this question. This preview cannot see the picture, so there is "
    "nothing else to go by."
)
WHAT_TO_DO = (
    "Give the title as a catalogue has it, pick an artwork of the graph, or use an engine with a "
    "vision model."
)
NO_WORK_KNOWN = (
    "The question names no work that the graph knows, and this preview cannot see the picture. "
    "What follows is about {name}."
)


def preview_engine() -> Engine:
    """The engine for a machine without a model."""
    return Engine(
        "preview",
        _PreviewExplainer(),
        RuleValidator(),
        {
            "explainer": "preview templates",
            "validator": "preview rule",
            "threshold": THRESHOLD,
            "sees_pictures": False,
        },
        notice=NOTICE,
    )


class _PreviewExplainer:
    """Writes from `prompt.facts` and looks at no picture."""

    def session(self, image: Image | None) -> _PreviewSession:
        return _PreviewSession()


class _PreviewSession(Session):
    """One run: remembers its facts, so that every answer says what all iterations found."""

    def __init__(self) -> None:
        self._facts: dict[Triple, None] = {}
        self._subject: Entity | None = None

    def answer(self, prompt: Prompt, stop: StopFlag) -> AnswerStream:
        began = time.monotonic()
        self._learn(prompt.facts)
        said: list[str] = []
        for piece in re.findall(r"\s*\S+", self._text(prompt.question)):
            if stop.is_set():
                yield Answer("".join(said), "stopped", seconds=time.monotonic() - began)
                return
            said.append(piece)
            yield piece
        yield Answer("".join(said), "stop", seconds=time.monotonic() - began)

    def close(self) -> None:
        """Nothing is held."""

    def _learn(self, facts: Sequence[RankedTriple]) -> None:
        """Adds the facts; the first ones decide what the run is about, whatever comes later."""
        self._facts.update(dict.fromkeys(fact.triple for fact in facts))
        if self._subject is None and facts:
            anchors = [fact.anchor for fact in facts]
            works = [anchor for anchor in anchors if anchor.kind == ARTWORK]
            self._subject = (works or anchors)[0]

    def _text(self, question: str) -> str:
        if self._subject is None:
            known = WITHOUT_TITLE if question == QUESTION_WITHOUT_TITLE else NOTHING_KNOWN
            return f"{known} {WHAT_TO_DO}"
        text = write(self._facts, self._subject)
        if self._subject.kind in (ARTWORK, ""):
            return text
        return f"{NO_WORK_KNOWN.format(name=named(self._subject))}\n\n{text}"
