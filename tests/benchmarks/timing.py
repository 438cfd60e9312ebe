"""Measuring one call after the other."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import TypeVar

Given = TypeVar("Given")


def processor_seconds(run: Callable[[Given], object], each: Iterable[Given]) -> list[float]:
    """Of each call: what others do on the machine at the time does not count."""
    times = []
    for given in each:
        began = time.process_time()
        run(given)
        times.append(time.process_time() - began)
    return times
