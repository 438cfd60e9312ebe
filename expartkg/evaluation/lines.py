"""Files with one JSON object a line, and errors that say the line and the remedy."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from expartkg.errors import DataError

Json = dict[str, Any]


def read_lines(path: Path) -> Iterator[tuple[int, Json]]:
    """The number and the object of every line that is not blank.

    Raises `DataError` for a file that cannot be read and for a line that is no JSON object.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from error
    for number, line in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if line.strip():
            yield number, _parse(path, number, line)


def _parse(path: Path, number: int, line: bytes) -> Json:
    try:
        document = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise DataError(f"{path}, line {number} is not UTF-8; save the file as UTF-8.") from error
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
