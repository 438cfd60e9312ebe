"""The field for the picture."""

from __future__ import annotations

import gradio as gr
from gradio.data_classes import ImageData
from gradio.processing_utils import save_file_to_cache


class PictureField(gr.Image):
    """A picture whose value is the path of the upload, which nobody has opened yet.

    gradio's own opens the file before anything of ours runs, and says only "Error" if it cannot.
    """

    is_template = True

    def preprocess(self, payload: ImageData | None) -> str | None:
        return payload.path if payload else None

    def take_in(self, path: str) -> str:
        """A copy of a file among the uploads, from where the browser may have it."""
        return str(save_file_to_cache(path, cache_dir=self.GRADIO_CACHE))
