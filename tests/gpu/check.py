"""Measures the engine qwen on this machine and prints what it found as one JSON document.

    python -m tests.gpu.check --size full

The models have the shapes of the paper's and random weights, so that nothing is downloaded: what
they write means nothing, how fast and in how much memory they do it is what the real ones do.
They go the engine's own way: files, NF4, both resident. `--size tiny` is the same script in
seconds, for a machine without a GPU. Imports the engines, and neither graph nor page.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import platform
import resource
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image

from expartkg.engines.base import Engine
from expartkg.engines.qwen import PACKAGES, qwen_engine
from expartkg.engines.qwen.chat import Chat
from expartkg.engines.qwen.decoding import CompiledDecoder, PlainDecoder
from expartkg.engines.qwen.device import Device
from expartkg.engines.qwen.session import QwenExplainer
from expartkg.prompts import explainer_prompt, validator_prompt
from expartkg.records import Answer, Entity, Prompt, Property, RankedTriple, Triple
from expartkg.settings import Settings
from tests.engines.qwen.plain import chat_inputs, generated, next_scores, scores_after_prefix
from tests.engines.tiny_models import ModelFolders, make_tiny_models
from tests.gpu.random_models import make_full_models

ITERATIONS = 5
RUNS = 2
QUESTION = 'Explain the artwork "Mona Lisa" by Leonardo da Vinci.'
FACTS = Path(__file__).with_name("facts.tsv")
"""Facts of a real run, as labels; all of them make a prompt of about 900 tokens."""

Report = dict[str, Any]


@dataclasses.dataclass(frozen=True, slots=True)
class Size:
    """How much is built and written: a picture's pixels and tokens, an answer's tokens."""

    make: Callable[[Path], ModelFolders]
    picture: tuple[int, int]
    image_tokens: int
    answer_tokens: int
    compared_tokens: int
    copied_bytes: int


SIZES = {
    "full": Size(make_full_models, (2048, 1536), 1280, 256, 32, 2**31),
    "tiny": Size(make_tiny_models, (320, 240), 64, 8, 6, 2**24),
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.gpu.check", description=__doc__)
    parser.add_argument("--size", choices=SIZES, required=True)
    parser.add_argument("--device", choices=("cuda", "cpu"))
    parser.add_argument("--folder", type=Path, help="where the weights go, 25 GB at full size")
    options = parser.parse_args(arguments)
    device = options.device or ("cuda" if torch.cuda.is_available() else "cpu")
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        report = check(options.size, device, Path(folder))
    print(json.dumps(report, indent=2))
    return 0


def check(name: str, device: str, folder: Path) -> Report:
    """Builds the models, loads them, and measures."""
    began = time.monotonic()
    size = SIZES[name]
    models = size.make(folder)
    built = time.monotonic()
    settings = Settings(
        device=device,
        lvlm=str(models.explainer),
        validator=str(models.validator),
        image_tokens=size.image_tokens,
        max_new_tokens=size.answer_tokens,
    )
    told: list[str] = []
    engine = qwen_engine(settings, lambda line: told.append(f"{_since(built):.1f} s: {line}"))
    loaded = time.monotonic()
    loading_peak = _peak_bytes(device)
    if device == "cuda":
        torch.cuda.reset_peak_memory_stats()
    report = {
        "size": name,
        "machine": _machine(device),
        "engine": dict(engine.description),
        "progress": told,
        "seconds": {"building": built - began, "loading": loaded - built},
        "loading_peak_bytes": loading_peak,
        "loaded_bytes": _used_bytes(device),
        **_Check(engine, size).report(),
        "peak_bytes": _peak_bytes(device),
    }
    report["seconds"]["all"] = _since(began)
    return {**report, "targets": _targets(report) if name == "full" else None}


class _Check:
    """All measurements of one loaded engine."""

    def __init__(self, engine: Engine, size: Size) -> None:
        assert isinstance(engine.explainer, QwenExplainer)
        self.engine = engine
        self.size = size
        self.picture = _picture(*size.picture)
        self.prompts = _prompts()
        # Random weights end an answer at random; here it has all its tokens.
        endless = dataclasses.replace(engine.explainer, ends=frozenset())
        self.eager = dataclasses.replace(endless, decoder=PlainDecoder(endless.model))
        self.compiled = endless if endless.decoder.name == "compiled" else self._traced(endless)

    def _traced(self, explainer: QwenExplainer) -> QwenExplainer | None:
        """Without a GPU the step is traced like there, and not translated by a compiler."""
        if explainer.model.device.is_gpu:
            return None
        decoder = CompiledDecoder(explainer.model, backend="eager")
        decoder.warm_up()
        return dataclasses.replace(explainer, decoder=decoder)

    def report(self) -> Report:
        return {
            **self._prefill(),
            **self._speed(),
            "validator_ms": self._validator_ms(),
            "agreement": self._agreement(),
            "runs": [self._run() for _ in range(RUNS)],
        }

    def _prefill(self) -> Report:
        """Seconds to the first token of each iteration, in one session and in one session each."""
        one_word = dataclasses.replace(self.eager, max_new_tokens=1)
        session = one_word.session(self.picture)
        with_session = [_answer(session, prompt).seconds for prompt in self.prompts]
        alone = [one_word.session(self.picture) for _ in self.prompts]
        without = [
            _answer(each, prompt).seconds for each, prompt in zip(alone, self.prompts, strict=True)
        ]
        read, all_read = session.prefilled.tokens, sum(each.prefilled.tokens for each in alone)
        return {
            "picture": session.description["picture"],
            "text_tokens": [len(self._chat().after(prompt.text)) for prompt in self.prompts],
            "prefill_seconds": {"with_session": with_session, "without_session": without},
            "prefilled_tokens": {
                "with_session": read,
                "without_session": all_read,
                "ratio": read / all_read,
            },
        }

    def _speed(self) -> Report:
        """Tokens per second after the first, and what the memory's bandwidth would allow."""
        eager = self._rate(self.eager)
        compiled = self._rate(self.compiled) if self.compiled else None
        needed = self._bytes_for_a_token()
        bandwidth = _bandwidth(self.eager.model.device, self.size.copied_bytes)
        return {
            "tokens_per_second": {
                "generate": self._generate_rate(),
                "eager": eager,
                "compiled": compiled,
            },
            "bandwidth": {
                "bytes_for_a_token": needed,
                "bytes_per_second": bandwidth,
                "limit_in_tokens_per_second": bandwidth / needed,
                "share_of_limit": (compiled or eager) * needed / bandwidth,
            },
        }

    def _rate(self, explainer: QwenExplainer) -> float:
        session = explainer.session(self.picture)
        _answer(session, self.prompts[-1])
        times: list[float] = []
        for piece in session.answer(self.prompts[-1], threading.Event()):
            times.append(time.monotonic())
            answer = piece
        assert isinstance(answer, Answer)
        return (answer.tokens - 1) / (times[-1] - times[0])

    def _generate_rate(self) -> float:
        inputs = self._inputs(self.prompts[-1])
        tokens = self.size.compared_tokens
        model: Any = self.eager.model.loaded
        with torch.no_grad():
            for times in (_Times(), _Times()):
                model.generate(
                    **inputs,
                    max_new_tokens=tokens,
                    min_new_tokens=tokens,
                    do_sample=False,
                    streamer=times,
                )
        # The first time is that of the prompt.
        _, first, *_, last = times.seen
        return (tokens - 1) / (last - first)

    def _bytes_for_a_token(self) -> int:
        """What one step reads: the text model's layers, its head, and the cache half way."""
        model: Any = self.eager.model.loaded
        weights = sum(map(_bytes_of, model.model.language_model.layers.parameters()))
        head = sum(map(_bytes_of, model.lm_head.parameters()))
        config: Any = self.eager.model.config
        entry = 2 * config.num_hidden_layers * config.num_key_value_heads * config.head_dim
        prompt = self.prompts[-1]
        pixels = self.eager.pictures.read(self.picture)
        cached: int = len(self._chat().before(prompt.system, pixels.tokens))
        cached += len(self._chat().after(prompt.text)) + self.size.answer_tokens // 2
        kept: int = cached * entry * self.eager.model.device.dtype.itemsize
        return weights + head + kept

    def _validator_ms(self) -> float:
        answer = "The Mona Lisa is a portrait in oil by Leonardo da Vinci. " * 20
        return 1000 * statistics.median(self._judge(answer) for _ in range(10))

    def _judge(self, answer: str) -> float:
        assert self.engine.validator is not None
        began = time.monotonic()
        prompt = validator_prompt(QUESTION, answer)
        self.engine.validator.judge(prompt, answer, threading.Event())
        return _since(began)

    def _agreement(self) -> Report:
        """With and without anything kept: scores, and how many tokens are the same at first."""
        inputs = self._inputs(self.prompts[-1])
        full = next_scores(self.eager, inputs).float()
        (kept,) = scores_after_prefix(self.eager, self.prompts[-1:], self.picture)
        texts = {
            "generate": generated(self.eager, inputs, self.size.compared_tokens),
            "eager": self._text(self.eager),
            "compiled": self._text(self.compiled) if self.compiled else "",
        }
        return {
            "greatest_difference_of_scores": (full - kept.float()).abs().max().item(),
            "range_of_scores": (full.max() - full.min()).item(),
            "cosine": torch.cosine_similarity(full, kept.float(), dim=0).item(),
            "same_characters": {
                "generate_and_eager": _same(texts["generate"], texts["eager"]),
                "eager_and_compiled": _same(texts["eager"], texts["compiled"]),
                "of": len(texts["eager"]),
            },
        }

    def _text(self, explainer: QwenExplainer) -> str:
        short = dataclasses.replace(explainer, max_new_tokens=self.size.compared_tokens)
        return _answer(short.session(self.picture), self.prompts[-1]).text

    def _run(self) -> Report:
        """A complete run of five iterations, each answered and judged."""
        began = time.monotonic()
        session = (self.compiled or self.eager).session(self.picture)
        answers = [_answer(session, prompt) for prompt in self.prompts]
        judging = [self._judge(answer.text) for answer in answers]
        session.close()
        return {
            "seconds": _since(began),
            "tokens": [answer.tokens for answer in answers],
            "finish_reasons": [answer.finish_reason for answer in answers],
            "answering_seconds": [answer.seconds for answer in answers],
            "judging_seconds": judging,
        }

    def _inputs(self, prompt: Prompt) -> Report:
        return chat_inputs(self.eager, prompt, self.picture, self.size.image_tokens)

    def _chat(self) -> Chat:
        return Chat(self.eager.tokenizer, picture=True)


class _Times:
    """What `generate` takes for somebody who reads along: when the prompt and each token came."""

    def __init__(self) -> None:
        self.seen: list[float] = []

    def put(self, tokens: torch.Tensor) -> None:
        self.seen.append(time.monotonic())

    def end(self) -> None:
        """There is nothing to do."""


def _answer(session: Any, prompt: Prompt) -> Answer:
    *_, answer = session.answer(prompt, threading.Event())
    assert isinstance(answer, Answer)
    return answer


def _prompts() -> list[Prompt]:
    """Those of five iterations: few facts at first, then all, each time in another order."""
    facts = [_fact(line) for line in FACTS.read_text(encoding="utf-8").splitlines()]
    orders = [facts[:10], *(facts[number:] + facts[:number] for number in range(1, ITERATIONS))]
    return [explainer_prompt(QUESTION, order) for order in orders]


def _fact(line: str) -> RankedTriple:
    subject, predicate, object_ = line.split("\t")
    triple = Triple(
        Entity(subject, subject), Property(predicate, predicate), Entity(object_, object_)
    )
    return RankedTriple(triple, triple.subject, 0.0, 1, 1, 1)


def _picture(width: int, height: int) -> Image.Image:
    noise = np.random.default_rng(0).integers(0, 256, (height, width, 3), dtype=np.uint8)
    return Image.fromarray(noise)


def _bytes_of(weights: torch.nn.Parameter) -> int:
    """With the scales of weights in 4 bits, which are quantized themselves."""
    state = getattr(weights, "quant_state", None)
    scales = (state.absmax, state.state2.absmax) if state is not None else ()
    return sum(each.numel() * each.element_size() for each in (weights, *scales))


def _bandwidth(device: Device, size: int) -> float:
    """Bytes per second that the memory moves: a copy reads and writes."""
    source = torch.zeros(size, dtype=torch.uint8, device=device.name)
    target = torch.empty_like(source)
    seconds = min(_copy(source, target) for _ in range(10))
    return 2 * size / seconds


def _copy(source: torch.Tensor, target: torch.Tensor) -> float:
    _wait(source)
    began = time.perf_counter()
    target.copy_(source)
    _wait(source)
    return time.perf_counter() - began


def _wait(tensor: torch.Tensor) -> None:
    if tensor.is_cuda:
        torch.cuda.synchronize()


def _machine(device: str) -> Report:
    packages = (*PACKAGES, "tokenizers")
    return {
        "device": torch.cuda.get_device_name() if device == "cuda" else platform.processor(),
        "cuda": torch.version.cuda,
        "python": platform.python_version(),
        "packages": {name: version(name) for name in packages},
    }


def _used_bytes(device: str) -> int:
    return torch.cuda.memory_allocated() if device == "cuda" else _peak_bytes(device)


def _peak_bytes(device: str) -> int:
    """Of the GPU's memory; without a GPU, of the process, whatever it holds."""
    if device == "cuda":
        return torch.cuda.max_memory_allocated()
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _same(one: str, other: str) -> int:
    """How many characters two texts have in common at their beginning."""
    return next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )


def _targets(report: Report) -> Report:
    """What a GPU such as an H200 should reach."""
    rates = report["tokens_per_second"]
    fastest = rates["compiled"] or rates["eager"]
    return {
        "at least 3 times generate()": fastest >= 3 * rates["generate"],
        "at least 40 % of the bandwidth limit": report["bandwidth"]["share_of_limit"] >= 0.4,
        "both models under 12 GB": report["peak_bytes"] < 12e9,
        "a verdict under 50 ms": report["validator_ms"] < 50,
        "at most 0.6 of the tokens prefilled": report["prefilled_tokens"]["ratio"] <= 0.6,
    }


def _since(began: float) -> float:
    return time.monotonic() - began


if __name__ == "__main__":
    sys.exit(main())
