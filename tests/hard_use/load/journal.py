"""What the server noted of its line, and what follows from it."""

from __future__ import annotations

import itertools
import json
import re
from dataclasses import dataclass
from pathlib import Path

NAME = re.compile(r"N\d+x\d+")
"""What a visitor calls a work: nobody else calls one so, and no one twice."""


def ending_of(name: str) -> str:
    """The last words of a complete answer."""
    return f"That was all on {name}."


@dataclass
class Place:
    """A place in the line: when it was taken, came to its turn, and was given up, in seconds.

    `ahead` is how many came first when it was taken; `names` are the works that it was used for.
    """

    number: int
    joined: float
    ahead: int
    turn: float | None = None
    left: float | None = None
    names: frozenset[str] = frozenset()

    @property
    def service(self) -> float:
        """For how long the engine was used."""
        assert self.turn is not None
        assert self.left is not None
        return self.left - self.turn


@dataclass(frozen=True)
class History:
    """All places in the line, in order of arrival, and how many found it full."""

    places: tuple[Place, ...]
    refused: int
    threads: tuple[str, ...]

    @classmethod
    def read(cls, path: Path) -> History:
        places: dict[int, Place] = {}
        refused = 0
        threads: tuple[str, ...] = ()
        for line in path.read_text(encoding="utf-8").splitlines():
            match json.loads(line):
                case {"what": "joined", "ticket": number, "at": at, "ahead": ahead}:
                    places[number] = Place(number, at, ahead)
                case {"what": "turn", "ticket": number, "at": at}:
                    places[number].turn = at
                case {"what": "left", "ticket": number, "at": at}:
                    places[number].left = at
                case {"what": "heard", "ticket": number, "name": name}:
                    places[number].names |= {name}
                case {"what": "threads", "names": names}:
                    threads = tuple(names)
                case {"what": "full"}:
                    refused += 1
        return cls(tuple(places.values()), refused, threads)

    @property
    def served(self) -> list[Place]:
        """Those that came to their turn, in order of their turns."""
        turned = [place for place in self.places if place.turn is not None]
        return sorted(turned, key=lambda place: place.turn or 0.0)

    def is_fair(self) -> bool:
        """Whether who came first was served first, one at a time."""
        served = self.served
        return all(
            earlier.number < later.number and (earlier.left or 0.0) <= (later.turn or 0.0)
            for earlier, later in itertools.pairwise(served)
        )

    def computed_waits(self) -> dict[int, float]:
        """By number, how long those who were served had to wait, in seconds: for what was left of
        the run that was going on when they came, and for those who were before them and stayed.
        One server, first come first served, that loses no moment between two runs.
        """
        waits: dict[int, float] = {}
        served = self.served
        for number, place in enumerate(served):
            before = [one for one in served[:number] if (one.left or 0.0) > place.joined]
            waits[place.number] = sum(
                (one.left or 0.0) - max(one.turn or 0.0, place.joined) for one in before
            )
        return waits

    def ahead(self, number: int, at: float) -> tuple[int, int]:
        """How many came before this one at a moment, without and with those who never came to
        their turn: as soon as they want it no more, they do not count, and leave a little later.
        """
        there = [
            place
            for place in self.places
            if place.number < number
            and place.joined <= at
            and (place.left is None or at < place.left)
        ]
        return sum(place.turn is not None for place in there), len(there)

    def moments(self, begin: float, end: float) -> list[float]:
        """When something changed in the line between two moments, and these."""
        changes = {place.joined for place in self.places} | {
            place.left for place in self.places if place.left is not None
        }
        return [begin, *sorted(at for at in changes if begin < at < end), end]
