"""What the tests of Commons share: an address, a clock, and how an errand ended."""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path

import pytest
from PIL import Image

from expartkg.commons import Commons
from expartkg.errors import CommonsError, PictureError
from expartkg.pictures import open_picture

P18 = "http://commons.wikimedia.org/wiki/Special:FilePath/Mona%20Lisa.jpg"


class Clock:
    """A clock that goes on only when somebody sleeps, so that waiting takes no time."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    @property
    def waited(self) -> float:
        return self.now - 1000.0


def kept(cache: Path) -> list[Path]:
    return [path for path in cache.rglob("*") if path.is_file()]


def refused(commons: Commons, said: str, address: str = P18, width: int = 960) -> str:
    """The message of the error that fetching ends in."""
    with pytest.raises(CommonsError, match=said) as caught:
        commons.picture(address, width)
    message = str(caught.value)
    assert "\n" not in message
    assert message.endswith(".")
    return message


def opened_once(file: Path) -> Image.Image:
    """`pictures.open_picture`, which takes a while, once for each content."""
    outcome = outcome_of_opening(file.read_bytes())
    if isinstance(outcome, PictureError):
        raise PictureError(str(outcome))
    return outcome


@functools.cache
def outcome_of_opening(content: bytes) -> Image.Image | PictureError:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "The picture"
        with file.open("wb") as written:
            written.write(content)
        try:
            return open_picture(file)
        except PictureError as error:
            return error
