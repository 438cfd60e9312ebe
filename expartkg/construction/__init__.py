"""Section 3 of the paper: graphs built from Wikidata statements.

`build_from_questions` is the paper's procedure and builds the graph `expartkg`; `build_artworks`
builds the graph `artworks`; `NOISE` is the list of properties that both leave out.
"""

from __future__ import annotations

from expartkg.construction.artworks import build_artworks, build_from_extract
from expartkg.construction.from_questions import BuildOptions, build_from_questions
from expartkg.construction.noise import DEFAULT_NOISE, NOISE, NoiseProperty
from expartkg.construction.selection import CONCEPT_RULES

__all__ = [
    "CONCEPT_RULES",
    "DEFAULT_NOISE",
    "NOISE",
    "BuildOptions",
    "NoiseProperty",
    "build_artworks",
    "build_from_extract",
    "build_from_questions",
]
