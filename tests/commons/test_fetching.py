"""What is fetched."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from expartkg.commons import WIDTHS, Commons, Credit
from expartkg.commons.addresses import served_width
from expartkg.errors import UsageError
from expartkg.pictures import MAX_BYTES
from tests.commons.errands import P18, opened_once
from tests.commons.server import (
    FakeCommons,
    Upload,
)


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
