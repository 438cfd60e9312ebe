"""The vision tower of a Qwen3-VL that is loaded to explain pictures anyway, as an encoder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from expartkg.errors import RecognitionError
from expartkg.recognition.encoders import unit

if TYPE_CHECKING:
    import torch
    from PIL.Image import Image

    from expartkg.engines.base import Engine
    from expartkg.recognition.encoders import Vectors


class TowerEncoder:
    """The mean of a picture's tokens. A picture waits for its turn at the device, as a run does."""

    def __init__(self, engine: Engine) -> None:
        """Raises `RecognitionError` unless it is the engine `qwen`."""
        from expartkg.engines.qwen.session import QwenExplainer

        if not isinstance(engine.explainer, QwenExplainer):
            raise RecognitionError(
                f"The encoder qwen is part of the engine qwen, and the engine is {engine.name}; "
                "set EXPARTKG_ENGINE=qwen, or another EXPARTKG_ENCODER."
            )
        self._explainer = engine.explainer
        what = engine.description
        model = f"{what['explainer']}@{what['explainer_revision']}"
        self.name = f"vision tower of {model}, {what['image_tokens']} tokens"
        self.dimension = int(self._explainer.model.config.hidden_size)

    def encode(self, pictures: Sequence[Image]) -> Vectors:
        import torch

        return unit(torch.stack([self._mean(picture) for picture in pictures]))

    def _mean(self, picture: Image) -> torch.Tensor:
        pixels = self._explainer.pictures.read(picture)
        with self._explainer.model.device.turn():
            return self._explainer.model.see(pixels).picture.float().mean(0).cpu()
