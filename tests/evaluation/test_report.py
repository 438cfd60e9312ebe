"""Tables and figures: the numbers, beside the paper's, in every form."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from expartkg.engines.scripted import scripted_engine
from expartkg.errors import DataError
from expartkg.evaluation.bootstrap import scores
from expartkg.evaluation.experiment import Experiment, arms_for
from expartkg.evaluation.pairs import Pair
from expartkg.evaluation.questions import ArtQuestion
from expartkg.evaluation.report.curves import histogram_csv, iterations_csv
from expartkg.evaluation.report.figure import figure_1, files_of, histogram_figure
from expartkg.evaluation.report.paper import MEAN_ITERATIONS, TABLE_1, TABLE_4
from expartkg.evaluation.report.results import Results, results_of
from expartkg.evaluation.report.samples import samples_html
from expartkg.evaluation.report.table import csv_table, latex_table, markdown_table, text_table
from expartkg.evaluation.report.writing import report_document, write_report
from expartkg.evaluation.rows import Row, rows_for
from expartkg.evaluation.scoring import METRICS, Scorer
from expartkg.evaluation.selection import Counts
from expartkg.evaluation.trajectories import INPUTS, Input, Trajectories
from expartkg.records import Method
from expartkg.retrieval.retriever import Retriever
from expartkg.settings import METHODS, Settings
from tests.evaluation.conftest import QUESTIONS

SCRIPT = ["John Everett Millais <b>painted</b> it.", "In London.", "By John Everett Millais."]
VERDICTS = [0.2, 0.8, 0.9]
HOSTILE = ArtQuestion("<4>", "<script>alert(1)</script>", "London & <i>Southampton</i>.")


def scored(
    retriever: Retriever,
    runs: Trajectories,
    methods: Sequence[Method] = METHODS,
    rankings: Sequence[str] = ("pid", "qid"),
    inputs: Sequence[Input] = ("with-title", "without-title"),
) -> Results:
    questions = (*QUESTIONS, HOSTILE)
    settings = Settings(max_iterations=3)
    engine = scripted_engine(SCRIPT, VERDICTS)
    arms = arms_for(methods, rankings)
    list(Experiment(questions, inputs, arms, retriever, engine, settings).run(runs))
    rows = rows_for(methods, rankings, inputs)
    scorer = Scorer(retriever.names.dictionary)
    return results_of(questions, runs, rows, scorer, most_iterations=3, seed=0)


@pytest.fixture
def results(retriever: Retriever, runs: Trajectories) -> Results:
    return scored(retriever, runs)


def test_rows_are_scored_on_their_own_answers(results: Results, retriever: Retriever) -> None:
    row = results.row(Row("with-title", "validate", "qid"))
    assert row
    # judged True at the second answer
    pairs = [Pair(question.id, SCRIPT[1], question.reference) for question in (*QUESTIONS, HOSTILE)]
    expected = scores(Scorer(retriever.names.dictionary).samples(pairs), seed=0)
    assert row.scores.corpus == pytest.approx(expected.corpus, nan_ok=True)
    assert row.scores.low == pytest.approx(expected.low, nan_ok=True)
    assert (row.iterations, row.never_accepted) == (2, 0)
    assert row.histogram(3) == [0, 4, 0]


def test_the_cost_counts_what_was_written(results: Results) -> None:
    # 4 questions, 2 inputs: baseline 1 and two rankings of 3 answers each; alone, RAG-Validate
    # would write 2 more for each ranking
    assert results.cost.written == 4 * 2 * (1 + 2 * 3)
    assert results.cost.written_alone == 4 * 2 * (1 + 2 * 3 + 2 * 2)
    assert results.cost.failed == 0


def test_the_last_iteration_is_the_loops_row(results: Results) -> None:
    last = [point for point in results.iterations if point.number == 3]
    assert len(last) == 4
    for point in last:
        row = results.row(Row(point.input, "loop", point.ranking))
        assert row
        assert row.scores.corpus == pytest.approx(point.scores.corpus, nan_ok=True)


class TestTables:
    def test_text_has_values_intervals_and_the_paper(self, results: Results) -> None:
        with_title, without = text_table(results).split("\n\n")
        lines = with_title.splitlines()
        assert lines[0] == "With Title"
        assert lines[1].split()[:3] == ["Method", "Ranking", "BLEU"]
        assert [line.split()[0] for line in lines[2:5]] == ["RAG-Loop3", "95", "the"]
        assert "121.6" in lines[4]
        assert len({len(line) for line in (lines[1], lines[2])}) == 1
        assert without.startswith("Without Title")

    def test_csv_numbers_are_not_rounded(self, results: Results) -> None:
        rows = list(csv.DictReader(io.StringIO(csv_table(results))))
        assert len(rows) == len(results.rows) == 2 * (2 * 2 + 1)
        for line, result in zip(rows, results.rows, strict=True):
            for number, metric in enumerate(METRICS):
                if metric == "bertscore":
                    assert line[metric] == line["bertscore_low"] == ""
                    continue
                assert float(line[metric]) == result.scores.corpus[number]
                assert float(line[f"{metric}_low"]) == result.scores.low[number]
                assert float(line[f"{metric}_paper"]) == TABLE_1[result.row][metric]
            assert float(line["facts"]) == result.facts

    def test_markdown_is_a_table(self, results: Results) -> None:
        lines = [line for line in markdown_table(results).splitlines() if line.startswith("|")]
        assert {line.count("|") for line in lines} == {2 + len(METRICS) + 4 + 1}

    def test_latex_escapes_and_marks_the_best(self, results: Results) -> None:
        table = latex_table(results)
        assert table.startswith(r"\begin{tabular}{ll")
        assert "95 %" not in table
        assert r"95 \%" in table
        assert r"\textbf{" in table
        body = [line for line in table.splitlines() if "&" in line]
        assert {line.count("&") for line in body} == {2 + len(METRICS) + 4 - 1}


class TestCurves:
    def test_iterations(self, results: Results) -> None:
        rows = list(csv.DictReader(io.StringIO(iterations_csv(results))))
        assert [row["iteration"] for row in rows] == ["1", "2", "3"] * 4
        # With Title: 2 facts of Ophelia and 1 of Mariana; the other two titles are unknown
        assert float(rows[0]["facts"]) == (2 + 1 + 0 + 0) / 4
        assert float(rows[0]["lookups"]) == 2 / 4

    def test_histogram(self, results: Results) -> None:
        rows = list(csv.DictReader(io.StringIO(histogram_csv(results))))
        assert len(rows) == 4
        assert (rows[0]["1"], rows[0]["2"], rows[0]["3"]) == ("0", "4", "0")
        assert (float(rows[0]["mean"]), float(rows[0]["never_true"])) == (2, 0)

    def test_the_figure_shows_what_the_paper_shows(self, results: Results) -> None:
        figure = figure_1(results)
        assert figure
        panel = next(axes for axes in figure.axes if axes.get_title() == "EF1")
        loop = panel.lines[0]
        points = [p for p in results.iterations if p.input == "with-title" and p.ranking == "qid"]
        ef1 = METRICS.index("ef1")
        assert np.asarray(loop.get_xdata()).tolist() == [1, 2, 3]
        assert np.asarray(loop.get_ydata()).tolist() == [
            point.scores.corpus[ef1] for point in points
        ]
        _, *marks = panel.collections[:4]
        rows = [
            Row("with-title", "baseline", None),
            Row("with-title", "loop", "qid"),
            Row("with-title", "validate", "qid"),
        ]
        for mark, row, at in zip(marks, rows, (0, 3, 2), strict=True):
            result = results.row(row)
            assert result
            assert np.asarray(mark.get_offsets()).tolist() == [[at, result.scores.corpus[ef1]]]

    def test_the_same_results_make_the_same_figure(self, results: Results) -> None:
        figures = [histogram_figure(results) for _ in range(2)]
        first, second = (files_of(figure, ["svg"]) for figure in figures if figure)
        assert first == second


class TestSamples:
    def test_texts_are_text(self, results: Results) -> None:
        page = samples_html(results)
        assert "<script" not in page
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
        assert "Millais &lt;b&gt;painted&lt;/b&gt; it." in page
        assert "default-src 'none'" in page

    def test_all_answers_are_side_by_side(self, results: Results) -> None:
        page = samples_html(results)
        for name in ("Reference", "Baseline", "First iteration", "RAG-Validate", "RAG-Loop3"):
            assert f"<h4>{name}</h4>" in page
        assert page.count("<h2") == 6


@pytest.mark.parametrize(
    ("methods", "parts"),
    [(["baseline"], 2), (["validate"], 2), (["loop"], 3), (["baseline", "loop"], 3)],
)
def test_a_report_of_fewer_methods(
    retriever: Retriever,
    runs: Trajectories,
    methods: list[Method],
    parts: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("expartkg.evaluation.report.writing.FIGURE_ENDINGS", ["svg"])
    results = scored(retriever, runs, methods, ["qid"], ["with-title"])
    counts = Counts(5, 4, 4, 4)
    document = report_document(results, counts, {}, {})
    names = {path.name for path in write_report(tmp_path, results, counts, document)}
    table_4 = (tmp_path / "table4.csv").read_text().splitlines()
    assert table_4 == [
        "stage,questions,paper", "raw,5,5227", "naming,4,", "filtered,4,4823", "sampled,4,1199",
        "evaluated,4,",
    ]  # fmt: skip
    assert ("figure1.svg" in names) == ("loop" in methods)
    assert ("histogram.svg" in names) == ("validate" in methods)
    assert samples_html(results).count("<h2") == parts
    assert json.loads((tmp_path / "report.json").read_text())["questions"]["evaluated"] == 4


def test_nothing_to_report(retriever: Retriever, runs: Trajectories) -> None:
    scorer = Scorer(retriever.names.dictionary)
    rows = rows_for(METHODS, ["qid"], ["with-title"])
    with pytest.raises(DataError, match="No run is complete"):
        results_of(QUESTIONS, runs, rows, scorer, most_iterations=5, seed=0)


class TestPaper:
    def test_every_row_and_column_of_table_1(self) -> None:
        assert set(TABLE_1) == set(rows_for(METHODS, ("pid", "qid", "pid-qid"), INPUTS[:2]))
        assert all(tuple(values) == METRICS for values in TABLE_1.values())

    def test_some_values(self) -> None:
        assert TABLE_1[Row("with-title", "loop", "qid")]["ef1"] == 43.85
        assert TABLE_1[Row("with-title", "loop", "qid")]["ec_exact"] == 40.73
        assert TABLE_1[Row("without-title", "validate", "pid-qid")]["ecooc_inf"] == 0.78
        assert TABLE_1[Row("without-title", "baseline", None)]["length"] == 82.1
        assert TABLE_4["sampled"] == 1199
        assert MEAN_ITERATIONS[Row("with-title", "validate", "qid")] == 3.6
