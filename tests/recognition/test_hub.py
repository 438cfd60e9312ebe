"""Encoders of the hub's kinds, with tiny random models in folders."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from expartkg.errors import RecognitionError
from expartkg.recognition import PictureIndex, load_encoder
from expartkg.recognition.hub import found
from expartkg.recognition.recogniser import Recogniser, describe
from tests.recognition.painted import painted

SMALL = {
    "hidden_size": 32,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "patch_size": 16,
}


def save_dinov2(folder: Path, seed: int = 0) -> None:
    import torch
    from transformers import BitImageProcessorPil, Dinov2Config, Dinov2Model

    torch.manual_seed(seed)
    config = Dinov2Config(**{**SMALL, "image_size": 32})  # type: ignore[arg-type]
    Dinov2Model(config).save_pretrained(folder)
    size = {"height": 32, "width": 32}
    BitImageProcessorPil(size={"shortest_edge": 32}, crop_size=size).save_pretrained(folder)


def save_siglip(folder: Path) -> None:
    import torch
    from transformers import SiglipConfig, SiglipImageProcessorPil, SiglipModel

    torch.manual_seed(0)
    words = {"vocab_size": 64, "bos_token_id": 1, "eos_token_id": 2, "max_position_embeddings": 8}
    config = SiglipConfig(text_config={**SMALL, **words}, vision_config={**SMALL, "image_size": 32})
    SiglipModel(config).save_pretrained(folder)
    SiglipImageProcessorPil(size={"height": 32, "width": 32}).save_pretrained(folder)


@pytest.mark.parametrize("save", [save_dinov2, save_siglip])
def test_a_model_in_a_folder_encodes_pictures(save: Callable[[Path], None], tmp_path: Path) -> None:
    save(tmp_path / "eye")
    encoder = load_encoder(str(tmp_path / "eye"))
    assert encoder.name.startswith("eye@")
    vectors = encoder.encode([painted(1), painted(2)])
    assert vectors.shape == (2, encoder.dimension) == (2, 32)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1], abs=1e-5)
    assert encoder.encode([painted(2)])[0] == pytest.approx(vectors[1], abs=1e-4)


def test_a_work_is_recognised_by_it_and_other_weights_need_another_index(tmp_path: Path) -> None:
    for seed, name in enumerate(("one", "two")):
        save_dinov2(tmp_path / name / "eye", seed)
    one, two = (load_encoder(str(tmp_path / name / "eye")) for name in ("one", "two"))
    index = PictureIndex(one.name, [describe(one, painted(n), f"Q{n}", "") for n in (1, 2, 3)])
    found = Recogniser(one, index).recognise(painted(2))
    assert found.work is not None
    assert found.work.id == "Q2"
    with pytest.raises(RecognitionError, match=f"encoder {one.name}.*with {two.name}"):
        Recogniser(two, index)


def test_a_folder_that_is_no_such_model_is_told(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(RecognitionError, match="cannot be loaded as an encoder of pictures"):
        load_encoder(str(tmp_path))


def test_damaged_weights_are_told(tmp_path: Path) -> None:
    save_dinov2(tmp_path)
    (tmp_path / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(RecognitionError, match="cannot be loaded as an encoder of pictures"):
        load_encoder(str(tmp_path))


@pytest.mark.parametrize("name", ["model.safetensors", "pytorch_model.bin"])
def test_other_weights_have_another_name(tmp_path: Path, name: str) -> None:
    names = set()
    for content in (b"one", b"two"):
        (tmp_path / name).write_bytes(content)
        names.add(found(str(tmp_path))[1])
    assert len(names) == 2


def test_a_name_that_the_hub_cannot_have_is_told() -> None:
    with pytest.raises(RecognitionError, match="no encoder 'sharp eye' here"):
        load_encoder("sharp eye")
