"""What people read: mentions and facts as lines, and messages."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from expartkg.records import Mention, RankedTriple


def print_mentions(mentions: Sequence[Mention]) -> None:
    for mention in mentions:
        others = len(mention.candidates) - 1
        choice = f"  (one of {others + 1} of that name)" if others else ""
        entity = mention.entity
        print(f"{mention.start}-{mention.end}  {mention.text}  {entity.id} {entity.kind}{choice}")


def print_facts(facts: Sequence[RankedTriple]) -> None:
    for fact in facts:
        print(f"  {fact.score:8.3f}  [{', '.join(fact.triple.labels)}]")


def tell(message: str) -> None:
    """A message for people, on stderr, in one line."""
    if sys.stderr is not None:
        print(" ".join(message.split()), file=sys.stderr)
