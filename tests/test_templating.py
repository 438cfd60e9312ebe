"""What templates make of texts of others."""

from __future__ import annotations

from pathlib import Path

from expartkg.templating import templates_in


def test_texts_are_escaped_and_turn_nothing_around(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("{{ text }}|{{ number }}|{{ text | e }}")
    template = templates_in(tmp_path).get_template("page.html")
    text = "\u202e<b>\u2066\u200fab\u2069"
    assert (
        template.render(text=text, number=3)
        == "&lt;b&gt;\u200fab|3|\u202e&lt;b&gt;\u2066\u200fab\u2069"
    )
