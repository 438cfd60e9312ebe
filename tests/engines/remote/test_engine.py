"""The remote engine as a whole: what it says of itself, and a run from the command line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from expartkg.cli import main
from expartkg.engines import load_engine
from expartkg.engines.remote import remote_engine
from expartkg.loop import explain
from expartkg.records import Artwork, Run
from expartkg.retrieval.retriever import Retriever
from expartkg.retrieval.store import Graph
from expartkg.settings import Settings
from tests.engines.fault_server import ANSWER, MODELS, FaultServer, dies_after, serving, status

KEY = "sk-secret-0123456789"
RunOf = Callable[..., Run]


@pytest.fixture
def command(
    server: FaultServer,
    graph_file: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Callable[..., tuple[int, Any, str]]:
    """`explain --engine remote --json` with our server: exit code, document, stderr."""
    monkeypatch.setenv("EXPARTKG_REMOTE_URL", server.url)
    monkeypatch.setenv("EXPARTKG_REMOTE_KEY", KEY)
    monkeypatch.setenv("EXPARTKG_KG", graph_file)

    def run(*options: str) -> tuple[int, Any, str]:
        code = main(["explain", "--engine", "remote", "--json", *options])
        out, err = capsys.readouterr()
        assert KEY not in out + err
        return code, json.loads(out), err

    return run


def test_says_which_models_on_which_servers(server: FaultServer) -> None:
    with serving() as other:
        engine = remote_engine(
            Settings(
                remote_url=server.url.replace("//", "//me:secret@"),
                remote_key=KEY,
                validator_url=other.url,
            )
        )
    host, other_host = (found.url[len("http://") : -len("/v1")] for found in (server, other))
    assert engine.description == {
        "explainer": MODELS[0],
        "validator": MODELS[1],
        "sees_pictures": True,
        "image_tokens": 1280,
        "max_new_tokens": 1024,
        "servers": {
            "explainer": {"host": host, "version": "1.2.3", "models": list(MODELS)},
            "validator": {"host": other_host, "version": "1.2.3", "models": list(MODELS)},
        },
    }
    assert KEY not in repr(engine)


def test_one_server_is_asked_once(server: FaultServer) -> None:
    remote_engine(Settings(remote_url=server.url))
    assert [request.path for request in server.requests] == ["/version", "/v1/models"]


def test_starts_before_its_server_does() -> None:
    with serving() as gone:
        settings = Settings(engine="remote", remote_url=gone.url)
    about = load_engine(settings).description["servers"]
    assert isinstance(about, dict)
    assert about["explainer"]["version"] is None
    assert about["explainer"]["models"] == []


def test_a_run_from_the_command_line(
    command: Callable[..., tuple[int, Any, str]],
    server: FaultServer,
    check_run: Callable[[object], None],
    tmp_path: Path,
) -> None:
    photo = tmp_path / "photo.png"
    Image.new("RGB", (300, 200), "olive").save(photo)
    server.script.likeliest = {"True": -2.0, "False": -1.0}
    code, run, _ = command("--title", "mona lisa", "--image", str(photo), "--max-iterations", "2")
    check_run(run)
    assert (code, run["status"], run["answer"]) == (0, "exhausted", ANSWER)
    assert run["engine"]["name"] == "remote"
    for iteration in run["iterations"]:
        assert iteration["answer"]["finish_reason"] == "stop"
        assert iteration["answer"]["tokens"] == len(ANSWER.split())
        assert iteration["verdict"]["method"] == "forced"
        assert iteration["verdict"]["p_true"] == pytest.approx(1 / (1 + 2.718281828))
    # The answer names other entities than the question, and the facts are about those.
    assert run["iterations"][1]["source"] == "answer"
    prompts = [chat.messages[1]["content"] for chat in server.chats if chat.body.get("stream")]
    assert [prompt[0]["type"] for prompt in prompts] == ["image_url", "image_url"]
    assert prompts[0][0] == prompts[1][0]
    assert prompts[0][1] != prompts[1][1]


def test_the_terminal_shows_the_answer_as_it_comes(
    server: FaultServer, graph_file: str, root: Path
) -> None:
    server.script.seconds_per_word = 0.5
    process = subprocess.Popen(
        [sys.executable, "-m", "expartkg", "explain", "--title", "mona lisa"],
        cwd=root,
        env={
            **os.environ,
            "EXPARTKG_ENGINE": "remote",
            "EXPARTKG_REMOTE_URL": server.url,
            "EXPARTKG_KG": graph_file,
            "PYTHONUNBUFFERED": "1",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout
    seen = b""
    while b"The Mona Lisa is" not in seen:
        byte = process.stdout.read(1)
        assert byte, process.communicate()[1]
        seen += byte
    assert ANSWER.encode() not in seen
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert b"stopped after 1 iteration" in out
    assert process.returncode == 1
    assert server.left.wait(20)


def test_a_server_that_dies_leaves_what_it_said(
    command: Callable[..., tuple[int, Any, str]], server: FaultServer
) -> None:
    server.expect(dies_after(3))
    code, run, err = command("--title", "mona lisa")
    assert (code, run["status"], run["answer"]) == (1, "failed", "The Mona Lisa")
    assert run["iterations"][0]["answer"]["finish_reason"] == "failed"
    assert "broke off" in run["error"]
    assert err.splitlines()[-1] == f"expartkg: {run['error']}"


def test_a_server_that_comes_back_answers_the_next_run(graph: Graph, run_of: RunOf) -> None:
    """One engine, as the page has it: nothing has to be started again but the server."""
    with serving() as server:
        port = int(server.url.rpartition(":")[2].partition("/")[0])
        engine = remote_engine(Settings(engine="remote", remote_url=server.url))
        server.expect(dies_after(3))

        def run() -> Run:
            settings = Settings(max_iterations=1)
            retriever, artwork = Retriever(graph), Artwork(title="Mona Lisa")
            return run_of(explain(artwork, retriever=retriever, engine=engine, settings=settings))

        cut = run()
    gone = run()
    with serving(port):
        back = run()
    assert [cut.status, gone.status, back.status] == ["failed", "failed", "accepted"]
    assert cut.answer == "The Mona Lisa"
    assert "broke off" in str(cut.error)
    assert "No server listens" in str(gone.error)
    assert back.answer == ANSWER


def test_a_refused_key_is_told_without_the_key(
    command: Callable[..., tuple[int, Any, str]], server: FaultServer
) -> None:
    server.expect(status(401, f"Incorrect API key: {KEY}"))
    code, run, _ = command("--title", "mona lisa")
    assert (code, run["status"]) == (1, "failed")
    assert "EXPARTKG_REMOTE_KEY" in run["error"]


def test_no_server_is_set(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "--engine", "remote", "--title", "x", "--json"]) == 1
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "set EXPARTKG_REMOTE_URL" in err


def test_a_time_limit_is_kept_while_a_server_is_slow(
    server: FaultServer, settings: Settings, graph: Graph, run_of: RunOf
) -> None:
    server.script.seconds_per_word = 0.5
    settings = settings.replace(time_limit=2.0)
    run = run_of(
        explain(
            Artwork(title="Mona Lisa"),
            retriever=Retriever(graph),
            engine=load_engine(settings),
            settings=settings,
        )
    )
    assert run.status == "stopped"
    assert "time limit of 2 seconds" in (run.error or "")
    assert server.left.wait(20)
