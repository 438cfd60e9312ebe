"""The nearest of many unit vectors, exactly where that is quick, else approximately.

Approximately is by signs (M. Charikar, STOC 2002): of every vector, on which side of each of many
random planes it lies. The vectors that share most sides with the sought one are compared in full.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import faiss
    import numpy as np
    from numpy.typing import NDArray

    from expartkg.recognition.encoders import Vectors

    Places = NDArray[np.intp]

EXACT_BELOW = 100_000
PLANES = 256
CANDIDATES = 500
"""How many are compared in full."""

LEARNED_FROM = 10_000
"""Vectors through whose middle the planes are laid."""


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

    def _candidates(self, vector: Vectors, most: int) -> Places:
        _, found = self._signs.search(vector[None], min(most, len(self._vectors)))
        places: Places = found[0]
        return places

    @cached_property
    def _signs(self) -> faiss.IndexLSH:
        """A bit for each plane and vector: a minute and 32 MB for a million vectors."""
        import faiss

        # A search takes some milliseconds; a second thread is waited for longer on a busy machine.
        faiss.omp_set_num_threads(1)
        signs = faiss.IndexLSH(self._vectors.shape[1], PLANES, True, True)
        signs.train(self._vectors[:: -(-len(self._vectors) // LEARNED_FROM)])
        signs.add(self._vectors)
        return signs
