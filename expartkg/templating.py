"""HTML from templates in which everything is escaped: labels and texts are data, never markup."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from expartkg.links import wikidata_page


def templates_in(folder: Path) -> Environment:
    """The templates of a folder, with `wikidata` as the filter from an IRI to its page.

    What a template names and nobody gives it is an error.
    """
    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters["wikidata"] = wikidata_page
    return environment
