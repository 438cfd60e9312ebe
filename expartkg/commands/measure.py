"""`evaluate retrieval`, `linking` and `validator`: one step measured alone."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tqdm import tqdm

from expartkg.commands.options import evaluation_settings
from expartkg.commands.printing import say, tell
from expartkg.engines import load_engine
from expartkg.engines.checked import CheckedValidator
from expartkg.errors import UsageError
from expartkg.evaluation.hub import find_questions
from expartkg.evaluation.judging import (
    KINDS,
    ValidatorResult,
    judge_all,
    make_cases,
    measure_validator,
)
from expartkg.evaluation.linking import linking_rows, measure_linking, read_gold
from expartkg.evaluation.questions import ArtQuestion, check_share, sampled
from expartkg.evaluation.reaching import TOP_KS, measure_retrieval
from expartkg.evaluation.tables import csv_text, in_columns
from expartkg.files import write_atomically
from expartkg.retrieval import Retriever, open_graph
from expartkg.runs import to_text
from expartkg.settings import Settings
from expartkg.signature import signature_of

Json = dict[str, Any]


def retrieval_command(options: argparse.Namespace) -> int:
    questions = _questions(options)
    settings = evaluation_settings(options)
    retriever = Retriever(open_graph(settings.kg))
    means = measure_retrieval(
        questions,
        retriever,
        rankings=options.rankings,
        top_ks=[options.top_k] if options.top_k else TOP_KS,
        facts_budget=settings.facts_budget,
        seed=options.seed,
    )
    rows = [asdict(mean) for mean in means]
    document = {"questions": len(questions), "graph": _graph(retriever, settings), "rows": rows}
    return _show(document, rows, "retrieval", options)


def linking_command(options: argparse.Namespace) -> int:
    if not options.questions:
        raise UsageError("evaluate linking needs --questions with the file of links.")
    texts = read_gold(Path(options.questions))
    settings = evaluation_settings(options)
    retriever = Retriever(open_graph(settings.kg))
    results = list(linking_rows(measure_linking(texts, retriever)))
    document = {"texts": len(texts), "graph": _graph(retriever, settings), "rows": results}
    rows = [
        {
            "work_known": result["work_known"],
            **result["in_graph"],
            **{f"outside_{name}": count for name, count in result["outside"].items()},
        }
        for result in results
    ]
    return _show(document, rows, "linking", options)


def validator_command(options: argparse.Namespace) -> int:
    questions = _questions(options)
    settings = evaluation_settings(options)
    retriever = Retriever(open_graph(settings.kg))
    engine = load_engine(settings)
    if engine.validator is None:
        raise UsageError(f"The engine {engine.name} judges nothing; use another --engine.")
    if engine.notice:
        tell(engine.notice)
    cases = make_cases(questions, retriever, options.seed)
    verdicts = judge_all(
        cases, CheckedValidator(engine), retriever, settings, workers=options.workers
    )
    bar = tqdm(verdicts, total=len(cases), unit="verdict", disable=not _is_terminal())
    result = measure_validator(list(bar))
    document = {
        "questions": len(questions),
        "graph": _graph(retriever, settings),
        "engine": {"name": engine.name, **engine.description},
        "kinds_of_wrong_answers": dict(KINDS),
        **asdict(result),
    }
    return _show(document, _validator_rows(result), "validator", options)


def _validator_rows(result: ValidatorResult) -> list[Json]:
    """A line for each kind of wrong answer, then a line for each bin of the calibration curve."""
    kinds = [
        {"part": kind.kind, "answers": kind.wrong, "auc": kind.auc, "accuracy": kind.accuracy,
         "accepted": kind.accepted_wrong, "mean_p": kind.mean_p, "right": 0.0}
        for kind in result.kinds
    ]  # fmt: skip
    bins = [
        {"part": f"p {one.low:.1f} to {one.high:.1f}", "answers": one.answers, "auc": None,
         "accuracy": None, "accepted": None, "mean_p": one.mean_p, "right": one.right}
        for one in result.calibration
    ]  # fmt: skip
    references = {
        "part": "right", "answers": result.right, "auc": None, "accuracy": None,
        "accepted": result.accepted_right, "mean_p": None, "right": 1.0,
    }  # fmt: skip
    return [references, *kinds, *bins]


def _questions(options: argparse.Namespace) -> Sequence[ArtQuestion]:
    if not options.questions:
        raise UsageError(f"evaluate {options.part} needs --questions.")
    questions = find_questions(options.questions)
    if options.sample is None:
        return questions
    check_share(options.sample)
    return sampled(questions, options.sample, options.seed)


def _graph(retriever: Retriever, settings: Settings) -> object:
    return signature_of(retriever.graph, settings)["graph"]


def _show(document: Json, rows: Sequence[Json], name: str, options: argparse.Namespace) -> int:
    """Prints the document or the rows as a table, and saves both if there is an `--out`."""
    if options.out:
        write_atomically(options.out / f"{name}.json", (to_text(document) + "\n").encode())
        table = csv_text(rows[0], [row.values() for row in rows])
        write_atomically(options.out / f"{name}.csv", table.encode())
    say(to_text(document) if options.json else _text(rows))
    return 0


def _text(rows: Sequence[Json]) -> str:
    cells = [tuple(rows[0]), *(tuple(map(_cell, row.values())) for row in rows)]
    return in_columns(cells, names=0)


def _cell(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()
