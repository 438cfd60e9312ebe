"""`evaluate` from the command line: one command that can be killed and started again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from expartkg.cli import main
from expartkg.evaluation.questions import question_to_json
from expartkg.files import locked
from expartkg.retrieval.retriever import Retriever
from tests.evaluation.conftest import QUESTIONS, WriteLines

Evaluate = Callable[..., tuple[int, str, str]]


@pytest.fixture
def questions(write_lines: WriteLines) -> Path:
    return write_lines([question_to_json(question) for question in QUESTIONS], "questions.jsonl")


@pytest.fixture
def arguments(questions: Path, retriever: Retriever, tmp_path: Path) -> list[str]:
    """The experiment of the small graph with the preview engine."""
    paths = ["--questions", str(questions), "--kg", str(tmp_path / "graph.nt")]
    return ["evaluate", *paths, "--out", str(tmp_path / "out"), "--engine", "preview"]


@pytest.fixture
def evaluate(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> Evaluate:
    def run(*more: str) -> tuple[int, str, str]:
        try:
            code = main([*arguments, *more])
        except SystemExit as exit:
            code = int(exit.code or 0)
        return code, *capsys.readouterr()

    return run


@pytest.fixture
def without_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing takes longer than all the rest."""
    monkeypatch.setattr("expartkg.evaluation.report.writing.FIGURE_ENDINGS", ())


def test_the_whole_experiment(evaluate: Evaluate, tmp_path: Path) -> None:
    code, out, err = evaluate("--json")
    assert code == 0, err
    document = json.loads(out)
    assert document["questions"] == {
        "raw": 3, "naming": 3, "filtered": 3, "sampled": 3, "evaluated": 3,
        "paper": {"raw": 5227, "filtered": 4823, "sampled": 1199},
    }  # fmt: skip
    assert len(document["rows"]) == 14
    (row,) = [
        row
        for row in document["rows"]
        if (row["input"], row["method"], row["ranking"]) == ("with-title", "validate", "qid")
    ]
    assert row["questions"] == sum(row["histogram"]) == 3
    assert row["paper_iterations"] == 3.6
    assert row["scores"]["bertscore"] is None
    low, high = row["intervals"]["ef1"]
    assert low <= row["scores"]["ef1"] <= high
    assert json.loads((tmp_path / "out/report/report.json").read_text()) == document
    assert document["conditions"]["engine"]["name"] == "preview"
    assert {path.name for path in (tmp_path / "out/report").iterdir()} >= {
        "table1.txt", "table1.md", "table1.csv", "table1.tex", "iterations.csv", "histogram.csv",
        "samples.html",
    }  # fmt: skip
    for figure in ("figure1", "histogram"):
        for ending, magic in (("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")):
            content = (tmp_path / f"out/report/{figure}.{ending}").read_bytes()
            assert content.startswith(magic)


@pytest.mark.usefixtures("without_figures")
def test_for_people(evaluate: Evaluate) -> None:
    code, out, err = evaluate("--inputs", "with-title", "--rankings", "qid")
    assert code == 0
    assert out.startswith("With Title\nMethod ")
    assert "Without Title" not in out
    assert "33 if every row were run on its own" in out
    assert "18 written" in out
    assert "Preview without a vision model" in err


@pytest.mark.usefixtures("without_figures")
def test_starting_again_asks_nothing_and_says_the_same(evaluate: Evaluate, tmp_path: Path) -> None:
    first = evaluate("--json")[1]
    before = (tmp_path / "out/trajectories.jsonl").read_bytes()
    assert evaluate("--json")[1] == first
    assert (tmp_path / "out/trajectories.jsonl").read_bytes() == before


@pytest.mark.usefixtures("without_figures")
def test_a_ranking_can_be_added_later(evaluate: Evaluate, tmp_path: Path) -> None:
    evaluate("--rankings", "qid", "--methods", "loop")
    before = (tmp_path / "out/trajectories.jsonl").read_bytes()
    assert len(json.loads(evaluate("--json")[1])["rows"]) == 14
    assert (tmp_path / "out/trajectories.jsonl").read_bytes().startswith(before)


@pytest.mark.usefixtures("without_figures")
@pytest.mark.parametrize(
    ("more", "reason"),
    [
        (["--top-k", "3"], "settings top_k was 10, now 3"),
        (["--seed", "5"], "questions seed was 0, now 5"),
        (["--sample", "0.3"], "questions sampled was 3, now 1"),
        (["--kg", "artworks"], "graph name was 'graph.nt', now 'artworks'"),
    ],
)
def test_another_experiment_is_not_mixed_in(
    evaluate: Evaluate, more: list[str], reason: str
) -> None:
    assert evaluate("--methods", "baseline")[0] == 0
    code, out, err = evaluate("--methods", "baseline", *more)
    assert (code, out) == (2, "")
    assert reason in err
    assert "use another --out" in err


@pytest.mark.parametrize(
    ("more", "code", "reason"),
    [
        (["--sample", "0"], 2, "sample must be above 0"),
        (["--methods", "guess"], 2, "invalid choice"),
        (["--workers", "0"], 2, "1 or more"),
        (["--questions", "missing.jsonl"], 1, "There is no file missing.jsonl"),
    ],
)
def test_wrong_calls(evaluate: Evaluate, more: list[str], code: int, reason: str) -> None:
    found = evaluate(*more)
    assert found[:2] == (code, "")
    assert reason in found[2]


@pytest.mark.parametrize("arguments", [["--out", "x"], ["--questions", "x"]])
def test_questions_and_out_are_needed(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", *arguments]) == 2
    assert "needs --questions and --out" in capsys.readouterr().err


def test_a_graph_that_no_reference_names(
    evaluate: Evaluate, write_lines: WriteLines, tmp_path: Path
) -> None:
    lines = [{"id": 1, "title": "x", "reference": "Nobody."}]
    code, _, err = evaluate("--questions", str(write_lines(lines)))
    assert code == 1
    assert "give the graph of these works with --kg" in err
    assert not (tmp_path / "out").exists()


def test_a_folder_at_work_is_said_before_the_engine_is_loaded(
    evaluate: Evaluate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[object] = []
    monkeypatch.setattr(
        "expartkg.commands.experiment.load_engine", lambda settings: loaded.append(settings)
    )
    with locked(tmp_path / "out"):
        code, _, err = evaluate()
    assert code == 1
    assert "Another process is at work" in err
    assert not loaded


# The command as it is, but with an engine that takes its time.
SLOW = """
import sys
from expartkg.cli import main
from expartkg.commands import experiment
from expartkg.engines.scripted import scripted_engine
script = ["By John Everett Millais.", "In Tate Britain.", "The end."]
experiment.load_engine = lambda settings: scripted_engine(
    script, [0.1, 0.6, 0.7], seconds_per_word=0.004
)
sys.exit(main(sys.argv[1:]))
"""


def test_killed_at_any_moment_nothing_is_lost_and_nothing_done_twice(
    arguments: list[str], root: Path, tmp_path: Path
) -> None:
    path = tmp_path / "out/trajectories.jsonl"
    command = [sys.executable, "-c", SLOW, *arguments, "--json", "--workers", "2"]
    kept = b""
    for more in (2, 4):
        process = subprocess.Popen(
            command, cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        wait_for_lines(path, kept.count(b"\n") + more, process)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        # a kill in the middle of writing may leave a torn line; here one is made
        content = path.read_bytes()
        assert content.startswith(kept)
        kept = content[: content.rfind(b"\n") + 1]
        path.write_bytes(kept + b'{"id": "1", "with_ti')
    result = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    lines = path.read_bytes()
    assert lines.startswith(kept)
    keys = Counter(
        (run["id"], run["input"], run["method"], run["ranking"])
        for run in map(json.loads, lines.splitlines())
    )
    assert len(keys) == 3 * 2 * 4
    assert set(keys.values()) == {1}
    assert json.loads(result.stdout)["cost"]["failed"] == 0


def wait_for_lines(path: Path, lines: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 200
    while not path.exists() or path.read_bytes().count(b"\n") < lines:
        assert process.poll() is None, "it ended before it could be killed"
        assert time.monotonic() < end, "nothing was written"
        time.sleep(0.01)


def test_ctrl_c_keeps_what_is_finished(arguments: list[str], root: Path, tmp_path: Path) -> None:
    path = tmp_path / "out/trajectories.jsonl"
    command = [sys.executable, "-c", SLOW, *arguments]
    process = subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_for_lines(path, 1, process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b"")
    assert b"Start the same command again" in err
    assert path.read_bytes().endswith(b"}\n")


def test_one_process_at_a_time(arguments: list[str], root: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", SLOW, *arguments]
    first = subprocess.Popen(
        command, cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    wait_for_lines(tmp_path / "out/trajectories.jsonl", 1, first)
    second = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    first.kill()
    first.wait()
    assert second.returncode == 1
    assert "Another process is at work" in second.stderr
