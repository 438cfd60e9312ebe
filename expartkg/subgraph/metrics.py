"""How wide a text is, without a font at hand.

Advance widths of the page's font (IBM Plex Sans), measured; in thousandths of the size. Fonts that
stand in for it are up to a tenth wider, which `ROOM` allows for.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

ROOM = 1.12

_WIDTHS = {
    " 'ij": 245, "!,.l": 285, ":;": 305, "[]f|": 325, "(){}": 345, "rt": 365, "/\\": 385,
    "-I": 405, '"': 425, "*": 445, "z": 470, "?s": 490, "Lcvxy": 508, "Jgk": 525, "ae": 550,
    "F_hnou": 570, "ESTZbdpq": 590, "$+0123456789<=>PVY^`~": 608, "CX": 628, "AKR": 650,
    "B": 668, "DU": 690, "&GHNOQ": 710, "#": 728, "w": 768, "M": 828, "m": 888, "@W": 910,
    "%": 928,
}  # fmt: skip
_WIDTH = {character: width for characters, width in _WIDTHS.items() for character in characters}
_UNKNOWN = 720
_WIDE = 1000


def width_of(text: str, size: float) -> float:
    """The width of a line in the unit of `size`; rather too wide than too narrow."""
    return _width(sum(map(_advance, text)), size)


def _width(advance: int, size: float) -> float:
    return advance * size / 1000 * ROOM


@lru_cache(4096)
def _advance(character: str) -> int:
    base = unicodedata.normalize("NFD", character)[0]
    if unicodedata.combining(base):
        return 0
    if unicodedata.east_asian_width(base) in "WF":
        return _WIDE
    return _WIDTH.get(base, _UNKNOWN)


def lines_of(text: str, size: float, most: float, lines: int) -> tuple[str, ...]:
    """The text in at most so many lines, each at most `most` wide; `…` where something is cut."""
    broken: list[str] = []
    for word in text.split():
        longer = f"{broken[-1]} {word}" if broken else word
        if broken and width_of(longer, size) <= most:
            broken[-1] = longer
        else:
            broken.append(word)
    if len(broken) > lines:
        broken[lines - 1 :] = [" ".join(broken[lines - 1 :])]
    return tuple(_cut(line, size, most) for line in broken)


def _cut(line: str, size: float, most: float) -> str:
    if width_of(line, size) <= most:
        return line
    # From the front: a label may be very long.
    advance, kept = _advance("…"), 0
    for character in line:
        advance += _advance(character)
        if _width(advance, size) > most:
            break
        kept += 1
    return line[:kept].rstrip() + "…"
