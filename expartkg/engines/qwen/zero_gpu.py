"""Spaces on ZeroGPU, where a GPU is lent for the length of one call.

The call runs in a process forked from the page's. Models are put on `cuda` when they are loaded,
which ZeroGPU makes good in the fork; nothing can be warmed up or recorded beforehand, so every
answer is decoded plainly. Off ZeroGPU nothing here changes anything.
"""

from __future__ import annotations

import importlib
import inspect
import math
import os
from collections.abc import Callable, Generator
from typing import ParamSpec, TypeVar

from expartkg.settings import Settings

P = ParamSpec("P")
T = TypeVar("T")
Events = Generator[T, None, None]

SECONDS_FOR_AN_ITERATION = 24
"""What one iteration is given: an answer of a few hundred tokens, decoded plainly, and its verdict.
Five are 120 s, the longest call that ZeroGPU's documentation shows."""


def is_on() -> bool:
    """Whether this process is the page of a ZeroGPU Space."""
    return os.environ.get("SPACES_ZERO_GPU", "").lower() in ("1", "t", "true")


def seconds_for(settings: Settings) -> int:
    """How long a run may hold the GPU: by its iterations, and no longer than its time limit."""
    return math.ceil(min(settings.time_limit, settings.rounds * SECONDS_FOR_AN_ITERATION))


def with_gpu(run: Callable[P, Events[T]], seconds: Callable[P, int]) -> Callable[P, Events[T]]:
    """`run` with the GPU held while it goes on; on other machines `run` itself.

    `run` is a generator function at the top of its module, all of whose arguments and results can
    be pickled; `seconds` takes the same arguments. Closing the generator gives the GPU back.
    """
    if not inspect.isgeneratorfunction(run):
        raise TypeError(f"{run} is no generator function, and ZeroGPU would wait for its end.")
    if not is_on():
        return run
    decorated: Callable[P, Events[T]] = importlib.import_module("spaces").GPU(run, duration=seconds)
    return decorated
