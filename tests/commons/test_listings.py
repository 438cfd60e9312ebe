"""Listings that are not what they should be."""

from __future__ import annotations

from pathlib import Path

import pytest

from expartkg.commons import Commons
from tests.commons.errands import kept, refused
from tests.commons.server import (
    FakeCommons,
    Upload,
    body,
)


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
