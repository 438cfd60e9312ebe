"""Step 4: True or False by forced decoding.

The validator is not asked to write. One forward pass over the prompt gives the probability of each
word as the beginning of the answer; the likelier of "True" and "False" is the verdict.
"""

from __future__ import annotations

import torch
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from expartkg.engines.qwen.chat import Chat
from expartkg.engines.qwen.device import Device
from expartkg.errors import EngineError
from expartkg.records import Prompt, StopFlag, Verdict


class QwenValidator:
    """A language model that judges. Any chat model will do to which both words are one token.

    Raises `EngineError` for others.
    """

    def __init__(
        self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, device: Device
    ) -> None:
        self._model = model
        self._device = device
        self._chat = Chat(tokenizer)
        self._words = [_token_of(word, tokenizer) for word in ("True", "False")]

    def judge(self, prompt: Prompt, answer: str, stop: StopFlag) -> Verdict:
        """The verdict on what `prompt.text` asks; equal probabilities are False.

        `mass` is what both words hold of the whole distribution: near 1 the model does what the
        prompt says, near 0 it would rather have said something else. One step, too short to stop.
        """
        ids = self._chat.before(prompt.system) + self._chat.after(prompt.text)
        with self._device.turn():
            scores = self._model(
                input_ids=torch.tensor([ids], device=self._device.name),
                use_cache=False,
                logits_to_keep=1,
            ).logits[0, -1]
            # In double precision, so that two words that hold everything do not exceed 1.
            true, false = torch.log_softmax(scores.double(), dim=-1)[self._words]
        p_true = torch.sigmoid(true - false).item()
        mass = min(1.0, (true.exp() + false.exp()).item())
        return Verdict(bool(true > false), p_true, mass, "forced")


def _token_of(word: str, tokenizer: PreTrainedTokenizerBase) -> int:
    ids: list[int] = tokenizer.encode(word, add_special_tokens=False)
    if len(ids) != 1:
        raise EngineError(
            f'To {tokenizer.name_or_path} the word "{word}" is {len(ids)} tokens, and the guide '
            "judges by one; set EXPARTKG_VALIDATOR to a model such as Qwen/Qwen3-4B-Instruct-2507."
        )
    return ids[0]
