"""The official client, with the address and the key of one server and nothing else."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from openai import AsyncOpenAI, Omit, Timeout, omit

from expartkg.engines.remote.server import Server

CONNECT_SECONDS = 10.0


@asynccontextmanager
async def connected(server: Server) -> AsyncGenerator[AsyncOpenAI, None]:
    """A client for one request, closed with its connections when the request is given up."""
    async with AsyncOpenAI(
        base_url=server.url,
        api_key="in the headers",
        timeout=Timeout(None, connect=CONNECT_SECONDS),
        max_retries=server.retries,
    ) as client:
        yield client


def headers(server: Server) -> dict[str, str | Omit]:
    """What tells the server who asks, instead of what the environment may have for OpenAI's own."""
    return {
        "Authorization": server.authorization or omit,
        "OpenAI-Organization": omit,
        "OpenAI-Project": omit,
    }
