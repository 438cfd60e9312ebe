from __future__ import annotations

import time
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from expartkg.ui.markup import Insertion, encodable, rich


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("*Mona Lisa* is old", "<em>Mona Lisa</em> is old"),
        ("**very** old", "<strong>very</strong> old"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("a*b*c", "a*b*c"),
        ("*not\nacross lines*", "*not\nacross lines*"),
        ("<b>*x*</b>", "&lt;b&gt;<em>x</em>&lt;/b&gt;"),
        ("![x](http://outside.test/a.png)", "![x](http://outside.test/a.png)"),
        ("モナ・リザ", "モナ・リザ"),
    ],
)
def test_emphasis_and_nothing_else(text: str, html: str) -> None:
    assert rich(text) == html


@given(st.text())
def test_no_tag_but_our_own_comes_out(text: str) -> None:
    html = str(rich(text))
    for own in ("<em>", "</em>", "<strong>", "</strong>"):
        html = html.replace(own, "")
    assert "<" not in html
    assert ">" not in html


def test_a_growing_text_grows_at_its_end() -> None:
    text = "The *Mona Lisa* hangs in Paris.\n\nIt is small."
    for length in range(text.index("hangs"), len(text)):
        assert str(rich(text)).startswith(str(rich(text[:length])))


@pytest.mark.parametrize("text", ["**a " * 50_000, "*a " * 60_000, "*" * 200_000])
def test_a_long_row_of_stars_is_no_trap(text: str) -> None:
    began = time.process_time()
    rich(text)
    assert time.process_time() - began < 10


def test_lone_surrogates_can_be_sent() -> None:
    assert encodable("a\ud800b") == "a?b"
    rich("a\ud800b").encode()


@given(st.text("*a \n<\ue000\u202e", max_size=40), st.lists(st.integers(0, 40), max_size=6))
def test_elements_nest_whatever_is_emphasised(text: str, places: list[int]) -> None:
    places = sorted({place for place in places if place <= len(text)})
    pairs = zip(places[::2], places[1::2], strict=False)
    link = Markup("<a>"), Markup("</a>")
    html = rich(text, [Insertion(start, end, *link) for start, end in pairs])
    ElementTree.fromstring(f"<p>{html}</p>")
    assert html.count("<a>") == len(places) // 2


def test_a_link_can_be_emphasised() -> None:
    link = Insertion(1, 5, Markup("<a>"), Markup("</a>"))
    assert rich("*Mona* and **strong *both***", [link]).startswith(
        "<em><a>Mona</a></em> and <strong>"
    )
