"""Recognising pictures of our own after what happens to them in a photograph."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from expartkg.errors import RecognitionError
from expartkg.recognition.encoders import Encoder
from expartkg.recognition.index import PictureIndex
from expartkg.recognition.keypoints import KEPT_POINTS, SEEN_POINTS, agreeing, find_keypoints
from expartkg.recognition.recogniser import ENOUGH_POINTS, Recogniser, describe
from tests.recognition.distortions import KINDS
from tests.recognition.painted import painted


@pytest.mark.parametrize("kind", KINDS)
def test_a_distorted_picture_is_recognised(recogniser: Recogniser, kind: str) -> None:
    picture = KINDS[kind](painted(2), np.random.default_rng(5))
    found = recogniser.recognise(picture)
    assert found.work is not None
    assert found.work == found.likenesses[0]
    assert found.work.id == "Q2"
    assert found.work.points >= ENOUGH_POINTS


@pytest.mark.parametrize("seed", [5, 6])
def test_a_picture_that_is_not_in_the_index_is_not_recognised(
    recogniser: Recogniser, seed: int
) -> None:
    found = recogniser.recognise(painted(seed))
    assert found.work is None
    assert {likeness.id for likeness in found.likenesses} == {"Q1", "Q2", "Q3", "Q4"}


def test_what_is_not_recognised_is_sorted_by_similarity(recogniser: Recogniser) -> None:
    similarities = [each.similarity for each in recogniser.recognise(painted(7)).likenesses]
    assert similarities == sorted(similarities, reverse=True)


@pytest.mark.parametrize("size", [(32, 32), (32, 2048), (640, 480)])
def test_a_picture_of_one_colour_is_not_recognised(
    recogniser: Recogniser, size: tuple[int, int]
) -> None:
    assert recogniser.recognise(Image.new("RGB", size, "grey")).work is None


def test_a_work_with_two_pictures_is_listed_once(
    encoder: Encoder, painted_index: PictureIndex
) -> None:
    second = PictureIndex(encoder.name, [describe(encoder, painted(9), "Q1", "")])
    recogniser = Recogniser(encoder, painted_index.joined(second))
    found = recogniser.recognise(painted(9))
    assert found.work is not None
    assert found.work.id == "Q1"
    assert len(found.likenesses) == 4


def test_nothing_is_recognised_by_an_empty_index(encoder: Encoder) -> None:
    found = Recogniser(encoder, PictureIndex(encoder.name)).recognise(painted(1))
    assert found.likenesses == ()
    assert found.work is None


def test_the_index_of_another_encoder_is_refused(encoder: Encoder) -> None:
    with pytest.raises(RecognitionError, match="encoder ear"):
        Recogniser(encoder, PictureIndex("ear"))


def test_points_agree_with_the_picture_itself_and_by_chance_with_no_other() -> None:
    known = find_keypoints(painted(1), KEPT_POINTS)
    assert 100 < len(known) <= KEPT_POINTS
    assert agreeing(known, find_keypoints(painted(1), SEEN_POINTS)) > 100
    assert agreeing(known, find_keypoints(painted(2), SEEN_POINTS)) < ENOUGH_POINTS
