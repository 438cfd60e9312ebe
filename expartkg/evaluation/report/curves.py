"""What happens over the iterations: CSV files of Figure 1 and of the histogram."""

from __future__ import annotations

from expartkg.evaluation.report.names import INPUT_NAMES
from expartkg.evaluation.report.results import Results
from expartkg.evaluation.scoring import METRICS, by_metric
from expartkg.evaluation.tables import csv_text


def iterations_csv(results: Results) -> str:
    """A line for every input setting, ranking and iteration: facts, look-ups and scores."""
    measures = [f"{metric}{end}" for metric in METRICS for end in ("", "_low", "_high")]
    header = ("input", "ranking", "iteration", "questions", "facts", "lookups", *measures)
    rows = []
    for point in results.iterations:
        found = point.scores
        columns = [by_metric(values) for values in (found.corpus, found.low, found.high)]
        rows.append(
            (
                INPUT_NAMES[point.input],
                point.ranking,
                point.number,
                len(point.samples),
                point.facts,
                point.lookups,
                *(column[metric] for metric in METRICS for column in columns),
            )
        )
    return csv_text(header, rows)


def histogram_csv(results: Results) -> str:
    """For each row of RAG-Validate, how many questions took how many iterations."""
    numbers = range(1, results.most_iterations + 1)
    header = ("input", "ranking", *map(str, numbers), "mean", "never_true")
    rows = [
        (
            INPUT_NAMES[result.row.input],
            result.row.ranking,
            *result.histogram(results.most_iterations),
            result.iterations,
            result.never_accepted,
        )
        for result in results.rows
        if result.row.method == "validate"
    ]
    return csv_text(header, rows)
