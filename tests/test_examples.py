"""The example pictures are what their script draws."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest
from PIL import Image

from expartkg.pictures import open_picture
from tests.picture_report import pixel

NAMES = [
    "black-circle.png",
    "black-cross.png",
    "black-square.png",
    "composition-ii-in-red-blue-and-yellow.png",
    "white-on-white.png",
]


@pytest.fixture(scope="module")
def examples(root: Path) -> Path:
    return root / "assets" / "examples"


@pytest.fixture(scope="module")
def script(examples: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("draw_examples", examples / "draw.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_the_script_draws_the_files_again(
    script: ModuleType, examples: Path, tmp_path: Path
) -> None:
    script.draw_all(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == NAMES
    assert sorted(file.name for file in examples.glob("*.png")) == NAMES
    for name in NAMES:
        with Image.open(tmp_path / name) as redrawn, Image.open(examples / name) as kept:
            assert (redrawn.mode, redrawn.size) == (kept.mode, kept.size) == ("RGB", (720, 720))
            assert redrawn.tobytes() == kept.tobytes(), f"{name}: python assets/examples/draw.py"


@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_small_and_opens(examples: Path, name: str) -> None:
    assert (examples / name).stat().st_size < 20_000
    assert open_picture(examples / name).size == (720, 720)


@pytest.mark.parametrize(
    ("name", "x", "y", "colour"),
    [
        ("black-square.png", 0.5, 0.5, "black"),
        ("black-square.png", 0.1, 0.5, "white"),
        ("black-circle.png", 0.53, 0.45, "black"),
        ("black-circle.png", 0.1, 0.9, "white"),
        ("black-cross.png", 0.1, 0.5, "black"),
        ("black-cross.png", 0.5, 0.9, "black"),
        ("black-cross.png", 0.1, 0.1, "white"),
        ("composition-ii-in-red-blue-and-yellow.png", 0.6, 0.4, "red"),
        ("composition-ii-in-red-blue-and-yellow.png", 0.1, 0.9, "blue"),
        ("composition-ii-in-red-blue-and-yellow.png", 0.98, 0.98, "yellow"),
        ("composition-ii-in-red-blue-and-yellow.png", 0.6, 0.9, "white"),
        ("composition-ii-in-red-blue-and-yellow.png", 0.27, 0.1, "black"),
        ("white-on-white.png", 0.6, 0.4, "white"),
        ("white-on-white.png", 0.1, 0.9, "white"),
    ],
)
def test_the_colours_are_where_the_painting_has_them(
    examples: Path, name: str, x: float, y: float, colour: str
) -> None:
    with Image.open(examples / name) as picture:
        assert nearest(pixel(picture, int(x * 720), int(y * 720))) == colour


def nearest(pixel: tuple[int, ...]) -> str:
    """The plain colour that a pixel is like."""
    plain = {
        "black": (0, 0, 0),
        "white": (255, 255, 255),
        "red": (255, 0, 0),
        "blue": (0, 0, 255),
        "yellow": (255, 255, 0),
    }
    return min(
        plain, key=lambda name: sum(abs(a - b) for a, b in zip(plain[name], pixel, strict=True))
    )
