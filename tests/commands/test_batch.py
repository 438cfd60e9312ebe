"""`explain --batch` as a curator uses it, also with `kill -9`."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from expartkg.cli import main
from expartkg.files import locked
from tests.conftest import MakeGraph

WORKS = "Title;Artist\nWork One;\nNobody's work;\nWork Two;Label of Q9\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "works.csv"
    path.write_text(WORKS, encoding="utf-8")
    return path


@pytest.fixture
def arguments(table: Path, tmp_path: Path, make_graph: MakeGraph) -> list[str]:
    make_graph(
        [("Q1", "P170", "Q9"), ("Q2", "P170", "Q9")],
        {"Q1": "Work One", "Q2": "Work Two"},
        {"Q1": "Artwork", "Q2": "Artwork"},
    )
    out = str(tmp_path / "out")
    return [
        *("explain", "--batch", str(table), "--out", out, "--engine", "preview"),
        *("--kg", str(tmp_path / "graph.nt")),
    ]


def test_a_table_becomes_a_folder(
    arguments: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    check_run: Callable[[object], None],
) -> None:
    assert main([*arguments, "--json"]) == 0
    out, err = capsys.readouterr()
    document = json.loads(out)
    assert "2 of 3: Nobody's work: " in err
    assert [work["artwork"] for work in document["works"]] == ["Q1", None, "Q2"]
    for work in document["works"]:
        check_run(json.loads(Path(work["run"]).read_text(encoding="utf-8")))
    assert Path(document["report"]).read_text(encoding="utf-8").count("<section>") == 3
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert out == f"3 of 3 works are explained: {tmp_path / 'out' / 'report.html'}\n"
    assert err.count("there already") == 3


def test_rows_that_cannot_be_read_are_named_and_fail_the_command(
    arguments: list[str], table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table.write_text(WORKS + ";Nobody\n", encoding="utf-8")
    assert main([*arguments, "--json"]) == 1
    out, err = capsys.readouterr()
    assert "Line 5 is left out: it has neither a title" in err
    assert json.loads(out)["left_out"][0]["line"] == 5
    assert len(json.loads(out)["works"]) == 3


def test_other_settings_want_another_folder(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 0
    capsys.readouterr()
    assert main([*arguments, "--ranking", "pid"]) == 1
    said = "begun with other settings: ranking (ranking was 'qid', and is 'pid')"
    assert said in capsys.readouterr().err


def test_a_folder_at_work_is_said_before_the_engine_is_loaded(
    arguments: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    loaded: list[object] = []
    monkeypatch.setattr("expartkg.commands.batch.load_engine", lambda *asked: loaded.append(asked))
    with locked(tmp_path / "out"):
        assert main(arguments) == 1
    assert "Another process is at work" in capsys.readouterr().err
    assert not loaded


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        (["--title", "x"], "--title is for one work"),
        (["--export", "x.md"], "--export is for one work"),
    ],
)
def test_what_is_for_one_work_is_a_wrong_call(
    arguments: list[str], extra: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, *extra]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("half", [["--batch", "works.csv"], ["--out", "o"]])
def test_a_table_and_a_folder_go_together(
    half: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", *half]) == 2
    assert "go together" in capsys.readouterr().err


SLOW = """
import sys
from expartkg.cli import main
from expartkg.commands import batch
from expartkg.engines.scripted import scripted_engine
batch.load_engine = lambda *_: scripted_engine(["Work One. " * 20], [0.9], seconds_per_word=0.02)
sys.exit(main(sys.argv[1:]))
"""


def test_killed_at_any_moment_it_goes_on_where_it_was(
    arguments: list[str], table: Path, tmp_path: Path, root: Path
) -> None:
    table.write_text("title\n" + "".join(f"Work {n}\n" for n in range(6)), encoding="utf-8")
    command = [sys.executable, "-c", SLOW, *arguments, "--json"]
    runs = tmp_path / "out" / "runs"
    for wanted in (1, 3):
        process = subprocess.Popen(
            command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        while len(list(runs.glob("[!.]*.json"))) < wanted:
            assert process.poll() is None
            time.sleep(0.02)
        process.kill()
        process.communicate(timeout=10)
    done = {path: path.stat().st_mtime_ns for path in runs.glob("[!.]*.json")}
    assert 3 <= len(done) < 6
    end = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    assert len(json.loads(end.stdout)["works"]) == 6
    assert end.stderr.count("there already") == len(done)
    assert all(path.stat().st_mtime_ns == changed for path, changed in done.items())
