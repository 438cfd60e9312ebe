"""Where everything stands: a column for every step from the work, and no row for two texts.

All lengths are in pixels, from the top left corner. Nothing is drawn by chance: the same facts
give the same drawing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from expartkg.records import Entity, Triple
from expartkg.subgraph.metrics import lines_of, width_of
from expartkg.subgraph.tree import Branch, Stem

ENTITY_WIDTH, ENTITY_SIZE, ENTITY_LINE = 168.0, 13.0, 16.0
LABEL_WIDTH, LABEL_SIZE, LABEL_LINE = 84.0, 11.0, 13.0
"""Widest box, size of the letters and height of a line: of entities, and of properties."""
GLYPH = 16.0
PAD = 5.0
GAP = 6.0
BETWEEN = 16.0
"""Between two rows, and at least between two columns."""
COLUMN = ENTITY_WIDTH + LABEL_WIDTH + 2 * BETWEEN
ARROWS = {True: "{} ▸", False: "◂ {}"}


@dataclass(frozen=True, slots=True)
class Box:
    """A text of one or more lines in a rectangle."""

    x: float
    y: float
    width: float
    height: float
    lines: tuple[str, ...]

    @property
    def middle(self) -> float:
        return self.y + self.height / 2

    @property
    def right(self) -> float:
        return self.x + self.width


@dataclass(frozen=True, slots=True)
class PlacedStem:
    """A property's label, the way to it, and what it leads to."""

    box: Box
    way: str
    branches: tuple[PlacedBranch, ...]


@dataclass(frozen=True, slots=True)
class PlacedBranch:
    """An entity's box, the way to it, and what leads on; see `Branch`."""

    entity: Entity
    fact: Triple | None
    again: bool
    box: Box
    way: str
    stems: tuple[PlacedStem, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """All trees, one below the other."""

    branches: tuple[PlacedBranch, ...]
    width: float
    height: float

    @property
    def boxes(self) -> list[Box]:
        """Every box of the drawing."""
        found: list[Box] = []
        waiting = list(self.branches)
        while waiting:
            branch = waiting.pop()
            found.append(branch.box)
            for stem in branch.stems:
                found.append(stem.box)
                waiting += stem.branches
        return found


def lay_out(trees: Sequence[Branch]) -> Layout:
    """Every tree from left to right; a parent stands at the middle of what it leads to."""
    top = GAP
    placed = []
    for tree in trees:
        sized = _sized(tree)
        placed.append(_placed(sized, GAP, top, None))
        top += sized.height + 2 * GAP
    layout = Layout(tuple(placed), 0, top)
    right = max((box.right for box in layout.boxes), default=0)
    return Layout(layout.branches, right + GAP, top)


@dataclass(frozen=True, slots=True)
class _Sized:
    """A part of a tree with its text broken into lines, `of_parts` being the height of all that it
    leads to, with the gaps between.
    """

    part: Branch | Stem
    lines: tuple[str, ...]
    width: float
    own: float
    of_parts: float
    parts: tuple[_Sized, ...]

    @property
    def height(self) -> float:
        return max(self.own, self.of_parts)


def _sized(part: Branch | Stem) -> _Sized:
    parts = tuple(map(_sized, part.stems if isinstance(part, Branch) else part.branches))
    of_parts = sum(one.height for one in parts) + GAP * (len(parts) - 1)
    if isinstance(part, Branch):
        lines, width = _broken(part.entity.label, ENTITY_SIZE, ENTITY_WIDTH - GLYPH - 2 * PAD)
        own = len(lines) * ENTITY_LINE + PAD
        return _Sized(part, lines, width + GLYPH + 2 * PAD, own, of_parts, parts)
    text = ARROWS[part.outgoing].format(part.predicate.label)
    lines, width = _broken(text, LABEL_SIZE, LABEL_WIDTH)
    return _Sized(part, lines, width, len(lines) * LABEL_LINE, of_parts, parts)


@lru_cache(4096)
def _broken(text: str, size: float, most: float) -> tuple[tuple[str, ...], float]:
    lines = lines_of(text, size, most, 2)
    return lines, max((width_of(line, size) for line in lines), default=0)


def _placed(sized: _Sized, x: float, top: float, parent: Box | None) -> PlacedBranch:
    box = _box(sized, x, top)
    stems = tuple(
        _placed_stem(stem, x + ENTITY_WIDTH + BETWEEN, below, box)
        for stem, below in _rows(sized, top)
    )
    branch = sized.part
    assert isinstance(branch, Branch)
    way = _way(parent, box) if parent else ""
    return PlacedBranch(branch.entity, branch.fact, branch.again, box, way, stems)


def _placed_stem(sized: _Sized, x: float, top: float, parent: Box) -> PlacedStem:
    box = _box(sized, x, top)
    branches = tuple(
        _placed(branch, x + LABEL_WIDTH + BETWEEN, below, box)
        for branch, below in _rows(sized, top)
    )
    return PlacedStem(box, _way(parent, box), branches)


def _rows(sized: _Sized, top: float) -> Iterator[tuple[_Sized, float]]:
    """The parts and where each begins, around the middle of the whole."""
    below = top + (sized.height - sized.of_parts) / 2
    for one in sized.parts:
        yield one, below
        below += one.height + GAP


def _box(sized: _Sized, x: float, top: float) -> Box:
    return Box(x, top + (sized.height - sized.own) / 2, sized.width, sized.own, sized.lines)


def _way(start: Box, end: Box) -> str:
    """A curve from the right side of a box to the left side of another, as path data."""
    x, y, to_x, to_y = start.right, start.middle, end.x - 2, end.middle
    bend = (to_x - x) / 2
    points = (x, y), (x + bend, y), (to_x - bend, to_y), (to_x, to_y)
    first, *others = (f"{along:.1f} {down:.1f}" for along, down in points)
    return f"M{first}C{' '.join(others)}"
