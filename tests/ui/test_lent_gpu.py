"""Runs on a GPU that is lent by the call, without that GPU."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable
from typing import Any

import pytest

from expartkg.engines.scripted import scripted_engine
from expartkg.errors import EngineError
from expartkg.records import Answered, Artwork, Finished
from expartkg.retrieval.retriever import Retriever
from expartkg.settings import Settings
from expartkg.ui import lent_gpu


@pytest.fixture(autouse=True)
def prepared(make_graph: Callable[..., Any]) -> None:
    retriever = Retriever(make_graph([("Q1", "P170", "Q2")], {"Q1": "Mona Lisa"}))
    lent_gpu.prepare(retriever, scripted_engine(["One.", "Two."], [0.1, 0.9]))


def test_a_run_is_the_loops() -> None:
    events = list(
        lent_gpu.explain_on_lent_gpu(
            Artwork(title="Mona Lisa"), Settings(), None, threading.Event()
        )
    )
    last = events[-1]
    assert isinstance(last, Finished)
    assert last.run.status == "accepted"
    assert len(last.run.iterations) == 2
    assert last.run.settings["time_limit"] == 120.0
    assert pickle.loads(pickle.dumps(events)) == events


def test_stop_gives_the_gpu_back() -> None:
    stop = threading.Event()
    events = lent_gpu.explain_on_lent_gpu(Artwork(title="Mona Lisa"), Settings(), None, stop)
    assert any(isinstance(event, Answered) for event in events)
    stop.set()
    with pytest.raises(EngineError, match="Stopped"):
        next(events)
