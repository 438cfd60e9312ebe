"""Pictures are capped before the model sees them, whatever their size."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from expartkg.engines.qwen.pictures import PictureReader
from expartkg.errors import EngineError, PictureError
from expartkg.settings import Settings
from tests.engines.tiny_models import ModelFolders


@pytest.fixture(scope="module")
def reader(tiny_models: ModelFolders) -> PictureReader:
    return PictureReader(tiny_models.explainer, Settings().image_tokens)


@pytest.mark.parametrize(
    "size", [(2048, 1536), (1365, 2048), (2048, 2048), (2048, 32), (640, 480), (32, 32)]
)
def test_has_at_most_so_many_tokens_and_keeps_its_shape(
    reader: PictureReader, size: tuple[int, int]
) -> None:
    pixels = reader.read(Image.new("RGB", size))
    assert pixels.tokens <= 1280
    assert pixels.width * pixels.height == pixels.tokens * 32 * 32
    assert pixels.values.shape == (4 * pixels.tokens, 3 * 2 * 16 * 16)
    assert pixels.grid.tolist() == [[1, pixels.height // 16, pixels.width // 16]]
    width, height = size
    assert abs(pixels.width - width * pixels.height / height) <= 64


def test_a_large_picture_uses_what_it_may(reader: PictureReader) -> None:
    assert reader.read(Image.new("RGB", (2048, 1536))).tokens > 1200


def test_the_settings_may_name_the_processor_that_needs_torchvision(
    reader: PictureReader, tiny_models: ModelFolders, tmp_path: Path
) -> None:
    """As those of the published models do."""
    settings = tiny_models.explainer / "preprocessor_config.json"
    known = json.loads(settings.read_text())
    known |= {
        "image_processor_type": "Qwen2VLImageProcessorFast",
        "processor_class": "Qwen3VLProcessor",
    }
    (tmp_path / settings.name).write_text(json.dumps(known))
    picture = Image.effect_noise((640, 480), 80).convert("RGB")
    again = PictureReader(tmp_path, Settings().image_tokens)
    assert again.read(picture).values.equal(reader.read(picture).values)


def test_a_folder_without_settings_is_told(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"has no preprocessor_config\.json"):
        PictureReader(tmp_path, 64)


def test_fewer_tokens_can_be_asked_for(tiny_models: ModelFolders) -> None:
    reader = PictureReader(tiny_models.explainer, 16)
    assert reader.read(Image.new("RGB", (2000, 2000))).tokens == 16


def test_other_modes_are_read_as_colours(reader: PictureReader) -> None:
    grey = reader.read(Image.new("L", (256, 256), 128))
    assert grey.values.equal(reader.read(Image.new("RGB", (256, 256), (128,) * 3)).values)


def test_a_strip_is_refused(reader: PictureReader) -> None:
    with pytest.raises(PictureError, match="crop it"):
        reader.read(Image.new("RGB", (32 * 201, 32)))
