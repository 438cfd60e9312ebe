"""From the settings to a server and its credentials."""

from __future__ import annotations

import base64

import pytest

from expartkg.engines.remote.server import explainer_server, validator_server
from expartkg.errors import EngineError
from expartkg.settings import Settings


def both(**settings: object) -> tuple[tuple[str, str | None], tuple[str, str | None]]:
    """URL and authorization of the explainer's and of the validator's server."""
    found = Settings().replace(**settings)
    explainer, validator = explainer_server(found), validator_server(found)
    return (
        (explainer.url, explainer.authorization),
        (validator.url, validator.authorization),
    )


def test_one_server_for_both() -> None:
    where = ("http://gpu:8000/v1", "Bearer k")
    assert both(remote_url="http://gpu:8000/v1/", remote_key=" k\n") == (where, where)


def test_each_has_its_own_model() -> None:
    settings = Settings(remote_url="http://gpu/v1", lvlm="sees", validator="judges")
    assert explainer_server(settings).model == "sees"
    assert validator_server(settings).model == "judges"


def test_each_has_its_own_server_and_key() -> None:
    assert both(
        remote_url="http://a/v1", remote_key="x", validator_url="http://b/v1", validator_key="y"
    ) == (("http://a/v1", "Bearer x"), ("http://b/v1", "Bearer y"))


@pytest.mark.parametrize(
    "other",
    [
        "http://b/v1",
        "http://a:8001/v1",
        "https://a/v1",
        "http://a.evil.org/v1",
        "http://a@b/v1",
    ],
)
def test_a_key_goes_to_no_other_server(other: str) -> None:
    _, (_, authorization) = both(remote_url="http://a/v1", remote_key="x", validator_url=other)
    assert "x" not in (authorization or "")


@pytest.mark.parametrize("same", ["http://a/v2", "http://A:80/v1"])
def test_a_key_serves_for_the_same_server(same: str) -> None:
    _, (_, authorization) = both(remote_url="http://a/v1", remote_key="x", validator_url=same)
    assert authorization == "Bearer x"


def test_credentials_in_the_url_are_sent_and_not_shown() -> None:
    settings = Settings(remote_url="https://me:p%40ss@gpu:8443/llm/v1")
    server = explainer_server(settings)
    expected = base64.b64encode(b"me:p@ss").decode()
    assert (server.url, server.host) == ("https://gpu:8443/llm/v1", "gpu:8443")
    assert server.authorization == f"Basic {expected}"
    assert expected not in repr(server)
    assert server.without_secrets(f"bad {expected}") == "bad …"


@pytest.mark.parametrize(
    "url",
    [
        "gpu:8000",
        "localhost",
        "ftp://gpu/v1",
        "http://",
        "http://gpu:port/v1",
        "http://gpu:99999/v1",
        "http://[::1/v1",
        "http://gpu/v1?key=secret",
        "http://me:secret@/v1",
        "http:secret",
    ],
)
def test_what_is_no_address(url: str) -> None:
    for settings in (
        Settings(remote_url=url),
        Settings(remote_url="http://gpu/v1", validator_url=url),
    ):
        with pytest.raises(EngineError, match="_URL is no address of a server: give") as told:
            validator_server(settings)
        assert "secret" not in str(told.value)


def test_no_address_at_all() -> None:
    with pytest.raises(EngineError, match="set EXPARTKG_REMOTE_URL to a base URL such as http"):
        explainer_server(Settings(validator_url="http://gpu/v1"))


@pytest.mark.parametrize("key", ["sécret", "sec ret", "sec\nret", "sec\x00ret"])
def test_what_is_no_key(key: str) -> None:
    with pytest.raises(EngineError, match="EXPARTKG_REMOTE_KEY is no key") as told:
        explainer_server(Settings(remote_url="http://gpu/v1", remote_key=key))
    assert "ret" not in str(told.value)
