"""Texts that nobody would write, drawn by a seed: the same number gives the same texts."""

from __future__ import annotations

import os
import random
import unicodedata
from collections.abc import Callable, Iterator, Sequence

from hypothesis import strategies as st

from tests.hard_use.hostile_graph import LONG, PAYLOADS

IS_LARGE = os.environ.get("EXPARTKG_LARGE") == "1"


def sized(number: int) -> int:
    """A number of texts, or the fewer that every run of the tests can afford."""
    return number if IS_LARGE else max(200, number // 100)


SMALL_PAYLOADS = tuple(text for text in PAYLOADS.values() if len(text) < LONG)
SEQUENCES = (
    *SMALL_PAYLOADS,
    *("İ", "ı", "ß", "ẞ", "ﬁ", "ﬀ", "ſ", "ς", "ǅ", "ΐ", "ŉ", "K", "Å", "²", "٣", "Ⅻ", "½"),
    *(
        "e\u0301",
        "\u0301",
        "\u0345",
        "\u0300" * 80,
        "q\u0307\u0323",
        "\u0958",
        "\u1100\u1161\u11a8",
    ),
    *("한글", "モナ・リザ", "ﾓﾅ", "蒙娜丽莎", "สวัสดี", "نص", "שלום", "\U00016d63\U00016d67"),
    *("👩‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👍🏽", "🇯🇵", "❤️", "\u200d", "\u200c", "\ufe0f"),
    *("\u202a\u202e\u2066\u2069", "\u200e\u200f", "\u061c", "\u2028", "\u2029", "\x85", "\ufeff"),
    *(
        "\x00",
        "\x07",
        "\x1b[2J",
        "\x9b",
        "\x1c",
        "\x0b",
        "\x0c",
        "\r\n",
        "\r",
        "\n\n",
        "\t",
        "\xa0",
    ),
    *("\ud800", "\udfff", "\ud83d\ude00", "\udc80", "\ufffe", "\uffff", "\U0010ffff", "\ue000"),
    *("**", "*", "***", "* *", "_", "`", "~", "|", "\\", "[", "](", "<", ">", "&", "&amp;", "&#0;"),
    *(
        "{",
        "}",
        "{title}",
        "{artist}",
        "${x}",
        "{{",
        "%s",
        "{0}",
        "$",
        "'",
        '"',
        "’",
        "“",
        "”",
        "«",
    ),
    *(".", "...", "…", "?!", "St. ", "a.m. ", "1. ", "- ", "# ", "> ", "== ", "(", ")", ";", ","),
    *("True", "False", "by", "in 1503", "1503–1506", "c. -500", "not", "it", "He", "The"),
    *(" ", "  ", "\u3000", "\u2003", "\u200b", "\u180e", "-", "–", "‑", "/", "@", "=", "+1"),
)
"""What has been trouble somewhere, or may be."""
PLANES = ((0, 0x80), (0x80, 0x800), (0x800, 0x10000), (0xD800, 0xE000), (0x10000, 0x110000))

Change = Callable[[random.Random, str], str]


def drawn(names: Sequence[str], number: int, seed: int = 0) -> Iterator[str]:
    """So many texts, mixed from all of these and from `names`, also changed a little."""
    lots = random.Random(f"texts {seed}")
    for _ in range(number):
        yield _text(lots, names)


def texts_about(names: Sequence[str]) -> st.SearchStrategy[str]:
    """The same for hypothesis, which looks for the shortest one that goes wrong."""
    character = st.integers(0, 0x10FFFF).map(chr)
    parts = st.sampled_from((*SEQUENCES, *names)) | character | st.text(max_size=5)
    return st.lists(parts, max_size=12).map("".join)


def _text(lots: random.Random, names: Sequence[str]) -> str:
    parts = [_part(lots, names) for _ in range(_length(lots))]
    return lots.choice(("", "", " ", "\n")).join(parts)


def _length(lots: random.Random) -> int:
    """Mostly a few parts, seldom many."""
    return min(60, int(lots.paretovariate(0.9)) * lots.randint(0, 4))


def _part(lots: random.Random, names: Sequence[str]) -> str:
    kind = lots.random()
    if kind < 0.35:
        return lots.choice(CHANGES)(lots, lots.choice(names))
    if kind < 0.7:
        return lots.choice(SEQUENCES)
    if kind < 0.95:
        return "".join(chr(lots.randrange(*lots.choice(PLANES))) for _ in range(lots.randint(1, 6)))
    return lots.choice((*SEQUENCES, "a", "W")) * lots.choice((3, 30, 300))


def _with_one_more(lots: random.Random, name: str) -> str:
    place = lots.randint(0, len(name))
    return name[:place] + lots.choice(SEQUENCES) + name[place:]


CHANGES: Sequence[Change] = (
    lambda lots, name: name,
    lambda lots, name: name,
    lambda lots, name: name.lower(),
    lambda lots, name: name.upper(),
    lambda lots, name: unicodedata.normalize(lots.choice(("NFD", "NFKD", "NFKC")), name),
    lambda lots, name: name.replace(" ", lots.choice(("  ", "\n", "\xa0", "\u200b"))),
    lambda lots, name: name[: lots.randint(0, len(name))],
    lambda lots, name: f"{name}{lots.choice(('s', '’s', '_', chr(0x301), '2'))}",
    lambda lots, name: f"“{name}”",
    _with_one_more,
)
