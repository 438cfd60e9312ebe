"""Writing one token after the other, always the most probable one.

The plain way runs the model as it is, over a cache that grows. The compiled way has one cache of
fixed size and a step over it that is compiled once and, on a GPU, recorded as a CUDA graph, so that
the processor no longer decides how fast a token comes. The graph is recorded here and not by
`torch.compile` itself, whose recordings belong to a thread, while every run has its own.
"""

from __future__ import annotations

import copy
import logging
from collections.abc import Callable
from typing import Any, Protocol

import torch
from transformers import Cache, DynamicCache, StaticCache

from expartkg.engines.base import Progress
from expartkg.engines.qwen import zero_gpu
from expartkg.engines.qwen.device import Device
from expartkg.engines.qwen.model import VisionLanguageModel
from expartkg.errors import EngineError

log = logging.getLogger(__name__)

COMPILED_TOKENS = 5120
"""Places in the cache of fixed size: a picture, a long list of facts and an answer. With the
paper's model they take 0.75 GB, all of which each token reads.
"""
FIRST_WITH_TRITON = 7
WARM_UP_STEPS = 3


class Writing(Protocol):
    """One answer while it is written."""

    def step(self, token: int) -> int:
        """Appends a token and returns the most probable next one."""
        ...

    def close(self) -> None:
        """Ends the answer, finished or not."""
        ...


class Decoder(Protocol):
    """A way to write answers; every call is one step, within `Device.turn`."""

    name: str

    def begin(self, cache: DynamicCache, position: int, room: int) -> Writing:
        """Goes on after what is in `cache`, which is the answer's own, at `position`; the answer
        will have at most `room` tokens.
        """
        ...


def choose_decoder(model: VisionLanguageModel, way: str, progress: Progress) -> Decoder:
    """The decoder that a setting names, warmed up; `auto` is the compiled one where it works.

    Raises `EngineError` if `compiled` is asked for and does not work.
    """
    if way == "eager" or (way == "auto" and not _may_compile(model.device)):
        return PlainDecoder(model)
    progress("Compiling the step that writes a token, which takes a minute or two")
    try:
        decoder = CompiledDecoder(model)
        decoder.warm_up()
    except Exception as error:
        # The compiler, the driver and the platform fail in ways of their own.
        log.warning("the step that writes a token cannot be compiled", exc_info=True)
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        if way == "compiled":
            raise EngineError(
                f"The step that writes a token cannot be compiled here ({reason}). Set "
                "EXPARTKG_DECODING=eager to do without, at a third of the speed or less."
            ) from error
        progress(f"Compiling failed ({reason}); answers will be written the slower way")
        return PlainDecoder(model)
    return decoder


def _may_compile(device: Device) -> bool:
    if not device.is_gpu or zero_gpu.is_on():
        return False
    from torch.utils._triton import has_triton

    return has_triton() and torch.cuda.get_device_capability(device.name)[0] >= FIRST_WITH_TRITON


def fork(cache: DynamicCache) -> DynamicCache:
    """A cache that goes on from `cache` and leaves it as it is, without copying what it holds.

    A layer never changes the tensors it has: it replaces them by longer ones.
    """
    forked = copy.copy(cache)
    forked.layers = [copy.copy(layer) for layer in cache.layers]
    return forked


class PlainDecoder:
    """Runs the model as it is."""

    name = "eager"

    def __init__(self, model: VisionLanguageModel) -> None:
        self._model = model

    def begin(self, cache: DynamicCache, position: int, room: int) -> Writing:
        return _PlainWriting(self._model, cache, position)


class _PlainWriting:
    def __init__(self, model: VisionLanguageModel, cache: DynamicCache, position: int) -> None:
        self._model = model
        self._cache = cache
        self._position = position

    def step(self, token: int) -> int:
        device = self._model.device.name
        ids = torch.tensor([[token]], device=device)
        positions = torch.full((3, 1, 1), self._position, device=device)
        self._position += 1
        return int(self._model.read(ids, positions, self._cache).argmax())

    def close(self) -> None:
        """The cache goes with the answer."""


class CompiledDecoder:
    """One step, compiled; one cache of fixed size, which goes to whoever writes.

    When answers of two runs alternate, who had the cache before keeps a copy of its own part.
    Answers that would not fit into the cache are written plainly.
    """

    name = "compiled"

    def __init__(
        self,
        model: VisionLanguageModel,
        tokens: int = COMPILED_TOKENS,
        backend: str | Callable[..., Any] = "inductor",
    ) -> None:
        self._model = model
        self._tokens = tokens
        device = model.device.name
        self._cache = StaticCache(config=model.config, max_cache_len=tokens)
        self._places = torch.arange(tokens, device=device)
        # A recorded step reads and writes these where they are.
        self._token = torch.zeros((1, 1), dtype=torch.long, device=device)
        self._length = torch.zeros(1, dtype=torch.long, device=device)
        self._position = torch.zeros((3, 1, 1), dtype=torch.long, device=device)
        self._next = torch.compile(self._read, fullgraph=True, dynamic=False, backend=backend)
        self._graph: torch.cuda.CUDAGraph | None = None
        self._writer: _CompiledWriting | None = None

    def begin(self, cache: DynamicCache, position: int, room: int) -> Writing:
        if cache.get_seq_length() + room > self._tokens:
            return _PlainWriting(self._model, cache, position)
        return _CompiledWriting(self, cache, position)

    def warm_up(self) -> None:
        """Compiles the step, and records it on a GPU. To be called before anybody writes."""
        with self._model.device.turn():
            self._load(_CompiledWriting(self, *_short_text(self._model)))
            for _ in range(WARM_UP_STEPS):
                self._advance()
            if self._model.device.is_gpu:
                self._record()

    def step(self, writing: _CompiledWriting, token: int) -> int:
        if self._writer is not writing:
            self._hand_over(writing)
        self._token.fill_(token)
        if self._graph is None:
            self._advance()
        else:
            self._graph.replay()
        return int(self._token)

    def end(self, writing: _CompiledWriting) -> None:
        if self._writer is writing:
            self._writer = None

    def _read(
        self, token: torch.Tensor, position: torch.Tensor, mask: torch.Tensor
    ) -> torch.Tensor:
        scores = self._model.read(token, position, self._cache, mask=mask)
        return scores.argmax(-1, keepdim=True)

    def _advance(self) -> None:
        """From one token to the next, all on the device."""
        mask = (self._places <= self._length).view(1, 1, 1, -1)
        self._token.copy_(self._next(self._token, self._position, mask))
        self._length.add_(1)
        self._position.add_(1)

    def _record(self) -> None:
        stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(WARM_UP_STEPS):
                self._advance()
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self._advance()
        self._graph = graph

    def _hand_over(self, writing: _CompiledWriting) -> None:
        if self._writer is not None:
            self._writer.keep(self._copy(), int(self._position[0]))
        self._load(writing)
        self._writer = writing

    def _load(self, writing: _CompiledWriting) -> None:
        # Nothing of another answer stays, not even where the mask hides it.
        self._cache.reset()  # type: ignore[no-untyped-call]
        for number, (keys, values) in enumerate(_entries(writing.cache)):
            self._cache.update(keys, values, number)
        self._length.fill_(writing.cache.get_seq_length())
        self._position.fill_(writing.position)
        writing.cache = DynamicCache()

    def _copy(self) -> DynamicCache:
        copied = DynamicCache()
        length = int(self._length)
        for number, (keys, values) in enumerate(_entries(self._cache)):
            # What a growing cache is given it copies.
            copied.update(keys[:, :, :length], values[:, :, :length], number)
        return copied


def _entries(cache: Cache) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Keys and values of each layer, (1, shared heads, tokens, width)."""
    layers: list[Any] = cache.layers
    return [(layer.keys, layer.values) for layer in layers]


class _CompiledWriting:
    """An answer; `cache` holds what was read and written so far while another one is written."""

    def __init__(self, decoder: CompiledDecoder, cache: DynamicCache, position: int) -> None:
        self._decoder = decoder
        self.cache = cache
        self.position = position

    def keep(self, cache: DynamicCache, position: int) -> None:
        self.cache, self.position = cache, position

    def step(self, token: int) -> int:
        return self._decoder.step(self, token)

    def close(self) -> None:
        self._decoder.end(self)


def _short_text(model: VisionLanguageModel) -> tuple[DynamicCache, int]:
    """A cache with something in it, and the position after it."""
    ids = torch.zeros((1, WARM_UP_STEPS), dtype=torch.long, device=model.device.name)
    cache = DynamicCache()
    model.read(ids, model.positions(ids, None), cache)
    return cache, WARM_UP_STEPS
