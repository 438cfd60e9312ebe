"""A page of HTML with answers side by side: the best, the worst, and those that changed most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from expartkg.evaluation.questions import ArtQuestion
from expartkg.evaluation.report.names import (
    COLUMN_NAMES,
    INPUT_NAMES,
    PREFERRED_RANKING,
    method_name,
)
from expartkg.evaluation.report.results import IterationResult, Results, RowResult
from expartkg.evaluation.rows import ORDER, Given, Row
from expartkg.evaluation.scoring import METRICS, Samples
from expartkg.evaluation.trajectories import Input
from expartkg.templating import templates_in

TEMPLATES = Path(__file__).parent / "templates"
SAMPLES_A_PART = 15
SHOWN = ("ef1", "ec_exact", "ecooc_inf", "rougeL")


@dataclass(frozen=True, slots=True)
class Text:
    """An answer of one method, with a note on its scores and cost."""

    name: str
    note: str
    answer: str


@dataclass(frozen=True, slots=True)
class Sample:
    """A question with the answers of all methods."""

    question: ArtQuestion
    texts: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """Some questions of one input setting, and why these."""

    name: str
    what: str
    samples: tuple[Sample, ...]


def samples_html(results: Results) -> str:
    """One file that needs no network and can run no script."""
    main = _main_rows(results)
    first = next(iter(main.values())).row
    return (
        templates_in(TEMPLATES)
        .get_template("samples.html")
        .render(
            ordered_by=method_name(first, results.most_iterations),
            ranking=first.ranking,
            parts=[part for row in main.values() for part in _parts(row, results)],
        )
    )


def _main_rows(results: Results) -> dict[Input, RowResult]:
    """For each input setting the row that samples are ordered by: RAG-Validate if it is there."""
    preference: Sequence[str] = ("validate", "loop", "baseline")

    def place(result: RowResult) -> tuple[int, bool]:
        return preference.index(result.row.method), result.row.ranking != PREFERRED_RANKING

    main: dict[Input, RowResult] = {}
    for result in sorted(results.rows, key=place):
        main.setdefault(result.row.input, result)
    return main


def _parts(main: RowResult, results: Results) -> Iterator[Part]:
    where = INPUT_NAMES[main.row.input]
    f1 = _by_id(main.samples, "ef1")
    ordered = sorted(f1, key=lambda name: (-f1[name], name))
    yield _part(f"{where}: best", "Highest Entity F1.", ordered[:SAMPLES_A_PART], main, results)
    yield _part(
        f"{where}: worst", "Lowest Entity F1.", ordered[::-1][:SAMPLES_A_PART], main, results
    )
    first = _first_iteration(main.row, results)
    if first:
        before = _by_id(first.samples, "ef1")
        gained = {id: f1[id] - before[id] for id in f1.keys() & before.keys()}
        moved = sorted(
            (id for id in gained if gained[id]), key=lambda name: (-abs(gained[name]), name)
        )
        yield _part(
            f"{where}: changed most",
            "Entity F1 of the final answer is furthest from that of the first.",
            moved[:SAMPLES_A_PART],
            main,
            results,
        )


def _part(name: str, what: str, ids: Sequence[str], main: RowResult, results: Results) -> Part:
    samples = [Sample(results.questions[id], tuple(_texts(id, main.row, results))) for id in ids]
    return Part(name, what, tuple(samples))


def _texts(id: str, main: Row, results: Results) -> Iterator[Text]:
    """The answers of all methods with the main row's ranking, and that of the first iteration."""
    for method in reversed(ORDER):
        ranking = None if method == "baseline" else main.ranking
        result = results.row(Row(main.input, method, ranking))
        if result and id in result.given:
            given = result.given[id]
            note = f"{_scores(result.samples, id)}; {_cost(given)}"
            yield Text(method_name(result.row, results.most_iterations), note, given.answer)
        first = _first_iteration(main, results) if method == "baseline" else None
        if first and id in first.answers:
            yield Text("First iteration", _scores(first.samples, id), first.answers[id])


def _first_iteration(row: Row, results: Results) -> IterationResult | None:
    return next(iter(results.curve(input=row.input, ranking=row.ranking)), None)


def _by_id(samples: Samples, metric: str) -> dict[str, float]:
    values = samples.values[:, METRICS.index(metric)].tolist()
    return dict(zip(samples.ids, values, strict=True))


def _scores(samples: Samples, id: str) -> str:
    values = samples.values[samples.ids.index(id)]
    return ", ".join(
        f"{COLUMN_NAMES[metric]} {values[METRICS.index(metric)]:.1f}" for metric in SHOWN
    )


def _cost(given: Given) -> str:
    verdict = "" if given.accepted is None else f", judged {given.accepted}"
    return f"{given.iterations} iterations, {given.facts} facts{verdict}"
