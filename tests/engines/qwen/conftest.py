"""The engine as it is, NF4 and all, with tiny random models on the CPU."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from PIL import Image

from expartkg.engines.base import AnswerStream, Engine, Session
from expartkg.engines.qwen.session import QwenExplainer
from expartkg.prompts import explainer_prompt
from expartkg.records import Answer, Prompt, RankedTriple, StopFlag

IMAGE_TOKENS = 64
NEW_TOKENS = 12
"""As `tiny_settings` has it."""


@pytest.fixture(scope="session")
def engine(tiny_qwen: Engine) -> Engine:
    return tiny_qwen


@pytest.fixture(scope="session")
def explainer(engine: Engine) -> QwenExplainer:
    assert isinstance(engine.explainer, QwenExplainer)
    return engine.explainer


@pytest.fixture(scope="session")
def change(explainer: QwenExplainer) -> Callable[..., QwenExplainer]:
    """The explainer with some of its parts replaced."""
    return lambda **parts: dataclasses.replace(explainer, **parts)


@pytest.fixture(scope="session")
def photo() -> Image.Image:
    return noise(480, 640, seed=0)


@pytest.fixture(scope="session")
def other_photo() -> Image.Image:
    return noise(900, 320, seed=1)


def noise(height: int, width: int, seed: int) -> Image.Image:
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    return Image.fromarray(pixels)


@pytest.fixture
def prompts(mona_lisa: list[RankedTriple], fact: Callable[..., RankedTriple]) -> list[Prompt]:
    """As the iterations of a run have them: with facts, with others, and without."""
    question = 'Explain the artwork "Mona Lisa".'
    others = [fact("Louvre", "country", "France"), fact("Louvre", "architect", "I. M. Pei")]
    return [explainer_prompt(question, facts) for facts in (mona_lisa, others, [])]


@pytest.fixture
def visits(
    prompts: list[Prompt], photo: Image.Image, other_photo: Image.Image
) -> list[tuple[Image.Image | None, Prompt]]:
    """Three runs that have nothing in common."""
    return list(zip((photo, other_photo, None), prompts, strict=True))


@pytest.fixture(scope="session")
def say() -> Callable[..., Answer]:
    """A session's answer to a prompt."""

    def answer(session: Session, prompt: Prompt, stop: StopFlag | None = None) -> Answer:
        *pieces, last = session.answer(prompt, stop or threading.Event())
        assert isinstance(last, Answer)
        assert "".join(str(piece) for piece in pieces) == last.text
        return last

    return answer


def alternate(streams: Sequence[AnswerStream]) -> Iterator[Answer]:
    """The answers of several runs, each of which goes on by a piece in its turn."""
    streams = list(streams)
    while streams:
        for stream in list(streams):
            piece = next(stream)
            if isinstance(piece, Answer):
                streams.remove(stream)
                yield piece


def raising(error: Exception) -> Callable[..., Any]:
    """A function that fails, whatever it is given."""

    def fail(*_: object, **__: object) -> None:
        raise error

    return fail
