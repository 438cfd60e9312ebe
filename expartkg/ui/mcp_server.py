"""The functions of `api` as tools of the Model Context Protocol, for assistants.

gradio can do it too, but its server tells nothing of an explanation before the end, goes on with it
when the assistant has gone, fetches pictures from any address, and lets in whoever has not logged
in. Ours is at the same address. Source: the protocol's transport "Streamable HTTP", without
sessions, https://modelcontextprotocol.io/specification/2025-06-18/basic/transports.
"""

from __future__ import annotations

import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from functools import partial, wraps
from typing import Any

from anyio import to_thread
from mcp.server.fastmcp import Context, FastMCP
from mcp.server.transport_security import TransportSecuritySettings
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from expartkg.runs import Json
from expartkg.ui.api import Api
from expartkg.ui.security import MOST_TOLD_BYTES
from expartkg.ui.text import ENGLISH

ADDRESS = "/gradio_api/mcp"
TEXT_SECONDS = 1.0
INSTRUCTIONS = (
    "Explains artworks with facts of a knowledge graph. search finds a work and its id; facts and "
    "retrieve look into the graph; explain writes an explanation and shows how it came about."
)


class McpServer:
    """The tools, at their addresses. They answer while `lifespan` lasts, which is once."""

    def __init__(self, api: Api) -> None:
        self._server = FastMCP(
            "ExpArt-KG museum guide",
            INSTRUCTIONS,
            stateless_http=True,
            log_level="WARNING",
            # Otherwise it would be too little for a picture.
            max_request_body_size=MOST_TOLD_BYTES,
            # The guide's gate turns other websites away, whatever this machine is called.
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )
        for function in (api.search, api.facts, api.retrieve):
            self._server.add_tool(_in_a_thread(function), structured_output=False)
        self._server.add_tool(
            _explaining(api), description=api.explain.__doc__, structured_output=False
        )
        self._server.streamable_http_app()  # which makes the manager of the transport

    @property
    def routes(self) -> list[BaseRoute]:
        return [Route(address, self) for address in (ADDRESS, f"{ADDRESS}/")]

    @asynccontextmanager
    async def lifespan(self, _: object) -> AsyncIterator[None]:
        async with self._server.session_manager.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._server.session_manager.handle_request(scope, receive, send)


def _in_a_thread(function: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
    """All tools share one thread with the page, which is not to wait for them."""

    @wraps(function)
    async def call(**asked: Any) -> Any:
        return await to_thread.run_sync(partial(function, **asked))

    return call


def _explaining(api: Api) -> Callable[..., Awaitable[Json]]:
    """`Api.explain` as one answer, the run. What happens meanwhile is told as its progress."""

    async def explain(
        context: Context[Any, Any, Any],
        title: str = "",
        artist: str = "",
        artwork: str = "",
        picture: str = "",
        question: str = "",
        method: str = "validate",
        ranking: str = "qid",
        max_iterations: int = 5,
        top_k: int = 10,
    ) -> Json:
        asked = (title, artist, artwork, picture, question, method, ranking)
        latest: Json = {}
        steps, told = 0, -math.inf
        async with aclosing(api.explain(*asked, max_iterations, top_k)) as events:
            async for event in events:
                # What is written so far is told whole each time, so not with every word.
                pause = TEXT_SECONDS if event["event"] == "answering" else 0
                if event != latest and time.monotonic() - told >= pause:
                    steps, told = steps + 1, time.monotonic()
                    await context.report_progress(steps, message=_news(event))
                latest = event
        run: Json = latest["run"]
        return run

    return explain


def _news(event: Json) -> str:
    """What has just happened, in a few words; of an answer, what is written so far."""
    match event:
        case {"event": "waiting", "ahead": 0}:
            return "Starting."
        case {"event": "waiting", "ahead": ahead}:
            return ENGLISH.waiting(ahead)
        case {"event": "retrieved", "iteration": number, "facts": facts}:
            return f"Iteration {number}: {len(facts)} facts."
        case {"event": "answering" | "answered", "iteration": number, "text": text}:
            return f"Iteration {number}: {text}"
        case {"event": "judged", "iteration": number, "accepted": accepted}:
            return f"Iteration {number} was judged {accepted}."
    return f"{event['event'].capitalize()}."
