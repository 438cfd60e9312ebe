"""The page: its layout, and what happens when a visitor does something."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import Any

import gradio as gr

from expartkg.errors import ExpArtError
from expartkg.pictures import open_picture
from expartkg.settings import METHODS, RANKINGS, SOURCES, Settings
from expartkg.ui.addresses import NUMBERS, TEXTS, fill_in
from expartkg.ui.api import Api, add_endpoints
from expartkg.ui.cards import Header
from expartkg.ui.chooser import Chooser, Resolution
from expartkg.ui.examples import IDS, Example, drawn, examples_of
from expartkg.ui.form import Form, Pick, Provenance, picture_complaint, standard_question
from expartkg.ui.guide import Guide, House, Screen
from expartkg.ui.lookups import Lookups
from expartkg.ui.parts import AT_ONCE, QUIET, html_part, picker_part, visitor_of
from expartkg.ui.picture_field import PictureField
from expartkg.ui.proposal import Seen
from expartkg.ui.recognition import RecognitionPanel
from expartkg.ui.status import Status
from expartkg.ui.text import Field, Words, languages_of
from expartkg.ui.tools.outlets import Outlets, Updates, updates
from expartkg.ui.tools.toolbox import Toolbox

PICTURE_PIXELS = 960
UPLOADS_KEPT_SECONDS = 3600
UPLOADS_CHECKED_SECONDS = 300
FIELDS = tuple(Form.__dataclass_fields__)


def build_page(house: House) -> gr.Blocks:
    """The page for one graph and one engine; its settings are what the fields start with.

    Every language has an address of its own: the first one is at the root, the others at their
    codes. The setting `language` names the only one, or is `auto` for all.
    """
    chooser = Chooser(house.retriever)
    lookups = Lookups(house.retriever.graph, house.settings, house.engine)
    examples = examples_of(chooser.works(IDS))
    languages = languages_of(house.settings.language)
    blocks = gr.Blocks(
        title=languages[""].name,
        analytics_enabled=False,
        delete_cache=(UPLOADS_CHECKED_SECONDS, UPLOADS_KEPT_SECONDS),
    )
    for address, words in languages.items():
        with blocks.route(words.name, address, show_in_navbar=False) if address else blocks:
            header = Header(f"{address}/graph".lstrip("/"), _other_addresses(words, languages))
            _Page(blocks, Guide(house, words, address), chooser, lookups, examples, header)
    with blocks:
        add_endpoints(Api(house))
    return blocks


def _other_addresses(words: Words, languages: Mapping[str, Words]) -> dict[str, Words]:
    """The languages of the page but this one, by their addresses, which are relative."""
    return {address or "./": other for address, other in languages.items() if other is not words}


class _Page:
    """The page in one language."""

    def __init__(
        self,
        blocks: gr.Blocks,
        guide: Guide,
        chooser: Chooser,
        lookups: Lookups,
        examples: Sequence[Example],
        header: Header,
    ) -> None:
        self._guide = guide
        self._words = guide.words
        self._chooser = chooser
        self._lookups = lookups
        html_part(guide.cards.header(header), script="language")
        self._examples = html_part(guide.cards.examples(examples), "examples", "choose")
        with gr.Row(elem_id="columns"):
            with gr.Column(scale=4, min_width=300, elem_id="form"):
                self._lay_out_form()
            with gr.Column(scale=7, min_width=320, elem_id="results"):
                self._lay_out_results()
        run = self._connect_run(blocks)
        self._toolbox.lay_out(run, self._fields)
        self._connect_work()
        self._connect_address(blocks)
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
        self._credit = html_part("", "credit")
        self._recognition = RecognitionPanel(
            self._lookups,
            self._chooser,
            self._guide.cards,
            html_part("", "recognition", "recognise"),
        )
        self._title = _textbox(words.title, "title", max_lines=1, max_length=TEXTS["title"])
        self._picker = picker_part(self._guide.cards, self._chooser, "title", "picker")
        self._artist = _textbox(words.artist, "artist", max_lines=1, max_length=TEXTS["title"])
        self._pick = gr.State()
        self._resolved = html_part("", "resolved", "choose")
        self._question = _textbox(words.question, "question", lines=2, max_length=TEXTS["question"])
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
            _slider(words.max_iterations, NUMBERS["max-iterations"], now.max_iterations),
            _slider(words.top_k, NUMBERS["top-k"], now.top_k),
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
        self._status = html_part(before.status, "status", "show_results")
        self._work = html_part(before.work, "work")
        html_part(cards.heading(self._words.answer))
        if notice := self._guide.notice:
            html_part(cards.notice(notice), "notice")
        self._answer = html_part(before.answer, "answer")
        html_part(cards.heading(self._words.iterations))
        self._cards = html_part(before.cards, "iterations", "keep_open")
        self._fields = [
            self._picture,
            self._title,
            self._artist,
            self._question,
            *self._choices,
            self._pick,
            self._provenance,
        ]
        self._outlets = Outlets(
            self._status, self._work, self._answer, self._cards, self._go, self._stop
        )
        self._toolbox = Toolbox(self._guide, self._chooser, self._outlets)

    def _connect_run(self, blocks: gr.Blocks) -> Any:
        """Returns the event after which a run is over."""
        self._stop.click(self._stop_run, **AT_ONCE)
        blocks.unload(self._leave)
        # The guide has its own line, which says how many come first; gradio's would stay silent.
        return gr.on(
            [self._go.click, self._title.submit, self._artist.submit, self._question.submit],
            self._explain,
            self._fields,
            self._outlets.all,
            validator=self._check,
            concurrency_limit=None,
            **QUIET,
        )

    def _connect_address(self, blocks: gr.Blocks) -> None:
        blocks.load(
            self._fill_in,
            None,
            [
                self._status,
                self._pick,
                self._title,
                self._artist,
                self._question,
                *self._choices,
            ],
            **AT_ONCE,
        )

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
        screens = self._guide.explain(Form(*values), visitor_of(request))
        async with aclosing(screens):
            async for screen in screens:
                yield updates(shown, screen)
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

    def _fill_in(self, request: gr.Request) -> Updates:
        """What the page's address says beyond its place."""
        query = dict(request.query_params)
        filled = fill_in(query, self._guide.house.settings, self._chooser)
        if filled is None:
            return (gr.skip(),) * (5 + len(self._choices))
        status: Any = gr.skip()
        if filled.wrong:
            sentence = self._words.tools.keeping.wrong_link.format(what=", ".join(filled.wrong))
            status = self._guide.cards.status(Status("failed", sentence))
        work = (filled.pick, filled.title, filled.artist, filled.question)
        return (status, *work, *_choices_of(filled.settings))

    def _defaults(self) -> Updates:
        return _choices_of(Settings())

    def _stop_run(self, request: gr.Request) -> None:
        self._guide.house.visits.stop(visitor_of(request))

    def _leave(self, request: gr.Request) -> None:
        self._stop_run(request)
        self._guide.house.kept.forget(visitor_of(request))


def _choices_of(settings: Settings) -> Updates:
    """What the fields of the settings show, in their order."""
    return (
        settings.method,
        settings.ranking,
        settings.max_iterations,
        settings.top_k,
        settings.source,
        settings.validator_facts,
    )


def _textbox(field: Field, id: str, **options: Any) -> gr.Textbox:
    return gr.Textbox(
        label=field.label, info=field.info or None, placeholder=field.example, elem_id=id, **options
    )


def _radio(field: Field, choices: list[tuple[str, str]], value: str) -> gr.Radio:
    return gr.Radio(choices, value=value, label=field.label, info=field.info)


def _slider(field: Field, most: int, value: int) -> gr.Slider:
    return gr.Slider(1, max(most, value), value=value, step=1, label=field.label, info=field.info)
