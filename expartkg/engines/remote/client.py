"""The official client, with the address and the key of one server and nothing else."""

from __future__ import annotations

import functools
import ssl
from collections.abc import AsyncIterator

import httpx2
from openai import AsyncOpenAI, DefaultAsyncHttpxClient, Omit, Timeout, omit

from expartkg.engines.remote.server import Server

CONNECT_SECONDS = 10.0
MOST_BYTES = 64 * 2**20
"""Of a response; an answer of 1,024 tokens has half a megabyte, each being an event of its own."""


def client_for(server: Server) -> AsyncOpenAI:
    """A client for one request, to be closed with its connections when the request is given up."""
    return AsyncOpenAI(
        base_url=server.url,
        api_key="in the headers",
        timeout=Timeout(None, connect=CONNECT_SECONDS),
        max_retries=server.retries,
        http_client=DefaultAsyncHttpxClient(
            verify=_certificates(), event_hooks={"response": [_limit]}
        ),
    )


class FloodError(OSError):
    """A server sends more than any answer has."""


async def _limit(response: httpx2.Response) -> None:
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    response.stream = _Limited(response.stream)


class _Limited(httpx2.AsyncByteStream):
    """What comes from a server, which may have no end: the client would keep all of it."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for piece in self._stream:
            size += len(piece)
            if size > MOST_BYTES:
                raise FloodError
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()


@functools.cache
def _certificates() -> ssl.SSLContext:
    # Reading them takes nearly all of the time that making a client takes.
    return httpx2.create_ssl_context()


def headers(server: Server) -> dict[str, str | Omit]:
    """What tells the server who asks, instead of what the environment may have for OpenAI's own."""
    return {
        "Authorization": server.authorization or omit,
        "OpenAI-Organization": omit,
        "OpenAI-Project": omit,
    }
