"""Labels: which are mended and how, and which cannot be used.

A name is matched letter by letter in running text (`retrieval/names.py`), so a no-break space or a
Cyrillic letter inside an English title makes the title unfindable. What a rule can repair, a rule
repairs; a label in another language is replaced by hand or its item is dropped.
"""

from __future__ import annotations

import html
import re
import unicodedata

from expartkg.construction.tables import table

HAND_LABELS: dict[str, tuple[str, str]] = {
    qid: (label, f"by hand: {reason}")
    for qid, label, reason in table("labels", ("qid", "label", "reason"))
}

_LOOKALIKES = str.maketrans("АВЕКМНОРСТХаеорсух", "ABEKMHOPCTXaeopcyx")
_QUOTES = str.maketrans("´`ˋ", "'''")
_JUST_AN_ID = re.compile(r"[QP]?[0-9]+")
_PLACEHOLDERS = frozenset({"label", "no label", "none", "null"})


def mend(qid: str, label: str) -> tuple[str, str]:
    """Return the label to use for `qid`, and why it differs from `label` (empty if it does not)."""
    if qid in HAND_LABELS:
        return HAND_LABELS[qid]
    reasons = []
    for reason, repair in _REPAIRS:
        mended = repair(label)
        if mended != label:
            reasons.append(reason)
        label = mended
    return label, "; ".join(reasons)


def fault(label: str) -> str:
    """Return why `label` cannot be an English label, empty if nothing speaks against it."""
    if not label:
        return "label is empty"
    if label.lower() in _PLACEHOLDERS:
        return "label is a placeholder"
    if _JUST_AN_ID.fullmatch(label):
        return "label is an id or a number"
    if not any(character.isalpha() for character in label):
        return "label has no letter"
    if not all(_is_latin(character) for character in label if character.isalpha()):
        return "label is not in Latin script"
    if not label.isprintable():
        return "label has a character that cannot be printed"
    return ""


def _entities(label: str) -> str:
    return html.unescape(label)


def _composed(label: str) -> str:
    return unicodedata.normalize("NFC", label)


def _blanks(label: str) -> str:
    return " ".join("".join(" " if _is_control(c) else c for c in label).split())


def _markup(label: str) -> str:
    return re.sub(r"'{2,}|\[\[(?:[^]|]*\|)?|\]\]|<[^<>]*>", "", label)


def _brackets(label: str) -> str:
    return re.sub(r"(?<=\() +| +(?=\))", "", label)


def _straight_quotes(label: str) -> str:
    return label.translate(_QUOTES)


def _homoglyphs(label: str) -> str:
    if not any(_is_latin(character) for character in label if character.isalpha()):
        return label
    changed = label.translate(_LOOKALIKES)
    return changed if not fault(changed) else label


def _is_control(character: str) -> bool:
    return unicodedata.category(character) in {"Cc", "Cf"}


def _is_latin(character: str) -> bool:
    return unicodedata.name(character, "").startswith("LATIN ") or character in "ªº№"


_REPAIRS = (
    ("HTML entity resolved", _entities),
    ("composed form (NFC)", _composed),
    ("markup removed", _markup),
    ("white space made one blank", _blanks),
    ("blank inside a bracket removed", _brackets),
    ("accent used as a quotation mark made an apostrophe", _straight_quotes),
    ("look-alike letter of another script made Latin", _homoglyphs),
)
