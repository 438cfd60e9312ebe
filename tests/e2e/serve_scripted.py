"""Serves the page with a small graph of its own and an engine that says what it is told.

Pictures come from a server on this machine that plays Wikimedia Commons; it has not all of them.

Run as `python serve_scripted.py PORT`. What the engine does depends on a word in the question:
see `SCRIPTS`. The graph has hostile labels in it.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from expartkg.commons import Commons
from expartkg.engines.base import AnswerStream, Engine, Explainer, Session
from expartkg.engines.scripted import scripted_engine
from expartkg.errors import EngineError
from expartkg.records import Prompt, StopFlag, Verdict
from expartkg.retrieval.opening import open_graph
from expartkg.retrieval.retriever import Retriever
from expartkg.settings import Settings
from tests.commons.server import FakeCommons, Upload

if TYPE_CHECKING:
    from PIL.Image import Image

ITEM = "http://www.wikidata.org/entity/"
DIRECT = "http://www.wikidata.org/prop/direct/"
FILE = "http://commons.wikimedia.org/wiki/Special:FilePath/"
HOSTILE_LABEL = (
    '<img src=x onerror="document.body.dataset.hacked=1"> '
    "${document.body.dataset.hacked=2} {{constructor}}"
)
HOSTILE_ANSWER = (
    "The Trap shows <script>document.body.dataset.hacked=3</script> and "
    '<img src="http://outside.test/a.png" onerror="document.body.dataset.hacked=4"> and '
    "![a picture](http://outside.test/b.png) and ${document.body.dataset.hacked=5} and "
    "[a link](javascript:document.body.dataset.hacked=6). *Emphasis* is **fine**."
)
PICTURES = {"Q1": "Mona Lisa.jpg", "Q7": "Away.jpg"}
LABELS = {
    "Q1": ("Mona Lisa", "Artwork"),
    "Q2": ("Leonardo da Vinci", "Artist"),
    "Q3": ("Louvre Museum", "Museum"),
    "Q4": ("High Renaissance", "Movement"),
    "Q5": ("oil paint", "Concept"),
    "Q6": ("Lisa del Giocondo", "Subject"),
    "Q7": ("The Last Supper", "Artwork"),
    "Q11": ("The Kiss", "Artwork"),
    "Q12": ("The Kiss", "Artwork"),
    "Q13": ("Gustav Klimt", "Artist"),
    "Q14": ("Francesco Hayez", "Artist"),
    "Q15": ("Belvedere", "Museum"),
    "Q21": ("The Trap", "Artwork"),
    "Q22": (HOSTILE_LABEL, "Artist"),
}
PROPERTIES = {
    "P170": "creator",
    "P195": "collection",
    "P135": "movement",
    "P186": "made from material",
    "P180": "depicts",
}
STATEMENTS = (
    ("Q1", "P170", "Q2"),
    ("Q1", "P195", "Q3"),
    ("Q1", "P135", "Q4"),
    ("Q1", "P186", "Q5"),
    ("Q1", "P180", "Q6"),
    ("Q7", "P170", "Q2"),
    ("Q7", "P135", "Q4"),
    ("Q2", "P135", "Q4"),
    ("Q11", "P170", "Q13"),
    ("Q12", "P170", "Q14"),
    ("Q21", "P170", "Q22"),
    ("Q21", "P180", "Q5"),
)
THREE_ANSWERS = (
    "*Mona Lisa* is a portrait by Leonardo da Vinci, painted in oil on a poplar panel.",
    "*Mona Lisa* is a portrait of Lisa del Giocondo by Leonardo da Vinci, who worked at the "
    "height of the High Renaissance and also painted The Last Supper.",
    "*Mona Lisa* is a portrait of Lisa del Giocondo by Leonardo da Vinci. It was painted in oil "
    "in the High Renaissance.\n\nIt hangs in the Louvre Museum, where it is **the best known** "
    "picture of all.",
)
MIXED_ANSWER = (
    "*Mona Lisa* was painted by Leonardo da Vinci. It hangs in the Belvedere. "
    "Her smile is a riddle. It was painted in 1650."
)
LONG_ANSWER = " ".join(f"word{number}" for number in range(2000))


GATE = Path(os.environ.get("GRADIO_TEMP_DIR", tempfile.gettempdir())).with_name("go-on")
"""Scripts that halt go on when this file is there: see the fixture `go_on`."""
HALTED_SECONDS = 100.0


def halting(engine: Engine, answer: int, word: int) -> Engine:
    """Hears nothing before that word of that answer, like a model in a long step."""
    return replace(engine, explainer=_HaltingExplainer(engine.explainer, (answer, word)))


@dataclass(frozen=True)
class _HaltingExplainer:
    explainer: Explainer
    place: tuple[int, int]

    def session(self, image: Image | None) -> Session:
        return _HaltingSession(self.explainer.session(image), self.place)


class _HaltingSession(Session):
    def __init__(self, session: Session, place: tuple[int, int]) -> None:
        self._session = session
        self._place = place
        self._answers = 0

    def answer(self, prompt: Prompt, stop: StopFlag) -> AnswerStream:
        self._answers += 1
        for word, piece in enumerate(self._session.answer(prompt, stop), start=1):
            if (self._answers, word) == self._place:
                _wait_at_gate()
            yield piece

    def close(self) -> None:
        self._session.close()


def _wait_at_gate() -> None:
    end = time.monotonic() + HALTED_SECONDS
    while not GATE.exists() and time.monotonic() < end:
        time.sleep(0.02)


THREE_ROUNDS = scripted_engine(THREE_ANSWERS, [0.12, 0.4, 0.93], seconds_per_word=0.02)
FAILURE = EngineError("The model ran out of memory; try a smaller picture.")
SCRIPTS = {
    "slowly": scripted_engine([LONG_ANSWER], seconds_per_word=0.1),
    "failing": scripted_engine([THREE_ANSWERS[0], FAILURE], [0.2]),
    "hanging": halting(scripted_engine(["Before the long step, and after it."]), 1, 5),
    "halting": halting(THREE_ROUNDS, 2, 5),
    "hostile": scripted_engine([HOSTILE_ANSWER], [0.9]),
    "mixed": scripted_engine([THREE_ANSWERS[0], MIXED_ANSWER], [0.2, 0.9]),
    "quickly": scripted_engine([THREE_ANSWERS[0]], [0.9]),
    "leisure": scripted_engine(THREE_ANSWERS, [0.12, 0.4, 0.93], seconds_per_word=0.08),
}


def engine_for(question: str) -> Engine:
    return next((SCRIPTS[word] for word in SCRIPTS if word in question), THREE_ROUNDS)


class _Explainer:
    def session(self, image: Image | None) -> Session:
        return _Session(image)


class _Session(Session):
    """Chooses its script at the first question."""

    def __init__(self, image: Image | None) -> None:
        self._image = image
        self._session: Session | None = None

    def answer(self, prompt: Prompt, stop: StopFlag) -> AnswerStream:
        if self._session is None:
            self._session = engine_for(prompt.question).explainer.session(self._image)
        return self._session.answer(prompt, stop)

    def close(self) -> None:
        """Nothing is held."""


class _Validator:
    def judge(self, prompt: Prompt, answer: str, stop: StopFlag) -> Verdict:
        validator = engine_for(prompt.question).validator
        assert validator is not None
        return validator.judge(prompt, answer, stop)


def all_scripts() -> Engine:
    return Engine(
        "scripted",
        _Explainer(),
        _Validator(),
        {"explainer": "script", "sees_pictures": False},
        notice="These answers were written beforehand; no model made them.",
    )


def small_graph(folder: Path) -> Path:
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    kind = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
    lines = [f"<{ITEM}{id}> {label} {_literal(name)} ." for id, (name, _) in LABELS.items()]
    lines += [f"<{ITEM}{id}> {kind} <urn:expartkg:{kind_}> ." for id, (_, kind_) in LABELS.items()]
    lines += [f"<{ITEM}{id}> {label} {_literal(name)} ." for id, name in PROPERTIES.items()]
    lines += [f"<{ITEM}{s}> <{DIRECT}{p}> <{ITEM}{o}> ." for s, p, o in STATEMENTS]
    lines += [
        f"<{ITEM}{id}> <{DIRECT}P18> <{FILE}{quote(name)}> ." for id, name in PICTURES.items()
    ]
    lines.append(f'<{ITEM}Q1> <{DIRECT}P571> "1503" .')
    file = folder / "small.nt"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def _literal(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"@en'


def report_requests(event: str, arguments: tuple[object, ...]) -> None:
    """An audit hook: prints where the server connects to, unless that is this machine."""
    if event == "socket.connect":
        address = arguments[1]
        if isinstance(address, tuple) and address[0] not in ("127.0.0.1", "::1", "localhost"):
            print("OUTSIDE", address, flush=True)
    elif event == "socket.getaddrinfo" and arguments[0] not in ("127.0.0.1", "localhost"):
        print("OUTSIDE", arguments[0], flush=True)


def main(port: int) -> None:
    sys.addaudithook(report_requests)
    from expartkg.ui.launch import open_guide, prepare_gradio

    prepare_gradio()
    from expartkg.ui.guide import House
    from expartkg.ui.loading import Loading

    with tempfile.TemporaryDirectory() as folder, FakeCommons() as fake:
        fake.add(Upload("Mona Lisa.jpg"))
        settings = Settings.from_environment()
        settings.cache.expanduser().mkdir(parents=True, exist_ok=True)
        graph = small_graph(settings.cache.expanduser())
        settings = settings.replace(kg=str(graph), sparql_seconds=60)
        retriever = Retriever(open_graph(settings.kg))
        commons = Commons(Path(folder), api=fake.api, origins={fake.origin})
        house = House(retriever, Loading.done(all_scripts()), settings, commons)
        page, url = open_guide(house, "127.0.0.1", port)
        print(url, flush=True)
        page.block_thread()


if __name__ == "__main__":
    main(int(sys.argv[1]))
