"""A visitor's screens, without a browser."""

from __future__ import annotations

import asyncio
import itertools
import logging
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from expartkg.commons import Commons
from expartkg.engines.base import Engine
from expartkg.engines.scripted import scripted_engine
from expartkg.errors import EngineError
from expartkg.records import Intervention, PictureSource
from expartkg.retrieval.retriever import Retriever
from expartkg.runs import read_run, run_to_json, to_text
from expartkg.settings import Settings
from expartkg.ui.form import Form
from expartkg.ui.guide import Guide, House, Kept, Screen
from expartkg.ui.loading import Loading
from expartkg.ui.text import ENGLISH
from tests.ui.filling import filled

MakeGuide = Callable[[Engine], Guide]


@pytest.fixture
def guide(make_graph: Callable[..., Any], tmp_path: Path) -> MakeGuide:
    graph = make_graph(
        [("Q1", "P170", "Q2")], {"Q1": "Mona Lisa", "Q2": "Leonardo da Vinci"}, {"Q1": "Artwork"}
    )

    def make(engine: Engine) -> Guide:
        house = House(Retriever(graph), Loading.done(engine), Settings(), Commons(tmp_path))
        return Guide(house, ENGLISH)

    return make


async def screens_of(guide: Guide, form: Form, visitor: str = "anna") -> list[Screen]:
    return [screen async for screen in guide.explain(form, visitor)]


def shown(guide: Guide, form: Form) -> list[Screen]:
    return asyncio.run(screens_of(guide, form))


def test_a_run_from_the_first_screen_to_the_last(guide: MakeGuide) -> None:
    engine = scripted_engine(["One *word*.", "Two words."], [0.1, 0.9], seconds_per_word=0.15)
    first, *_, last = shown(guide(engine), filled(title="mona lisa"))
    assert first.running
    assert "Starting" in first.status
    assert not last.running
    assert "judged True" in last.status
    assert "Two words." in last.answer
    assert "Q2" in last.cards
    assert "Found in the graph" in last.work


def test_the_answer_grows_while_the_rest_stands_still(guide: MakeGuide) -> None:
    engine = scripted_engine(["One two three four five."], [0.9], seconds_per_word=0.15)
    screens = shown(guide(engine), filled(title="mona lisa"))
    growing = [
        screen for screen in screens if "writing" in screen.status and "five" not in screen.answer
    ]
    texts = [screen.answer for screen in growing if "One" in screen.answer]
    assert len(set(texts)) >= 3
    assert all(later.startswith(earlier) for earlier, later in itertools.pairwise(texts))
    assert len({screen.cards for screen in growing if screen.answer in texts}) == 1


@pytest.mark.parametrize(
    ("engine", "form", "said"),
    [
        (scripted_engine([EngineError("No memory.")]), filled(title="x"), "No memory."),
        (scripted_engine(["A."]), filled(title="x", top_k=0), "top-k must be 1 or more"),
        (scripted_engine(["A."]), filled(picture="/nowhere.png"), "There is no file"),
        (scripted_engine(["A."]), filled(question="Who is {artist}?"), "none was given"),
    ],
)
def test_whatever_goes_wrong_is_said(
    guide: MakeGuide, engine: Engine, form: Form, said: str
) -> None:
    last = shown(guide(engine), form)[-1]
    assert said in last.status
    assert not last.running


def test_a_fault_in_the_drawing_is_said_too(
    guide: MakeGuide, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken = guide(scripted_engine(["A."], [0.9]))

    def fails(*arguments: object) -> str:
        raise ZeroDivisionError

    monkeypatch.setattr(broken.cards, "work", fails)
    with caplog.at_level(logging.ERROR):
        last = shown(broken, filled(title="mona lisa"))[-1]
    assert "by a fault of its own" in last.status
    assert not last.running
    assert "ZeroDivisionError" in caplog.text


def test_stop_ends_the_run_and_keeps_the_text(guide: MakeGuide) -> None:
    slow = guide(scripted_engine(["one two three four " * 100], [0.9], seconds_per_word=0.05))
    threading.Timer(1.5, slow.house.visits.stop, ["anna"]).start()
    last = shown(slow, filled(title="mona lisa"))[-1]
    assert "Stopped" in last.status
    assert "one two" in last.answer
    assert "Stopped here." in last.cards


def test_two_visitors_have_a_run_each(guide: MakeGuide) -> None:
    """The second waits; neither sees the other's words; a stop is one's own."""
    both = guide(scripted_engine(["Said slowly, word by word."], [0.9], seconds_per_word=0.1))

    async def visit() -> list[list[Screen]]:
        anna = screens_of(both, filled(title="mona lisa"), "anna")
        ben = screens_of(both, filled(title="Leonardo da Vinci"), "ben")
        return list(await asyncio.gather(anna, ben))

    anna, ben = asyncio.run(visit())
    assert any("one other explanation comes first" in screen.status for screen in ben)
    assert "Q1" in anna[-1].work
    assert "Q2" in ben[-1].work
    assert not any(">Q2<" in screen.work for screen in anna)
    assert not any(">Q1<" in screen.work for screen in ben)


def test_a_second_run_of_a_visitor_ends_the_first(guide: MakeGuide) -> None:
    slow = guide(scripted_engine(["one two three four " * 100], [0.9], seconds_per_word=0.05))

    async def twice() -> list[list[Screen]]:
        first = asyncio.create_task(screens_of(slow, filled(title="mona lisa")))
        await asyncio.sleep(0.4)
        second = asyncio.create_task(screens_of(slow, filled(title="mona lisa")))
        await asyncio.sleep(0.8)
        slow.house.visits.stop("anna")
        return [await first, await second]

    first, second = asyncio.run(twice())
    assert "Stopped" in first[-1].status
    assert "Stopped" in second[-1].status


def test_a_forgotten_run_is_not_stopped_again(guide: MakeGuide) -> None:
    visits = guide(scripted_engine(["A."])).house.visits
    old = visits.begin("anna")
    new = visits.begin("anna")
    visits.end("anna", old)
    visits.stop("anna")
    assert old.is_set()
    assert new.is_set()
    visits.end("anna", new)
    visits.stop("anna")


def test_how_far_loading_is_stands_in_the_status_line(
    make_graph: Callable[..., Any], tmp_path: Path
) -> None:
    go_on = threading.Event()

    def load(progress: Callable[[str], None]) -> Engine:
        progress("Half of the models is there.")
        assert go_on.wait(60)
        return scripted_engine(["A."], [0.9])

    retriever = Retriever(make_graph((), {"Q1": "Mona Lisa"}, {"Q1": "Artwork"}))
    slow = Guide(
        House(retriever, Loading.begin("slow", load), Settings(), Commons(tmp_path)), ENGLISH
    )

    async def last_screen() -> Screen:
        async for screen in slow.explain(filled(title="mona lisa"), "anna"):
            if "Half of the models is there." in screen.status:
                go_on.set()
        return screen

    assert "judged True" in asyncio.run(last_screen()).status


def test_a_saved_run_looks_as_it_did_without_any_engine(
    guide: MakeGuide, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("expartkg.ui.guide.uuid.uuid4", lambda: UUID(int=7))
    engine = scripted_engine(["One *word*.", "By Leonardo da Vinci."], [0.1, 0.9])
    maker = guide(engine)
    *_, last = shown(maker, filled(title="mona lisa"))
    run = maker.house.kept.get("anna")
    assert run
    saved = read_run(to_text(run_to_json(run)).encode())
    other = guide(scripted_engine([RuntimeError("not to be asked")]))
    opened = other.open(saved, "ben")
    assert opened.answer == last.answer
    assert opened.cards == last.cards
    assert opened.status == last.status
    assert "made by the engine “scripted”" in opened.work
    assert "written beforehand" in opened.work
    assert other.house.kept.get("ben") == saved


def test_a_run_goes_on_from_the_middle(guide: MakeGuide) -> None:
    keeper = guide(scripted_engine(["One word.", "Two words."], [0.1, 0.2]))
    shown(keeper, filled(title="mona lisa", max_iterations=2))
    run = keeper.house.kept.get("anna")
    assert run
    opened = replace(run, artwork=replace(run.artwork, picture=PictureSource("file")))

    async def again() -> list[Screen]:
        change = Intervention(2, question="Why?")
        return [screen async for screen in keeper.again(opened, change, "anna")]

    *_, last = asyncio.run(again())
    assert "Done" in last.status
    steered = keeper.house.kept.get("anna")
    assert steered
    assert "Why?" in steered.iterations[1].prompt.text
    assert steered.artwork.picture is None, "there was none to be shown"
    assert last.cards.count("<li>\n<details") == 2


def test_a_saved_run_decides_nothing_but_what_a_visitor_may_choose(guide: MakeGuide) -> None:
    keeper = guide(scripted_engine(["One word."], [0.1]))
    shown(keeper, filled(title="mona lisa", max_iterations=1))
    run = keeper.house.kept.get("anna")
    assert run
    hostile = {"time_limit": 1e300, "facts_budget": 10**9, "kg": "/etc/passwd", "unknown": 1}
    saved = replace(run, settings={**run.settings, **hostile})

    async def again() -> list[Screen]:
        change = Intervention(1, question="Why?")
        return [screen async for screen in keeper.again(saved, change, "anna")]

    assert "Done" in asyncio.run(again())[-1].status
    steered = keeper.house.kept.get("anna")
    assert steered
    assert steered.settings == run.settings


def test_the_oldest_explanations_are_forgotten(guide: MakeGuide) -> None:
    keeper = guide(scripted_engine(["One."], [0.9]))
    shown(keeper, filled(title="mona lisa"))
    run = keeper.house.kept.get("anna")
    assert run
    kept = Kept(most=2)
    for visitor in ("anna", "ben", "anna", "cleo"):
        kept.put(visitor, run)
    assert [bool(kept.get(visitor)) for visitor in ("anna", "ben", "cleo")] == [True, False, True]
    kept.forget("anna")
    assert kept.get("anna") is None
