"""`kg load` as it is called: files in, a store that every command opens, and one line if not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from expartkg.cli import main

LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
GRAPH = f"""\
<http://x/Q1> {LABEL} "Ophelia"@en .
nonsense
<http://x/Q2> {LABEL} "Millais"@en .
<http://x/Q1> <http://x/P170> <http://x/Q2> .
"""


@pytest.fixture
def source(tmp_path: Path) -> str:
    path = tmp_path / "some.nt"
    path.write_text(GRAPH)
    return str(path)


def test_bad_lines_stop_a_load(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "store"
    assert main(["kg", "load", source, "--store", str(store), "--json"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "some.nt line 2: not valid N-Triples" in err
    assert err.count("\n") == 1
    assert not store.exists()


def test_bad_lines_are_skipped_and_counted(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = str(tmp_path / "store")
    assert main(["kg", "load", source, "--store", store, "--bad-lines", "skip", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == {
        "store": store,
        "entities": 2,
        "statements": 1,
        "properties": 1,
        "skipped_lines": 1,
    }
    assert "some.nt line 2 is skipped: " in err
    assert main(["retrieve", "By Millais: Ophelia", "--kg", store, "--json"]) == 0
    retrieved = json.loads(capsys.readouterr().out)
    assert [mention["entity"] for mention in retrieved["mentions"]] == ["Q2", "Q1"]
    assert [fact["predicate"] for fact in retrieved["facts"]] == ["P170"]


def test_of_many_bad_lines_the_last_are_only_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.nt"
    path.write_text("nonsense\n" * 25 + GRAPH.replace("nonsense\n", ""))
    command = ["kg", "load", str(path), "--store", str(tmp_path / "s"), "--bad-lines", "skip"]
    assert main(command) == 0
    out, err = capsys.readouterr()
    assert "2 entities, 1 statements between them" in out
    assert err.count("is skipped") == 20
    assert "5 more lines are skipped" in err
