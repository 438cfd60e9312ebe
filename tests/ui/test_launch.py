"""Starting the page: what a person at the terminal sees."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from expartkg.ui.launch import prepare_gradio


def app(root: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "app.py"],
        cwd=root,
        env={**os.environ, "EXPARTKG_ENGINE": "preview", **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"EXPARTKG_KG": "/nowhere.nt"}, "There is no graph /nowhere.nt"),
        ({"EXPARTKG_ENGINE": "magic"}, "engine must be one of"),
        ({"GRADIO_SERVER_PORT": "many"}, "GRADIO_SERVER_PORT must be a number"),
    ],
)
def test_a_page_that_cannot_start_says_why(
    root: Path, environment: dict[str, str], said: str
) -> None:
    done = app(root, **environment)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(said)


def test_a_taken_port_is_one_line(root: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = app(root, GRADIO_SERVER_PORT=port)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert f"cannot be opened at 127.0.0.1:{port}" in done.stderr


def test_a_proxy_is_not_asked_for_the_page_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "museum.example")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.setenv("GRADIO_ANALYTICS_ENABLED", "True")
    prepare_gradio("192.168.1.5")
    assert os.environ["no_proxy"] == "museum.example,localhost,127.0.0.1,192.168.1.5"
    assert os.environ["NO_PROXY"] == os.environ["no_proxy"]
    assert os.environ["GRADIO_ANALYTICS_ENABLED"] == "False"
