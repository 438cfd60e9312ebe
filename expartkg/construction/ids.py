"""The ids of Wikidata: `Q…` for items, `P…` for properties."""

from __future__ import annotations

import re
from collections.abc import Iterable

ITEM = re.compile(r"Q[1-9][0-9]*")
PROPERTY = re.compile(r"P[1-9][0-9]*")


def by_number(ids: Iterable[str]) -> list[str]:
    """Ids in the order of their numbers: Q9 before Q10."""
    return sorted(ids, key=lambda one: int(one[1:]))
