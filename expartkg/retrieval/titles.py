"""The title field, resolved as a whole and forgivingly: how people type a title by hand.

Forgiven are case, accents, white space, kinds of quotes and dashes; and where nothing is called
so, a leading article, a trailing bracket or full stop, and quotes around it. A shorter name inside
the title never counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from expartkg.records import ARTWORK, Entity
from expartkg.retrieval.index import TitleLookup, by_label
from expartkg.retrieval.store import Graph
from expartkg.retrieval.text import fold

_ARTICLE = re.compile(
    r"\A(?:(?:the|an?|les?|las?|los?|el|il|i|gli|der|die|das|het|de)\s+|l')(?=\S)"
)
_TRAILING_BRACKET = re.compile(r"\s*[(\[][^()\[\]]*[)\]]$")
_EDGES = "\"'`«».,;: "


def bare_title(title: str) -> str:
    """The title folded, without quotes, leading article, trailing bracket or full stop."""
    bare = fold(title).strip(_EDGES)
    bare = _TRAILING_BRACKET.sub("", bare).strip(_EDGES) or bare
    return _ARTICLE.sub("", bare, count=1) or bare


class Titles:
    """The titles of a graph under two degrees of forgiveness, the stricter first."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._lookup = lru_cache(len(FORMS))(self._make_lookup)

    def works(self, title: str) -> tuple[Entity, ...]:
        """All artworks of that title, else all else of that name, in no order."""
        found = self.entities(title)
        return tuple(entity for entity in found if entity.kind == ARTWORK) or found

    def entities(self, name: str) -> tuple[Entity, ...]:
        """All entities of that name but general concepts, in no order; empty if none has it."""
        for form in FORMS:
            found = self._lookup(form).get(form(name))
            if found:
                return tuple(found)
        return ()

    def _make_lookup(self, form: Form) -> TitleLookup:
        if self._graph.index:
            return self._graph.index.titles(form.__name__)
        return by_label(self._graph.entities, form)


Form = Callable[[str], str]
FORMS: tuple[Form, ...] = (fold, bare_title)
"""The degrees of forgiveness, the stricter first."""
