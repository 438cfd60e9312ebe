"""Both models put together: found, loaded, warmed up and described."""

from __future__ import annotations

import threading
from importlib.metadata import version

from PIL import Image
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from expartkg.engines.base import Engine, Progress
from expartkg.engines.qwen import PACKAGES, zero_gpu
from expartkg.engines.qwen.checkpoints import Checkpoint, find_checkpoint
from expartkg.engines.qwen.decoding import choose_decoder
from expartkg.engines.qwen.device import Device, open_device
from expartkg.engines.qwen.judging import QwenValidator
from expartkg.engines.qwen.loading import (
    check_memory,
    load_explainer,
    load_tokenizer,
    load_validator,
)
from expartkg.engines.qwen.model import VisionLanguageModel
from expartkg.engines.qwen.pictures import PictureReader
from expartkg.engines.qwen.session import QwenExplainer
from expartkg.prompts import QUESTION_WITHOUT_TITLE, explainer_prompt, validator_prompt
from expartkg.records import Answer
from expartkg.settings import Settings

WARM_UP_SIDE = 1024
"""Pixels of the side of the grey square that is explained once before anybody comes."""


def load(settings: Settings, progress: Progress) -> Engine:
    """The engine; `progress` is told what goes on. Raises `EngineError`."""
    device = open_device(settings.device)
    lvlm = find_checkpoint(settings.lvlm, progress)
    judge = find_checkpoint(settings.validator, progress)
    check_memory((lvlm, judge), device)
    explainer = _explainer(lvlm, device, settings, progress)
    progress(f"Loading {judge.name} in 4 bits")
    validator = QwenValidator(load_validator(judge, device), load_tokenizer(judge), device)
    engine = Engine(
        "qwen",
        explainer,
        validator,
        _description(lvlm, judge, explainer, device, settings),
        repeatable=True,
    )
    if device.is_gpu and not zero_gpu.is_on():
        progress("Warming up")
        warm_up(engine)
    return engine


def warm_up(engine: Engine) -> None:
    """Answers and judges once, so that the first visitor does not wait for kernels to load."""
    session = engine.explainer.session(Image.new("RGB", (WARM_UP_SIDE, WARM_UP_SIDE), "grey"))
    *_, answer = session.answer(explainer_prompt(QUESTION_WITHOUT_TITLE, ()), _After(3))
    session.close()
    assert isinstance(answer, Answer)
    assert engine.validator is not None
    prompt = validator_prompt(QUESTION_WITHOUT_TITLE, answer.text)
    engine.validator.judge(prompt, answer.text, threading.Event())


class _After:
    """A stop flag that is set when it has been asked so many times."""

    def __init__(self, times: int) -> None:
        self._left = times

    def is_set(self) -> bool:
        self._left -= 1
        return self._left < 0


def _explainer(
    checkpoint: Checkpoint, device: Device, settings: Settings, progress: Progress
) -> QwenExplainer:
    progress(f"Loading {checkpoint.name} in 4 bits")
    loaded = load_explainer(checkpoint, device)
    tokenizer = load_tokenizer(checkpoint)
    model = VisionLanguageModel(loaded, device)
    return QwenExplainer(
        model=model,
        tokenizer=tokenizer,
        pictures=PictureReader(checkpoint.folder, settings.image_tokens),
        decoder=choose_decoder(model, settings.decoding, progress),
        ends=_ends(loaded, tokenizer),
        max_new_tokens=settings.max_new_tokens,
    )


def _ends(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> frozenset[int]:
    """The tokens that end an answer, by the model's own settings for writing."""
    ends = model.generation_config.eos_token_id or tokenizer.eos_token_id
    return frozenset([ends] if isinstance(ends, int) else ends)


def _description(
    lvlm: Checkpoint,
    judge: Checkpoint,
    explainer: QwenExplainer,
    device: Device,
    settings: Settings,
) -> dict[str, object]:
    """What a Run records of the engine: no folders."""
    return {
        "explainer": lvlm.name,
        "explainer_revision": lvlm.revision,
        "validator": judge.name,
        "validator_revision": judge.revision,
        "sees_pictures": True,
        "quantization": "nf4, double",
        "compute": device.dtype_name,
        "device": device.model_name,
        "decoding": explainer.decoder.name,
        "image_tokens": settings.image_tokens,
        "max_new_tokens": settings.max_new_tokens,
        "packages": {name: version(name) for name in PACKAGES},
    }
