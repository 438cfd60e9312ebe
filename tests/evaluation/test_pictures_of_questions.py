from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from expartkg.errors import PictureError
from expartkg.evaluation.pictures import Pictures
from expartkg.evaluation.questions import ArtQuestion


def question(image: str | None) -> ArtQuestion:
    return ArtQuestion("7", "Ophelia", "By Millais.", image=image)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    Image.new("RGB", (64, 48), "olive").save(tmp_path / "o.png")
    return tmp_path


@pytest.mark.parametrize("named", ["o.png", "/images/o.png", "https://example.org/pictures/o.png"])
def test_a_picture_in_the_folder_by_its_name(folder: Path, named: str) -> None:
    assert Pictures(folder).open(question(named)).size == (64, 48)


def test_a_picture_by_its_path(folder: Path) -> None:
    assert Pictures().open(question(str(folder / "o.png"))).size == (64, 48)


@pytest.mark.parametrize("named", [None, "missing.png", "https://example.org/" + "x" * 5000, "\0"])
def test_pictures_that_cannot_be_had(folder: Path, named: str | None) -> None:
    with pytest.raises(PictureError):
        Pictures(folder).open(question(named))


def test_a_file_that_is_no_picture(folder: Path) -> None:
    (folder / "o.png").write_bytes(b"none")
    with pytest.raises(PictureError, match=r"o\.png"):
        Pictures(folder).open(question("o.png"))
