"""`evaluate retrieval`, `linking` and `validator` from the command line."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from expartkg.cli import main
from expartkg.engines.scripted import scripted_engine
from expartkg.evaluation.questions import question_to_json
from expartkg.retrieval.retriever import Retriever
from tests.evaluation.conftest import QUESTIONS, WriteLines

Measure = Callable[..., tuple[int, str, str]]


@pytest.fixture
def measure(
    capsys: pytest.CaptureFixture[str],
    write_lines: WriteLines,
    retriever: Retriever,
    tmp_path: Path,
) -> Measure:
    questions = write_lines([question_to_json(question) for question in QUESTIONS], "q.jsonl")
    (tmp_path / "links.json").write_text(
        json.dumps({"Q1": [{"text": "Ophelia", "entities": [{"start": 0, "end": 7, "qid": "Q1"}]}]})
    )

    def run(part: str, *more: str, source: Path | None = None) -> tuple[int, str, str]:
        asked = ["--questions", str(source or questions), "--kg", str(tmp_path / "graph.nt")]
        code = main(["evaluate", part, *asked, *more])
        return code, *capsys.readouterr()

    return run


def document(result: tuple[int, str, str]) -> Any:
    assert result[0] == 0, result
    return json.loads(result[1])


def test_retrieval(measure: Measure, tmp_path: Path) -> None:
    found = document(measure("retrieval", "--json", "--out", str(tmp_path / "out")))
    assert found["questions"] == 3
    assert found["graph"]["entities"] == 6
    assert len(found["rows"]) == 3 * 3 * 3
    row = found["rows"][0]
    assert (row["ranking"], row["top_k"], row["iteration"]) == ("pid", 5, 1)
    assert json.loads((tmp_path / "out/retrieval.json").read_text()) == found
    with (tmp_path / "out/retrieval.csv").open() as file:
        lines = list(csv.DictReader(file))
    assert [float(line["share"]) for line in lines] == [row["share"] for row in found["rows"]]


def test_retrieval_for_one_setting(measure: Measure) -> None:
    out = measure("retrieval", "--rankings", "qid", "--top-k", "3", "--sample", "0.4")[1]
    header, *rows = out.splitlines()
    assert header.split()[:4] == ["ranking", "top_k", "iteration", "share"]
    assert [row.split()[:3] for row in rows] == [["qid", "3", str(n)] for n in (1, 2, 3)]


def test_linking(measure: Measure, tmp_path: Path) -> None:
    found = document(measure("linking", "--json", source=tmp_path / "links.json"))
    assert found["texts"] == 1
    assert [row["work_known"] for row in found["rows"]] == [True, False]
    assert found["rows"][0]["in_graph"]["accuracy"] == 1
    out = measure("linking", source=tmp_path / "links.json")[1]
    assert out.splitlines()[0].split()[:3] == ["work_known", "links", "found"]


def test_validator(measure: Measure) -> None:
    found = document(measure("validator", "--engine", "preview", "--json"))
    assert found["engine"]["name"] == "preview"
    assert found["right"] == 3
    assert {kind["kind"] for kind in found["kinds"]} <= set(found["kinds_of_wrong_answers"])
    assert sum(one["answers"] for one in found["calibration"]) > 3
    out = measure("validator", "--engine", "preview")[1]
    assert out.splitlines()[1].split()[:2] == ["right", "3"]


def test_an_engine_that_judges_nothing(measure: Measure, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = scripted_engine(["x"])
    monkeypatch.setattr("expartkg.commands.measure.load_engine", lambda settings: engine)
    code, _, err = measure("validator")
    assert code == 2
    assert "judges nothing" in err


@pytest.mark.parametrize("part", ["retrieval", "linking", "validator"])
def test_questions_are_needed(part: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", part]) == 2
    assert "needs --questions" in capsys.readouterr().err


def test_a_sample_that_is_none(measure: Measure) -> None:
    assert measure("retrieval", "--sample", "2")[0] == 2
