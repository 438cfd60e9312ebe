"""What people read in a terminal: the one way there, on which no text can give it orders.

Labels, answers and queries' results are texts of others, and a terminal obeys characters that
nobody sees: they clear the screen, change its title, or turn the letters of a line around.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Sequence

from expartkg.prompts import format_triple
from expartkg.records import Mention, RankedTriple

# Control characters but line breaks and tabs, what ends a line or a paragraph, and what sets the
# direction of writing. What joins characters to one, as in emoji, does neither.
_OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff]"
)


def shown(text: str) -> str:
    """The text with escapes, such as `\\x1b`, in place of what a terminal would obey."""
    return _OBEYED.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def line(text: str) -> str:
    """The text in one line."""
    return " ".join(text.split())


def say(text: str = "", *, end: str = "\n", flush: bool = False) -> None:
    """Prints a text to stdout; all that commands print goes through here or `tell`."""
    print(shown(text), end=end, flush=flush)


def tell(message: str) -> None:
    """A message for people, on stderr, in one line."""
    if sys.stderr is not None:
        print(shown(line(message)), file=sys.stderr)


def print_mentions(mentions: Sequence[Mention]) -> None:
    for mention in mentions:
        others = len(mention.candidates) - 1
        choice = f"  (one of {others + 1} of that name)" if others else ""
        entity = mention.entity
        text = line(mention.text)
        say(f"{mention.start}-{mention.end}  {text}  {entity.id} {entity.kind}{choice}")


def print_facts(facts: Sequence[RankedTriple]) -> None:
    for fact in facts:
        say(f"  {fact.score:8.3f}  {format_triple(fact.triple)}")


def log_to_terminal() -> None:
    """Has warnings and faults written to stderr, whatever texts are in them."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Shown(logging.BASIC_FORMAT))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])


class _Shown(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return shown(super().format(record))
