"""Bodies that are not what they should be."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from expartkg.commons import Commons
from expartkg.pictures import MAX_BYTES
from tests.commons.errands import P18, kept, refused
from tests.commons.server import (
    ENDLESS,
    FakeCommons,
    Fault,
    announced_too_large,
    body,
    cut_short,
    cut_unseen,
    drawing,
    endless,
)


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
