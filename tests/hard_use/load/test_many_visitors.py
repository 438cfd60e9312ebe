"""Many visitors at once, of all sorts, at a page whose engine sleeps like a GPU.

With `EXPARTKG_LARGE=1` they are 50 and stay for ten minutes. What is computed begins with how long
the engine was really used, so that a busy machine changes the figures and not what holds of them.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import pytest

from tests.e2e.program import connected
from tests.e2e.starting import Served, free_port, served
from tests.hard_use.load.journal import History, Place
from tests.hard_use.load.visitors import Asked, visit
from tests.hard_use.load.watching import Sample, Watch, processor_seconds, sample

T = TypeVar("T")

LARGE = os.environ.get("EXPARTKG_LARGE") == "1"
VISITORS, SECONDS, THINK_SECONDS, PACE = (50, 600.0, 85.0, 1.0) if LARGE else (12, 6.0, 2.0, 0.2)
WARM_SECONDS = 60.0
PATIENCE_SECONDS = 150.0
LAG_SECONDS = 20.0 if LARGE else 60.0
"""How long it may take from a visitor to the line, and back."""

pytestmark = pytest.mark.timeout(3 * SECONDS + 600)


@dataclass(frozen=True)
class Rush:
    """What came of it: `book` is what was asked for, `stumbles` what visitors did not expect."""

    page: Served
    book: list[Asked]
    stumbles: list[str]
    history: History
    watch: Watch
    calm: Sample

    def place_of(self, asked: Asked) -> Place | None:
        return next((p for p in self.history.places if asked.name in p.names), None)


@pytest.fixture(scope="module")
def rush(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rush]:
    folder = tmp_path_factory.mktemp("rush")
    port, journal = free_port(), folder / "journal"
    command = ["tests/hard_use/load/server.py", str(port), str(journal), str(PACE)]
    with served(command, folder / "log", port) as page:
        book: list[Asked] = []
        watch = Watch(page.pid, folder / "uploads", 5 if LARGE else 1)
        used = processor_seconds(page.pid)
        with watch.watching():
            stumbles = asyncio.run(_bounded(page, book))
        used = processor_seconds(page.pid) - used
        calm = _calm_after(page, folder / "uploads")
        history = _until(lambda: History.read(journal), lambda found: bool(found.threads))
        rush = Rush(page, book, stumbles, history, watch, calm)
        print(_report(rush, used))
        yield rush


async def _bounded(page: Served, book: list[Asked]) -> list[str]:
    async with asyncio.timeout(2 * SECONDS + PATIENCE_SECONDS):
        return await visit(page.url, VISITORS, SECONDS, THINK_SECONDS, book)


def _calm_after(page: Served, uploads: Path) -> Sample:
    """When all have gone, and the hour is over for which files are kept."""

    def look() -> Sample:
        os.kill(page.pid, signal.SIGUSR1)
        with connected(page) as client:
            client.get("config")
        time.sleep(0.5)
        return sample(page.pid, uploads)

    return _until(look, lambda seen: seen.uploads == 0 and seen.children == 0, 1.0)


def _until(look: Callable[[], T], enough: Callable[[T], bool], pause_seconds: float = 0.1) -> T:
    """What is seen when it is enough, or when patience is at its end."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not enough(seen := look()) and time.monotonic() < end:
        time.sleep(pause_seconds)
    return seen


def _report(rush: Rush, used: float) -> str:
    """All that the table in tests/README.md has, and more."""
    kinds = sorted({asked.kind for asked in rush.book})
    endings = ("answer", "stopped", "left", "crowded", "failed", "lost")
    lines = [f"{'asked':32}" + "".join(f"{ending:>9}" for ending in endings)]
    for kind in [*kinds, ""]:
        of_kind = [asked for asked in rush.book if kind in ("", asked.kind)]
        counts = [sum(asked.ending == ending for asked in of_kind) for ending in endings]
        lines.append(f"{kind or 'all':32}" + "".join(f"{count:9}" for count in counts))
    measured, computed = waits_of(rush)
    seen = [a.started - a.asked for a in rush.book if a.started is not None]
    services = [place.service for place in rush.history.served]
    first, last = _warm(rush.watch), rush.watch.samples[-1]
    return "\n".join(
        [
            "",
            *lines,
            f"{len(rush.history.places)} places in the line, {len(services)} of them served, "
            f"{rush.history.refused} times full; longest line "
            f"{max(place.ahead for place in rush.history.places) + 1}",
            f"engine used {sum(services):.0f} s, {sum(services) / len(services):.2f} s each",
            f"wait: median {_quantile(measured, 0.5):.2f} s, p95 {_quantile(measured, 0.95):.2f} s;"
            f" computed from the queue {_quantile(computed, 0.5):.2f} s and "
            f"{_quantile(computed, 0.95):.2f} s; as visitors saw it {_quantile(seen, 0.5):.2f} s "
            f"and {_quantile(seen, 0.95):.2f} s",
            f"memory: {first.memory:.1f} MB when warm, {last.memory:.1f} MB at the end "
            f"({last.memory / first.memory - 1:+.1%}), {rush.calm.memory:.1f} MB when calm",
            f"calm: {rush.calm.threads} threads, {rush.calm.open_files} open files, "
            f"{rush.calm.children} children, {rush.calm.uploads} uploads",
            f"processor: {used:.1f} s",
            rush.watch.table(),
        ]
    )


def waits_of(rush: Rush) -> tuple[list[float], list[float]]:
    """How long those who were served waited, by the server's clock, and as it is computed."""
    computed = rush.history.computed_waits()
    served = [(place, place.turn) for place in rush.history.places if place.turn is not None]
    measured = [turn - place.joined for place, turn in served]
    return measured, [computed[place.number] for place, _ in served]


def _quantile(values: list[float], part: float) -> float:
    return sorted(values)[max(0, math.ceil(part * len(values)) - 1)]


def _warm(watch: Watch) -> Sample:
    """After the first minute, or a third of the time if that is less."""
    warm = watch.samples[0].at + min(WARM_SECONDS, SECONDS / 3)
    return next(one for one in watch.samples if one.at >= warm)


def test_nobody_stumbles(rush: Rush) -> None:
    """Pages, searches, suggestions, uploads: all that is not an explanation answers as ever."""
    assert not rush.stumbles
    assert "Traceback" not in rush.page.log.read_text()


def test_nobody_is_lost(rush: Rush) -> None:
    """Who stayed has a complete answer, or was told why not; who stopped it was told so."""
    assert len(rush.book) >= VISITORS
    assert not [asked for asked in rush.book if asked.ending in ("lost", "failed")]
    stayed = [asked for asked in rush.book if asked.kind in ("explains", "shows a picture")]
    assert {asked.ending for asked in stayed} <= {"answer", "crowded"}
    assert any(asked.ending == "answer" for asked in stayed)


def test_nobody_gets_what_is_anothers(rush: Rush) -> None:
    assert not {asked.name: asked.foreign for asked in rush.book if asked.foreign}


def test_who_comes_first_is_served_first_and_alone(rush: Rush) -> None:
    assert rush.history.is_fair()
    served = [
        (asked.asked, asked.joined, place.number)
        for asked in rush.book
        if asked.joined is not None and (place := rush.place_of(asked)) is not None
    ]
    for (_, came, first), (asks, _, second) in itertools.permutations(served, 2):
        assert came + LAG_SECONDS > asks or first < second


def test_places_that_are_shown_are_true_and_never_grow(rush: Rush) -> None:
    waited = [asked for asked in rush.book if asked.positions]
    assert waited
    for asked in waited:
        shown = [ahead for _, ahead in asked.positions]
        assert shown == sorted(shown, reverse=True), asked
        if (place := rush.place_of(asked)) is not None:
            for at, ahead in asked.positions:
                moments = rush.history.moments(max(at - LAG_SECONDS, place.joined), at)
                true = [rush.history.ahead(place.number, moment) for moment in moments]
                least, most = min(low for low, _ in true), max(high for _, high in true)
                assert least <= ahead <= most, asked


def test_everybody_who_waits_long_sees_the_place(rush: Rush) -> None:
    """From a place in the middle of the line on, each step of it that lasts is shown."""
    for asked in rush.book:
        place = rush.place_of(asked)
        if place and place.ahead > 1 and place.turn and place.turn - place.joined > LAG_SECONDS:
            assert asked.kind == "uses the interface" or asked.positions, asked


@pytest.mark.skipif(not LARGE, reason="times of a short rush say more of the machine")
def test_the_wait_is_what_the_queue_says(rush: Rush) -> None:
    measured, computed = waits_of(rush)
    high = _quantile(computed, 0.95)
    assert abs(_quantile(measured, 0.95) - high) <= 1 + 0.1 * high


@pytest.mark.skipif(not LARGE, reason="in a short rush not everything has been used once")
def test_memory_stays(rush: Rush) -> None:
    assert rush.watch.samples[-1].memory <= 1.05 * _warm(rush.watch).memory


def test_nothing_is_left_over(rush: Rush) -> None:
    """Uploads, and files to be saved, go after their time; here that is short."""
    assert "run" not in rush.history.threads
    assert rush.calm.children == 0
    assert rush.calm.uploads == 0
    assert rush.calm.open_files <= rush.watch.samples[0].open_files + 2
    assert not [place for place in rush.history.places if place.left is None]
