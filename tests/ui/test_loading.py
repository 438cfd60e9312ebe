"""An engine that takes its time, and a page that does not wait for it."""

from __future__ import annotations

import threading

import pytest

from expartkg.engines.base import Engine, Progress
from expartkg.engines.scripted import scripted_engine
from expartkg.errors import EngineError
from expartkg.ui.loading import Loading

NEVER = threading.Event()


def test_an_engine_that_is_there() -> None:
    engine = scripted_engine(["A."])
    loading = Loading.done(engine)
    assert loading.engine(NEVER) is engine
    assert (loading.name, loading.progress) == ("scripted", "")


def test_an_engine_that_takes_its_time(capsys: pytest.CaptureFixture[str]) -> None:
    engine, told, go_on = scripted_engine(["A."]), threading.Event(), threading.Event()

    def load(progress: Progress) -> Engine:
        progress("Half of it is there.")
        told.set()
        assert go_on.wait(60)
        return engine

    loading = Loading.begin("slow", load)
    assert told.wait(60)
    assert loading.progress == "Half of it is there."
    assert loading.notice is None
    go_on.set()
    assert loading.engine(NEVER) is engine
    assert loading.progress == ""
    assert "Half of it is there.\nThe engine slow is ready." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (EngineError("There is too little memory; take a smaller model."), "too little memory"),
        (RuntimeError("driver"), "The models cannot be loaded: RuntimeError: driver"),
        (SystemExit("no licence"), "The models cannot be loaded: SystemExit: no licence"),
    ],
)
def test_an_engine_that_cannot_be_loaded(
    fault: BaseException, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def load(progress: Progress) -> Engine:
        raise fault

    loading = Loading.begin("broken", load)
    for _ in range(2):
        with pytest.raises(EngineError, match=said):
            loading.engine(NEVER)
    assert said in loading.progress
    assert said in capsys.readouterr().err


def test_who_stops_does_not_wait() -> None:
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    with pytest.raises(EngineError, match="Stopped"):
        Loading("slow").engine(stop)
