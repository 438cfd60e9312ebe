"""Colours and fonts. Everything is served by the page itself: no font comes from elsewhere."""

from __future__ import annotations

from pathlib import Path

from gradio.themes import Base
from gradio.themes.utils import sizes
from gradio.themes.utils.colors import Color
from gradio.themes.utils.fonts import LocalFont

from expartkg.subgraph import STYLE as STYLE_OF_SUBGRAPH

STYLE_SHEETS = [
    Path(__file__).resolve().parents[2] / "assets" / "style.css",
    STYLE_OF_SUBGRAPH,
]

INK = Color(
    name="ink",
    c50="#f1f5f6",
    c100="#dde7ea",
    c200="#bed1d7",
    c300="#97b8c1",
    c400="#6a98a5",
    c500="#467b8a",
    c600="#32646f",
    c700="#28515b",
    c800="#21424b",
    c900="#1b363d",
    c950="#0f2227",
)
PAPER = Color(
    name="paper",
    c50="#faf8f5",
    c100="#f3f0ea",
    c200="#e5e0d7",
    c300="#cfc8bc",
    c400="#a39b8e",
    c500="#756e63",
    c600="#575148",
    c700="#433e37",
    c800="#2b2824",
    c900="#201e1b",
    c950="#171513",
)


def theme() -> Base:
    """Paper and ink; every pair of text and ground has a contrast of 4.5 or more."""
    base = Base(
        primary_hue=INK,
        secondary_hue=INK,
        neutral_hue=PAPER,
        radius_size=sizes.radius_md,
        # gradio's other fonts, and this one's semi-bold, lack half the alphabet.
        font=(LocalFont("IBM Plex Sans", weights=(400, 700)), "system-ui", "sans-serif"),
        font_mono=("ui-monospace", "monospace"),
    )
    return base.set(
        body_background_fill="*neutral_50",
        body_background_fill_dark="*neutral_950",
        body_text_color="*neutral_900",
        body_text_color_dark="*neutral_100",
        body_text_color_subdued="*neutral_500",
        body_text_color_subdued_dark="*neutral_300",
        background_fill_primary="white",
        background_fill_primary_dark="*neutral_900",
        background_fill_secondary="*neutral_50",
        background_fill_secondary_dark="*neutral_950",
        block_background_fill="white",
        block_background_fill_dark="*neutral_900",
        block_border_color="*neutral_200",
        block_border_color_dark="*neutral_700",
        border_color_primary="*neutral_200",
        border_color_primary_dark="*neutral_700",
        block_label_text_color="*neutral_600",
        block_label_text_color_dark="*neutral_200",
        block_title_text_color="*neutral_700",
        block_title_text_color_dark="*neutral_100",
        block_info_text_color="*neutral_500",
        block_info_text_color_dark="*neutral_300",
        input_background_fill="white",
        input_background_fill_dark="*neutral_950",
        input_border_color="*neutral_300",
        input_border_color_dark="*neutral_600",
        input_border_width="1px",
        input_placeholder_color="*neutral_500",
        input_placeholder_color_dark="*neutral_400",
        button_primary_background_fill="*primary_700",
        button_primary_background_fill_hover="*primary_800",
        button_primary_background_fill_dark="*primary_300",
        button_primary_background_fill_hover_dark="*primary_200",
        button_primary_text_color="white",
        button_primary_text_color_dark="*neutral_950",
        button_secondary_background_fill="*neutral_200",
        button_secondary_background_fill_hover="*neutral_300",
        button_secondary_background_fill_dark="*neutral_700",
        button_secondary_background_fill_hover_dark="*neutral_600",
        button_secondary_text_color="*neutral_900",
        button_secondary_text_color_dark="*neutral_100",
        link_text_color="*primary_700",
        link_text_color_hover="*primary_900",
        link_text_color_visited="*primary_700",
        link_text_color_dark="*primary_300",
        link_text_color_hover_dark="*primary_200",
        link_text_color_visited_dark="*primary_300",
    )
