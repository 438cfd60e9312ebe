"""Every kind of odd file is drawn here, in a temporary folder."""

from __future__ import annotations

import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from expartkg.errors import PictureError
from expartkg.pictures import FORMATS, MAX_BYTES, MAX_SIDE, MIN_SIDE, open_picture

RED, BLUE = (220, 30, 30), (20, 60, 200)


def drawn(size: tuple[int, int] = (160, 100)) -> Image.Image:
    """Blue, with a red upper left quarter: so that a wrong turn shows."""
    picture = Image.new("RGB", size, BLUE)
    picture.paste(RED, (0, 0, size[0] // 2, size[1] // 2))
    return picture


def near(pixel: object, colour: tuple[int, int, int]) -> bool:
    assert isinstance(pixel, tuple)
    return all(abs(is_ - should) < 25 for is_, should in zip(pixel, colour, strict=True))


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_opens_as_rgb(tmp_path: Path, format: str) -> None:
    file = tmp_path / "work"
    drawn().save(file, format)
    picture = open_picture(file)
    assert (picture.mode, picture.size) == ("RGB", (160, 100))
    assert near(picture.getpixel((10, 10)), RED)
    assert near(picture.getpixel((150, 90)), BLUE)


def test_the_name_does_not_matter(tmp_path: Path) -> None:
    file = tmp_path / "Gemälde & co. ’1%.jpg"
    drawn().save(file, "PNG")
    assert open_picture(str(file)).size == (160, 100)


def test_rotated_by_exif_and_metadata_dropped(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was held upright
    exif[0x010E] = "a secret"
    drawn().save(tmp_path / "phone.jpg", exif=exif, comment=b"another")
    picture = open_picture(tmp_path / "phone.jpg")
    assert picture.size == (100, 160)
    assert near(picture.getpixel((90, 10)), RED)
    assert not picture.info
    assert not picture.getexif()


def test_large_pictures_are_made_smaller(tmp_path: Path) -> None:
    drawn((5000, 1000)).save(tmp_path / "wide.jpg")
    assert open_picture(tmp_path / "wide.jpg").size == (MAX_SIDE, 410)


def sixteen_bits(size: tuple[int, int] = (64, 64)) -> Image.Image:
    """A ramp over the whole range, from black on the left to white on the right."""
    width, height = size
    row = b"".join(struct.pack("<H", 65535 * x // (width - 1)) for x in range(width))
    return Image.frombytes("I;16", size, row * height)


@pytest.mark.parametrize("name", ["grey.png", "grey.tif"])
def test_sixteen_bit_greys_keep_their_tones(tmp_path: Path, name: str) -> None:
    sixteen_bits().save(tmp_path / name)
    picture = open_picture(tmp_path / name)
    tones = [picture.getpixel((x, 30)) for x in (0, 32, 63)]
    assert near(tones[0], (0, 0, 0))
    assert near(tones[1], (129, 129, 129))
    assert near(tones[2], (255, 255, 255))


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-3.0, 900000.0)])
def test_floating_point_greys_are_scaled(tmp_path: Path, low: float, high: float) -> None:
    picture = Image.new("F", (64, 64), low)
    picture.paste(high, (32, 0, 64, 64))
    picture.save(tmp_path / "scan.tif")
    opened = open_picture(tmp_path / "scan.tif")
    assert opened.getpixel((5, 5)) == (0, 0, 0)
    assert opened.getpixel((60, 5)) == (255, 255, 255)


def test_a_single_grey_is_no_division_by_zero(tmp_path: Path) -> None:
    Image.new("F", (64, 64), 0.5).save(tmp_path / "flat.tif")
    assert open_picture(tmp_path / "flat.tif").size == (64, 64)


def test_cmyk(tmp_path: Path) -> None:
    drawn().convert("CMYK").save(tmp_path / "print.jpg")
    assert near(open_picture(tmp_path / "print.jpg").getpixel((10, 10)), RED)


def test_transparent_parts_are_white(tmp_path: Path) -> None:
    picture = drawn().convert("RGBA")
    picture.putalpha(Image.new("L", picture.size, 0))
    picture.save(tmp_path / "glass.png")
    assert open_picture(tmp_path / "glass.png").getpixel((10, 10)) == (255, 255, 255)


@pytest.mark.parametrize("mode", ["P", "L", "LA", "1"])
def test_other_modes(tmp_path: Path, mode: str) -> None:
    drawn().convert(mode).save(tmp_path / "work.png")
    assert open_picture(tmp_path / "work.png").mode == "RGB"


@pytest.mark.parametrize("mode", ["P", "L", "1"])
def test_a_transparent_colour_is_white(tmp_path: Path, mode: str) -> None:
    picture = Image.new(mode, (64, 64), 0)
    if mode == "P":
        picture.putpalette([*RED, *BLUE])
    picture.save(tmp_path / "work.png", transparency=0)
    assert open_picture(tmp_path / "work.png").getpixel((5, 5)) == (255, 255, 255)


@pytest.mark.parametrize("name", ["moving.gif", "moving.webp", "moving.png"])
def test_the_first_frame(tmp_path: Path, name: str) -> None:
    frames = [Image.new("RGB", (64, 64), colour) for colour in (RED, BLUE)]
    frames[0].save(tmp_path / name, save_all=True, append_images=frames[1:], duration=100)
    assert near(open_picture(tmp_path / name).getpixel((5, 5)), RED)


def a_missing_file(folder: Path) -> Path:
    return folder / "nowhere.jpg"


def a_folder(folder: Path) -> Path:
    return folder


def an_empty_file(folder: Path) -> Path:
    return written(folder, b"")


def a_text(folder: Path) -> Path:
    return written(folder, b"This is no picture.\n" * 50)


def a_drawing_in_svg(folder: Path) -> Path:
    return written(folder, b'<svg xmlns="http://www.w3.org/2000/svg"><script>x()</script></svg>')


def a_header_alone(folder: Path) -> Path:
    return written(folder, whole(folder, "JPEG")[:30])


def half_a_jpeg(folder: Path) -> Path:
    data = whole(folder, "JPEG")
    return written(folder, data[: len(data) // 2])


def half_a_png(folder: Path) -> Path:
    data = whole(folder, "PNG")
    return written(folder, data[: len(data) // 2])


def too_many_bytes(folder: Path) -> Path:
    return written(folder, whole(folder, "JPEG") + b"\0" * MAX_BYTES)


def too_many_pixels(folder: Path) -> Path:
    return written(folder, blank_png(12_000, 9_000))


def far_too_many_pixels(folder: Path) -> Path:
    return written(folder, blank_png(60_000, 60_000, rows=1))


def too_small(folder: Path) -> Path:
    drawn((MIN_SIDE - 1, 500)).save(folder / "work.png")
    return folder / "work.png"


def another_format(folder: Path) -> Path:
    drawn().save(folder / "work.pdf", "PDF")
    return folder / "work.pdf"


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (a_missing_file, "There is no file"),
        (a_folder, "is a folder"),
        (an_empty_file, "is empty"),
        (a_text, "is not a picture"),
        (a_drawing_in_svg, "is not a picture"),
        (another_format, "is not a picture"),
        (a_header_alone, "is not a picture|is damaged"),
        (half_a_jpeg, "is damaged or incomplete"),
        (half_a_png, "is damaged or incomplete"),
        (too_many_bytes, "has 20 MB and the limit is 20 MB"),
        (too_many_pixels, "more than 100 million pixels"),
        (far_too_many_pixels, "more than 100 million pixels"),
        (too_small, "is only 31 × 500 pixels"),
    ],
)
@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
def test_bad_files_say_what_is_wrong(
    tmp_path: Path, made: Callable[[Path], Path], said: str
) -> None:
    with pytest.raises(PictureError, match=said) as caught:
        open_picture(made(tmp_path))
    message = str(caught.value)
    assert "\n" not in message
    assert message.endswith(".")


def test_a_cut_file_is_refused_at_any_length(tmp_path: Path) -> None:
    data = whole(tmp_path, "PNG")
    for length in range(1, len(data) - 40, 7):  # what is behind is checksums and an empty chunk
        with pytest.raises(PictureError):
            open_picture(written(tmp_path, data[:length]))


def test_opening_pictures_needs_no_page() -> None:
    code = "import sys, expartkg.pictures; sys.exit('gradio' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def written(folder: Path, data: bytes) -> Path:
    file = folder / "written.jpg"
    file.write_bytes(data)
    return file


def whole(folder: Path, format: str) -> bytes:
    """A picture of noise, which does not compress: cut anywhere, picture data is missing."""
    noise = Image.effect_noise((64, 64), 80)
    noise.save(folder / "whole", format)
    return (folder / "whole").read_bytes()


def blank_png(width: int, height: int, rows: int | None = None) -> bytes:
    """A PNG of one bit a pixel, written by hand: small on disk, huge in memory."""
    packer = zlib.compressobj(9)
    row = bytes(1 + (width + 7) // 8)
    data = b"".join(packer.compress(row) for _ in range(rows or height)) + packer.flush()
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", data), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(name, content) for name, content in chunks)


def chunk(name: bytes, content: bytes) -> bytes:
    checksum = struct.pack(">I", zlib.crc32(name + content))
    return struct.pack(">I", len(content)) + name + content + checksum
