"""The engine's vision tower as an encoder of pictures, by which works are recognised."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from expartkg.engines.base import Engine
from expartkg.engines.preview import preview_engine
from expartkg.errors import RecognitionError
from expartkg.recognition import load_encoder
from expartkg.recognition.encoders import TOWER


def test_pictures_are_seen_by_the_engines_own_eyes(
    engine: Engine, photo: Image.Image, other_photo: Image.Image
) -> None:
    encoder = load_encoder(TOWER, engine)
    vectors = encoder.encode([photo, other_photo, photo])
    assert vectors.shape == (3, encoder.dimension)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1], abs=1e-5)
    assert vectors[0] == pytest.approx(vectors[2], abs=1e-5)
    assert vectors[0] != pytest.approx(vectors[1], abs=1e-3)
    assert str(engine.description["explainer"]) in encoder.name


def test_another_engine_has_no_such_eyes() -> None:
    with pytest.raises(RecognitionError, match="the engine is preview; set EXPARTKG_ENGINE=qwen"):
        load_encoder(TOWER, preview_engine())
