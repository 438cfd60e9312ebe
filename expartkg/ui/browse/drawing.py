"""HTML of the pages of the graph. Everything is escaped by Jinja2."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from urllib.parse import urlencode

from expartkg.commons import Credit
from expartkg.records import Entity
from expartkg.retrieval.sparql import Limits, short
from expartkg.templating import templates_in
from expartkg.ui.addresses import entity_address, segment
from expartkg.ui.browse.catalogue import GraphPage, KindPage
from expartkg.ui.browse.entity import EntityPage, GroupPage, names
from expartkg.ui.browse.querying import EXAMPLES, ROWS_SHOWN, QueryPage
from expartkg.ui.browse.words import BROWSING
from expartkg.ui.markup import encodable
from expartkg.ui.text import Words


class Drawing:
    """Draws the pages in one language, which has an `address`; `others` are the other ones.

    All links are relative, so that the guide may be served from anywhere.
    """

    def __init__(self, words: Words, address: str, others: Mapping[str, Words]) -> None:
        self._address = address
        self._says = BROWSING[words.language]
        self._templates = templates_in(Path(__file__).parent / "templates")
        self._templates.globals.update(words=words, says=self._says, others=others)
        self._templates.filters.update(
            page=entity_address,
            segment=segment,
            urlencoded=partial(urlencode, errors="replace"),
            short=short,
            names=names,
        )

    def entity(self, page: EntityPage, picture: Credit | None, problem: str) -> str:
        """`picture` is the credit of the picture if it is shown, `problem` why it cannot be."""
        here = entity_address(page.entity.id)
        return self._draw("entity.html", here, page=page, picture=picture, problem=problem)

    def group(self, page: GroupPage) -> str:
        return self._draw("group.html", entity_address(page.entity.id), page=page)

    def missing(self, id: str) -> str:
        return self._draw("missing.html", entity_address(id), id=id)

    def graph(self, page: GraphPage) -> str:
        return self._draw("graph.html", "graph", page=page)

    def kind(self, page: KindPage) -> str:
        return self._draw("kind.html", "graph", page=page)

    def sparql(
        self, page: QueryPage, limits: Limits, entity_of: Callable[[str], Entity | None]
    ) -> str:
        """`entity_of` finds the entity of an IRI in the results."""
        examples = dict(zip(self._says.example_names, EXAMPLES, strict=True))
        return self._draw(
            "sparql.html",
            "sparql",
            page=page,
            limits=limits,
            examples=examples,
            entity_of=entity_of,
            rows_shown=ROWS_SHOWN,
        )

    def _draw(self, template: str, here: str, **values: object) -> str:
        """`here` is the address of the page below that of its language."""
        address = f"{self._address}/" if self._address else ""
        up = "../" * f"{address}{here}".count("/") or "./"
        known = {"up": up, "base": up + address, "home": up + self._address, "here": here}
        return encodable(self._templates.get_template(template).render(**known, **values))
