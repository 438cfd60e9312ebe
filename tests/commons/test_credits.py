"""Authors and licences as plain text."""

from __future__ import annotations

import pytest

from expartkg.commons import Credit
from expartkg.commons.addresses import file_page
from expartkg.commons.credits import MAX_TEXT, plain_text, read_credit


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("Vincent van Gogh", "Vincent van Gogh"),
        ('<a href="//commons.wikimedia.org/wiki/User:X" title="x">Jane &amp; Co</a>', "Jane & Co"),
        ('Unknown author<span style="display: none;">Unknown author</span>', "Unknown author"),
        ('<div style="DISPLAY:none"><p>creator QS:P170</p><br>x</div>Rembrandt', "Rembrandt"),
        ("<p>A</p><p>B<br/>C</p><ul><li>D</li></ul>", "A B C D"),
        ("<script>alert(1)</script><style>p{}</style>E", "E"),
        ("&lt;b&gt;not bold&lt;/b&gt;", "<b>not bold</b>"),
        ("G&nbsp;H\n\x00\ud800I", "G H I"),
        ("<b>never closed", "never closed"),
        ("</b></div>stray", "stray"),
        ("<!-- hidden -->J<?php x ?>", "J"),
        ("", ""),
    ],
)
def test_html_becomes_text(html: str, text: str) -> None:
    assert plain_text(html) == text


def test_long_texts_are_shortened() -> None:
    text = plain_text("word " * 10_000)
    assert len(text) <= MAX_TEXT
    assert text.endswith("word …")


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("https://creativecommons.org/licenses/by-sa/4.0", True),
        ("http://artlibre.org/licence/lal/en", True),
        ("javascript:alert(1)", False),
        ("https://x.example/ onclick=1", False),
        ("https://x.example/\"'><b>", False),
        ("", False),
    ],
)
def test_a_licence_is_linked_only_by_a_web_address(address: str, kept: bool) -> None:
    credit = read_credit("x.jpg", {"LicenseUrl": {"value": address}})
    assert credit.licence_url == (address if kept else None)


@pytest.mark.parametrize(
    "metadata",
    [None, [], {}, {"Artist": None}, {"Artist": {"value": 1.2}}, {"Artist": {"value": "<p></p>"}}],
)
def test_what_commons_does_not_state_is_none(metadata: object) -> None:
    assert read_credit("x.jpg", metadata) == Credit("x.jpg", file_page("x.jpg"))


def test_the_attribution_stands_in_for_an_author() -> None:
    credit = read_credit("x.jpg", {"Attribution": {"value": "Museum of Y"}})
    assert credit.author == "Museum of Y"
