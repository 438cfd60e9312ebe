"""Section 3 of the paper: graphs built from Wikidata statements.

`build_artworks` builds the graph `artworks`; `NOISE` is the list of properties that it leaves out.
"""

from __future__ import annotations

from expartkg.construction.artworks import build_artworks
from expartkg.construction.noise import DEFAULT_NOISE, NOISE, NoiseProperty

__all__ = ["DEFAULT_NOISE", "NOISE", "NoiseProperty", "build_artworks"]
