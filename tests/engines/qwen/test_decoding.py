"""Plain and compiled steps write the same, and which of them is used is said."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from PIL import Image

from expartkg.engines.qwen.attention import attend
from expartkg.engines.qwen.decoding import CompiledDecoder, PlainDecoder, choose_decoder
from expartkg.engines.qwen.session import QwenExplainer
from expartkg.errors import EngineError
from expartkg.records import Answer, Prompt
from tests.engines.qwen.conftest import alternate, raising

Say = Callable[..., Answer]
Change = Callable[..., QwenExplainer]


@pytest.fixture(scope="module")
def traces() -> list[object]:
    """What a compiler was given."""
    return []


@pytest.fixture(scope="module")
def compiled(explainer: QwenExplainer, traces: list[object]) -> Iterator[CompiledDecoder]:
    """Traced without a break, as on a GPU, but not translated by a compiler."""

    def keep(graph: torch.fx.GraphModule, _: object) -> Callable[..., object]:
        traces.append(graph)
        return graph.forward

    decoder = CompiledDecoder(explainer.model, tokens=512, backend=keep)
    decoder.warm_up()
    yield decoder
    torch._dynamo.reset()


def test_a_compiled_step_writes_what_a_plain_one_writes(
    explainer: QwenExplainer,
    change: Change,
    compiled: CompiledDecoder,
    traces: list[object],
    prompts: list[Prompt],
    photo: Image.Image,
    say: Say,
) -> None:
    plain, fast = explainer.session(photo), change(decoder=compiled).session(photo)
    for prompt in prompts:
        assert say(fast, prompt).text == say(plain, prompt).text
    assert len(traces) == 1, "compiled again for another prompt"


def test_runs_that_alternate_have_the_compiled_step_in_turn(
    explainer: QwenExplainer,
    change: Change,
    compiled: CompiledDecoder,
    visits: list[tuple[Image.Image | None, Prompt]],
    say: Say,
) -> None:
    fast = change(decoder=compiled)
    alone = [say(explainer.session(image), prompt).text for image, prompt in visits]
    streams = [fast.session(image).answer(prompt, threading.Event()) for image, prompt in visits]
    assert sorted(answer.text for answer in alternate(streams)) == sorted(alone)


def test_an_answer_that_may_not_fit_is_written_plainly(
    explainer: QwenExplainer, prompts: list[Prompt], change: Change, say: Say
) -> None:
    small = CompiledDecoder(explainer.model, tokens=64, backend="eager")
    answer = say(change(decoder=small).session(None), prompts[0])
    assert answer.text == say(explainer.session(None), prompts[0]).text
    assert small._graph is None
    layer: Any = small._cache.layers[0]
    assert not layer.is_initialized


def test_an_abandoned_answer_gives_the_compiled_step_back(
    change: Change, compiled: CompiledDecoder, prompts: list[Prompt]
) -> None:
    stream = change(decoder=compiled).session(None).answer(prompts[0], threading.Event())
    next(stream)
    next(stream)
    assert compiled._writer is not None
    stream.close()
    assert compiled._writer is None


@pytest.mark.parametrize("way", ["auto", "eager"])
def test_a_cpu_decodes_plainly_unless_told_otherwise(explainer: QwenExplainer, way: str) -> None:
    assert choose_decoder(explainer.model, way, print).name == "eager"


def test_a_failure_to_compile_is_told_and_done_without(
    explainer: QwenExplainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    failure = RuntimeError("no compiler\nand a long story")
    monkeypatch.setattr(CompiledDecoder, "warm_up", raising(failure))
    monkeypatch.setattr("expartkg.engines.qwen.decoding._may_compile", lambda _: True)
    told: list[str] = []
    decoder = choose_decoder(explainer.model, "auto", told.append)
    assert isinstance(decoder, PlainDecoder)
    assert told[-1].startswith("Compiling failed (RuntimeError: no compiler);")
    with pytest.raises(EngineError, match="EXPARTKG_DECODING=eager"):
        choose_decoder(explainer.model, "compiled", told.append)


@pytest.mark.parametrize("tokens", [1, 5])
def test_attention_over_part_of_a_cache_is_attention(tokens: int) -> None:
    """Against the definition: softmax(QKᵀ · scaling) V over the keys that count."""
    torch.manual_seed(0)
    heads, shared, width, cached = 4, 2, 8, 16
    module: Any = torch.nn.Module().eval()
    module.num_key_value_groups = heads // shared
    query = torch.randn(1, heads, tokens, width)
    key, value = torch.randn(2, 1, shared, cached, width)
    mask = torch.arange(cached) <= torch.arange(tokens).view(1, 1, -1, 1) + 3
    found, _ = attend(module, query, key, value, mask, scaling=0.5)
    for head in range(heads):
        scores = query[0, head] @ key[0, head // 2].T * 0.5
        weights = torch.softmax(scores.masked_fill(~mask[0, 0], -torch.inf), dim=-1)
        expected = weights @ value[0, head // 2]
        torch.testing.assert_close(found[0, :, head], expected)
