"""The two layers around the page, with a page that is not gradio's."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.datastructures import Headers as Fields
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from expartkg.ui import security
from expartkg.ui.guesses import MOST_GUESSES
from expartkg.ui.security import FILE, UPLOAD, Gate, Headers, TooManyGuessesError, login

JOIN = "/gradio_api/queue/join"
EVERYWHERE = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
}


@dataclass(frozen=True)
class Response:
    status: int
    headers: Fields
    body: bytes


def ask(
    app: ASGIApp,
    path: str,
    method: str = "GET",
    headers: Mapping[str, str] | None = None,
    body: bytes | Iterable[bytes] = b"",
    app_state: SimpleNamespace | None = None,
    client: str = "192.0.2.9",
) -> Response:
    """One request, whose body may come in pieces; its length is that of the whole."""
    pieces = [body] if isinstance(body, bytes) else list(body)
    sent: list[Message] = []
    coming = iter(
        [{"type": "http.request", "body": piece, "more_body": True} for piece in pieces]
        + [{"type": "http.request", "body": b"", "more_body": False}]
    )

    async def receive() -> Message:
        return next(coming, {"type": "http.disconnect"})

    async def send(message: Message) -> None:
        sent.append(message)

    length = {"content-length": str(sum(map(len, pieces)))} if method == "POST" else {}
    raw = [(name.encode(), value.encode()) for name, value in {**length, **(headers or {})}.items()]
    scope = {
        "type": "http", "path": path, "method": method, "headers": raw, "client": (client, 1),
        "app": app_state or SimpleNamespace(auth=None),
    }  # fmt: skip
    asyncio.run(app(scope, receive, send))  # type: ignore[arg-type]
    start, *rest = sent
    text = b"".join(message.get("body", b"") for message in rest)
    return Response(start["status"], Fields(raw=start["headers"]), text)


def answering(
    *pieces: bytes, type: str = "text/plain", status: int = 200, seen: list[bytes] | None = None
) -> ASGIApp:
    """An app that answers with these pieces; what it read of the request goes into `seen`."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        while seen is not None:
            message = await receive()
            if message["type"] == "http.disconnect":
                break
            seen.append(message["body"])
        headers = [(b"content-type", type.encode())]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        for piece in pieces:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    return app


def policy(response: Response) -> dict[str, str]:
    """The content security policy, by directive."""
    directives = response.headers["content-security-policy"].split("; ")
    return {name: value for name, _, value in (d.partition(" ") for d in directives)}


def sha256(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


class TestHeaders:
    @pytest.mark.parametrize("status", [200, 404, 500])
    @pytest.mark.parametrize("type", ["text/html; charset=utf-8", "application/json"])
    def test_every_response_has_them(self, status: int, type: str) -> None:
        response = ask(Headers(answering(b"<p>hello", type=type, status=status)), "/")
        assert (response.status, response.body) == (status, b"<p>hello")
        assert {name: response.headers[name] for name in EVERYWHERE} == EVERYWHERE
        assert response.headers["content-type"] == type
        assert "geolocation=()" in response.headers["permissions-policy"]
        assert policy(response)["default-src"] == "'self'"

    def test_nothing_comes_from_outside_and_only_spaces_may_frame_the_page(self) -> None:
        rules = policy(ask(Headers(answering(b"")), "/"))
        assert rules["frame-ancestors"] == "'self' https://huggingface.co https://*.hf.space"
        assert rules["object-src"] == "'none'"
        for name in ("script-src", "img-src", "connect-src", "base-uri", "form-action"):
            assert "http" not in rules[name]
            assert "*" not in rules[name]
        assert "unsafe-inline" not in rules["script-src"]

    def test_the_inline_scripts_of_a_page_are_allowed_and_no_other_ones(self) -> None:
        """A page may come in pieces, which end anywhere."""
        page = (
            '<script>one = "<b>"</script><SCRIPT data-x>\n two </SCRIPT >'
            '<script type="module" src="/three.js"></script><img onerror="four">'
        )
        pieces = [page[:11].encode(), page[11:].encode()]
        response = ask(Headers(answering(*pieces, type="text/html")), "/")
        assert response.body == page.encode()
        hashes = [word for word in policy(response)["script-src"].split() if "sha256" in word]
        assert hashes == [sha256('one = "<b>"'), sha256("\n two ")]

    def test_a_page_without_scripts_allows_none(self) -> None:
        response = ask(Headers(answering(b"<p>", type="text/html")), "/")
        assert policy(response)["script-src"] == "'self' 'unsafe-eval'"

    @pytest.mark.parametrize("type", ["image/png", "text/html", "image/svg+xml"])
    def test_an_uploaded_file_may_do_nothing(self, type: str) -> None:
        page = b"<script>alert(1)</script>"
        response = ask(Headers(answering(page, type=type)), FILE + "/tmp/a/evil.svg")
        assert response.body == page
        assert policy(response) == {
            "default-src": "'none'", "sandbox": "", "frame-ancestors": "'none'",
        }  # fmt: skip
        assert response.headers["x-content-type-options"] == "nosniff"

    def test_a_stream_is_not_held_up(self) -> None:
        sent: list[Message] = []

        async def send(message: Message) -> None:
            sent.append(message)

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            headers = [(b"content-type", b"text/event-stream")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            assert len(sent) == 1
            await send({"type": "http.response.body", "body": b"data: 1", "more_body": True})
            assert sent[1]["body"] == b"data: 1"

        asyncio.run(Headers(app)({"type": "http", "path": "/", "headers": []}, _nothing, send))
        assert len(sent) == 2

    def test_what_is_no_request_passes(self) -> None:
        """Such as the notice that the server starts."""
        seen: list[Scope] = []

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            seen.append(scope)

        lifespan: Scope = {"type": "lifespan"}
        asyncio.run(Headers(Gate(app, Path()))(lifespan, _nothing, _nowhere))
        assert seen == [lifespan]


async def _nothing() -> Message:
    raise AssertionError("nothing is to be read")


async def _nowhere(message: Message) -> None:
    raise AssertionError("nothing is to be sent")


@pytest.fixture
def uploads(tmp_path: Path) -> Path:
    folder = tmp_path / "uploads"
    (folder / "abc").mkdir(parents=True)
    (folder / "abc" / "picture.png").write_bytes(b"x")
    return folder


@pytest.fixture
def gate(uploads: Path) -> Gate:
    return Gate(answering(b"let in"), uploads)


def joining(**document: Any) -> dict[str, Any]:
    return {"method": "POST", "body": json.dumps(document).encode()}


class TestRoutes:
    @pytest.mark.parametrize(
        "path",
        [
            "/", "/ja", "/config", "/theme.css", "/logout", "/manifest.json", "/favicon.ico",
            "/assets/index-1.js", "/static/fonts/A/A-Bold.woff2", "/gradio_api/startup-events",
            "/gradio_api/info", "/gradio_api/file=/tmp/a/b.png", "/gradio_api/heartbeat/abc",
            "/gradio_api/queue/data", "/gradio_api/call/explain/123", "/gradio_api/upload_progress",
        ],
    )  # fmt: skip
    def test_what_the_page_uses_is_let_in(self, gate: Gate, path: str) -> None:
        assert ask(gate, path).body == b"let in"

    @pytest.mark.parametrize(
        "path",
        [
            "/gradio_api/proxy=https://x.hf.space/", "/gradio_api/file=http://outside.test/a.png",
            "/gradio_api/file=HTTPS://outside.test/a.png", "/gradio_api/file/http://outside.test",
            "/gradio_api/deep_link", "/gradio_api/dev/reload", "/gradio_api/vibe-edit",
            "/gradio_api/process_recording", "/gradio_api/token", "/gradio_api/runs",
            "/gradio_api/run-history/records", "/gradio_api/custom_component/a/client/b/c",
            "/gradio_api/stream/a/b/c/playlist.m3u8", "/monitoring", "/monitoring/summary",
            "/openapi.json", "/docs", "//config", "/config/../monitoring", "",
        ],
    )  # fmt: skip
    def test_what_it_does_not_use_is_not_there(self, gate: Gate, path: str) -> None:
        response = ask(gate, path)
        assert (response.status, response.headers["content-type"]) == (
            404,
            "text/plain; charset=utf-8",
        )

    def test_a_refusal_has_the_headers_too(self, gate: Gate) -> None:
        assert policy(ask(Headers(gate), "/monitoring"))["default-src"] == "'self'"


class TestOtherWebsites:
    @pytest.mark.parametrize("site", ["cross-site", "same-site"])
    def test_they_can_link_to_the_page_and_nothing_else(self, gate: Gate, site: str) -> None:
        link = {"sec-fetch-site": site, "sec-fetch-mode": "navigate"}
        assert ask(gate, "/", headers=link).status == 200
        assert ask(gate, "/login", "POST", link).status == 403
        script = {"sec-fetch-site": site, "sec-fetch-mode": "cors"}
        assert ask(gate, "/config", headers=script).status == 403
        assert ask(gate, JOIN, headers=script, **joining()).status == 403

    @pytest.mark.parametrize("site", ["same-origin", "none"])
    def test_the_page_itself_can(self, gate: Gate, site: str) -> None:
        own = {"sec-fetch-site": site, "sec-fetch-mode": "cors"}
        assert ask(gate, JOIN, headers=own, **joining()).status == 200

    def test_programs_that_are_no_browsers_can(self, gate: Gate) -> None:
        assert ask(gate, JOIN, **joining()).status == 200

    def test_by_http_the_name_of_the_website_counts(self, gate: Gate) -> None:
        """Browsers say it, and not more, of a page without https on another machine."""
        hosts = {"host": "10.0.0.5:7860"}
        for origin, status in (
            ("http://10.0.0.5:7860", 200),
            ("http://10.0.0.5", 403),
            ("https://evil.test", 403),
            ("null", 403),
        ):
            headers = {**hosts, "origin": origin}
            assert ask(gate, JOIN, headers=headers, **joining()).status == status
        proxied = {"host": "127.0.0.1:7860", "x-forwarded-host": "museum.test"}
        own = {**proxied, "origin": "https://museum.test"}
        assert ask(gate, JOIN, headers=own, **joining()).status == 200


class TestCookies:
    """A login gets two cookies, of which one is for connections without https."""

    SECURE, UNSECURE = (
        b"access-token-abc=t; HttpOnly; SameSite=none; Secure",
        b"access-token-unsecure-abc=t; HttpOnly; SameSite=lax",
    )

    @pytest.mark.parametrize(
        ("headers", "given"),
        [
            ({}, [SECURE, UNSECURE]),
            ({"x-forwarded-proto": "http"}, [SECURE, UNSECURE]),
            ({"x-forwarded-proto": "https"}, [SECURE]),
            ({"x-forwarded-proto": "https, http"}, [SECURE]),
        ],
    )
    def test_by_https_there_is_none_for_http(
        self, headers: dict[str, str], given: list[bytes]
    ) -> None:
        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            fields = [(b"set-cookie", cookie) for cookie in (self.SECURE, self.UNSECURE)]
            await send({"type": "http.response.start", "status": 200, "headers": fields})
            await send({"type": "http.response.body", "body": b""})

        response = ask(Headers(app), "/login", "POST", headers)
        assert [cookie.encode() for cookie in response.headers.getlist("set-cookie")] == given


class TestBodies:
    def test_they_arrive_unchanged(self, uploads: Path) -> None:
        seen: list[bytes] = []
        gate = Gate(answering(seen=seen), uploads)
        assert ask(gate, JOIN, "POST", body=[b'{"data"', b": [1, 2", b"]}"]).status == 200
        assert b"".join(seen) == b'{"data": [1, 2]}'

    def test_an_upload_that_is_no_file_is_refused(self, uploads: Path) -> None:
        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            raise TypeError("File is not an instance of GradioUploadFile")

        assert ask(Gate(app, uploads), UPLOAD, "POST", body=b"x").status == 400
        with pytest.raises(TypeError):
            ask(Gate(app, uploads), JOIN, **joining())

    def test_an_answer_to_a_call_that_nobody_knows_ends(self, uploads: Path) -> None:
        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            raise RuntimeError("the response has started") from cause

        cause: Exception = HTTPException(404)
        assert ask(Gate(app, uploads), "/gradio_api/call/explain/x").body.startswith(b"event: err")
        cause = ValueError()
        with pytest.raises(RuntimeError):
            ask(Gate(app, uploads), "/gradio_api/call/explain/x")

    def test_an_upload_is_not_read_beforehand(self, uploads: Path) -> None:
        seen: list[bytes] = []
        gate = Gate(answering(seen=seen), uploads)
        assert ask(gate, UPLOAD, "POST", body=[b"one", b"two"]).status == 200
        assert seen == [b"one", b"two", b""]

    @pytest.mark.parametrize("path", [JOIN, UPLOAD, "/login"])
    @pytest.mark.parametrize("length", ["", "many", "-1", "1e3"])
    def test_their_length_has_to_be_known(self, gate: Gate, path: str, length: str) -> None:
        assert ask(gate, path, "POST", {"content-length": length}).status == 411

    @pytest.mark.parametrize("path", [JOIN, UPLOAD, "/login", "/sparql"])
    def test_one_in_pieces_may_be_longer_than_it_says(self, gate: Gate, path: str) -> None:
        chunked = {"transfer-encoding": "chunked"}
        assert ask(gate, path, "POST", chunked, b"{}").status == 411

    @pytest.mark.parametrize("path", ["/sparql", "/ja/sparql"])
    def test_a_query_need_not_be_json(self, gate: Gate, path: str) -> None:
        assert ask(gate, path, "POST", body=b"query=ASK+{}").status == 200

    def test_they_are_limited(self, gate: Gate) -> None:
        def status(path: str, length: int) -> int:
            return ask(gate, path, "POST", {"content-length": str(length)}, b"{}").status

        for path, most in ((JOIN, 2**20), ("/login", 2**20), (UPLOAD, 41 * 2**20)):
            assert status(path, most) == 200
            assert status(path, most + 1) == 413

    @pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[" * 100_000, b'{"path": "\\u0000"}'])
    def test_they_have_to_be_json(self, gate: Gate, body: bytes) -> None:
        assert ask(gate, JOIN, "POST", body=body).status == 400

    def test_one_that_breaks_off_is_refused(self, gate: Gate) -> None:
        async def broken_off() -> Message:
            return {"type": "http.disconnect"}

        sent: list[Message] = []

        async def send(message: Message) -> None:
            sent.append(message)

        scope = {
            "type": "http", "path": JOIN, "method": "POST", "headers": [(b"content-length", b"9")],
        }  # fmt: skip
        asyncio.run(gate(scope, broken_off, send))
        assert sent[0]["status"] == 400


class TestFiles:
    """gradio takes a path from the visitor and opens it, or even downloads it."""

    def test_an_upload_can_be_used(self, gate: Gate, uploads: Path) -> None:
        picture = {"path": str(uploads / "abc" / "picture.png"), "url": "http://127.0.0.1/x"}
        assert ask(gate, JOIN, **joining(data=[picture, None, "text"])).status == 200

    @pytest.mark.parametrize(
        "path",
        [
            "/etc/passwd",
            "app.py",
            "",
            "{uploads}/../secret.png",
            "{uploads}/abc/../../secret.png",
            "{uploads}/link.png",
            "{uploads}-of-others/picture.png",
            "http://127.0.0.1:9/a.png",
            "https://outside.test/a.png",
            "HTTP://outside.test/a.png",
            "file:///etc/passwd",
            "data:image/png;base64,AAAA",
        ],
    )
    def test_nothing_else_can(self, gate: Gate, uploads: Path, path: str) -> None:
        (uploads.parent / "secret.png").write_bytes(b"secret")
        (uploads / "link.png").symlink_to(uploads.parent / "secret.png")
        picture = {"path": path.format(uploads=uploads)}
        for data in ([picture], [None, {"value": [picture]}], {"deep": {"path": 1, "x": picture}}):
            assert ask(gate, JOIN, **joining(data=data)).status == 403
            assert ask(gate, "/gradio_api/run/predict", **joining(data=data)).status == 403
            assert ask(gate, "/gradio_api/run/sparql", **joining(data=data)).status == 403
            assert ask(gate, "/gradio_api/component_server", **joining(data=data)).status == 403


class TestTheDisk:
    def test_uploads_are_refused_while_it_is_full(
        self, gate: Gate, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert ask(gate, UPLOAD, "POST").status == 200
        monkeypatch.setattr(security, "LEAST_FREE_BYTES", 2**80)
        assert ask(gate, UPLOAD, "POST").status == 507
        assert ask(gate, JOIN, **joining()).status == 200

    def test_uploads_that_broke_off_are_removed_after_a_while(
        self, gate: Gate, uploads: Path
    ) -> None:
        now = time.time()
        old, new, whole = uploads / "tmpabc", uploads / "tmpdef", uploads / "abc" / "picture.png"
        for file, age in ((old, 4000), (new, 3000), (whole, 4000)):
            file.write_bytes(b"half a picture")
            os.utime(file, (now - age, now - age))
        ask(gate, UPLOAD, "POST")
        assert [file.exists() for file in (old, new, whole)] == [False, True, True]

    def test_the_folder_need_not_be_there_yet(self, tmp_path: Path) -> None:
        gate = Gate(answering(b"let in"), tmp_path / "not" / "yet")
        assert ask(gate, UPLOAD, "POST").body == b"let in"


@pytest.mark.parametrize(
    ("name", "password", "right"),
    [
        ("anna", "a secret", True),
        ("ben", "秘密", True),
        ("anna", "秘密", False),
        ("anna", "", False),
        ("anna", "a secret ", False),
        ("Anna", "a secret", False),
        ("carl", "", False),
        ("", "", False),
    ],
)
def test_who_is_let_in(name: str, password: str, right: bool) -> None:
    assert login({"anna": "a secret", "ben": "秘密"})(name, password) is right


class TestGuessing:
    def test_after_a_few_wrong_passwords_the_right_one_is_not_taken_either(self) -> None:
        is_right = login({"anna": "a secret"})
        assert is_right("anna", "a secret")
        for guess in range(MOST_GUESSES):
            assert not is_right("anna", f"guess {guess}")
        with pytest.raises(TooManyGuessesError, match=r"Too many wrong passwords; try again in"):
            is_right("anna", "a secret")

    def test_programs_are_told_so(self, uploads: Path) -> None:
        """Each address for itself, as long as it is about other names."""
        app = SimpleNamespace(auth=login({"anna": "a secret"}), cookie_id="x", tokens={})
        gate = Gate(answering(b"let in"), uploads)

        def status(client: str, name: str, password: str) -> int:
            credentials = base64.b64encode(f"{name}:{password}".encode()).decode()
            headers = {"authorization": f"Basic {credentials}"}
            return ask(gate, "/graph", headers=headers, app_state=app, client=client).status

        for guess in range(MOST_GUESSES):
            assert status("192.0.2.1", f"name {guess}", "x") == 401
        assert status("192.0.2.1", "anna", "a secret") == 429
        assert status("192.0.2.2", "anna", "a secret") == 200
