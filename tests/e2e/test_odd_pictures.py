"""Odd picture files, brought to the page, to both doors for programs, and to the command line.

By default one in nine; with `EXPARTKG_LARGE=1` all of them.
"""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from expartkg.cli import main
from expartkg.pictures import MAX_BYTES
from expartkg.retrieval.store import Graph
from tests.e2e.program import Form, connected, upload
from tests.e2e.starting import Served
from tests.odd_pictures import CASES, Case, write

Complaint = Callable[[Path], str]
MakeGraph = Callable[..., Graph]
IS_LARGE = os.environ.get("EXPARTKG_LARGE") == "1"
# No browser sends a name of several lines as it is.
SENDABLE = [case for case in CASES if case.name.isprintable()]
UPLOADED = SENDABLE if IS_LARGE else SENDABLE[::9]
BROUGHT_ELSEWHERE = SENDABLE if IS_LARGE else SENDABLE[4::27]
QUESTION = "Explain the Mona Lisa quickly."
JSON_AND_EVENTS = {"Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def client(scripted: Served) -> Iterator[httpx.Client]:
    with connected(scripted) as client:
        yield client


@pytest.fixture(scope="module", autouse=True)
def log_of_others(scripted: Served) -> str:
    """What the page had written before these tests."""
    return scripted.log.read_text()


@pytest.fixture(scope="module")
def complaint(client: httpx.Client) -> Complaint:
    """What the page says of a file; empty if it takes it."""
    form = Form(client)

    def complaint_of(file: Path) -> str:
        joined = form.show("odd", upload(client, file.name, file.read_bytes()))
        if joined.status_code == 200:
            return ""
        assert joined.status_code == 422
        return str(joined.json()["detail"][0]["message"])

    return complaint_of


def check(case: Case, said: str, folder: Path) -> None:
    """`said` is what is wrong with the file; empty if nothing is."""
    if case.refused is None:
        assert not said
    else:
        assert re.search(case.refused, said)
        assert "Traceback" not in said
        assert str(folder) not in said


@pytest.mark.parametrize("case", UPLOADED, ids=lambda case: case.what)
def test_the_page_takes_it_or_says_why_not(
    complaint: Complaint, case: Case, tmp_path: Path
) -> None:
    check(case, complaint(write(case, tmp_path)), tmp_path)


@pytest.mark.parametrize("case", BROUGHT_ELSEWHERE, ids=lambda case: case.what)
class TestElsewhere:
    def test_the_page_explains_it_or_says_why_not(
        self, client: httpx.Client, case: Case, tmp_path: Path
    ) -> None:
        file = write(case, tmp_path)
        path = upload(client, file.name, file.read_bytes())
        picture = {"path": path, "meta": {"_type": "gradio.FileData"}}
        form = Form(client)
        joined = form.join("odd picture", picture=picture, question=QUESTION)
        if joined.status_code == 200:
            assert "was judged True" in form.result("odd picture")
            check(case, "", tmp_path)
        else:
            check(case, joined.text, tmp_path)

    def test_so_does_the_api(self, client: httpx.Client, case: Case, tmp_path: Path) -> None:
        file = write(case, tmp_path)
        path = upload(client, file.name, file.read_bytes())
        picture = {"path": path, "meta": {"_type": "gradio.FileData"}}
        asked = {"data": ["", "", "", picture, QUESTION, "validate", "qid", 1, 1]}
        told = client.post("gradio_api/call/explain", json=asked).json()
        events = client.get(f"gradio_api/call/explain/{told['event_id']}").text
        if '"finished"' in events:
            check(case, "", tmp_path)
        else:
            check(case, str(json.loads(events.partition("data: ")[2])["error"]), tmp_path)

    def test_so_does_the_tool(self, client: httpx.Client, case: Case, tmp_path: Path) -> None:
        content = base64.b64encode(write(case, tmp_path).read_bytes()).decode()
        address = f"data:image/jpeg;base64,{content}"
        asked = {"name": "explain", "arguments": {"question": QUESTION, "picture": address}}
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": asked}
        answer = client.post("gradio_api/mcp", json=call, headers=JSON_AND_EVENTS)
        result = _result(answer)
        size = len(case.make())
        if size == 0 or size > MAX_BYTES:
            assert result["isError"]  # in other words, as it is known before there is a file
        elif result["isError"]:
            check(case, result["content"][0]["text"], tmp_path)
        else:
            check(case, "", tmp_path)

    def test_so_does_the_command_line(
        self,
        case: Case,
        tmp_path: Path,
        make_graph: MakeGraph,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        graph = tmp_path / make_graph(labels={"Q1": "Mona Lisa"}, kinds={"Q1": "Artwork"}).name
        asked = ["--title", "Mona Lisa", "--kg", str(graph), "--engine", "preview"]
        code = main(["explain", *asked, "--image", str(write(case, tmp_path))])
        output = capsys.readouterr()
        assert code == (0 if case.refused is None else 1)
        check(case, "" if code == 0 else output.err, tmp_path)
        assert bool(output.out) == (code == 0)


def _result(answer: httpx.Response) -> dict[str, Any]:
    """The last message of a tool, which is its result."""
    if answer.status_code != 200:
        return {"isError": True, "content": [{"text": answer.text}]}
    data = [line[6:] for line in answer.text.splitlines() if line.startswith("data: ")]
    result: dict[str, Any] = json.loads(data[-1] if data else answer.text)["result"]
    return result


def test_the_next_visitor_is_not_affected(
    complaint: Complaint, client: httpx.Client, portrait: Path, log_of_others: str, scripted: Served
) -> None:
    assert not complaint(portrait)
    form = Form(client)
    form.join("next", question=QUESTION)
    assert "was judged True" in form.result("next")
    assert "Traceback" not in scripted.log.read_text().removeprefix(log_of_others)
