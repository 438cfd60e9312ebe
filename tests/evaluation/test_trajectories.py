"""The file of finished runs: whole lines or none, whatever happens."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest

from expartkg.errors import DataError, ExpArtError
from expartkg.evaluation.trajectories import Arm, Key, Step, Trajectories, Trajectory

STEP = Step(
    "question", 1, (("Q1", "P1", "Q2"),), "An “answer”\n漢 \ud800", "stop", 3, 0.5, True, 0.9
)


def trajectory(id: str = "a", status: str = "exhausted", answer: str = "") -> Trajectory:
    key = Key(id, "with-title", Arm("loop", "qid"))
    step = Step("answer", 2, (), answer, "stop", 3, 0.1, None, None)
    return Trajectory(key, status, None, "title", "Q1", (STEP, step), 2, 6)  # type: ignore[arg-type]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "trajectories.jsonl"


def test_what_is_appended_is_read_back(path: Path) -> None:
    first = Trajectories(path)
    runs = [trajectory("a"), trajectory("b")]
    for run in runs:
        first.append(run)
    assert list(first) == list(Trajectories(path)) == runs
    assert Trajectories(path).get(runs[0].key) == runs[0]


def test_a_torn_line_is_cut_off_and_nothing_else_is_lost(path: Path) -> None:
    Trajectories(path).append(trajectory("a"))
    whole = path.read_bytes()
    Trajectories(path).append(trajectory("b"))
    torn = path.read_bytes()
    for end in range(len(whole), len(torn)):
        path.write_bytes(torn[:end])
        assert [run.key.id for run in Trajectories(path)] == ["a"]
        assert path.read_bytes() == whole


def test_the_last_line_of_a_run_counts(path: Path) -> None:
    runs = Trajectories(path)
    runs.append(trajectory(status="failed"))
    assert runs.get(trajectory().key) is None
    runs.append(trajectory(answer="again"))
    found = Trajectories(path).get(trajectory().key)
    assert found
    assert found.steps[-1].answer == "again"


@pytest.mark.parametrize("status", ["failed", "stopped"])
def test_a_run_without_an_end_is_not_done(path: Path, status: str) -> None:
    runs = Trajectories(path)
    runs.append(trajectory(status=status))
    assert runs.get(trajectory().key) is None


def test_a_full_disk_leaves_no_half_line(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Trajectories(path)
    runs.append(trajectory("a"))
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ExpArtError, match=r"No space left on device.*start the same command again"):
        runs.append(trajectory("b"))
    assert path.read_bytes() == before
    assert [run.key.id for run in runs] == ["a"]


def test_threads_do_not_mix_lines(path: Path) -> None:
    runs = Trajectories(path)

    def append(name: str) -> None:
        for number in range(20):
            runs.append(trajectory(f"{name}{number}", answer=name * 2000))

    threads = [threading.Thread(target=append, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(list(Trajectories(path))) == 80


@pytest.mark.parametrize("line", ["{}", '{"id": 1}', "none"])
def test_a_damaged_line_is_told(path: Path, line: str) -> None:
    Trajectories(path).append(trajectory())
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(DataError, match="line 2"):
        Trajectories(path)


def test_lines_are_ascii_json(path: Path) -> None:
    Trajectories(path).append(trajectory())
    (line,) = path.read_bytes().splitlines()
    assert line.isascii()
    assert json.loads(line)["ranking"] == "qid"
