"""How long cold starts take: the command line to one answer, the page to its first response."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.e2e.starting import free_port, served

pytestmark = pytest.mark.benchmark


def test_link_answers_within_a_second(root: Path, slowness: float) -> None:
    command = [sys.executable, "-m", "expartkg", "link", "The Mona Lisa by Leonardo da Vinci"]
    times = []
    for _ in range(5):
        began = time.perf_counter()
        result = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
        times.append(time.perf_counter() - began)
    assert "Q12418" in result.stdout
    print(f"link: {min(times):.2f} s at best, {max(times):.2f} s at worst, slowness {slowness:.1f}")
    assert sorted(times)[2] < 1.0 * slowness


def test_the_page_answers_within_six_seconds(tmp_path: Path, slowness: float) -> None:
    with served(["app.py"], tmp_path / "log", free_port()) as page:
        print(f"page: {page.seconds:.2f} s, slowness {slowness:.1f}")
    assert page.seconds < 6.0 * slowness
