"""A picture as Qwen3-VL's vision tower takes it: patches of a size that is capped beforehand.

Works without torchvision, which transformers' own processor asks for.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch
from PIL.Image import Image
from transformers import Qwen2VLImageProcessorPil

from expartkg.errors import EngineError, PictureError

SMALLEST = 256 * 256
"""Pixels to which smaller pictures are enlarged, as Qwen3-VL's own settings have it."""


@dataclass(frozen=True, slots=True)
class Pixels:
    """A picture cut into patches of 16×16 pixels, of which 2×2 become one token.

    `values` are (patches, features), normalised; `grid` is (1, 3): one frame, rows, columns of
    patches. `width` and `height` are the pixels that the model sees, `tokens` their tokens.
    """

    values: torch.Tensor
    grid: torch.Tensor
    width: int
    height: int
    tokens: int


class PictureReader:
    """Resizes pictures to at most `image_tokens` tokens, keeping their shape, and cuts them up.

    By the settings in a model's folder; raises `EngineError` if it has none.
    """

    def __init__(self, folder: Path, image_tokens: int) -> None:
        try:
            self._processor = Qwen2VLImageProcessorPil.from_pretrained(folder)
        except OSError as error:
            raise EngineError(
                f"{folder} has no preprocessor_config.json, by which pictures are cut up; run "
                "python -m expartkg models fetch, or give a folder that has all of a model's files."
            ) from error
        side = self._processor.patch_size * self._processor.merge_size
        most = image_tokens * side * side
        # The names are transformers'; the values are numbers of pixels, not of an edge.
        self._processor.size = {"shortest_edge": min(SMALLEST, most), "longest_edge": most}

    def read(self, image: Image) -> Pixels:
        """Raises `PictureError` for a picture so narrow that it cannot be cut into patches."""
        try:
            read = self._processor(image.convert("RGB"), return_tensors="pt")
        except ValueError as error:
            raise PictureError(
                "The picture is a strip more than 200 times longer than it is wide; crop it."
            ) from error
        _, rows, columns = read["image_grid_thw"][0].tolist()
        patch, merged = self._processor.patch_size, self._processor.merge_size**2
        return Pixels(
            read["pixel_values"],
            read["image_grid_thw"],
            width=columns * patch,
            height=rows * patch,
            tokens=rows * columns // merged,
        )
