"""Forced decoding: the probabilities are the model's own."""

from __future__ import annotations

import threading
from typing import Any

import pytest
import torch

from expartkg.engines.base import Engine
from expartkg.engines.qwen.judging import QwenValidator
from expartkg.errors import EngineError
from expartkg.prompts import validator_prompt
from expartkg.records import Prompt, Verdict

PROMPT = validator_prompt("Explain this artwork.", "A portrait by Leonardo da Vinci.")
TRUE, FALSE = 2514, 4049


@pytest.fixture(scope="session")
def validator(engine: Engine) -> QwenValidator:
    assert isinstance(engine.validator, QwenValidator)
    return engine.validator


def judged(validator: QwenValidator, prompt: Prompt = PROMPT) -> Verdict:
    return validator.judge(prompt, "", threading.Event())


def test_is_the_softmax_of_what_the_model_says_next(validator: QwenValidator) -> None:
    tokenizer = validator._chat._tokenizer
    chat = [
        {"role": "system", "content": PROMPT.system},
        {"role": "user", "content": PROMPT.text},
    ]
    ids: Any = tokenizer.apply_chat_template(
        chat, add_generation_prompt=True, return_tensors="pt", return_dict=True
    )
    with torch.no_grad():
        probabilities = torch.softmax(validator._model(**ids).logits[0, -1].double(), dim=0)
    true, false = probabilities[TRUE].item(), probabilities[FALSE].item()
    verdict = judged(validator)
    assert verdict.p_true == pytest.approx(true / (true + false), rel=1e-4)
    assert verdict.mass == pytest.approx(true + false, rel=1e-4)
    assert verdict.accepted == (true > false)
    assert verdict.method == "forced"


def test_reads_no_facts_and_no_answer_but_the_prompts(validator: QwenValidator) -> None:
    bare = Prompt(PROMPT.system, PROMPT.text, question="")
    assert judged(validator, bare) == validator.judge(PROMPT, "something else", threading.Event())
    other = validator_prompt("Explain this artwork.", "A cat.")
    assert judged(validator, other) != judged(validator)


@pytest.mark.parametrize(
    ("true", "false", "accepted", "p_true"),
    [(1.0, 1.0, False, 0.5), (1.0, 0.0, True, 0.731), (-40.0, 60.0, False, 0.0)],
)
def test_equal_is_false(
    validator: QwenValidator,
    monkeypatch: pytest.MonkeyPatch,
    true: float,
    false: float,
    accepted: bool,
    p_true: float,
) -> None:
    head = validator._model.lm_head

    def scores(hidden: torch.Tensor) -> torch.Tensor:
        forced = torch.full((1, 1, head.out_features), -50.0)
        forced[..., TRUE], forced[..., FALSE] = true, false
        return forced

    monkeypatch.setattr(head, "forward", scores)
    verdict = judged(validator)
    assert verdict.accepted is accepted
    assert verdict.p_true == pytest.approx(p_true, abs=1e-3)
    assert verdict.mass == pytest.approx(1.0)
    assert verdict.mass is not None
    assert verdict.mass <= 1.0


def test_a_tokenizer_that_splits_the_words_is_refused(
    validator: QwenValidator, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokenizer = validator._chat._tokenizer
    monkeypatch.setattr(type(tokenizer), "encode", lambda *_, **__: [1, 2])
    with pytest.raises(EngineError, match='"True" is 2 tokens'):
        QwenValidator(validator._model, tokenizer, validator._device)
