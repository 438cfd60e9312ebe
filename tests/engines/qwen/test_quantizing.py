"""4-bit weights saved once say and judge the same as those that are quantized at every start."""

from __future__ import annotations

import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from safetensors import safe_open

from expartkg.engines.base import Engine
from expartkg.engines.qwen import qwen_engine
from expartkg.engines.qwen.checkpoints import find_checkpoint
from expartkg.engines.qwen.device import Device
from expartkg.engines.qwen.loading import load_validator
from expartkg.engines.qwen.quantizing import quantize
from expartkg.engines.qwen.session import QwenExplainer
from expartkg.errors import EngineError
from expartkg.prompts import validator_prompt
from expartkg.records import Prompt
from expartkg.settings import Settings
from tests.engines.qwen.conftest import IMAGE_TOKENS, raising
from tests.engines.qwen.plain import chat_inputs, next_scores
from tests.engines.tiny_models import ModelFolders


def test_saved_weights_are_used_as_they_are(
    tiny_settings: Settings, engine: Engine, tmp_path: Path, prompts: list[Prompt]
) -> None:
    told: list[str] = []
    saved = quantize(tiny_settings, tmp_path / "out", told.append)
    assert told == ["Quantizing tiny-vl", "Quantizing tiny-lm"]
    folders = [model.folder for model in saved]
    assert folders == [tmp_path / "out" / name for name in ("tiny-vl", "tiny-lm")]
    assert sorted((tmp_path / "out").iterdir()) == sorted(folders)
    explainer, validator = (str(folder) for folder in folders)
    again = qwen_engine(tiny_settings.replace(lvlm=explainer, validator=validator))
    assert again.description == engine.description
    first, second = (scores_of(each, prompts[0]) for each in (engine, again))
    assert torch.cosine_similarity(first, second, dim=0) > 0.999
    prompt = validator_prompt("Q", "A")
    verdicts = [
        each.validator.judge(prompt, "A", threading.Event())
        for each in (engine, again)
        if each.validator is not None
    ]
    assert verdicts[0].p_true == pytest.approx(verdicts[1].p_true, rel=0.05)


def scores_of(engine: Engine, prompt: Prompt) -> torch.Tensor:
    assert isinstance(engine.explainer, QwenExplainer)
    inputs = chat_inputs(engine.explainer, prompt, None, IMAGE_TOKENS)
    return next_scores(engine.explainer, inputs)


def test_saved_weights_are_those_that_every_start_would_make(
    tiny_settings: Settings, tiny_models: ModelFolders, tmp_path: Path
) -> None:
    source = find_checkpoint(str(tiny_models.validator), print)
    made = load_validator(source, Device("cpu", torch.bfloat16)).state_dict()
    _, saved = quantize(tiny_settings, tmp_path, print)
    with safe_open(saved.folder / "model.safetensors", framework="pt") as weights:
        names = set(weights.keys())
        assert any(weights.get_tensor(name).dtype == torch.uint8 for name in names)
        for name in names & made.keys():
            assert weights.get_tensor(name).equal(made[name]), name


def test_nothing_is_overwritten(tiny_settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "tiny-vl").mkdir()
    with pytest.raises(EngineError, match="exists already"):
        quantize(tiny_settings, tmp_path, print)


def test_a_disk_without_room_is_told_before(
    tiny_settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=1000))
    with pytest.raises(EngineError, match="free some space"):
        quantize(tiny_settings, tmp_path, print)
    assert not list(tmp_path.iterdir())


def test_half_a_model_is_never_left(
    tiny_settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.copy", raising(OSError(28, "No space left on device")))
    with pytest.raises(EngineError, match=r"No space left on device\. Choose another --out"):
        quantize(tiny_settings, tmp_path, print)
    assert not list(tmp_path.iterdir())
