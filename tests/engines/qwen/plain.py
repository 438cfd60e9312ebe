"""What transformers itself makes of a prompt: the whole chat at once, and nothing kept.

And what the engine makes of it: a prefix, and then the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from PIL import Image
from transformers import DynamicCache, Qwen2VLImageProcessorPil

from expartkg.engines.qwen.chat import Chat
from expartkg.engines.qwen.decoding import fork
from expartkg.engines.qwen.session import QwenExplainer
from expartkg.records import Prompt

PIXELS_OF_A_TOKEN = 32 * 32


def chat_inputs(
    explainer: QwenExplainer, prompt: Prompt, image: Image.Image | None, image_tokens: int
) -> dict[str, Any]:
    """What `forward` and `generate` take."""
    text: list[dict[str, str]] = [{"type": "text", "text": prompt.text}]
    pixels = _pixels(explainer, image, image_tokens) if image else {}
    chat: list[dict[str, Any]] = [
        {"role": "system", "content": prompt.system},
        {"role": "user", "content": [{"type": "image"}, *text] if image else prompt.text},
    ]
    rendered = explainer.tokenizer.apply_chat_template(
        chat, tokenize=False, add_generation_prompt=True
    )
    assert isinstance(rendered, str)
    pictured = int(pixels["image_grid_thw"].prod()) // 4 if pixels else 0
    rendered = rendered.replace("<|image_pad|>", "<|image_pad|>" * pictured)
    ids = explainer.tokenizer(rendered, return_tensors="pt")["input_ids"]
    assert isinstance(ids, torch.Tensor)
    kinds = (ids == explainer.model.loaded.config.image_token_id).int()
    inputs = {"input_ids": ids, "mm_token_type_ids": kinds, **pixels}
    return {name: values.to(explainer.model.device.name) for name, values in inputs.items()}


def _pixels(explainer: QwenExplainer, image: Image.Image, image_tokens: int) -> dict[str, Any]:
    folder = str(explainer.model.loaded.config.name_or_path)
    most = image_tokens * PIXELS_OF_A_TOKEN
    processor = Qwen2VLImageProcessorPil.from_pretrained(folder)
    size = {"shortest_edge": min(65536, most), "longest_edge": most}
    return dict(processor(image, size=size, return_tensors="pt"))


@torch.no_grad()
def next_scores(explainer: QwenExplainer, inputs: dict[str, Any]) -> torch.Tensor:
    """The scores of the first token of an answer."""
    scores: torch.Tensor = explainer.model.loaded(**inputs, use_cache=False).logits[0, -1]
    return scores


@torch.no_grad()
def generated(explainer: QwenExplainer, inputs: dict[str, Any], tokens: int) -> str:
    model: Any = explainer.model.loaded
    written = model.generate(**inputs, max_new_tokens=tokens, do_sample=False)
    answer = written[0, inputs["input_ids"].shape[1] :]
    return str(explainer.tokenizer.decode(answer, skip_special_tokens=True))


def scores_after_prefix(
    explainer: QwenExplainer, prompts: Sequence[Prompt], image: Image.Image, *, shift: int = 0
) -> list[torch.Tensor]:
    """The same scores for prompts of one system prompt, which is read once with the picture.

    `shift` puts the texts as many positions too far.
    """
    model, chat = explainer.model, Chat(explainer.tokenizer, picture=True)
    pixels = explainer.pictures.read(image)
    with model.device.turn():
        features = model.see(pixels)
        before = _row(explainer, chat.before(prompts[0].system, pixels.tokens))
        positions = model.positions(before, features)
        prefix = DynamicCache()
        model.read(before, positions, prefix, features=features)
        start = int(positions.max()) + 1 + shift
        return [_scores_of(explainer, chat.after(each.text), start, prefix) for each in prompts]


def _scores_of(
    explainer: QwenExplainer, text: list[int], start: int, prefix: DynamicCache
) -> torch.Tensor:
    after = _row(explainer, text)
    where = torch.arange(start, start + len(text), device=after.device).expand(3, 1, -1)
    return explainer.model.read(after, where, fork(prefix))[0]


def _row(explainer: QwenExplainer, ids: list[int]) -> torch.Tensor:
    return torch.tensor([ids], device=explainer.model.device.name)
