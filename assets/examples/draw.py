"""Draws the works that the page offers as examples: flat geometry, which needs no photograph.

    python assets/examples/draw.py

writes the PNG files beside this script. The proportions follow the paintings and the colours their
paint, without texture, craquelure or frame:

    black-square.png    Kazimir Malevich, Black Square, 1915 (Q1170315)
    black-circle.png    Kazimir Malevich, Black Circle, 1924 (Q4518897)
    black-cross.png     Kazimir Malevich, Black Cross, 1915 (Q18170345)
    white-on-white.png  Kazimir Malevich, Suprematist Composition: White on White, 1918 (Q579455)
    composition-ii-in-red-blue-and-yellow.png
                        Piet Mondrian, Composition II in Red, Blue, and Yellow, 1930 (Q19609193)

The works are in the public domain where protection ends 70 years after the artist's death; the
drawings are the project's own and under its licence.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw

SIDE = 720
"""All five canvases are square, to a centimetre or less."""

FINER = 4
"""Drawn so much larger and then averaged, for smooth edges."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Shape:
    """A polygon; the picture is 1 wide and 1 high, (0, 0) is its upper left corner."""

    colour: str
    corners: Sequence[Point]


@dataclass(frozen=True, slots=True)
class Work:
    name: str
    ground: str
    shapes: Sequence[Shape]


def rectangle(colour: str, left: float, top: float, right: float, bottom: float) -> Shape:
    return Shape(colour, [(left, top), (right, top), (right, bottom), (left, bottom)])


def disc(colour: str, x: float, y: float, radius: float) -> Shape:
    angles = [math.tau * step / 720 for step in range(720)]
    return Shape(
        colour, [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]
    )


def square(colour: str, left: float, top: float, side: float, degrees: float) -> Shape:
    """Turned clockwise about its upper left corner, which is at (`left`, `top`)."""
    along = side * math.cos(math.radians(degrees))
    across = side * math.sin(math.radians(degrees))
    return Shape(
        colour,
        [
            (left, top),
            (left + along, top + across),
            (left + along - across, top + across + along),
            (left - across, top + along),
        ],
    )


def black_square() -> Work:
    return Work("black-square", "#e5e0d5", [rectangle("#1b1a19", 0.163, 0.163, 0.837, 0.837)])


def black_circle() -> Work:
    return Work("black-circle", "#e6e1d6", [disc("#191818", 0.53, 0.45, 0.335)])


def black_cross() -> Work:
    black = "#1c1a19"
    upright = rectangle(black, 0.36, 0.055, 0.645, 0.945)
    across = rectangle(black, 0.065, 0.36, 0.935, 0.635)
    return Work("black-cross", "#e2dccf", [upright, across])


def white_on_white() -> Work:
    return Work("white-on-white", "#ddd6c8", [square("#ebebe7", 0.41, 0.045, 0.57, 15)])


def composition_ii() -> Work:
    black = "#171616"
    colours = [
        rectangle("#cf2a1e", 0.27, 0, 1, 0.745),
        rectangle("#24499a", 0, 0.745, 0.27, 1),
        rectangle("#f0cf45", 0.93, 0.875, 1, 1),
    ]
    lines = [
        rectangle(black, 0.257, 0, 0.283, 1),
        rectangle(black, 0, 0.732, 1, 0.758),
        rectangle(black, 0, 0.345, 0.27, 0.385),
        rectangle(black, 0.917, 0.745, 0.943, 1),
        rectangle(black, 0.93, 0.855, 1, 0.895),
    ]
    return Work("composition-ii-in-red-blue-and-yellow", "#e8e6de", [*colours, *lines])


def works() -> list[Work]:
    return [black_square(), black_circle(), black_cross(), white_on_white(), composition_ii()]


def drawn(work: Work) -> Image.Image:
    """RGB, `SIDE` pixels on each side."""
    large = Image.new("RGB", (SIDE * FINER, SIDE * FINER), work.ground)
    canvas = ImageDraw.Draw(large)
    for shape in work.shapes:
        # A polygon of Pillow includes the pixels on its right and lower edge.
        corners = [(x * large.width - 0.5, y * large.height - 0.5) for x, y in shape.corners]
        canvas.polygon(corners, fill=shape.colour)
    return large.reduce(FINER)


def draw_all(folder: Path) -> None:
    """Writes every work as a PNG; its pixels are the same each time."""
    for work in works():
        drawn(work).save(folder / f"{work.name}.png", optimize=True)


if __name__ == "__main__":
    draw_all(Path(__file__).parent)
