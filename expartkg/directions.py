"""Texts of others beside our own, when some of them set the direction of writing."""

from __future__ import annotations

import re

# Embeddings, overrides and isolates of the bidirectional algorithm (UAX #9). One that is left open
# turns around whatever stands behind it. Marks, which right-to-left scripts need, are not of them.
_DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")


def without_directions(text: str) -> str:
    """The text without what turns other texts around."""
    return _DIRECTIONS.sub("", text)
