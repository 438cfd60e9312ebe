"""What the page lets in, and what it forbids browsers to do with it.

gradio serves far more than this page needs: it fetches addresses for whoever asks, takes any
file of the server for an upload, and lets every website use a visitor's login. `Gate` turns such
requests away; `Headers` tells the browser what the page may do. Both are plain ASGI middleware,
so that a stream of answers is never held up. Neither knows anything of the guide.

A visitor is known by a name that the browser draws by lot, 11 letters and digits, and that is
shown to nobody. Who knows it can listen to that visitor's run and stop it; who does not, cannot.
The same holds for an upload, whose address has the SHA-256 of its content in it.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import math
import re
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from gradio.utils import get_upload_folder, is_in_or_equal
from starlette.datastructures import Headers as Fields
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from expartkg.pictures import MAX_BYTES
from expartkg.ui.guesses import Guesses

FILE = "/gradio_api/file="
UPLOAD = "/gradio_api/upload"
LOGIN = ("/login", "/login/")
SPARQL = re.compile(r"(/[a-z]{2})?/sparql")
TOOLS = "/gradio_api/mcp"

# The pages of the graph (`ui.browse`), in whatever language, the pictures on them, the tools for
# assistants, and two streams of gradio's. Unlike its other routes they do not ask for the login, so
# that `Gate` does.
BESIDE = re.compile(
    r"""
    (/[a-z]{2})?/(entity/.+ | graph | sparql) | /picture/.+
    | /gradio_api/(mcp/? | heartbeat/[^/]+ | upload_progress)
    """,
    re.VERBOSE | re.DOTALL,
)

# What the page, in whatever language, and gradio's Python client ask for. If a new version of
# gradio needs more, the tests of the page find a 404 in the browser's console.
ROUTES = re.compile(
    r"""
    / | /[a-z]{2}/? | /config/? | /login/? | /logout | /theme\.css
    | /favicon\.ico | /manifest\.json | /robots\.txt | /(assets|static|svelte)/.+
    | /browse/(style\.css|browse\.js)
    | /gradio_api/(
        startup-events | theme\.css | app_id | info/? | openapi\.json
        | queue/(join|data) | (call|call/v2|run|api)/.+ | cancel | reset/? | component_server/?
        | upload | file=(?!(?i:https?):).+
    )
    """,
    re.VERBOSE | re.DOTALL,
)

MOST_UPLOADED_BYTES = 2 * MAX_BYTES + 2**20
"""For one request, however many files it has; a file alone may have `2 * MAX_BYTES`."""
MOST_TOLD_BYTES = 4 * MAX_BYTES // 3 + 2**20
"""For one call of a tool, which may have a picture in it."""
MOST_OTHER_BYTES = 2**20
NOT_OURS = "This is not what the museum guide's page sends."
LEAST_FREE_BYTES = 2**29
"""Uploads are refused when the disk has less left."""
PARTIAL_UPLOADS_SECONDS = 3600

PAGE_POLICY = {
    "default-src": "'self'",
    # The inline scripts of gradio's page are added by their hashes, so that no other one runs.
    # gradio makes the page's own scripts (`js_on_load`) from text, which is a kind of eval.
    "script-src": "'self' 'unsafe-eval'",
    # gradio styles single elements.
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "connect-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
    "frame-ancestors": "'self' https://huggingface.co https://*.hf.space",
}
FILE_POLICY = {"default-src": "'none'", "sandbox": "", "frame-ancestors": "'none'"}

OTHER_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": (
        "camera=(self), clipboard-read=(self), display-capture=(), geolocation=(), "
        "microphone=(), midi=(), payment=(), usb=()"
    ),
    # Browsers ignore it for a page in a frame, such as a Space.
    "Cross-Origin-Opener-Policy": "same-origin",
}

_asking: ContextVar[str] = ContextVar("asking", default="")
"""The address that the request at hand comes from."""

_UNSECURE = b"access-token-unsecure-"
Header = tuple[bytes, bytes]

_INLINE_SCRIPT = re.compile(
    rb"<script(?![^>]*\ssrc\s*=)[^>]*>(.*?)</script", re.DOTALL | re.IGNORECASE
)


def middleware() -> list[Middleware]:
    """For `launch(app_kwargs=…)`: the headers come first, so that refusals have them too."""
    return [Middleware(Headers), Middleware(Gate, uploads=Path(get_upload_folder()))]


class TooManyGuessesError(HTTPException):
    """The status is that of a wrong password, as gradio's page says nothing at any other."""

    def __init__(self, seconds: float) -> None:
        wait = str(math.ceil(seconds))
        super().__init__(
            400, f"Too many wrong passwords; try again in {wait} seconds.", {"Retry-After": wait}
        )


def login(accounts: Mapping[str, str]) -> Callable[[str, str], bool]:
    """What gradio asks whether a name and a password, as typed, are one of the accounts.

    It takes as long for a right answer as for a wrong one, and raises `TooManyGuessesError` after
    several wrong ones.
    """
    guesses = Guesses()

    def is_right(name: str, password: str) -> bool:
        if wait := guesses.wait(_asking.get(), name):
            raise TooManyGuessesError(wait)
        known = accounts.get(name, "")
        # Digests are all of one length, which would otherwise show in the time.
        same = hmac.compare_digest(_digest(password.encode()), _digest(known.encode()))
        if not (same and name in accounts):
            guesses.wrong(_asking.get(), name)
            return False
        return True

    return is_right


class Headers:
    """Adds the security headers to every response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            is_file = scope["path"].startswith(FILE)
            send = _Sender(send, FILE_POLICY if is_file else PAGE_POLICY, _is_https(scope)).send
        await self._app(scope, receive, send)


class _Sender:
    """Sends one response. A page of HTML is sent as a whole, once its scripts are known."""

    def __init__(self, send: Send, policy: dict[str, str], is_https: bool) -> None:
        self._send = send
        self._policy = policy
        self._is_https = is_https
        self._start: Message | None = None
        self._body = bytearray()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = _cookies_mended(message.get("headers", ()), self._is_https)
            if Fields(scope=message).get("content-type", "").startswith("text/html"):
                self._start = message
            else:
                await self._send(_with_headers(message, self._policy))
        elif self._start is None or message["type"] != "http.response.body":
            await self._send(message)
        else:
            self._body += message.get("body", b"")
            if not message.get("more_body"):
                await self._send_page(self._start, bytes(self._body))

    async def _send_page(self, start: Message, body: bytes) -> None:
        hashes = " ".join(_hash(script) for script in _INLINE_SCRIPT.findall(body))
        policy = self._policy
        if "script-src" in policy:
            policy = {**policy, "script-src": f"{policy['script-src']} {hashes}".strip()}
        await self._send(_with_headers(start, policy))
        await self._send({"type": "http.response.body", "body": body})


def _is_https(scope: Scope) -> bool:
    """Whether the visitor's browser came by https, as far as the web server before us says so."""
    told = Fields(scope=scope).get("x-forwarded-proto", "").partition(",")[0].strip()
    return bool(scope.get("scheme") == "https" or told == "https")


def _cookies_mended(headers: Iterable[Header], is_https: bool) -> list[Header]:
    """gradio gives every login two cookies, of which one is for connections without https.

    By https that one is left out, as browsers would send it in the clear, too.
    """
    return [
        (name, value)
        for name, value in headers
        if not (is_https and name.lower() == b"set-cookie" and value.startswith(_UNSECURE))
    ]


def _hash(script: bytes) -> str:
    return f"'sha256-{base64.b64encode(_digest(script)).decode()}'"


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def _with_headers(start: Message, policy: dict[str, str]) -> Message:
    fields = MutableHeaders(scope=start)
    fields["Content-Security-Policy"] = "; ".join(
        f"{name} {value}".strip() for name, value in policy.items()
    )
    fields.update(OTHER_HEADERS)
    return start


class _RefusedError(Exception):
    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class Gate:
    """Answers requests that the page never makes, so that gradio does not have to.

    `uploads` is the folder that gradio keeps uploaded files in.
    """

    def __init__(self, app: ASGIApp, uploads: Path) -> None:
        self._app = app
        self._uploads = uploads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            _asking.set((scope.get("client") or ("",))[0])
            try:
                receive = await self._checked(scope, receive)
            except _RefusedError as refused:
                await PlainTextResponse(str(refused), refused.status)(scope, receive, send)
                return
        try:
            await self._app(scope, receive, send)
        except TypeError:
            if scope.get("path") != UPLOAD:
                raise
            # gradio's word for a field that is no file.
            await PlainTextResponse(NOT_OURS, 400)(scope, receive, send)
        except RuntimeError as error:
            # gradio's word for a call that it does not know, when its answer has begun.
            if not isinstance(error.__cause__, HTTPException):
                raise
            await send({"type": "http.response.body", "body": b"event: error\ndata: null\n\n"})

    async def _checked(self, scope: Scope, receive: Receive) -> Receive:
        """What to read the body from. Raises `_RefusedError`."""
        path, method, fields = scope["path"], scope["method"], Fields(scope=scope)
        if not ROUTES.fullmatch(path) and not BESIDE.fullmatch(path):
            raise _RefusedError(404, "The museum guide has nothing at this address.")
        if _is_foreign(method, fields):
            raise _RefusedError(
                403, "Another website asked for this; open the museum guide itself."
            )
        if BESIDE.fullmatch(path) and not _is_let_in(scope):
            raise _RefusedError(401, "Log in at the museum guide's first page, then come back.")
        if method != "POST":
            return receive
        _check_length(fields, _most_bytes(path))
        if path == UPLOAD:
            self._check_room()
        if path == UPLOAD or path in LOGIN or SPARQL.fullmatch(path):
            return receive
        body = await _read(receive)
        self._check_files(body)
        return _replay(body, receive)

    def _check_room(self) -> None:
        _remove_partial_uploads(self._uploads)
        if shutil.disk_usage(self._uploads).free < LEAST_FREE_BYTES:
            raise _RefusedError(507, "The museum guide's disk is full; try again in an hour.")

    def _check_files(self, body: bytes) -> None:
        """gradio would download an address, and open any file that has no `meta` beside it."""
        try:
            ours = all(self._is_ours(path) for path in _paths(json.loads(body)))
        except (ValueError, OSError, RecursionError):
            raise _RefusedError(400, NOT_OURS) from None
        if not ours:
            raise _RefusedError(403, "This file was not uploaded here; upload it first.")

    def _is_ours(self, path: str) -> bool:
        return "://" not in path and is_in_or_equal(path, self._uploads)


def _is_let_in(scope: Scope) -> bool:
    """Whether nobody need log in, or the visitor has, as gradio itself tests it.

    Programs may give name and password with each request instead (RFC 7617).
    """
    app, fields = scope["app"], Fields(scope=scope)
    if app.auth is None:
        return True
    cookies = cookie_parser(fields.get("cookie", ""))
    names = (f"access-token-{app.cookie_id}", f"access-token-unsecure-{app.cookie_id}")
    return any(cookies.get(name) in app.tokens for name in names) or _has_password(app, fields)


def _has_password(app: Any, fields: Fields) -> bool:
    kind, _, credentials = fields.get("authorization", "").partition(" ")
    try:
        name, colon, password = base64.b64decode(credentials).decode().partition(":")
    except ValueError:
        return False
    if kind.lower() != "basic" or not colon:
        return False
    try:
        return bool(app.auth(name, password))
    except TooManyGuessesError as error:
        raise _RefusedError(429, error.detail) from error


def _is_foreign(method: str, fields: Fields) -> bool:
    """Whether another website makes the visitor's browser ask; a link to the page is welcome.

    Browsers say so over https and to this machine, which is also where a login would be sent.
    Elsewhere they say at least which website sends something.
    """
    site = fields.get("sec-fetch-site")
    if site is None and (origin := fields.get("origin")):
        return origin.partition("://")[2] not in (
            fields.get("host"),
            fields.get("x-forwarded-host"),
        )
    if site not in ("cross-site", "same-site"):
        return False
    return method not in ("GET", "HEAD") or fields.get("sec-fetch-mode") != "navigate"


def _most_bytes(path: str) -> int:
    if path.startswith(TOOLS):
        return MOST_TOLD_BYTES
    return MOST_UPLOADED_BYTES if path == UPLOAD else MOST_OTHER_BYTES


def _check_length(fields: Fields, most: int) -> None:
    length = fields.get("content-length", "")
    # Of a request that has both, the length is not what is read.
    if not length.isdecimal() or "transfer-encoding" in fields:
        raise _RefusedError(411, "Say how long the request is.")
    if int(length) > most:
        raise _RefusedError(
            413, f"This is larger than the {most // 2**20} MB that are taken at once."
        )


def _remove_partial_uploads(folder: Path) -> None:
    """Those of visitors who left while they uploaded, of which gradio keeps no account."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in folder.glob("tmp*"):
        if file.is_file() and time.time() - file.stat().st_mtime > PARTIAL_UPLOADS_SECONDS:
            file.unlink(missing_ok=True)


async def _read(receive: Receive) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise _RefusedError(400, "The request broke off.")
        body += message.get("body", b"")
        if not message.get("more_body"):
            return bytes(body)


def _replay(body: bytes, receive: Receive) -> Receive:
    """What has been read already, then whatever comes."""
    messages: Iterator[Message] = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def replayed() -> Message:
        return next(messages, None) or await receive()

    return replayed


def _paths(document: Any) -> set[str]:
    """Everything in a JSON document that gradio could take for the path of a file."""
    paths: set[str] = set()
    rest = [document]
    while rest:
        item = rest.pop()
        if isinstance(item, dict):
            if isinstance(item.get("path"), str):
                paths.add(item["path"])
            rest.extend(item.values())
        elif isinstance(item, list):
            rest.extend(item)
    return paths
