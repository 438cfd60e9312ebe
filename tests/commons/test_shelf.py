"""The cache."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from expartkg.commons import Commons, CommonsPicture
from expartkg.commons.shelf import EXTENSIONS
from tests.commons.errands import P18, kept, opened_once, refused
from tests.commons.server import (
    FakeCommons,
    drawing,
)


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
