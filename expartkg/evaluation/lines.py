"""Files by lines, most of them one JSON object each; errors say the line and the remedy."""

from __future__ import annotations

import codecs
import json
import string
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from expartkg.errors import DataError

Json = dict[str, Any]


def read_lines(path: Path) -> Iterator[tuple[int, Json]]:
    """The number and the object of every line that is not blank.

    Raises `DataError` for a file that cannot be read and for a line that is no JSON object.
    """
    return objects_in(read_content(path), path)


def read_content(path: Path) -> bytes:
    """All of a file. Raises `DataError` if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from error


def lines_in(content: bytes, path: Path) -> Iterator[tuple[int, str]]:
    """The number and the text of every line, without a byte order mark.

    Raises `DataError` for a line that is not UTF-8.
    """
    for number, line in enumerate(without_mark(content).split(b"\n"), start=1):
        try:
            yield number, line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise DataError(
                f"{path}, line {number} is not UTF-8; save the file as UTF-8."
            ) from error


def without_mark(content: bytes) -> bytes:
    """The content behind the byte order mark that some editors put before it."""
    return content.removeprefix(codecs.BOM_UTF8)


def objects_in(content: bytes, path: Path) -> Iterator[tuple[int, Json]]:
    """As `read_lines`, of a file that has been read."""
    for number, line in lines_in(content, path):
        if line.strip(string.whitespace):
            yield number, _parse(path, number, line)


def _parse(path: Path, number: int, line: str) -> Json:
    try:
        document = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DataError(
            f"{path}, line {number} is not JSON ({error}); each line has to be one object."
        ) from error
    if not isinstance(document, dict):
        raise DataError(
            f"{path}, line {number} is JSON but no object; each line has to be one object, {{…}}."
        )
    return document


def text_field(document: Mapping[str, Any], name: str, where: str) -> str:
    """A field that has to be a text. Raises `DataError`, which begins with `where`."""
    if name not in document:
        raise DataError(f"{where} has no field {name!r}; add it, an empty text if there is none.")
    value = document[name]
    if not isinstance(value, str):
        raise DataError(f"{where}: {name!r} has to be a text, not {value!r:.60}.")
    return value


def id_field(document: Mapping[str, Any], name: str, where: str) -> str:
    """A field that has to be a text that is not empty, or a whole number. Raises `DataError`."""
    value = document.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, str) and value:
        return value
    raise DataError(f"{where} has no {name!r}; give every line one of its own.")
