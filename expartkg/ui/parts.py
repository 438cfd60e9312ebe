"""Pieces that several parts of the page are made of."""

from __future__ import annotations

import shutil
import uuid
from pathlib import Path
from typing import Any
from urllib.parse import quote

import gradio as gr

from expartkg.files import writing
from expartkg.ui.cards import Cards
from expartkg.ui.chooser import Chooser

SCRIPTS = Path(__file__).parent / "scripts"
QUIET: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
AT_ONCE: dict[str, Any] = {"queue": False, **QUIET}


def html_part(
    html: str, id: str | None = None, script: str | None = None, **options: Any
) -> gr.HTML:
    """A piece of the page's own HTML, with one of its scripts."""
    code = (SCRIPTS / f"{script}.js").read_text(encoding="utf-8") if script else None
    return gr.HTML(
        html,
        elem_id=id,
        elem_classes="plain",
        js_on_load=code,
        apply_default_css=False,
        **options,
    )


def picker_part(cards: Cards, chooser: Chooser, field: str, id: str) -> gr.HTML:
    """Suggestions for the text field of the id `field`; what is chosen is its event `pick`."""

    # No method: gradio puts a mark on the function, which a method does not take.
    def suggest(text: object) -> str:
        return cards.suggestions(chooser.suggestions(text), field)

    return html_part(cards.picker(field), id, "picker", server_functions=[suggest])


def visitor_of(request: gr.Request) -> str:
    """A browser window has a name of its own; a program that gives none is nobody else."""
    return request.session_hash or uuid.uuid4().hex


def offer(owner: gr.HTML, name: str, content: bytes) -> str:
    """Puts a file where browsers may fetch it, for as long as uploads are kept.

    Returns its address, from the page on: long, and known only to whom it is told. Raises
    `ExpArtError` if it cannot be written.
    """
    folder = Path(owner.GRADIO_CACHE) / uuid.uuid4().hex
    file = folder / name
    with writing(name):
        try:
            folder.mkdir(parents=True)
            file.write_bytes(content)
        except OSError:
            shutil.rmtree(folder, ignore_errors=True)
            raise
    # What gradio knows of, it deletes in time.
    owner.temp_files.add(str(file))
    return "gradio_api/file=" + quote(str(file))
