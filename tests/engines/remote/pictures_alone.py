"""A processor of Qwen3-VL that takes pictures and no videos, for which torchvision is needed.

Lies in a model's folder, from which `transformers serve --trust-remote-code` loads it.
"""

from __future__ import annotations

from typing import Any

from transformers import Qwen3VLProcessor
from transformers.processing_utils import ProcessorMixin


class PicturesAlone(Qwen3VLProcessor):
    def __init__(
        self, image_processor: Any = None, tokenizer: Any = None, chat_template: Any = None
    ) -> None:
        # Not its own parent's, which asks for a processor of videos.
        set_up: Any = ProcessorMixin.__init__
        set_up(self, image_processor, tokenizer, chat_template=chat_template)
        for name in ("image", "video"):
            self._know(f"{name}_token", f"<|{name}_pad|>")
        for name in ("vision_start", "vision_end"):
            self._know(f"{name}_token", f"<|{name}|>")

    def _know(self, name: str, token: str) -> None:
        setattr(self, name, token)
        setattr(self, f"{name}_id", self.tokenizer.convert_tokens_to_ids(token))
