"""The style sheet of these pages: the guide's own colours and elements, without gradio's."""

from __future__ import annotations

import re
from pathlib import Path

from expartkg.ui.theme import STYLE_SHEET, theme

_DARK = re.compile(r"^(?:\.dark|:root\.dark, :root \.dark) \{(.*?)\}", re.DOTALL | re.MULTILINE)


def style_sheet() -> str:
    """gradio's script marks a dark page with a class; without it, the browser is asked."""
    own = Path(__file__).parent / "browse.css"
    # gradio's own method: its route for the style sheet gives just what this returns.
    colours = theme()._get_theme_css().replace("url('static/", "url('../static/")
    sheets = (colours, STYLE_SHEET.read_text(encoding="utf-8"), own.read_text(encoding="utf-8"))
    return "\n".join(_DARK.sub(_when_dark, sheet) for sheet in sheets)


def _when_dark(rule: re.Match[str]) -> str:
    return f"@media (prefers-color-scheme: dark) {{ :root {{{rule[1]}}} }}"
