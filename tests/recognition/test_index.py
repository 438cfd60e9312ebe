"""The index of pictures: its file, and what is near."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from expartkg.errors import RecognitionError
from expartkg.recognition.index import Entry, PictureIndex
from expartkg.recognition.keypoints import Keypoints


def entry(id: str, *vector: float) -> Entry:
    points = Keypoints(np.ones((len(vector), 2), np.float16), np.ones((len(vector), 32), np.uint8))
    unit = np.array(vector, np.float32) / np.linalg.norm(vector).astype(np.float32)
    return Entry(id, unit, points, f"where {id} is from")


@pytest.fixture
def index() -> PictureIndex:
    return PictureIndex("eye", [entry("Q1", 1, 0, 0), entry("Q2", 1, 1, 0), entry("Q1", 0, 0, 1)])


def test_the_nearest_come_first_with_their_cosines(index: PictureIndex) -> None:
    found = index.nearest(np.array([1, 0, 0], np.float32), 2)
    assert [(near.id, round(cosine, 3)) for near, cosine in found] == [("Q1", 1.0), ("Q2", 0.707)]


def test_nothing_is_near_in_an_empty_index() -> None:
    assert PictureIndex("eye").nearest(np.ones(3, np.float32), 5) == []


def test_a_large_index_is_searched_approximately_with_the_same_result() -> None:
    random = np.random.default_rng(1)
    entries = [entry(f"Q{n}", *random.normal(size=16)) for n in range(500)]
    exact, quick = PictureIndex("eye", entries), PictureIndex("eye", entries, exact_below=500)
    for wanted in entries[::50]:
        near, also = (index.nearest(wanted.vector, 3) for index in (exact, quick))
        assert [each.id for each, _ in near] == [each.id for each, _ in also]
        assert [cosine for _, cosine in also] == pytest.approx(
            [cosine for _, cosine in near], abs=2e-3
        )


def test_a_file_gives_back_what_was_saved(index: PictureIndex, tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "own.pictures"
    index.save(path)
    read = PictureIndex.load(path, "eye")
    assert (read.encoder, read.ids, len(read)) == ("eye", {"Q1", "Q2"}, 3)
    for before, after in zip(index.entries, read.entries, strict=True):
        assert (after.id, after.note) == (before.id, before.note)
        assert after.vector == pytest.approx(before.vector, abs=1e-3)
        assert (after.keypoints.points == before.keypoints.points).all()
        assert (after.keypoints.descriptors == before.keypoints.descriptors).all()


def test_an_empty_index_can_be_saved(tmp_path: Path) -> None:
    PictureIndex("eye").save(tmp_path / "empty.pictures")
    assert len(PictureIndex.load(tmp_path / "empty.pictures", "eye")) == 0


def test_the_same_index_is_the_same_file(index: PictureIndex, tmp_path: Path) -> None:
    for name in ("a", "b"):
        index.save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("place", [0, 30, 100, -1])
def test_a_damaged_file_is_refused(index: PictureIndex, tmp_path: Path, place: int) -> None:
    path = tmp_path / "own.pictures"
    index.save(path)
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)
    with pytest.raises(RecognitionError, match="damaged, or no index of pictures"):
        PictureIndex.load(path, "eye")


@pytest.mark.parametrize("content", [b"", b"\n", b"expartkg pictures 1 \n", b"\x89PNG\r\n\x1a\n"])
def test_another_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "own.pictures"
    path.write_bytes(content)
    with pytest.raises(RecognitionError, match="no index of pictures"):
        PictureIndex.load(path, "eye")


def test_a_file_cut_off_is_refused(index: PictureIndex, tmp_path: Path) -> None:
    path = tmp_path / "own.pictures"
    index.save(path)
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(RecognitionError, match="damaged"):
        PictureIndex.load(path, "eye")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecognitionError, match=r"none\.pictures cannot be read"):
        PictureIndex.load(tmp_path / "none.pictures", "eye")


def test_the_vectors_of_another_encoder_are_refused(index: PictureIndex, tmp_path: Path) -> None:
    index.save(tmp_path / "own.pictures")
    with pytest.raises(RecognitionError, match="encoder eye, and pictures are looked up with ear"):
        PictureIndex.load(tmp_path / "own.pictures", "ear")
    with pytest.raises(RecognitionError, match="encoder eye"):
        PictureIndex("ear").joined(index)
