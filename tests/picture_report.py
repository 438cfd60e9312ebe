"""What comes of the odd pictures: `python -m tests.picture_report FOLDER` prints it as JSON.

Every file is opened by `open_picture`, with the decoder forked from this process instead of
started anew, which takes milliseconds, and with less time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from unittest.mock import patch

from PIL import Image

from expartkg import pictures
from expartkg.errors import PictureError
from tests.odd_pictures import CASES, write

SECONDS, SECONDS_OF_SLOW = 2.0, 0.5


@dataclass(frozen=True, slots=True)
class Outcome:
    """A message, or a picture, with its corners from left to right and from top to bottom.

    `told` is what the picture tells beside its pixels, `memory` the most that decoding took, in
    bytes.
    """

    refused: str = ""
    mode: str = ""
    size: tuple[int, ...] = ()
    corners: tuple[tuple[int, ...], ...] = ()
    told: tuple[str, ...] = ()
    memory: int = 0


class Decoder:
    """Stands in for the process that `open_picture` starts."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.memory = 0

    def __call__(self, file: Path) -> subprocess.CompletedProcess[bytes]:
        ours, its = os.pipe()
        child = os.fork()
        if child == 0:
            os.dup2(its, sys.stdout.fileno())
            _decode(file, self.seconds)
        os.close(its)
        with open(ours, "rb") as answer:
            content = answer.read()
        _, status, used = os.wait4(child, 0)
        self.memory = used.ru_maxrss * 1024
        return subprocess.CompletedProcess([], os.waitstatus_to_exitcode(status), content)


def _decode(file: Path, seconds: float) -> None:
    """Ends the process as `python -m expartkg.pictures` would."""
    code = 1
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
        code = pictures.main(str(file), str(seconds), str(pictures.MAX_MEMORY))
        sys.stdout.flush()
    finally:
        os._exit(code)


def outcome(file: Path, seconds: float = SECONDS) -> Outcome:
    decoder = Decoder(seconds)
    with patch.object(pictures, "_decoded_elsewhere", decoder):
        try:
            picture = pictures.open_picture(file)
        except PictureError as error:
            return Outcome(refused=str(error), memory=decoder.memory)
    return Outcome(
        mode=picture.mode,
        size=picture.size,
        corners=_corners(picture),
        told=(*map(str, picture.info), *map(str, picture.getexif())),
        memory=decoder.memory,
    )


def _corners(picture: Image.Image) -> tuple[tuple[int, ...], ...]:
    width, height = picture.size
    columns, rows = (width // 9, width * 8 // 9), (height // 9, height * 8 // 9)
    return tuple(pixel(picture, x, y) for y in rows for x in columns)


def pixel(picture: Image.Image, x: int, y: int) -> tuple[int, ...]:
    colour = picture.getpixel((x, y))
    assert isinstance(colour, tuple)
    return tuple(map(int, colour))


if __name__ == "__main__":
    Image.init()
    outcomes = [
        outcome(write(case, Path(sys.argv[1])), SECONDS_OF_SLOW if case.slow else SECONDS)
        for case in CASES
    ]
    print(json.dumps([asdict(each) for each in outcomes]))
