"""A prompt of Table 2 as the messages of the protocol: system, then the picture, then the text."""

from __future__ import annotations

from collections.abc import Iterable

from openai.types.chat import ChatCompletionMessageParam

from expartkg.records import Prompt

Messages = Iterable[ChatCompletionMessageParam]


def chat_messages(prompt: Prompt, picture: str | None = None) -> Messages:
    """The picture is a data URL. It comes first: what every round of a run begins with, a server
    reads once and keeps.
    """
    if picture is None:
        return [
            {"role": "system", "content": prompt.system},
            {"role": "user", "content": prompt.text},
        ]
    return [
        {"role": "system", "content": prompt.system},
        {
            "role": "user",
            "content": [
                {"type": "image_url", "image_url": {"url": picture}},
                {"type": "text", "text": prompt.text},
            ],
        },
    ]
