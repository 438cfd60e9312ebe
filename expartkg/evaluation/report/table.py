"""Table 1 as text, Markdown, CSV and LaTeX, each row beside the paper's own; Table 4 as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from expartkg.evaluation.report.names import (
    COLUMN_NAMES,
    INPUT_NAMES,
    method_name,
    ranking_name,
)
from expartkg.evaluation.report.paper import TABLE_1, TABLE_4
from expartkg.evaluation.report.results import Results, RowResult
from expartkg.evaluation.scoring import METRICS, by_metric
from expartkg.evaluation.selection import Counts
from expartkg.evaluation.tables import csv_text, in_columns
from expartkg.evaluation.trajectories import INPUTS, Input

COSTS = ("Questions", "Iterations", "Facts", "Look-ups")
HEADER = (
    "Method",
    "Ranking",
    *(COLUMN_NAMES[metric] for metric in METRICS),
    *COSTS,
)
PAPER = "the paper"
Line = tuple[str, ...]


def text_table(results: Results) -> str:
    """For a terminal: values, half the width of their 95 % intervals, and the paper's values."""
    blocks = []
    for input, rows in _blocks(results):
        lines = [HEADER, *(line for row in rows for line in _text_lines(row, results))]
        blocks.append(f"{INPUT_NAMES[input]}\n{in_columns(lines, names=2)}")
    return "\n\n".join(blocks) + "\n"


def markdown_table(results: Results) -> str:
    """The same as tables of Markdown."""
    blocks = []
    for input, rows in _blocks(results):
        lines = [HEADER, ("---", "---", *["---:"] * (len(HEADER) - 2))]
        lines += [line for row in rows for line in _text_lines(row, results)]
        table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        blocks.append(f"### {INPUT_NAMES[input]}\n\n{table}")
    return "\n\n".join(blocks) + "\n"


def csv_table(results: Results) -> str:
    """A line a row, numbers not rounded: every measure with both ends of its interval."""
    measures = [f"{name}{end}" for name in METRICS for end in ("", "_low", "_high", "_paper")]
    costs = ("questions", "iterations", "facts", "lookups")
    return csv_text(
        ("input", "method", "ranking", *measures, *costs), map(_csv_cells, results.rows)
    )


def latex_table(results: Results) -> str:
    """A `tabular` for booktabs; the best of each column within an input setting is bold."""
    columns = "ll" + "r" * (len(HEADER) - 2)
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", _latex_line(HEADER)]
    for input, rows in _blocks(results):
        title = rf"\multicolumn{{{len(HEADER)}}}{{l}}{{\textit{{{INPUT_NAMES[input]}}}}}"
        lines += [r"\midrule", title + r" \\"]
        for result in rows:
            own, interval, *paper = _text_lines(result, results)
            lines.append(_latex_line(_bold_best(own, result, rows)))
            lines += [_latex_line([_small(cell) for cell in line]) for line in (interval, *paper)]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def questions_csv(counts: Counts, evaluated: int) -> str:
    """Table 4: how many questions each stage leaves, beside the paper's numbers."""
    stages = {**asdict(counts), "evaluated": evaluated}
    lines = [f"{stage},{number},{TABLE_4.get(stage, '')}\n" for stage, number in stages.items()]
    return "".join(["stage,questions,paper\n", *lines])


def _blocks(results: Results) -> Iterator[tuple[Input, list[RowResult]]]:
    for input in INPUTS:
        rows = [result for result in results.rows if result.row.input == input]
        if rows:
            yield input, rows


def _text_lines(result: RowResult, results: Results) -> Iterator[Line]:
    """The row's values, what they may be off by, and the paper's if it has the row."""
    row = result.row
    values = [_cell(metric, value) for metric, value in by_metric(result.scores.corpus).items()]
    costs = (str(len(result.samples)), *(f"{cost:.1f}" for cost in _costs(result)[1:]))
    yield method_name(row, results.most_iterations), ranking_name(row), *values, *costs
    halves = by_metric((result.scores.high - result.scores.low) / 2)
    off = ["" if half is None else f"±{_cell(metric, half)}" for metric, half in halves.items()]
    yield "95 %", "", *off, *[""] * len(COSTS)
    if row in TABLE_1:
        theirs = [_cell(metric, value) for metric, value in TABLE_1[row].items()]
        yield PAPER, "", *theirs, *[""] * len(COSTS)


def _cell(metric: str, value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.1f}" if metric == "length" else f"{value:.2f}"


def _costs(result: RowResult) -> tuple[float, ...]:
    return len(result.samples), result.iterations, result.facts, result.lookups


def _csv_cells(result: RowResult) -> tuple[object, ...]:
    row, found = result.row, result.scores
    where = (INPUT_NAMES[row.input], row.method, row.ranking)
    values = [by_metric(end) for end in (found.corpus, found.low, found.high)]
    columns = [*values, TABLE_1.get(row, {})]
    measures = [column.get(metric) for metric in METRICS for column in columns]
    return (*where, *measures, *_costs(result))


def _bold_best(line: Line, result: RowResult, rows: Sequence[RowResult]) -> list[str]:
    cells = list(line)
    for number, metric in enumerate(METRICS):
        values = [float(row.scores.corpus[number]) for row in rows]
        if metric != "length" and float(result.scores.corpus[number]) == max(values):
            cells[2 + number] = rf"\textbf{{{cells[2 + number]}}}"
    return cells


def _small(cell: str) -> str:
    return rf"{{\scriptsize {cell}}}" if cell else ""


def _latex_line(cells: Sequence[str]) -> str:
    return " & ".join(map(_latex, cells)) + r" \\"


def _latex(cell: str) -> str:
    for plain, escaped in (("%", r"\%"), ("±", r"$\pm$"), ("∞", r"$\infty$"), ("–", "--")):
        cell = cell.replace(plain, escaped)
    return cell
