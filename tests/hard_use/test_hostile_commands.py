"""The command line with a graph that means harm."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from expartkg.cli import main
from expartkg.runs import read_run
from tests.hard_use.hostile_graph import FIRST_WORK, PAYLOADS, write_hostile_graph
from tests.hard_use.markup import Page, read
from tests.hard_use.texts import IS_LARGE

OBEYED = frozenset("\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2069")
WORKS = [f"Q{FIRST_WORK + number}" for number in range(len(PAYLOADS))]
SOME = WORKS if IS_LARGE else WORKS[10:13]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("hostile") / "hostile.nt"
    write_hostile_graph(path)
    return str(path)


class Terminal:
    """Runs commands, and sees to it that nothing which they print is an order."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def run(self, *arguments: str) -> str:
        assert main(arguments) == 0, arguments
        out, err = self._capsys.readouterr()
        for character in set(out + err):
            is_control = unicodedata.category(character) == "Cc" and character not in "\n\t"
            assert not is_control, (character, arguments)
            assert character not in OBEYED, (character, arguments)
        return out


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(capsys)


def test_every_command_prints_harmless_text(terminal: Terminal, graph: str, tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    terminal.run("kg", "load", graph, "--store", store)
    for kg in (graph, store):
        assert "35 entities" in terminal.run("kg", "info", "--kg", kg)
        for id in WORKS if IS_LARGE else WORKS[9:15]:
            label = json.loads(terminal.run("rank", "--json", "--kg", kg, "--entity", id))["label"]
            lines = terminal.run("rank", "--kg", kg, "--entity", id).splitlines()
            assert all(line.endswith("]") for line in lines[1:])
            text = f"{label} is by\n{label}"
            terminal.run("link", "--kg", kg, text)
            terminal.run("retrieve", "--kg", kg, text)


def test_a_table_of_results_is_a_row_a_line(terminal: Terminal, graph: str) -> None:
    """One cell of 100,000 characters makes the others no wider."""
    out = terminal.run("kg", "sparql", "--kg", graph, "SELECT * { ?s rdfs:label ?label }")
    assert len(out.splitlines()) == 40
    assert len(out) < 2 * 10**5 + 40 * 400


@pytest.mark.parametrize("id", SOME)
def test_explanations_and_their_files(
    terminal: Terminal, graph: str, tmp_path: Path, id: str
) -> None:
    explain = ["explain", "--kg", graph, "--engine", "preview", "--artwork", id]
    for ending in ("md", "html", "json"):
        out = terminal.run(*explain, "--export", str(tmp_path / f"run.{ending}"))
        assert "after" in out
    read((tmp_path / "run.html").read_text(encoding="utf-8"))
    run = read_run((tmp_path / "run.json").read_bytes())
    for iteration in run.iterations:
        assert iteration.prompt.text.count("\nQuestion: ") == 1
    page = Page(markdown((tmp_path / "run.md").read_text(encoding="utf-8")))
    assert page.links == set()
    assert not page.names & {"script", "img", "a", "svg", "h3", "em", "strong"}


def markdown(text: str) -> str:

    return str(MarkdownIt("commonmark").enable("table").render(text))
