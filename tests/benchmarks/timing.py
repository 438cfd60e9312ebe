"""Measuring one call after the other."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable


def processor_seconds(run: Callable[[str], object], texts: Iterable[str]) -> list[float]:
    """Of each call: what others do on the machine at the time does not count."""
    times = []
    for text in texts:
        began = time.process_time()
        run(text)
        times.append(time.process_time() - began)
    return times
