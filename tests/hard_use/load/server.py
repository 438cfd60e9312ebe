"""Serves the page with an engine that sleeps like a GPU and answers with the visitor's own title.

Run as `python server.py PORT JOURNAL PACE`, where `PACE` is the seconds of an engine's step. In the
journal is what happens in the line, by the clock that all processes of the machine share; see
`journal.py`. On the signal USR1, files that are kept for an hour go as if it were over, and the
threads are noted by name. Asked to go on and on, the engine does until it is stopped.
"""

from __future__ import annotations

import json
import random
import re
import signal
import sys
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from expartkg.commons import Commons
from expartkg.engines.base import AnswerStream, Engine, Session
from expartkg.engines.scripted import pieces
from expartkg.records import Answer, Prompt, StopFlag, Verdict
from expartkg.retrieval.opening import open_graph
from expartkg.retrieval.retriever import Retriever
from expartkg.settings import Settings
from expartkg.ui.bridge import Line, Ticket
from tests.e2e.serve_scripted import small_graph
from tests.hard_use.load.journal import NAME, ending_of

if TYPE_CHECKING:
    from PIL.Image import Image

POLL_SECONDS = 0.05


class Journal:
    """A line of JSON for everything that happens."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a", encoding="utf-8")
        self._lock = threading.RLock()

    def note(self, what: str, **details: Any) -> None:
        with self._lock:
            document = {"what": what, "at": time.monotonic(), **details}
            self._file.write(json.dumps(document) + "\n")
            self._file.flush()


class NotedLine(Line):
    """The page's line, with every place in it numbered, and noted in the journal."""

    def __init__(self, journal: Journal) -> None:
        super().__init__()
        self._journal = journal
        self._numbers: dict[Ticket, int] = {}
        self._given = 0
        self._turned: set[int] = set()
        self._noting = threading.RLock()
        self.current = 0

    def join(self, stop: StopFlag | None = None) -> Ticket | None:
        with self._noting:
            ticket = super().join(stop)
            if ticket is None:
                self._journal.note("full")
                return None
            self._given += 1
            self._numbers[ticket] = self._given
            ahead = super().ahead_of(ticket)
            self._journal.note("joined", ticket=self._given, ahead=ahead)
            return ticket

    def ahead_of(self, ticket: Ticket) -> int:
        with self._noting:
            ahead = super().ahead_of(ticket)
            number = self._numbers[ticket]
            if ahead == 0 and ticket.counts and number not in self._turned:
                self._turned.add(number)
                self.current = number
                self._journal.note("turn", ticket=number)
            return ahead

    def remove(self, ticket: Ticket) -> None:
        with self._noting:
            number = self._numbers.pop(ticket, None)
            if number is not None:
                self._turned.discard(number)
                self._journal.note("left", ticket=number)
        super().remove(ticket)


class SleepingEngine:
    """Explainer and validator in one. How long it takes depends on the title's name alone."""

    def __init__(self, line: NotedLine, journal: Journal, pace: float) -> None:
        self._line = line
        self._journal = journal
        self._pace = pace

    def session(self, image: Image | None) -> _Session:
        return _Session(self, image)

    def answer(
        self, prompt: Prompt, turn: int, image: Image | None, stop: StopFlag
    ) -> AnswerStream:
        began = time.monotonic()
        name = _name_in(prompt.question)
        self._journal.note("heard", ticket=self._line.current, name=name)
        chance = random.Random(name)
        rounds = chance.choice((1, 2))
        count = 10_000 if "on and on" in prompt.question else chance.randint(8, 24)
        words = [f"{name}.{number}" for number in range(count)]
        seen = f"saw {image.width}x{image.height}" if image else "saw nothing"
        text = " ".join([f"Answer {turn} of {rounds}, {seen}:", *words, ending_of(name)])
        self._sleep(0.3 * chance.uniform(0.5, 2), stop)
        said: list[str] = []
        for piece in pieces(text):
            self._sleep(0.04, stop)
            if stop.is_set():
                yield Answer("".join(said), "stopped", len(said), time.monotonic() - began)
                return
            said.append(piece)
            yield piece
        yield Answer(text, "stop", len(said), time.monotonic() - began)

    def judge(self, prompt: Prompt, answer: str, stop: StopFlag) -> Verdict:
        self._sleep(0.2, stop)
        numbers = re.match(r"Answer (\d) of (\d)", answer)
        is_last = numbers is None or numbers[1] >= numbers[2]
        return Verdict(is_last, 0.9 if is_last else 0.1, 1.0, "forced")

    def _sleep(self, steps: float, stop: StopFlag) -> None:
        end = time.monotonic() + steps * self._pace
        while (left := end - time.monotonic()) > 0 and not stop.is_set():
            time.sleep(min(left, POLL_SECONDS))


class _Session(Session):
    def __init__(self, engine: SleepingEngine, image: Image | None) -> None:
        self._engine = engine
        self._image = image
        self._turn = 0

    def answer(self, prompt: Prompt, stop: StopFlag) -> AnswerStream:
        self._turn += 1
        return self._engine.answer(prompt, self._turn, self._image, stop)

    def close(self) -> None:
        """Nothing is held."""


def _name_in(question: str) -> str:
    found = NAME.search(question)
    return found[0] if found else "nobody"


def main(port: int, journal_path: Path, pace: float) -> None:
    from expartkg.ui.launch import open_guide, prepare_gradio

    prepare_gradio()
    from gradio.route_utils import delete_files_created_by_app

    from expartkg.ui.guide import House
    from expartkg.ui.loading import Loading

    journal = Journal(journal_path)
    line = NotedLine(journal)
    sleeping = SleepingEngine(line, journal, pace)
    engine = Engine("sleeping", sleeping, sleeping, {"explainer": "sleep", "sees_pictures": True})
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings.from_environment().replace(kg=str(small_graph(Path(folder))))
        retriever = Retriever(open_graph(settings.kg))
        house = House(retriever, Loading.done(engine), settings, Commons(Path(folder)))
        page, url = open_guide(replace(house, line=line), "127.0.0.1", port)

        def an_hour_later(*_: object) -> None:
            delete_files_created_by_app(page, 0)
            journal.note("threads", names=[thread.name for thread in threading.enumerate()])

        signal.signal(signal.SIGUSR1, an_hour_later)
        print(url, flush=True)
        page.block_thread()


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]))
