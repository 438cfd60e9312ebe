"""Rankings of other packages: a function that gives every triple of a document its score."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, cast

from expartkg.errors import ExpArtError
from expartkg.plugins import RANKING_PLUGINS, Plugin, load_plugin
from expartkg.records import Entity, PairCount, Triple

if TYPE_CHECKING:
    from expartkg.retrieval.ranking import Statistics

    Score = Callable[["Candidate", Statistics], float]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A triple of D_e, the document of the entity `anchor`.

    `f` and `n_t` are those of Eq. 1, for its predicate and its adjacent entity; `length` is |D_e|.
    """

    triple: Triple
    anchor: Entity
    f: PairCount
    n_t: PairCount
    length: int


class OtherRanking:
    """A ranking by the function of another package; the triples of the highest scores are kept."""

    def __init__(self, name: str, plugin: Plugin) -> None:
        self._name = f"The ranking {name} of the package {plugin.package}"
        if not callable(plugin.value):
            raise ExpArtError(f"{self._name} is no function, but {plugin.value!r}.")
        self._score = cast("Score", plugin.value)

    def score(self, candidate: Candidate, statistics: Statistics) -> float:
        """Any finite number. Raises `ExpArtError` if the package fails or gives no such number."""
        try:
            score = float(self._score(candidate, statistics))
        except Exception as error:
            # The boundary to code of others, which may raise anything.
            raise ExpArtError(f"{self._name} failed: {type(error).__name__}: {error}.") from error
        if not math.isfinite(score):
            raise ExpArtError(f"{self._name} gave {score} as a score, which is no finite number.")
        return score


@cache
def other_ranking(name: str) -> OtherRanking:
    """The ranking that an installed package has under a name.

    Raises `UsageError` if there is none, `ExpArtError` if it cannot be imported or is no function.
    """
    return OtherRanking(name, load_plugin(RANKING_PLUGINS, name))
