"""What programs may ask of the guide: four functions, as gradio's named endpoints and over MCP.

The limits are the page's: one explanation at a time, in order of arrival, for the time that a run
may take, and stopped when the program goes away.
"""

from __future__ import annotations

import base64
import contextlib
import tempfile
import threading
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing
from functools import partial, wraps
from pathlib import Path
from typing import Any

import gradio as gr
from gradio.events import api as endpoint
from gradio.utils import get_upload_folder, is_in_or_equal

from expartkg.errors import ExpArtError, PictureError, UsageError
from expartkg.files import writing
from expartkg.pictures import MAX_BYTES
from expartkg.records import (
    AnswerDelta,
    Answered,
    Event,
    Finished,
    Judged,
    Retrieved,
    Started,
)
from expartkg.retrieval.works import Work
from expartkg.runs import Json, fact_to_json, mention_to_json, ranked_to_json, run_to_json
from expartkg.settings import Settings
from expartkg.ui.addresses import NUMBERS
from expartkg.ui.bridge import Broken, Crowded, Notice, Overdue, Stuck, Waiting, stream
from expartkg.ui.form import Form, Pick
from expartkg.ui.guide import Errand, House, begin
from expartkg.ui.markup import encodable
from expartkg.ui.text import ENGLISH

MOST_WORKS = 50
LONGEST_TEXT = 20_000


class Api:
    """The functions. Every one raises `ExpArtError` with a message for the person who asks."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._retriever = house.retriever
        self._settings = house.settings

    def search(self, text: str, limit: int = 8) -> dict:  # type: ignore[type-arg]
        """Finds artworks of the knowledge graph by words of title, artist and collection.

        Case, accents and one typing error in a word are forgiven.

        Args:
            text: what is looked for, such as "mona lisa" or "kiss klimt"
            limit: how many works at most (1 to 50)

        Returns:
            works, best first, with id, title, artists, collections (or places) and years.
        """
        _check_range("limit", limit, MOST_WORKS)
        works = self._retriever.suggest(_text("text", text), limit)
        return {"works": [_work_to_json(work) for work in works]}

    def facts(self, entity: str, ranking: str = "qid", top_k: int = 10) -> dict:  # type: ignore[type-arg]
        """Gives the facts about one entity of the knowledge graph, ranked by TF-IDF.

        Args:
            entity: its id, such as "Q12418"
            ranking: "qid" (rare neighbours first), "pid" (rare properties first) or "pid-qid"
            top_k: how many facts at most (1 to 50)

        Returns:
            entity, label, N, and facts with ids, labels, score, f and n_t.
        """
        settings = self._ranked(ranking, top_k)
        found = self._retriever.graph.entity(_text("entity", entity))
        ranked = self._retriever.ranker.rank(found, settings.ranking, settings.top_k)
        return {
            "entity": found.id,
            "label": found.label,
            "N": len(self._retriever.graph),
            "facts": [ranked_to_json(fact) for fact in ranked],
        }

    def retrieve(self, text: str, ranking: str = "qid", top_k: int = 10) -> dict:  # type: ignore[type-arg]
        """Finds the entities that a text names, and selects the facts about each of them.

        Args:
            text: any text; names are matched as they are written, with capitals
            ranking: "qid" (rare neighbours first), "pid" (rare properties first) or "pid-qid"
            top_k: how many facts of each entity at most (1 to 50)

        Returns:
            mentions (start, end, text, entity, label, candidates) and facts.
        """
        settings = self._ranked(ranking, top_k)
        mentions = self._retriever.names.find(_text("text", text))
        facts = self._retriever.facts(mentions, ranking=settings.ranking, top_k=settings.top_k)
        return {
            "mentions": [mention_to_json(mention) for mention in mentions],
            "facts": [fact_to_json(fact) for fact in facts],
        }

    async def explain(
        self,
        title: str = "",
        artist: str = "",
        artwork: str = "",
        picture: Any = None,
        question: str = "",
        method: str = "validate",
        ranking: str = "qid",
        max_iterations: int = 5,
        top_k: int = 10,
    ) -> AsyncGenerator[dict, None]:  # type: ignore[type-arg]
        """Explains an artwork with facts of the knowledge graph, and says how it came to it.

        Give at least one of title, artwork, picture and question. One explanation runs at a time;
        others wait.

        Args:
            title: its title
            artist: its artist, which tells works of one title apart
            artwork: the id of the work, such as "Q12418", if it is known
            picture: a picture of it: an uploaded file, or a data URL ("data:image/jpeg;base64,...")
            question: a question of your own, in which {title} and {artist} are filled in
            method: "validate" (until an answer is judged True), "loop" or "baseline"
            ranking: "qid" (rare neighbours first), "pid" (rare properties first) or "pid-qid"
            max_iterations: answers at most (1 to 10)
            top_k: facts of each entity at most (1 to 50)

        Returns:
            What happens, as it happens: an event (waiting, started, retrieved, answering, answered,
            judged) with its details. The last one is "finished" and has the whole run, whose
            "answer" is the explanation.
        """
        title, artist = _text("title", title), _text("artist", artist)
        artwork, question = _text("artwork", artwork), _text("question", question)
        with _file_of(picture) as file:
            if artwork and not title:
                title = self._retriever.graph.entity(artwork).label
            pick = Pick(artwork, title, artist) if artwork else None
            choices = (method, ranking, max_iterations, top_k, "answer", False)
            form = Form(file, title, artist, question, *choices, pick, None)
            async with aclosing(self._events(form, self._checked(form))) as events:
                async for event in events:
                    yield event

    async def _events(self, form: Form, settings: Settings) -> AsyncGenerator[Json, None]:
        house, stop = self._house, threading.Event()
        start = partial(begin, house, Errand(form.artwork, settings, form.asked()))
        told, shown = _Told(), None
        async with aclosing(stream(start, house.line, stop, settings.time_limit)) as batches:
            async for batch in batches:
                for item in batch:
                    if told.add(item):
                        yield (shown := told.event)
                if shown is not told.event or not batch:
                    # Also when nothing happens: only so is it noticed that the program has gone.
                    yield (shown := told.event)

    def _checked(self, form: Form) -> Settings:
        _check_range("max_iterations", form.max_iterations, NUMBERS["max-iterations"])
        _check_range("top_k", form.top_k, NUMBERS["top-k"])
        if complaints := form.complaints(ENGLISH):
            raise UsageError(" ".join(complaints.values()))
        return form.settings(self._settings)

    def _ranked(self, ranking: str, top_k: int) -> Settings:
        _check_range("top_k", top_k, NUMBERS["top-k"])
        return self._settings.replace(ranking=ranking, top_k=top_k)


class _Told:
    """What is told of a run: its latest event."""

    def __init__(self) -> None:
        self.event: Json = {"event": "waiting", "ahead": 0}
        self._text = ""

    def add(self, item: Event | Notice) -> bool:
        """Whether it is to be told at once: answers are told in batches. Raises `ExpArtError`."""
        if isinstance(item, AnswerDelta):
            self._text += item.text
            self.event = {"event": "answering", "iteration": item.number, "text": self._text}
            return False
        self.event = self._read(item)
        return True

    def _read(self, item: Event | Notice) -> Json:
        match item:
            case Waiting(ahead):
                return {"event": "waiting", "ahead": ahead}
            case Started():
                return {
                    "event": "started",
                    "question": item.question.text,
                    "artwork": item.artwork.id,
                }
            case Retrieved():
                self._text = ""
                return {
                    "event": "retrieved",
                    "iteration": item.number,
                    "mentions": [mention_to_json(mention) for mention in item.mentions],
                    "facts": [fact_to_json(fact) for fact in item.facts],
                }
            case Answered(number, answer):
                return {"event": "answered", "iteration": number, "text": answer.text}
            case Judged(number, verdict):
                return {
                    "event": "judged",
                    "iteration": number,
                    "accepted": verdict.accepted,
                    "p_true": verdict.p_true,
                }
            case Finished(run):
                return {"event": "finished", "run": run_to_json(run)}
        raise ExpArtError(_why_not(item))


def _why_not(notice: Event | Notice) -> str:
    match notice:
        case Crowded():
            return ENGLISH.crowded
        case Stuck():
            return ENGLISH.stuck
        case Overdue():
            return ENGLISH.overdue
        case Broken(reason) if reason:
            return reason
        case Broken():
            return ENGLISH.broken
    return ENGLISH.stopped


def _work_to_json(work: Work) -> Json:
    return {
        "id": work.entity.id,
        "title": work.entity.label,
        "artists": list(work.makers),
        "collections": list(work.holders),
        "years": list(work.years),
    }


@contextlib.contextmanager
def _file_of(picture: object) -> Iterator[str | None]:
    """The path of a picture: of an upload, or of a file with the content of a data URL.

    Raises `PictureError` for anything else: no address is fetched, and no other file is opened.
    """
    if not picture:
        yield None
    elif isinstance(picture, str) and picture.startswith("data:"):
        content = _decoded(picture)
        with contextlib.ExitStack() as stack:
            with writing("The picture"):
                folder = stack.enter_context(
                    tempfile.TemporaryDirectory(dir=_uploads(), prefix="api-")
                )
                # Messages on a picture begin with the name of its file.
                file = Path(folder) / "The picture"
                file.write_bytes(content)
            yield str(file)
    else:
        path = picture.get("path") if isinstance(picture, dict) else picture
        if not isinstance(path, str) or "\0" in path or not is_in_or_equal(path, _uploads()):
            raise PictureError("Upload the picture first, or give it as a data URL (data:image/…).")
        yield path


def _decoded(address: str) -> bytes:
    head, _, data = address.partition(",")
    if len(data) > 4 * MAX_BYTES // 3 + 4:
        raise PictureError(f"The picture is larger than {MAX_BYTES // 2**20} MB; make it smaller.")
    try:
        content = base64.b64decode(data, validate=True)
    except ValueError:
        content = b""
    if not content or not head.endswith(";base64"):
        raise PictureError("The picture is no data URL in base64.")
    return content


def _uploads() -> Path:
    folder = Path(get_upload_folder())
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _text(name: str, value: object) -> str:
    """The text without what no response can carry; null is none. Raises `UsageError`."""
    text = "" if value is None else value
    if not isinstance(text, str) or len(text) > LONGEST_TEXT:
        raise UsageError(f"{name} must be a text of {LONGEST_TEXT:,} characters at most.")
    return encodable(text)


def _check_range(name: str, value: object, most: int) -> None:
    if not isinstance(value, int) or not 1 <= value <= most:
        raise UsageError(f"{name} must be a whole number from 1 to {most}, not {value!r}.")


def add_endpoints(api: Api) -> None:
    """Makes the functions endpoints of the page that is being built."""
    # gradio's own lines are not needed: an explanation waits in the guide's.
    endpoint(_streaming(api.explain), api_name="explain", concurrency_limit=None)
    for function in (api.search, api.facts, api.retrieve):
        endpoint(_answering(function), api_name=function.__name__, concurrency_limit=None)


def _answering(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with errors as gradio tells them to programs."""

    @wraps(function)
    def answer(*values: Any) -> Any:
        with _errors_told():
            return function(*values)

    return answer


def _streaming(function: Callable[..., AsyncGenerator[Json, None]]) -> Callable[..., Any]:
    @wraps(function)
    async def answers(*values: Any) -> AsyncGenerator[Json, None]:
        with _errors_told():
            async with aclosing(function(*values)) as events:
                async for event in events:
                    yield event

    return answers


@contextlib.contextmanager
def _errors_told() -> Iterator[None]:
    try:
        yield
    except ExpArtError as error:
        raise gr.Error(str(error), print_exception=False) from error
