"""Ending an answer that has run into a loop. Knows no model: any engine that streams may use it."""

from __future__ import annotations

LONGEST_UNIT = 600
SHORTEST_LOOP = 240
FEWEST_REPEATS = 3
_PROBE = 24


class RepetitionGuard:
    """Watches a text as it is written, and tells when its end repeats itself word for word.

    A loop is a unit of at most `LONGEST_UNIT` characters that stands at the end of the text
    `FEWEST_REPEATS` times or more, without a gap, and fills `SHORTEST_LOOP` characters or more.
    """

    def __init__(self) -> None:
        self._end = ""

    def feed(self, text: str) -> bool:
        """Adds a piece of the text; True if the text now ends in a loop."""
        for start in range(0, len(text), _PROBE):
            self._end = (self._end + text[start : start + _PROBE])[-LONGEST_UNIT * FEWEST_REPEATS :]
            if self._is_looping():
                return True
        return False

    def _is_looping(self) -> bool:
        unit = self._possible_unit()
        loop = max(SHORTEST_LOOP, unit * FEWEST_REPEATS)
        if not unit or len(self._end) < loop:
            return False
        return self._end[-loop:-unit] == self._end[-loop + unit :]

    def _possible_unit(self) -> int:
        """How far back the last few characters stood before, 0 if they did not.

        If the text ends in a loop this is its unit at some point of each round: a unit that itself
        has a shorter loop at its end is found where that shorter loop is not at the text's end.
        """
        probe = self._end[-_PROBE:]
        found = self._end.rfind(probe, 0, len(self._end) - 1)
        return len(self._end) - len(probe) - found if found >= 0 else 0
