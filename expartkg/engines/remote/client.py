"""The official client, with the address and the key of one server and nothing else."""

from __future__ import annotations

import functools
import ssl

import httpx2
from openai import AsyncOpenAI, DefaultAsyncHttpxClient, Omit, Timeout, omit

from expartkg.engines.remote.server import Server

CONNECT_SECONDS = 10.0


def client_for(server: Server) -> AsyncOpenAI:
    """A client for one request, to be closed with its connections when the request is given up."""
    return AsyncOpenAI(
        base_url=server.url,
        api_key="in the headers",
        timeout=Timeout(None, connect=CONNECT_SECONDS),
        max_retries=server.retries,
        http_client=DefaultAsyncHttpxClient(verify=_certificates()),
    )


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
