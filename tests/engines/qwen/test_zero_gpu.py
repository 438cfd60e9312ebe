"""A Space whose GPU is lent by the call."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from types import SimpleNamespace
from typing import Any

import pytest

from expartkg.engines.qwen import zero_gpu
from expartkg.settings import Settings


def count_to(number: int) -> Generator[int, None, None]:
    yield from range(number)


@pytest.fixture
def on_zero_gpu(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What `spaces.GPU` was given."""
    given: list[Any] = []

    def gpu(run: Callable[..., Any], duration: Callable[..., int]) -> Callable[..., Any]:
        given.extend((run, duration))
        return run

    monkeypatch.setenv("SPACES_ZERO_GPU", "true")
    monkeypatch.setitem(sys.modules, "spaces", SimpleNamespace(GPU=gpu))
    return given


def test_elsewhere_a_run_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPACES_ZERO_GPU", raising=False)
    assert not zero_gpu.is_on()
    assert zero_gpu.with_gpu(count_to, lambda number: number) is count_to


def test_there_it_asks_for_the_time_that_it_needs(on_zero_gpu: list[Any]) -> None:
    run = zero_gpu.with_gpu(count_to, lambda number: 10 * number)
    assert list(run(3)) == [0, 1, 2]
    asked, duration = on_zero_gpu
    assert asked is count_to
    assert duration(3) == 30


def test_a_function_that_returns_a_generator_is_refused() -> None:
    with pytest.raises(TypeError, match="is no generator function"):
        zero_gpu.with_gpu(lambda: count_to(3), lambda: 1)


@pytest.mark.parametrize(
    ("settings", "seconds"),
    [
        (Settings(), 120),
        (Settings(max_iterations=2), 48),
        (Settings(method="baseline"), 24),
        (Settings(time_limit=30.5), 31),
    ],
)
def test_the_time_goes_by_the_settings(settings: Settings, seconds: int) -> None:
    assert zero_gpu.seconds_for(settings) == seconds
