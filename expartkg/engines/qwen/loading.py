"""From a model's files to a model in NF4 on a device.

The text model's layers are in 4 bits with double quantization (bitsandbytes); the vision tower, the
embeddings and the head stay in the device's own type.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    AutoTokenizer,
    BitsAndBytesConfig,
    PreTrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerBase,
    Qwen3VLForConditionalGeneration,
)

from expartkg.engines.qwen.attention import ATTENTION
from expartkg.engines.qwen.checkpoints import Checkpoint
from expartkg.engines.qwen.device import Device, is_out_of_memory
from expartkg.errors import EngineError, in_one_line

EXPLAINERS = ("qwen3_vl",)
NOT_IN_4_BITS = ("lm_head", "model.visual")
BYTES_IN_4_BITS = 1 / 2 + 1 / 64 + 4 / (64 * 256)
"""For each weight: half a byte, a byte for 64 of them, and four for 256 of those."""
BYTES_IN_16_BITS = 2


def nf4(dtype: torch.dtype) -> BitsAndBytesConfig:
    """4-bit NormalFloat with double quantization, computing in `dtype`."""
    return BitsAndBytesConfig(  # type: ignore[no-untyped-call]
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_use_double_quant=True,
        bnb_4bit_compute_dtype=dtype,
        # By their whole names: a part of one is not found, and nothing is said about it.
        llm_int8_skip_modules=list(NOT_IN_4_BITS),
    )


def load_explainer(checkpoint: Checkpoint, device: Device) -> PreTrainedModel:
    """A Qwen3-VL. Raises `EngineError` if the files are those of another model, or do not load."""
    config = _config(checkpoint)
    if config.model_type not in EXPLAINERS:
        raise EngineError(
            f"{checkpoint.name} is a {config.model_type} and no Qwen3-VL, which alone the engine "
            "qwen can show pictures; set EXPARTKG_LVLM to one, or use --engine remote."
        )
    model = _load(Qwen3VLForConditionalGeneration, checkpoint, config, device)
    language: Any = model.get_submodule("model.language_model")
    language.set_attn_implementation(ATTENTION)
    return model


def load_validator(checkpoint: Checkpoint, device: Device) -> PreTrainedModel:
    """A language model that answers. Raises `EngineError`."""
    return _load(AutoModelForCausalLM, checkpoint, _config(checkpoint), device)


def load_tokenizer(checkpoint: Checkpoint) -> PreTrainedTokenizerBase:
    """With its chat template, which some repositories keep in a file for themselves.

    Raises `EngineError`, also if there is no template.
    """
    template = checkpoint.folder / "chat_template.json"
    try:
        tokenizer = AutoTokenizer.from_pretrained(checkpoint.folder, local_files_only=True)
        if tokenizer.chat_template is None and template.is_file():
            known = json.loads(template.read_text(encoding="utf-8"))
            tokenizer.chat_template = known["chat_template"]
    except (OSError, ValueError, KeyError) as error:
        raise _damaged(checkpoint, error) from error
    if tokenizer.chat_template is None:
        raise EngineError(f"{checkpoint.name} has no chat template; choose an instruct model.")
    return tokenizer


def check_memory(checkpoints: Sequence[Checkpoint], device: Device) -> None:
    """Raises `EngineError` if models will not fit into the memory that a GPU has free."""
    free = device.free_memory()
    needed = sum(bytes_in_nf4(checkpoint) for checkpoint in checkpoints)
    if free is not None and needed > free:
        names = " and ".join(checkpoint.name for checkpoint in checkpoints)
        raise EngineError(
            f"{names} need {needed / 1e9:.1f} GB of the GPU's memory in 4 bits, and "
            f"{free / 1e9:.1f} GB are free. End other programs that use the GPU, or set "
            "EXPARTKG_LVLM=Qwen/Qwen3-VL-2B-Instruct, or use --engine remote."
        )


def bytes_in_nf4(checkpoint: Checkpoint) -> int:
    """The memory that a model's weights take once loaded, by their shapes in the files."""
    needed = 0.0
    try:
        for file in sorted(checkpoint.folder.glob("*.safetensors")):
            with safe_open(file, framework="pt") as weights:
                for name in weights.keys():  # noqa: SIM118  # it is no mapping
                    needed += _bytes_of(name, weights.get_slice(name))
    except SafetensorError as error:
        raise _damaged(checkpoint, error) from error
    return round(needed)


def _bytes_of(name: str, weights: Any) -> float:
    shape: list[int] = weights.get_shape()
    number = math.prod(shape)
    if weights.get_dtype() in ("U8", "I8"):
        return number
    is_layer = len(shape) == 2 and ".layers." in name
    return number * (BYTES_IN_4_BITS if is_layer else BYTES_IN_16_BITS)


def _config(checkpoint: Checkpoint) -> PreTrainedConfig:
    try:
        config: PreTrainedConfig = AutoConfig.from_pretrained(
            checkpoint.folder, local_files_only=True
        )
    except (OSError, ValueError, KeyError) as error:
        raise _damaged(checkpoint, error) from error
    return config


def _load(
    kind: Any, checkpoint: Checkpoint, config: PreTrainedConfig, device: Device
) -> PreTrainedModel:
    """Loads and quantizes; weights that were saved in 4 bits stay as they are."""
    saved = _saved_quantization(checkpoint, config)
    if saved is not None:
        # Saved on another machine, perhaps, which computed in another type.
        saved["bnb_4bit_compute_dtype"] = device.dtype_name
    try:
        model = kind.from_pretrained(
            checkpoint.folder,
            config=config,
            dtype=device.dtype,
            device_map={"": device.name},
            quantization_config=None if saved is not None else nf4(device.dtype),
            local_files_only=True,
        )
    except (SafetensorError, OSError, ValueError, RuntimeError, MemoryError) as error:
        device.release()
        raise _not_loaded(checkpoint, device, error) from error
    if saved is not None:
        _cast(model, device.dtype)
    loaded: PreTrainedModel = model.eval()
    return loaded


def _saved_quantization(
    checkpoint: Checkpoint, config: PreTrainedConfig
) -> dict[str, object] | None:
    """How the files are quantized, None if they are not. Raises `EngineError` if not in NF4."""
    saved: dict[str, object] | None = getattr(config, "quantization_config", None)
    if saved is not None and saved.get("bnb_4bit_quant_type") != "nf4":
        raise EngineError(
            f"{checkpoint.name} is quantized already, and not in NF4; choose the model that it was "
            "made from, or use --engine remote."
        )
    return saved


def _cast(model: PreTrainedModel, dtype: torch.dtype) -> None:
    """What is not in 4 bits, to `dtype`: transformers leaves it as it was saved. (To call `to` on
    the whole model would harm what is in 4 bits.)
    """
    for weights in model.parameters():
        if weights.is_floating_point():
            weights.data = weights.data.to(dtype)


def _not_loaded(checkpoint: Checkpoint, device: Device, error: Exception) -> EngineError:
    if is_out_of_memory(error):
        needed = bytes_in_nf4(checkpoint) / 1e9
        return EngineError(
            f"{checkpoint.name} needs {needed:.1f} GB of memory in 4 bits, which {device.name} "
            "does not have. Set EXPARTKG_LVLM=Qwen/Qwen3-VL-2B-Instruct, or use --engine remote."
        )
    return _damaged(checkpoint, error)


def _damaged(checkpoint: Checkpoint, error: Exception) -> EngineError:
    reason = in_one_line(error)
    return EngineError(
        f"{checkpoint.name} cannot be loaded ({type(error).__name__}: {reason}). If its files are "
        f"damaged, delete {checkpoint.folder} and run python -m expartkg models fetch"
    )
