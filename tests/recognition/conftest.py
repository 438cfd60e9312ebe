"""An index of four pictures of our own, as the real encoder sees them."""

from __future__ import annotations

import pytest

from expartkg.recognition.encoders import Encoder
from expartkg.recognition.index import PictureIndex
from expartkg.recognition.recogniser import Recogniser, describe
from tests.recognition.painted import painted


@pytest.fixture(scope="session")
def painted_index(encoder: Encoder) -> PictureIndex:
    """The works Q1 to Q4, whose pictures are those of the seeds 1 to 4."""
    entries = [describe(encoder, painted(n), f"Q{n}", f"note {n}") for n in range(1, 5)]
    return PictureIndex(encoder.name, entries)


@pytest.fixture(scope="session")
def recogniser(encoder: Encoder, painted_index: PictureIndex) -> Recogniser:
    return Recogniser(encoder, painted_index)
