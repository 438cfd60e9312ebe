"""Every fault of an engine through every entrance: what is finished stays, the fault is said, and
the next run is as if nothing had been.
"""

from __future__ import annotations

import asyncio
import html
import json
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest

from expartkg import overdue
from expartkg.cli import main
from expartkg.commands import batch as batch_command
from expartkg.commands import explain as explain_command
from expartkg.commons import Commons
from expartkg.engines.base import Engine
from expartkg.errors import ExpArtError
from expartkg.evaluation.experiment import Experiment, arms_for
from expartkg.evaluation.questions import ArtQuestion
from expartkg.evaluation.trajectories import Trajectories, Trajectory
from expartkg.retrieval.retriever import Retriever
from expartkg.settings import Settings
from expartkg.ui import bridge, mcp_server
from expartkg.ui.api import Api
from expartkg.ui.guide import Guide, House
from expartkg.ui.loading import Loading
from expartkg.ui.mcp_server import _explaining
from expartkg.ui.text import ENGLISH
from tests.conftest import MakeGraph
from tests.hard_use.faulty_engines import FAULTS, GOOD, Fault, Faulty, Round
from tests.ophelia import EDGES, KINDS, LABELS
from tests.ui.filling import filled

LARGE = bool(os.environ.get("EXPARTKG_LARGE"))
LIMIT = 0.4
ROUNDS: tuple[Round, ...] = (1, 2)


class Told(NamedTuple):
    """What whoever asked has of a run: how it ended, everything written, and what was said."""

    is_accepted: bool
    text: str
    said: str = ""


class Entrance(NamedTuple):
    """A way to an engine: two runs after one another; `free` is called between the two."""

    name: str
    two_runs: Callable[[Engine, Settings, Path, Callable[[], None]], list[Told]]


def page(engine: Engine, settings: Settings, folder: Path, free: Callable[[], None]) -> list[Told]:
    house = _house(engine, settings, folder)
    guide = Guide(house, ENGLISH)

    async def run(visitor: str) -> Told:
        screens = [screen async for screen in guide.explain(filled(title="ophelia"), visitor)]
        last = screens[-1]
        assert not last.running
        status = html.unescape(last.status)
        return Told("dot accepted" in status, last.answer + last.cards, status)

    return _one_after_another(run, free)


def api(engine: Engine, settings: Settings, folder: Path, free: Callable[[], None]) -> list[Told]:
    asked = Api(_house(engine, settings, folder))

    async def run(_: str) -> Told:
        document: dict[str, Any] = {}
        text = said = ""
        try:
            async for event in asked.explain(title="ophelia"):
                text += event.get("text", "")
                document = event.get("run") or {}
        except ExpArtError as error:
            said = str(error)
        return _of_document(document, text, said)

    return _one_after_another(run, free)


def mcp(engine: Engine, settings: Settings, folder: Path, free: Callable[[], None]) -> list[Told]:
    tool = cast(Any, _explaining(Api(_house(engine, settings, folder))))

    async def run(_: str) -> Told:
        heard = _Heard()
        try:
            document = await tool(heard, title="ophelia")
        except ExpArtError as error:
            return Told(False, heard.text, str(error))
        return _of_document(document, heard.text)

    return _one_after_another(run, free)


class _Heard:
    """An assistant that hears of the progress."""

    text = ""

    async def report_progress(self, steps: int, message: str) -> None:
        self.text += message


def explain(
    engine: Engine, settings: Settings, folder: Path, free: Callable[[], None]
) -> list[Told]:
    told = []
    for _ in range(2):
        export = folder / "run.json"
        code = _command(
            explain_command, engine, settings, folder, "--title", "ophelia", "--export", str(export)
        )
        document = json.loads(export.read_bytes())
        assert code == (document["status"] not in ("accepted", "exhausted"))
        told.append(_of_document(document))
        free()
    return told


def batch(engine: Engine, settings: Settings, folder: Path, free: Callable[[], None]) -> list[Told]:
    table = folder / "works.csv"
    table.write_text("title\nOphelia\nMariana\n", encoding="utf-8")
    out = folder / "out"
    _command(batch_command, engine, settings, folder, "--batch", str(table), "--out", str(out))
    report = html.unescape((out / "report.html").read_text(encoding="utf-8"))
    kept = [json.loads(path.read_bytes()) for path in sorted((out / "runs").glob("[!.]*.json"))]
    told = [_of_document(document) for document in kept if document["status"] == "accepted"]
    return [Told(False, report, report)] * (2 - len(told)) + told


def evaluate(
    engine: Engine, settings: Settings, folder: Path, free: Callable[[], None]
) -> list[Told]:
    questions = [ArtQuestion(str(n), title, "Millais.") for n, title in enumerate(LABELS.values())]
    experiment = Experiment(
        questions[:2], ["with-title"], arms_for(["validate"], ["qid"]), _retriever(folder), engine,
        settings,
    )  # fmt: skip
    runs = list(experiment.run(Trajectories(folder / "trajectories.jsonl")))
    again = Trajectories(folder / "trajectories.jsonl")
    assert list(again) == runs
    return [_of_trajectory(run) for run in runs if isinstance(run, Trajectory)]


ENTRANCES = [
    Entrance(function.__name__, function) for function in (page, api, mcp, explain, batch, evaluate)
]


def _house(engine: Engine, settings: Settings, folder: Path) -> House:
    return House(_retriever(folder), Loading.done(engine), settings, Commons(folder / "cache"))


def _retriever(folder: Path) -> Retriever:
    from expartkg.retrieval.opening import open_graph

    return Retriever(open_graph(str(folder / "graph.nt")))


def _one_after_another(run: Callable[[str], Any], free: Callable[[], None]) -> list[Told]:
    async def both() -> list[Told]:
        first = await run("anna")
        free()
        return [first, await run("ben")]

    return asyncio.run(both())


def _command(command: Any, engine: Engine, settings: Settings, folder: Path, *more: str) -> int:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command, "load_engine", lambda *_: engine)
        limit = f"{settings.time_limit:g}"
        return main(["explain", "--kg", str(folder / "graph.nt"), "--time-limit", limit, *more])


def _of_document(document: dict[str, Any], heard: str = "", said: str = "") -> Told:
    texts = [iteration["answer"]["text"] for iteration in document.get("iterations", ())]
    status = document.get("status")
    return Told(status == "accepted", "".join([*texts, heard]), document.get("error") or said)


def _of_trajectory(run: Trajectory) -> Told:
    text = "".join(step.answer for step in run.steps)
    return Told(run.status == "accepted", text, run.error or "")


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nobody is to wait for a minute here until an engine that hangs is given up."""
    monkeypatch.setattr(bridge, "BATCH_SECONDS", 0.01)
    monkeypatch.setattr(bridge, "HEARTBEAT_SECONDS", 0.05)
    monkeypatch.setattr(bridge, "LATE_SECONDS", 0.1)
    monkeypatch.setattr(mcp_server, "TEXT_SECONDS", 0.05)
    monkeypatch.setattr(overdue, "LATE_SECONDS", 0.1)
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(tmp_path / "uploads"))


def cases() -> list[Any]:
    """Every fault, in both rounds and through every entrance if there is time, else by turns."""
    everything = [
        (number, fault, entrance, in_round)
        for number, fault in enumerate(FAULTS)
        for entrance in range(len(ENTRANCES))
        for in_round in ROUNDS
    ]
    return [
        pytest.param(
            ENTRANCES[entrance],
            fault,
            in_round,
            id=f"{ENTRANCES[entrance].name}, {fault.name}, in round {in_round}",
        )
        for number, fault, entrance, in_round in everything
        if LARGE or (number + 2 * entrance + 3 * in_round) % 6 == number % 2
    ]


@pytest.mark.parametrize(("entrance", "fault", "in_round"), cases())
def test_a_fault_is_said_what_is_there_stays_and_the_next_run_is_well(
    entrance: Entrance, fault: Fault, in_round: Round, make_graph: MakeGraph, tmp_path: Path
) -> None:
    make_graph(EDGES, LABELS, KINDS)
    faulty = Faulty(fault, in_round)
    settings = Settings(time_limit=LIMIT if fault.hangs else 60.0, max_iterations=2)
    first, second = entrance.two_runs(faulty.engine(), settings, tmp_path, faulty.released.set)
    faulty.released.set()
    assert faulty.happened
    assert fault.begun in first.text or entrance.name == "batch"
    if in_round == 2:
        assert GOOD[0] in first.text or entrance.name == "batch"
    if fault.said is None:
        assert not first.said or entrance.name in ("page", "batch")
    else:
        assert not first.is_accepted
        assert fault.said in first.said
    assert second.is_accepted
    assert GOOD[1] in second.text
    _wait_until(lambda: not _runs_going_on() and not faulty.open)


def _runs_going_on() -> list[threading.Thread]:
    names = ("run", "explain", "evaluate")
    return [thread for thread in threading.enumerate() if thread.name.startswith(names)]


def _wait_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)
