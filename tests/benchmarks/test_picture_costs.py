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
    """Processor seconds and bytes of the decoder's whole process."""
    file = write(case, folder)
    limits = [str(MAX_SECONDS), str(MAX_MEMORY)]
    # Memory is also that of the process which starts it, so that a small one does.
    code = "import os, sys; os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
    decoder = ["-W", "ignore", "-m", "expartkg.pictures", str(file), *limits]
    process = subprocess.Popen(
        [sys.executable, "-c", code, *decoder], cwd=root, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.stdout.close()
    process.returncode = os.waitstatus_to_exitcode(status)
    file.unlink()
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024
