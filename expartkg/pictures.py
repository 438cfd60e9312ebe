"""Opening a picture safely, for the page, the command line and the API alike.

Whatever the file is, the result is a plain RGB picture without metadata, or a `PictureError` that
says what is wrong and what to do. Nothing is decoded before its size is known.
"""

from __future__ import annotations

import os
import warnings
from pathlib import Path

from PIL import Image, ImageOps, UnidentifiedImageError

from expartkg.errors import PictureError

FORMATS = ("JPEG", "PNG", "WEBP", "TIFF", "BMP", "GIF", "AVIF")
FORMAT_NAMES = "JPEG, PNG, WebP, TIFF, BMP, GIF or AVIF"
MAX_BYTES = 20 * 2**20
MAX_PIXELS = 100_000_000
MAX_SIDE = 2048
MIN_SIDE = 32

# Pillow warns at 89 million pixels; the limit here is this module's own, and it is checked.
warnings.filterwarnings("ignore", category=Image.DecompressionBombWarning)


def open_picture(path: str | os.PathLike[str]) -> Image.Image:
    """The picture in a file: RGB, upright, its first frame, the longest side at most 2048 pixels.

    Transparent parts become white, 16-bit and floating-point greys are scaled to 8 bits, and all
    metadata is dropped. Formats other than `FORMATS` are refused. Raises `PictureError`.
    """
    file = Path(path)
    _check_file(file)
    try:
        with Image.open(file, formats=FORMATS) as opened:
            _check_size(file, opened.size)
            return _plain(opened)
    except PictureError:
        raise
    except UnidentifiedImageError as error:
        raise PictureError(
            f"{file.name} is not a picture that the guide can read; use {FORMAT_NAMES}."
        ) from error
    except Image.DecompressionBombError as error:
        raise PictureError(_too_many_pixels(file)) from error
    except MemoryError as error:
        raise PictureError(
            f"{file.name} needs more memory than there is; save it with fewer pixels."
        ) from error
    except Exception as error:
        # The decoders raise almost anything at a damaged file, from EOFError to IndexError.
        raise PictureError(
            f"{file.name} is damaged or incomplete; save or download it again."
        ) from error


def _check_file(file: Path) -> None:
    if file.is_dir():
        raise PictureError(f"{file} is a folder; give a picture file.")
    if not file.exists():
        raise PictureError(f"There is no file {file}; check its name.")
    if not file.is_file() or not os.access(file, os.R_OK):
        raise PictureError(f"{file} cannot be read; check that it is a file that you may open.")
    size = file.stat().st_size
    if size == 0:
        raise PictureError(f"{file.name} is empty; save or download it again.")
    if size > MAX_BYTES:
        raise PictureError(
            f"{file.name} has {size / 2**20:.0f} MB and the limit is {MAX_BYTES // 2**20} MB; "
            "save it smaller, for example as a JPEG."
        )


def _check_size(file: Path, size: tuple[int, int]) -> None:
    width, height = size
    if width * height > MAX_PIXELS:
        raise PictureError(_too_many_pixels(file))
    if min(size) < MIN_SIDE:
        raise PictureError(
            f"{file.name} is only {width} × {height} pixels; "
            f"use a picture of at least {MIN_SIDE} pixels on each side."
        )


def _too_many_pixels(file: Path) -> str:
    return (
        f"{file.name} has more than {MAX_PIXELS // 10**6} million pixels; "
        "save it with fewer, about 2,000 on each side are plenty."
    )


def _plain(opened: Image.Image) -> Image.Image:
    """Shrinks before it converts, so that a large picture is held in memory once or twice."""
    opened.draft(None, (MAX_SIDE, MAX_SIDE))
    ImageOps.exif_transpose(opened, in_place=True)
    small = _resizable(opened)
    small.thumbnail((MAX_SIDE, MAX_SIDE), Image.Resampling.LANCZOS)
    colours = _on_white(_eight_bits(small))
    plain = Image.new("RGB", colours.size)
    plain.paste(colours)
    return plain


def _resizable(picture: Image.Image) -> Image.Image:
    """In a mode that can be averaged: palettes and bitmaps cannot, nor can all 16-bit modes."""
    if picture.mode.startswith("I"):
        return picture.convert("F")
    wanted = ("RGBA",) if picture.has_transparency_data else ("RGB", "L", "F")
    return picture if picture.mode in wanted else picture.convert(wanted[0])


def _eight_bits(picture: Image.Image) -> Image.Image:
    """Floating-point greys as 0 to 255; Pillow alone would cut them off at 255."""
    if picture.mode != "F":
        return picture
    lowest, highest = _range(picture)
    scale = 255 / (highest - lowest or 1)
    return picture.point(lambda value: value * scale - lowest * scale).convert("L")


def _range(picture: Image.Image) -> tuple[float, float]:
    """The values of black and white: those of 16 bits, unless the picture itself goes beyond."""
    lowest, highest = picture.getextrema()
    assert isinstance(lowest, float)
    assert isinstance(highest, float)
    if 255 < highest <= 65535 and lowest >= 0:
        return 0.0, 65535.0
    return lowest, highest


def _on_white(picture: Image.Image) -> Image.Image:
    if picture.mode != "RGBA":
        return picture.convert("RGB")
    white = Image.new("RGBA", picture.size, "white")
    return Image.alpha_composite(white, picture).convert("RGB")
