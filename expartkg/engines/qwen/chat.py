"""A model's chat format: the tokens around a prompt's texts, and text from the tokens it writes."""

from __future__ import annotations

import re
from typing import Any

from transformers import PreTrainedTokenizerBase

from expartkg.errors import EngineError

# Two characters of the private use area, which no template has.
_SYSTEM, _TEXT = "\ue000", "\ue001"
_PICTURE = "<|image_pad|>"
_PART_OF_A_CHARACTER = "\ufffd"


class Chat:
    """A system turn and a user turn as the model's own template frames them.

    With a picture, which goes first in the user turn, all that comes before the prompt's text is
    the same for every prompt with the same system text: `before` is that, `after` is the rest.
    Joined they are the tokens of the whole chat, as the template and its tokenizer make them.
    Tokens with a meaning (`<|im_end|>` and the like) are spelt out where a text has them, so that
    no text ends its turn.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase, *, picture: bool = False) -> None:
        self._tokenizer = tokenizer
        self._inside = _inside_tokens(tokenizer)
        self._start, self._middle, self._end = _frames(tokenizer, picture)

    def before(self, system: str, image_tokens: int = 0) -> list[int]:
        """Token ids up to the prompt's text; the picture stands for `image_tokens` of them."""
        before, picture, after = self._middle.partition(_PICTURE)
        return [
            *self._framing(self._start),
            *self._spelt(system),
            *self._framing(before),
            *self._framing(picture) * image_tokens,
            *self._framing(after),
        ]

    def after(self, text: str) -> list[int]:
        """Token ids of the prompt's text, up to where the model's answer begins."""
        return [*self._spelt(text), *self._framing(self._end)]

    def _framing(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False)
        return ids

    def _spelt(self, text: str) -> list[int]:
        return [
            token
            for piece in self._inside.split(text)
            for token in self._tokenizer.encode(
                piece, add_special_tokens=False, split_special_tokens=True
            )
        ]


def _inside_tokens(tokenizer: PreTrainedTokenizerBase) -> re.Pattern[str]:
    """The places behind the first character of a token with a meaning.

    To `split_special_tokens` not all of them are special: `<think>` and `<tool_call>` are not.
    """
    tokens = [str(token) for token in tokenizer.get_added_vocab() if len(token) > 1]
    places = [f"(?<={re.escape(token[0])})(?={re.escape(token[1:])})" for token in tokens]
    return re.compile("|".join(places) or "(?!)")


def _frames(tokenizer: PreTrainedTokenizerBase, picture: bool) -> tuple[str, str, str]:
    """What the template writes before, between and after a system text and a user's text."""
    parts = [{"type": "image"}, {"type": "text", "text": _TEXT}]
    chat: list[dict[str, Any]] = [
        {"role": "system", "content": _SYSTEM},
        {"role": "user", "content": parts if picture else _TEXT},
    ]
    rendered = str(
        tokenizer.apply_chat_template(
            chat,
            tokenize=False,
            add_generation_prompt=True,
            # Keeps models that can think aloud from doing so; others have no such switch.
            enable_thinking=False,
        )
    )
    start, system, rest = rendered.partition(_SYSTEM)
    middle, text, end = rest.partition(_TEXT)
    if not (system and text) or picture != (_PICTURE in middle):
        raise EngineError(
            f"The chat template of {tokenizer.name_or_path} has no place for what the guide says "
            "to a model; choose an instruct model of the Qwen family."
        )
    return start, middle, end


class Detokenizer:
    """Turns tokens into text as they come, and never half a character."""

    def __init__(self, tokenizer: PreTrainedTokenizerBase) -> None:
        self._tokenizer = tokenizer
        self._pending: list[int] = []

    def add(self, token: int) -> str:
        """The text that the token completes, empty while its last character is not complete."""
        self._pending.append(token)
        text = self._decoded(self._pending)
        if text.endswith(_PART_OF_A_CHARACTER):
            return ""
        self._pending.clear()
        return text

    def rest(self) -> str:
        """The text that was held back, without the character that was never completed."""
        return self._decoded(self._pending).rstrip(_PART_OF_A_CHARACTER)

    def _decoded(self, ids: list[int]) -> str:
        return str(
            self._tokenizer.decode(
                ids, skip_special_tokens=True, clean_up_tokenization_spaces=False
            )
        )
