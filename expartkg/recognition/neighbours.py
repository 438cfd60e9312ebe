"""The nearest of many unit vectors, exactly where that is quick, else approximately.

Approximately is by HNSW (Y. Malkov and D. Yashunin, IEEE TPAMI 2020) on the vectors' parts in
their main directions, a tenth of the numbers; what that finds is compared in full.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from expartkg.recognition.encoders import Vectors

    Places = NDArray[np.intp]

EXACT_BELOW = 100_000
MAIN_DIRECTIONS = 128
CANDIDATES = 200
"""How many are compared in full."""

LEARNED_FROM = 10_000
"""Vectors that the main directions are computed from."""

ADDED_AT_ONCE = 10_000


class Neighbours:
    """Vectors of shape (n, dimension), each of length one."""

    def __init__(self, vectors: Vectors, exact_below: int = EXACT_BELOW) -> None:
        self._vectors = vectors
        self._is_exact = len(vectors) < exact_below

    def nearest(self, vector: Vectors, most: int) -> list[tuple[int, float]]:
        """The places of the `most` nearest to a unit vector, with their cosines, nearest first."""
        import numpy as np

        places = None if self._is_exact else self._candidates(vector, max(most, CANDIDATES))
        vectors = self._vectors if places is None else self._vectors[places]
        cosines = vectors @ vector
        order = np.argsort(-cosines, kind="stable")[:most]
        found = order if places is None else places[order]
        return [(int(place), float(cosines[at])) for place, at in zip(found, order, strict=True)]

    def prepare(self) -> None:
        """Builds now what the first search would have to wait for: minutes for a million."""
        if not self._is_exact:
            _ = self._graph

    def _candidates(self, vector: Vectors, most: int) -> Places:
        import numpy as np

        found = self._graph.search(vector @ self._directions, min(most, len(self._vectors)))
        return np.asarray(found.keys, dtype=np.intp)

    @cached_property
    def _directions(self) -> Vectors:
        """Those in which a sample of the vectors is longest, of shape (dimension, directions)."""
        import numpy as np

        sample = self._vectors[:: -(-len(self._vectors) // LEARNED_FROM)]
        _, directions = np.linalg.eigh(sample.T @ sample)
        main: Vectors = np.ascontiguousarray(directions[:, ::-1][:, :MAIN_DIRECTIONS])
        return main

    @cached_property
    def _graph(self) -> Any:
        import numpy as np
        from usearch.index import Index

        graph = Index(
            ndim=self._directions.shape[1],
            metric="cos",
            dtype="i8",
            expansion_add=32,
            expansion_search=CANDIDATES,
        )
        for start in range(0, len(self._vectors), ADDED_AT_ONCE):
            part = self._vectors[start : start + ADDED_AT_ONCE] @ self._directions
            graph.add(np.arange(start, start + len(part)), part)
        return graph
