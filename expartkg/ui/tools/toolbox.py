"""The tools together, and what they need to know of the page."""

from __future__ import annotations

from typing import Any

import gradio as gr

from expartkg.ui.chooser import Chooser
from expartkg.ui.guide import Guide
from expartkg.ui.parts import AT_ONCE, visitor_of
from expartkg.ui.tools.comparing import Comparing
from expartkg.ui.tools.keeping import Keeping
from expartkg.ui.tools.many import Many
from expartkg.ui.tools.outlets import Outlets, Updates
from expartkg.ui.tools.steering import Steering


class Toolbox:
    """All tools of the page in one language, to be laid out below the results."""

    def __init__(self, guide: Guide, chooser: Chooser, outlets: Outlets) -> None:
        self._guide = guide
        self._keeping = Keeping(guide, outlets)
        self._comparing = Comparing(guide)
        self._many = Many(guide)
        self._steering = Steering(guide, chooser, outlets)

    def lay_out(self, run: Any, fields: list[Any]) -> None:
        """`run` is the event after which there is an explanation, `fields` are the form's."""
        steered = self._steering.lay_out()
        self._comparing.lay_out(fields)
        self._many.lay_out(fields)
        opened = self._keeping.lay_out()
        for event in (run, *opened):
            event.then(self._refresh, None, self._refreshed, **AT_ONCE)
        steered.then(self._refresh_steered, self._steering.problem, self._refreshed, **AT_ONCE)

    @property
    def _refreshed(self) -> list[Any]:
        return [self._keeping.files, *self._steering.refreshed]

    def _refresh_steered(self, problem: str | None, request: gr.Request) -> Updates:
        """A change that was refused stays as it is, with the reason."""
        return (gr.skip(),) * len(self._refreshed) if problem else self._refresh(request)

    def _refresh(self, request: gr.Request) -> Updates:
        run = self._guide.house.kept.get(visitor_of(request))
        return (self._keeping.drawn(run), *self._steering.refresh(run))
