"""Lists of titles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from expartkg.construction.sources.at_hand import Title
from expartkg.construction.sources.titles import (
    kept_titles,
    linked_titles,
    painting_titles,
    popular_titles,
    vital_titles,
)
from expartkg.errors import SourceError


def test_kept_titles_have_an_item_each() -> None:
    titles = list(kept_titles())
    assert all(title.qid.startswith("Q") and title.is_certain for title in titles)
    assert len({title.text.casefold() for title in titles}) == len(titles)


def test_links_are_titles_with_their_items(tmp_path: Path) -> None:
    path = tmp_path / "links.ttl"
    path.write_text(
        "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
        "@prefix wd: <http://www.wikidata.org/entity/> .\n"
        "<urn:a> owl:sameAs wd:Q1, <https://en.wikipedia.org/wiki/Caf%C3%A9_(painting)> .\n"
        "<urn:b> owl:sameAs <https://en.wikipedia.org/wiki/Nowhere> .\n"
        '<urn:c> owl:sameAs wd:Q3, "text" .\n'
    )
    assert list(linked_titles(path)) == [Title("Café (painting)", "linked articles", "Q1")]


@pytest.mark.parametrize(
    ("read", "content"),
    [
        (vital_titles, b"["),
        (vital_titles, b"[]"),
        (popular_titles, b"\xff"),
        (painting_titles, b'{"title": "A"}\n'),
        (painting_titles, b"[]\n"),
        (linked_titles, b"<urn:a> nothing"),
    ],
)
def test_a_list_of_another_shape_is_refused(
    read: Callable[[Path], Iterator[Title]], content: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "list.ttl"
    path.write_bytes(content)
    with pytest.raises(SourceError, match=r"list\.ttl"):
        list(read(path))
