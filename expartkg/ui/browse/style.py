"""The style sheet of these pages: the guide's own colours and elements, without gradio's."""

from __future__ import annotations

import re
from pathlib import Path

from expartkg.ui.theme import STYLE_SHEETS, theme

_DARK = re.compile(
    r"^(?::root\.dark, :root \.dark|\.dark)( [^{,]+)? \{(.*?)\}", re.DOTALL | re.MULTILINE
)


def style_sheet() -> str:
    """gradio's script marks a dark page with a class; without it, the browser is asked."""
    own = Path(__file__).parent / "browse.css"
    # gradio's own method: its route for the style sheet gives just what this returns.
    colours = theme()._get_theme_css().replace("url('static/", "url('../static/")
    texts = (path.read_text(encoding="utf-8") for path in (*STYLE_SHEETS, own))
    return "\n".join(_DARK.sub(_when_dark, sheet) for sheet in (colours, *texts))


def _when_dark(rule: re.Match[str]) -> str:
    element = (rule[1] or ":root").strip()
    return f"@media (prefers-color-scheme: dark) {{ {element} {{{rule[2]}}} }}"
