"""The normal form in which names are compared, with the way back to the original text.

NFC, every run of white space as one blank, curly quotes as straight ones, and a lone surrogate as
U+FFFD. Case is kept. Offsets are code points.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

_ONE_FOR_ONE = (
    dict.fromkeys(map(ord, "‘’‚‛"), "'")
    | dict.fromkeys(map(ord, "“”„‟"), '"')
    | dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
)
# Characters that can fuse with the one before them under NFC without being marks themselves:
# the vowels and final consonants of Hangul, and the Kirat Rai vowel signs.
_FUSING = "\u1160-\u11ff\U00016d63-\U00016d6a"
_FUSES = re.compile(f"[{_FUSING}]")
# Composing takes time that grows with the square of a run of marks. No name has so many, and a
# longer run is left as it is.
MOST_IN_A_CLUSTER = 64
BLOCK = 4096
_IRREGULAR_SPACE = re.compile(r"\s{2,}|[^\S ]")


@dataclass(frozen=True, slots=True)
class NormalText:
    """`text` in normal form; code point i of it starts at `starts[i]` of the original.

    `starts` has one entry more than `text`, the length of the original.
    """

    text: str
    starts: Sequence[int]


def normal_form(text: str) -> str:
    """The normal form alone, for labels, without blanks at the ends."""
    if text.isascii():
        # The same several times as fast, and a graph has many labels.
        return " ".join(text.split())
    return normalise(text).text.strip()


def normalise(text: str) -> NormalText:
    """The normal form of any string; never fails."""
    whole = text if text.isascii() else text.translate(_ONE_FOR_ONE)
    if _is_composed(whole):
        return _with_single_blanks(whole)
    pieces: list[str] = []
    starts: list[int] = []
    for start, cluster in _clusters(whole):
        if cluster.isspace():
            piece = " "
        else:
            is_long = len(cluster) > MOST_IN_A_CLUSTER
            piece = cluster if is_long else unicodedata.normalize("NFC", cluster)
        pieces.append(piece)
        is_same = piece == cluster
        starts.extend(range(start, start + len(piece)) if is_same else [start] * len(piece))
    starts.append(len(whole))
    return NormalText("".join(pieces), starts)


def _is_composed(text: str) -> bool:
    """Whether NFC would leave the text as it is; by blocks, since it may be very long."""
    if text.isascii():
        return True
    for start in range(0, len(text), BLOCK):
        block = text[start : start + BLOCK]
        if not unicodedata.is_normalized("NFC", block) or (start and _fuses(block[0])):
            return False
    return True


def _with_single_blanks(text: str) -> NormalText:
    """For a text that is composed already, as nearly all are."""
    pieces: list[str] = []
    starts: list[int] = []
    place = 0
    for run in _IRREGULAR_SPACE.finditer(text):
        pieces += (text[place : run.start()], " ")
        starts.extend(range(place, run.start() + 1))
        place = run.end()
    if not pieces:
        return NormalText(text, range(len(text) + 1))
    pieces.append(text[place:])
    starts.extend(range(place, len(text) + 1))
    return NormalText("".join(pieces), starts)


def _clusters(text: str) -> list[tuple[int, str]]:
    """Runs of white space, and characters with the marks that follow them.

    NFC never composes across two clusters, so each can be normalised on its own.
    """
    clusters: list[tuple[int, str]] = []
    start = 0
    for end in range(1, len(text) + 1):
        if end == len(text) or not _continues(text[end - 1], text[end]):
            clusters.append((start, text[start:end]))
            start = end
    return clusters


def _continues(previous: str, character: str) -> bool:
    if previous.isspace() or character.isspace():
        return previous.isspace() and character.isspace()
    return _fuses(character)


def _fuses(character: str) -> bool:
    """Whether a character can become one with the character before it."""
    return not character.isascii() and (is_mark(character) or bool(_FUSES.match(character)))


def is_mark(character: str) -> bool:
    """Whether a character is a combining mark."""
    return unicodedata.category(character)[0] == "M" or unicodedata.combining(character) > 0


def is_word(character: str) -> bool:
    """Whether a character is part of a word: a letter, digit, `_` or combining mark."""
    return character.isalnum() or character == "_" or is_mark(character)


def fold(text: str) -> str:
    """Case, accents and white space forgiven: how a title is typed by hand."""
    if text.isascii():
        return normal_form(text).casefold()
    # Character by character: the order of marks does not matter, since all are dropped.
    decomposed = (unicodedata.normalize("NFKD", character) for character in normal_form(text))
    bare = "".join(c for piece in decomposed for c in piece if not is_mark(c))
    return " ".join(bare.casefold().translate(_DASHES).split())


_DASHES = str.maketrans("‐‑‒–—−", "------")
