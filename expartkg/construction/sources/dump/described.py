"""What both formats of a dump give: entities, of which only the names are read at first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from expartkg.construction.sources.entities import Entity

Lines = Iterator[tuple[int, bytes]]
"""The lines of a dump with their numbers, from 1."""


class DamagedLineError(Exception):
    """A line that is not what it should be; `SourceError` with the file's name is made of it."""

    def __init__(self, number: int, fault: str) -> None:
        super().__init__(fault)
        self.number = number


class Described(Protocol):
    """An item (`Q…`) or a property (`P…`) as it stands in a dump.

    Hardly any entity of a dump is needed, so what takes time is read only where it is asked for.
    """

    @property
    def id(self) -> str:
        """The id."""

    @property
    def label(self) -> str:
        """The English label, empty if there is none."""

    @property
    def article(self) -> str:
        """The title of the English Wikipedia article, empty if there is none."""

    def classes(self) -> list[str]:
        """The items that it is an instance of (P31)."""

    def entity(self) -> Entity:
        """All of it that a graph may need."""
