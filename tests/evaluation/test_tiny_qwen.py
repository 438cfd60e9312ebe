"""The experiment with the paper's own kind of models, tiny and with random weights."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from expartkg.engines.base import Engine
from expartkg.evaluation.experiment import Experiment, arms_for
from expartkg.evaluation.pictures import Pictures
from expartkg.evaluation.report.results import results_of
from expartkg.evaluation.report.writing import report_document, write_report
from expartkg.evaluation.rows import Row, rows_for, steps_of
from expartkg.evaluation.scoring import Scorer
from expartkg.evaluation.selection import Counts
from expartkg.evaluation.trajectories import Input, Trajectories
from expartkg.loop import explain
from expartkg.records import Artwork, Run
from expartkg.retrieval.retriever import Retriever
from expartkg.settings import METHODS, Settings
from tests.evaluation.conftest import QUESTIONS

pytest.importorskip("torch", reason="the engine qwen needs torch, which is not installed")

RunOf = Callable[[Iterable[object]], Run]


@pytest.fixture
def settings(tiny_settings: Settings) -> Settings:
    return tiny_settings.replace(max_iterations=2)


@pytest.fixture
def engine(tiny_qwen: Engine) -> Engine:
    return dataclasses.replace(tiny_qwen, repeatable=True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A picture of noise for each of two questions."""
    pixels = np.random.default_rng(0)
    for number in (1, 2):
        noise = pixels.integers(0, 256, (96, 128, 3), dtype=np.uint8)
        Image.fromarray(noise).save(tmp_path / f"{number}.png")
    return tmp_path


def test_table_and_figure(
    settings: Settings,
    engine: Engine,
    retriever: Retriever,
    runs: Trajectories,
    run_of: RunOf,
    folder: Path,
) -> None:
    questions = [dataclasses.replace(q, image=f"{q.id}.png") for q in QUESTIONS[:2]]
    rankings = ["pid", "qid"]
    inputs: list[Input] = ["with-title", "without-title"]
    arms = arms_for(METHODS, rankings)
    pictures = Pictures(folder)
    asked = Experiment(questions, inputs, arms, retriever, engine, settings, pictures)
    list(asked.run(runs))
    assert all(run.is_complete for run in runs), [run.error for run in runs]
    written = sum(run.written for run in runs)
    assert written < sum(len(run.steps) for run in runs)
    rows = rows_for(METHODS, rankings, inputs)
    scorer = Scorer(retriever.names.dictionary)
    results = results_of(questions, runs, rows, scorer, most_iterations=2, seed=0)
    counts = Counts(3, 3, 2, 2)
    document = report_document(results, counts, {}, {})
    names = {path.name for path in write_report(folder / "report", results, counts, document)}
    assert {"table1.csv", "figure1.svg"} <= names
    assert all(result.scores.corpus[-1] > 0 for result in results.rows)
    run = explain(
        Artwork(title="Ophelia", image=pictures.open(questions[0])),
        retriever=retriever,
        engine=engine,
        settings=settings.replace(method="validate", ranking="qid"),
    )
    derived = steps_of(Row("with-title", "validate", "qid"), "1", runs)
    really = run_of(run).iterations
    assert [step.answer for step in derived] == [iteration.answer.text for iteration in really]
