"""Visitors of the page, of all sorts, and a book of what each of them asked for and got."""

from __future__ import annotations

import asyncio
import io
import random
import time
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Literal

import httpx
from PIL import Image

from expartkg.ui.text import Words
from tests.hard_use.load.journal import NAME, ending_of
from tests.hard_use.load.window import Description, Window, opened, text_of

Ending = Literal["lost", "answer", "stopped", "crowded", "left", "failed"]
MOST_AHEAD = 40


@dataclass
class Asked:
    """What somebody asked for, and how it went; times in seconds of the machine's clock.

    `positions` are what was shown of the place in the line, and when.
    """

    name: str
    kind: str
    asked: float = field(default_factory=time.monotonic)
    joined: float | None = None
    positions: list[tuple[float, int]] = field(default_factory=list)
    started: float | None = None
    ended: float | None = None
    ending: Ending = "lost"
    status: str = ""
    seen: str = ""
    foreign: set[str] = field(default_factory=set)

    def hear(self, outputs: list[Any], words: Words) -> None:
        """What the outputs of the page show now: the first one is the status line."""
        now = time.monotonic()
        texts = [text_of(output) for output in outputs]
        self.foreign |= {name for text in texts for name in NAME.findall(text)} - {self.name}
        self.seen = " ".join([text for text in texts[1:] if text] or [self.seen])
        if not texts[0]:
            return
        self.status = " ".join(texts[0].split())
        ahead = next((n for n in range(MOST_AHEAD, 0, -1) if words.waiting(n) in self.status), 0)
        if ahead:
            if not self.positions or self.positions[-1][1] != ahead:
                self.positions.append((now, ahead))
        elif self.started is None and words.starting not in self.status:
            self.started = now

    def end(self, ending: Ending) -> None:
        self.ending = ending
        self.ended = time.monotonic()


Until = Callable[[Asked], bool]


def _at_the_end(asked: Asked) -> bool:
    return False


def _writing(asked: Asked) -> bool:
    return f"{asked.name}.3" in asked.seen


def _waiting(asked: Asked) -> bool:
    return bool(asked.positions) or asked.started is not None


class Visitor:
    """Does things on the page, one after the other, until it is time to go."""

    def __init__(
        self, number: int, client: httpx.AsyncClient, pages: list[Description], book: list[Asked]
    ) -> None:
        self._number = number
        self._client = client
        self._pages = pages
        self._book = book
        self._chance = random.Random(number)
        self._works = 0

    async def stay(self, seconds: float, think_seconds: float) -> None:
        """Each begins with another of the ways to use the page, then takes them as they come."""
        end = time.monotonic() + seconds
        await asyncio.sleep(self._chance.uniform(0, min(think_seconds, seconds / 3)))
        ways: list[Callable[[], Awaitable[None]]] = [
            self._explains, self._stops_while_writing, self._stops_while_waiting,
            self._vanishes_while_writing, self._vanishes_while_waiting, self._reloads,
            self._asks_ten_times, self._reads_japanese, self._shows_a_picture, self._compares,
            self._uses_the_interface, self._explains,
        ]  # fmt: skip
        # Most people just use it.
        weights = [6, 1, 1, 1, 1, 1, 1, 2, 3, 1, 2, 6]
        way = ways[self._number % len(ways)]
        while time.monotonic() < end:
            await way()
            pause = min(self._chance.expovariate(1 / think_seconds), 3 * think_seconds)
            await self._look_around(min(pause, max(0.0, end - time.monotonic())))
            (way,) = self._chance.choices(ways, weights)

    def _ask(self, kind: str) -> Asked:
        self._works += 1
        self._book.append(Asked(f"N{self._number}x{self._works}", kind))
        return self._book[-1]

    async def _explain(
        self, window: Window, kind: str, until: Until = _at_the_end, **fields: Any
    ) -> tuple[Asked, str]:
        """Presses Explain, and reads to the end or `until` there is enough of it."""
        asked = self._ask(kind)
        event = await window.ask("_explain", title=asked.name, **fields)
        asked.joined = time.monotonic()
        await self._read(window, asked, event, until)
        return asked, event

    async def _read(
        self, window: Window, asked: Asked, event: str, until: Until = _at_the_end
    ) -> None:
        words = window.page.words
        async with aclosing(window.outputs(event)) as outputs:
            async for shown in outputs:
                asked.hear(shown, words)
                if until(asked):
                    return
        asked.end(_how_it_ended(asked, words))
        await window.at_once("_refresh")

    async def _explains(self) -> None:
        async with opened(self._client, self._pages[0]) as window:
            await self._type(window)
            await self._explain(window, "explains")
            if self._chance.random() < 0.3:
                await self._explain(window, "explains again")

    async def _reads_japanese(self) -> None:
        async with opened(self._client, self._pages[0]):
            pass
        async with opened(self._client, self._pages[1]) as window:
            await self._explain(window, "reads Japanese")

    async def _stops_while_writing(self) -> None:
        await self._stops("stops while it is written", _writing)

    async def _stops_while_waiting(self) -> None:
        await self._stops("stops while waiting", _waiting)

    async def _stops(self, kind: str, until: Until) -> None:
        async with opened(self._client, self._pages[0]) as window:
            asked, event = await self._explain(window, kind, until)
            if asked.ending == "lost":
                await window.at_once("_stop_run")
                await self._read(window, asked, event)

    async def _vanishes_while_writing(self) -> None:
        async with opened(self._client, self._pages[0]) as window:
            await self._vanishes(window, "vanishes while it is written", _writing)

    async def _vanishes_while_waiting(self) -> None:
        async with opened(self._client, self._pages[0]) as window:
            await self._vanishes(window, "vanishes while waiting", _waiting)

    async def _vanishes(self, window: Window, kind: str, until: Until) -> None:
        asked, _ = await self._explain(window, kind, until)
        await window.vanish()
        if asked.ending == "lost":
            asked.end("left")

    async def _reloads(self) -> None:
        async with opened(self._client, self._pages[0]) as window:
            await self._vanishes(window, "reloads while it is written", _writing)
        await self._explains()

    async def _asks_ten_times(self) -> None:
        """The last time counts."""
        async with opened(self._client, self._pages[0]) as window:
            asked = [self._ask("presses Explain ten times") for _ in range(10)]
            events = []
            for one in asked:
                one.asked = time.monotonic()
                events.append(await window.ask("_explain", title=one.name))
                one.joined = time.monotonic()
            reading = (self._read(window, *pair) for pair in zip(asked, events, strict=True))
            await asyncio.gather(*reading)

    async def _shows_a_picture(self) -> None:
        async with opened(self._client, self._pages[0]) as window:
            path = await self._upload(_picture(self._chance))
            picture = {"path": path, "meta": {"_type": "gradio.FileData"}}
            event = await window.ask("_shown", picture)
            async with aclosing(window.outputs(event)) as outputs:
                async for _ in outputs:
                    continue
            asked, _ = await self._explain(window, "shows a picture", picture=picture)
            if asked.ending == "answer" and "saw nothing" in asked.seen:
                asked.end("failed")

    async def _compares(self) -> None:
        async with opened(self._client, self._pages[0]) as window:
            asked = self._ask("compares")
            event = await window.ask("_compare", "graph", title=asked.name)
            asked.joined = time.monotonic()
            async with aclosing(window.outputs(event)) as outputs:
                async for shown in outputs:
                    asked.hear(shown, window.page.words)
            asked.end(_how_it_ended(asked, window.page.words))

    async def _uses_the_interface(self) -> None:
        """As a program does: without a window."""
        asked = self._ask("uses the interface")
        values = [asked.name, "", "", None, "", "validate", "qid", 5, 10]
        response = await self._client.post("gradio_api/call/explain", json={"data": values})
        response.raise_for_status()
        asked.joined = time.monotonic()
        address = f"gradio_api/call/explain/{response.json()['event_id']}"
        event, last = "", ""
        async with self._client.stream("GET", address) as stream:
            async for line in stream.aiter_lines():
                event = line[7:] if line.startswith("event: ") else event
                last = line[6:] if line.startswith("data: ") and event != "heartbeat" else last
                asked.foreign |= set(NAME.findall(line)) - {asked.name}
                if '"started"' in line and asked.started is None:
                    asked.started = time.monotonic()
        asked.status = event
        if event == "error":
            asked.end("crowded" if "Too many visitors" in last else "failed")
        else:
            asked.end("answer" if ending_of(asked.name) in last else "failed")

    async def _look_around(self, seconds: float) -> None:
        """Reads, looks something up, and thinks."""
        end = time.monotonic() + seconds
        pages = ("entity/Q1", "ja/entity/Q2", "graph", "entity/Q21")
        while (left := end - time.monotonic()) > 0:
            await asyncio.sleep(min(left, self._chance.uniform(0.2, 1) * max(seconds / 3, 1)))
            response = await self._client.get(self._chance.choice(pages))
            response.raise_for_status()
            call = {"data": [self._chance.choice(("mona", "kiss", "leonardo")), 5]}
            begun = await self._client.post("gradio_api/call/search", json=call)
            found = await self._client.get(f"gradio_api/call/search/{begun.json()['event_id']}")
            assert '"works"' in found.text

    async def _type(self, window: Window) -> None:
        """Suggestions come while somebody types."""
        for text in ("mo", "mona"):
            call = {
                "data": text,
                "component_id": window.page.ids["picker"],
                "session_hash": window.name,
                "fn_name": "suggest",
            }
            response = await self._client.post("gradio_api/component_server/", json=call)
            assert "Mona Lisa" in response.text, response.text
        await window.at_once("_on_change", title="Mona Lisa")

    async def _upload(self, content: bytes) -> str:
        files = {"files": ("picture.png", content)}
        response = await self._client.post("gradio_api/upload", files=files)
        response.raise_for_status()
        return str(response.json()[0])


def _picture(chance: random.Random) -> bytes:
    file = io.BytesIO()
    colour = tuple(chance.randrange(256) for _ in range(3))
    Image.new("RGB", (chance.randint(200, 900), chance.randint(200, 900)), colour).save(file, "PNG")
    return file.getvalue()


def _how_it_ended(asked: Asked, words: Words) -> Ending:
    if words.crowded in asked.status:
        return "crowded"
    if words.stopped in asked.status:
        return "stopped"
    return "answer" if ending_of(asked.name) in asked.seen else "failed"


async def visit(
    url: str, visitors: int, seconds: float, think_seconds: float, book: list[Asked]
) -> list[str]:
    """So many visitors use the page for so long. Returns what they stumbled over."""
    # None is kept for the next request, which the page might close at that very moment.
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=0)
    timeout = httpx.Timeout(120, read=None, pool=None)
    async with httpx.AsyncClient(
        base_url=url, timeout=timeout, limits=limits, trust_env=False
    ) as client:
        pages = [await Description.fetch(client, address) for address in ("", "ja")]
        staying = (
            Visitor(number, client, pages, book).stay(seconds, think_seconds)
            for number in range(visitors)
        )
        results = await asyncio.gather(*staying, return_exceptions=True)
    return [repr(result) for result in results if isinstance(result, BaseException)]
