"""What a server says of itself: its version and its models. Not every server says it."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import threading
from collections.abc import Awaitable, Callable
from contextlib import closing
from typing import TypeVar

from openai import APIStatusError, AsyncOpenAI

from expartkg.engines.remote.client import client_for, headers
from expartkg.engines.remote.failures import FAILURES
from expartkg.engines.remote.server import Server
from expartkg.engines.remote.work import Emit, emitted

log = logging.getLogger(__name__)
Told = TypeVar("Told")

LOOK_SECONDS = 5.0
VERSIONS = (("/version", "version"), ("/api/version", "version"), ("/props", "build_info"))
"""Where vLLM, Ollama and llama.cpp tell their version: beside the protocol's `/v1`."""


def offered_models(server: Server) -> tuple[str, ...]:
    """The names of the models that a server lists; none if it does not list them at once."""

    async def ask(client: AsyncOpenAI) -> tuple[str, ...]:
        page = await client.models.list(extra_headers=headers(server))
        return tuple(str(model.id) for model in page.data)

    return _told(server, ask) or ()


def version(server: Server) -> str | None:
    """The version of a server's software, None if it does not tell at once."""

    async def ask(client: AsyncOpenAI) -> str | None:
        for path, key in VERSIONS:
            try:
                answer = await client.get(
                    server.url.removesuffix("/v1") + path,
                    cast_to=object,
                    options={"headers": headers(server)},
                )
            except APIStatusError:
                continue
            if isinstance(answer, dict) and answer.get(key):
                return str(answer[key])
        return None

    return _told(server, ask)


def _told(server: Server, ask: Callable[[AsyncOpenAI], Awaitable[Told]]) -> Told | None:
    async def work(emit: Emit[Told]) -> None:
        once = dataclasses.replace(server, retries=0)
        async with client_for(once) as client, asyncio.timeout(LOOK_SECONDS):
            emit(await ask(client))

    try:
        with closing(emitted(work, threading.Event())) as answers:
            return next(answers, None)
    except FAILURES as error:
        log.info("%s does not say what it is: %s", server.host, type(error).__name__)
        return None
