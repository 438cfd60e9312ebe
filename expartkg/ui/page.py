"""The page: its layout, and what happens when a visitor does something."""

from __future__ import annotations

import uuid
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

import gradio as gr
from gradio.data_classes import ImageData

from expartkg.engines.base import Engine
from expartkg.pictures import open_picture
from expartkg.retrieval.retriever import Retriever
from expartkg.settings import METHODS, RANKINGS, SOURCES, Settings
from expartkg.ui.form import Form, picture_complaint, standard_question
from expartkg.ui.guide import Guide, Screen
from expartkg.ui.text import ENGLISH, Field, Words

MOST_ITERATIONS = 10
MOST_FACTS = 50
UPLOADS_KEPT_SECONDS = 3600
FIELDS = tuple(Form.__dataclass_fields__)
Updates = tuple[Any, ...]
QUIET: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}

# The reader's choice of open and closed cards, which a redrawn card would undo. `details` are
# told from one another by `data-key`, which no two runs share.
KEEP_OPEN = """
const chosen = new Map();
element.addEventListener('click', (event) => {
  const summary = event.target.closest('summary');
  if (summary && element.contains(summary)) {
    const details = summary.parentElement;
    chosen.set(details.dataset.key, !details.open);
  }
});
watch('value', () => {
  for (const details of element.querySelectorAll('details[data-key]')) {
    if (chosen.has(details.dataset.key)) details.open = chosen.get(details.dataset.key);
  }
});
"""

# On a phone the results are below the form, out of sight, when a run begins. Stop stays in sight.
SHOW_RESULTS = """
let before = false;
watch('value', () => {
  const now = element.querySelector('.running, .waiting') !== null;
  const hidden = element.getBoundingClientRect().top > window.innerHeight * 0.7;
  if (now && !before && hidden) document.getElementById('buttons').scrollIntoView();
  before = now;
});
"""


class ArtworkPicture(gr.Image):
    """A picture whose value is the path of the upload, which nobody has opened yet.

    gradio's own opens the file before anything of ours runs, and says only "Error" if it cannot.
    """

    is_template = True

    def preprocess(self, payload: ImageData | None) -> str | None:
        return payload.path if payload else None


def build_page(
    retriever: Retriever, engine: Engine, settings: Settings, words: Words = ENGLISH
) -> gr.Blocks:
    """The page for one graph and one engine; `settings` are what the fields start with."""
    return _Page(Guide(retriever, engine, settings, words)).blocks


class _Page:
    def __init__(self, guide: Guide) -> None:
        self._guide = guide
        self._words = guide.words
        self.blocks = gr.Blocks(
            title=guide.words.name,
            analytics_enabled=False,
            delete_cache=(UPLOADS_KEPT_SECONDS, UPLOADS_KEPT_SECONDS),
        )
        with self.blocks:
            self._html(guide.cards.header())
            with gr.Row(elem_id="columns"):
                with gr.Column(scale=4, min_width=300, elem_id="form"):
                    self._lay_out_form()
                with gr.Column(scale=7, min_width=320, elem_id="results"):
                    self._lay_out_results()
            self._connect_run()
            self._connect_fields()

    def _lay_out_form(self) -> None:
        words = self._words
        self._picture = ArtworkPicture(
            type="filepath",
            image_mode=None,
            format="png",
            label=words.picture.label,
            alt_text=words.picture_alt,
            buttons=[],
            height=280,
            elem_id="picture",
        )
        self._title = _textbox(words.title, "title", max_length=300)
        self._artist = _textbox(words.artist, "artist", max_length=300)
        self._question = _textbox(words.question, "question", lines=2, max_length=2000)
        self._question.placeholder = standard_question(None, None)
        with gr.Accordion(words.settings, open=False, elem_id="settings"):
            self._choices = self._lay_out_settings()
        with gr.Row(elem_id="buttons"):
            self._go = gr.Button(words.explain, variant="primary", min_width=100, elem_id="explain")
            self._stop = gr.Button(words.stop, interactive=False, min_width=100, elem_id="stop")

    def _lay_out_settings(self) -> list[gr.Radio | gr.Slider]:
        words, now = self._words, self._guide.settings
        return [
            _radio(words.method, [(words.methods[name], name) for name in METHODS], now.method),
            _radio(words.ranking, [(words.rankings[name], name) for name in RANKINGS], now.ranking),
            _slider(words.max_iterations, MOST_ITERATIONS, now.max_iterations),
            _slider(words.top_k, MOST_FACTS, now.top_k),
            _radio(words.source, [(words.sources[name], name) for name in SOURCES], now.source),
        ]

    def _lay_out_results(self) -> None:
        cards, before = self._guide.cards, self._guide.before()
        self._status = self._html(before.status, "status", SHOW_RESULTS)
        self._work = self._html(before.work, "work")
        self._html(cards.heading(self._words.answer))
        if self._guide.engine.notice:
            self._html(cards.notice(self._guide.engine.notice), "notice")
        self._answer = self._html(before.answer, "answer")
        self._html(cards.heading(self._words.iterations))
        self._cards = self._html(before.cards, "iterations", KEEP_OPEN)

    def _html(self, html: str, id: str | None = None, script: str | None = None) -> gr.HTML:
        return gr.HTML(
            html, elem_id=id, elem_classes="plain", js_on_load=script, apply_default_css=False
        )

    def _connect_run(self) -> None:
        # The guide has its own line, which says how many come first; gradio's would stay silent.
        gr.on(
            [self._go.click, self._title.submit, self._artist.submit, self._question.submit],
            self._explain,
            [self._picture, self._title, self._artist, self._question, *self._choices],
            [self._status, self._work, self._answer, self._cards, self._go, self._stop],
            validator=self._check,
            concurrency_limit=None,
            **QUIET,
        )
        self._stop.click(self._stop_run, queue=False, **QUIET)
        self.blocks.unload(self._stop_run)

    def _connect_fields(self) -> None:
        self._picture.upload(
            self._shown, self._picture, self._picture, validator=self._check_picture, **QUIET
        )
        names = [self._title, self._artist]
        gr.on(
            [field.change for field in names],
            self._standard_question,
            names,
            self._question,
            queue=False,
            trigger_mode="always_last",
            **QUIET,
        )

    async def _explain(
        self,
        picture: str | None,
        title: str | None,
        artist: str | None,
        question: str | None,
        method: str | None,
        ranking: str | None,
        max_iterations: float | None,
        top_k: float | None,
        source: str | None,
        request: gr.Request,
    ) -> AsyncGenerator[Updates, None]:
        form = Form(
            picture, title, artist, question, method, ranking, max_iterations, top_k, source
        )
        shown: Screen | None = None
        async with aclosing(self._guide.explain(form, _visitor(request))) as screens:
            async for screen in screens:
                yield _updates(shown, screen)
                shown = screen

    def _check(self, *values: Any) -> list[dict[str, Any]]:
        complaints = Form(*values).complaints(self._words)
        return [gr.validate(name not in complaints, complaints.get(name, "")) for name in FIELDS]

    def _check_picture(self, picture: str | None) -> Any:
        complaint = picture_complaint(picture)
        return gr.validate(complaint is None, complaint or "")

    def _shown(self, picture: str | None) -> Any:
        """Browsers cannot show a TIFF: it is replaced by what the guide sees of it."""
        if picture and picture.lower().endswith((".tif", ".tiff")):
            return open_picture(picture)
        return gr.skip()

    def _standard_question(self, title: str | None, artist: str | None) -> Any:
        return gr.update(placeholder=standard_question(title, artist))

    def _stop_run(self, request: gr.Request) -> None:
        self._guide.visits.stop(_visitor(request))


def _visitor(request: gr.Request) -> str:
    """A browser window has a name of its own; a program that gives none is nobody else."""
    return request.session_hash or uuid.uuid4().hex


def _textbox(field: Field, id: str, **options: Any) -> gr.Textbox:
    return gr.Textbox(
        label=field.label, info=field.info or None, placeholder=field.example, elem_id=id, **options
    )


def _radio(field: Field, choices: list[tuple[str, str]], value: str) -> gr.Radio:
    return gr.Radio(choices, value=value, label=field.label, info=field.info)


def _slider(field: Field, most: int, value: int) -> gr.Slider:
    return gr.Slider(1, max(most, value), value=value, step=1, label=field.label, info=field.info)


def _updates(before: Screen | None, now: Screen) -> Updates:
    """What gradio is to change; what stays as it is, is not sent again."""
    texts = [
        gr.skip() if before and getattr(before, name) == getattr(now, name) else getattr(now, name)
        for name in ("status", "work", "answer", "cards")
    ]
    if before and before.running == now.running:
        return (*texts, gr.skip(), gr.skip())
    return (*texts, gr.update(interactive=not now.running), gr.update(interactive=now.running))
