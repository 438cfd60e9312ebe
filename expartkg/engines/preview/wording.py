"""English for what a graph holds: articles, lists, and labels as they read within a sentence.

Labels stay word for word, so that the next round's search for names finds them. Only general
concepts, whose labels begin with a capital though they are common nouns, lose it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from expartkg.engines.preview import nouns
from expartkg.records import ARTWORK, CONCEPT, Entity

Namer = Callable[[Entity], str]

_VOWEL_SOUND = re.compile(
    r"(?!eu|uni(?!n)|use|one\b|once|ukulele|uraeus|ewe)[aeiou]|hour|heir|hono|x-", re.IGNORECASE
)


def listed(items: Sequence[str], most: int = 6, *, open: bool = True) -> str:
    """`a`, `a and b`, `a, b and c`; of more than `most` the first ones, and `among others`.

    `open=False` leaves that out, where the sentence says "include".
    """
    if len(items) > most:
        return listed(items[:most], most) + (", among others" if open else "")
    if len(items) < 2:
        return "".join(items)
    return ", ".join(items[:-1]) + f" and {items[-1]}"


def with_article(noun: str) -> str:
    """The noun after `a` or `an`, by its first sound."""
    return ("an " if _VOWEL_SOUND.match(noun) else "a ") + noun


def possessive(name: str) -> str:
    """`Leonardo da Vinci's`, `Rubens'`."""
    return name + ("'" if name.endswith("s") else "'s")


def sentence(text: str) -> str:
    """The clause as a sentence: a capital and a full stop."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


def word_count(text: str) -> int:
    """White-space tokens, the unit of every length here."""
    return len(text.split())


def common_noun(entity: Entity) -> str:
    """The label within a sentence: a concept's in lower case unless it is a proper name."""
    label = entity.label
    if entity.kind != CONCEPT or _keeps_capital(label):
        return label
    return label[:1].lower() + label[1:]


def _keeps_capital(label: str) -> bool:
    words = label.replace("-", " ").split()
    return (
        not label[1:2].islower()
        or any(word[:1].isupper() for word in words[1:])
        or words[0].lower() in nouns.CAPITALISED
        or nouns.LATIN_NAME.match(label) is not None
    )


def named(entity: Entity) -> str:
    """How a sentence calls an entity: its label, after `the` where English has it."""
    label = entity.label
    if entity.kind == CONCEPT:
        return common_noun(entity)
    if entity.kind == ARTWORK:
        return f"“{label}”"
    if entity.kind in ("Artist", "Person"):
        return label
    holder = entity.kind == "Museum" or nouns.HOLDER.search(label)
    if nouns.NAME_WITH_THE.match(label) or (holder and not nouns.NO_ARTICLE.match(label)):
        return "the " + label
    return label


def title(work: Entity) -> str:
    """A title at the head of a sentence: in quotation marks if it would run into what follows."""
    plain = "," not in work.label and work.label[-1:].isalnum() and work.label[:1].isupper()
    return work.label if plain else named(work)


def at(holder: Entity) -> str:
    """The preposition before a place or an institution."""
    return "in" if holder.kind == "Place" else "at"


def shown(entity: Entity) -> str:
    """How a sentence names what a picture shows: a concept that can be counted gets an article."""
    if entity.kind != CONCEPT:
        return named(entity)
    noun = common_noun(entity)
    last = noun.lower().replace("-", " ").split()[-1]
    if noun in nouns.WITH_THE:
        return "the " + noun
    stuff = last in nouns.STUFF or noun.replace(" ", "-") in nouns.STUFF
    if stuff or is_motif(entity) or nouns.LATIN_NAME.match(noun) or _is_plural(last):
        return noun
    return with_article(noun)


def is_motif(entity: Entity) -> bool:
    """Whether it is an action, a state or an idea rather than a thing: sitting, sleep, nudity."""
    if entity.kind != CONCEPT:
        return False
    last = entity.label.lower().split()[-1]
    if last.endswith("ing"):
        return last not in nouns.THINGS_IN_ING
    return last in nouns.MOTIFS


def _is_plural(word: str) -> bool:
    if word in nouns.PLURALS:
        return True
    return word.endswith("s") and not word.endswith(("ss", "us")) and word not in nouns.SINGULARS


def material(materials: Iterable[Entity]) -> str:
    """`in oil paint on canvas`: media after `in`, supports after `on`."""
    nouns_ = _most_specific([common_noun(entity) for entity in materials])
    supports = [noun for noun in nouns_ if noun.split()[-1] in nouns.SUPPORTS]
    media = [noun for noun in nouns_ if noun not in supports]
    parts = [("in", media), ("on", supports)]
    return " ".join(f"{preposition} {listed(group)}" for preposition, group in parts if group)


def _most_specific(names: Sequence[str]) -> list[str]:
    """Without `panel` where there is `oak panel`."""
    return [
        name for name in names if not any(other.endswith(" " + name.lower()) for other in names)
    ]


def is_painted(materials_and_genres: Iterable[Entity]) -> bool:
    """Whether a stated material or genre makes the work a painting."""
    return any(nouns.PAINTED & set(entity.label.lower().split()) for entity in materials_and_genres)


def genre(entity: Entity) -> str:
    """`a portrait`, `a work of religious art`."""
    noun = common_noun(entity)
    if nouns.COUNTED_GENRE.match(noun.lower()):
        return with_article(noun)
    return f"a work of {noun}"


def movement(entity: Entity) -> str:
    """A movement as what a work belongs to: `the Baroque`, `Early Netherlandish art`."""
    name = named(entity)
    return name + " art" if name.endswith("ish") else name
