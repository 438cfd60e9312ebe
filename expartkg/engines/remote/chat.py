"""Asking a server, with the official client. What goes wrong comes out as an `EngineError`."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass

from openai import omit
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.chat.chat_completion import Choice

from expartkg.engines.remote.about import offered_models
from expartkg.engines.remote.client import client_for, headers
from expartkg.engines.remote.failures import FAILURES, explained, is_unknown_model
from expartkg.engines.remote.messages import Messages
from expartkg.engines.remote.server import Server
from expartkg.engines.remote.work import Emit, emitted
from expartkg.records import StopFlag

MOST_LOGPROBS = 20
"""As many as the protocol allows."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of an answer; with the last ones come why it ended, and its number of tokens."""

    text: str
    finish_reason: str | None = None
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """A short answer as a whole.

    `likeliest` are the first token's alternatives with their log-probabilities (natural
    logarithms); empty where the server gives none.
    """

    text: str
    likeliest: tuple[tuple[str, float], ...]


def stream_answer(
    server: Server, messages: Messages, max_tokens: int, stop: StopFlag
) -> Generator[Piece, None, None]:
    """The greedy answer as it is written; it ends early when `stop` is set.

    Raises `EngineError`; what was given before stands.
    """

    async def work(emit: Emit[ChatCompletionChunk]) -> None:
        async with client_for(server) as client, asyncio.timeout(server.silence) as limit:
            stream = await client.chat.completions.create(
                model=server.model,
                messages=messages,
                temperature=0,
                max_tokens=max_tokens,
                stream=True,
                stream_options={"include_usage": True},
                extra_headers=headers(server),
            )
            async with stream:
                async for chunk in stream:
                    limit.reschedule(asyncio.get_running_loop().time() + server.silence)
                    emit(chunk)

    with _explaining(server), closing(emitted(work, stop)) as chunks:
        for chunk in chunks:
            yield _piece(chunk)


def reply(
    server: Server, messages: Messages, max_tokens: int, stop: StopFlag, *, logprobs: bool = False
) -> Reply | None:
    """The greedy answer as a whole, None if `stop` was set before it came.

    Raises `RefusedError` if the server does not take such a request, else `EngineError`.
    """

    async def work(emit: Emit[ChatCompletion]) -> None:
        async with client_for(server) as client, asyncio.timeout(server.silence):
            emit(
                await client.chat.completions.create(
                    model=server.model,
                    messages=messages,
                    temperature=0,
                    max_tokens=max_tokens,
                    logprobs=True if logprobs else omit,
                    top_logprobs=MOST_LOGPROBS if logprobs else omit,
                    extra_headers=headers(server),
                )
            )

    with _explaining(server), closing(emitted(work, stop)) as completions:
        for completion in completions:
            return _reply(completion.choices[0])
    return None


@contextmanager
def _explaining(server: Server) -> Iterator[None]:
    try:
        yield
    except FAILURES as error:
        offered = offered_models(server) if is_unknown_model(error) else ()
        raise explained(error, server, offered) from error


def _piece(chunk: ChatCompletionChunk) -> Piece:
    tokens = int(chunk.usage.completion_tokens) if chunk.usage else None
    if not chunk.choices:
        return Piece("", None, tokens)
    choice = chunk.choices[0]
    return Piece(_text(choice.delta.content), choice.finish_reason, tokens)


def _reply(choice: Choice) -> Reply:
    content = choice.logprobs.content if choice.logprobs else None
    alternatives = content[0].top_logprobs if content else []
    likeliest = tuple((str(entry.token), float(entry.logprob)) for entry in alternatives)
    return Reply(_text(choice.message.content), likeliest)


def _text(content: object) -> str:
    """The client does not check what a server sends."""
    if content is not None and not isinstance(content, str):
        raise TypeError(f"the text is {content!r}")
    return content or ""
