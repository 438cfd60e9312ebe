"""What is asked for, and where."""

from __future__ import annotations

import gzip
import time
from pathlib import Path

import pytest

from expartkg.commons import Commons
from expartkg.commons.addresses import API, ORIGINS, file_name
from expartkg.commons.web import Web
from expartkg.errors import CommonsError, UsageError
from expartkg.web import user_agent
from tests.commons.errands import P18, refused
from tests.commons.server import (
    FakeCommons,
    Fault,
    Upload,
    moved,
    status,
)


def test_every_picture_of_the_graph_has_a_name(root: Path) -> None:
    with gzip.open(root / "kg/artworks.nt.gz", "rt", encoding="utf-8") as graph:
        iris = [line.split()[2][1:-1] for line in graph if "/direct/P18>" in line]
    names = {file_name(iri) for iri in iris}
    assert len(iris) > 8000
    assert all(name == name.strip() and "%20" not in name for name in names)


@pytest.mark.parametrize(
    ("address", "name"),
    [
        (P18, "Mona Lisa.jpg"),
        ("https://commons.wikimedia.org/wiki/File:Mona_Lisa.jpg", "Mona Lisa.jpg"),
        ("https://COMMONS.wikimedia.org/wiki/Special:Filepath/Mona_Lisa.jpg?w=9", "Mona Lisa.jpg"),
        (" Mona  Lisa.jpg ", "Mona Lisa.jpg"),
        ("File:Cafe\u0301.jpg", "Café.jpg"),
    ],
)
def test_addresses_of_the_same_file(address: str, name: str) -> None:
    assert file_name(address) == name


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.example/wiki/Special:FilePath/Mona%20Lisa.jpg",
        "https://commons.wikimedia.org.evil.example/wiki/File:Mona_Lisa.jpg",
        "https://commons.wikimedia.org@evil.example/wiki/File:Mona_Lisa.jpg",
        "https://commons.wikimedia.org:8443/wiki/File:Mona_Lisa.jpg",
        "https://evil.example\\@commons.wikimedia.org/wiki/File:Mona_Lisa.jpg",
        "//evil.example/wiki/File:Mona_Lisa.jpg",
        "http://127.0.0.1/wiki/File:Mona_Lisa.jpg",
        "http://[::1/wiki/File:Mona_Lisa.jpg",
        "file:///wiki/File:Mona_Lisa.jpg",
        "ftp://commons.wikimedia.org/wiki/File:Mona_Lisa.jpg",
        "https://commons.wikimedia.org/wiki/Mona_Lisa",
        "https://commons.wikimedia.org/w/index.php?title=File:Mona_Lisa.jpg",
        "https://commons.wikimedia.org/wiki/Special:FilePath/%FF.jpg",
        "https://commons.wikimedia.org/wiki/Special:FilePath/a%2F..%2Fb.jpg",
        "Mona Lisa.jpg|File:Other.jpg",
        "../../etc/passwd",
        "User:Somebody",
        "a\x07b.jpg",
        "\ud800.jpg",
        "x" * 241,
        "",
        "  ",
    ],
)
def test_anything_else_is_refused_before_a_request(
    server: FakeCommons, commons: Commons, address: str
) -> None:
    message = refused(commons, "is not on commons.wikimedia.org|names no file", address)
    assert len(message) < 320
    assert message.isprintable()
    assert server.requests == []


def test_by_itself_only_wikimedia_is_asked_and_only_by_https() -> None:
    web = Web(ORIGINS, None, 5.0, time.monotonic)
    assert str(web.allowed(API)) == API
    for host in ("upload", "thumb"):
        assert web.allowed(f"https://{host}.wikimedia.org:443/a.jpg").host.startswith(host)
    for address in (
        "http://upload.wikimedia.org/a.jpg",
        "https://upload.wikimedia.org:8443/a.jpg",
        "https://me@upload.wikimedia.org/a.jpg",
        "https://upload.wikimedia.org.evil.example/a.jpg",
        "https://127.0.0.1/a.jpg",
        "https://[fe80::1]/a.jpg",
        "https://169.254.169.254/latest",
        "https://en.wikipedia.org/a.jpg",
        "/a.jpg",
        "https://[::1/",
    ):
        with pytest.raises(CommonsError, match=r"nothing was fetched from there|points nowhere"):
            web.allowed(address)


def test_a_listing_that_points_elsewhere_is_not_followed(
    server: FakeCommons, commons: Commons
) -> None:
    server.uploads["Mona Lisa.jpg"].info["thumburl"] = "https://evil.example/960px-Mona_Lisa.jpg"
    refused(commons, r"evil.example .* nothing was fetched")
    assert server.asked("picture") == 0


@pytest.mark.parametrize("place", ["127.0.0.1", "localhost", "169.254.169.254", "[::1]"])
def test_a_redirect_elsewhere_is_not_followed(
    server: FakeCommons, commons: Commons, place: str
) -> None:
    with FakeCommons() as other:
        port = other.origin.rpartition(":")[2]
        server.fail("picture", moved(f"http://{place}:{port}/a.jpg"))
        refused(commons, "nothing was fetched from there")
        assert other.requests == []


def test_redirects_to_allowed_places_are_followed(server: FakeCommons, commons: Commons) -> None:
    original = server.original(server.add(Upload("Small.jpg", width=700, height=350)))
    relative = original.removeprefix(server.origin)
    server.fail("api", moved(f"{server.api}?{_query(960)}", 301))
    server.fail("picture", moved(original, 307), moved(relative, 308))
    assert commons.picture(P18).width == 700


def test_redirects_in_a_circle_end(server: FakeCommons, commons: Commons) -> None:
    server.fail("picture", *[moved("/wikipedia/commons/e/ec/Mona_Lisa.jpg")] * 100)
    refused(commons, "round in circles")
    assert server.asked("picture") == 6


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (moved(""), "round in circles"),
        (moved("http://[::1"), "broke off"),
        (status(302), r"refuses to give the picture \(302\)"),
    ],
)
def test_a_redirect_to_nowhere(
    server: FakeCommons, commons: Commons, fault: Fault, said: str
) -> None:
    server.fail("picture", *[fault] * 10)
    refused(commons, said)


def _query(width: int) -> str:
    return (
        "action=query&format=json&formatversion=2&prop=imageinfo"
        f"&titles=File:Mona%20Lisa.jpg&iiurlwidth={width}"
    )


def test_every_request_says_who_asks(server: FakeCommons, tmp_path: Path, commons: Commons) -> None:
    commons.picture(P18)
    agents = {request.headers["User-Agent"] for request in server.requests}
    assert agents == {user_agent(None)}
    assert user_agent("museum@example.org").startswith("expartkg/")
    assert "(museum guide; museum@example.org) httpx/" in user_agent("museum@example.org")


@pytest.mark.parametrize("contact", ["a\r\nX-Evil: 1", "müseum@example.org"])
def test_a_contact_that_cannot_be_sent_is_a_wrong_call(tmp_path: Path, contact: str) -> None:
    with pytest.raises(UsageError, match="contact"):
        Commons(tmp_path, contact=contact)


def test_wikimedias_refusal_is_told(
    server: FakeCommons, commons: Commons, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("expartkg.commons.web.user_agent", lambda contact: "python")
    unnamed = Commons(tmp_path, api=server.api, origins={server.origin})
    refused(unnamed, r"refuses to give the picture \(403\)")
    assert len(server.requests) == 1
