"""What happens over the iterations: CSV files of Figure 1 and of the histogram."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence

from expartkg.evaluation.report.names import input_name
from expartkg.evaluation.report.results import Results
from expartkg.evaluation.scoring import METRICS


def iterations_csv(results: Results) -> str:
    """A line for every input setting, ranking and iteration: facts, look-ups and scores."""
    measures = [f"{metric}{end}" for metric in METRICS for end in ("", "_low", "_high")]
    header = ("input", "ranking", "iteration", "questions", "facts", "lookups", *measures)
    rows = []
    for point in results.iterations:
        found = point.scores
        ends = zip(found.corpus, found.low, found.high, strict=True)
        rows.append(
            (
                input_name(with_title=point.with_title),
                point.ranking,
                point.number,
                len(point.samples),
                point.facts,
                point.lookups,
                *("" if math.isnan(value) else float(value) for end in ends for value in end),
            )
        )
    return _csv(header, rows)


def histogram_csv(results: Results) -> str:
    """For each row of RAG-Validate, how many questions took how many iterations."""
    numbers = range(1, results.most_iterations + 1)
    header = ("input", "ranking", *map(str, numbers), "mean", "never_true")
    rows = [
        (
            input_name(with_title=result.row.with_title),
            result.row.ranking,
            *result.histogram(results.most_iterations),
            result.iterations,
            result.never_accepted,
        )
        for result in results.rows
        if result.row.method == "validate"
    ]
    return _csv(header, rows)


def _csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return table.getvalue()
