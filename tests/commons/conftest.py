"""A server that plays Wikimedia Commons, and those who ask it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from expartkg.commons import Commons
from tests.commons.errands import Clock, opened_once
from tests.commons.server import FakeCommons, Upload

PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.fixture(autouse=True)
def _certificates_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(httpx, "create_ssl_context", read_certificates)


read_certificates = functools.cache(httpx.create_ssl_context)


@pytest.fixture(autouse=True)
def _pictures_opened_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("expartkg.commons.fetching.open_picture", opened_once)


@pytest.fixture
def server() -> Iterator[FakeCommons]:
    with FakeCommons() as commons:
        commons.add(Upload("Mona Lisa.jpg"))
        yield commons


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def timed(server: FakeCommons, clock: Clock, tmp_path: Path) -> Callable[..., Commons]:
    """Makes one with a clock that stands still unless somebody waits."""

    def make(patience: float = 15.0, silence: float = 5.0) -> Commons:
        return Commons(
            tmp_path,
            api=server.api,
            origins={server.origin},
            clock=clock,
            sleep=clock.sleep,
            patience=patience,
            silence=silence,
        )

    return make


@pytest.fixture
def commons(timed: Callable[..., Commons]) -> Commons:
    return timed()


@pytest.fixture
def hurried(server: FakeCommons, tmp_path: Path) -> Commons:
    """With a real clock, and next to no patience."""
    return Commons(tmp_path, api=server.api, origins={server.origin}, patience=0.3, silence=0.1)
