"""Programs and assistants that use the running guide, each in a process of its own."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.e2e.program import connected
from tests.e2e.starting import ROOT, Served

README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.+?)^```", README, re.MULTILINE | re.DOTALL)
MCP = {"Accept": "application/json, text/event-stream"}
PATIENCE = 90

CLIENT = """
import json
from gradio_client import Client, handle_file
guide = Client("{url}", verbose=False)
def tell(*values):
    print(json.dumps(values), flush=True)
"""
EXPLAIN = """
for event in guide.submit(title="Mona Lisa", question="Explain the {{title}} {how}.",
                          api_name="/explain"):
    tell(event)
"""
TOOLS = """
import asyncio, base64, json
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
def tell(*values):
    print(json.dumps(values), flush=True)
async def progress(step, total, message):
    tell(message)
async def main():
    async with (
        streamable_http_client("{url}gradio_api/mcp") as (read, write, _),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        async def call(name, **asked):
            result = await session.call_tool(name, asked, progress_callback=progress)
            tell(result.isError, result.content[0].text)
        {calls}
asyncio.run(main())
"""


def run(code: str) -> list[Any]:
    """What a program tells, line by line."""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def run_until(code: str, sign: str) -> None:
    """Runs a program until it tells something with `sign` in it, and kills it then."""
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert any(sign in line for line in process.stdout)
        process.kill()


@pytest.mark.parametrize("sign", ["gradio_client", "mcp"])
def test_the_examples_of_the_readme(app: Served, sign: str) -> None:
    (example,) = [text for text in EXAMPLES if f"from {sign} " in text]
    code = example.replace("http://127.0.0.1:7860/", app.url)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    assert ("Kazimir Malevich" if sign == "gradio_client" else "Leonardo da Vinci") in done.stdout


class TestApi:
    def test_an_explanation_is_told_as_it_happens(self, scripted: Served, check_run: Any) -> None:
        told = run(CLIENT.format(url=scripted.url) + EXPLAIN.format(how="at leisure"))
        events = [event for (event,) in told]
        kinds = list(dict.fromkeys(event["event"] for event in events))
        assert [kind for kind in kinds if kind != "waiting"] == [
            "started", "retrieved", "answering", "answered", "judged", "finished",
        ]  # fmt: skip
        texts = [event["text"] for event in events if event["event"] == "answering"]
        assert len(texts) > 3
        assert [event["iteration"] for event in events if event["event"] == "judged"] == [1, 2, 3]
        check_run(events[-1]["run"])
        assert events[-1]["run"]["status"] == "accepted"

    def test_what_is_wrong_is_said(self, scripted: Served, portrait: Path) -> None:
        wrong = """
def fail(**asked):
    try:
        guide.predict(**asked)
    except Exception as error:
        tell(str(error))
fail(entity="Q0", api_name="/facts")
fail(text="x", limit=0, api_name="/search")
fail(text="x", ranking="bm25", api_name="/retrieve")
fail(api_name="/explain")
fail(title="x", max_iterations=11, api_name="/explain")
fail(title="x", picture="/etc/passwd", api_name="/explain")
fail(title="x", picture="https://outside.test/a.png", api_name="/explain")
fail(title="x", picture=handle_file("README.md"), api_name="/explain")
fail(artwork="Q0", api_name="/explain")
"""
        told = [message for (message,) in run(CLIENT.format(url=scripted.url) + wrong)]
        for message, reason in zip(
            told,
            (
                "has no entity Q0",
                "from 1 to 50, not 0",
                "ranking must be one of",
                "Add a picture",
                "from 1 to 10, not 11",
                "Upload the picture first",
                "Upload the picture first",
                "is not a picture",
                "has no entity Q0",
            ),
            strict=True,
        ):
            assert reason in message

    def test_who_goes_away_is_not_waited_for(self, scripted: Served) -> None:
        """An explanation that goes on for minutes is stopped when its program is killed."""
        code = CLIENT.format(url=scripted.url)
        run_until(code + EXPLAIN.format(how="slowly"), "answering")
        assert run(code + EXPLAIN.format(how="quickly"))[-1][0]["event"] == "finished"


class TestTools:
    def test_they_do_the_same(self, scripted: Served, portrait: Path, check_run: Any) -> None:
        calls = f"""
        tell([(tool.name, bool(tool.description)) for tool in (await session.list_tools()).tools])
        await call("search", text="mona liza")
        await call("facts", entity="Q1", top_k=1)
        await call("retrieve", text="The Kiss")
        await call("facts", entity="Q0")
        await call("explain", title="Mona Lisa", picture="http://outside.test/a.png")
        picture = base64.b64encode(open({str(portrait)!r}, "rb").read()).decode()
        await call("explain", title="Mona Lisa", picture="data:image/png;base64," + picture,
                   question="Explain the {{title}} at leisure.")
        """
        tools, search, facts, retrieve, unknown, foreign, *told = run(
            TOOLS.format(url=scripted.url, calls=calls.strip())
        )
        names = [[name, True] for name in ("search", "facts", "retrieve", "explain")]
        assert tools == [names]
        assert json.loads(search[1])["works"][0]["id"] == "Q1"
        assert json.loads(facts[1])["facts"][0]["subject"] == "Q1"
        assert json.loads(retrieve[1])["mentions"][0]["candidates"] == ["Q11", "Q12"]
        assert unknown[0] is True
        assert "has no entity Q0" in unknown[1]
        assert foreign[0] is True
        assert "Upload the picture first" in foreign[1]
        *progress, (is_error, run_) = told
        assert not is_error
        check_run(json.loads(run_))
        news = " ".join(message for (message,) in progress)
        assert "Iteration 2: *Mona Lisa*" in news
        assert "Iteration 3 was judged True." in news

    def test_who_goes_away_is_not_waited_for(self, scripted: Served) -> None:
        def explain(how: str) -> str:
            call = f"""await call("explain", title="Mona Lisa", question="Explain it {how}.")"""
            return TOOLS.format(url=scripted.url, calls=call)

        run_until(explain("slowly"), "word0")
        assert run(explain("quickly"))[-1][0] is False

    @pytest.mark.parametrize("path", ["gradio_api/mcp", "gradio_api/mcp/"])
    def test_other_websites_may_not_use_them(self, scripted: Served, path: str) -> None:
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        evil = {"Origin": "https://evil.test", "Sec-Fetch-Site": "cross-site"}
        with connected(scripted) as client:
            assert client.post(path, json=call, headers=MCP).status_code == 200
            assert client.post(path, json=call, headers=MCP | evil).status_code == 403
            call["params"] = {"picture": {"path": "/etc/passwd"}}  # type: ignore[assignment]
            assert client.post(path, json=call, headers=MCP).status_code == 403


def test_the_server_asked_nobody_outside(scripted: Served) -> None:
    """Last in this file: by now the server has been asked to."""
    assert "OUTSIDE" not in scripted.log.read_text()


def test_nothing_else_is_an_endpoint(scripted: Served) -> None:
    with connected(scripted) as client:
        info: dict[str, Any] = client.get("gradio_api/info").json()
    assert isinstance(client, httpx.Client)
    assert set(info["named_endpoints"]) == {"/explain", "/search", "/facts", "/retrieve"}
    assert not info["unnamed_endpoints"]
