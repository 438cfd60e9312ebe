"""Which saved explanations the page opens."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from expartkg.errors import RunFormatError
from expartkg.records import Run
from expartkg.runs import Json, run_to_json
from expartkg.ui.tools.keeping import MOST_BYTES, MOST_ITERATIONS, _opened


@pytest.fixture
def document(make_run: Callable[..., Run]) -> Json:
    return run_to_json(make_run())


def written(document: Json, folder: Path) -> str:
    file = folder / "run.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    return str(file)


def test_what_the_page_has_saved_is_opened(document: Json, tmp_path: Path) -> None:
    assert run_to_json(_opened(written(document, tmp_path))) == document


def test_what_would_take_minutes_to_draw_is_refused(document: Json, tmp_path: Path) -> None:
    rounds = [document["iterations"][0] | {"number": n} for n in range(1, MOST_ITERATIONS + 2)]
    with pytest.raises(RunFormatError, match="The Run has 51 iterations, and the page shows 50"):
        _opened(written(document | {"iterations": rounds}, tmp_path))
    assert len(_opened(written(document | {"iterations": rounds[1:]}, tmp_path)).iterations) == 50
    with pytest.raises(RunFormatError, match="larger than the 2 MB"):
        _opened(written(document | {"more": "x" * MOST_BYTES}, tmp_path))
