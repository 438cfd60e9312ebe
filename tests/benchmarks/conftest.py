"""What the benchmarks share."""

from __future__ import annotations

import time

import pytest

REFERENCE_SECONDS = 0.12
"""The workload below on a quiet core of a server; a laptop is faster."""


@pytest.fixture
def slowness() -> float:
    """How much slower than the reference this machine is just now, at least 1.

    Bounds in seconds are multiplied by it, so that a busy machine fails no benchmark.
    """
    best = min(_workload() for _ in range(3))
    return max(1.0, best / REFERENCE_SECONDS)


def _workload() -> float:
    began = time.perf_counter()
    words = {str(number): number for number in range(200_000)}
    sorted(words, key=words.__getitem__, reverse=True)
    return time.perf_counter() - began
