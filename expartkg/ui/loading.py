"""An engine that the page need not wait for: it opens at once, and says how far loading is."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYetError

from expartkg.commands.printing import tell
from expartkg.engines.base import Engine, Progress
from expartkg.errors import EngineError, ExpArtError
from expartkg.records import StopFlag

POLL_SECONDS = 0.1


class Loading:
    """An engine that is there, or will be; `progress` is a sentence while it is not."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.progress = ""
        self._engine: Future[Engine] = Future()

    @classmethod
    def done(cls, engine: Engine) -> Loading:
        """An engine that is there already."""
        loading = cls(engine.name)
        loading._engine.set_result(engine)
        return loading

    @classmethod
    def begin(cls, name: str, load: Callable[[Progress], Engine]) -> Loading:
        """Loads in a thread of its own. Progress and failure are also printed to stderr."""
        loading = cls(name)
        loading._tell("The models are being loaded.")
        threading.Thread(target=loading._load, args=(load,), name="loading", daemon=True).start()
        return loading

    @property
    def notice(self) -> str | None:
        """The engine's notice; engines that take long to load have none."""
        return self._engine.result().notice if self._engine.done() else None

    def engine(self, stop: StopFlag) -> Engine:
        """The engine, waited for. Raises `EngineError` if it cannot be loaded, or on `stop`."""
        while not stop.is_set():
            try:
                return self._engine.result(POLL_SECONDS)
            except NotYetError:
                continue
        raise EngineError("Stopped while the models were being loaded.")

    def _load(self, load: Callable[[Progress], Engine]) -> None:
        try:
            engine = load(self._tell)
        except ExpArtError as error:
            self._tell(str(error))
            self._engine.set_exception(error)
        except BaseException as error:  # noqa: BLE001  # libraries raise anything, and many wait
            self._tell(f"The models cannot be loaded: {type(error).__name__}: {error}")
            self._engine.set_exception(EngineError(self.progress))
        else:
            self._tell(f"The engine {self.name} is ready.")
            self.progress = ""
            self._engine.set_result(engine)

    def _tell(self, sentence: str) -> None:
        self.progress = sentence
        tell(sentence)
