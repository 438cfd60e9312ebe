"""The three kinds of files that an index consists of: numbers, texts, and keys.

They are mapped into memory, so that opening one takes no time and a page of it is read when it is
first needed. Numbers have the byte order of the machine that wrote them.
"""

from __future__ import annotations

import mmap
from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, TypeAlias, overload

import marisa_trie

TypeCode: TypeAlias = Literal["I", "Q"]
"""Of an array: 32 or 64 bits."""


class SavedNumbers(Sequence[int]):
    """Whole numbers of 0 or more in a row."""

    def __init__(self, path: Path, typecode: TypeCode) -> None:
        self._typecode = typecode
        self._view = memoryview(_mapped(path)).cast(typecode)

    def __len__(self) -> int:
        return len(self._view)

    @overload
    def __getitem__(self, place: int) -> int: ...

    @overload
    def __getitem__(self, place: slice) -> array[int]: ...

    def __getitem__(self, place: int | slice) -> int | array[int]:
        if isinstance(place, slice):
            return array(self._typecode, self._view[place].tobytes())
        return self._view[place]


class SavedTexts(Sequence[str]):
    """Texts in a row: one after the other in UTF-8, and where each starts."""

    def __init__(self, path: Path) -> None:
        self._content = _mapped(_content_path(path))
        self._starts = SavedNumbers(path, "Q")

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...

    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        if isinstance(place, slice):
            return [self[number] for number in range(*place.indices(len(self)))]
        if not 0 <= place < len(self):
            raise IndexError(place)
        return self._content[self._starts[place] : self._starts[place + 1]].decode()


class SavedKeys:
    """Different texts as a static trie, which numbers them from 0 in an order of its own."""

    def __init__(self, path: Path) -> None:
        self._trie = marisa_trie.Trie().mmap(str(path))

    def __len__(self) -> int:
        return len(self._trie)

    def number(self, key: str) -> int | None:
        found: int | None = self._trie.get(key)
        return found

    def key(self, number: int) -> str:
        """Raises `KeyError` for a number that no key has."""
        key: str = self._trie.restore_key(number)
        return key

    def beginning(self, text: str) -> Iterable[tuple[str, int]]:
        """The keys that `text` begins with, and their numbers."""
        keys: Iterable[tuple[str, int]] = self._trie.iter_prefixes_with_ids(text)
        return keys


def write_numbers(path: Path, numbers: Iterable[int], typecode: TypeCode) -> None:
    path.write_bytes(array(typecode, numbers).tobytes())


def write_texts(path: Path, texts: Iterable[str]) -> None:
    starts = array("Q", [0])
    with _content_path(path).open("wb") as content:
        for text in texts:
            starts.append(starts[-1] + content.write(text.encode()))
    path.write_bytes(starts.tobytes())


def write_keys(path: Path, keys: Iterable[str]) -> SavedKeys:
    """Writes the keys, and opens them, since only then they have numbers."""
    marisa_trie.Trie(keys).save(str(path))
    return SavedKeys(path)


def _content_path(path: Path) -> Path:
    return path.with_name(path.name + ".text")


def _mapped(path: Path) -> mmap.mmap | bytes:
    with path.open("rb") as file:
        if path.stat().st_size == 0:  # Nothing cannot be mapped.
            return b""
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
