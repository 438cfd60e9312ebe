"""Asking a web service many things: politely, persistently, and each thing once.

Sources: https://www.mediawiki.org/wiki/API:Etiquette, https://www.mediawiki.org/wiki/Manual:Maxlag_parameter,
https://foundation.wikimedia.org/wiki/Policy:Wikimedia_Foundation_User-Agent_Policy
"""

from __future__ import annotations

import hashlib
import json
import random
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from expartkg.errors import SourceError
from expartkg.files import write_atomically
from expartkg.web import Connector, retry_after, spoken, user_agent

WORKERS = 3
"""Requests at once, at most."""
GAP = 0.1
"""Seconds between the beginnings of two requests, at least."""
TRIES = 6
FIRST_PAUSE = 1.0
"""Seconds before the second try, doubled for every further one; half more or less by chance."""
LONGEST_REST = 300.0
"""Seconds that are waited if the service asks for them; beyond that, the build ends."""
SILENCE = 90.0
"""Seconds without a byte after which a request is given up."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked: by GET, or as a form by POST where it may be long."""

    address: str
    fields: Mapping[str, str]
    method: str = "GET"

    @property
    def key(self) -> str:
        """The same for the same request."""
        text = json.dumps([self.method, self.address, sorted(self.fields.items())])
        return hashlib.sha256(text.encode("utf-8")).hexdigest()


class _PassingError(Exception):
    """A fault that may be gone at the next try, and how long the service wants to be left alone."""

    def __init__(self, reason: str, rest: float | None = None) -> None:
        super().__init__(reason)
        self.rest = rest


class Service:
    """A service that answers in JSON.

    What it answered is kept in the folder `cache`, if there is one: only whole answers without an
    error, so a build that was stopped asks nothing twice. `sleep` and `clock` are for tests.
    """

    def __init__(
        self,
        *,
        contact: str | None = None,
        cache: Path | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        headers = {
            "User-Agent": user_agent(contact),
            "Accept": "application/sparql-results+json, application/json",
        }
        self._connector = Connector(headers, SILENCE, SourceError)
        self._cache = cache
        self._sleep = sleep
        self._clock = clock
        self._lock = threading.Lock()
        self._next_turn = 0.0

    def ask_all(self, requests: Iterable[Request]) -> list[dict[str, Any]]:
        """The answers in the order of the requests. Raises `SourceError` if one cannot be had."""
        requests = list(requests)
        if not requests:
            return []
        with self._connector.connected() as client, ThreadPoolExecutor(WORKERS) as workers:
            answers = [workers.submit(self._ask, client, request) for request in requests]
            try:
                return [answer.result() for answer in answers]
            finally:
                # Where one could not be had, nobody waits for the others.
                workers.shutdown(cancel_futures=True)

    def _ask(self, client: httpx.Client, request: Request) -> dict[str, Any]:
        path = self._cache / f"{request.key}.json" if self._cache else None
        if path and (kept := _kept(path)) is not None:
            return kept
        answer = self._persistently(client, request)
        if path:
            write_atomically(path, json.dumps(answer, ensure_ascii=False).encode("utf-8"))
        return answer

    def _persistently(self, client: httpx.Client, request: Request) -> dict[str, Any]:
        pause = FIRST_PAUSE
        for tries_left in reversed(range(TRIES)):
            self._take_turn()
            try:
                return _once(client, request)
            except _PassingError as fault:
                if not tries_left:
                    raise SourceError(
                        f"{request.address} failed {TRIES} times, at last: {fault}. Build again "
                        "later; what was answered so far is kept."
                    ) from fault
                rest = fault.rest
            if rest is None:
                # Jitter, so that those who failed together do not come back together.
                rest, pause = pause * random.uniform(0.5, 1.5), pause * 2
            if rest > LONGEST_REST:
                raise SourceError(
                    f"{request.address} asks for a pause of {spoken(rest)}; build again then. What "
                    "was answered so far is kept."
                )
            self._rest(rest)
        raise AssertionError("the last try returns or raises")

    def _take_turn(self) -> None:
        """Wait for one's turn: `GAP` after the request before, and after a rest for all."""
        while True:
            with self._lock:
                rest = self._next_turn - self._clock()
                if rest <= 0:
                    self._next_turn = self._clock() + GAP
                    return
            self._sleep(rest)

    def _rest(self, seconds: float) -> None:
        with self._lock:
            self._next_turn = max(self._next_turn, self._clock() + seconds)


def _kept(path: Path) -> dict[str, Any] | None:
    """An answer that is there; None if it is not, or is damaged: asking again mends it."""
    try:
        answer = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return answer if isinstance(answer, dict) else None


def _once(client: httpx.Client, request: Request) -> dict[str, Any]:
    asked = {"data" if request.method == "POST" else "params": dict(request.fields)}
    try:
        response = client.request(request.method, request.address, **asked)  # type: ignore[arg-type]
    except httpx.TransportError as error:
        raise _PassingError(f"no whole answer ({error or type(error).__name__})") from error
    rest = retry_after(response.headers)
    if response.status_code in (408, 429) or response.status_code >= 500:
        raise _PassingError(f"status {response.status_code}", rest)
    if response.status_code != 200:
        raise SourceError(
            f"{request.address} refuses to answer ({response.status_code}: "
            f"{' '.join(response.text.split())[:120]}); check the address and EXPARTKG_CONTACT."
        )
    return _content(request, response, rest)


def _content(request: Request, response: httpx.Response, rest: float | None) -> dict[str, Any]:
    try:
        answer = json.loads(response.content)
    except ValueError as error:
        # A query service that runs out of time breaks off in the middle, with status 200.
        raise _PassingError("an answer that breaks off, or is no JSON", rest) from error
    if not isinstance(answer, dict):
        raise SourceError(f"{request.address} answers something else than was asked for.")
    if "error" in answer:
        code, info = answer["error"].get("code", ""), answer["error"].get("info", "")
        if code in {"maxlag", "ratelimited", "readonly", "internal_api_error"}:
            raise _PassingError(f"{code}: {info}", rest)
        raise SourceError(f"{request.address} answers with an error ({code}: {info}).")
    return answer
