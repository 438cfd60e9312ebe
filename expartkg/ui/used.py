"""What a run was made with, as names and values for the reader."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from expartkg.records import Run
from expartkg.ui.text import Words


def used_by(run: Run, picture: str, words: Words) -> Iterator[tuple[str, str]]:
    """Question, work, picture, settings, engine, graph and version of a run, all that it used.

    `picture` says where the picture comes from, which a run does not know.
    """
    yield words.asked, run.question.text
    found = words.artworks_found[run.artwork.found]
    yield words.artwork, found.format(title=run.artwork.title, id=run.artwork.id)
    yield words.picture.label, picture
    for name, value in run.settings.items():
        yield words.setting_names.get(name, name), _plain(value, words)
    for name, value in run.engine.items():
        detail = words.detail_names.get(name, name.replace("_", " "))
        yield f"{words.engine}: {detail}", _plain(value, words)
    graph = run.signature.get("graph")
    if isinstance(graph, Mapping):
        yield words.graph, words.graph_size.format(name=graph["name"], n=graph["entities"])
        if graph["name"] in words.shipped_graphs:
            yield words.graph_content, words.shipped_graphs[graph["name"]]
        yield words.graph_sha256, str(graph["sha256"])
    yield words.version, str(run.signature.get("expartkg", ""))


def _plain(value: object, words: Words) -> str:
    if isinstance(value, bool):
        return words.yes if value else words.no
    whole = isinstance(value, float) and value.is_integer()
    return f"{value:.0f}" if whole else str(value)
