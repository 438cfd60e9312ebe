"""Serves the page with a small graph of its own and an engine that says what it is told.

Pictures come from a server on this machine that plays Wikimedia Commons; it has not all of them.

Run as `python serve_scripted.py PORT`. What the engine does depends on a word in the question:
see `SCRIPTS`. The graph has hostile labels in it.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from expartkg.commons import Commons
from expartkg.engines.base import AnswerStream, Engine, Session
from expartkg.engines.scripted import scripted_engine
from expartkg.errors import EngineError
from expartkg.records import Answer, Prompt, StopFlag, Verdict
from expartkg.retrieval.opening import open_graph
from expartkg.retrieval.retriever import Retriever
from expartkg.retrieval.store import Graph
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
LONG_ANSWER = " ".join(f"word{number}" for number in range(2000))


def hanging_engine() -> Engine:
    """Writes a few words and then hears nothing for seconds, like a model in a long step."""
    return Engine("scripted", _HangingExplainer(), None)


class _HangingExplainer:
    def session(self, image: Image | None) -> Session:
        return _HangingSession()


class _HangingSession(Session):
    def answer(self, prompt: Prompt, stop: StopFlag) -> AnswerStream:
        yield "Before the long step"
        time.sleep(4)
        yield Answer("Before the long step", "stop")

    def close(self) -> None:
        """Nothing is held."""


FAILURE = EngineError("The model ran out of memory; try a smaller picture.")
SCRIPTS = {
    "slowly": scripted_engine([LONG_ANSWER], seconds_per_word=0.1),
    "failing": scripted_engine([THREE_ANSWERS[0], FAILURE], [0.2]),
    "hanging": hanging_engine(),
    "hostile": scripted_engine([HOSTILE_ANSWER], [0.9]),
    "quickly": scripted_engine([THREE_ANSWERS[0]], [0.9]),
    "leisure": scripted_engine(THREE_ANSWERS, [0.12, 0.4, 0.93], seconds_per_word=0.08),
}
THREE_ROUNDS = scripted_engine(THREE_ANSWERS, [0.12, 0.4, 0.93], seconds_per_word=0.02)


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


def small_graph(folder: Path) -> Graph:
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    kind = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
    lines = [f"<{ITEM}{id}> {label} {_literal(name)} ." for id, (name, _) in LABELS.items()]
    lines += [f"<{ITEM}{id}> {kind} <urn:expartkg:{kind_}> ." for id, (_, kind_) in LABELS.items()]
    lines += [f"<{ITEM}{id}> {label} {_literal(name)} ." for id, name in PROPERTIES.items()]
    lines += [f"<{ITEM}{s}> <{DIRECT}{p}> <{ITEM}{o}> ." for s, p, o in STATEMENTS]
    lines += [
        f"<{ITEM}{id}> <{DIRECT}P18> <{FILE}{quote(name)}> ." for id, name in PICTURES.items()
    ]
    file = folder / "small.nt"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return open_graph(str(file))


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
    from expartkg.ui.launch import open_page, prepare_gradio

    prepare_gradio()
    from expartkg.ui.loading import Loading
    from expartkg.ui.page import build_page

    with tempfile.TemporaryDirectory() as folder, FakeCommons() as fake:
        fake.add(Upload("Mona Lisa.jpg"))
        settings = Settings.from_environment()
        retriever = Retriever(small_graph(Path(folder)))
        commons = Commons(Path(folder), api=fake.api, origins={fake.origin})
        page = build_page(retriever, Loading.done(all_scripts()), settings, commons)
        print(open_page(page, "127.0.0.1", port), flush=True)
        page.block_thread()


if __name__ == "__main__":
    main(int(sys.argv[1]))
