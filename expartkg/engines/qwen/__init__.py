"""The paper's models: Qwen3-VL explains, Qwen3 judges, both in 4 bits on one device.

| module | what it knows |
| --- | --- |
| `checkpoints` | where a model's files are: a folder, or a repository of the hub at one revision |
| `loading` | how files become a model in NF4, and what to do if they do not |
| `device` | where models compute, how precisely, and whose turn it is |
| `chat` | the tokens around a prompt's texts, and text from tokens |
| `pictures` | a picture as patches, its pixels capped |
| `model` | Qwen3-VL taken apart: see, read, score |
| `attention` | one token's attention over a cache of fixed size |
| `decoding` | one token after the other, plainly or by a compiled step |
| `session` | one run: the picture once, a prefix for each system prompt, then text alone |
| `judging` | forced decoding of True and False |
| `engine` | all of it put together and warmed up |
| `quantizing` | 4-bit weights saved once |
| `zero_gpu` | what is different on a Space whose GPU is lent by the call |

Importing the package imports no torch; its modules do.
"""

from __future__ import annotations

import ctypes
import sys
from importlib.util import find_spec

from expartkg.engines.base import Engine, Progress
from expartkg.engines.qwen import zero_gpu
from expartkg.errors import EngineError
from expartkg.settings import Settings

PACKAGES = ("torch", "transformers", "accelerate", "bitsandbytes")


def is_available() -> bool:
    """Whether torch is installed and sees a CUDA device.

    torch, which takes seconds to import, is asked only where there is a driver.
    """
    if find_spec("torch") is None or not (zero_gpu.is_on() or _has_cuda_driver()):
        return False
    import torch

    return torch.cuda.is_available()


def qwen_engine(settings: Settings, progress: Progress | None = None) -> Engine:
    """The engine of `settings.lvlm` and `settings.validator`, loaded and warmed up.

    Takes minutes the first time, when the weights are downloaded. Raises `EngineError` with what
    to do about it: no CUDA device, too little memory, a package that is missing, a repository
    that is missing, gated or out of reach, a download that broke off.
    """
    require_packages()
    from expartkg.engines.qwen.engine import load

    return load(settings, progress or (lambda _: None))


def require_packages() -> None:
    """Raises `EngineError` if a package that the models need is not installed."""
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        raise EngineError(
            f"The engine qwen needs {', '.join(missing)}: pip install {' '.join(missing)}, or "
            "choose --engine remote or --engine preview."
        )


def _has_cuda_driver() -> bool:
    library = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True
