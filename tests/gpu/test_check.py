"""The script that is run on a GPU by hand runs here too, with tiny models on the CPU."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

RUN = """
import sys
from tests.gpu.check import main
code = main(["--size", "tiny", "--device", "cpu"])
unwanted = {"gradio", "pyoxigraph"} & set(sys.modules)
sys.exit(f"imported {unwanted}" if unwanted else code)
"""


@pytest.fixture(scope="module")
def report(root: Path) -> dict[str, Any]:
    """In a process of its own, as on the other machine: without the graph's packages."""
    done = subprocess.run(
        [sys.executable, "-c", RUN],
        cwd=root,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def test_measures_everything(report: dict[str, Any]) -> None:
    assert report["machine"]["packages"].keys() >= {"torch", "transformers", "bitsandbytes"}
    assert report["peak_bytes"] >= report["loaded_bytes"] > 10**8
    assert {len(seconds) for seconds in report["prefill_seconds"].values()} == {5}
    assert all(rate > 0 for rate in report["tokens_per_second"].values())
    assert report["bandwidth"]["share_of_limit"] > 0
    assert report["validator_ms"] > 0
    assert [len(run["tokens"]) for run in report["runs"]] == [5, 5]
    assert report["targets"] is None


def test_all_ways_to_write_agree(report: dict[str, Any]) -> None:
    agreement = report["agreement"]
    assert agreement["cosine"] == pytest.approx(1, abs=1e-4)
    same = agreement["same_characters"]
    assert same["generate_and_eager"] == same["eager_and_compiled"] == same["of"] > 0


def test_reads_each_token_of_the_prefix_once(report: dict[str, Any]) -> None:
    picture, texts = report["picture"]["tokens"], report["text_tokens"]
    prefilled = report["prefilled_tokens"]
    before = prefilled["with_session"] - sum(texts)
    assert before > picture
    assert prefilled["without_session"] == sum(texts) + 5 * before
