"""The page: its layout, and what happens when a visitor does something."""

from __future__ import annotations

import uuid
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any

import gradio as gr

from expartkg.commons import Commons
from expartkg.errors import ExpArtError
from expartkg.pictures import open_picture
from expartkg.retrieval.retriever import Retriever
from expartkg.settings import METHODS, RANKINGS, SOURCES, Settings
from expartkg.ui.chooser import Chooser, Resolution
from expartkg.ui.examples import IDS, Example, drawn, examples_of
from expartkg.ui.form import Form, Pick, Provenance, picture_complaint, standard_question
from expartkg.ui.guide import Guide, House, Screen
from expartkg.ui.loading import Loading
from expartkg.ui.lookups import Lookups
from expartkg.ui.picture_field import PictureField
from expartkg.ui.proposal import Seen
from expartkg.ui.recognition import RecognitionPanel
from expartkg.ui.text import LANGUAGES, Field, Words

MOST_ITERATIONS = 10
MOST_FACTS = 50
PICTURE_PIXELS = 960
UPLOADS_KEPT_SECONDS = 3600
UPLOADS_CHECKED_SECONDS = 300
FIELDS = tuple(Form.__dataclass_fields__)
SCRIPTS = Path(__file__).parent / "scripts"
Updates = tuple[Any, ...]
QUIET: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
AT_ONCE: dict[str, Any] = {"queue": False, **QUIET}


def build_page(
    retriever: Retriever, engine: Loading, settings: Settings, commons: Commons | None = None
) -> gr.Blocks:
    """The page for one graph and one engine; `settings` are what the fields start with.

    Every language has an address of its own: the first one is at the root, the others at their
    codes. `settings.language` names the only one, or is `auto` for all.
    """
    commons = commons or Commons(settings.cache, contact=settings.contact)
    house = House(retriever, engine, settings, commons)
    chooser, lookups = Chooser(retriever), Lookups(retriever.graph, settings, engine)
    examples = examples_of(chooser.works(IDS))
    languages = _languages(settings.language)
    blocks = gr.Blocks(
        title=languages[0].name,
        analytics_enabled=False,
        delete_cache=(UPLOADS_CHECKED_SECONDS, UPLOADS_KEPT_SECONDS),
    )
    for words in languages:
        address = "" if words is languages[0] else words.language
        with blocks.route(words.name, address, show_in_navbar=False) if address else blocks:
            others = _other_addresses(words, languages)
            _Page(blocks, Guide(house, words), chooser, lookups, examples, others)
    return blocks


def _languages(setting: str) -> list[Words]:
    return list(LANGUAGES.values()) if setting == "auto" else [LANGUAGES[setting]]


def _other_addresses(words: Words, languages: list[Words]) -> dict[str, Words]:
    """The languages of the page but this one, by their addresses, which are relative."""
    return {
        "./" if other is languages[0] else other.language: other
        for other in languages
        if other is not words
    }


class _Page:
    """The page in one language."""

    def __init__(
        self,
        blocks: gr.Blocks,
        guide: Guide,
        chooser: Chooser,
        lookups: Lookups,
        examples: Sequence[Example],
        others: Mapping[str, Words],
    ) -> None:
        self._guide = guide
        self._words = guide.words
        self._chooser = chooser
        self._lookups = lookups
        self._html(guide.cards.header(others), script="language")
        self._examples = self._html(guide.cards.examples(examples), "examples", "choose")
        with gr.Row(elem_id="columns"):
            with gr.Column(scale=4, min_width=300, elem_id="form"):
                self._lay_out_form()
            with gr.Column(scale=7, min_width=320, elem_id="results"):
                self._lay_out_results()
        self._connect_run(blocks)
        self._connect_work()
        self._reset.click(self._defaults, None, self._choices, **AT_ONCE)

    def _lay_out_form(self) -> None:
        words = self._words
        self._picture = PictureField(
            type="filepath",
            image_mode=None,
            format="png",
            label=words.picture.label,
            alt_text=words.picture_alt,
            buttons=[],
            height=280,
            elem_id="picture",
        )
        self._provenance = gr.State()
        self._credit = self._html("", "credit")
        self._recognition = RecognitionPanel(
            self._lookups,
            self._chooser,
            self._guide.cards,
            self._html("", "recognition", "recognise"),
        )
        self._title = _textbox(words.title, "title", max_lines=1, max_length=300)
        self._picker = self._html(
            self._guide.cards.picker(), "picker", "picker", server_functions=[self._suggest()]
        )
        self._artist = _textbox(words.artist, "artist", max_lines=1, max_length=300)
        self._pick = gr.State()
        self._resolved = self._html("", "resolved", "choose")
        self._question = _textbox(words.question, "question", lines=2, max_length=2000)
        self._question.placeholder = standard_question(None, None)
        with gr.Accordion(words.settings, open=False, elem_id="settings"):
            self._choices = self._lay_out_settings()
            self._at_once = self._lay_out_recognition()
            self._reset = gr.Button(words.reset, variant="secondary", size="sm", elem_id="reset")
        with gr.Row(elem_id="buttons"):
            self._go = gr.Button(words.explain, variant="primary", min_width=100, elem_id="explain")
            self._stop = gr.Button(words.stop, interactive=False, min_width=100, elem_id="stop")

    def _lay_out_settings(self) -> list[gr.Radio | gr.Slider | gr.Checkbox]:
        words, now = self._words, self._guide.house.settings
        return [
            _radio(words.method, [(words.methods[name], name) for name in METHODS], now.method),
            _radio(words.ranking, self._rankings(), now.ranking),
            _slider(words.max_iterations, MOST_ITERATIONS, now.max_iterations),
            _slider(words.top_k, MOST_FACTS, now.top_k),
            _radio(words.source, [(words.sources[name], name) for name in SOURCES], now.source),
            gr.Checkbox(
                value=now.validator_facts,
                label=words.validator_facts.label,
                info=words.validator_facts.info,
            ),
        ]

    def _lay_out_recognition(self) -> gr.Checkbox:
        field, now = self._words.recognise_at_once, self._guide.house.settings.recognition
        return gr.Checkbox(now == "use", label=field.label, info=field.info, visible=now != "off")

    def _rankings(self) -> list[tuple[str, str]]:
        """The built-in ones, and another package's if the page was started with it."""
        names = dict.fromkeys((*RANKINGS, self._guide.house.settings.ranking))
        return [(self._words.rankings.get(name, name), name) for name in names]

    def _lay_out_results(self) -> None:
        cards, before = self._guide.cards, self._guide.before()
        self._status = self._html(before.status, "status", "show_results")
        self._work = self._html(before.work, "work")
        self._html(cards.heading(self._words.answer))
        if notice := self._guide.notice:
            self._html(cards.notice(notice), "notice")
        self._answer = self._html(before.answer, "answer")
        self._html(cards.heading(self._words.iterations))
        self._cards = self._html(before.cards, "iterations", "keep_open")

    def _html(
        self, html: str, id: str | None = None, script: str | None = None, **options: Any
    ) -> gr.HTML:
        code = (SCRIPTS / f"{script}.js").read_text(encoding="utf-8") if script else None
        return gr.HTML(
            html,
            elem_id=id,
            elem_classes="plain",
            js_on_load=code,
            apply_default_css=False,
            **options,
        )

    def _connect_run(self, blocks: gr.Blocks) -> None:
        # The guide has its own line, which says how many come first; gradio's would stay silent.
        gr.on(
            [self._go.click, self._title.submit, self._artist.submit, self._question.submit],
            self._explain,
            [
                self._picture,
                self._title,
                self._artist,
                self._question,
                *self._choices,
                self._pick,
                self._provenance,
            ],
            [self._status, self._work, self._answer, self._cards, self._go, self._stop],
            validator=self._check,
            concurrency_limit=None,
            **QUIET,
        )
        self._stop.click(self._stop_run, **AT_ONCE)
        blocks.unload(self._stop_run)

    def _connect_work(self) -> None:
        filled = [self._pick, self._title, self._artist]
        shown = [self._picture, self._provenance]
        panel = self._recognition
        for list_ in (self._picker, self._resolved, panel.html):
            list_.pick(self._on_pick, None, filled, **AT_ONCE)
        picked = self._examples.pick(self._on_example, None, [*filled, *shown], **AT_ONCE)
        self._resolved.fetch(
            self._fetch, [*filled, *shown], [*shown, self._resolved, self._credit], **AT_ONCE
        )
        uploaded = self._picture.upload(
            self._shown, self._picture, self._picture, validator=self._check_picture, **QUIET
        )
        redraw = (
            self._on_change,
            [*filled, *shown, panel.seen],
            [self._question, self._resolved, self._credit, panel.html],
        )
        # Not at every change of the picture: that takes a complaint about it away again.
        gr.on(
            [self._title.change, self._artist.change],
            *redraw,
            trigger_mode="always_last",
            **AT_ONCE,
        )
        seen = panel.connect(self._picture, uploaded, filled, self._at_once, **AT_ONCE)
        for event in (picked, *seen):
            event.then(*redraw, **AT_ONCE)

    async def _explain(self, request: gr.Request, *values: Any) -> AsyncGenerator[Updates, None]:
        shown: Screen | None = None
        screens = self._guide.explain(Form(*values), _visitor(request))
        async with aclosing(screens):
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

    def _suggest(self) -> Any:
        # No method: gradio puts a mark on the function, which a method does not take.
        def suggest(text: object) -> str:
            return self._guide.cards.suggestions(self._chooser.suggestions(text))

        return suggest

    def _on_change(
        self,
        pick: Pick | None,
        title: str | None,
        artist: str | None,
        picture: str | None,
        provenance: Provenance | None,
        seen: Seen | None,
    ) -> Updates:
        resolution = self._chooser.resolve(title, artist, pick)
        return (
            gr.update(placeholder=standard_question(title, artist)),
            *self._draw_known(resolution, picture, provenance),
            self._recognition.draw(pick, title, artist, picture, seen),
        )

    def _on_pick(self, event: gr.EventData) -> Updates:
        pick = self._chooser.pick(event.id)
        return (pick, pick.title, pick.artist) if pick else (gr.skip(),) * 3

    def _on_example(self, event: gr.EventData) -> Updates:
        filled = self._on_pick(event)
        file = drawn(str(event.id))
        if file is None:
            return (*filled, None, None)
        path = self._picture.take_in(str(file))
        return (*filled, path, Provenance(path, None))

    def _fetch(
        self,
        pick: Pick | None,
        title: str | None,
        artist: str | None,
        picture: str | None,
        provenance: Provenance | None,
    ) -> Updates:
        resolution = self._chooser.resolve(title, artist, pick)
        address = self._chooser.picture(resolution)
        problem = ""
        if address is not None:
            try:
                found = self._guide.house.commons.picture(address, PICTURE_PIXELS)
                picture = self._picture.take_in(str(found.path))
                provenance = Provenance(picture, found.credit)
            except ExpArtError as error:
                problem = str(error)
        return (
            picture,
            provenance,
            *self._draw_known(resolution, picture, provenance, problem),
        )

    def _draw_known(
        self,
        resolution: Resolution | None,
        picture: str | None,
        provenance: Provenance | None,
        problem: str = "",
    ) -> tuple[str, str]:
        """What is known of the title, and where the picture comes from."""
        cards = self._guide.cards
        can_fetch = picture is None and self._chooser.picture(resolution) is not None
        return cards.resolved(resolution, can_fetch, problem), cards.credit(provenance, picture)

    def _defaults(self) -> Updates:
        paper = Settings()
        return (
            paper.method,
            paper.ranking,
            paper.max_iterations,
            paper.top_k,
            paper.source,
            paper.validator_facts,
        )

    def _stop_run(self, request: gr.Request) -> None:
        self._guide.house.visits.stop(_visitor(request))


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
