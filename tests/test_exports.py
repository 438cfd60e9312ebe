"""A Run as Markdown, as HTML and as a file."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest

from expartkg.errors import EngineError, ExpArtError, UsageError
from expartkg.exports import export_run, run_to_html, run_to_markdown
from expartkg.records import Artwork, Run
from expartkg.runs import run_from_json, run_to_json


def test_markdown_shows_labels_as_they_are(make_run: Callable[..., Run]) -> None:
    text = run_to_markdown(make_run())
    assert text.startswith('# A \\<b\\>"bold"\\</b\\> \\| title\n')
    assert "\n# x" not in text
    assert "<b>" not in text.replace("\\<b", "")
    assert "## Iteration 2" in text
    assert "Verdict: True (forced, p = 0.90)" in text


def test_exports(make_run: Callable[..., Run], tmp_path: Path) -> None:
    run = make_run()
    export_run(run, tmp_path / "run.json")
    export_run(run, tmp_path / "run.MD")
    export_run(run, tmp_path / "run.html")
    document = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert run_to_json(run_from_json(document)) == run_to_json(run)
    assert (tmp_path / "run.MD").read_text(encoding="utf-8") == run_to_markdown(run)
    assert (tmp_path / "run.html").read_text(encoding="utf-8") == run_to_html(run)
    assert sorted(os.listdir(tmp_path)) == ["graph.nt", "run.MD", "run.html", "run.json"]


class Page(HTMLParser):
    """What a page says, and the names of its elements and attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.said = ""
        self.names: set[str] = set()
        self.addresses: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names |= {tag, *(name for name, _ in attrs)}
        self.addresses |= {value or "" for name, value in attrs if name in ("href", "src")}

    def handle_data(self, data: str) -> None:
        self.said += data


def test_html_says_everything_and_holds_no_markup_of_others(make_run: Callable[..., Run]) -> None:
    run = make_run()
    page = Page(run_to_html(run))
    for text in (run.answer, run.question.text, "Painter* [1]", "Iteration 2", "True (forced"):
        assert text in page.said
    for iteration in run.iterations:
        assert iteration.prompt.text in page.said
        for fact in iteration.facts:
            assert f"{fact.score:.3f}" in page.said
    assert not page.names & {"b", "script", "img", "src", "onerror", "link"}
    assert page.addresses
    assert all(a.startswith("https://www.wikidata.org/wiki/") for a in page.addresses)


CHECKED = (
    'A <b>"bold"</b> | title is by Painter* [1]. It is held by # Museum\u202e. It smiles. '
    "It is not by Painter* [1]."
)


def test_generated_sentences_and_facts_cannot_be_mistaken_for_each_other(
    make_run: Callable[..., Run],
) -> None:
    run = make_run(answers=(CHECKED,), p_true=(0.9,))
    assert [one.status for one in run.support] == [
        "supported",
        "supported",
        "unsupported",
        "contradicts",
    ]
    text = run_to_markdown(run)
    first = text.splitlines()[2]
    assert [first.count(mark) for mark in "✓○≠"] == [2, 1, 1]
    assert "The text above is generated." in text
    assert "- ≠ “It is not by Painter\\* \\[1\\].”: A" in text
    page = Page(run_to_html(run))
    assert "The text above is generated." in page.said
    html = run_to_html(run)
    assert html.count('class="contradicts"') == 1
    assert html.count("<sup>") == 4


def test_html_has_the_facts_as_a_graph(make_run: Callable[..., Run]) -> None:
    run = make_run()
    page = Page(run_to_html(run))
    assert {"svg", "desc", "figure"} <= page.names
    assert "svg" not in Page(run_to_html(make_run(method="baseline"))).names


@pytest.mark.parametrize(
    "options",
    [
        {"answers": (EngineError("gone <b>"),)},
        {"artwork": Artwork()},
        {"method": "baseline"},
        {"time_limit": 1e-9},
    ],
)
def test_every_run_can_be_taken_away(
    make_run: Callable[..., Run], options: dict[str, object]
) -> None:
    run = make_run(**options)
    assert run.status in run_to_markdown(run)
    assert run.status in Page(run_to_html(run)).said


def test_the_engines_notice_goes_with_the_answer(make_run: Callable[..., Run]) -> None:
    run = make_run()
    notice = str(run.engine["notice"])
    assert notice in run_to_markdown(run)
    assert notice in Page(run_to_html(run)).said


def test_exports_that_cannot_be(make_run: Callable[..., Run], tmp_path: Path) -> None:
    run = make_run()
    with pytest.raises(UsageError, match="ending in"):
        export_run(run, tmp_path / "run.pdf")
    (tmp_path / "folder.md").mkdir()
    with pytest.raises(UsageError, match="is a folder"):
        export_run(run, tmp_path / "folder.md")
    with pytest.raises(ExpArtError, match="cannot be written"):
        export_run(run, tmp_path / "graph.nt" / "run.json")


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ("- item\n+ item", "> \\- item\n> \\+ item"),
        ("1. item\n12) item", "> 1\\. item\n> 12\\) item"),
        ("Title\n===\nTitle\n---", "> Title\n> \\===\n> Title\n> \\---"),
        ("~~~\n~~gone~~", "> \\~\\~\\~\n> \\~\\~gone\\~\\~"),
        ("In 1503.5 - or - so", "> In 1503.5 - or - so"),
        ("\u202eturned", "> turned"),
    ],
)
def test_a_line_of_markdown_begins_nothing(
    make_run: Callable[..., Run], answer: str, shown: str
) -> None:
    text = run_to_markdown(make_run(answers=(answer,), p_true=(0.9,)))
    assert f"{shown}\n\nVerdict" in text


def test_markdown_has_ids_as_they_are(make_run: Callable[..., Run]) -> None:
    document = json.dumps(run_to_json(make_run())).replace('"Q2"', '"[Q2](javascript:x)"')
    assert "(\\[Q2\\](javascript:x))" in run_to_markdown(run_from_json(json.loads(document)))
