"""One run of the explainer: the picture is seen once, and read once for each system prompt.

With the picture first in the user's turn, all iterations share what comes before their text. That
prefix is prefilled once for each system prompt (Table 2 has two); an iteration prefills its text.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass

import torch
from PIL.Image import Image
from transformers import DynamicCache, PreTrainedTokenizerBase

from expartkg.engines.base import AnswerStream
from expartkg.engines.qwen.chat import Chat, Detokenizer
from expartkg.engines.qwen.decoding import Decoder, Writing, fork
from expartkg.engines.qwen.model import Features, VisionLanguageModel
from expartkg.engines.qwen.pictures import PictureReader, Pixels
from expartkg.engines.repetition import RepetitionGuard
from expartkg.errors import EngineError
from expartkg.records import Answer, FinishReason, Prompt, StopFlag


@dataclass(frozen=True, slots=True)
class QwenExplainer:
    """A loaded Qwen3-VL with all that a session needs; `ends` are the tokens that end an answer."""

    model: VisionLanguageModel
    tokenizer: PreTrainedTokenizerBase
    pictures: PictureReader
    decoder: Decoder
    ends: frozenset[int]
    max_new_tokens: int

    def session(self, image: Image | None) -> QwenSession:
        """Raises `PictureError` for a picture that the model cannot take."""
        return QwenSession(self, image)


@dataclass(frozen=True, slots=True)
class _Prefix:
    """A system prompt and a picture, read; `position` is where the text after them begins."""

    cache: DynamicCache
    position: int


@dataclass(slots=True)
class Prefilled:
    """How many tokens a session has read beside those that it wrote."""

    tokens: int = 0
    image_tokens: int = 0


class QwenSession:
    """One run. Holds no lock while nothing is computed, so that runs may alternate."""

    def __init__(self, explainer: QwenExplainer, image: Image | None) -> None:
        self._explainer = explainer
        self._pixels = explainer.pictures.read(image) if image is not None else None
        self._chat = Chat(explainer.tokenizer, picture=self._pixels is not None)
        self._features: Features | None = None
        self._prefixes: dict[str, _Prefix] = {}
        self.prefilled = Prefilled()

    @property
    def description(self) -> Mapping[str, object]:
        """The resolution at which the picture is seen, in pixels, and its tokens."""
        if self._pixels is None:
            return {"picture": None}
        return {"picture": _described(self._pixels)}

    def answer(self, prompt: Prompt, stop: StopFlag) -> AnswerStream:
        """Reads `prompt.system` and `prompt.text`. The stop flag ends it within one token.

        Raises `EngineError` if memory runs out; what the session held is freed then, and the next
        answer reads it again.
        """
        began = time.monotonic()
        text = _Text(self._explainer.tokenizer)
        try:
            reason = yield from self._pieces(prompt, stop, text)
        except EngineError:
            self.close()
            raise
        yield Answer(text.said, reason, text.tokens, time.monotonic() - began)

    def close(self) -> None:
        """Frees the picture and what was read."""
        self._features = None
        self._prefixes.clear()

    def _pieces(
        self, prompt: Prompt, stop: StopFlag, text: _Text
    ) -> Generator[str, None, FinishReason]:
        """Writes into `text`, yields its pieces and returns why there are no more."""
        if stop.is_set():
            return "stopped"
        token, writing = self._begin(prompt)
        with closing(writing):
            while not stop.is_set():
                if token in self._explainer.ends:
                    yield from text.rest()
                    return "stop"
                yield from text.add(token)
                if text.is_looping:
                    return "repetition"
                if text.tokens == self._explainer.max_new_tokens:
                    yield from text.rest()
                    return "length"
                with self._explainer.model.device.turn():
                    token = writing.step(token)
        return "stopped"

    def _begin(self, prompt: Prompt) -> tuple[int, Writing]:
        """Prefills what is new in a prompt: the answer's first token, and what goes on from it."""
        ids = self._chat.after(prompt.text)
        with self._explainer.model.device.turn():
            prefix = self._prefix(prompt.system)
            cache = fork(prefix.cache)
            end = prefix.position + len(ids)
            scores = self._read(ids, torch.arange(prefix.position, end).expand(3, 1, -1), cache)
            writing = self._explainer.decoder.begin(cache, end, self._explainer.max_new_tokens)
            return int(scores.argmax()), writing

    def _prefix(self, system: str) -> _Prefix:
        if system not in self._prefixes:
            self._prefixes[system] = self._read_prefix(system)
        return self._prefixes[system]

    def _read_prefix(self, system: str) -> _Prefix:
        image_tokens = self._pixels.tokens if self._pixels else 0
        features = self._see()
        ids = self._chat.before(system, image_tokens)
        positions = self._explainer.model.positions(self._tensor(ids), features)
        cache = DynamicCache()
        self._read(ids, positions, cache, features)
        self.prefilled.image_tokens += image_tokens
        return _Prefix(cache, int(positions.max()) + 1)

    def _see(self) -> Features | None:
        """The picture's features, computed once."""
        if self._features is None and self._pixels is not None:
            self._features = self._explainer.model.see(self._pixels)
        return self._features

    def _read(
        self,
        ids: list[int],
        positions: torch.Tensor,
        cache: DynamicCache,
        features: Features | None = None,
    ) -> torch.Tensor:
        self.prefilled.tokens += len(ids)
        device = self._explainer.model.device.name
        return self._explainer.model.read(
            self._tensor(ids), positions.to(device), cache, features=features
        )

    def _tensor(self, ids: list[int]) -> torch.Tensor:
        return torch.tensor([ids], device=self._explainer.model.device.name)


class _Text:
    """An answer's text as it grows: `said` so far, from so many `tokens`."""

    def __init__(self, tokenizer: PreTrainedTokenizerBase) -> None:
        self._detokenizer = Detokenizer(tokenizer)
        self._guard = RepetitionGuard()
        self.said = ""
        self.tokens = 0
        self.is_looping = False

    def add(self, token: int) -> Iterator[str]:
        """What may be said now: nothing while a character is not complete."""
        self.tokens += 1
        return self._say(self._detokenizer.add(token))

    def rest(self) -> Iterator[str]:
        return self._say(self._detokenizer.rest())

    def _say(self, piece: str) -> Iterator[str]:
        if piece:
            self.said += piece
            self.is_looping = self._guard.feed(piece)
            yield piece


def _described(pixels: Pixels) -> Mapping[str, int]:
    return {"width": pixels.width, "height": pixels.height, "tokens": pixels.tokens}
