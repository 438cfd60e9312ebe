"""`score` as scripts use it: the document, the warnings and the errors."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from expartkg.cli import main
from expartkg.evaluation.scoring import METRICS
from tests.evaluation.conftest import NAMES, Read, WriteLines
from tests.evaluation.metrics.test_entity_measures import PIECES, formulas

Score = Callable[..., tuple[int, str, str]]

PAIRS: list[dict[str, object]] = [
    {"id": "a", "generated": "The Mona Lisa in Paris.", "reference": "The Mona Lisa in Paris."},
    {"id": 2, "generated": "Louvre", "reference": "Paris and the Louvre.", "other": None},
]


@pytest.fixture
def titles(tmp_path: Path) -> Path:
    path = tmp_path / "titles.txt"
    path.write_text("\n".join(NAMES), encoding="utf-8")
    return path


@pytest.fixture
def score(capsys: pytest.CaptureFixture[str], titles: Path) -> Score:
    """Runs `score` with the names of the tests: exit code, stdout, stderr."""

    def run(*arguments: object) -> tuple[int, str, str]:
        names = [] if "--kg" in arguments else ["--titles", str(titles)]
        code = main(["score", *map(str, arguments), *names])
        return code, *capsys.readouterr()

    return run


def document(result: tuple[int, str, str]) -> Any:
    assert result[0] == 0, result
    return json.loads(result[1])


def test_the_document(score: Score, write_lines: WriteLines) -> None:
    scored = document(score(write_lines(PAIRS), "--json"))
    assert set(scored) == {"corpus", "intervals", "signatures", "samples"}
    for part in ("corpus", "intervals", "signatures"):
        assert tuple(scored[part]) == METRICS
        assert scored[part]["bertscore"] is None
    first, second = scored["samples"]
    assert (first["id"], second["id"]) == ("a", "2")
    assert (first["ef1"], first["ecooc_inf"], first["length"]) == (100, 100, 5)
    # one of two entities exactly; the other has no word in common
    assert (second["ec_exact"], second["ec_partial"]) == (50, 50)
    assert scored["corpus"]["ec_exact"] == 75
    low, high = scored["intervals"]["ec_exact"]
    assert 50 <= low <= 75 <= high <= 100
    assert "names:12|" in scored["signatures"]["ef1"]


def test_hundreds_of_odd_pairs_have_the_values_of_the_formulas(
    score: Score, write_lines: WriteLines, read: Read
) -> None:
    choose = random.Random(2)

    def odd_text() -> str:
        size = choose.choice([0, 1, 5, 20, 20, 200])
        return " ".join(choose.choices(PIECES, k=size))

    pairs = [
        {"id": number, "generated": odd_text(), "reference": odd_text()} for number in range(300)
    ]
    scored = document(score(write_lines(pairs), "--json"))
    names = ("ec_exact", "ec_partial", "ef1", "ecooc_0", "ecooc_1", "ecooc_2", "ecooc_inf")
    totals = dict.fromkeys(names, 0.0)
    for pair, sample in zip(pairs, scored["samples"], strict=True):
        values = formulas(read, str(pair["generated"]), str(pair["reference"]))
        assert [sample[name] for name in names] == pytest.approx([100 * value for value in values])
        assert sample["length"] == len(str(pair["generated"]).split())
        for name, value in zip(names, values, strict=True):
            totals[name] += 100 * value / len(pairs)
    assert {name: scored["corpus"][name] for name in names} == pytest.approx(totals)


def test_against_another_system(score: Score, write_lines: WriteLines) -> None:
    others = [{**PAIRS[1], "id": "2"}, {**PAIRS[0], "generated": "Nothing."}]
    first, second = write_lines(PAIRS), write_lines(others, "others.jsonl")
    scored = document(score(first, "--against", second, "--json"))
    assert scored["against"]["corpus"]["ec_exact"] == 25
    found = scored["differences"]["ec_exact"]
    assert found["difference"] == 50
    assert found["low"] <= 50 <= found["high"]
    assert 0 < found["p"] <= 1


def test_for_people(score: Score, write_lines: WriteLines) -> None:
    path = write_lines(PAIRS)
    out = score(path)[1]
    assert out.startswith("2 pairs, 95 % intervals\nbleu ")
    assert "bertscore " not in out
    assert "against 75.00: +0.00" in score(path, "--against", path)[1]


def test_the_graph_is_the_dictionary_where_no_titles_are_given(
    score: Score, write_lines: WriteLines, root: Path
) -> None:
    scored = document(score(write_lines(PAIRS), "--kg", root / "kg/artworks.nt.gz", "--json"))
    assert "dictionary:artworks.nt.gz|" in scored["signatures"]["ef1"]
    assert scored["samples"][0]["ef1"] == 100


def test_a_dictionary_that_no_reference_names_is_a_warning(
    score: Score, write_lines: WriteLines
) -> None:
    pairs = [{"id": 1, "generated": "Rome.", "reference": "Rome."}]
    code, out, err = score(write_lines(pairs), "--json")
    assert code == 0
    assert json.loads(out)["corpus"]["ef1"] == 0
    assert "No reference names an entity" in err
    assert "--kg" in err


def test_texts_that_are_all_empty_are_a_warning(score: Score, write_lines: WriteLines) -> None:
    code, out, err = score(write_lines([{"id": 1, "generated": " ", "reference": ""}]), "--json")
    assert code == 0
    assert set(json.loads(out)["corpus"].values()) == {0, None}
    assert "empty" in err


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ([], "has no line"),
        (["", "  "], "has no line"),
        ([PAIRS[0], "not json"], "line 2 is not JSON"),
        ([PAIRS[0], "", "[1]"], "line 3 is JSON but no object"),
        (["[" * 100_000], "line 1 is not JSON"),
        ([{"generated": "", "reference": ""}], "line 1 has no 'id'"),
        ([{"id": "", "generated": "", "reference": ""}], "line 1 has no 'id'"),
        ([{"id": 1, "reference": ""}], "line 1 has no field 'generated'"),
        ([{"id": 1, "generated": ""}], "line 1 has no field 'reference'"),
        ([{"id": 1, "generated": None, "reference": ""}], "'generated' has to be a text"),
        ([PAIRS[1], {**PAIRS[1], "id": "2"}], "line 2 has the id '2' of line 1 again"),
    ],
)
def test_bad_lines_are_told_with_the_remedy(
    score: Score, write_lines: WriteLines, lines: list[object], reason: str
) -> None:
    code, out, err = score(write_lines(lines), "--json")
    assert (code, out) == (1, "")
    assert reason in err
    assert err.count("\n") == 1
    assert any(remedy in err for remedy in ("has to be", "give", "add"))


def test_files_that_are_no_pairs(score: Score, write_lines: WriteLines, tmp_path: Path) -> None:
    assert "cannot be read" in score(tmp_path / "missing.jsonl")[2]
    assert "cannot be read" in score(tmp_path)[2]
    path = tmp_path / "latin.jsonl"
    path.write_bytes(b'\n{"id": 1, "generated": "caf\xe9", "reference": ""}')
    assert "line 2 is not UTF-8" in score(path)[2]


def test_files_that_cannot_be_compared(score: Score, write_lines: WriteLines) -> None:
    first = write_lines(PAIRS)
    fewer = write_lines(PAIRS[:1], "fewer.jsonl")
    assert "1 only in the first, 0 only in the second" in score(first, "--against", fewer)[2]
    changed = write_lines([PAIRS[0], {**PAIRS[1], "reference": "x"}], "changed.jsonl")
    assert "different references for the id '2'" in score(first, "--against", changed)[2]


def test_titles_that_are_none(score: Score, write_lines: WriteLines, titles: Path) -> None:
    titles.write_bytes(b"\n \n")
    assert "has no name" in score(write_lines(PAIRS))[2]
    titles.write_bytes(b"one\n\xff\n")
    assert "line 2 is not UTF-8" in score(write_lines(PAIRS))[2]
    titles.unlink()
    assert "cannot be read" in score(write_lines(PAIRS))[2]


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(
    score: Score, tmp_path: Path, titles: Path
) -> None:
    titles.write_bytes("\ufeffParis\r\nLouvre\r\n".encode())
    path = tmp_path / "pairs.jsonl"
    lines = "\r\n".join(json.dumps(pair) for pair in PAIRS)
    path.write_bytes(f"\ufeff{lines}\r\n".encode())
    assert document(score(path, "--json"))["corpus"]["ec_exact"] == 75


def test_graph_and_titles_together_are_a_wrong_call(
    titles: Path, write_lines: WriteLines, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(write_lines(PAIRS))
    assert main(["score", path, "--titles", str(titles), "--kg", "artworks"]) == 2
    assert "not both" in capsys.readouterr().err


def test_without_bertscore_no_model_is_imported(
    root: Path, write_lines: WriteLines, titles: Path
) -> None:
    arguments = ["score", str(write_lines(PAIRS)), "--titles", str(titles)]
    code = (
        f"import sys; from expartkg.cli import main; main({arguments!r});"
        "heavy = {'torch', 'transformers', 'gradio', 'matplotlib'} & set(sys.modules);"
        "sys.exit(f'imported: {heavy}' if heavy else 0)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=root, check=False, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
