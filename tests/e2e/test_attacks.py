"""Who would have the page read other files than uploads, or ask other servers for them.

Each address below is brought to every place that takes a picture or the name of one. A server that
listens on this machine counts who comes by; what the page asks beyond it, its log tells.
"""

from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.e2e.program import Form, connected, upload
from tests.e2e.starting import Served

IS_LARGE = os.environ.get("EXPARTKG_LARGE") == "1"
SECRET = "a secret of this machine"
FILES = (
    "{secret}", "file://{secret}", "{uploads}/../secret.txt", "{uploads}/a/../../secret.txt",
    "../../../../../../../../../../{secret}", "secret.txt", "..\\secret.txt", "{secret}\0.png",
    "{secret}#.png", "{secret}?a.png", "%2e%2e/secret.txt", "/proc/self/environ",
    "/proc/self/cwd/app.py", "/dev/zero", "~/.ssh/id_rsa", ".", "",
)  # fmt: skip
HOSTS = (
    "127.0.0.1:{port}", "localhost:{port}", "[::1]:{port}", "[::ffff:127.0.0.1]:{port}",
    "[::ffff:7f00:1]:{port}", "2130706433:{port}", "0x7f000001:{port}", "0177.0.0.1:{port}",
    "127.1:{port}", "0:{port}", "0.0.0.0:{port}", "127.0.0.1.:{port}", "①②⑦.0.0.1:{port}",
    "rebind.test:{port}", "me:you@127.0.0.1:{port}", "commons.wikimedia.org@127.0.0.1:{port}",
    "commons.wikimedia.org:{port}", "127.0.0.1:{port}\\@commons.wikimedia.org",
    "169.254.169.254", "[fe80::1]", "10.0.0.1", "192.168.0.1", "172.16.0.1", "[fd00::1]",
    "metadata.google.internal",
)  # fmt: skip
SCHEMES = (
    "http://{}/a.png", "https://{}/a.png", "HTTP://{}/a.png", "//{}/a.png", "ftp://{}/a.png",
    "gopher://{}/_GET", " http://{}/a.png", "http:/{}/a.png", "http:\\\\{}\\a.png",
)  # fmt: skip


@dataclass
class Canary:
    """A server that nobody is to come to."""

    port: int
    visits: list[bytes] = field(default_factory=list)


@pytest.fixture(scope="module")
def canary() -> Iterator[Canary]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        found = Canary(server.getsockname()[1])

        def count() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    found.visits.append(connection.recv(200))

        thread = threading.Thread(target=count)
        thread.start()
        yield found
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


@pytest.fixture(scope="module")
def client(scripted: Served) -> Iterator[httpx.Client]:
    with connected(scripted) as client:
        yield client


@pytest.fixture(scope="module")
def addresses(scripted: Served, canary: Canary) -> list[str]:
    uploads = scripted.log.parent / "uploads"
    secret = scripted.log.with_name("secret.txt")
    secret.write_text(SECRET)
    files = [address.format(secret=secret, uploads=uploads) for address in FILES]
    hosts = [host.format(port=canary.port) for host in HOSTS]
    simple = [SCHEMES[0].format(host) for host in hosts]
    return [*files, *simple, *(scheme.format(hosts[0]) for scheme in SCHEMES[1:])]


@pytest.fixture(scope="module", autouse=True)
def log_of_others(scripted: Served) -> str:
    """What the page had written before these tests."""
    return scripted.log.read_text()


def as_pictures(address: str) -> list[Any]:
    """The shapes in which gradio takes a file."""
    meta = {"_type": "gradio.FileData"}
    return [
        {"path": address},
        {"path": address, "meta": meta},
        {"path": None, "url": address, "meta": meta},
        {"url": address, "orig_name": "a.png", "meta": meta},
    ]


def test_no_picture_is_read_or_fetched_by_its_address(
    client: httpx.Client, addresses: list[str]
) -> None:
    """By default each address in one of the shapes; with `EXPARTKG_LARGE=1` in all of them."""
    form, told = Form(client), []
    for number, address in enumerate(addresses):
        shapes = as_pictures(address)
        for shape in shapes if IS_LARGE else [shapes[number % len(shapes)]]:
            told.append(form.join(f"a{number}", picture=shape).text)
            told.append(form.join(f"b{number}", question=shape).text)
            asked = {"data": ["", "", "", shape, "Explain it quickly.", "validate", "qid", 1, 1]}
            told.append(_api(client, asked))
        asked["data"][3] = address
        told.append(_api(client, asked) if address else "")
        arguments = {"question": "Explain it quickly.", "picture": address}
        told.append(_tool(client, arguments) if address else "")
    assert not any(SECRET in text or "was judged True" in text for text in told)


def test_no_address_leads_out_of_what_is_served(client: httpx.Client, addresses: list[str]) -> None:
    """Wherever a path has a part that visitors choose."""
    places = (
        "gradio_api/file=", "ja/gradio_api/file=", "assets/", "static/", "static/fonts/", "svelte/",
        "entity/", "ja/entity/", "picture/", "gradio_api/call/explain/", "gradio_api/heartbeat/..",
        "browse/", "ja/", "", "?artwork=", "graph?text=", "?title=x&view=", "theme.css/",
    )  # fmt: skip
    with closing(httpx.Client(timeout=60, trust_env=False)) as plain:
        for address in addresses[: len(FILES)]:
            for place in places:
                for path in (address, address.replace("/", "%2f").replace(".", "%2e")):
                    url = f"{client.base_url}{place}{path}".replace("\0", "%00")
                    with plain.stream("GET", url) as answer:
                        content = b"".join(answer.iter_raw()) if "heartbeat" not in url else b""
                    assert SECRET.encode() not in content
                    assert b"HOME=" not in content
                    assert answer.status_code < 500


def test_a_table_names_no_files_but_those_that_come_with_it(
    client: httpx.Client, addresses: list[str]
) -> None:
    config = client.get("config?page=").json()
    many = next(f for f in config["dependencies"] if f["targets"] == [_start_of_many(config)])
    rows = "\n".join(f'Mona Lisa,"{a}"' for a in addresses if a.strip() and a.isprintable())
    table = upload(client, "works.csv", f"title,image\n{rows}\n".encode())
    values = {c["id"]: c["props"].get("value") for c in config["components"]}
    data = [values[id] for id in many["inputs"]]
    data[0] = [{"path": table, "orig_name": "works.csv", "meta": {"_type": "gradio.FileData"}}]
    form = Form(client)
    assert form.send("queue/join", "table", many["id"], data).status_code == 200
    told = form.result("table")
    assert SECRET not in told
    assert "there is no image" in told


def test_a_saved_explanation_names_no_picture_to_be_read(
    client: httpx.Client, addresses: list[str]
) -> None:
    config = client.get("config?page=").json()
    ids = {c["props"].get("elem_id"): c["id"] for c in config["components"]}
    open_ = next(f for f in config["dependencies"] if [ids["open-json"], "upload"] in f["targets"])
    run = json.loads((Path("assets/runs") / "mona-lisa.json").read_text(encoding="utf-8"))
    form = Form(client)
    for number, address in enumerate(addresses):
        run["picture"] = {"source": "commons", "file": address, "page": address}
        run["artwork"] |= {"image": address, "picture": address}
        path = upload(client, "run.json", json.dumps(run).encode())
        file = {"path": path, "orig_name": "run.json", "meta": {"_type": "gradio.FileData"}}
        visitor = f"run{number}"
        assert form.send("queue/join", visitor, open_["id"], [file]).status_code == 200
        assert SECRET not in form.result(visitor)


def _start_of_many(config: dict[str, Any]) -> list[Any]:
    """The button that starts a table: it stands before the status of tables."""
    ids = [c["id"] for c in config["components"] if c["props"].get("elem_id") == "many-status"]
    starts = [
        f["targets"][0] for f in config["dependencies"] if f["outputs"][:1] == ids and f["targets"]
    ]
    return list(starts[0])


def _api(client: httpx.Client, asked: dict[str, Any]) -> str:
    answer = client.post("gradio_api/call/explain", json=asked)
    if answer.status_code != 200:
        return answer.text
    return client.get(f"gradio_api/call/explain/{answer.json()['event_id']}").text


def _tool(client: httpx.Client, arguments: dict[str, Any]) -> str:
    params = {"name": "explain", "arguments": arguments}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    accept = {"Accept": "application/json, text/event-stream"}
    return client.post("gradio_api/mcp", json=call, headers=accept).text


def test_nobody_was_asked_and_nothing_broke(
    scripted: Served, canary: Canary, log_of_others: str
) -> None:
    """Last in this file: by now the server has been asked to."""
    assert canary.visits == []
    log = scripted.log.read_text()
    assert "OUTSIDE" not in log
    assert "Traceback" not in log.removeprefix(log_of_others)
