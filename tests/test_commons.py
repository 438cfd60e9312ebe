"""Fetching pictures from Wikimedia Commons, which a server on this machine plays."""

from __future__ import annotations

import functools
import gzip
import json
import logging
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from email.utils import formatdate
from pathlib import Path

import httpx
import pytest
from PIL import Image

from expartkg.commons import WIDTHS, Commons, CommonsPicture, Credit
from expartkg.commons.addresses import API, ORIGINS, file_name, file_page, served_width
from expartkg.commons.credits import MAX_TEXT, plain_text, read_credit
from expartkg.commons.shelf import EXTENSIONS
from expartkg.commons.web import UNREACHABLE, Web
from expartkg.errors import CommonsError, ExpArtError, PictureError, UsageError
from expartkg.pictures import MAX_BYTES, open_picture
from expartkg.web import LONGEST_REST, retry_after, spoken, user_agent
from tests.commons_server import (
    ENDLESS,
    FakeCommons,
    Fault,
    Part,
    Upload,
    announced_too_large,
    body,
    cut_short,
    cut_unseen,
    drawing,
    dripping,
    endless,
    moved,
    silent,
    status,
)

P18 = "http://commons.wikimedia.org/wiki/Special:FilePath/Mona%20Lisa.jpg"
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")


class Clock:
    """A clock that goes on only when somebody sleeps, so that waiting takes no time."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    @property
    def waited(self) -> float:
        return self.now - 1000.0


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


def opened_once(file: Path) -> Image.Image:
    """`pictures.open_picture`, which takes a while, once for each content."""
    outcome = outcome_of_opening(file.read_bytes())
    if isinstance(outcome, PictureError):
        raise PictureError(str(outcome))
    return outcome


@functools.cache
def outcome_of_opening(content: bytes) -> Image.Image | PictureError:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "The picture"
        with file.open("wb") as written:
            written.write(content)
        try:
            return open_picture(file)
        except PictureError as error:
            return error


@pytest.fixture
def server() -> Iterator[FakeCommons]:
    with FakeCommons() as commons:
        commons.add(Upload("Mona Lisa.jpg"))
        yield commons


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def commons(server: FakeCommons, clock: Clock, tmp_path: Path) -> Commons:
    """With a clock that stands still unless somebody waits."""
    return Commons(
        tmp_path, api=server.api, origins={server.origin}, clock=clock, sleep=clock.sleep
    )


@pytest.fixture
def hurried(server: FakeCommons, tmp_path: Path) -> Commons:
    """With a real clock, and next to no patience."""
    return Commons(tmp_path, api=server.api, origins={server.origin}, patience=0.3, silence=0.1)


def kept(cache: Path) -> list[Path]:
    return [path for path in cache.rglob("*") if path.is_file()]


def refused(commons: Commons, said: str, address: str = P18, width: int = 960) -> str:
    """The message of the error that fetching ends in."""
    with pytest.raises(CommonsError, match=said) as caught:
        commons.picture(address, width)
    message = str(caught.value)
    assert "\n" not in message
    assert message.endswith(".")
    return message


# What is fetched


def test_a_picture_comes_with_its_credit(commons: Commons, tmp_path: Path) -> None:
    picture = commons.picture(P18)
    assert picture.credit == Credit(
        file="Mona Lisa.jpg",
        page="https://commons.wikimedia.org/wiki/File:Mona_Lisa.jpg",
        author="Leonardo da Vinci",
        licence="Public domain",
        licence_url=None,
    )
    assert (picture.width, picture.height) == opened_once(picture.path).size == (960, 640)
    assert picture.path.suffix == ".jpg"
    assert picture.path.is_relative_to(tmp_path / "commons" / "960")


def test_a_second_asking_needs_no_network(
    server: FakeCommons, commons: Commons, tmp_path: Path
) -> None:
    first = commons.picture(P18)
    offline = Commons(tmp_path, api="http://127.0.0.1:9/", origins={"http://127.0.0.1:9"})
    assert commons.picture("Mona_Lisa.jpg") == first == offline.picture("File:Mona Lisa.jpg")
    assert len(server.requests) == 2


def test_each_width_is_a_picture_of_its_own(commons: Commons) -> None:
    assert commons.picture(P18, 300).width == 330
    assert commons.picture(P18, 500).width == 500
    assert commons.picture(P18, 501).width == 960


def test_only_widths_that_wikimedia_serves_are_asked_for(
    server: FakeCommons, commons: Commons
) -> None:
    for width in (1, 19, 100, 777, 2500):
        commons.picture(P18, width)
    listings = [request for request in server.requests if request.part == "api"]
    assert {int(request.query["iiurlwidth"]) for request in listings} <= set(WIDTHS)
    assert len(listings) == 5  # at 20 pixels it would be too low to be opened, so 60 follow


@pytest.mark.parametrize(
    ("width", "height", "taken"), [(3000, 2000, 60), (1000, 3000, 40), (9000, 1000, 330)]
)
def test_a_picture_is_wide_enough_to_be_opened(
    server: FakeCommons, commons: Commons, width: int, height: int, taken: int
) -> None:
    server.add(Upload("Strip.jpg", width=width, height=height))
    assert commons.picture("Strip.jpg", 20).width == taken
    assert server.asked("picture") == 1


@pytest.mark.parametrize(
    ("asked", "served"), [(1, 20), (20, 20), (21, 40), (960, 960), (961, 1280), (9999, 3840)]
)
def test_the_narrowest_width_that_is_wide_enough(asked: int, served: int) -> None:
    assert served_width(asked) == served


def test_a_width_below_one_is_a_wrong_call(commons: Commons) -> None:
    with pytest.raises(UsageError, match="1 pixel or more, not 0"):
        commons.picture(P18, 0)


def test_a_small_original_is_taken_as_it_is(server: FakeCommons, commons: Commons) -> None:
    server.add(Upload("Small.jpg", width=700, height=350))
    assert commons.picture("Small.jpg").width == 700
    assert "/thumb/" not in server.requests[-1].path


def test_a_small_original_of_too_many_bytes_is_taken_as_a_thumbnail(
    server: FakeCommons, commons: Commons
) -> None:
    server.add(Upload("Heavy.png", width=700, height=350, mime="image/png", size=MAX_BYTES + 1))
    assert commons.picture("Heavy.png").width == 500


def test_drawings_are_fetched_as_wikimedia_draws_them(
    server: FakeCommons, commons: Commons
) -> None:
    server.add(Upload("Plan.svg", width=100, height=100, mime="image/svg+xml"))
    picture = commons.picture("Plan.svg")
    assert (picture.width, picture.path.suffix) == (960, ".png")


def test_a_tiff_is_fetched_as_a_jpeg(server: FakeCommons, commons: Commons) -> None:
    server.add(Upload("Scan.tif", mime="image/tiff"))
    picture = commons.picture("Scan.tif")
    assert (picture.width, picture.path.suffix) == (960, ".jpg")
    assert len(server.requests) == 2


def test_a_tiff_narrower_than_asked_is_fetched_at_a_width_that_is_served(
    server: FakeCommons, commons: Commons
) -> None:
    server.add(Upload("Narrow.tif", width=800, height=600, mime="image/tiff"))
    assert commons.picture("Narrow.tif").width == 500
    assert commons.picture("Narrow.tif").path.parent.name == "960"
    assert [request.part for request in server.requests] == ["api", "api", "picture"]


def test_a_renamed_file_is_credited_under_its_new_name(
    server: FakeCommons, commons: Commons
) -> None:
    server.redirects["File:La Gioconda.jpg"] = "File:Mona Lisa.jpg"
    assert commons.picture("La Gioconda.jpg").credit.file == "Mona Lisa.jpg"


@pytest.mark.parametrize(
    "name", ["Jan & Joos – “Été” (100%) + more?.jpg", "クロード・モネ.jpg", "a=b;c,d!'e~.jpg"]
)
def test_odd_names(server: FakeCommons, commons: Commons, name: str) -> None:
    server.add(Upload(name))
    picture = commons.picture(name)
    assert picture.credit.file == name
    assert picture.path.name.isascii()
    assert httpx.URL(picture.credit.page).path == f"/wiki/File:{name.replace(' ', '_')}"


# What is asked for, and where


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


# Waiting


def test_retry_after_is_waited_for_when_it_fits(
    server: FakeCommons, commons: Commons, clock: Clock
) -> None:
    server.fail("picture", status(429, Retry_After="4"))
    commons.picture(P18)
    assert 4 <= clock.waited < 4.1
    assert server.asked("picture") == 2


def test_retry_after_may_be_a_date(server: FakeCommons, commons: Commons, clock: Clock) -> None:
    server.fail("api", status(503, Retry_After=formatdate(time.time() + 5, usegmt=True)))
    commons.picture(P18)
    assert 3.9 <= clock.waited <= 6.1  # both dates are in whole seconds


@pytest.mark.parametrize("code", [429, 503])
def test_a_long_retry_after_is_told_at_once_and_kept_to(
    server: FakeCommons, commons: Commons, clock: Clock, code: int
) -> None:
    server.fail("picture", status(code, Retry_After="600"))
    assert "try again in 10 minutes" in refused(commons, "asks for a pause")
    assert clock.waited == 0
    clock.sleep(300)
    assert "try again in 5 minutes" in refused(commons, "asks for a pause")
    assert len(server.requests) == 2
    clock.sleep(290)
    commons.picture(P18)  # 10 seconds more are waited for
    assert clock.waited >= 600


def test_one_host_that_wants_a_pause_does_not_keep_what_is_cached(
    server: FakeCommons, commons: Commons
) -> None:
    picture = commons.picture(P18)
    server.fail("api", status(429, Retry_After="600"))
    refused(commons, "asks for a pause", "Another.jpg")
    assert commons.picture(P18) == picture


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "0"}, 0),
        ({"Retry-After": " 120 "}, 120),
        ({"Retry-After": "999999999"}, LONGEST_REST),
        ({"Retry-After": "9" * 5000}, None),
        ({"Retry-After": "-5"}, None),
        ({"Retry-After": "soon"}, None),
        ({}, None),
        ({"Retry-After": "Fri, 02 Jan 2026 00:01:00 GMT"}, 60),
        ({"Retry-After": "Fri, 02 Jan 2026 00:01:00 -0000"}, 60),
        ({"Retry-After": "Thu, 01 Jan 2026 00:00:00 GMT"}, 0),
        ({"Retry-After": "Fri, 02 Jan 2099 00:00:00 GMT"}, LONGEST_REST),
    ],
)
def test_what_retry_after_means(headers: dict[str, str], seconds: float | None) -> None:
    date = {"Date": "Fri, 02 Jan 2026 00:00:00 GMT"}
    assert retry_after(httpx.Headers(date | headers)) == seconds


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.2, "1 second"), (40, "40 seconds"), (91, "2 minutes"), (3 * 3600, "3 hours")],
)
def test_times_are_said_as_people_say_them(seconds: float, said: str) -> None:
    assert spoken(seconds) == said


@pytest.mark.parametrize("fault", [status(500), status(502), status(503), status(429), status(408)])
@pytest.mark.parametrize("part", ["api", "picture"])
def test_passing_faults_are_tried_again_with_pauses(
    server: FakeCommons, commons: Commons, clock: Clock, fault: Fault, part: Part
) -> None:
    server.fail(part, fault, fault)
    assert commons.picture(P18).width == 960
    assert server.asked(part) == 3
    assert 2 <= clock.waited < 2.1


def test_faults_that_last_are_told_after_three_tries(server: FakeCommons, commons: Commons) -> None:
    server.fail("picture", *[status(502)] * 10)
    refused(commons, r"fault of its own at the moment \(502\); try again later")
    assert server.asked("picture") == 3
    server.fail("api", *[status(429)] * 3)
    refused(commons, "too many requests from here; try again later", "Other.jpg")
    server.fail("api", status(500), status(500), status(503, Retry_After="7000"))
    refused(commons, r"\(503\); try again in 2 hours", "Third.jpg")


def test_a_fault_is_told_when_there_is_no_time_for_another_try(
    server: FakeCommons, tmp_path: Path, clock: Clock
) -> None:
    commons = Commons(
        tmp_path,
        api=server.api,
        origins={server.origin},
        patience=1.0,
        clock=clock,
        sleep=clock.sleep,
    )
    server.fail("api", *[status(502)] * 3)
    refused(commons, r"\(502\)")
    assert server.asked("api") == 2
    assert clock.waited < 1


@pytest.mark.parametrize("code", [404, 410])
def test_a_picture_that_is_gone_is_not_asked_for_twice(
    server: FakeCommons, commons: Commons, code: int
) -> None:
    server.fail("picture", status(code))
    refused(commons, "no longer on Wikimedia Commons")
    assert server.asked("picture") == 1


def test_silence_is_given_up_and_tried_again(
    server: FakeCommons, tmp_path: Path, clock: Clock
) -> None:
    commons = Commons(
        tmp_path,
        api=server.api,
        origins={server.origin},
        silence=0.1,
        clock=clock,
        sleep=clock.sleep,
    )
    server.fail("picture", silent)
    assert commons.picture(P18).width == 960
    server.fail("api", silent, silent, silent)
    refused(commons, "did not answer in time; try again later", "Other.jpg")


@pytest.mark.parametrize("fault", [silent, dripping])
def test_no_errand_takes_longer_than_there_is_patience(
    server: FakeCommons, hurried: Commons, fault: Fault
) -> None:
    server.fail("picture", *[fault] * 10)
    begun = time.monotonic()
    refused(hurried, "did not answer in time|took longer than 0.3 seconds")
    assert time.monotonic() - begun < 3


def test_stop_ends_the_wait(server: FakeCommons, tmp_path: Path, clock: Clock) -> None:
    stop = threading.Event()

    def sleep(seconds: float) -> None:
        clock.sleep(seconds)
        stop.set()

    commons = Commons(tmp_path, api=server.api, origins={server.origin}, clock=clock, sleep=sleep)
    server.fail("picture", status(429, Retry_After="10"))
    with pytest.raises(CommonsError, match="was stopped"):
        commons.picture(P18, stop=stop)
    assert clock.waited < 1
    assert server.asked("picture") == 1


def test_stop_ends_a_slow_body(server: FakeCommons, commons: Commons) -> None:
    stop = threading.Event()
    server.fail("picture", dripping)
    timer = threading.Timer(0.1, stop.set)
    timer.start()
    with pytest.raises(CommonsError, match="was stopped"):
        commons.picture(P18, stop=stop)
    timer.join()


def test_stop_beforehand_asks_nothing(server: FakeCommons, commons: Commons) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(CommonsError, match="was stopped"):
        commons.picture(P18, stop=stop)
    assert server.requests == []


# Many at once


def test_many_who_ask_for_the_same_file_cause_one_fetch(
    server: FakeCommons, commons: Commons
) -> None:
    with ThreadPoolExecutor(8) as pool:
        pictures = list(pool.map(lambda _: commons.picture(P18), range(8)))
    assert len(set(pictures)) == 1
    assert [request.part for request in server.requests] == ["api", "picture"]


def test_one_request_at_a_time(server: FakeCommons, commons: Commons) -> None:
    names = [f"Work {number}.jpg" for number in range(6)]
    for name in names:
        server.add(Upload(name))
    with ThreadPoolExecutor(6) as pool:
        pictures = list(pool.map(commons.picture, names))
    assert [picture.credit.file for picture in pictures] == names
    assert server.most_at_once == 1


def test_who_waits_for_a_turn_can_be_stopped(server: FakeCommons, commons: Commons) -> None:
    server.fail("api", silent)
    stop = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(commons.picture, P18)
        _until(lambda: server.asked("api") == 1)
        stop.set()
        with pytest.raises(CommonsError, match="was stopped"):
            commons.picture("Other.jpg", stop=stop)
        assert not first.done()
        server.released.set()
        assert first.result().width == 960
    assert server.asked("api") == 2  # the one that fell silent, and its second try


def _until(happened: Callable[[], bool]) -> None:
    end = time.monotonic() + 5
    while not happened() and time.monotonic() < end:
        time.sleep(0.005)


# Bodies that are not what they should be


@pytest.mark.parametrize("fault", [cut_short, cut_unseen])
def test_a_body_that_was_cut_is_fetched_again(
    server: FakeCommons, commons: Commons, fault: Fault
) -> None:
    server.fail("picture", fault, fault)
    assert commons.picture(P18).width == 960
    server.fail("picture", *[fault] * 3)
    refused(commons, "broke off; try again|is damaged or incomplete", width=500)


@pytest.mark.parametrize(
    ("fault", "said", "tries"),
    [
        (body("text/html", b"<h1>Sign in to the museum's WLAN</h1>"), r"\(text/html\)", 1),
        (body("image/svg+xml", b"<svg/>"), r"\(image/svg\+xml\)", 1),
        (body("", drawing(64, 64)), r"\(nothing\)", 1),
        (body("image/jpeg", b"<h1>No picture</h1>"), "is not a picture", 3),
        (body("image/jpeg", b""), "is empty", 3),
        (endless, "larger than 20 MB", 1),
        (announced_too_large, "larger than 20 MB", 1),
    ],
)
def test_nothing_but_pictures_is_kept(
    server: FakeCommons, commons: Commons, tmp_path: Path, fault: Fault, said: str, tries: int
) -> None:
    server.fail("picture", *[fault] * tries)
    refused(commons, said)
    assert server.asked("picture") == tries
    assert kept(tmp_path) == []
    assert commons.picture(P18).width == 960


def test_an_endless_body_is_left_at_the_limit(server: FakeCommons, commons: Commons) -> None:
    server.fail("picture", endless)
    refused(commons, "larger than 20 MB")
    assert MAX_BYTES <= server.sent < ENDLESS


def test_nothing_is_unpacked(server: FakeCommons, commons: Commons) -> None:
    packed = body("image/jpeg", gzip.compress(drawing(960, 640)), Content_Encoding="gzip")
    server.fail("picture", *[packed] * 3)
    refused(commons, "is not a picture")
    assert {request.headers["Accept-Encoding"] for request in server.requests} == {"identity"}


def test_the_media_type_may_have_parameters_and_capitals(
    server: FakeCommons, commons: Commons
) -> None:
    server.fail("picture", body("Image/PNG; q=1", drawing(64, 64, "image/png")))
    assert commons.picture(P18).path.suffix == ".png"


# Listings that are not what they should be


def test_a_file_that_is_missing(server: FakeCommons, commons: Commons, tmp_path: Path) -> None:
    message = refused(commons, "has no file “Lost.jpg”", "Lost.jpg")
    assert "renamed or deleted" in message
    assert kept(tmp_path) == []
    server.add(Upload("Lost.jpg"))
    assert commons.picture("Lost.jpg").width == 960  # that it was missing is not remembered


@pytest.mark.parametrize("mark", ["filemissing", "filehidden"])
def test_a_file_that_was_deleted(server: FakeCommons, commons: Commons, mark: str) -> None:
    server.uploads["Mona Lisa.jpg"].info[mark] = True
    refused(commons, "has no file")


def test_a_file_that_has_no_thumbnail(server: FakeCommons, commons: Commons) -> None:
    server.add(Upload("Speech.ogg", info={"thumburl": None, "thumberror": "no handler"}))
    refused(commons, "has no thumbnail of “Speech.ogg”", "Speech.ogg")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (
            '{"error": {"code": "readonly", "info": "The wiki\\nis locked."}}',
            r"\(The wiki is locked\.\); try",
        ),
        ('{"error": {"code": "maxlag"}}', r"could not answer \(maxlag\)"),
        ('{"query": {"pages": [{"invalid": true, "title": "x"}]}}', "cannot be the name of a file"),
        ('{"query": {"pages": [{"title": "File:x", "imageinfo": []}]}}', "has no file"),
        ("", "cannot read"),
        ("{", "cannot read"),
        ("[" * 100_000, "cannot read"),
        ("null", "cannot read"),
        ('"x"', "cannot read"),
        ("{}", "cannot read"),
        ('{"query": []}', "cannot read"),
        ('{"query": {"pages": {}}}', "cannot read"),
        ('{"query": {"pages": [[]]}}', "cannot read"),
        ('{"query": {"pages": [{"imageinfo": [{"thumburl": "x"}]}]}}', "cannot read"),
        (
            '{"query": {"pages": [{"title": "File:x", "imageinfo": '
            '[{"thumburl": "x", "url": "x", "width": "1", "height": 1, "size": 1}]}]}}',
            "cannot read",
        ),
        (
            '{"query": {"pages": [{"title": "File:x", "imageinfo": '
            '[{"thumburl": "x", "url": "x", "width": 1, "height": 0, "size": 1}]}]}}',
            "cannot read",
        ),
        (
            '{"query": {"pages": [{"title": "File:x", "imageinfo": '
            '[{"thumburl": "//[::1", "url": "x", "width": 1, "height": 1, "size": 1}]}]}}',
            "cannot read",
        ),
        (
            '{"query": {"pages": [{"title": "File:\\ud800", "imageinfo": '
            '[{"thumburl": "x", "url": "x", "width": 1, "height": 1, "size": 1}]}]}}',
            "names no file",
        ),
    ],
)
def test_answers_without_sense_are_told(
    server: FakeCommons, commons: Commons, answer: str, said: str
) -> None:
    server.fail("api", body("application/json", answer.encode()))
    refused(commons, said)
    assert len(server.requests) == 1


def test_a_huge_listing_is_not_read_to_its_end(server: FakeCommons, commons: Commons) -> None:
    server.fail("api", body("application/json", b" " * (2**20 + 1)))
    refused(commons, "larger than 1 MB")


# Credits


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("Vincent van Gogh", "Vincent van Gogh"),
        ('<a href="//commons.wikimedia.org/wiki/User:X" title="x">Jane &amp; Co</a>', "Jane & Co"),
        ('Unknown author<span style="display: none;">Unknown author</span>', "Unknown author"),
        ('<div style="DISPLAY:none"><p>creator QS:P170</p><br>x</div>Rembrandt', "Rembrandt"),
        ("<p>A</p><p>B<br/>C</p><ul><li>D</li></ul>", "A B C D"),
        ("<script>alert(1)</script><style>p{}</style>E", "E"),
        ("&lt;b&gt;not bold&lt;/b&gt;", "<b>not bold</b>"),
        ("G&nbsp;H\n\x00\ud800I", "G H I"),
        ("<b>never closed", "never closed"),
        ("</b></div>stray", "stray"),
        ("<!-- hidden -->J<?php x ?>", "J"),
        ("", ""),
    ],
)
def test_html_becomes_text(html: str, text: str) -> None:
    assert plain_text(html) == text


def test_long_texts_are_shortened() -> None:
    text = plain_text("word " * 10_000)
    assert len(text) <= MAX_TEXT
    assert text.endswith("word …")


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("https://creativecommons.org/licenses/by-sa/4.0", True),
        ("http://artlibre.org/licence/lal/en", True),
        ("javascript:alert(1)", False),
        ("https://x.example/ onclick=1", False),
        ("https://x.example/\"'><b>", False),
        ("", False),
    ],
)
def test_a_licence_is_linked_only_by_a_web_address(address: str, kept: bool) -> None:
    credit = read_credit("x.jpg", {"LicenseUrl": {"value": address}})
    assert credit.licence_url == (address if kept else None)


@pytest.mark.parametrize(
    "metadata",
    [None, [], {}, {"Artist": None}, {"Artist": {"value": 1.2}}, {"Artist": {"value": "<p></p>"}}],
)
def test_what_commons_does_not_state_is_none(metadata: object) -> None:
    assert read_credit("x.jpg", metadata) == Credit("x.jpg", file_page("x.jpg"))


def test_the_attribution_stands_in_for_an_author() -> None:
    credit = read_credit("x.jpg", {"Attribution": {"value": "Museum of Y"}})
    assert credit.author == "Museum of Y"


# The cache


def damage_bytes(picture: CommonsPicture, note: Path) -> None:
    picture.path.write_bytes(picture.path.read_bytes()[:-10])


def lose_picture(picture: CommonsPicture, note: Path) -> None:
    picture.path.unlink()


def lose_note(picture: CommonsPicture, note: Path) -> None:
    note.unlink()


def cut_note(picture: CommonsPicture, note: Path) -> None:
    note.write_bytes(note.read_bytes()[:50])


def change_note(picture: CommonsPicture, note: Path) -> None:
    note.write_text(json.dumps(json.loads(note.read_text()) | {"kind": "text/html"}))


def strange_note(picture: CommonsPicture, note: Path) -> None:
    note.write_text("[]")


def strange_credit(picture: CommonsPicture, note: Path) -> None:
    note.write_text(json.dumps(json.loads(note.read_text()) | {"credit": {"owner": "x"}}))


@pytest.mark.parametrize(
    "damage",
    [
        damage_bytes,
        lose_picture,
        lose_note,
        cut_note,
        change_note,
        strange_note,
        strange_credit,
    ],
)
def test_a_damaged_entry_is_fetched_again(
    server: FakeCommons, commons: Commons, damage: Callable[[CommonsPicture, Path], None]
) -> None:
    picture = commons.picture(P18)
    damage(picture, picture.path.with_suffix(".json"))
    assert commons.picture(P18) == picture
    assert server.asked("picture") == 2
    assert opened_once(picture.path).size == (960, 640)


def test_several_may_write_the_same_at_once(
    server: FakeCommons, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.getpid", threading.get_ident)  # threads stand for processes
    guides = [Commons(tmp_path, api=server.api, origins={server.origin}) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        pictures = list(pool.map(lambda guide: guide.picture(P18), guides))
    assert len(set(pictures)) == 1
    assert opened_once(pictures[0].path).size == (960, 640)
    assert len(kept(tmp_path)) == 2


def test_a_cache_that_cannot_be_written_costs_no_picture(
    server: FakeCommons, commons: Commons, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "commons").write_text("a file where the folder should be")
    with caplog.at_level(logging.WARNING):
        picture = commons.picture(P18)
    assert opened_once(picture.path).size == (960, 640)
    assert "cannot be written" in caplog.text
    assert "temporary folder" in caplog.text
    assert commons.picture(P18) == picture
    assert len(server.requests) == 2


def test_the_temporary_folder_goes_with_the_guide(
    server: FakeCommons, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL, "expartkg.commons")  # records hold on to what they saw
    (tmp_path / "commons").write_text("a file where the folder should be")
    commons = Commons(tmp_path, api=server.api, origins={server.origin})
    path = commons.picture(P18).path
    del commons
    assert not path.exists()


def test_a_disk_without_any_room_is_told(commons: Commons, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, content: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    refused(commons, "no place for the picture: No space left on device. Make room")


def test_what_is_kept_are_pictures_that_the_guide_opens(tmp_path: Path) -> None:
    for kind in ("image/jpeg", "image/png", "image/webp", "image/gif"):
        file = tmp_path / f"x{EXTENSIONS[kind]}"
        file.write_bytes(drawing(64, 64, kind))
        assert opened_once(file).size == (64, 64)


# Offline


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
