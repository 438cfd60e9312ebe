"""A window of the page without a browser: what gradio's own script sends, and hears."""

from __future__ import annotations

import asyncio
import contextlib
import html
import json
import random
import re
import string
import time
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx
from gradio_client.utils import apply_diff  # type: ignore[import-untyped]

from expartkg.ui.text import ENGLISH, JAPANESE, Words

Json = dict[str, Any]
ENDED = ("process_completed", "unexpected_error", "server_stopped")


class RefusedError(Exception):
    """The page did not take a request; the reason is what it answered."""


@dataclass(frozen=True)
class Description:
    """The page in one language, as it describes itself to browsers."""

    words: Words
    address: str
    ids: dict[str, int]
    values: dict[int, Any]
    functions: list[Json]

    @classmethod
    async def fetch(cls, client: httpx.AsyncClient, address: str) -> Description:
        config = (await client.get(f"config?page={address}")).json()
        parts = config["components"]
        return cls(
            JAPANESE if address == "ja" else ENGLISH,
            address,
            {part["props"].get("elem_id"): part["id"] for part in parts},
            {part["id"]: part["props"].get("value") for part in parts},
            config["dependencies"],
        )

    def function(self, name: str) -> Json:
        """The first function that has this name, up to the number that gradio puts behind it."""
        wanted = re.compile(rf"{name}(_\d+)?")
        return next(f for f in self.functions if wanted.fullmatch(str(f["api_name"])))

    def data(self, function: Json, fields: dict[str, Any]) -> list[Any]:
        """What is sent to a function; the fields are named as the elements of the page."""
        values = {**self.values, **{self.ids[name]: value for name, value in fields.items()}}
        return [values[id] for id in function["inputs"]]


def text_of(markup: object) -> str:
    """What a reader sees of a piece of HTML."""
    return html.unescape(re.sub(r"<[^>]+>", " ", markup)) if isinstance(markup, str) else ""


class Window:
    """Opened on the page, with the heartbeat by which the page knows that it is open."""

    def __init__(self, client: httpx.AsyncClient, page: Description) -> None:
        self.client = client
        self.page = page
        self.name = "".join(random.choices(string.ascii_lowercase + string.digits, k=11))
        self._heard: dict[str, asyncio.Queue[Json]] = {}
        self._shown: dict[str, list[Any]] = {}
        self._early: list[Json] = []
        self._listening: asyncio.Task[None] | None = None
        self._heartbeat: asyncio.Task[None] | None = None

    async def open(self) -> None:
        await self.client.get(self.page.address)
        self._heartbeat = asyncio.create_task(self._beat())
        await self.at_once("_fill_in")

    async def vanish(self) -> None:
        """All connections are cut, without a word."""
        tasks = [task for task in (self._listening, self._heartbeat) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def at_once(self, function: str, **fields: Any) -> list[Any]:
        """What the page does without its queue. Raises `RefusedError`."""
        found = self.page.function(function)
        response = await self._send("run/predict", found, self.page.data(found, fields))
        return list(response["data"])

    async def ask(self, function: str, *first: Any, **fields: Any) -> str:
        """Has the page begin something and returns its name; `first` go before the fields'
        values. Raises `RefusedError`.
        """
        found = self.page.function(function)
        data = [*first, *self.page.data(found, fields)[len(first) :]]
        event = str((await self._send("queue/join", found, data))["event_id"])
        self._heard.setdefault(event, asyncio.Queue())
        for message in [message for message in self._early if message["event_id"] == event]:
            self._early.remove(message)
            self._heard[event].put_nowait(message)
        if self._listening is None or self._listening.done():
            self._listening = asyncio.create_task(self._listen())
        return event

    async def outputs(self, event: str) -> AsyncGenerator[list[Any], None]:
        """What the outputs of something that was begun show, each time they change, to the end.

        Whoever stops in the middle may go on later. Raises `RefusedError` if it broke off.
        """
        while (message := await self._heard[event].get())["msg"] not in ENDED:
            if message["msg"] == "process_generating":
                self._change(event, message["output"]["data"])
                yield self._shown[event]
        del self._heard[event]
        if not message.get("success", False):
            raise RefusedError(json.dumps(message))
        if event not in self._shown:
            yield message["output"]["data"]

    def _change(self, event: str, data: list[Any]) -> None:
        """After the first time, only what is different is sent."""
        if before := self._shown.get(event):
            data = [apply_diff(old, diff) for old, diff in zip(before, data, strict=True)]
        self._shown[event] = data

    async def _send(self, path: str, function: Json, data: list[Any]) -> Json:
        body = {"data": data, "fn_index": function["id"], "session_hash": self.name}
        response = await self.client.post(f"gradio_api/{path}", json=body)
        if response.status_code != 200:
            raise RefusedError(f"{response.status_code}: {response.text}")
        answer: Json = response.json()
        return answer

    async def _beat(self) -> None:
        address = f"gradio_api/heartbeat/{self.name}"
        async with self.client.stream("GET", address) as stream:
            async for _ in stream.aiter_lines():
                continue

    async def _listen(self) -> None:
        """Until nothing that was begun is left; as the browser does, one stream for all."""
        while self._heard:
            address = f"gradio_api/queue/data?session_hash={self.name}"
            async with self.client.stream("GET", address) as stream:
                async for line in stream.aiter_lines():
                    if line.startswith("data:"):
                        self._take(json.loads(line[5:]))

    def _take(self, message: Json) -> None:
        message["heard_at"] = time.monotonic()
        event = message.get("event_id")
        if event in self._heard:
            self._heard[event].put_nowait(message)
        elif event:
            self._early.append(message)


@contextlib.asynccontextmanager
async def opened(client: httpx.AsyncClient, page: Description) -> AsyncIterator[Window]:
    """A window that is closed at the end, if it was not before."""
    window = Window(client, page)
    await window.open()
    try:
        yield window
    finally:
        await window.vanish()
