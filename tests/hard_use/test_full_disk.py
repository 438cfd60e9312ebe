"""A disk that is full, really: one line says so, what was there stays, and with room it goes on."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from expartkg.cli import main
from expartkg.evaluation.report import writing
from tests.hard_use.errands import ERRANDS, Errand, final_files, make_inputs
from tests.hard_use.test_kills import sorted_lines

LARGE = bool(os.environ.get("EXPARTKG_LARGE"))
SHARES = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97) if LARGE else (0.3, 0.9)
"""How much of what a command writes there is room for."""
PAGE = 4096


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 8 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=8m", "none", str(folder)]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no disk can be made for the test, which root alone may: {error}")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    make_inputs(folder, 6)
    return folder


@contextlib.contextmanager
def room_for(disk: Path, size: int) -> Iterator[None]:
    """Fills the disk but for so many bytes."""
    filler = disk / "filler"
    filler.touch()
    free = shutil.disk_usage(disk).free - size
    with filler.open("wb") as file:
        for _ in range(free // PAGE):
            file.write(bytes(PAGE))
    yield
    filler.unlink()


@pytest.mark.parametrize("errand", ERRANDS, ids=lambda errand: errand.name)
def test_a_full_disk_is_said_in_one_line_and_costs_nothing(
    errand: Errand,
    disk: Path,
    inputs: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(writing, "FIGURE_ENDINGS", ())
    used = shutil.disk_usage(disk).used
    whole, out = disk / "whole", disk / "out"
    whole.mkdir()
    assert main(errand.arguments(inputs, whole)) == 0
    takes, expected = shutil.disk_usage(disk).used - used, errand.left(whole)
    failed = 0
    for share in SHARES:
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        capsys.readouterr()
        with room_for(disk, int(takes * share)):
            code = main(errand.arguments(inputs, out))
        said = capsys.readouterr().err.strip().splitlines()
        left = errand.left(out)
        assert all(errand.grows or left[name] == expected[name] for name in left)
        assert not [path for path in out.rglob("*") if path.name.endswith(".part")]
        if code:
            failed += 1
            assert code == 1
            assert "No space left on device" in said[-1]
            assert "Traceback" not in "".join(said)
        assert main(errand.arguments(inputs, out)) == 0
        assert sorted_lines(errand.left(out)) == sorted_lines(expected)
    assert failed > 0
    print(f"{errand.name}: full {failed} times of {len(SHARES)}")


@pytest.mark.parametrize("errand", ERRANDS[:1], ids=lambda errand: errand.name)
def test_what_was_there_before_stays_where_the_new_has_no_room(
    errand: Errand, disk: Path, inputs: Path
) -> None:
    out = disk / "out"
    out.mkdir()
    (out / "run.json").write_text("old", encoding="utf-8")
    with room_for(disk, 0):
        assert main(errand.arguments(inputs, out)) == 1
    assert [(name, path.read_text()) for name, path in final_files(out)] == [("run.json", "old")]
