"""What odd pictures cost: processor time and memory of the process that decodes each.

By default the costliest few; `EXPARTKG_LARGE=1` opens all of them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from expartkg.pictures import MAX_MEMORY, MAX_SECONDS
from tests.odd_pictures import CASES, Case, write

pytestmark = pytest.mark.benchmark

IS_LARGE = os.environ.get("EXPARTKG_LARGE") == "1"
COSTLY = (
    "a TIFF of two million tiles",
    "a JPEG whose EXIF unfolds to 21 GB",
    "a WebP of 100 million pixels in 38 bytes",
)
MOST_SECONDS, MOST_BYTES = 3.0, 10**9


def test_no_picture_takes_three_seconds_or_a_gigabyte(
    tmp_path: Path, root: Path, slowness: float
) -> None:
    cases = [case for case in CASES if IS_LARGE or case.what in COSTLY]
    costs = {case.what: _cost(case, tmp_path, root) for case in cases}
    longest = max(costs, key=lambda what: costs[what][0])
    largest = max(costs, key=lambda what: costs[what][1])
    print(f"\n{len(costs)} files; longest {costs[longest][0]:.2f} s ({longest}), ", end="")
    print(f"most memory {costs[largest][1] / 10**6:.0f} MB ({largest})")
    assert costs[longest][0] < MOST_SECONDS * slowness
    assert costs[largest][1] < MOST_BYTES


def _cost(case: Case, folder: Path, root: Path) -> tuple[float, int]:
    """Processor seconds and bytes of the decoder's whole process.

    A process starts with the memory of the one that it was forked from, and that counts for its
    peak: so a small one starts it, and says what it took.
    """
    file = write(case, folder)
    decoder = ["-W", "ignore", "-m", "expartkg.pictures", str(file), MAX_SECONDS, MAX_MEMORY]
    command = [sys.executable, "-c", _STARTER, sys.executable, *map(str, decoder)]
    told = subprocess.run(command, cwd=root, capture_output=True, check=True, text=True)
    file.unlink()
    seconds, kilobytes = told.stdout.split()
    return float(seconds), int(kilobytes) * 1024


_STARTER = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)
"""
