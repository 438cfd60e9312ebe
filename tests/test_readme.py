"""What the README says can be done, can be done."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from expartkg.cli import main

README = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^python -m expartkg (.+)$", README, re.MULTILINE)
NOT_RUN_HERE = ("serve", "build", "score", "evaluate")


@pytest.mark.parametrize("command", [c for c in COMMANDS if not c.startswith(NOT_RUN_HERE)])
def test_commands(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(shlex.split(command)) == 0
    assert capsys.readouterr().out


def test_every_command_of_this_version_is_shown() -> None:
    shown = {command.split(" --")[0].split(' "')[0] for command in COMMANDS}
    assert shown == {
        "explain",
        "link",
        "rank",
        "retrieve",
        "kg info",
        "kg sparql",
        "build",
        "score",
        "evaluate",
        "evaluate retrieval",
        "evaluate linking",
        "evaluate validator",
        "serve",
    }


def test_python_example(root: Path) -> None:
    examples = re.findall(r"^```python\n(.+?)^```", README, re.MULTILINE | re.DOTALL)
    (example,) = [text for text in examples if "explain(" in text]
    result = subprocess.run(
        [sys.executable, "-c", example], cwd=root, capture_output=True, text=True, check=True
    )
    assert result.stdout.startswith("Started(")
    assert "\nFinished(" in result.stdout


def test_pictures_and_links_lead_somewhere(root: Path) -> None:
    links = re.findall(r"\]\(((?!https?:)[^)]+)\)", README)
    assert "assets/screenshot.png" in links
    for link in links:
        assert (root / link).is_file(), link


def test_ci_runs_the_command_that_is_shown(root: Path) -> None:
    assert "    pip install -r tests/requirements.txt && python -m pytest -n 2\n" in README
    assert "pip install -r tests" in (root / ".ci/run").read_text(encoding="utf-8")
