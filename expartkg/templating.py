"""HTML from templates in which everything is escaped: labels and texts are data, never markup."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from expartkg.directions import without_directions
from expartkg.links import statement_page, wikidata_page


def _undirected(value: object) -> object:
    """Of what is HTML already, the texts were seen to before."""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return without_directions(value)


def templates_in(folder: Path) -> Environment:
    """The templates of a folder, with filters to Wikidata's pages: of an IRI `wikidata`,
    of a subject and a property `statement`.

    What a template names and nobody gives it is an error. What would turn other texts around is
    left out, unless a template escapes a text itself (`| e`).
    """
    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        finalize=_undirected,
    )
    environment.filters.update(wikidata=wikidata_page, statement=statement_page)
    return environment
