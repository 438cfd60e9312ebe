"""The paper's construction as a whole: what the graph holds, and that a build can be killed."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from expartkg.construction import BuildOptions, build_from_questions
from expartkg.construction.questions import read_questions
from expartkg.construction.sources.snapshot import open_snapshot
from expartkg.construction.steps import Steps
from expartkg.errors import SourceError

STEPS = ["1-candidates.jsonl", "2-selection.jsonl", "3-edges.jsonl", "4-works.jsonl"]
RESULTS = ["dropped.tsv", "graph.nt.gz", "manifest.json"]


def contents(folder: Path) -> dict[str, bytes]:
    """Every file under a folder by its name there."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_statements_between_nodes_labels_kinds_and_years_are_there(
    asked: Any, without_concepts: set[str]
) -> None:
    assert asked().lines == without_concepts


def test_noise_self_loops_and_double_statements_are_left_out_with_a_reason(
    tiny: Any, asked: Any
) -> None:
    tiny.statements += [
        "Q1004\tP47\tQ1003\ttest",
        "Q1004\tP17\tQ1004\ttest",
        "Q1001\tP170\tQ1002\tagain",
    ]
    result = asked()
    assert result.manifest["stages"]["statements_left_out"] == {
        "listed twice": 1,
        "noise property P47": 1,
        "self loop": 1,
    }
    assert "noise property P47\tQ1004 Town | P47 | Q1003 Town Museum" in result.dropped
    kept = asked(dropped_properties=frozenset[str]())
    assert "Q1004 P47 Q1003" in kept.lines


def test_a_node_without_an_edge_goes_unless_it_is_an_artwork(tiny: Any, asked: Any) -> None:
    tiny.statements = ["Q1003\tP131\tQ1004\ttest"]
    result = asked()
    assert "Q1001 label The Red Boat" in result.lines
    assert "Q1002 label Ada Painter" not in result.lines
    assert "entity\tno statement left\tQ1002 Ada Painter" in result.dropped


def test_the_manifest_counts_every_stage(asked: Any) -> None:
    result = asked()
    assert result.manifest["stages"] == {
        "questions": 1,
        "texts": {"artist": 1, "reference": 2, "title": 1},
        "candidates": 4,
        "candidates_by_field": {"artist": 1, "reference": 3, "title": 1},
        "occurrences": 5,
        "candidates_dropped": {},
        "candidates_kept": 4,
        "kept_by_list_of_titles": {"Artpedia": 1, "vital articles": 3},
        "statements_between_kept": 3,
        "statements_left_out": {},
        "edges": 3,
        "kept_without_edge_dropped": 0,
        "nodes": 4,
        "nodes_without_edge": 0,
    }
    written = json.loads((result.out / "manifest.json").read_text(encoding="utf-8"))
    assert written == result.manifest


def test_each_step_leaves_its_result(asked: Any) -> None:
    out = asked().out
    assert sorted(path.name for path in (out / "steps").iterdir()) == STEPS
    lines = (out / "steps" / STEPS[0]).read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[0])["step"] == "candidates"
    assert json.loads(lines[1])["name"] == "Ada Painter"


def test_the_same_input_gives_the_same_bytes(asked: Any, tiny: Any, tmp_path: Path) -> None:
    first = contents(asked().out)
    again = tmp_path / "again"
    questions, source = read_questions(tiny.questions), open_snapshot(tiny.root)
    build_from_questions(questions, source, again)
    assert contents(again) == first


def test_a_result_that_is_there_is_not_made_again(asked: Any) -> None:
    out = asked().out
    before = {name: (out / "steps" / name).stat().st_mtime_ns for name in STEPS}
    (out / "steps" / STEPS[3]).unlink()
    asked()
    after = {name: (out / "steps" / name).stat().st_mtime_ns for name in STEPS}
    assert [name for name in STEPS if before[name] != after[name]] == [STEPS[3]]


def test_a_result_of_other_sources_or_settings_is_made_again(tiny: Any, asked: Any) -> None:
    asked()
    tiny.vital["Oil paint"] = "Arts"
    assert "candidates" in asked().manifest["stages"]
    tiny.statements.append("Q1004\tP47\tQ1003\ttest")
    assert asked().manifest["stages"]["statements_left_out"] == {"noise property P47": 1}
    kept = asked(dropped_properties=frozenset[str]())
    assert kept.manifest["stages"]["edges"] == 4


def test_a_damaged_result_is_named(asked: Any) -> None:
    path = asked().out / "steps" / STEPS[1]
    path.write_text(path.read_text(encoding="utf-8")[:-20], encoding="utf-8")
    with pytest.raises(SourceError, match=r"2-selection\.jsonl is damaged .* delete it"):
        asked()


def test_a_lone_surrogate_in_an_id_survives_a_file(tmp_path: Path) -> None:
    Steps(tmp_path, {}).result("one", lambda: [{"id": "\ud800"}])
    kept = Steps(tmp_path, {}).result("one", lambda: pytest.fail("made again"))
    assert kept == [{"id": "\ud800"}]


def test_a_step_reads_what_the_step_before_wrote(tmp_path: Path) -> None:
    steps = Steps(tmp_path, {"a": 1})
    assert steps.result("one", lambda: iter([{"n": 1}])) == [{"n": 1}]
    again = Steps(tmp_path, {"a": 1})
    assert again.result("one", lambda: pytest.fail("made again")) == [{"n": 1}]
    other = Steps(tmp_path, {"a": 2})
    assert other.result("one", lambda: [{"n": 2}]) == [{"n": 2}]


BUILD = """
import signal, sys
from pathlib import Path
from expartkg.construction import build_from_questions
from expartkg.construction.questions import read_questions
from expartkg.construction.sources.snapshot import open_snapshot
questions, source = read_questions(sys.argv[1]), open_snapshot(Path(sys.argv[2]))
print("ready", flush=True)
sys.stdin.readline()
build_from_questions(questions, source, Path(sys.argv[3]))
print("done", flush=True)
"""


def start(tiny: Any, out: Path, root: Path) -> subprocess.Popen[str]:
    """A build in a process of its own that has read its sources and waits for a line."""
    process = subprocess.Popen(
        [sys.executable, "-c", BUILD, tiny.questions, str(tiny.root), str(out)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=root,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def enlarge(tiny: Any, works: int) -> None:
    """So many works that every step takes a while."""
    for n in range(2000, 2000 + works):
        tiny.nodes.append(f"Q{n}\tBoat Number {n}\tartwork\t0")
        tiny.statements += [f"Q{n}\tP170\tQ1002\ttest", f"Q{n}\tP195\tQ1003\ttest"]
        tiny.works.append(f"Q{n}\tBoat Number {n}\t1872\t")
        tiny.paintings.append(
            {"qid": f"Q{n}", "title": f"Boat Number {n}", "reference": "The Town Museum in Town."}
        )


def test_killed_at_any_moment_and_resumed_it_gives_the_same_bytes(
    tiny: Any, root: Path, tmp_path: Path
) -> None:
    """Twenty builds are killed, spread over the time that a whole one takes; none leaves a half."""
    enlarge(tiny, 400)
    source = open_snapshot(tiny.write())
    questions = read_questions(tiny.questions)
    whole = tmp_path / "whole"
    began = time.perf_counter()
    build_from_questions(questions, source, whole, BuildOptions())
    lasts = time.perf_counter() - began
    expected = contents(whole)
    out, drawn, unfinished = tmp_path / "out", random.Random(7), 0
    for _ in range(20):
        process = start(tiny, out, root)
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
        time.sleep(drawn.uniform(0, lasts * 1.2))
        os.kill(process.pid, signal.SIGKILL)
        unfinished += "done" not in process.communicate()[0]
        in_place = {k: v for k, v in contents(out).items() if not k.endswith(".part")}
        assert in_place.items() <= expected.items()
        if drawn.random() < 0.5:  # else the next goes on from here
            for name in drawn.sample(sorted(in_place), k=len(in_place) // 2):
                (out / name).unlink()
    assert unfinished > 0
    build_from_questions(questions, source, out, BuildOptions())
    assert contents(out) == expected
