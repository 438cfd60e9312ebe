"""Runs of an engine that hangs, which commands give up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from expartkg import overdue
from expartkg.engines.base import AnswerStream, Engine, Session
from expartkg.engines.scripted import scripted_engine
from expartkg.errors import UnknownEntityError
from expartkg.loop import explain
from expartkg.overdue import explain_in_time
from expartkg.records import AnswerDelta, Artwork, Event, Finished, Prompt, StopFlag
from expartkg.retrieval.retriever import Retriever
from expartkg.settings import Settings
from tests.conftest import MakeGraph
from tests.ophelia import EDGES, KINDS, LABELS


class Deaf(Session):
    """Writes a word, and then hears nothing until it is let go."""

    def __init__(self) -> None:
        self.let_go = threading.Event()

    def session(self, image: object) -> Session:
        return self

    def answer(self, prompt: Prompt, stop: StopFlag) -> AnswerStream:
        yield "Half"
        self.let_go.wait(60)

    def close(self) -> None:
        """Nothing is held."""


@pytest.fixture
def deaf() -> Iterator[Deaf]:
    deaf = Deaf()
    yield deaf
    deaf.let_go.set()


@pytest.fixture
def events(
    make_graph: MakeGraph, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Iterator[Event]]:
    monkeypatch.setattr(overdue, "LATE_SECONDS", 0.1)
    retriever = Retriever(make_graph(EDGES, LABELS, KINDS))

    def events(engine: Engine, stop: StopFlag | None = None, **settings: object) -> Iterator[Event]:
        return explain_in_time(
            Artwork(title="Ophelia"),
            retriever=retriever,
            engine=engine,
            settings=Settings().replace(**settings),
            stop=stop,
        )

    return events


def test_without_a_fault_it_is_the_loop(make_graph: MakeGraph) -> None:
    asked = {
        "retriever": Retriever(make_graph(EDGES, LABELS, KINDS)),
        "engine": scripted_engine(["By Millais.", "In Tate Britain."], [0.1, 0.9]),
        "settings": Settings(),
    }
    work = Artwork(title="Ophelia")
    plain, attended = list(explain(work, **asked)), list(explain_in_time(work, **asked))  # type: ignore[arg-type]
    assert list(map(type, attended)) == list(map(type, plain))
    assert isinstance(plain[-1], Finished)
    assert isinstance(attended[-1], Finished)
    assert attended[-1].run.answer == plain[-1].run.answer


@pytest.mark.parametrize("way", ["limit", "stop"])
def test_what_hangs_is_given_up_and_what_was_written_stays(
    way: str, events: Callable[..., Iterator[Event]], deaf: Deaf
) -> None:
    stop = threading.Event()
    limit = 0.1 if way == "limit" else 60.0
    last = None
    for last in events(Engine("deaf", deaf, None), stop, time_limit=limit):
        if isinstance(last, AnswerDelta) and way == "stop":
            stop.set()
    assert isinstance(last, Finished)
    assert (last.run.status, last.run.answer) == ("failed", "Half")
    assert "The engine deaf took too long" in str(last.run.error)


def test_who_leaves_stops_the_run(events: Callable[..., Iterator[Event]]) -> None:
    stream = events(scripted_engine(["word " * 10_000], seconds_per_word=0.01))
    while not isinstance(next(stream), AnswerDelta):
        continue
    stream.close()  # type: ignore[attr-defined]
    end = time.monotonic() + 30
    while any(thread.name == "explain" for thread in threading.enumerate()):
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_wrong_call_is_told_before_anything_starts(make_graph: MakeGraph) -> None:
    with pytest.raises(UnknownEntityError):
        explain_in_time(
            Artwork(id="Q99"),
            retriever=Retriever(make_graph(EDGES, LABELS, KINDS)),
            engine=scripted_engine(["x"]),
            settings=Settings(),
        )
