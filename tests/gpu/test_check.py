"""The script that is run on a GPU by hand runs here too, with tiny models on the CPU."""

from __future__ import annotations

import dataclasses
import io
import json
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from tests.engines.tiny_models import ModelFolders
from tests.test_architecture import imports

torch = pytest.importorskip("torch", reason="the engine qwen needs torch, which is not installed")

NEEDED = ("expartkg.engines", "expartkg.prompts", "expartkg.records", "expartkg.settings")


@pytest.fixture(scope="module")
def report(tiny_models: ModelFolders) -> Iterator[dict[str, Any]]:
    from tests.gpu.check import SIZES, main

    printed = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(printed):
        made = dataclasses.replace(SIZES["tiny"], make=lambda _: tiny_models)
        patch.setitem(SIZES, "tiny", made)
        assert main(["--size", "tiny", "--device", "cpu"]) == 0
    yield json.loads(printed.getvalue())
    torch._dynamo.reset()


@pytest.mark.parametrize("file", ["gpu/check.py", "gpu/random_models.py", "engines/tiny_models.py"])
def test_it_needs_neither_the_graph_nor_the_page(root: Path, file: str) -> None:
    """Their packages need not be on a machine with a GPU."""
    ours = {name for name in imports(root / "tests" / file) if name.startswith("expartkg")}
    assert all(name.startswith(NEEDED) for name in ours), ours


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
