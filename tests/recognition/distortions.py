"""What happens to a picture of a painting when a visitor photographs it.

Each distortion takes a picture and a random generator; the ranges are those of the benchmark.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator

import numpy as np
from PIL import Image, ImageDraw, ImageEnhance, ImageFilter

Distortion = Callable[[Image.Image, np.random.Generator], Image.Image]
BICUBIC = Image.Resampling.BICUBIC
REPEATS = 4
"""Of every kind, which makes 40 distorted pictures of each."""


def perspective(picture: Image.Image, random: np.random.Generator) -> Image.Image:
    """Seen from the side: each corner moves inwards by up to 15 % of the picture's size."""
    width, height = picture.size
    shift = random.uniform(0, 0.15, (4, 2)) * (width, height)
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=float)
    inwards = corners + shift * [(1, 1), (-1, 1), (-1, -1), (1, -1)]
    coefficients = _homography(inwards, corners)
    return picture.transform(
        picture.size, Image.Transform.PERSPECTIVE, coefficients, BICUBIC, fillcolor=_wall(random)
    )


def crop(picture: Image.Image, random: np.random.Generator) -> Image.Image:
    """A part of it: 60 to 100 % of its width and of its height."""
    width, height = picture.size
    w, h = (int(size * random.uniform(0.6, 1.0)) for size in (width, height))
    left, top = random.integers(0, width - w + 1), random.integers(0, height - h + 1)
    return picture.crop((int(left), int(top), int(left) + w, int(top) + h))


def frame(picture: Image.Image, random: np.random.Generator) -> Image.Image:
    """In a frame of 3 to 10 % of its size, on a wall that is 5 to 30 % wider on each side."""
    size = max(picture.size)
    thick, free = int(size * random.uniform(0.03, 0.1)), int(size * random.uniform(0.05, 0.3))
    framed = Image.new(
        "RGB", (picture.width + 2 * (thick + free), picture.height + 2 * (thick + free)),
        _wall(random),
    )  # fmt: skip
    wood = tuple(int(value) for value in random.uniform((60, 35, 10), (200, 160, 90)))
    box = (free, free, framed.width - free, framed.height - free)
    ImageDraw.Draw(framed).rectangle(box, fill=wood, outline=tuple(v // 2 for v in wood), width=3)
    framed.paste(picture, (thick + free, thick + free))
    return framed


def glare(picture: Image.Image, random: np.random.Generator) -> Image.Image:
    """One or two lamps in the varnish, white in their middle."""
    rows, columns = np.mgrid[0 : picture.height, 0 : picture.width]
    values = np.asarray(picture, dtype=float)
    for _ in range(random.integers(1, 3)):
        x, y = random.uniform(0, 1, 2) * picture.size
        radius = random.uniform(0.08, 0.2) * max(picture.size)
        light = np.exp(-((rows - y) ** 2 + (columns - x) ** 2) / (2 * radius**2))[..., None]
        values += (255 - values) * np.clip(1.2 * light, 0, 1)
    return _from(values)


def blur(picture: Image.Image, random: np.random.Generator) -> Image.Image:
    """Out of focus: a radius of 0.3 to 1 % of the longer side."""
    return picture.filter(ImageFilter.GaussianBlur(random.uniform(0.003, 0.01) * max(picture.size)))


def noise(picture: Image.Image, random: np.random.Generator) -> Image.Image:
    """A dark room: a standard deviation of 10 to 35 of 255."""
    values = np.asarray(picture, dtype=float)
    return _from(values + random.normal(0, random.uniform(10, 35), values.shape))


def jpeg(picture: Image.Image, random: np.random.Generator) -> Image.Image:
    """Saved at a quality of 30."""
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=30)
    return Image.open(file).convert("RGB")


def cast(picture: Image.Image, random: np.random.Generator) -> Image.Image:
    """Wrong white balance and exposure: each colour times 0.7 to 1.3, contrast too."""
    values = np.asarray(picture, dtype=float) * random.uniform(0.7, 1.3, 3)
    return ImageEnhance.Contrast(_from(values)).enhance(random.uniform(0.7, 1.3))


def rotation(picture: Image.Image, random: np.random.Generator) -> Image.Image:
    """Held askew, by up to 15 degrees, with the wall in the corners."""
    return picture.rotate(random.uniform(-15, 15), BICUBIC, expand=True, fillcolor=_wall(random))


def small(picture: Image.Image, random: np.random.Generator) -> Image.Image:
    """300 pixels on the longer side."""
    scale = 300 / max(picture.size)
    return picture.resize([max(1, round(size * scale)) for size in picture.size])


KINDS: dict[str, Distortion] = {
    kind.__name__: kind
    for kind in (perspective, crop, frame, glare, blur, noise, jpeg, cast, rotation, small)
}


def distorted(
    picture: Image.Image, seed: int, repeats: int = REPEATS
) -> Iterator[tuple[str, Image.Image]]:
    """Every kind of distortion `repeats` times, with its name; the same for the same seed."""
    random = np.random.default_rng(seed)
    for kind, distort in KINDS.items():
        for _ in range(repeats):
            yield kind, distort(picture, random)


def _wall(random: np.random.Generator) -> tuple[int, ...]:
    return tuple(int(value) for value in random.uniform(90, 240) + random.uniform(-15, 15, 3))


def _from(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Image.Image:
    return Image.fromarray(np.clip(values, 0, 255).astype(np.uint8))


def _homography(
    seen: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    flat: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
) -> list[float]:
    """Pillow's eight coefficients: where in the flat picture each seen point comes from."""
    rows = []
    for (x, y), (u, v) in zip(seen, flat, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y])
    assert math.isfinite(np.linalg.cond(np.array(rows)))
    return [float(value) for value in np.linalg.solve(np.array(rows), flat.reshape(8))]
