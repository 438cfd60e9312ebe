"""What is said around a finished explanation: keeping it, comparing, changing it, many at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from expartkg.ui.text.counted import Counted, Field

Pair = Literal["graph", "ranking", "both", "title", "last"]
"""What is compared: see `comparing.CHANGES`."""


@dataclass(frozen=True, slots=True)
class Keeping:
    """Taking an explanation away, and opening one."""

    heading: str
    json: str
    markdown: str
    html: str
    link: str
    copy: str
    copied: str
    expires: str
    wrong_link: str
    open: str
    open_info: str
    upload: str
    examples: str
    made_by: str
    picture_left_out: str
    while_running: str


@dataclass(frozen=True, slots=True)
class Comparing:
    """Two ways side by side."""

    heading: str
    pair: Field
    pairs: Mapping[Pair, str]
    start: str
    stop: str
    idle: str
    no_title: str
    no_last: str
    first: str
    second: str
    done: str
    only_here: str
    in_both: Counted
    no_facts: str
    legend: str
    html: str
    json: str
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Steering:
    """Changing a finished explanation and running it again."""

    heading: str
    info: str
    nothing: str
    iteration: Field
    question: Field
    entities: Field
    facts: Field
    add: Field
    added: str
    start: str
    unchanged: str
    gone: str
    interventions: str
    from_iteration: str
    removed_facts: str
    removed_entities: str
    added_entities: str
    new_question: str


@dataclass(frozen=True, slots=True)
class Many:
    """A table of works."""

    heading: str
    info: str
    files: str
    start: str
    stop: str
    no_table: str
    two_tables: str
    too_many: str
    no_work: str
    too_large: str
    explained: str
    done: str
    stopped: str
    left_out: str
    download: str
    waiting: str


@dataclass(frozen=True, slots=True)
class Tools:
    """All of these in one language."""

    keeping: Keeping
    comparing: Comparing
    steering: Steering
    many: Many
