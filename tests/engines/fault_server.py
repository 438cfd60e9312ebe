"""A server of our own that speaks the OpenAI protocol, well or badly, on loopback.

Its answers are fixed, so that what an engine makes of them can be checked. `faults` go wrong one
after the other, one a request; when none is left the server does what it should.
"""

from __future__ import annotations

import contextlib
import json
import math
import select
import socket
import struct
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

from expartkg.engines.scripted import pieces
from tests.loopback import running

MODELS = ("Qwen/Qwen3-VL-8B-Instruct", "Qwen/Qwen3-4B-Instruct-2507")
ANSWER = "The Mona Lisa is by Leonardo da Vinci, and it is in the Louvre Museum."
Json = dict[str, Any]
Logprobs = Literal["given", "refused", "ignored"]


@dataclass(frozen=True)
class Request:
    """What a client sent to a path; the names of headers are in lower case."""

    path: str
    headers: Mapping[str, str]
    body: Json

    @property
    def messages(self) -> list[Json]:
        messages: list[Json] = self.body["messages"]
        return messages


@dataclass
class Script:
    """What the server says.

    A prompt with "validates" in its system part is judged, another one answered. `likeliest` are
    the log-probabilities of the first token's alternatives, `judged` is the text of a verdict.
    """

    answer: str = ANSWER
    finish_reason: str | None = "stop"
    seconds_per_word: float = 0.0
    likeliest: Mapping[str, float] = field(
        default_factory=lambda: {"True": math.log(0.6), "False": math.log(0.3), "The": -3.0}
    )
    judged: str = "True"
    logprobs: Logprobs = "given"
    key: str | None = None


class FaultServer:
    """The server while it runs; `url` is its base URL. See `serving`.

    `arrived` is set when a prompt has come in, `left` when a client has gone before its answer
    was complete.
    """

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self.script = Script()
        self.faults: deque[Fault] = deque()
        self.requests: list[Request] = []
        self.arrived = threading.Event()
        self.left = threading.Event()
        self.url = f"http://127.0.0.1:{server.server_address[1]}/v1"

    @property
    def chats(self) -> list[Request]:
        """The requests for an answer or a verdict."""
        return [request for request in self.requests if request.path.endswith("/chat/completions")]

    def expect(self, *faults: Fault) -> None:
        self.faults.extend(faults)

    def stop_on_arrival(self, stop: threading.Event) -> None:
        """Sets `stop` while a client waits for what the server says to it."""

        def wait() -> None:
            if self.arrived.wait(60):
                stop.set()

        threading.Thread(target=wait).start()


@contextlib.contextmanager
def serving(port: int = 0) -> Iterator[FaultServer]:
    """A server of its own on a port, or a free one, until the block ends."""
    http = _Http(("127.0.0.1", port), Handler)
    http.state = FaultServer(http)
    with running(http):
        yield http.state


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    state: FaultServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is what some tests are about; anything else is a mistake here."""
        if isinstance(sys.exception(), ConnectionError):
            self.state.left.set()
        else:
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Http

    @property
    def state(self) -> FaultServer:
        return self.server.state

    def log_message(self, format: str, *args: object) -> None:
        """Tests look at `requests` instead."""

    def do_GET(self) -> None:
        self._remember({})
        if self.path == "/version":
            self.send_json(200, {"version": "1.2.3"})
        elif self.path == "/v1/models":
            self.send_json(200, {"object": "list", "data": [{"id": name} for name in MODELS]})
        else:
            self.send_json(404, {"detail": "Not Found"})

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        request = self._remember(json.loads(self.rfile.read(length)))
        script = self.state.script
        self.state.arrived.set()
        if self.state.faults:
            self.state.faults.popleft()(self)
        elif self.path != "/v1/chat/completions":
            self.send_json(404, {"detail": "Not Found"})
        elif script.key and self.headers.get("Authorization") != f"Bearer {script.key}":
            self.send_json(401, {"error": {"message": f"Incorrect API key: {self._credential()}"}})
        elif request.body["model"] not in MODELS:
            name = request.body["model"]
            self.send_json(404, {"error": {"message": f"The model `{name}` does not exist."}})
        elif "validates" in request.messages[0]["content"]:
            self._judge(request)
        else:
            self.stream(script.answer)

    def stream(self, text: str, finish_reason: str | None = None) -> None:
        """Streams a text word by word, and all that belongs to the end of an answer."""
        self.start_stream()
        script = self.state.script
        words = pieces(text)
        for word in words:
            if self.left_within(script.seconds_per_word):
                return
            self.send_chunk({"choices": [{"index": 0, "delta": {"content": word}}]})
        reason = finish_reason or script.finish_reason
        self.send_chunk({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
        usage = {"prompt_tokens": 9, "completion_tokens": len(words), "total_tokens": 9}
        self.send_chunk({"choices": [], "usage": usage})
        self.send_event("[DONE]")
        self.end_stream()

    def _judge(self, request: Request) -> None:
        script = self.state.script
        wanted = "logprobs" in request.body
        if wanted and script.logprobs == "refused":
            self.send_json(422, {"detail": "Unexpected fields in the request: {'logprobs'}"})
            return
        words = script.judged.split()[: request.body["max_tokens"]]
        choice: Json = {"index": 0, "message": {"role": "assistant", "content": " ".join(words)}}
        if wanted and script.logprobs == "given":
            top = [{"token": word, "logprob": value} for word, value in script.likeliest.items()]
            choice["logprobs"] = {"content": [{**top[0], "top_logprobs": top}]} if top else None
        self.send_json(200, {"choices": [{**choice, "finish_reason": "length"}]})

    def _remember(self, body: Json) -> Request:
        headers = {name.casefold(): value for name, value in self.headers.items()}
        request = Request(self.path, headers, body)
        self.state.requests.append(request)
        return request

    def _credential(self) -> str:
        return (self.headers.get("Authorization") or "").partition(" ")[2]

    def send_json(self, status: int, document: object, **headers: str) -> None:
        self.send_body(status, json.dumps(document), "application/json", **headers)

    def send_body(self, status: int, body: str, kind: str, **headers: str) -> None:
        encoded = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(encoded)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(encoded)

    def start_stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def send_chunk(self, document: Json) -> None:
        self.send_event(json.dumps({"object": "chat.completion.chunk", **document}))

    def send_event(self, data: str) -> None:
        self.send_part(f"data: {data}\n\n".encode())

    def send_part(self, part: bytes) -> None:
        """A part of a stream, whatever is in it."""
        self.wfile.write(b"%x\r\n%b\r\n" % (len(part), part))
        self.wfile.flush()

    def end_stream(self) -> None:
        self.wfile.write(b"0\r\n\r\n")

    def left_within(self, seconds: float) -> bool:
        """Waits, unless the client closes the connection before the time is over."""
        readable, _, _ = select.select([self.connection], [], [], seconds)
        if readable and not self.connection.recv(1, socket.MSG_PEEK):
            self.close_connection = True
            self.state.left.set()
            return True
        return False


Fault = Callable[[Handler], None]


def status(code: int, message: str = "", **headers: str) -> Fault:
    """Refuses the request; `Retry_After="1"` and the like are headers."""
    return lambda handler: handler.send_json(code, {"error": {"message": message}}, **headers)


def page(code: int, text: str) -> Fault:
    """Answers as a web page, or a proxy, would."""
    return lambda handler: handler.send_body(code, text, "text/html")


def redirect(url: str) -> Fault:
    return lambda handler: handler.send_json(307, {}, Location=url)


def silent(seconds: float = 30.0) -> Fault:
    """Takes the request and says nothing."""

    def fault(handler: Handler) -> None:
        if not handler.left_within(seconds):
            handler.close_connection = True

    return fault


def silent_after(words: int, seconds: float = 30.0) -> Fault:
    def fault(handler: Handler) -> None:
        _begin(handler, words)
        silent(seconds)(handler)

    return fault


def reset() -> Fault:
    """Tears the connection down, as a process that was killed would."""
    return _reset


def dies_after(words: int) -> Fault:
    """Streams some words and tears the connection down."""

    def fault(handler: Handler) -> None:
        _begin(handler, words)
        _reset(handler)

    return fault


def ends_after(words: int) -> Fault:
    """Streams some words and ends the stream properly, without saying why."""

    def fault(handler: Handler) -> None:
        _begin(handler, words)
        handler.end_stream()

    return fault


def sends(*events: str, after: int = 1) -> Fault:
    """Streams some words, then events of one's own."""

    def fault(handler: Handler) -> None:
        _begin(handler, after)
        for event in events:
            handler.send_event(event)
        handler.end_stream()

    return fault


def sends_parts(*parts: bytes, ends: bool = True) -> Fault:
    """Streams a word, then bytes of one's own, and ends or dies."""

    def fault(handler: Handler) -> None:
        _begin(handler, 1)
        for part in parts:
            handler.send_part(part)
        handler.end_stream() if ends else _reset(handler)

    return fault


def floods(part: bytes) -> Fault:
    """Streams a part again and again, until the client has gone."""

    def fault(handler: Handler) -> None:
        handler.start_stream()
        while True:
            handler.send_part(part)

    return fault


def never_closes(text: str = ANSWER) -> Fault:
    """Streams a whole answer, and then holds the connection open."""

    def fault(handler: Handler) -> None:
        handler.start_stream()
        handler.send_chunk({"choices": [{"index": 0, "delta": {"content": text}}]})
        handler.send_chunk({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        handler.send_event("[DONE]")
        silent()(handler)

    return fault


def says(document: object) -> Fault:
    """Answers with any JSON."""
    return lambda handler: handler.send_json(200, document)


def _begin(handler: Handler, words: int) -> None:
    handler.start_stream()
    for word in pieces(handler.state.script.answer)[:words]:
        handler.send_chunk({"choices": [{"index": 0, "delta": {"content": word}}]})


def _reset(handler: Handler) -> None:
    time.sleep(0.05)  # what was sent before arrives before
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()
    handler.close_connection = True
