"""Addresses of the page that fill in its form: `/?artwork=Q12418&ranking=pid`. Knows no gradio."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from expartkg.errors import UsageError
from expartkg.prompts import question_for
from expartkg.records import Run
from expartkg.settings import Settings
from expartkg.ui.chooser import Chooser
from expartkg.ui.form import Pick, typed

TEXTS = {"title": 300, "artist": 300, "question": 2000}
"""Fields that take a text, and the longest one."""

CHOICES = ("method", "ranking", "source")
NUMBERS = {"max-iterations": 10, "top-k": 50}
"""Settings that are numbers, and the highest one that the page offers."""

SWITCHES = {"yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class Filled:
    """What an address fills in; `wrong` are the parts of it that the page does not know."""

    settings: Settings
    pick: Pick | None = None
    title: str | None = None
    artist: str | None = None
    question: str | None = None
    wrong: tuple[str, ...] = ()


def entity_address(id: str) -> str:
    """The page of the entity of this id, from the root of a language on."""
    return "entity/" + segment(id)


def segment(text: str) -> str:
    """A text as one part of an address. Half a pair of a character may come from a file."""
    return quote(text, safe="", errors="replace")


def link_to(run: Run) -> str:
    """The query, with its question mark, that fills in a run's work, question and settings."""
    work = run.artwork
    known = {"artwork": work.id} if work.id else {"title": work.title, "artist": work.artist}
    names = (*CHOICES, *NUMBERS, "validator-facts")
    settings = {name: run.settings[name.replace("-", "_")] for name in names}
    settings["validator-facts"] = "yes" if settings["validator-facts"] else "no"
    query = {**known, "question": _own_question(run), **settings}
    given = {name: value for name, value in query.items() if value is not None}
    # Of a run from a file any character may be in the text, also half a pair.
    return "?" + urlencode(given, errors="replace")


def _own_question(run: Run) -> str | None:
    """The visitor's question; None for the standard one, in whose place none is asked."""
    text = run.question.text
    return None if text == question_for(run.artwork).text else text


def fill_in(query: Mapping[str, str], base: Settings, chooser: Chooser) -> Filled | None:
    """What a query fills in; None if it has nothing for the form. `base` is what is there.

    Names that mean nothing here are not looked at: others add their own to addresses.
    """
    names = {"artwork", *TEXTS, *CHOICES, *NUMBERS, "validator-facts"}
    given = {name: value for name, value in query.items() if name in names}
    if not given:
        return None
    wrong: list[str] = []
    settings = base
    for name, value in given.items():
        try:
            settings = settings.replace(**dict(_setting(name, value)))
        except UsageError:
            wrong.append(f"{name}={value:.40}")
    pick = chooser.pick(given["artwork"]) if "artwork" in given else None
    if "artwork" in given and pick is None:
        wrong.append(f"artwork={given['artwork']:.40}")
    texts = {name: typed(given.get(name)) for name in TEXTS}
    for name, most in TEXTS.items():
        if len(texts[name] or "") > most:
            wrong.append(f"{name}={texts[name]:.40}…")
            texts[name] = None
    if pick:
        texts |= {"title": pick.title, "artist": pick.artist}
    return Filled(settings, pick, **texts, wrong=tuple(wrong))


def _setting(name: str, value: str) -> Iterator[tuple[str, object]]:
    """The field of `Settings` that a part of the query sets, if any. Raises `UsageError`."""
    field = name.replace("-", "_")
    if name in CHOICES:
        yield field, value
    if name in NUMBERS:
        if not (value.isascii() and value.isdecimal() and len(value) < 4):
            raise UsageError(value)
        if int(value) > NUMBERS[name]:
            raise UsageError(value)
        yield field, int(value)
    if name == "validator-facts":
        if value not in SWITCHES:
            raise UsageError(value)
        yield field, SWITCHES[value]
