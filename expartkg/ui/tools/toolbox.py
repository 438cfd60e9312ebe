"""The tools together, and what they need to know of the page."""

from __future__ import annotations

from typing import Any

import gradio as gr

from expartkg.ui.guide import Guide
from expartkg.ui.parts import AT_ONCE, visitor_of
from expartkg.ui.tools.keeping import Keeping
from expartkg.ui.tools.outlets import Outlets, Updates


class Toolbox:
    """All tools of the page in one language, to be laid out below the results."""

    def __init__(self, guide: Guide, outlets: Outlets) -> None:
        self._guide = guide
        self._keeping = Keeping(guide, outlets)

    def lay_out(self, run: Any) -> None:
        """Lays out the tools. `run` is the event after which there is an explanation."""
        for event in (run, *self._keeping.lay_out()):
            event.then(self._refresh, None, self._refreshed, **AT_ONCE)

    @property
    def _refreshed(self) -> list[Any]:
        return [self._keeping.files]

    def _refresh(self, request: gr.Request) -> Updates:
        run = self._guide.house.kept.get(visitor_of(request))
        return (self._keeping.drawn(run),)
