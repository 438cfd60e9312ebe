"""Clauses about one entity, run together into sentences. Knows no facts.

A clause has `{S}` or `{P}` for the entity or its possessive at its head, `{s}` further on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from expartkg.engines.preview.wording import listed, possessive, sentence

NAME = "{S}"
MOST_CLAUSES = 3
_LIFE = re.compile(
    re.escape(NAME) + r" (?P<verb>was born|worked|lived|died) in (?P<place>(?!.* and ).+)"
)


def flowing(clauses: Iterable[str], name: str, kind: str, apposition: str = "") -> Iterator[str]:
    """Sentences from clauses, the first with the entity's name and the others with a pronoun.

    Clauses that begin with `{S}` are joined, three at most; one that ends in a full stop stays
    alone. The pronoun is "the artist" or "it"; other persons, and figures, are called by name
    again, since nobody says whether they are "he" or "she". `apposition` goes after the name.
    """
    texts = list(_joined(_together(clauses)))
    if apposition and texts and texts[0].startswith(NAME + " "):
        texts[0] = f"{NAME}, {apposition}, {texts[0].removeprefix(NAME + ' ')}"
    elif apposition:
        texts.insert(0, f"{{P}} occupations include {apposition}")
    full = name if _may_begin(name) else f"the {kind.lower() or 'entity'} {name}"
    pronoun = {"Artist": "the artist", "Person": full, "Subject": full}.get(kind, "it")
    for number, text in enumerate(texts):
        head = full if number == 0 else pronoun
        within = full if head == "it" else head
        owner = "its" if head == "it" else possessive(head)
        yield sentence(text.replace("{P}", owner).replace(NAME, head).replace("{s}", within))


def _may_begin(name: str) -> bool:
    """Whether a sentence may begin with a name: one in lower case has to stay as it is."""
    return not name[:1].islower() or name.startswith(("the ", "another "))


def _together(clauses: Iterable[str]) -> Iterator[str]:
    """`worked and died in Haarlem` from two clauses of the same place."""
    places: dict[str, list[str]] = {}
    out: list[str] = []
    for clause in clauses:
        match = _LIFE.fullmatch(clause)
        if match is None:
            out.append(clause)
            continue
        verbs = places.setdefault(match["place"], [])
        if not verbs:
            out.append(match["place"])
        verbs.append(match["verb"])
    for text in out:
        verbs = places.get(text, [])
        yield f"{NAME} {listed(verbs)} in {text}" if verbs else text


def _joined(clauses: Iterable[str]) -> Iterator[str]:
    open_: list[str] = []
    for clause in clauses:
        alone = clause.endswith(".") or not clause.startswith(NAME + " ")
        if open_ and (alone or len(open_) == MOST_CLAUSES or (_long(clause) and _long(*open_))):
            yield _one_sentence(open_)
            open_ = []
        if alone:
            yield clause
        else:
            open_.append(clause.removeprefix(NAME + " "))
    if open_:
        yield _one_sentence(open_)


def _long(*clauses: str) -> bool:
    return any(" and " in clause or "," in clause for clause in clauses)


def _one_sentence(clauses: Sequence[str]) -> str:
    if len(clauses) > 1 and _long(*clauses):
        return f"{NAME} {', '.join(clauses[:-1])}, and {clauses[-1]}"
    return f"{NAME} {listed(clauses)}"
