"""Asking Wikimedia's hosts, as their rules want it: one at a time, slowly, and saying who asks.

Knows HTTP and nothing of files or pictures. Sources:
https://foundation.wikimedia.org/wiki/Policy:Wikimedia_Foundation_User-Agent_Policy,
https://wikitech.wikimedia.org/wiki/Robot_policy, https://www.mediawiki.org/wiki/API:Etiquette
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, TypeVar

import httpx

from expartkg.commons.patience import Patience
from expartkg.errors import CommonsError
from expartkg.web import Connector, retry_after, spoken, user_agent

PAUSES = (0.5, 1.5)
"""Seconds before the second and the third try, which is the last."""

MAX_REDIRECTS = 5
UNREACHABLE = (
    "Wikimedia Commons cannot be reached; "
    "the guide goes on without the picture, or add one of your own."
)

_LATER = "try again later, or add a picture of your own."

T = TypeVar("T")


class PassingError(CommonsError):
    """A fault that may be gone at the next try."""


@dataclass(frozen=True, slots=True)
class _Moved:
    """An answer that says where else to ask."""

    address: str


@dataclass(frozen=True, slots=True)
class Wanted(Generic[T]):
    """What a request is for: media types, bytes at most, and what to make of content and type.

    `read` raises `PassingError` for content that is worth another try.
    """

    kinds: Collection[str]
    max_bytes: int
    read: Callable[[bytes, str], T]


class Web:
    """The hosts that may be asked, and until when each of them wants to be left alone.

    `origins` are all places (scheme, host and port) that a request may go to. A host that sends
    nothing for `silence` seconds counts as not answering. Not for several threads at once.
    """

    def __init__(
        self,
        origins: Collection[str],
        contact: str | None,
        silence: float,
        clock: Callable[[], float],
    ) -> None:
        self._origins = origins
        headers = {
            "User-Agent": user_agent(contact),
            # What arrives is then what is counted: nothing small unpacks into something huge.
            "Accept-Encoding": "identity",
        }
        self._connector = Connector(headers, silence, CommonsError)
        self._silence = silence
        self._clock = clock
        self._rest_until: dict[str, float] = {}

    @contextmanager
    def visit(self, patience: Patience) -> Iterator[Visit]:
        """Connections for one errand."""
        with self._connector.connected() as client:
            yield Visit(client, self, patience)

    def allowed(self, address: str) -> httpx.URL:
        """The address, if it is one that may be asked. Raises `CommonsError`."""
        try:
            url = httpx.URL(address)
        except httpx.InvalidURL as error:
            raise CommonsError(f"Wikimedia Commons points nowhere; {_LATER}") from error
        if origin(url) not in self._origins or url.userinfo:
            raise CommonsError(
                f"Wikimedia Commons points to {url.host or 'nowhere'} ({url.scheme}), which is not "
                "Wikimedia's; nothing was fetched from there. Add a picture of your own."
            )
        return url

    def timeout(self, patience: Patience) -> httpx.Timeout:
        return httpx.Timeout(max(min(self._silence, patience.left), 0.001))

    def rest(self, url: httpx.URL, seconds: float) -> None:
        """The host asked to be left alone for `seconds`."""
        self._rest_until[origin(url)] = self._clock() + seconds

    def take_turn(self, url: httpx.URL, patience: Patience, pause: float = 0.0) -> None:
        """Waits for `pause` seconds, and longer if the host asked for that.

        Raises `CommonsError` at once if it would take longer than there is patience.
        """
        rest = self._rest_until.get(origin(url), -math.inf) - self._clock()
        if rest >= patience.left > 0:
            raise CommonsError(
                "Wikimedia Commons asks for a pause; "
                f"try again in {spoken(rest)}, or add a picture of your own."
            )
        patience.wait(max(rest, pause))


@dataclass(frozen=True, slots=True)
class Visit:
    """One errand on the web."""

    client: httpx.Client
    web: Web
    patience: Patience

    def get(self, address: str, wanted: Wanted[T]) -> T:
        """What is at `address`, redirects followed to allowed places only.

        Raises `CommonsError`.
        """
        url = self.web.allowed(address)
        for _ in range(MAX_REDIRECTS + 1):
            answer = self._persistently(url, wanted)
            if not isinstance(answer, _Moved):
                return answer
            url = self.web.allowed(answer.address)
        raise CommonsError(f"Wikimedia Commons sends the guide round in circles; {_LATER}")

    def _persistently(self, url: httpx.URL, wanted: Wanted[T]) -> T | _Moved:
        self.web.take_turn(url, self.patience)
        for pause in PAUSES:
            try:
                return self._once(url, wanted)
            except PassingError:
                if pause >= self.patience.left:
                    raise
            self.web.take_turn(url, self.patience, pause)
        return self._once(url, wanted)

    def _once(self, url: httpx.URL, wanted: Wanted[T]) -> T | _Moved:
        accept = {"Accept": ", ".join(wanted.kinds)}
        timeout = self.web.timeout(self.patience)
        with (
            _plain_errors(),
            self.client.stream("GET", url, headers=accept, timeout=timeout) as response,
        ):
            if response.next_request is not None:
                return _Moved(str(response.next_request.url))
            self._check_status(response)
            kind = _check_kind(response, wanted.kinds)
            content = self._content(response, wanted.max_bytes)
        return wanted.read(content, kind)

    def _check_status(self, response: httpx.Response) -> None:
        status = response.status_code
        if status == 200:
            return
        if status in (408, 429) or status >= 500:
            seconds = retry_after(response.headers) or 0.0
            self.web.rest(response.url, seconds)
            raise PassingError(_passing(status, seconds))
        raise CommonsError(_refusal(status))

    def _content(self, response: httpx.Response, max_bytes: int) -> bytes:
        announced = response.headers.get("Content-Length", "")
        if announced.isdecimal() and int(announced) > max_bytes:
            raise _too_large(max_bytes)
        content = bytearray()
        for piece in response.iter_raw():
            self.patience.check()
            content += piece
            if len(content) > max_bytes:
                raise _too_large(max_bytes)
        return bytes(content)


def origin(url: httpx.URL) -> str:
    """Scheme, host and port; the port only if it is not the scheme's usual one."""
    return f"{url.scheme}://{url.netloc.decode('ascii')}"


@contextmanager
def _plain_errors() -> Iterator[None]:
    try:
        yield
    except httpx.TimeoutException as error:
        raise PassingError(f"Wikimedia Commons did not answer in time; {_LATER}") from error
    except (httpx.ConnectError, httpx.ProxyError) as error:
        raise CommonsError(UNREACHABLE) from error
    except httpx.TransportError as error:
        raise PassingError(f"The answer of Wikimedia Commons broke off; {_LATER}") from error


def _check_kind(response: httpx.Response, kinds: Collection[str]) -> str:
    kind = str(response.headers.get("Content-Type", "")).partition(";")[0].strip().lower()
    if kind not in kinds:
        raise CommonsError(
            f"Wikimedia Commons sent something else than was asked for ({kind[:60] or 'nothing'}); "
            "add a picture of your own."
        )
    return kind


def _passing(status: int, seconds: float) -> str:
    what = "gets too many requests from here"
    if status != 429:
        what = f"has a fault of its own at the moment ({status})"
    when = f"in {spoken(seconds)}" if seconds else "later"
    return f"Wikimedia Commons {what}; try again {when}, or add a picture of your own."


def _refusal(status: int) -> str:
    if status in (404, 410):
        return "The picture is no longer on Wikimedia Commons; add one of your own."
    return f"Wikimedia Commons refuses to give the picture ({status}); add one of your own."


def _too_large(max_bytes: int) -> CommonsError:
    return CommonsError(
        f"What Wikimedia Commons sends is larger than {max_bytes // 2**20} MB; "
        "add a smaller picture of your own."
    )
