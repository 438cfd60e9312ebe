"""`kill -9` at random moments: nothing that was finished is lost, nothing is ever half there."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hard_use.errands import ERRANDS, LARGE, Errand, Left, make_inputs

KILLS = 50 if LARGE else 2
SIZE = 40 if LARGE else 9


class Forks:
    """The process of `forking`, which starts one command at a time."""

    def __init__(self, root: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.hard_use.forking"],
            cwd=root,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._read() == "ready"

    def start(self, arguments: list[str]) -> int:
        """The number of the process, which is no other's until it is waited for."""
        return int(self._asked(arguments))

    def wait(self) -> int:
        """The exit status of the command, negative if it was killed."""
        return int(self._asked("wait"))

    def close(self) -> None:
        self._process.communicate(timeout=60)

    def _asked(self, what: object) -> str:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(what) + "\n")
        self._process.stdin.flush()
        return self._read()

    def _read(self) -> str:
        assert self._process.stdout
        return self._process.stdout.readline().strip()


@pytest.fixture(scope="module")
def forks(root: Path) -> Iterator[Forks]:
    forks = Forks(root)
    yield forks
    forks.close()


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    make_inputs(folder, SIZE)
    return folder


@pytest.mark.parametrize("errand", ERRANDS, ids=lambda errand: errand.name)
def test_killed_at_any_moment_a_command_goes_on_where_it_was(
    errand: Errand, forks: Forks, inputs: Path, tmp_path: Path
) -> None:
    whole, out = tmp_path / "whole", tmp_path / "out"
    lasts = undisturbed(errand, forks, inputs, whole)
    expected = errand.left(whole)
    drawn = random.Random(errand.name)
    before: Left = {}
    cut = 0
    for _ in range(KILLS):
        out.mkdir(exist_ok=True)
        child = forks.start(errand.arguments(inputs, out))
        time.sleep(drawn.uniform(0, lasts))
        os.kill(child, signal.SIGKILL)
        cut += forks.wait() == -signal.SIGKILL
        after = errand.left(out)
        assert_nothing_is_lost(before, after, expected, errand.grows)
        before = after
        if len(after) == len(expected) or drawn.random() < 0.2:
            shutil.rmtree(out)
            before = {}
    # Few kills on a busy machine may all come too late.
    assert cut > 0 or not LARGE
    out.mkdir(exist_ok=True)
    forks.start(errand.arguments(inputs, out))
    assert forks.wait() == 0
    assert sorted_lines(errand.left(out)) == sorted_lines(expected)
    assert not list(out.rglob("*.part"))
    print(f"{errand.name}: {KILLS} kills, {cut} of them before its end")


def undisturbed(errand: Errand, forks: Forks, inputs: Path, out: Path) -> float:
    """How many seconds it takes."""
    out.mkdir()
    began = time.monotonic()
    forks.start(errand.arguments(inputs, out))
    assert forks.wait() == 0
    return time.monotonic() - began


def assert_nothing_is_lost(
    before: Left, after: Left, expected: Left, grows: tuple[str, ...]
) -> None:
    assert before.keys() <= after.keys() <= expected.keys()
    for name, content in after.items():
        if name not in grows:
            assert content == expected[name], name
            continue
        whole, earlier = listed(expected[name]), listed(before.get(name))
        assert all(line in whole for line in listed(content)), name
        assert listed(content)[: len(earlier)] == earlier, name


def listed(content: object) -> list[object]:
    return list(content) if isinstance(content, (list, tuple)) else []


def sorted_lines(left: Left) -> dict[str, object]:
    """What was made by turns may be in another order."""
    return {
        name: sorted(map(repr, content)) if isinstance(content, (list, tuple)) else content
        for name, content in left.items()
    }
