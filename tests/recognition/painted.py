"""Pictures of our own, each different: shapes in colours that a seed decides."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw


def painted(seed: int, size: tuple[int, int] = (480, 360)) -> Image.Image:
    """A picture of sixty shapes."""
    random = np.random.default_rng(seed)
    picture = Image.new("RGB", size, _colour(random))
    draw = ImageDraw.Draw(picture)
    for _ in range(30):
        x, y = random.uniform(0, 1, 2) * size
        w, h = random.uniform(0.02, 0.25, 2) * size
        draw.ellipse((x - w / 2, y - h / 2, x + w / 2, y + h / 2), fill=_colour(random))
        corners = random.uniform(-0.12, 0.12, (4, 2)) * size + (x, y)
        draw.polygon([(float(a), float(b)) for a, b in corners], fill=_colour(random))
    return picture


def _colour(random: np.random.Generator) -> tuple[int, int, int]:
    red, green, blue = (int(value) for value in random.integers(0, 256, 3))
    return red, green, blue
