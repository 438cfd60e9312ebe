"""Files are written as a whole, and a folder is one process's."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from expartkg.errors import ExpArtError
from expartkg.files import locked, sweep, write_atomically


def test_a_file_is_replaced_and_folders_are_made(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "file"
    for content in (b"old", b"new"):
        write_atomically(path, content)
    assert path.read_bytes() == b"new"
    assert [one.name for one in path.parent.iterdir()] == ["file"]


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").mkdir()
    with pytest.raises(ExpArtError, match="file cannot be written"):
        write_atomically(tmp_path / "file", b"new")
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_what_a_killed_process_had_not_finished_is_swept_away(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "import os; print(os.getpid())"]
    gone = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    dead, living = f".graph.nt.gz.{gone}.1.part", ".graph.nt.gz.1.1.part"
    for name in (dead, living, ".mine.part"):
        (tmp_path / name).touch()
    sweep(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [living, ".mine.part"]


def test_a_folder_that_is_not_there_needs_no_sweeping(tmp_path: Path) -> None:
    sweep(tmp_path / "missing")


def test_one_process_at_a_time(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    with locked(folder), pytest.raises(ExpArtError, match="at work"), locked(folder):
        pass
    with locked(folder):
        pass
