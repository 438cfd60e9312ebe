"""What the page says about an uploaded picture, and what using that fills in. No gradio."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from expartkg.commons.addresses import file_name, file_page
from expartkg.errors import CommonsError
from expartkg.recognition import Likeness, Recognition
from expartkg.retrieval.works import Work
from expartkg.ui.chooser import Chooser
from expartkg.ui.form import Pick, typed

OTHERS_SHOWN = 3

State = Literal["looking", "failed", "unknown", "proposed", "used", "refused"]


@dataclass(frozen=True, slots=True)
class Seen:
    """An uploaded picture, what was recognised in it once that is known, and a visitor's no.

    `problem` is why it could not be looked up.
    """

    picture: str
    recognition: Recognition | None = None
    is_refused: bool = False
    problem: str = ""

    @property
    def work(self) -> Likeness | None:
        return self.recognition.work if self.recognition else None


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is to be said: `work` is as `like` the picture as that, `others` are less like it.

    `known` is how many works the guide knows by their pictures, `address` where the work's is,
    and `problem` why it could not look.
    """

    state: State
    known: int = 0
    work: Work | None = None
    like: Likeness | None = None
    address: str = ""
    others: tuple[tuple[Work, Likeness], ...] = ()
    problem: str = ""


def is_used(pick: Pick | None, title: str | None, artist: str | None, picture: str | None) -> bool:
    """Whether the fields say what was recognised in this picture."""
    return bool(pick and picture and pick.recognised_in == picture and pick.holds(title, artist))


def is_outdated(
    pick: Pick | None, title: str | None, artist: str | None, picture: str | None
) -> bool:
    """Whether the fields say what was recognised in a picture that is not there any more."""
    if pick is None or pick.recognised_in in (None, picture):
        return False
    return pick.holds(title, artist)


def agreed(seen: Seen | None, picture: str | None, chooser: Chooser) -> Pick | None:
    """What using the recognised work fills in; None if there is no such work."""
    if seen is None or seen.picture != picture or seen.work is None:
        return None
    pick = chooser.pick(seen.work.id)
    return replace(pick, recognised_in=seen.picture) if pick else None


def proposal_for(
    seen: Seen | None,
    pick: Pick | None,
    title: str | None,
    artist: str | None,
    picture: str | None,
    chooser: Chooser,
) -> Proposal | None:
    """What is said about the picture in view of the fields; None if there is nothing to say."""
    if seen is None or seen.picture != picture:
        return None
    used = is_used(pick, title, artist, picture)
    if typed(title) and not used:
        return None
    if seen.problem:
        return Proposal("failed", problem=seen.problem)
    if seen.recognition is None:
        return Proposal("looking")
    if seen.work is None:
        return Proposal("unknown", seen.recognition.known)
    state: State = "used" if used else "refused" if seen.is_refused else "proposed"
    return _about(seen.work, state, seen.recognition, chooser)


def _about(like: Likeness, state: State, recognition: Recognition, chooser: Chooser) -> Proposal:
    shown = recognition.likenesses[: 1 + OTHERS_SHOWN]
    work, *others = chooser.works([each.id for each in shown])
    address, less_like = _commons_page(work, chooser), zip(others, shown[1:], strict=True)
    return Proposal(state, recognition.known, work, like, address, tuple(less_like))


def _commons_page(work: Work, chooser: Chooser) -> str:
    """Where the work's picture can be looked at; empty where the graph has none on Commons."""
    address = chooser.image(work)
    try:
        return file_page(file_name(address)) if address else ""
    except CommonsError:
        return ""
