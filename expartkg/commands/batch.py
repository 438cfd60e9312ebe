"""`explain --batch`: many works, one after the other, into a folder."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from expartkg.batch import Folder, Outcome, WorkRow, Works, explain_works, read_works, report
from expartkg.batch.explaining import conditions_of
from expartkg.batch.folder import REPORT
from expartkg.batch.table import TableError, image_beside
from expartkg.commands.options import settings_from
from expartkg.commands.printing import say, tell
from expartkg.commands.stopping import stop_on_ctrl_c
from expartkg.engines import load_engine
from expartkg.errors import EngineError, UsageError
from expartkg.files import locked, write_atomically
from expartkg.retrieval import Retriever, open_graph
from expartkg.runs import Json, to_text

FOR_ONE_WORK = ("title", "artist", "artwork", "image", "export")


def explain_batch(options: argparse.Namespace) -> int:
    _check_options(options)
    works = _read(options.batch)
    settings = settings_from(options)
    retriever = Retriever(open_graph(settings.kg))
    folder = Folder(options.out)
    with locked(folder.path), stop_on_ctrl_c() as stop:
        # Loading takes minutes, and is in vain where another process is at work.
        engine = load_engine(settings, tell)
        if engine.notice:
            tell(engine.notice)
        conditions = conditions_of(retriever, engine, settings, options.question)
        folder.prepare(conditions)
        outcomes: list[Outcome] = []
        problem: str | None = None
        try:
            for outcome in explain_works(
                works.rows,
                folder,
                retriever=retriever,
                engine=engine,
                settings=settings,
                stop=stop,
                question=options.question,
            ):
                outcomes.append(outcome)
                tell(_progress(outcome, len(outcomes), len(works.rows)))
        except EngineError as error:
            problem = str(error)
        page = report(works, outcomes, folder, conditions, engine.notice)
        write_atomically(folder.path / REPORT, page.encode("utf-8", "backslashreplace"))
    return _end(works, outcomes, folder, problem, as_json=options.json)


def _check_options(options: argparse.Namespace) -> None:
    if not (options.batch and options.out):
        raise UsageError("--batch WORKS.csv and --out DIR go together.")
    for name in FOR_ONE_WORK:
        if getattr(options, name):
            raise UsageError(f"--{name} is for one work; with --batch the table says it.")


def _read(path: Path) -> Works:
    try:
        works = read_works(path.read_bytes(), image_beside(path.parent))
    except OSError as error:
        raise TableError(f"{path} cannot be read: {error.strerror or error}.") from error
    for note in works.notes:
        tell(note)
    for row in works.bad:
        tell(f"Line {row.number} is left out: {row.reason}.")
    if not works.rows:
        raise TableError(f"{path} has no work that can be explained.")
    return works


def _progress(outcome: Outcome, number: int, total: int) -> str:
    said = f"{number} of {total}: {outcome.row.name}: "
    if outcome.reason:
        return said + outcome.reason
    if outcome.was_there:
        return said + "there already"
    iterations = len(outcome.run.iterations) if outcome.run else 0
    return f"{said}{outcome.run and outcome.run.status} after {iterations} iteration(s)"


def _end(
    works: Works,
    outcomes: Sequence[Outcome],
    folder: Folder,
    problem: str | None,
    *,
    as_json: bool,
) -> int:
    """Says what came of it. 0 if every row of the table is explained."""
    place = folder.path / REPORT
    done = sum(outcome.is_done for outcome in outcomes)
    if as_json:
        say(to_text(_document(works, outcomes, folder)))
    else:
        say(f"{done} of {len(works.rows)} works are explained: {place}")
    if problem:
        tell(f"expartkg: {problem}")
    elif len(outcomes) < len(works.rows):
        tell(f"Stopped. Start the same command again to go on in {folder.path}.")
    return 0 if done == len(works.rows) and not works.bad else 1


def _document(works: Works, outcomes: Sequence[Outcome], folder: Folder) -> Json:
    return {
        "report": str(folder.path / REPORT),
        "works": [_work(outcome, outcome.row, folder) for outcome in outcomes],
        "left_out": [{"line": row.number, "reason": row.reason} for row in works.bad],
        "not_tried": [row.number for row in works.rows[len(outcomes) :]],
    }


def _work(outcome: Outcome, row: WorkRow, folder: Folder) -> Json:
    return {
        "line": row.number,
        "title": row.title,
        "artwork": outcome.run.artwork.id if outcome.run else row.artwork,
        "status": outcome.run.status if outcome.run else "failed",
        "run": str(folder.path / f"runs/{folder.name(row)}.json") if outcome.is_done else None,
        "answer": outcome.run.answer if outcome.run else "",
        "error": outcome.reason,
    }
