"""Runs on a Space whose GPU is lent by the call (ZeroGPU).

Such a run goes on in a process forked from the page's, which gets its arguments pickled. So what
cannot be pickled is taken from this module, where `prepare` has put it before the page opens.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing

from expartkg.engines.base import Engine
from expartkg.engines.qwen.zero_gpu import is_on, seconds_for, with_gpu
from expartkg.errors import EngineError
from expartkg.loop import UNSTEERED, explain
from expartkg.records import Artwork, Event, StopFlag
from expartkg.retrieval.retriever import Retriever
from expartkg.settings import Settings
from expartkg.steering import Steering

__all__ = ["explain_on_lent_gpu", "is_on", "prepare"]

_prepared: list[tuple[Retriever, Engine]] = []


def prepare(retriever: Retriever, engine: Engine) -> None:
    """What all runs are made with; to be called once, before the page opens."""
    _prepared[:] = [(retriever, engine)]


def explain_on_lent_gpu(
    artwork: Artwork,
    settings: Settings,
    question: str | None,
    stop: StopFlag,
    steering: Steering = UNSTEERED,
) -> Iterator[Event]:
    """The events of `loop.explain`. On `stop` the GPU is given back and `EngineError` is raised.

    The flag does not reach the other process, so that nothing is known of how the run ended there.
    """
    with closing(_with_gpu(artwork, settings, question, steering)) as events:
        for event in events:
            if stop.is_set():
                raise EngineError("Stopped. What was written so far is kept.")
            yield event


def _run(
    artwork: Artwork, settings: Settings, question: str | None, steering: Steering
) -> Generator[Event, None, None]:
    retriever, engine = _prepared[0]
    # The GPU is taken away when its time is over: the run is to end by itself before.
    settings = settings.replace(time_limit=float(seconds_for(settings)))
    yield from explain(
        artwork,
        retriever=retriever,
        engine=engine,
        settings=settings,
        question=question,
        steering=steering,
    )


def _seconds(artwork: Artwork, settings: Settings, question: str | None, steering: Steering) -> int:
    return seconds_for(settings)


_with_gpu = with_gpu(_run, _seconds)
