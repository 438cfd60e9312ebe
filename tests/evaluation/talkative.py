"""An engine of one function from prompt to text, which remembers all that it was asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from PIL.Image import Image

from expartkg.engines.base import AnswerStream, Engine, Session
from expartkg.records import Answer, Prompt, StopFlag, Verdict


@dataclass
class Asked:
    """What an engine was asked, in order."""

    prompts: list[Prompt] = field(default_factory=list)
    judged: list[Prompt] = field(default_factory=list)
    images: list[Image | None] = field(default_factory=list)
    open_sessions: int = 0


def talkative_engine(
    write: Callable[[Prompt], str], p_true: Callable[[str], float], *, repeatable: bool = True
) -> tuple[Engine, Asked]:
    """An engine like a greedy model: the same prompt, the same answer, in any session."""
    asked = Asked()
    description: dict[str, object] = {"explainer": "function", "sees_pictures": True}
    explainer, validator = _Explainer(write, asked), _Validator(p_true, asked)
    engine = Engine("talkative", explainer, validator, description, repeatable=repeatable)
    return engine, asked


@dataclass
class _Explainer:
    write: Callable[[Prompt], str]
    asked: Asked

    def session(self, image: Image | None) -> _Session:
        self.asked.images.append(image)
        self.asked.open_sessions += 1
        return _Session(self.write, self.asked)


@dataclass
class _Session(Session):
    write: Callable[[Prompt], str]
    asked: Asked

    def answer(self, prompt: Prompt, stop: StopFlag) -> AnswerStream:
        self.asked.prompts.append(prompt)
        text = self.write(prompt)
        yield text
        yield Answer(text, "stop", len(text.split()), 1.5)

    def close(self) -> None:
        self.asked.open_sessions -= 1


@dataclass
class _Validator:
    p_true: Callable[[str], float]
    asked: Asked

    def judge(self, prompt: Prompt, answer: str, stop: StopFlag) -> Verdict:
        self.asked.judged.append(prompt)
        p = self.p_true(answer)
        return Verdict(p > 0.5, p, 1.0, "forced")
