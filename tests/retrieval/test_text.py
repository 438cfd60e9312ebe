"""The normal form of names and the way back to the original text."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from expartkg.retrieval.text import fold, normal_form, normalise

# Characters that normalisation treats differently, dense enough to meet one another.
DELICATE = st.text(
    alphabet=st.one_of(
        st.sampled_from("aeuAE \t\n\r\u00a0\u3000'’“”\u0301\u0308\u0323\u030a\ud800"),
        st.sampled_from("\u1100\u1161\u11a8가각क\u093c\u0bc6\u0bbe\u212b\u2126é½①ﬁ"),
        st.characters(),
    ),
    max_size=40,
)


def reference(text: str) -> str:
    """The normal form without offsets, by the plainest means."""
    whole = "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)
    quotes = dict.fromkeys("‘’‚‛", "'") | dict.fromkeys("“”„‟", '"')
    composed = "".join(quotes.get(c, c) for c in unicodedata.normalize("NFC", whole))
    collapsed: list[str] = []
    for character in composed:
        if not character.isspace():
            collapsed.append(character)
        elif not collapsed or collapsed[-1] != " ":
            collapsed.append(" ")
    return "".join(collapsed)


@given(DELICATE)
def test_clusters_normalise_like_the_whole_text(text: str) -> None:
    assert normalise(text).text == reference(text)


@given(DELICATE)
def test_offsets_lead_back_to_the_same_text(text: str) -> None:
    normal = normalise(text)
    assert len(normal.starts) == len(normal.text) + 1
    assert list(normal.starts) == sorted(normal.starts)
    assert normal.starts[-1] == len(text)
    for start in range(len(normal.text)):
        piece = text[normal.starts[start] : normal.starts[start + 1]]
        # A code point without a piece of its own belongs to the cluster of its neighbour.
        assert not piece or normalise(piece).text


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_normal_form_is_the_normalised_text_trimmed(text: str) -> None:
    assert normal_form(text) == normalise(text).text.strip()


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("Cafe\u0301  Terrace", "Café Terrace"),
        ("Whistler’s\tMother", "Whistler's Mother"),
        ("“The Kiss”", '"The Kiss"'),
        ("  The\u00a0Scream ", "The Scream"),
        ("", ""),
    ],
)
def test_normal_form(text: str, normal: str) -> None:
    assert normal_form(text) == normal


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("CAFÉ  Terrace", "cafe terrace"),
        ("Straße", "strasse"),
        ("The Night–Watch", "the night-watch"),
        ("Ōta", "ota"),
    ],
)
def test_fold(text: str, folded: str) -> None:
    assert fold(text) == folded
