"""What a visitor filled in, and what is wrong with it. Knows no gradio."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

from expartkg.commons import Credit
from expartkg.errors import PictureError, UsageError
from expartkg.pictures import open_picture
from expartkg.prompts import question_for
from expartkg.records import Artwork, PictureSource
from expartkg.settings import Settings
from expartkg.ui.markup import encodable
from expartkg.ui.text import Words


@dataclass(frozen=True, slots=True)
class Pick:
    """A work that the visitor picked, and what that filled in. `artist` may be empty.

    `recognised_in` is the picture in which the guide recognised the work, if it did.
    """

    id: str
    title: str
    artist: str
    recognised_in: str | None = None

    def holds(self, title: str | None, artist: str | None) -> bool:
        """Whether the fields still say what was filled in: whoever changes them means another."""
        return typed(title) == typed(self.title) and typed(artist) == typed(self.artist)


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a picture that the page put in comes from; without a credit the project drew it."""

    path: str
    credit: Credit | None


@dataclass(frozen=True, slots=True)
class Form:
    """The fields of the page, in their order; `picture` is the path of a file."""

    picture: str | None
    title: str | None
    artist: str | None
    question: str | None
    method: str | None
    ranking: str | None
    max_iterations: float | None
    top_k: float | None
    source: str | None
    validator_facts: bool | None
    pick: Pick | None
    provenance: Provenance | None

    def artwork(self) -> Artwork:
        """The work, with its picture opened. Raises `PictureError`."""
        image = open_picture(self.picture) if self.picture else None
        artwork = Artwork(
            title=typed(self.title),
            artist=typed(self.artist),
            image=image,
            picture=self.picture_source(),
        )
        if self.pick is None or not self.pick.holds(self.title, self.artist):
            return artwork
        recognised = self.picture is not None and self.pick.recognised_in == self.picture
        return replace(artwork, id=self.pick.id, found="recognised" if recognised else "picked")

    def picture_source(self) -> PictureSource | None:
        """Where the picture comes from; None without one."""
        if self.picture is None:
            return None
        if self.provenance is None or self.provenance.path != self.picture:
            return PictureSource("file")
        credit = self.provenance.credit
        return PictureSource("commons", **asdict(credit)) if credit else PictureSource("drawn")

    def asked(self) -> str | None:
        """The visitor's own question, None for the standard one."""
        return typed(self.question)

    def settings(self, base: Settings) -> Settings:
        """`base` with the visitor's choices. Raises `UsageError` for a value out of range."""
        return base.replace(
            method=self.method,
            ranking=self.ranking,
            max_iterations=int(self.max_iterations or 0),
            top_k=int(self.top_k or 0),
            source=self.source,
            validator_facts=bool(self.validator_facts),
        )

    def complaints(self, words: Words) -> dict[str, str]:
        """What is wrong, by the name of the field; empty if a run can start."""
        if not (self.picture or typed(self.title) or self.asked()):
            return {"picture": words.nothing_to_explain}
        found = {
            "picture": picture_complaint(self.picture),
            "question": self._question_complaint(),
        }
        return {name: complaint for name, complaint in found.items() if complaint}

    def _question_complaint(self) -> str | None:
        try:
            question_for(Artwork(title=typed(self.title), artist=typed(self.artist)), self.asked())
        except UsageError as error:
            return str(error)
        return None


def credit_of(source: PictureSource | None, words: Words) -> str:
    """Where a picture comes from, in one line."""
    if source is None:
        return words.no_picture
    if source.origin == "file":
        return words.uploaded_picture
    if source.origin == "drawn":
        return words.drawn_picture
    parts = (source.file, source.author, source.licence, words.commons)
    return ", ".join(part for part in parts if part)


def picture_complaint(path: str | None) -> str | None:
    """What is wrong with an uploaded file; None if it is a picture, or if there is no file."""
    try:
        if path:
            open_picture(path)
    except PictureError as error:
        return str(error)
    return None


def standard_question(title: str | None, artist: str | None) -> str:
    """What is asked if the question is left empty."""
    return question_for(Artwork(title=typed(title), artist=typed(artist))).text


def typed(text: str | None) -> str | None:
    """What was typed, without blanks around it; None if that is nothing."""
    return encodable(text or "").strip() or None
