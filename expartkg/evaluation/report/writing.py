"""Saves everything that can be said of an experiment in its folder, and as one document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from expartkg.evaluation.report.curves import histogram_csv, iterations_csv
from expartkg.evaluation.report.figure import figure_1, files_of, histogram_figure
from expartkg.evaluation.report.paper import MEAN_ITERATIONS, TABLE_1, TABLE_4
from expartkg.evaluation.report.results import Results, RowResult
from expartkg.evaluation.report.samples import samples_html
from expartkg.evaluation.report.table import (
    csv_table,
    latex_table,
    markdown_table,
    questions_csv,
    text_table,
)
from expartkg.evaluation.scoring import by_metric
from expartkg.evaluation.selection import Counts
from expartkg.files import write_atomically
from expartkg.runs import to_text

FIGURE_ENDINGS = ("svg", "pdf", "png")


def write_report(
    folder: Path, results: Results, counts: Counts, document: Mapping[str, Any]
) -> list[Path]:
    """Writes all files of the report and returns their paths. `document` is `report_document`."""
    files = {
        "table4.csv": questions_csv(counts, results.evaluated).encode(),
        "table1.txt": text_table(results).encode(),
        "table1.md": markdown_table(results).encode(),
        "table1.csv": csv_table(results).encode(),
        "table1.tex": latex_table(results).encode(),
        "iterations.csv": iterations_csv(results).encode(),
        "histogram.csv": histogram_csv(results).encode(),
        "samples.html": samples_html(results).encode("utf-8", "replace"),
        "report.json": (to_text(document) + "\n").encode(),
    }
    figures = {"figure1": figure_1(results), "histogram": histogram_figure(results)}
    for name, figure in figures.items():
        if figure:
            drawn = files_of(figure, FIGURE_ENDINGS)
            files |= {f"{name}.{ending}": content for ending, content in drawn.items()}
    for name, content in files.items():
        write_atomically(folder / name, content)
    return [folder / name for name in files]


def report_document(
    results: Results,
    counts: Counts,
    signatures: Mapping[str, str | None],
    conditions: Mapping[str, Any],
) -> dict[str, Any]:
    """The report as JSON, numbers not rounded."""
    return {
        "questions": {**asdict(counts), "evaluated": results.evaluated, "paper": dict(TABLE_4)},
        "rows": [_row(result, results) for result in results.rows],
        "iterations": [
            {
                "input": point.input,
                "ranking": point.ranking,
                "number": point.number,
                "questions": len(point.samples),
                "facts": point.facts,
                "lookups": point.lookups,
                "scores": by_metric(point.scores.corpus),
            }
            for point in results.iterations
        ],
        "cost": asdict(results.cost),
        "recognition": asdict(results.recognition) if results.recognition else None,
        "signatures": dict(signatures),
        "conditions": dict(conditions),
    }


def _row(result: RowResult, results: Results) -> dict[str, Any]:
    row = result.row
    document: dict[str, Any] = {
        **row._asdict(),
        "questions": len(result.samples),
        "scores": by_metric(result.scores.corpus),
        "intervals": result.scores.intervals(),
        "iterations": result.iterations,
        "facts": result.facts,
        "lookups": result.lookups,
        "paper": dict(TABLE_1[row]) if row in TABLE_1 else None,
    }
    if row.method == "validate":
        document |= {
            "histogram": result.histogram(results.most_iterations),
            "never_true": result.never_accepted,
            "paper_iterations": MEAN_ITERATIONS.get(row),
        }
    return document
