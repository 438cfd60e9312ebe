"""Figure 1: scores by iteration, with the baseline, the loop's end and RAG-Validate."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from expartkg.evaluation.report.names import (
    COLUMN_NAMES,
    INPUT_NAMES,
    PREFERRED_RANKING,
    method_name,
)
from expartkg.evaluation.report.results import IterationResult, Results
from expartkg.evaluation.rows import Row
from expartkg.evaluation.scoring import METRICS
from expartkg.evaluation.trajectories import INPUTS, Input

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PANELS = ("bleu", "rougeL", "ef1", "ec_exact", "ec_partial", "ecooc_0", "ecooc_2", "ecooc_inf")
COLOURS: Mapping[Input, str] = {
    "with-title": "#22566b",
    "without-title": "#b4552d",
    "recognised": "#6b6f1d",
}


def figure_1(results: Results) -> Figure | None:
    """The figure, None where no run was a loop.

    Baseline and loop as in the paper; the baseline is drawn at 0, since it makes no iteration.
    The ranking is QID, or the first that there is.
    """
    rankings = [point.ranking for point in results.iterations]
    if not rankings:
        return None
    ranking = PREFERRED_RANKING if PREFERRED_RANKING in rankings else rankings[0]
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13, 6), layout="constrained")
    for metric, axes in zip(PANELS, figure.subplots(2, len(PANELS) // 2).flat, strict=True):
        for input in INPUTS:
            _draw(axes, metric, ranking, results, input=input)
        axes.set_title(COLUMN_NAMES[metric], fontsize=10)
        axes.set_xlabel("Iterations", fontsize=8)
        axes.tick_params(labelsize=8)
        axes.set_xticks(range(results.most_iterations + 1))
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize=8)
    return figure


def histogram_figure(results: Results) -> Figure | None:
    """How many iterations RAG-Validate took; None where that was not asked for."""
    rows = [result for result in results.rows if result.row.method == "validate"]
    if not rows:
        return None
    from matplotlib.figure import Figure

    figure = Figure(figsize=(3.2 * len(rows), 3), layout="constrained")
    numbers = range(1, results.most_iterations + 1)
    all_axes = figure.subplots(1, len(rows), sharey=True, squeeze=False).flat
    for result, axes in zip(rows, all_axes, strict=True):
        row = result.row
        counts = result.histogram(results.most_iterations)
        axes.bar(numbers, counts, color=COLOURS[row.input])
        axes.set_title(
            f"{INPUT_NAMES[row.input]}, {(row.ranking or '').upper()}\n"
            f"never True: {result.never_accepted:.0%}",
            fontsize=9,
        )
        axes.set_xlabel("Iterations", fontsize=8)
        axes.set_xticks(numbers)
    return figure


def _draw(axes: Axes, metric: str, ranking: str, results: Results, *, input: Input) -> None:
    points = results.curve(input=input, ranking=ranking)
    if not points:
        return
    colour, name = COLOURS[input], INPUT_NAMES[input]
    numbers = [point.number for point in points]
    axes.plot(numbers, _values(points, "corpus", metric), color=colour, label=f"{name}: loop")
    axes.fill_between(
        numbers,
        _values(points, "low", metric),
        _values(points, "high", metric),
        color=colour,
        alpha=0.2,
        linewidth=0,
    )
    for row, marker in (
        (Row(input, "baseline", None), "x"),
        (Row(input, "loop", ranking), "D"),
        (Row(input, "validate", ranking), "*"),
    ):
        result = results.row(row)
        if result:
            at = 0 if row.method == "baseline" else result.iterations
            value = float(result.scores.corpus[METRICS.index(metric)])
            label = f"{name}: {method_name(row, results.most_iterations)}"
            axes.scatter([at], [value], marker=marker, color=colour, label=label, zorder=3)


def _values(points: Sequence[IterationResult], end: str, metric: str) -> list[float]:
    return [float(getattr(point.scores, end)[METRICS.index(metric)]) for point in points]


def files_of(figure: Figure, endings: Sequence[str]) -> dict[str, bytes]:
    """The figure as files by their endings (`svg`, `pdf`, `png`).

    The same results make the same files: no time of day, no random names.
    """
    from matplotlib import rc_context

    files = {}
    with rc_context({"svg.hashsalt": "expartkg"}):
        for ending in endings:
            file = io.BytesIO()
            metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(ending)
            figure.savefig(file, format=ending, dpi=160, metadata=metadata)
            files[ending] = file.getvalue()
            # The places that the first drawing found are good for the others, and finding them
            # takes most of the time.
            figure.set_layout_engine("none")
    return files
