"""Which work a visitor means: suggestions while typing, and what a title stands for.

Draws HTML for the page by `Cards`; knows no gradio.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from expartkg.errors import UnknownEntityError
from expartkg.records import Artwork, Entity
from expartkg.retrieval.retriever import Retriever
from expartkg.retrieval.works import Work
from expartkg.ui.form import Pick, typed

WORKS_SHOWN = 12
SUGGESTIONS = 8
SIMILAR_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a title stands for: `used` is one of the `works` that have it, `total` with the unseen.

    `picked` by the visitor, it may have been `recognised` in a picture before.
    Without `used` the graph does not know the title; `similar` are works that it may have meant.
    """

    title: str
    used: Work | None = None
    picked: bool = False
    recognised: bool = False
    works: tuple[Work, ...] = ()
    total: int = 0
    similar: tuple[Work, ...] = ()


class Chooser:
    """Finds works of one graph for visitors."""

    def __init__(self, retriever: Retriever) -> None:
        self._retriever = retriever

    def suggestions(self, text: object) -> tuple[Work, ...]:
        """Works that a text which is being typed may mean, best first; none for what is no text."""
        return self._retriever.suggest(text, SUGGESTIONS) if isinstance(text, str) else ()

    def works(self, ids: Sequence[str]) -> tuple[Work, ...]:
        """The works of these ids that the graph has, in their order."""
        entities = [entity for id in ids if (entity := self._entity(id))]
        return self._retriever.works(entities)

    def pick(self, id: object) -> Pick | None:
        """What picking a work fills in; None if the graph does not have it."""
        for work in self.works([id] if isinstance(id, str) else []):
            maker = work.makers[0] if work.makers else ""
            return Pick(work.entity.id, work.entity.label, maker)
        return None

    def resolve(
        self, title: str | None, artist: str | None, pick: Pick | None
    ) -> Resolution | None:
        """What the title field stands for; None if it is empty.

        Works keep their places when one of them is picked, although that fills in the artist.
        """
        name = typed(title)
        if name is None:
            return None
        picked = self._entity(pick.id) if pick and pick.holds(title, artist) else None
        artwork = Artwork(title=name, artist=None if picked else typed(artist))
        found = self._retriever.identify(artwork).candidates
        used = picked or next(iter(found), None)
        if used is None:
            return Resolution(name, similar=self._retriever.suggest(name, SIMILAR_SHOWN))
        shown = found[:WORKS_SHOWN]
        if used not in shown:
            shown = (used, *shown)
        works = self._retriever.works(shown)
        return Resolution(
            name,
            used=works[shown.index(used)],
            picked=picked is not None,
            recognised=bool(picked and pick and pick.recognised_in),
            works=works,
            total=max(len(found), len(shown)),
        )

    def picture(self, resolution: Resolution | None) -> str | None:
        """Where the graph says that the picture of the work is; None if it does not."""
        used = resolution.used if resolution else None
        return self.image(used) if used else None

    def image(self, work: Work) -> str | None:
        """The same for any work of the graph."""
        return self._retriever.graph.image(work.entity)

    def _entity(self, id: str) -> Entity | None:
        try:
            return self._retriever.graph.entity(id)
        except UnknownEntityError:
            return None
