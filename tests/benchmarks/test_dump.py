"""How fast a dump of Wikidata is read, and that its size does not show in the memory it takes.

The dump is generated: items of 1.3 kilobytes, a tenth of those of Wikidata. Set EXPARTKG_LARGE=1
for a million items beside a hundred thousand; without it, it is a tenth of both.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import pytest

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(3600)]

LARGE = 1_000_000 if os.environ.get("EXPARTKG_LARGE") else 100_000
ASKED = 2_000
"""Names that are asked for, the same however many items there are."""
MOST_GROWTH = 1.2
LEAST_RATE = 1_500
"""Items a second, on a quiet core of a server."""

READ = """
import json, resource, sys, time
from pathlib import Path
from expartkg.construction.sources.dump.source import Dump
from expartkg.construction.steps import Steps
path, asked = Path(sys.argv[1]), int(sys.argv[2])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
names = [f"Boat Number {number}" for number in range(asked)]
began = time.process_time()
source = Dump(path)
source.prepare(names, Steps(path.parent / "steps", {}))
seconds = time.process_time() - began
found = len(source.look_up(names))
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps({"seconds": seconds, "found": found, "peak": peak, "before": before}))
"""
LAUNCH = (
    "import subprocess, sys; sys.exit(subprocess.run([sys.executable, *sys.argv[1:]]).returncode)"
)
"""A process begins with the peak of the one that started it, so a small one has to start it."""


@dataclass(frozen=True)
class Reading:
    """What it took to read a dump: seconds of the processor, kilobytes at most."""

    items: int
    seconds: float
    peak: int
    before: int


def document(number: int) -> dict[str, Any]:
    """An item with labels in some languages, an article and four statements."""
    name = f"Boat Number {number}"
    languages = ("en", "de", "fr", "es", "it", "nl", "ja", "ru")
    return {
        "type": "item",
        "id": f"Q{number + 1}",
        "labels": {code: {"language": code, "value": name} for code in languages},
        "descriptions": {"en": {"language": "en", "value": "a boat that somebody painted"}},
        "claims": {
            pid: [
                {
                    "mainsnak": {
                        "snaktype": "value",
                        "property": pid,
                        "datavalue": {
                            "value": {"entity-type": "item", "id": f"Q{number // step + 1}"},
                            "type": "wikibase-entityid",
                        },
                    },
                    "type": "statement",
                    "rank": "normal",
                }
            ]
            for pid, step in (("P31", 10**9), ("P170", 20), ("P195", 300), ("P131", 5000))
        },
        "sitelinks": {"enwiki": {"site": "enwiki", "title": name, "badges": []}},
    }


def lines(items: int) -> Iterator[bytes]:
    yield b"[\n"
    for number in range(items):
        yield orjson.dumps(document(number)) + (b",\n" if number < items - 1 else b"\n")
    yield b"]\n"


def read(items: int, folder: Path) -> Reading:
    folder.mkdir()
    path = folder / "dump.json.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.writelines(lines(items))
    command = [sys.executable, "-c", LAUNCH, "-c", READ, str(path), str(ASKED)]
    told = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    assert told.pop("found") == ASKED
    reading = Reading(items, **told)
    print(
        f"{items:,} items ({path.stat().st_size / 1e6:.0f} MB packed): "
        f"{items / reading.seconds:,.0f} items/s of the processor, {reading.peak / 1024:.1f} MiB "
        f"at most, {reading.before / 1024:.1f} MiB before"
    )
    return reading


def test_ten_times_the_dump_takes_no_more_memory(tmp_path: Path, slowness: float) -> None:
    small, large = read(LARGE // 10, tmp_path / "small"), read(LARGE, tmp_path / "large")
    grown = large.peak / small.peak
    print(f"{grown:.3f} times the memory for ten times the items; {slowness:.1f} times slow")
    assert grown < MOST_GROWTH
    assert large.items / large.seconds > LEAST_RATE / slowness
