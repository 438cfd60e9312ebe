"""Labels: what is repaired, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expartkg.construction.labels import fault, mend


@pytest.mark.parametrize(
    ("label", "mended"),
    [
        ("Mona Lisa", "Mona Lisa"),
        ("  The\u00a0Bather\t", "The Bather"),
        ("Saints Mark and  George", "Saints Mark and George"),
        ("The ´Hen Picture´", "The 'Hen Picture'"),
        ("Four Аngels", "Four Angels"),  # the A is Cyrillic
        ("Tom &amp; Ada", "Tom & Ada"),
        ("Virgil reading the ''Aeneid''", "Virgil reading the Aeneid"),
        ("[[Venus (goddess)|Venus]] and <i>Mars</i>", "Venus and Mars"),
        ("Vase of Flowers (Vase de fleurs )", "Vase of Flowers (Vase de fleurs)"),
        ("Cafe\u0301", "Café"),
        ("a\u200bb", "a b"),
        ("Gardanne [vue horizontale]", "Gardanne [vue horizontale]"),
        ("Musée d’Art", "Musée d’Art"),  # a curly apostrophe is right as it is
    ],
)
def test_repairs(label: str, mended: str) -> None:
    assert mend("Q0", label)[0] == mended
    assert bool(mend("Q0", label)[1]) == (label != mended)


@pytest.mark.parametrize("label", ["Вечер", "نيكولا بوسان", "עץ תפוחים I", "チェリー", "Four 天使"])
def test_another_script_is_refused(label: str) -> None:
    assert fault(mend("Q0", label)[0]) == "label is not in Latin script"


@given(st.text())
def test_a_label_that_passes_can_be_matched_in_text(label: str) -> None:
    mended, _ = mend("Q0", label)
    assert mended == " ".join(mended.split())
    if not fault(mended):
        assert mended.isprintable()
        assert any(character.isalpha() for character in mended)
