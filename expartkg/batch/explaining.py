"""Going through a table of works, one after the other. Knows no terminal and no page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from expartkg.batch.folder import Folder
from expartkg.batch.table import WorkRow
from expartkg.engines.base import Engine
from expartkg.errors import EngineError, ExpArtError, PictureError, UnknownEntityError, UsageError
from expartkg.overdue import explain_in_time
from expartkg.pictures import open_picture
from expartkg.records import Artwork, Finished, PictureSource, Run, StopFlag
from expartkg.retrieval.retriever import Retriever
from expartkg.settings import Settings
from expartkg.signature import signature_of

MOST_FAILURES_IN_A_ROW = 5


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a row: a Run, or why there is none. `was_there` is one of an earlier start."""

    row: WorkRow
    run: Run | None = None
    problem: str | None = None
    was_there: bool = False

    @property
    def is_done(self) -> bool:
        """Whether the work is explained; what is not, is tried again at the next start."""
        return self.run is not None and self.run.status in ("accepted", "exhausted")

    @property
    def reason(self) -> str | None:
        """Why the work is not explained; None where it is."""
        if self.is_done:
            return None
        return self.problem or (self.run and self.run.error) or "it was stopped"


def artwork_of(row: WorkRow) -> Artwork:
    """The row's work, with its picture opened. Raises `PictureError`."""
    image = open_picture(row.image) if row.image else None
    source = PictureSource("file") if image else None
    return Artwork(row.artwork, row.title, row.artist, image, picture=source)


def conditions_of(
    retriever: Retriever, engine: Engine, settings: Settings, question: str | None
) -> Mapping[str, object]:
    """All that the explanations of one folder have in common."""
    signature = signature_of(retriever.graph, settings)
    return {
        **settings.for_run(),
        "question": question,
        "engine": {"name": engine.name, **engine.description},
        "graph": signature["graph"],
        "expartkg": signature["expartkg"],
    }


def explain_works(
    rows: Iterable[WorkRow],
    folder: Folder,
    *,
    retriever: Retriever,
    engine: Engine,
    settings: Settings,
    stop: StopFlag,
    question: str | None = None,
) -> Iterator[Outcome]:
    """Explains the works that the folder has no explanation of, keeps each, and yields all.

    When `stop` is set it ends, without the work under way. Raises `EngineError` after so many
    failures in a row that the engine must be down.
    """
    failures = 0
    for row in rows:
        if stop.is_set():
            return
        outcome = _there(row, folder) or _explained(
            row, retriever, engine, settings, stop, question
        )
        if stop.is_set() and not outcome.is_done:
            return
        if outcome.is_done and outcome.run and not outcome.was_there:
            folder.keep(row, outcome.run)
        yield outcome
        failures = failures + 1 if outcome.run and outcome.run.status == "failed" else 0
        if failures >= MOST_FAILURES_IN_A_ROW:
            raise EngineError(
                f"{failures} works failed in a row, the last with: {outcome.reason} Mend the "
                "engine and start the same command again; what is done stays done."
            )


def _there(row: WorkRow, folder: Folder) -> Outcome | None:
    """What an earlier start left of a row, or why nobody can tell; None if that is nothing."""
    try:
        run = folder.load(row)
    except PictureError as error:
        return Outcome(row, problem=str(error))
    return Outcome(row, run, was_there=True) if run else None


def _explained(
    row: WorkRow,
    retriever: Retriever,
    engine: Engine,
    settings: Settings,
    stop: StopFlag,
    question: str | None,
) -> Outcome:
    """One work. What is wrong with it alone is no reason to leave the others."""
    try:
        for event in explain_in_time(
            artwork_of(row),
            retriever=retriever,
            engine=engine,
            settings=settings,
            question=question,
            stop=stop,
        ):
            if isinstance(event, Finished):
                return Outcome(row, event.run)
    except (PictureError, UnknownEntityError, UsageError) as error:
        return Outcome(row, problem=str(error))
    raise ExpArtError("The loop ended without a Run.")
