"""A picture as a data URL, no larger than the model will look at."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from expartkg import pictures

if TYPE_CHECKING:
    from PIL.Image import Image

TOKEN_SIDE = 32
JPEG_QUALITY = 92


def data_url(picture: Image, tokens: int) -> str:
    """The picture as JPEG, shrunk to `tokens` squares of 32×32 pixels if it has more."""
    return pictures.data_url(_capped(picture, tokens), "JPEG", quality=JPEG_QUALITY)


def _capped(picture: Image, tokens: int) -> Image:
    width, height = picture.size
    scale = math.sqrt(tokens * TOKEN_SIDE**2 / (width * height))
    if scale >= 1:
        return picture
    return picture.resize((max(1, int(width * scale)), max(1, int(height * scale))))
