"""Qwen3-VL taken apart: what it sees, what it reads, what it would say next.

transformers' own `forward` keeps where the text stands after a picture (`rope_deltas`) on the
model, where two visitors would share it. Here nothing is kept between two calls: caches and
positions belong to who asks.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass

import torch
from transformers import Cache, PreTrainedConfig, PreTrainedModel

from expartkg.engines.qwen.device import Device
from expartkg.engines.qwen.pictures import Pixels


@dataclass(frozen=True, slots=True)
class Features:
    """What the vision tower made of a picture: (tokens, width), once for the text model's input
    and once for each of its first layers (deepstack); `grid` as in `Pixels`.
    """

    picture: torch.Tensor
    deepstack: tuple[torch.Tensor, ...]
    grid: torch.Tensor


class VisionLanguageModel:
    """`loaded` is the whole model; every call here is one step of it, within `Device.turn`."""

    def __init__(self, loaded: PreTrainedModel, device: Device) -> None:
        self.loaded = loaded
        self.device = device
        self._language = loaded.model.language_model
        self._image_token: int = loaded.config.image_token_id
        self._cache_name = _cache_name(self._language)

    @property
    def config(self) -> PreTrainedConfig:
        """The configuration of the text model."""
        config: PreTrainedConfig = self._language.config
        return config

    def see(self, pixels: Pixels) -> Features:
        """Runs the vision tower."""
        grid = pixels.grid.to(self.device.name)
        seen = self.loaded.model.get_image_features(
            pixels.values.to(self.device.name), grid, return_dict=True
        )
        return Features(
            _joined(seen.pooler_output),
            tuple(_joined(layer) for layer in seen.deepstack_features),
            grid,
        )

    def positions(self, ids: torch.Tensor, features: Features | None) -> torch.Tensor:
        """Where the tokens of a chat's beginning stand, (3, 1, tokens): in time, height and width.

        A picture's tokens stand beside each other, so text after it goes on at a smaller number
        than there are tokens.
        """
        kinds = (ids == self._image_token).int()
        grid = features.grid if features else None
        positions: torch.Tensor = self.loaded.model.get_rope_index(
            ids, mm_token_type_ids=kinds, image_grid_thw=grid
        )[0]
        return positions

    def read(
        self,
        ids: torch.Tensor,
        positions: torch.Tensor,
        cache: Cache,
        *,
        features: Features | None = None,
        mask: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """Reads `ids` (1, tokens) at `positions` (3, 1, tokens) after what is in `cache`, adds them
        to it, and returns the last token's scores over the vocabulary, (1, vocabulary).

        `features` stand in for the picture's tokens. `mask` (1, 1, 1, cached) tells which entries
        of a cache of fixed size count; other caches need none.
        """
        embedded = self._language.embed_tokens(ids)
        picture = {}
        if features is not None:
            seen = ids == self._image_token
            embedded[seen] = features.picture.to(embedded.dtype)
            picture = {"visual_pos_masks": seen, "deepstack_visual_embeds": features.deepstack}
        hidden = self._language(
            inputs_embeds=embedded,
            position_ids=positions,
            attention_mask=mask,
            use_cache=True,
            **{self._cache_name: cache},
            **picture,
        ).last_hidden_state
        scores: torch.Tensor = self.loaded.lm_head(hidden[:, -1])
        return scores


def _cache_name(module: torch.nn.Module) -> str:
    """transformers 5.24 calls `cache` what was `past_key_values` before."""
    names = inspect.signature(module.forward).parameters
    return "cache" if "cache" in names else "past_key_values"


def _joined(parts: torch.Tensor | tuple[torch.Tensor, ...]) -> torch.Tensor:
    """The features of one picture: some versions give them as a tuple, a tensor a picture."""
    return parts if isinstance(parts, torch.Tensor) else torch.cat(parts)
