"""The device that both models share: where it is, how precisely it computes, whose turn it is."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import torch

from expartkg.engines.qwen import zero_gpu
from expartkg.errors import EngineError

FIRST_WITH_BFLOAT16 = 8
"""The major compute capability (Ampere) from which a GPU has bfloat16."""


class Device:
    """A GPU or the CPU, with the type in which it computes and keeps what is not in 4 bits."""

    def __init__(self, name: str, dtype: torch.dtype) -> None:
        self.name = name
        self.dtype = dtype
        self._lock = threading.Lock()

    @property
    def is_gpu(self) -> bool:
        return self.name != "cpu"

    @property
    def dtype_name(self) -> str:
        """As settings and Runs have it: `bfloat16`, `float16` or `float32`."""
        return str(self.dtype).removeprefix("torch.")

    @property
    def model_name(self) -> str:
        """What the device is called by its maker, `cpu` for a CPU."""
        return torch.cuda.get_device_name(self.name) if self.is_gpu else self.name

    @contextmanager
    def turn(self) -> Iterator[None]:
        """One step of one model. Nobody else's runs meanwhile, so steps of two runs may alternate.

        Raises `EngineError` if memory runs out, having freed what can be freed.
        """
        with self._lock, torch.no_grad():
            try:
                yield
            except (RuntimeError, MemoryError) as error:
                if not is_out_of_memory(error):
                    raise
                raise self._out_of_memory() from error

    def free_memory(self) -> int | None:
        """Bytes that are free on a GPU, None for a CPU, whose memory is not only ours."""
        if not self.is_gpu or zero_gpu.is_on():
            return None
        free: int = torch.cuda.mem_get_info(self.name)[0]
        return free

    def release(self) -> None:
        """Gives memory that is kept for later back to the GPU."""
        if self.is_gpu:
            torch.cuda.empty_cache()

    def _out_of_memory(self) -> EngineError:
        self.release()
        memory = "GPU's memory" if self.is_gpu else "memory"
        return EngineError(
            f"The {memory} did not suffice for this answer. Try again; if it happens again, set "
            "EXPARTKG_IMAGE_TOKENS or --facts-budget lower, or EXPARTKG_LVLM to a smaller model."
        )


def open_device(name: str) -> Device:
    """`cuda` or `cpu`, computing in bfloat16, in float16 on a GPU without, in float32 on a CPU.

    Raises `EngineError` if there is no CUDA device.
    """
    if name == "cpu":
        return Device(name, torch.float32)
    if not torch.cuda.is_available():
        raise EngineError(
            "The engine qwen needs a CUDA device, and torch finds none. Use --engine remote with a "
            "server, or --engine preview. To run on this machine's CPU, in minutes for an answer, "
            "set EXPARTKG_DEVICE=cpu and EXPARTKG_LVLM=Qwen/Qwen3-VL-2B-Instruct."
        )
    major, _ = torch.cuda.get_device_capability(name)
    return Device(name, torch.bfloat16 if major >= FIRST_WITH_BFLOAT16 else torch.float16)


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an error says that memory ran out; a CPU's is told by its text alone."""
    return isinstance(error, torch.OutOfMemoryError | MemoryError) or (
        "DefaultCPUAllocator" in str(error)
    )
