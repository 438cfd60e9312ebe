"""What is in 4 bits and what is not, and what is said when a model does not load."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from bitsandbytes.nn.modules import Linear4bit, Params4bit

from expartkg.engines.base import Engine
from expartkg.engines.qwen import is_available, qwen_engine, require_packages
from expartkg.engines.qwen.chat import Chat
from expartkg.engines.qwen.checkpoints import find_checkpoint
from expartkg.engines.qwen.device import Device, open_device
from expartkg.engines.qwen.judging import QwenValidator
from expartkg.engines.qwen.loading import (
    bytes_in_nf4,
    check_memory,
    load_explainer,
    load_tokenizer,
    load_validator,
)
from expartkg.engines.qwen.session import QwenExplainer
from expartkg.errors import EngineError
from expartkg.settings import Settings
from tests.engines.qwen.conftest import raising
from tests.engines.tiny_models import ModelFolders, qwen_tokenizer

LAYERS = 2
LINEAR_A_LAYER = 7
CPU = Device("cpu", torch.float32)


@pytest.fixture
def folder(tiny_models: ModelFolders, tmp_path: Path) -> Path:
    """A validator's files, which may be spoilt."""
    return shutil.copytree(tiny_models.validator, tmp_path / "model")


def in_4_bits(model: torch.nn.Module) -> set[str]:
    return {name for name, module in model.named_modules() if isinstance(module, Linear4bit)}


def test_the_text_models_layers_are_in_nf4_and_nothing_else(explainer: QwenExplainer) -> None:
    model = explainer.model.loaded
    names = in_4_bits(model)
    assert len(names) == LAYERS * LINEAR_A_LAYER
    assert all(name.startswith("model.language_model.layers.") for name in names)
    for name in names:
        weight = model.get_submodule(name).weight
        assert isinstance(weight, Params4bit)
        assert weight.dtype == torch.uint8
        assert weight.quant_state.quant_type == "nf4"
        assert weight.quant_state.nested
        assert model.get_submodule(name).compute_dtype == torch.float32
    assert type(model.lm_head) is torch.nn.Linear
    assert not in_4_bits(model.model.visual)
    assert {weights.dtype for weights in model.model.visual.parameters()} == {torch.float32}


def test_the_validator_too(engine: Engine) -> None:
    assert isinstance(engine.validator, QwenValidator)
    model = engine.validator._model
    assert len(in_4_bits(model)) == LAYERS * LINEAR_A_LAYER
    assert type(model.lm_head) is torch.nn.Linear


def test_its_memory_is_known_before_it_is_loaded(
    explainer: QwenExplainer, tiny_models: ModelFolders
) -> None:
    """On the CPU what is not in 4 bits takes 32 instead of 16."""
    known = bytes_in_nf4(find_checkpoint(str(tiny_models.explainer), print))
    quantized = sum(
        weights.numel()
        for weights in explainer.model.loaded.parameters()
        if weights.dtype.itemsize == 1
    )
    others = sum(
        weights.numel()
        for weights in explainer.model.loaded.parameters()
        if weights.dtype.itemsize > 1
    )
    assert known == pytest.approx(2 * others + quantized * (1 + 1 / 32), rel=0.01)


def test_too_little_memory_is_told_before_anything_is_loaded(
    tiny_models: ModelFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Device, "free_memory", lambda _: 1000)
    found = find_checkpoint(str(tiny_models.explainer), print)
    with pytest.raises(EngineError, match=r"tiny-vl need 0\.0 GB .* and 0\.0 GB are free"):
        check_memory([found], CPU)


@pytest.mark.parametrize("error", [torch.OutOfMemoryError("x"), MemoryError()])
def test_too_little_memory_while_loading_is_told(
    tiny_models: ModelFolders, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr("transformers.AutoModelForCausalLM.from_pretrained", raising(error))
    with pytest.raises(EngineError, match="which cpu does not have"):
        load_validator(find_checkpoint(str(tiny_models.validator), print), CPU)


def test_another_kind_of_model_cannot_explain(tiny_models: ModelFolders) -> None:
    found = find_checkpoint(str(tiny_models.validator), print)
    with pytest.raises(EngineError, match="is a qwen3 and no Qwen3-VL"):
        load_explainer(found, CPU)


def test_a_model_that_is_quantized_in_another_way_is_refused(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    config["quantization_config"] = {"quant_method": "fp8"}
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(EngineError, match="not in NF4"):
        load_validator(find_checkpoint(str(folder), print), CPU)


def test_a_chat_template_may_have_a_file_of_its_own(folder: Path) -> None:
    template = folder / "chat_template.jinja"
    (folder / "chat_template.json").write_text(json.dumps({"chat_template": template.read_text()}))
    template.unlink()
    found = find_checkpoint(str(folder), print)
    chat = Chat(load_tokenizer(found))
    assert chat.before("S") == Chat(qwen_tokenizer()).before("S")
    (folder / "chat_template.json").unlink()
    with pytest.raises(EngineError, match="has no chat template"):
        load_tokenizer(found)


Spoil = Callable[[Path], object]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda folder: (folder / "config.json").write_text("{"),
        lambda folder: (folder / "config.json").write_text(json.dumps({"model_type": "unheard"})),
        lambda folder: cut(folder / "model.safetensors"),
    ],
    ids=["broken settings", "unknown kind", "cut weights"],
)
def test_damaged_files_are_told(folder: Path, spoil: Spoil) -> None:
    spoil(folder)
    found = find_checkpoint(str(folder), print)
    with pytest.raises(EngineError, match=r"cannot be loaded .* delete .* models fetch"):
        load_validator(found, CPU)


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1000])


class TestMachines:
    def test_without_cuda_the_engine_says_what_to_do(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
        with pytest.raises(EngineError, match="needs a CUDA device") as raised:
            qwen_engine(Settings())
        for remedy in ("--engine remote", "--engine preview", "EXPARTKG_DEVICE=cpu"):
            assert remedy in str(raised.value)

    @pytest.mark.parametrize(
        ("capability", "dtype"), [((9, 0), torch.bfloat16), ((7, 5), torch.float16)]
    )
    def test_a_gpu_without_bfloat16_computes_in_float16(
        self,
        monkeypatch: pytest.MonkeyPatch,
        capability: tuple[int, int],
        dtype: torch.dtype,
    ) -> None:
        monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
        monkeypatch.setattr(torch.cuda, "get_device_capability", lambda _: capability)
        assert open_device("cuda").dtype == dtype

    def test_a_missing_package_is_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(
            "expartkg.engines.qwen.find_spec", lambda name: None if name == "bitsandbytes" else 1
        )
        with pytest.raises(EngineError, match="pip install bitsandbytes"):
            require_packages()

    def test_is_available_where_torch_sees_a_gpu(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("expartkg.engines.qwen._has_cuda_driver", lambda: True)
        for there in (True, False):
            monkeypatch.setattr(torch.cuda, "is_available", lambda there=there: there)
            assert is_available() is there
        monkeypatch.setattr("expartkg.engines.qwen.find_spec", lambda _: None)
        assert not is_available()
