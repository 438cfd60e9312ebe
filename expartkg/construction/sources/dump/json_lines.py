"""The JSON dump: a list with an entity a line, or only these lines.

https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

import orjson

from expartkg.construction.ids import ITEM, PROPERTY
from expartkg.construction.sources.dump.described import DamagedLineError, Lines
from expartkg.construction.sources.entities import (
    Entity,
    Json,
    article_of,
    english_label,
    items_of,
    read_entity,
)

Part = TypeVar("Part")


class JsonEntity:
    """The entity of the line of that number. Everything may raise `DamagedLineError`."""

    def __init__(self, line: int, document: Json) -> None:
        self._line = line
        self._document = document
        self.id: str = document["id"]
        self.label = self._read(english_label)
        self.article = self._read(article_of)

    def classes(self) -> list[str]:
        return self._read(lambda document: items_of(document, "P31"))

    def entity(self) -> Entity:
        return self._read(read_entity)

    def _read(self, read: Callable[[Json], Part]) -> Part:
        try:
            return read(self._document)
        except (KeyError, TypeError, AttributeError) as error:
            raise DamagedLineError(self._line, f"{self.id} is not as in Wikidata") from error


def json_entities(lines: Lines) -> Iterator[JsonEntity]:
    """The items and properties of a dump. Raises `DamagedLineError`."""
    number, is_open, is_closed = 0, False, False
    for number, line in lines:
        text = line.strip().removesuffix(b",")
        if is_closed and text:
            raise DamagedLineError(number, "something stands behind the end of the list")
        if text == b"[" and not is_open:
            is_open = True
        elif text == b"]" and is_open:
            is_closed = True
        elif text:
            document = _document(number, text)
            if ITEM.fullmatch(document["id"]) or PROPERTY.fullmatch(document["id"]):
                yield JsonEntity(number, document)
    if is_open and not is_closed:
        raise DamagedLineError(number, "the list breaks off here; download the file again")


def _document(number: int, text: bytes) -> Json:
    try:
        document = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise DamagedLineError(number, f"not JSON ({error}); download the file again") from error
    if not isinstance(document, dict) or not isinstance(document.get("id"), str):
        raise DamagedLineError(number, "JSON, but no entity of Wikidata, which has an id")
    return document
