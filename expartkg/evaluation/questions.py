"""Questions about artworks with reference explanations: ExpArt, Artpedia, or one's own.

Fields are found by their names, so that sets of several shapes can be read (`ALIASES`). A record
holds one question or both of a work; records of one work are joined by their ids, from which an
ending `_T` (with title) or `_NT` (no title) is taken away, as ExpArt has it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from expartkg.data_sets import read_records, turns
from expartkg.errors import DataError, UsageError

ALIASES: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "question_id", "qid"),
    "title": ("title", "artwork_title"),
    "reference": ("reference", "answer", "explanation", "output", "response"),
    "question": ("question", "prompt", "instruction", "input"),
    "question_with_title": ("question_with_title",),
    "question_without_title": ("question_without_title",),
    "artist": ("artist",),
    "artwork": ("artwork", "qid", "wikidata"),
    "image": ("image", "image_url", "image_path", "url"),
}
"""The names that each field may have, the first that is there counting."""

_PICTURE_TAG = re.compile(r"<img>(.*?)</img>|<image>", re.DOTALL)
_SETTING = re.compile(r"(.+)_(NT|T)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ArtQuestion:
    """A work to explain, and the explanation that answers are compared with.

    `with_title` and `without_title` are the set's own questions for the two input settings of
    Section 4; None stands for the standard ones (`prompts`). `image` is a path or an address.
    """

    id: str
    title: str
    reference: str
    artist: str | None = None
    artwork: str | None = None
    image: str | None = None
    with_title: str | None = None
    without_title: str | None = None

    def text(self, *, with_title: bool) -> str | None:
        """The set's own question for an input setting."""
        return self.with_title if with_title else self.without_title


def read_questions(path: Path) -> list[ArtQuestion]:
    """The questions of a file: a list of records, […], or a record a line.

    Raises `DataError`, with the place and the remedy, for a file without questions, a record
    without an id, a title or a reference, and two records that ask the same or answer differently
    under one id.
    """
    found: dict[str, tuple[str, ArtQuestion]] = {}
    for where, record in read_records(path, DataError):
        question = _question(record, where)
        if question.id in found:
            before, known = found[question.id]
            question = _merged(known, question, f"{where} has the id of {before} again")
        found[question.id] = where, question
    if not found:
        raise DataError(f"{path} has no question; give records with id, title and reference.")
    return [question for _, question in found.values()]


def names_its_title(question: ArtQuestion) -> bool:
    """Whether the question that is to be asked without the title has it all the same."""
    text, title = question.without_title, question.title
    return bool(text) and re.search(rf"(?<!\w){re.escape(title)}(?!\w)", text or "") is not None


def check_share(share: float) -> None:
    """Raises `UsageError` unless it is a share of which something is left."""
    if not 0 < share <= 1:
        raise UsageError(f"sample must be above 0 and at most 1, not {share}.")


def sampled(questions: Sequence[ArtQuestion], share: float, seed: int) -> list[ArtQuestion]:
    """A share of the questions, at least one, in their own order.

    Which ones depends on seed and ids alone: neither on the order nor on the platform.
    """
    drawn = sorted(questions, key=lambda question: _lot(question.id, seed))
    chosen = {question.id for question in drawn[: max(1, round(share * len(questions)))]}
    return [question for question in questions if question.id in chosen]


def question_to_json(question: ArtQuestion) -> dict[str, Any]:
    """A record that `read_questions` reads back as it was."""
    return {
        "id": question.id,
        "title": question.title,
        "reference": question.reference,
        "artist": question.artist,
        "artwork": question.artwork,
        "image": question.image,
        "question_with_title": question.with_title,
        "question_without_title": question.without_title,
    }


def _lot(id: str, seed: int) -> bytes:
    return hashlib.sha256(f"{seed}:{id}".encode("utf-8", "surrogatepass")).digest()


def _question(record: Mapping[str, Any], where: str) -> ArtQuestion:
    id, has_title = _id_and_setting(record, where)
    asked, answered = _conversation(record)
    title = _required(record, "title", where)
    asked = _text(record, "question") or asked
    image = _text(record, "image") or _picture_in(asked)
    asked = _PICTURE_TAG.sub("", asked).strip()
    if has_title is None:
        has_title = title in asked
    with_title, without_title = (asked, "") if has_title else ("", asked)
    return ArtQuestion(
        id=id,
        title=title,
        reference=_reference(record, answered, where),
        artist=_text(record, "artist") or None,
        artwork=_text(record, "artwork") or None,
        image=image or None,
        with_title=_text(record, "question_with_title") or with_title or None,
        without_title=_text(record, "question_without_title") or without_title or None,
    )


def _id_and_setting(record: Mapping[str, Any], where: str) -> tuple[str, bool | None]:
    """The id of the work's question, and whether the record's question has the title, if told."""
    id = _required(record, "id", where)
    setting = _SETTING.fullmatch(id)
    return (setting[1], setting[2] == "T") if setting else (id, None)


def _reference(record: Mapping[str, Any], answered: str, where: str) -> str:
    """The explanation: a field, what an assistant said, or Artpedia's sentences of both kinds."""
    sentences = [
        sentence
        for kind in ("visual_sentences", "contextual_sentences")
        for sentence in record.get(kind) or ()
        if isinstance(sentence, str)
    ]
    return answered or " ".join(sentences) or _required(record, "reference", where)


def _conversation(record: Mapping[str, Any]) -> tuple[str, str]:
    """What a user asked and an assistant answered, empty where there is no conversation."""
    said: dict[str, str] = {}
    for field, text in turns(record):
        said.setdefault(field, text)
    return said.get("question", ""), said.get("reference", "").strip()


def _picture_in(asked: str) -> str:
    tag = _PICTURE_TAG.search(asked)
    return (tag[1] or "").strip() if tag else ""


def _text(record: Mapping[str, Any], field: str) -> str:
    """The field under any of its names, empty where it is missing or no text."""
    for name in ALIASES[field]:
        value = record.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""


def _required(record: Mapping[str, Any], field: str, where: str) -> str:
    found = _text(record, field)
    if not found:
        names = ", ".join(ALIASES[field])
        raise DataError(f"{where} has no {field}; add a field of the name {names}.")
    return found


def _merged(one: ArtQuestion, other: ArtQuestion, clash: str) -> ArtQuestion:
    """Two records of one work: one asks with the title, the other without it."""
    asks_again = all((one.with_title, other.with_title)) or all(
        (one.without_title, other.without_title)
    )
    asks_nothing = not (other.with_title or other.without_title)
    is_another = (one.title, one.reference) != (other.title, other.reference)
    if asks_again or asks_nothing or is_another:
        raise DataError(f"{clash}; give every question an id of its own.")
    return replace(
        one,
        with_title=one.with_title or other.with_title,
        without_title=one.without_title or other.without_title,
    )
