"""Attention for one token over a cache of fixed size.

There the usual kernels cannot be used, since part of the cache does not count yet, and what
transformers does instead copies every key for each of the heads that share it: more to move than
the model's own weights. Everything else goes to PyTorch's own attention.
"""

from __future__ import annotations

from typing import Any

import torch
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import sdpa_mask

ATTENTION = "expartkg"
"""The name under which transformers knows `attend`."""


def attend(
    module: torch.nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    scaling: float,
    **options: Any,
) -> tuple[torch.Tensor, None]:
    """Queries (1, heads, tokens, width), keys and values (1, shared heads, cached, width) and a
    mask (1, 1, tokens, cached), true where a key counts; returns (1, tokens, heads, width).
    """
    if attention_mask is None or query.shape[2] > 1:
        attended, _ = sdpa_attention_forward(
            module, query, key, value, attention_mask, scaling=scaling, **options
        )
        return attended, None
    return _attend_one(query, key, value, attention_mask, scaling), None


def _attend_one(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    mask: torch.Tensor,
    scaling: float,
) -> torch.Tensor:
    """The heads that share a key are rows of one product: (1, shared heads, sharing, cached)."""
    sharing = query.view(1, key.shape[1], -1, query.shape[3])
    scores = (sharing @ key.transpose(2, 3)).float() * scaling
    weights = torch.softmax(scores.masked_fill(~mask, -torch.inf), dim=-1)
    return (weights.to(value.dtype) @ value).view(1, 1, -1, query.shape[3])


AttentionInterface.register(ATTENTION, attend)
AttentionMaskInterface.register(ATTENTION, sdpa_mask)
