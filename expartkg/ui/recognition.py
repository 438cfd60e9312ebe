"""The part of the form that says which work an uploaded picture shows, and asks the visitor."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gradio as gr

from expartkg.errors import ExpArtError
from expartkg.ui.cards import Cards
from expartkg.ui.chooser import Chooser
from expartkg.ui.form import Pick, typed
from expartkg.ui.lookups import Lookups
from expartkg.ui.proposal import Seen, agreed, is_outdated, is_used, proposal_for

Updates = tuple[Any, ...]

UNCHANGED: Updates = (gr.skip(), gr.skip(), gr.skip())
EMPTY: Updates = (None, "", "")
"""What becomes of the pick, the title and the artist."""


class RecognitionPanel:
    """What happens when a picture comes, or a button of this part is pressed.

    Every step is given the fields as they are then: what is typed while a picture is looked up is
    not lost.
    """

    def __init__(self, lookups: Lookups, chooser: Chooser, cards: Cards, html: gr.HTML) -> None:
        self._lookups = lookups
        self._chooser = chooser
        self._cards = cards
        self.html = html
        self.seen = gr.State()

    def connect(
        self,
        picture: gr.Image,
        uploaded: Any,
        filled: list[Any],
        at_once: gr.Checkbox,
        **options: Any,
    ) -> list[Any]:
        """The events after which the page is to be drawn anew.

        `uploaded` is the one after which a picture is there, `filled` are the pick, the title and
        the artist, `at_once` is whether a recognised work is used without asking.
        """
        fields = [*filled, picture, self.seen]
        changed = [*filled, self.seen]
        begun = uploaded.success(self.begin, fields, changed, **options)
        looked = begun.then(self.look, picture, self.seen, **options)
        return [
            begun,
            looked.then(self.use, [*fields, at_once], filled, **options),
            picture.clear(self.begin, fields, changed, **options),
            self.html.agree(self.agree, [picture, self.seen], filled, **options),
            self.html.refuse(self.refuse, fields, changed, **options),
        ]

    def begin(
        self,
        pick: Pick | None,
        title: str | None,
        artist: str | None,
        picture: str | None,
        seen: Seen | None,
    ) -> Updates:
        """Another picture, or none: what was recognised in the last one is taken back."""
        filled = EMPTY if is_outdated(pick, title, artist, picture) else UNCHANGED
        return *filled, Seen(picture) if picture and self._lookups.is_on else None

    async def look(self, picture: str | None) -> Seen | None:
        """Looks the picture up, however long that takes."""
        if picture is None or not self._lookups.is_on:
            return None
        try:
            recognition = await self._lookups.look(picture)
        except ExpArtError as error:
            return Seen(picture, problem=str(error))
        return Seen(picture, recognition) if recognition else None

    def use(
        self,
        pick: Pick | None,
        title: str | None,
        artist: str | None,
        picture: str | None,
        seen: Seen | None,
        at_once: bool,
    ) -> Updates:
        """Uses the recognised work if the visitor wants that, and has not named another."""
        if not at_once or typed(title):
            return UNCHANGED
        return self.agree(picture, seen)

    def agree(self, picture: str | None, seen: Seen | None) -> Updates:
        """The visitor uses the recognised work."""
        pick = agreed(seen, picture, self._chooser)
        return (pick, pick.title, pick.artist) if pick else UNCHANGED

    def refuse(
        self,
        pick: Pick | None,
        title: str | None,
        artist: str | None,
        picture: str | None,
        seen: Seen | None,
    ) -> Updates:
        """The visitor says that it is another work."""
        filled = EMPTY if is_used(pick, title, artist, picture) else UNCHANGED
        return *filled, replace(seen, is_refused=True) if seen else None

    def draw(
        self,
        pick: Pick | None,
        title: str | None,
        artist: str | None,
        picture: str | None,
        seen: Seen | None,
    ) -> str:
        """What is said of the picture now."""
        proposal = proposal_for(seen, pick, title, artist, picture, self._chooser)
        return self._cards.recognition(proposal)
