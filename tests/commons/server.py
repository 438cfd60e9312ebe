"""A server on this machine that plays Wikimedia Commons: its API, its pictures, and its faults.

Answers have the shape of the real ones (https://www.mediawiki.org/wiki/API:Imageinfo), and the
rules are Wikimedia's: who does not say who asks is refused (403), and so are thumbnails at any
width but those of `WIDTHS` (429). One server plays all of Wikimedia's hosts.
"""

from __future__ import annotations

import functools
import io
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal
from urllib.parse import parse_qs, quote, unquote, urlsplit

from PIL import Image

from expartkg.commons import WIDTHS
from tests.loopback import running

Part = Literal["api", "picture"]
Fault = Callable[["_Handler"], None]

DESCRIPTIVE = re.compile(r"[\w.-]+/[\w.]+ \([^()]+\) [\w.-]+/[\w.]+")
SHOWN_BY_BROWSERS = ("image/jpeg", "image/png", "image/gif", "image/webp")
FORMATS = {"image/jpeg": "JPEG", "image/png": "PNG", "image/gif": "GIF", "image/webp": "WEBP"}
ENDLESS = 64 * 2**20

MONA_LISA: dict[str, object] = {
    "Artist": {
        "value": '<div class="fn value">\n<bdi><a href="https://en.wikipedia.org/wiki/en:Leonardo"'
        ' class="extiw">Leonardo da Vinci</a></bdi></div>',
        "source": "commons-desc-page",
    },
    "LicenseShortName": {"value": "Public domain", "source": "commons-desc-page", "hidden": ""},
}


@dataclass
class Upload:
    """A file as Commons has it."""

    name: str
    width: int = 3000
    height: int = 2000
    mime: str = "image/jpeg"
    size: int = 4_000_000
    metadata: object = field(default_factory=lambda: dict(MONA_LISA))
    info: dict[str, object] = field(default_factory=dict)
    """Entries of `imageinfo` that differ from the usual ones."""


@dataclass(frozen=True)
class Request:
    part: Part
    path: str
    headers: dict[str, str]

    @property
    def query(self) -> dict[str, str]:
        return {key: values[0] for key, values in parse_qs(urlsplit(self.path).query).items()}


class FakeCommons:
    """Serves `uploads`; `redirects` are files that were renamed. `fail` orders faults."""

    def __init__(self) -> None:
        self.uploads: dict[str, Upload] = {}
        self.redirects: dict[str, str] = {}
        self.requests: list[Request] = []
        self.released = threading.Event()
        self.sent = 0
        """Bytes of the last endless body."""
        self.held_for = 0.0
        """Seconds before a request is answered: so long can others be seen beside it."""
        self.most_at_once = 0
        self._at_once = 0
        self._faults: dict[Part, list[Fault]] = {"api": [], "picture": []}
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.commons = self
        self.origin = f"http://127.0.0.1:{self._server.server_address[1]}"
        self.api = f"{self.origin}/w/api.php"
        self._running = running(self._server)

    def __enter__(self) -> FakeCommons:
        self._running.__enter__()
        return self

    def __exit__(self, *raised: Any) -> None:
        self.released.set()
        self._running.__exit__(*raised)

    def add(self, upload: Upload) -> Upload:
        self.uploads[upload.name] = upload
        return upload

    def fail(self, part: Part, *faults: Fault) -> None:
        """The next requests of this part end in these faults, one each."""
        self._faults[part] += faults

    def asked(self, part: Part) -> int:
        return sum(request.part == part for request in self.requests)

    @contextmanager
    def serving(self, request: Request) -> Iterator[Fault | None]:
        with self._lock:
            self.requests.append(request)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            faults = self._faults[request.part]
            fault = faults.pop(0) if faults else None
        time.sleep(self.held_for)
        # Before it is answered: then the next one may come at once.
        with self._lock:
            self._at_once -= 1
        yield fault

    def original(self, upload: Upload) -> str:
        return f"{self.origin}/wikipedia/commons/e/ec/{quote(upload.name.replace(' ', '_'))}"

    def thumbnail(self, upload: Upload, asked: int) -> tuple[str, int]:
        """The address of the picture for a width, and that picture's own width.

        As MediaWiki has it: bitmaps are never enlarged, and what browsers cannot show is drawn.
        """
        is_bitmap = upload.mime != "image/svg+xml"
        if is_bitmap and asked >= upload.width and upload.mime in SHOWN_BY_BROWSERS:
            return f"{self.original(upload)}?utm_content=thumbnail_unscaled", upload.width
        width = min(asked, upload.width) if is_bitmap else asked
        folder = self.original(upload).replace("/commons/", "/commons/thumb/")
        last = folder.rpartition("/")[2]
        drawn = {
            "image/tiff": f"lossy-page1-{width}px-{last}.jpg",
            "image/svg+xml": f"{width}px-{last}.png",
        }.get(upload.mime, f"{width}px-{last}")
        return f"{folder}/{drawn}?utm_source=commons.wikimedia.org&utm_content=thumbnail", width

    def listing(self, title: str, width: int) -> dict[str, object]:
        """The API's answer."""
        upload = self.uploads.get(title.removeprefix("File:"))
        if upload is None:
            page: dict[str, object] = {"ns": 6, "title": title, "missing": True}
            return {"batchcomplete": True, "query": {"pages": [page]}}
        address, _ = self.thumbnail(upload, width)
        info: dict[str, object] = {
            "size": upload.size,
            "width": upload.width,
            "height": upload.height,
            "thumburl": address,
            "thumbwidth": width,
            "thumbheight": max(width * upload.height // upload.width, 1),
            "url": f"{self.original(upload)}?utm_content=original",
            "descriptionurl": f"https://commons.wikimedia.org/wiki/File:{quote(upload.name)}",
            "extmetadata": upload.metadata,
        }
        info = {key: value for key, value in (info | upload.info).items() if value is not None}
        page = {"pageid": 1, "ns": 6, "title": title, "imagerepository": "local"}
        page["imageinfo"] = [info]
        return {"batchcomplete": True, "query": {"pages": [page]}}


@functools.cache
def drawing(width: int, height: int, mime: str = "image/jpeg") -> bytes:
    """A picture of this size."""
    file = io.BytesIO()
    Image.new("RGB", (width, height), (120, 40, 60)).save(file, FORMATS[mime])
    return file.getvalue()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    commons: FakeCommons

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients hang up in the middle here; that is what is tested."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        is_api = urlsplit(self.path).path == "/w/api.php"
        request = Request("api" if is_api else "picture", self.path, dict(self.headers.items()))
        with self.server.commons.serving(request) as fault:
            if fault is not None:
                fault(self)
            elif not DESCRIPTIVE.fullmatch(self.headers.get("User-Agent", "")):
                self.answer(403, "text/plain", b"Please set a user-agent.")
            elif is_api:
                self._answer_query(request.query)
            else:
                self._answer_picture(unquote(urlsplit(self.path).path))

    def answer(
        self, status: int, kind: str, body: bytes, headers: dict[str, str] | None = None
    ) -> None:
        self.send_response(status)
        for name, value in ({"Content-Type": kind} | (headers or {})).items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _answer_query(self, query: dict[str, str]) -> None:
        assert query["formatversion"] == "2"
        assert query["action"] == "query"
        assert query["prop"] == "imageinfo"
        title = query["titles"]
        if query.get("redirects"):
            title = self.server.commons.redirects.get(title, title)
        listing = self.server.commons.listing(title, int(query["iiurlwidth"]))
        self.answer(200, "application/json; charset=utf-8", json.dumps(listing).encode())

    def _answer_picture(self, path: str) -> None:
        uploads = self.server.commons.uploads.values()
        upload = next((u for u in uploads if f"/{u.name.replace(' ', '_')}" in path), None)
        if upload is None:
            return self.answer(404, "text/html", b"<h1>File not found</h1>")
        width = upload.width
        if "/thumb/" in path:
            found = re.search(r"/(?:lossy-page1-)?(\d+)px-[^/]*$", path)
            width = int(found[1]) if found else 0
            if width not in WIDTHS:
                return self.answer(429, "text/plain", b"Use thumbnail steps.")
        mime = "image/png" if path.endswith(".png") else "image/jpeg"
        height = max(width * upload.height // upload.width, 1)
        return self.answer(200, mime, drawing(width, height, mime))


def status(code: int, **headers: str) -> Fault:
    """An answer of nothing but a status; in headers, `Retry_After` stands for `Retry-After`."""
    return lambda handler: handler.answer(code, "text/html", b"<h1>Error</h1>", headers)


def body(kind: str, content: bytes, **headers: str) -> Fault:
    return lambda handler: handler.answer(200, kind, content, headers)


def cut_short(handler: _Handler) -> None:
    """Announces a picture and hangs up in the middle of it."""
    content = drawing(960, 640)
    handler.send_response(200)
    handler.send_header("Content-Type", "image/jpeg")
    handler.send_header("Content-Length", str(len(content)))
    handler.end_headers()
    handler.wfile.write(content[: len(content) // 2])


def cut_unseen(handler: _Handler) -> None:
    """Half a picture whose length was not announced: nothing in the answer shows the cut."""
    content = drawing(960, 640)
    _begin_picture(handler)
    handler.wfile.write(content[: len(content) // 2])


def endless(handler: _Handler) -> None:
    _begin_picture(handler)
    commons, piece = handler.server.commons, bytes(2**16)
    commons.sent = 0
    while commons.sent < ENDLESS:
        handler.wfile.write(piece)
        commons.sent += len(piece)


def announced_too_large(handler: _Handler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "image/jpeg")
    handler.send_header("Content-Length", str(ENDLESS))
    handler.end_headers()


def dripping(handler: _Handler) -> None:
    """A byte now and then, for ever."""
    _begin_picture(handler)
    while not handler.server.commons.released.is_set():
        handler.wfile.write(b"\0")
        handler.wfile.flush()
        time.sleep(0.01)


def silent(handler: _Handler) -> None:
    """Takes the request and says nothing until the server is released."""
    handler.server.commons.released.wait(5)


def moved(address: str, code: int = 302) -> Fault:
    return status(code, Location=address)


def _begin_picture(handler: _Handler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "image/jpeg")
    handler.end_headers()
