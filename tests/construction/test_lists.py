"""The hand-kept lists agree with each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from expartkg.construction import DEFAULT_NOISE, NOISE, tables
from expartkg.construction.concepts import KEPT_CONCEPTS
from expartkg.construction.kinds import HAND_KINDS, KINDS
from expartkg.construction.labels import HAND_LABELS, fault
from expartkg.construction.properties import PROPERTY_LABELS


def test_every_noise_property_has_a_reason_and_a_label() -> None:
    assert {entry.pid for entry in NOISE} == DEFAULT_NOISE
    assert all(len(entry.reason) > 10 for entry in NOISE)
    assert set(PROPERTY_LABELS) >= DEFAULT_NOISE
    assert {"P530", "P190", "P1376", "P47", "P3095", "P1889"} <= DEFAULT_NOISE


def test_no_property_that_tells_about_art_is_noise() -> None:
    assert not DEFAULT_NOISE & {"P170", "P180", "P186", "P195", "P276", "P135", "P136", "P6379"}


def test_no_item_is_both_a_kept_concept_and_a_named_thing() -> None:
    assert not set(KEPT_CONCEPTS) & set(HAND_KINDS)
    assert set(HAND_KINDS.values()) <= set(KINDS) - {"Concept"}


def test_labels_mended_by_hand_are_usable() -> None:
    assert [label for label, _ in HAND_LABELS.values() if fault(label)] == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("id\tname\nQ1\tA\n", "header"),
        ("qid\treason\nQ1\n", "missing field"),
        ("qid\treason\nQ1\t\n", "missing field"),
        ("qid\treason\nQ1\ta\nQ1\tb\n", "listed twice"),
    ],
)
def test_a_faulty_list_is_refused(
    content: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "faulty.tsv").write_text(content, encoding="utf-8")
    monkeypatch.setattr("expartkg.construction.tables.resources.files", lambda _: tmp_path)
    tables.table.cache_clear()
    with pytest.raises(ValueError, match=message):
        tables.table("faulty", ("qid", "reason"))
