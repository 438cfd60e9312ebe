"""Starting the page: what a person at the terminal sees, and what is left when it ends."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from expartkg.ui.launch import open_to_all, prepare_gradio
from tests.e2e.starting import environment, free_port


def app(root: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "app.py"],
        cwd=root,
        env={**os.environ, "EXPARTKG_ENGINE": "preview", **environment},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"EXPARTKG_KG": "/nowhere.nt"}, "There is no graph /nowhere.nt"),
        ({"EXPARTKG_ENGINE": "magic"}, "engine must be one of"),
        ({"EXPARTKG_LOGIN": "secret"}, "EXPARTKG_LOGIN is not name:password"),
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


def test_a_page_that_is_told_to_end_leaves_no_upload(root: Path, tmp_path: Path) -> None:
    """It is open to all here, and says so."""
    process = subprocess.Popen(
        [sys.executable, "app.py"],
        cwd=root,
        env=environment(free_port(), tmp_path, GRADIO_SERVER_NAME="0.0.0.0"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert "The museum guide is at" in process.stdout.readline()
    (folder,) = tmp_path.iterdir()
    assert folder.stat().st_mode & 0o077 == 0
    (folder / "picture.png").write_bytes(b"a visitor's")
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=60)
    assert process.returncode in (0, 130)  # the latter if it has only just come up
    assert not list(tmp_path.iterdir())
    assert errors.startswith("Anybody who can reach this machine (0.0.0.0) can use the page.")
    assert errors.count("\n") == 1


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "localhost", "::1", "[::1]"])
def test_only_this_machine_reaches_a_loopback_address(host: str) -> None:
    assert open_to_all(host, {}) is None


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "museum.example"])
def test_a_page_that_is_open_to_all_says_how_to_close_it(
    monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.delenv("SPACE_ID", raising=False)
    assert "set EXPARTKG_LOGIN=name:password" in str(open_to_all(host, {}))
    assert open_to_all(host, {"anna": "secret"}) is None
    monkeypatch.setenv("SPACE_ID", "museum/guide")
    assert open_to_all(host, {}) is None


def test_a_proxy_is_not_asked_for_the_page_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "museum.example")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.setenv("GRADIO_ANALYTICS_ENABLED", "True")
    prepare_gradio("192.168.1.5")
    assert os.environ["no_proxy"] == "museum.example,localhost,127.0.0.1,192.168.1.5"
    assert os.environ["NO_PROXY"] == os.environ["no_proxy"]
    assert os.environ["GRADIO_ANALYTICS_ENABLED"] == "False"
