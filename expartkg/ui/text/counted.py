"""The small parts of which a language is made.

Counted things have a form for one and a form for all other numbers.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Counted:
    """A phrase with a number in it."""

    one: str
    many: str

    def __call__(self, n: int) -> str:
        return (self.one if n == 1 else self.many).format(n=f"{n:,}")


@dataclass(frozen=True, slots=True)
class Field:
    """A label, what it means in plain words, and an example of what to type."""

    label: str
    info: str = ""
    example: str = ""
