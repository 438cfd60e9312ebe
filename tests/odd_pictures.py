"""Odd files that somebody may upload as a picture, made here byte by byte, and what is right.

    CASES                   all of them
    write(case, folder)     puts one on the disk

Most show the same drawing: blue, with a red upper left quarter, so that a wrong turn or a wrong
colour shows.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PIL import ExifTags, Image, ImageCms, ImageOps

from expartkg import pictures

Colour = tuple[int, int, int]
Pixel = float | tuple[int, ...]
Make = Callable[[], bytes]

RED, BLUE = (220, 30, 30), (20, 60, 200)
BLACK, WHITE = (0, 0, 0), (255, 255, 255)
GREYS = DARK, LIGHT = (60, 60, 60), (190, 190, 190)
SIZE = (160, 100)

NO_PICTURE = "is not a picture"
DAMAGED = "is damaged or incomplete"
COSTLY = "needs too much time or memory"
MANY_PIXELS = "more than 100 million pixels"


@dataclass(frozen=True, slots=True)
class Case:
    """A file, and what opening it gives: a picture of that size and colours, or a refusal.

    `colours` are those of the upper left corner and of the three others; None if any will do.
    A `slow` one takes whatever time it is given.
    """

    what: str
    name: str
    make: Make
    size: tuple[int, int] = SIZE
    colours: tuple[Colour, Colour] | None = (RED, BLUE)
    refused: str | None = None
    slow: bool = False


def write(case: Case, folder: Path) -> Path:
    """The file of a case, in a folder of its own, for names may clash."""
    place = folder / f"case {CASES.index(case)}"
    place.mkdir(exist_ok=True)
    file = place / case.name
    file.write_bytes(case.make())
    return file


def quartered(
    mode: str, upper_left: Pixel, others: Pixel, size: tuple[int, int] = SIZE
) -> Image.Image:
    """A picture of two colours, as values of its mode."""
    picture = Image.new(mode, size, others)
    picture.paste(upper_left, (0, 0, size[0] // 2, size[1] // 2))
    return picture


def drawn(mode: str = "RGB", size: tuple[int, int] = SIZE) -> Image.Image:
    picture = quartered("RGB", RED, BLUE, size)
    return picture.quantize(2) if mode == "P" else picture.convert(mode)


def tones() -> Image.Image:
    """The same in greys."""
    return quartered("L", DARK[0], LIGHT[0])


def noise() -> Image.Image:
    """It does not compress: wherever its file is cut, picture data is missing."""
    return Image.effect_noise((128, 128), 80)


def saved(picture: Image.Image, format: str, **options: object) -> bytes:
    file = io.BytesIO()
    picture.save(file, format, **options)
    return file.getvalue()


# What is no picture


def a_zip() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("readme.txt", "hello")
    return file.getvalue()


def box(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content) + 8) + kind + content


def a_heic(brand: bytes) -> bytes:
    return box(b"ftyp", brand + bytes(4) + b"mif1heic") + box(b"meta", bytes(200))


SVG = b"""<?xml version="1.0"?>
<!DOCTYPE svg [<!ENTITY file SYSTEM "file:///etc/passwd">]>
<svg xmlns="http://www.w3.org/2000/svg"><image href="http://127.0.0.1:9/"/>&file;</svg>"""

NO_PICTURES = [
    Case("an empty file", "empty.jpg", lambda: b"", refused="is empty"),
    Case("a single byte", "byte.png", lambda: b"\x89", refused=NO_PICTURE),
    Case("a text", "text.jpg", lambda: b"This is no picture.\n" * 50, refused=NO_PICTURE),
    Case("a web page", "page.png", lambda: b"<!doctype html><p>Hello", refused=NO_PICTURE),
    Case("a drawing in SVG", "a.svg", lambda: b"<svg onload='x()'></svg>", refused=NO_PICTURE),
    Case("a drawing in SVG called .png", "a.png", lambda: SVG, refused=NO_PICTURE),
    Case("a PDF", "scan.pdf", lambda: saved(drawn(), "PDF"), refused=NO_PICTURE),
    Case("a ZIP", "album.jpg", a_zip, refused=NO_PICTURE),
    Case("a shell script", "run.webp", lambda: b"#!/bin/sh\nexit 1\n", refused=NO_PICTURE),
    Case("a program", "setup.gif", lambda: b"\x7fELF" + bytes(500), refused=NO_PICTURE),
    Case("an icon", "favicon.ico", lambda: saved(drawn(), "ICO"), refused=NO_PICTURE),
    Case("a JPEG 2000", "work.jp2", lambda: saved(drawn(), "JPEG2000"), refused=NO_PICTURE),
    Case("a PPM", "work.ppm", lambda: saved(drawn(), "PPM"), refused=NO_PICTURE),
    Case("a HEIC", "IMG_0001.HEIC", lambda: a_heic(b"heic"), refused=NO_PICTURE),
    Case(
        "a HEIC that says mif1",
        "IMG_0002.HEIC",
        lambda: a_heic(b"mif1"),
        refused=f"{NO_PICTURE}|{DAMAGED}",
    ),
]


# Good files, and the same cut


def good(format: str) -> Case:
    return Case(f"a good {format}", f"work.{format.lower()}", lambda: saved(drawn(), format))


def cut(format: str, share: float) -> Case:
    def make() -> bytes:
        whole = saved(noise(), format)
        return whole[: int(len(whole) * share)]

    # An AVIF has its directory at the beginning, and is unknown if it points to nothing.
    refused = NO_PICTURE if format == "AVIF" else DAMAGED
    return Case(f"{share:.0%} of a {format}", f"cut.{format.lower()}", make, refused=refused)


def header_of(format: str) -> Case:
    return Case(
        f"the first 24 bytes of a {format}",
        f"header.{format.lower()}",
        lambda: saved(noise(), format)[:24],
        refused=f"{NO_PICTURE}|{DAMAGED}",
    )


FORMATS = [
    *(good(format) for format in pictures.FORMATS),
    *(cut(format, share) for format in pictures.FORMATS for share in (0.5, 0.95)),
    *(header_of(format) for format in pictures.FORMATS),
]


# Files that are small and grow


def zeros(length: int) -> bytes:
    """That many zero bytes, compressed by zlib, at once: every block of them looks the same."""
    block, end = 2**20, zlib.compressobj(9, wbits=-15)
    packer = zlib.compressobj(9, wbits=-15)
    packed = packer.compress(bytes(block)) + packer.flush(zlib.Z_FULL_FLUSH)
    rest = end.compress(bytes(length % block)) + end.flush()
    checksum = struct.pack(">I", (length % 65521) << 16 | 1)
    return b"\x78\xda" + packed * (length // block) + rest + checksum


def chunk(name: bytes, content: bytes) -> bytes:
    checksum = struct.pack(">I", zlib.crc32(name + content))
    return struct.pack(">I", len(content)) + name + content + checksum


GREY, TRUE_COLOUR = 0, 2
CHANNELS = {GREY: 1, TRUE_COLOUR: 3}


def png(
    size: tuple[int, int], bits: int, kind: int, packed: bytes | None = None, more: bytes = b""
) -> bytes:
    """A PNG by hand: black, unless the compressed rows are given."""
    width, height = size
    row = 1 + (width * bits * CHANNELS[kind] + 7) // 8
    header = struct.pack(">IIBBBBB", width, height, bits, kind, 0, 0, 0)
    data = chunk(b"IDAT", zeros(row * height) if packed is None else packed)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + more + data + chunk(b"IEND", b"")


def png_with(more: bytes) -> bytes:
    """The drawing, with chunks behind its header."""
    whole = saved(drawn(), "PNG")
    return whole[:33] + more + whole[33:]


def a_huge_gif() -> bytes:
    return b"GIF89a" + struct.pack("<HH", 65535, 65535) + saved(drawn("P"), "GIF")[10:]


def a_jpeg_that_says(size: tuple[int, int]) -> bytes:
    whole = saved(drawn(), "JPEG")
    frame = whole.index(b"\xff\xc0") + 5
    return whole[:frame] + struct.pack(">HH", size[1], size[0]) + whole[frame + 4 :]


def a_bmp_that_says(size: tuple[int, int]) -> bytes:
    whole = saved(drawn(), "BMP")
    return whole[:18] + struct.pack("<ii", *size) + whole[26:]


def a_jpeg_of_many_scans() -> bytes:
    """Each of the 20,000 scans is 34 bytes in the file, and a walk over 16 million pixels."""
    whole = saved(Image.new("L", (4000, 4000), 128), "JPEG", progressive=True)
    end = len(whole) - 2
    last = whole[whole.rindex(b"\xff\xda") : end]
    return whole[:end] + last * 20_000 + whole[end:]


def a_gif_of_comments() -> bytes:
    """Pillow puts a comment together piece by piece, and copies what it has each time."""
    whole = saved(drawn("P"), "GIF")
    start = whole.index(b",", 13 + 3 * 2 ** ((whole[10] & 7) + 1))
    comment = b"!\xfe" + (b"\xff" + b"A" * 255) * 60_000 + b"\0"
    return whole[:start] + comment + whole[start:]


def exif_of_copies() -> bytes:
    """Thirty thousand tags of 700,000 bytes each, which are all the same bytes: 21 GB."""
    length = 720_000
    tags = b"".join(struct.pack("<HHII", tag, 7, 700_000, 0) for tag in range(1000, 31_000))
    return (b"II*\0\x08\0\0\0" + struct.pack("<H", 30_000) + tags).ljust(length, b"\0")


def a_small_webp_of(size: tuple[int, int]) -> bytes:
    """38 bytes: a lossless picture of one colour is its size and hardly more (RFC 9649, 3.4)."""
    whole = saved(Image.new("RGB", SIZE, BLUE), "WEBP", lossless=True, quality=0, method=0)
    header = (size[0] - 1) | (size[1] - 1) << 14
    return whole[:21] + struct.pack("<I", header) + whole[25:]


def an_avif_that_says(size: tuple[int, int]) -> bytes:
    whole = saved(drawn(), "AVIF")
    place = whole.index(b"ispe") + 8
    return whole[:place] + struct.pack(">II", *size) + whole[place + 8 :]


def a_tiff_that_unfolds() -> bytes:
    """A megabyte that is a gigabyte of zeros when unpacked, ten times what the picture needs."""
    data, kind = zeros(2**30), [(258, 3, [8]), (259, 3, [8]), (262, 3, [1]), (277, 3, [1])]
    strip = [(273, 4, [8]), (278, 4, [10_000]), (279, 4, [len(data)])]
    return tiff([*kind, *strip], size=(10_000, 10_000), data=data)


def a_tiff_of_tiles() -> bytes:
    """Two million tiles of one pixel, all of them at the beginning of the file."""
    tiles = bytes(2_000_000)
    return tiff([*LAYOUT, (322, 4, [1]), (323, 4, [1]), (324, 1, tiles)], size=(5000, 5000))


BOMBS = [
    Case(
        "a PNG that says 60,000 pixels square",
        "bomb.png",
        lambda: png((60_000, 60_000), 1, GREY, zeros(9999)),
        refused=MANY_PIXELS,
    ),
    Case(
        "a PNG of the most pixels that a header can say",
        "most.png",
        lambda: png((2**31 - 1, 2**31 - 1), 8, TRUE_COLOUR, zeros(9999)),
        refused=MANY_PIXELS,
    ),
    Case(
        "a PNG without width",
        "none.png",
        lambda: png((0, 100), 8, GREY),
        refused=f"{NO_PICTURE}|{DAMAGED}",
    ),
    Case(
        "a PNG a row over 100 million pixels",
        "over.png",
        lambda: png((10_000, 10_001), 1, GREY),
        refused=MANY_PIXELS,
    ),
    Case(
        "a PNG of exactly 100 million pixels",
        "limit.png",
        lambda: png((10_000, 10_000), 1, GREY),
        size=(2048, 2048),
        colours=(BLACK, BLACK),
    ),
    Case("a GIF with a huge screen", "screen.gif", a_huge_gif, refused=MANY_PIXELS),
    Case(
        "a JPEG that says 65,000 pixels square",
        "bomb.jpg",
        lambda: a_jpeg_that_says((65_000, 65_000)),
        refused=MANY_PIXELS,
    ),
    Case(
        "a JPEG that says 9,000 pixels square",
        "short.jpg",
        lambda: a_jpeg_that_says((9000, 9000)),
        size=(2048, 2048),
        colours=None,
    ),
    Case(
        "a BMP that says 40,000 pixels square",
        "bomb.bmp",
        lambda: a_bmp_that_says((40_000, 40_000)),
        refused=MANY_PIXELS,
    ),
    Case(
        "a TIFF that says two billion pixels square",
        "bomb.tif",
        lambda: tiff([*LAYOUT, (273, 4, [8]), (279, 4, [9])], size=(2**31 - 1, 2**31 - 1)),
        refused=MANY_PIXELS,
    ),
    Case("a TIFF of two million tiles", "tiles.tif", a_tiff_of_tiles, refused=COSTLY, slow=True),
    Case("a JPEG of 20,000 scans", "scans.jpg", a_jpeg_of_many_scans, refused=COSTLY, slow=True),
    Case(
        "a GIF with 15 MB of comment", "comment.gif", a_gif_of_comments, refused=COSTLY, slow=True
    ),
    Case(
        "a PNG of a million chunks",
        "chunks.png",
        lambda: png_with(chunk(b"tEXt", b"a\0b") * 1_000_000),
        refused=COSTLY,
        slow=True,
    ),
    Case(
        "a JPEG of four million segments",
        "segments.jpg",
        lambda: jpeg_with(segment(0xE5, b"") * 4_000_000),
        refused=COSTLY,
        slow=True,
    ),
    Case(
        "a JPEG of 50,000 quantization tables",
        "tables.jpg",
        lambda: jpeg_with(segment(0xDB, b"\0" + bytes(range(1, 65))) * 50_000),
    ),
    Case(
        "a WebP of 100 million pixels in 38 bytes",
        "flat.webp",
        lambda: a_small_webp_of((9999, 9999)),
        refused=f"{COSTLY}|{DAMAGED}",
    ),
    Case(
        "an AVIF that says 60,000 pixels square",
        "bomb.avif",
        lambda: an_avif_that_says((60_000, 60_000)),
        refused=NO_PICTURE,
    ),
    Case(
        "an AVIF that says 3,000 pixels square",
        "lie.avif",
        lambda: an_avif_that_says((3000, 3000)),
        size=(2048, 2048),
        colours=None,
    ),
    Case(
        "a TIFF whose strip unfolds to a gigabyte",
        "strip.tif",
        a_tiff_that_unfolds,
        size=(2048, 2048),
        colours=(BLACK, BLACK),
    ),
    Case(
        "a TIFF of 39,000 tags",
        "tags.tif",
        lambda: tiff_of_tones(*((tag, 3, [1]) for tag in range(1000, 40_000))),
        colours=GREYS,
    ),
    Case(
        "a JPEG whose EXIF unfolds to 21 GB",
        "exif bomb.jpg",
        lambda: jpeg_with(exif_segments(exif_of_copies())),
        refused=COSTLY,
    ),
    Case(
        "a PNG with a gigabyte of text",
        "text.png",
        lambda: png_with(chunk(b"zTXt", b"Comment\0\0" + zeros(2**30))),
        refused=DAMAGED,
    ),
    Case(
        "a PNG with a hundred megabytes of text in small parts",
        "texts.png",
        lambda: png_with(chunk(b"zTXt", b"Comment\0\0" + zeros(10**6)) * 100),
        refused=DAMAGED,
    ),
    Case(
        "a PNG with a gigabyte of colour profile",
        "profile.png",
        lambda: png_with(chunk(b"iCCP", b"Profile\0\0" + zeros(2**30))),
        refused=DAMAGED,
    ),
    Case(
        "more bytes than the limit",
        "large.jpg",
        lambda: saved(drawn(), "JPEG") + bytes(pictures.MAX_BYTES),
        refused="the limit is 20 MB",
    ),
]


# Many frames


def moving(format: str, number: int) -> bytes:
    """The drawing, and then frames of grey."""
    others = [Image.new("L", SIZE, grey % 256) for grey in range(number - 1)]
    return saved(drawn(), format, save_all=True, append_images=others, duration=40)


def a_gif_of_many_frames() -> bytes:
    """Two hundred thousand frames of one pixel, 23 bytes each."""
    frame = b"!\xf9\4\0\1\0\0\0," + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + b"\2\2\x44\1\0"
    return saved(drawn("P"), "GIF")[:-1] + frame * 200_000 + b";"


def a_png_of_many_frames() -> bytes:
    """Fifty thousand frames of one pixel."""
    number, data = 50_000, zlib.compress(bytes(4))
    frames = b"".join(
        chunk(b"fcTL", struct.pack(">5I2H2B", 2 * frame, 1, 1, 0, 0, 1, 25, 0, 0))
        + chunk(b"fdAT", struct.pack(">I", 2 * frame + 1) + data)
        for frame in range(number)
    )
    whole = png_with(chunk(b"acTL", struct.pack(">II", number, 0)))
    return whole[:-12] + frames + whole[-12:]


FRAMES = [
    Case("a GIF of 200,000 frames", "frames.gif", a_gif_of_many_frames),
    Case("a PNG of 50,000 frames", "frames.png", a_png_of_many_frames),
    Case("a GIF of 500 frames", "moving.gif", lambda: moving("GIF", 500)),
    Case("a PNG of 50 frames", "moving.png", lambda: moving("PNG", 50)),
    Case("a WebP of 20 frames", "moving.webp", lambda: moving("WEBP", 20)),
    Case("an AVIF of 5 frames", "moving.avif", lambda: moving("AVIF", 5)),
    Case("a TIFF of 50 pages", "pages.tif", lambda: moving("TIFF", 50)),
    Case("a JPEG with a second picture", "stereo.jpg", lambda: moving("MPO", 2)),
    Case(
        "a JPEG that has lost its second picture",
        "mono.jpg",
        lambda: moving("MPO", 2)[:-200],
    ),
]


# TIFF

Tag = tuple[int, int, Sequence[int]]
TYPES = {1: "B", 2: "B", 3: "H", 4: "I"}
LAYOUT: list[Tag] = [(258, 3, [8]), (259, 3, [1]), (262, 3, [1]), (277, 3, [1])]
ONE_STRIP: list[Tag] = [(273, 4, [8]), (278, 4, [SIZE[1]]), (279, 4, [SIZE[0] * SIZE[1]])]


def tiff(tags: Iterable[Tag], size: tuple[int, int] = SIZE, data: bytes = b"") -> bytes:
    """A TIFF by hand: `data` at byte 8, then the directory, then what does not fit into it."""
    tags = sorted([(256, 4, [size[0]]), (257, 4, [size[1]]), *tags])
    end = 8 + len(data) + 2 + 12 * len(tags) + 4
    directory, more = struct.pack("<H", len(tags)), b""
    for tag, type, values in tags:
        content = struct.pack(f"<{len(values)}{TYPES[type]}", *values)
        directory += struct.pack("<HHI", tag, type, len(values))
        if len(content) <= 4:
            directory += content.ljust(4, b"\0")
        else:
            directory += struct.pack("<I", end + len(more))
            more += content
    return b"II*\0" + struct.pack("<I", 8 + len(data)) + data + directory + bytes(4) + more


def tiff_of_tones(*tags: Tag) -> bytes:
    return tiff([*LAYOUT, *ONE_STRIP, *tags], data=tones().tobytes())


def chained(whole: bytes, following: int) -> bytes:
    """With another directory after the first."""
    (start,) = struct.unpack("<I", whole[4:8])
    (tags,) = struct.unpack("<H", whole[start : start + 2])
    place = start + 2 + 12 * tags
    return whole[:place] + struct.pack("<I", following) + whole[place + 4 :]


def a_looping_tiff() -> bytes:
    whole = tiff_of_tones()
    return chained(whole, struct.unpack("<I", whole[4:8])[0])


def an_endless_tiff() -> bytes:
    whole = tiff_of_tones()
    start = len(whole)
    links = (struct.pack("<HI", 0, start + 6 * number) for number in range(1, 300_000))
    return chained(whole, start) + b"".join(links)


def floats(black: float, white: float, *odd: float) -> bytes:
    picture = quartered("F", black, white)
    for x, value in enumerate(odd):
        picture.putpixel((100 + x, 60), value)
    return saved(picture, "TIFF")


def doubled(data: bytes) -> bytes:
    """Samples of 8 bits as 16: the same tones, for 65535 is 257 times 255."""
    return bytes(byte for byte in data for _ in range(2))


def sixteen_bits(mode: str) -> Image.Image:
    return Image.frombytes("I;16", SIZE, doubled(tones().tobytes())).convert("I").convert(mode)


def three_times_sixteen_bits() -> bytes:
    samples, row = doubled(drawn().tobytes()), 6 * SIZE[0]
    rows = (b"\0" + samples[start : start + row] for start in range(0, len(samples), row))
    return png(SIZE, 16, TRUE_COLOUR, zlib.compress(b"".join(rows)))


DEPTHS = [
    Case("a TIFF whose pages loop", "loop.tif", a_looping_tiff, colours=GREYS),
    Case("a TIFF of 300,000 pages", "endless.tif", an_endless_tiff, colours=GREYS),
    Case(
        "a TIFF with 5 MB of description",
        "told.tif",
        lambda: tiff_of_tones((270, 2, b"A" * 5_000_000)),
        colours=GREYS,
    ),
    Case(
        "a TIFF of half its strips",
        "strips.tif",
        lambda: tiff([*LAYOUT, *ONE_STRIP], data=tones().tobytes()[:8000]),
        refused=DAMAGED,
    ),
    *(
        Case(
            f"a TIFF packed by {packing}",
            f"{packing}.tif",
            partial(saved, drawn(), "TIFF", compression=packing),
        )
        for packing in ("tiff_lzw", "tiff_adobe_deflate", "packbits", "jpeg")
    ),
    Case("a big TIFF", "big.tif", lambda: saved(drawn(), "TIFF", big_tiff=True)),
    Case(
        "a fax",
        "fax.tif",
        lambda: saved(tones().point(lambda tone: tone > 99, "1"), "TIFF", compression="group4"),
        colours=(BLACK, WHITE),
    ),
    Case(
        "a grey PNG of 16 bits",
        "deep.png",
        lambda: saved(sixteen_bits("I;16"), "PNG"),
        colours=GREYS,
    ),
    Case("a colour PNG of 16 bits", "deeper.png", three_times_sixteen_bits),
    Case(
        "a grey TIFF of 16 bits",
        "deep.tif",
        lambda: saved(sixteen_bits("I;16"), "TIFF"),
        colours=GREYS,
    ),
    Case(
        "a grey TIFF of 16 bits, high byte first",
        "motorola.tif",
        lambda: saved(sixteen_bits("I;16B"), "TIFF"),
        colours=GREYS,
    ),
    Case(
        "a grey TIFF of 32 bits",
        "integers.tif",
        lambda: saved(sixteen_bits("I"), "TIFF"),
        colours=GREYS,
    ),
    Case("a TIFF from 0 to 1", "unit.tif", lambda: floats(0, 1), colours=(BLACK, WHITE)),
    Case(
        "a TIFF from -3 to a million",
        "range.tif",
        lambda: floats(-3, 1e6),
        colours=(BLACK, WHITE),
    ),
    Case("a TIFF of one value", "flat.tif", lambda: floats(7, 7), colours=(BLACK, BLACK)),
    *(
        Case(f"a TIFF with {odd}", f"{odd}.tif", partial(floats, 0, 1, odd), refused=DAMAGED)
        for odd in (float("nan"), float("inf"), float("-inf"))
    ),
]


# Modes and colour


def a_ycck_jpeg() -> bytes:
    """As some print shops have it: luminance and chrominance of the inks, all inverted."""
    inks = ImageOps.invert(drawn()).convert("YCbCr").split()
    stored = Image.merge("CMYK", [*map(ImageOps.invert, inks), Image.new("L", SIZE)])
    whole = saved(stored, "JPEG", quality=95, subsampling=0)
    marker = whole.index(b"Adobe") + 11
    return whole[:marker] + b"\2" + whole[marker + 1 :]


def clear(mode: str, format: str) -> bytes:
    """The drawing, all but its upper left quarter transparent."""
    picture = drawn("RGBA" if mode == "P" else mode)
    picture.putalpha(quartered("L", 255, 0))
    return saved(picture.quantize(8) if mode == "P" else picture, format)


def white_but(colour: Colour) -> tuple[Colour, Colour]:
    return colour, WHITE


RED_AS_GREY = (87, 87, 87)
COLOURS = [
    Case("a CMYK JPEG", "print.jpg", lambda: saved(drawn("CMYK"), "JPEG")),
    Case("a CMYK TIFF", "print.tif", lambda: saved(drawn("CMYK"), "TIFF")),
    Case("a YCCK JPEG", "press.jpg", a_ycck_jpeg),
    Case("a TIFF in CIELAB", "lab.tif", lambda: saved(drawn("LAB"), "TIFF")),
    Case("a palette", "palette.png", lambda: saved(drawn("P"), "PNG")),
    Case("a palette in BMP", "palette.bmp", lambda: saved(drawn("P"), "BMP")),
    Case("a grey JPEG", "grey.jpg", lambda: saved(tones(), "JPEG"), colours=GREYS),
    Case(
        "a PNG of one bit",
        "bit.png",
        lambda: saved(tones().point(lambda tone: tone > 99, "1"), "PNG"),
        colours=(BLACK, WHITE),
    ),
    *(
        Case(
            f"a clear background, {mode} in {format}",
            f"clear.{format.lower()}",
            partial(clear, mode, format),
            colours=white_but(colour),
        )
        for mode, format, colour in (
            ("RGBA", "PNG", RED),
            ("RGBA", "WEBP", RED),
            ("RGBA", "AVIF", RED),
            ("RGBA", "TIFF", RED),
            ("LA", "PNG", RED_AS_GREY),
            ("P", "PNG", RED),
        )
    ),
    Case(
        "a clear colour",
        "key.png",
        lambda: saved(drawn(), "PNG", transparency=BLUE),
        colours=white_but(RED),
    ),
    Case(
        "a clear colour in a GIF",
        "key.gif",
        lambda: saved(drawn("P"), "GIF", transparency=drawn("P").getpixel((150, 90))),
        colours=white_but(RED),
    ),
    Case(
        "a clear grey",
        "key grey.png",
        lambda: saved(tones(), "PNG", transparency=LIGHT[0]),
        colours=white_but(DARK),
    ),
    Case(
        "a grey PNG with gamma",
        "gamma.png",
        lambda: png(
            SIZE,
            8,
            GREY,
            zlib.compress((b"\0" + b"\x80" * SIZE[0]) * SIZE[1]),
            chunk(b"gAMA", struct.pack(">I", 45455)),
        ),
        colours=((128, 128, 128), (128, 128, 128)),
    ),
]


# Colour profiles (ICC.1:2001-04)


def fixed(value: float) -> bytes:
    return struct.pack(">i", round(value * 65536))


def profile(kind: bytes, space: bytes, connection: bytes, tags: dict[bytes, bytes]) -> bytes:
    """An ICC profile of version 2 with these tags."""
    white = fixed(0.9642) + fixed(1) + fixed(0.8249)
    tags = {b"wtpt": b"XYZ " + bytes(4) + white} | tags
    table, content = struct.pack(">I", len(tags)), b""
    start = 128 + 4 + 12 * len(tags)
    for name, value in tags.items():
        table += name + struct.pack(">II", start + len(content), len(value))
        content += value.ljust((len(value) + 3) // 4 * 4, b"\0")
    header = struct.pack(">I4xI", start + len(content), 0x02400000)
    header += kind + space + connection + bytes(12) + b"acsp" + bytes(28) + white
    return header.ljust(128, b"\0") + table + content


def gamma(value: float) -> bytes:
    return b"curv" + bytes(4) + struct.pack(">IH", 1, round(value * 256))


def wide_gamut() -> bytes:
    """The primaries and the gamma of ROMM RGB, which photographers call ProPhoto."""
    primaries = {
        b"rXYZ": (0.7977, 0.2880, 0.0),
        b"gXYZ": (0.1352, 0.7119, 0.0),
        b"bXYZ": (0.0313, 0.0001, 0.8249),
    }
    tags = {name: b"XYZ " + bytes(4) + b"".join(map(fixed, xyz)) for name, xyz in primaries.items()}
    curves = {name: gamma(1.8) for name in (b"rTRC", b"gTRC", b"bTRC")}
    return profile(b"mntr", b"RGB ", b"XYZ ", tags | curves)


def linear_grey() -> bytes:
    return profile(b"mntr", b"GRAY", b"XYZ ", {b"kTRC": gamma(1)})


def lab_of(colour: Colour) -> bytes:
    lab = Image.new("RGB", (1, 1), colour).convert("LAB").getpixel((0, 0))
    assert isinstance(lab, tuple)
    return bytes(map(int, lab))


def strange_inks() -> bytes:
    """A press whose cyan prints red and whose magenta prints blue, so that nobody can miss it."""
    paper, ink = lab_of(WHITE), lab_of(BLACK)
    prints = {0b0000: paper, 0b1000: lab_of(RED), 0b0100: lab_of(BLUE)}
    colours = b"".join(prints.get(inks, ink) for inks in range(16))
    matrix = b"".join(fixed(place % 4 == 0) for place in range(9))
    table = b"mft1" + bytes(4) + bytes([4, 3, 2, 0]) + matrix
    table += bytes(range(256)) * 4 + colours + bytes(range(256)) * 3
    return profile(b"prtr", b"CMYK", b"Lab ", {b"A2B0": table})


def in_wide_gamut() -> Image.Image:
    """The drawing, as a camera that knows more colours would store it."""
    wide = ImageCms.ImageCmsProfile(io.BytesIO(wide_gamut()))
    stored = ImageCms.profileToProfile(drawn(), ImageCms.createProfile("sRGB"), wide)
    assert stored is not None
    return stored


def a_wide_gamut(format: str) -> bytes:
    return saved(in_wide_gamut(), format, icc_profile=wide_gamut())


def printed() -> Image.Image:
    return quartered("CMYK", (255, 0, 0, 0), (0, 255, 0, 0))


PROFILES = [
    *(
        Case(
            f"a wide gamut in {format}",
            f"wide.{format.lower()}",
            partial(a_wide_gamut, format),
        )
        for format in ("JPEG", "PNG", "WEBP", "TIFF", "AVIF")
    ),
    Case(
        "a wide gamut and a palette",
        "wide palette.png",
        lambda: saved(in_wide_gamut().quantize(4), "PNG", icc_profile=wide_gamut()),
    ),
    Case(
        "a linear grey",
        "linear.jpg",
        lambda: saved(Image.new("L", SIZE, 55), "JPEG", icc_profile=linear_grey()),
        colours=((128, 128, 128), (128, 128, 128)),
    ),
    Case(
        "print colours with their profile",
        "inks.tif",
        lambda: saved(printed(), "TIFF", icc_profile=strange_inks()),
    ),
    Case(
        "a profile for another mode",
        "mismatch.jpg",
        lambda: saved(drawn(), "JPEG", icc_profile=linear_grey()),
    ),
    Case(
        "a broken profile",
        "broken.jpg",
        lambda: saved(drawn(), "JPEG", icc_profile=wide_gamut()[:150] + b"\xff" * 900),
    ),
    Case(
        "a profile of nonsense",
        "nonsense.png",
        lambda: saved(drawn(), "PNG", icc_profile=b"nonsense" * 50),
    ),
]


# What is told beside the picture


def exif(orientation: int) -> bytes:
    tags = Image.Exif()
    tags[ExifTags.Base.Orientation] = orientation
    tags[ExifTags.Base.ImageDescription] = "a secret"
    tags[ExifTags.Base.GPSInfo] = {1: "N", 2: (48.0, 51.0, 38.0), 3: "E", 4: (2.0, 20.0, 9.0)}
    return tags.tobytes()


STORED = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}
"""How a camera held otherwise stores the drawing, by the orientation that it writes."""


def held(orientation: int, format: str = "JPEG") -> bytes:
    turn = STORED.get(orientation)
    picture = drawn() if turn is None else drawn().transpose(turn)
    return saved(picture, format, exif=exif(orientation))


def jpeg_with(segments: bytes) -> bytes:
    """The drawing, with segments behind its JFIF header."""
    whole = saved(drawn(), "JPEG")
    return whole[:20] + segments + whole[20:]


def segment(marker: int, content: bytes) -> bytes:
    return bytes([255, marker]) + struct.pack(">H", len(content) + 2) + content


def exif_segments(content: bytes) -> bytes:
    parts = [content[start : start + 65_000] for start in range(0, len(content), 65_000)]
    return b"".join(segment(0xE1, b"Exif\0\0" + part) for part in parts)


def xmp(content: bytes) -> bytes:
    return segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + content)


def turned_by_xmp() -> bytes:
    whole = saved(drawn().transpose(Image.Transpose.ROTATE_90), "JPEG")
    told = b'<rdf:Description tiff:Orientation="6"/>'
    return whole[:20] + xmp(told) + whole[20:]


BESIDE = [
    *(
        Case(f"EXIF orientation {number}", f"IMG_{number}.jpg", partial(held, number))
        for number in range(1, 9)
    ),
    *(
        Case(f"a turned {format}", f"turned.{format.lower()}", partial(held, 6, format))
        for format in ("PNG", "WEBP", "TIFF", "AVIF")
    ),
    Case("a turn in XMP", "xmp.jpg", turned_by_xmp),
    Case("EXIF orientation 9", "IMG_9.jpg", lambda: held(9)),
    Case(
        "broken EXIF in a JPEG",
        "broken.jpg",
        lambda: jpeg_with(exif_segments(b"MM\0\x2a\0\0\xff\xff" + b"\xff" * 99)),
    ),
    Case(
        "EXIF that is none",
        "none.jpg",
        lambda: jpeg_with(exif_segments(b"no EXIF at all")),
    ),
    Case(
        "broken EXIF in a PNG",
        "broken.png",
        lambda: png_with(chunk(b"eXIf", exif(6)[6:40])),
    ),
    Case(
        "half a megabyte of EXIF",
        "enormous.jpg",
        lambda: jpeg_with(exif_segments(exif(1)[6:].ljust(500_000, b"A"))),
    ),
    Case("ten megabytes of XMP", "xmps.jpg", lambda: jpeg_with(xmp(b"<x/>" * 16_000) * 160)),
    Case(
        "ten megabytes of text in a PNG",
        "told.png",
        lambda: png_with(chunk(b"tEXt", b"Comment\0" + b"A" * 10_000_000)),
    ),
    Case("a JPEG comment", "comment.jpg", lambda: saved(drawn(), "JPEG", comment=b"<b>hi</b>")),
]


# Files that are more than a picture, and rare kinds


def a_run_length_bmp() -> bytes:
    """BMP in 8 bits with run lengths, from the bottom row to the top one."""
    half = SIZE[0] // 2
    lower, upper = bytes([SIZE[0], 1, 0, 0]), bytes([half, 0, half, 1, 0, 0])
    rows = lower * (SIZE[1] // 2) + upper * (SIZE[1] // 2) + b"\0\1"
    palette = b"".join(bytes([*reversed(colour), 0]) for colour in (RED, BLUE))
    start = 54 + len(palette)
    header = struct.pack("<IiiHHIIiiII", 40, *SIZE, 1, 8, 1, len(rows), 0, 0, 2, 2)
    return b"BM" + struct.pack("<IHHI", start + len(rows), 0, 0, start) + header + palette + rows


def an_unusual_jpeg(marker: int) -> bytes:
    """Its frame header claims another process than the one that coded it."""
    whole = saved(drawn(), "JPEG")
    frame = whole.index(b"\xff\xc0")
    return whole[: frame + 1] + bytes([marker]) + whole[frame + 2 :]


def a_jpeg_of_twelve_bits() -> bytes:
    whole = saved(drawn(), "JPEG")
    frame = whole.index(b"\xff\xc0") + 4
    return whole[:frame] + b"\x0c" + whole[frame + 1 :]


KINDS = [
    Case("a progressive JPEG", "p.jpg", lambda: saved(drawn(), "JPEG", progressive=True)),
    Case("a JPEG with restarts", "r.jpg", lambda: saved(drawn(), "JPEG", restart_marker_blocks=1)),
    Case("a JPEG with arithmetic coding", "a.jpg", lambda: an_unusual_jpeg(0xC9), colours=None),
    Case("a lossless JPEG", "l.jpg", lambda: an_unusual_jpeg(0xC3), refused=DAMAGED),
    Case("a hierarchical JPEG", "h.jpg", lambda: an_unusual_jpeg(0xC5), refused=DAMAGED),
    Case("a JPEG of 12 bits", "12.jpg", a_jpeg_of_twelve_bits, refused=NO_PICTURE),
    Case(
        "a JPEG with garbage at its beginning",
        "garbage.jpg",
        lambda: b"\xff\xd8" + b"garbage" * 999 + saved(drawn(), "JPEG")[2:],
        refused=NO_PICTURE,
    ),
    Case("a JPEG with a tail", "tail.jpg", lambda: saved(drawn(), "JPEG") + b"\0garbage" * 999),
    Case("a BMP with run lengths", "runs.bmp", a_run_length_bmp),
    Case("a lossless WebP", "exact.webp", lambda: saved(drawn(), "WEBP", lossless=True)),
    Case("a GIF in interlace", "lace.gif", lambda: saved(drawn("P"), "GIF", interlace=True)),
    Case(
        "a GIF that is a script too",
        "script.gif",
        lambda: saved(drawn("P"), "GIF") + b"*/=1;alert(document.cookie)//",
    ),
    Case("a JPEG that is a ZIP too", "album.jpg", lambda: saved(drawn(), "JPEG") + a_zip()),
    Case(
        "a PNG that is a web page too",
        "page.png",
        lambda: png_with(chunk(b"tEXt", b"html\0<script>alert(1)</script>")),
    ),
]


# Sizes and names


def sized(width: int, height: int, refused: str | None = None) -> Case:
    longest = max(width, height, 2048)
    size = (round(width * 2048 / longest), round(height * 2048 / longest))
    return Case(
        f"{width} × {height} pixels",
        f"{width}x{height}.png",
        lambda: saved(drawn(size=(width, height)), "PNG"),
        size=size,
        refused=refused,
    )


def named(what: str, name: str, format: str = "PNG") -> Case:
    return Case(what, name, lambda: saved(drawn(), format))


SIZES = [
    sized(1, 1, refused="is only 1 × 1 pixels"),
    sized(31, 500, refused="is only 31 × 500 pixels"),
    sized(1, 20_000, refused="is only 1 × 20000 pixels"),
    sized(40, 20_000, refused="too long and thin"),
    sized(20_000, 40, refused="too long and thin"),
    sized(32, 32),
    sized(2048, 32),
    sized(2048, 2048),
    sized(2049, 1000),
    sized(12_000, 400),
]
NAMES = [
    named("a PNG called .jpg", "work.jpg"),
    named("a GIF called .png", "work.png", "GIF"),
    named("a WebP called .txt", "work.txt", "WEBP"),
    named("no extension", "work"),
    named("a hidden file", ".jpg"),
    named("other scripts", "Gemälde 睡蓮 زنبق 🖼.png"),
    named("blanks", "  a  work .png"),
    named("dots", "..a..b...png"),
    named("markup", "<b>&amp;\"quoted\" 'work'%20.png"),
    named("an option", "--help.png"),
    named("250 characters", "n" * 246 + ".png"),
    Case("250 characters and no picture", "n" * 246 + ".png", lambda: b"x", refused=NO_PICTURE),
    Case("two lines and no picture", "a\nb\u202egnp.png", lambda: b"x", refused=NO_PICTURE),
]

CASES = [
    *NO_PICTURES,
    *FORMATS,
    *BOMBS,
    *FRAMES,
    *DEPTHS,
    *COLOURS,
    *PROFILES,
    *BESIDE,
    *KINDS,
    *SIZES,
    *NAMES,
]
