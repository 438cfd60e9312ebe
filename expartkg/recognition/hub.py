"""Encoders from the Hugging Face hub, such as DINOv2 and SigLIP 2; they run on the processor."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from expartkg.errors import RecognitionError
from expartkg.recognition.encoders import unit

if TYPE_CHECKING:
    from PIL.Image import Image

    from expartkg.recognition.encoders import Vectors

FILES = ["*.json", "*.safetensors"]
WEIGHTS = ("*.safetensors", "*.bin")
SHORT = 12
PART = 2**20
"""Bytes that are hashed at once: weights may be larger than the memory."""


class HubEncoder:
    """One vector for a whole picture, as the model pools it."""

    def __init__(self, model: str) -> None:
        """`model` is NAME, NAME@REVISION or a folder. Raises `RecognitionError`."""
        from safetensors import SafetensorError
        from transformers import AutoImageProcessor, AutoModel

        folder, self.name = found(model)
        try:
            processors: Any = AutoImageProcessor  # has no annotations
            self._processor = processors.from_pretrained(folder)
            self._model = AutoModel.from_pretrained(folder).eval()
        except (OSError, ValueError, KeyError, ImportError, RuntimeError, SafetensorError) as error:
            raise RecognitionError(
                f"{model} cannot be loaded as an encoder of pictures ({_line(error)}); take one "
                "such as facebook/dinov2-base or google/siglip2-base-patch16-224."
            ) from error
        self._lock = threading.Lock()
        self.dimension = self._width()

    def encode(self, pictures: Sequence[Image]) -> Vectors:
        import torch

        batch = self._processor(images=list(pictures), return_tensors="pt")["pixel_values"]
        with self._lock, torch.inference_mode():
            return unit(self._pooled(batch))

    def _pooled(self, batch: Any) -> Any:
        """Models of pictures and texts have a method for the first; its result varies."""
        see = getattr(self._model, "get_image_features", self._model)
        seen = see(pixel_values=batch)
        return getattr(seen, "pooler_output", seen)

    def _width(self) -> int:
        from PIL import Image as Images

        (vector,) = self.encode([Images.new("RGB", (64, 64), "grey")])
        return len(vector)


def found(model: str) -> tuple[Path, str]:
    """The folder of a model, and a name that is another for other weights.

    Raises `RecognitionError` if there is none here, and the hub gives none.
    """
    folder = Path(model).expanduser()
    if folder.is_dir():
        return folder, f"{folder.name}@{_hash(folder)}"
    name, _, revision = model.partition("@")
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    try:
        downloaded = snapshot_download(name, revision=revision or None, allow_patterns=FILES)
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        raise RecognitionError(
            f"There is no encoder {model!r} here, and the hub gave none ({_line(error)}). Give the "
            "name of a model on the hub, or a folder."
        ) from error
    return Path(downloaded), f"{name}@{Path(downloaded).name[:SHORT]}"


def _hash(folder: Path) -> str:
    digest = hashlib.sha256()
    for file in sorted(path for ending in WEIGHTS for path in folder.glob(ending)):
        with file.open("rb") as weights:
            while part := weights.read(PART):
                digest.update(part)
    return digest.hexdigest()[:SHORT]


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
