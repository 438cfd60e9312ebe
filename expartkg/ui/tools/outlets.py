"""Where a visitor's screen is shown: the parts of the page that change while a run goes on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gradio as gr

from expartkg.ui.guide import Screen

Updates = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Outlets:
    """The components of a screen, and the buttons that go by whether a run is going on."""

    status: gr.HTML
    work: gr.HTML
    answer: gr.HTML
    cards: gr.HTML
    go: gr.Button
    stop: gr.Button

    @property
    def all(self) -> list[Any]:
        """In the order of `updates`."""
        return [self.status, self.work, self.answer, self.cards, self.go, self.stop]


def updates(before: Screen | None, now: Screen) -> Updates:
    """What gradio is to change; what stays as it is, is not sent again."""
    texts = [
        gr.skip() if before and getattr(before, name) == getattr(now, name) else getattr(now, name)
        for name in ("status", "work", "answer", "cards")
    ]
    if before and before.running == now.running:
        return (*texts, gr.skip(), gr.skip())
    return (*texts, gr.update(interactive=not now.running), gr.update(interactive=now.running))
