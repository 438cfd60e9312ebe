"""Opening a picture safely, for the page, the command line and the API alike.

Whatever the file is, the result is a plain RGB picture without metadata, or a `PictureError` that
says what is wrong and what to do. A small file can keep a decoder busy for hours or make it fill
the memory, in more ways than a look at it can tell. So each is decoded in a process of its own
(`python -m expartkg.pictures`), which has little time and memory and takes nobody along if it dies.
"""

from __future__ import annotations

import base64
import logging
import math
import os
import struct
import subprocess
import sys
import threading
from functools import lru_cache
from io import BytesIO
from pathlib import Path

from PIL import AvifImagePlugin, ExifTags, Image, ImageCms, UnidentifiedImageError

from expartkg.errors import PictureError

FORMATS = ("JPEG", "PNG", "WEBP", "TIFF", "BMP", "GIF", "AVIF")
FORMAT_NAMES = "JPEG, PNG, WebP, TIFF, BMP, GIF or AVIF"
MAX_BYTES = 20 * 2**20
MAX_PIXELS = 100_000_000
MAX_SIDE = 2048
MIN_SIDE = 32
REDUCING_GAP = 1.5
"""A picture is averaged in whole steps down to this many times its size, then resampled, which is
slow for each pixel."""
MAX_RATIO = MAX_SIDE // MIN_SIDE

MAX_SECONDS = 2.5
"""Processor time to decode one picture; photographs of 50 million pixels take up to two."""

MAX_WAIT = 60
"""Seconds until a decoder is given up, however busy the machine is."""

MAX_MEMORY = 850 * 2**20
"""Bytes to decode one picture, beside its program's own. Linux keeps to it, others do not."""

AT_ONCE = 2
"""Decoders that may run at a time, whoever uploads: a bound of memory for the whole page."""

KEPT = 4
"""Opened pictures that are kept, of 16 MB at most."""

REFUSED = 3
"""The exit code of a decoder that wrote a message instead of a picture."""

TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""What makes a picture upright, by the orientation that EXIF gives it."""

log = logging.getLogger(__name__)
_DECODERS = threading.BoundedSemaphore(AT_ONCE)


def data_url(picture: Image.Image, format: str, **options: object) -> str:
    """A picture that is part of a text; `format` and `options` are those of Pillow's `save`."""
    file = BytesIO()
    picture.save(file, format, **options)
    content = base64.b64encode(file.getvalue()).decode("ascii")
    return f"data:image/{format.lower()};base64,{content}"


def open_picture(path: str | os.PathLike[str]) -> Image.Image:
    """The picture in a file: RGB, upright, its first frame, the longest side at most 2048 pixels.

    Colours are sRGB, transparent parts white, 16-bit and floating-point greys scaled to 8 bits,
    and all metadata is dropped. The last pictures are kept, because the page opens one when it is
    uploaded and again when a run begins; each caller gets a copy. Raises `PictureError`, also for
    formats other than `FORMATS`.
    """
    file = Path(path)
    found = _checked(file)
    return _opened(file.absolute(), found.st_size, found.st_mtime_ns).copy()


@lru_cache(maxsize=KEPT)
def _opened(file: Path, size: int, changed: int) -> Image.Image:
    """`size` and `changed` tell a file from one that had its name before."""
    answer = _decoded_elsewhere(file)
    if answer.returncode == REFUSED:
        raise PictureError(answer.stdout.decode())
    if answer.returncode < 0:
        raise PictureError(_too_costly(file))
    if answer.returncode > 0:
        log.error("The decoder of %s broke down: %s", file, answer.stderr.decode(errors="replace"))
        raise PictureError(
            f"{_name(file)} cannot be opened: its decoder broke down; save it as JPEG or PNG."
        )
    with Image.open(BytesIO(answer.stdout), formats=["PPM"]) as picture:
        return picture.copy()


def _decoded_elsewhere(file: Path) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-W", "ignore", "-m", "expartkg.pictures"]
    try:
        with _DECODERS:
            return subprocess.run(
                [*command, str(file), str(MAX_SECONDS), str(MAX_MEMORY)],
                cwd=Path(__file__).resolve().parents[1],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=MAX_WAIT,
                check=False,
            )
    except subprocess.TimeoutExpired as error:
        raise PictureError(_too_costly(file)) from error
    except OSError as error:
        raise PictureError(
            f"{_name(file)} cannot be opened, as no process can be started ({error.strerror}); "
            "go on without a picture, or try again later."
        ) from error


def main(file: str, seconds: str, memory: str) -> int:
    """Decodes within limits. To stdout goes the picture as PPM, or the reason why there is none."""
    _limit_this_process(float(seconds), int(memory))
    try:
        decode_picture(Path(file)).save(sys.stdout.buffer, "PPM")
    except PictureError as error:
        sys.stdout.buffer.write(str(error).encode())
        return REFUSED
    return 0


def _limit_this_process(seconds: float, memory: int) -> None:
    if sys.platform == "win32":
        return
    import resource
    import signal

    # It would start a thread for each processor of the machine, and each takes 8 MB.
    AvifImagePlugin.DEFAULT_MAX_THREADS = 1
    # At its end a signal ends the process. RLIMIT_CPU does the same, but in whole seconds.
    signal.setitimer(signal.ITIMER_PROF, seconds)
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    limit = memory if most == resource.RLIM_INFINITY else min(memory, most)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, most))


def decode_picture(file: Path) -> Image.Image:
    """As `open_picture`, but in this process and without limits: for files that are trusted.

    Raises `PictureError`.
    """
    try:
        with Image.open(file, formats=FORMATS) as opened:
            _check_size(file, opened.size)
            return _plain(opened)
    except PictureError:
        raise
    except UnidentifiedImageError as error:
        raise PictureError(
            f"{_name(file)} is not a picture that the guide can read; use {FORMAT_NAMES}."
        ) from error
    except Image.DecompressionBombError as error:
        raise PictureError(_too_many_pixels(file)) from error
    except MemoryError as error:
        raise PictureError(_too_costly(file)) from error
    except Exception as error:
        # The decoders raise almost anything at a damaged file, from EOFError to IndexError.
        raise PictureError(_damaged(file)) from error


def _checked(file: Path) -> os.stat_result:
    try:
        found = file.stat()
    except (OSError, ValueError) as error:
        raise PictureError(f"There is no file {_name(file)}; check its name.") from error
    if file.is_dir():
        raise PictureError(f"{_name(file)} is a folder; give a picture file.")
    if not file.is_file() or not os.access(file, os.R_OK):
        raise PictureError(
            f"{_name(file)} cannot be read; check that it is a file that you may open."
        )
    if found.st_size == 0:
        raise PictureError(f"{_name(file)} is empty; save or download it again.")
    if found.st_size > MAX_BYTES:
        raise PictureError(
            f"{_name(file)} has {found.st_size / 2**20:.0f} MB and the limit is "
            f"{MAX_BYTES // 2**20} MB; save it smaller, for example as a JPEG."
        )
    return found


def _check_size(file: Path, size: tuple[int, int]) -> None:
    if math.prod(size) > MAX_PIXELS:
        raise PictureError(_too_many_pixels(file))
    if min(size) < MIN_SIDE:
        raise PictureError(
            f"{_name(file)} is only {_in_words(size)}; "
            f"use a picture of at least {MIN_SIDE} pixels on each side."
        )
    if max(size) > MAX_RATIO * min(size):
        raise PictureError(
            f"{_name(file)} is {_in_words(size)}, too long and thin; cut out a part of it."
        )


def _in_words(size: tuple[int, int]) -> str:
    return f"{size[0]} × {size[1]} pixels"


def _name(file: Path) -> str:
    """The name without its folders, fit for one line of a message."""
    name = "".join(sign if sign.isprintable() else "?" for sign in file.name or str(file))
    return name if len(name) <= 80 else f"{name[:50]}…{name[-20:]}"


def _too_many_pixels(file: Path) -> str:
    return (
        f"{_name(file)} has more than {MAX_PIXELS // 10**6} million pixels; "
        "save it with fewer, about 2,000 on each side are plenty."
    )


def _too_costly(file: Path) -> str:
    return (
        f"{_name(file)} needs too much time or memory to be opened; "
        "save it again with fewer pixels, as JPEG or PNG."
    )


def _damaged(file: Path) -> str:
    return (
        f"{_name(file)} is damaged or incomplete, or of a rare kind; "
        "download it again, or save it as JPEG or PNG."
    )


def _plain(opened: Image.Image) -> Image.Image:
    """Shrinks before it converts, so that a large picture is held in memory once or twice."""
    opened.draft(None, _fitting(opened.size))
    opened.load()
    turn = _turn(opened)
    small = _resizable(opened)
    small.thumbnail((MAX_SIDE, MAX_SIDE), Image.Resampling.LANCZOS, REDUCING_GAP)
    colours = _in_srgb(_on_white(small), opened.info.get("icc_profile"))
    plain = Image.new("RGB", colours.size)
    plain.paste(colours)
    return plain if turn is None else plain.transpose(turn)


def _fitting(size: tuple[int, int]) -> tuple[int, int]:
    scale = min(1, MAX_SIDE / max(size))
    return round(size[0] * scale), round(size[1] * scale)


def _turn(opened: Image.Image) -> Image.Transpose | None:
    """What EXIF asks for. If it is broken, nothing: that does the picture itself no harm."""
    try:
        return TURNS.get(opened.getexif().get(ExifTags.Base.Orientation, 1))
    except (SyntaxError, ValueError, struct.error):
        return None


def _resizable(picture: Image.Image) -> Image.Image:
    """In a mode of 8 bits that can be averaged, as palettes and bitmaps cannot."""
    if picture.mode.startswith(("I", "F")):
        return _eight_bits(picture)
    if picture.mode == "1":
        return picture.convert("L")
    if picture.has_transparency_data:
        # Premultiplied, so that colours which nobody sees do not show.
        return picture.convert("RGBA").convert("RGBa")
    return picture if picture.mode in ("RGB", "L", "CMYK") else picture.convert("RGB")


def _eight_bits(picture: Image.Image) -> Image.Image:
    """Greys of more bits as 0 to 255; Pillow alone would cut them off at 255."""
    values = picture.convert("F")
    black, white = _range(values)
    scale = 255 / (white - black or 1)
    return values.point(lambda value: value * scale - black * scale).convert("L")


def _range(picture: Image.Image) -> tuple[float, float]:
    """The values of black and white: those of 16 bits, unless the picture itself goes beyond."""
    mean = picture.reduce(picture.size).getpixel((0, 0))
    lowest, highest = picture.getextrema()
    assert isinstance(mean, float)
    assert isinstance(lowest, float)
    assert isinstance(highest, float)
    if not math.isfinite(mean):
        raise ValueError("some values are infinite or not numbers")
    if 255 < highest <= 65535 and lowest >= 0:
        return 0.0, 65535.0
    return lowest, highest


def _on_white(picture: Image.Image) -> Image.Image:
    if picture.mode != "RGBa":
        return picture
    white = Image.new("RGBA", picture.size, "white")
    return Image.alpha_composite(white, picture.convert("RGBA")).convert("RGB")


def _in_srgb(picture: Image.Image, profile: bytes | None) -> Image.Image:
    """RGB as screens show it. Without a profile that fits, the colours are taken as they are.

    That would make a wide-gamut photograph dull, and the colours of print glaring.
    """
    if not profile:
        return picture.convert("RGB")
    try:
        its_own = ImageCms.ImageCmsProfile(BytesIO(profile))
        screen = ImageCms.createProfile("sRGB")
        shown = ImageCms.profileToProfile(picture, its_own, screen, outputMode="RGB")
    except (ImageCms.PyCMSError, OSError, TypeError):
        return picture.convert("RGB")
    assert shown is not None
    return shown


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
