"""Nobody there, or a proxy in between."""

from __future__ import annotations

from pathlib import Path

import pytest

from expartkg.commons import Commons
from expartkg.commons.web import UNREACHABLE
from expartkg.errors import CommonsError, ExpArtError
from tests.commons.errands import refused
from tests.commons.server import (
    FakeCommons,
)


def test_a_refused_connection_is_one_plain_message(tmp_path: Path) -> None:
    with FakeCommons() as gone:
        pass
    commons = Commons(tmp_path, api=gone.api, origins={gone.origin})
    assert refused(commons, "cannot be reached") == UNREACHABLE


def test_a_name_that_does_not_resolve_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nowhere(*_: object, **__: object) -> None:
        raise OSError(-3, "Temporary failure in name resolution")

    monkeypatch.setattr("socket.create_connection", nowhere)
    assert refused(Commons(tmp_path), "cannot be reached") == UNREACHABLE


def test_a_proxy_that_is_down_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeCommons() as gone:
        pass
    monkeypatch.setenv("HTTPS_PROXY", gone.origin)
    assert refused(Commons(tmp_path), "cannot be reached") == UNREACHABLE


def test_a_proxy_that_refuses_is_the_same(
    server: FakeCommons, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", server.origin)  # it does not know CONNECT
    assert refused(Commons(tmp_path), "cannot be reached") == UNREACHABLE


def test_the_proxy_of_the_environment_is_used(
    server: FakeCommons, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", server.origin)
    example = "http://commons.example"
    commons = Commons(tmp_path, api=f"{example}/w/api.php", origins={example})
    refused(commons, r"127.0.0.1 .* nothing was fetched")  # the listing came, through the proxy
    assert server.requests[0].path.startswith("http://commons.example/w/api.php?")


@pytest.mark.parametrize("proxy", ["socks9://127.0.0.1:1", "http://[::1"])
def test_a_proxy_that_makes_no_sense_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, proxy: str
) -> None:
    monkeypatch.setenv("ALL_PROXY", proxy)
    refused(Commons(tmp_path), "check HTTPS_PROXY")


def test_all_errors_are_for_people() -> None:
    assert issubclass(CommonsError, ExpArtError)
