"""Both models at full size with random weights, as folders, written piece by piece.

The shapes are those of the published configurations. What such a model says means nothing; how
much memory and time it takes is what the real one takes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from transformers import (
    PreTrainedModel,
    Qwen3Config,
    Qwen3ForCausalLM,
    Qwen3VLConfig,
    Qwen3VLForConditionalGeneration,
)

from tests.engines.tiny_models import ROPE, VOCABULARY, ModelFolders, write_beside_weights

SHARD_BYTES = 2 * 10**9
SPREAD = 0.02


def make_full_models(folder: Path) -> ModelFolders:
    """Writes 25 GB: Qwen3-VL-8B and Qwen3-4B."""
    models = ModelFolders(folder / "random-vl-8b", folder / "random-lm-4b")
    with torch.device("meta"):
        explainer = Qwen3VLForConditionalGeneration(_explainer())
        validator = Qwen3ForCausalLM(_validator())
    for model, path in ((explainer, models.explainer), (validator, models.validator)):
        _write(model, path)
        write_beside_weights(path, pictures=model is explainer)
    return models


def _explainer() -> Qwen3VLConfig:
    sections = {"mrope_section": [24, 20, 20], "mrope_interleaved": True}
    return Qwen3VLConfig(
        text_config={
            **_language(hidden=4096, intermediate=12288),
            "rope_parameters": {**ROPE, **sections},
        },
        vision_config={
            "depth": 27,
            "hidden_size": 1152,
            "intermediate_size": 4304,
            "num_heads": 16,
            "out_hidden_size": 4096,
            "deepstack_visual_indexes": [8, 16, 24],
        },
        tie_word_embeddings=False,
    )


def _validator() -> Qwen3Config:
    language = _language(hidden=2560, intermediate=9728)
    return Qwen3Config(**language, rope_parameters=dict(ROPE), tie_word_embeddings=True)


def _language(*, hidden: int, intermediate: int) -> dict[str, Any]:
    return {
        "vocab_size": VOCABULARY,
        "hidden_size": hidden,
        "intermediate_size": intermediate,
        "num_hidden_layers": 36,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "head_dim": 128,
        "max_position_embeddings": 262144,
    }


def _write(model: PreTrainedModel, folder: Path) -> None:
    folder.mkdir(parents=True)
    model.config.architectures = [type(model).__name__]
    model.config.dtype = torch.bfloat16
    model.config.save_pretrained(folder)
    places: dict[str, str] = {}
    for number, shard in enumerate(_shards(model)):
        name = f"model-{number:05d}.safetensors"
        save_file(shard, folder / name, metadata={"format": "pt"})
        places |= dict.fromkeys(shard, name)
    index = {"metadata": {}, "weight_map": places}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")


def _shards(model: PreTrainedModel) -> Iterator[dict[str, torch.Tensor]]:
    """The weights by name, about two gigabytes at a time."""
    noise = (torch.randn(1 << 22) * SPREAD).bfloat16()
    shard: dict[str, torch.Tensor] = {}
    size = 0
    for name, weights in model.named_parameters():
        shard[name] = _filled(name, weights.shape, noise)
        size += 2 * weights.numel()
        if size > SHARD_BYTES:
            yield shard
            shard, size = {}, 0
    yield shard


def _filled(name: str, shape: torch.Size, noise: torch.Tensor) -> torch.Tensor:
    """The same noise over and over: making new noise would take longer than writing it."""
    if "norm" in name and name.endswith("weight"):
        return torch.ones(shape, dtype=noise.dtype)
    number = shape.numel()
    return noise.repeat(number // noise.numel() + 1)[:number].view(shape)
