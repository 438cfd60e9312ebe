"""A Run as JSON and Markdown, and back."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from expartkg.engines.scripted import scripted_engine
from expartkg.errors import EngineError, ExpArtError, NotBuiltError, RunFormatError, UsageError
from expartkg.loop import explain
from expartkg.records import Artwork, Run
from expartkg.retrieval.retriever import Retriever
from expartkg.retrieval.store import Graph
from expartkg.runs import export_run, run_from_json, run_to_json, run_to_markdown, to_text
from expartkg.settings import Settings

MakeGraph = Callable[..., Graph]
LABELS = {
    "Q1": 'A <b>"bold"</b> | title',
    "Q2": "Painter* [1]",
    "Q3": "# Museum\u202e",
    "Q4": "Twin",
    "Q5": "Twin",
}
EDGES = [("Q1", "P170", "Q2"), ("Q1", "P195", "Q3"), ("Q4", "P170", "Q2"), ("Q1", "P1", "Q1")]


@pytest.fixture
def make_run(
    make_graph: MakeGraph, run_of: Callable[[Iterable[object]], Run]
) -> Callable[..., Run]:
    retriever = Retriever(make_graph(EDGES, LABELS, {"Q1": "Artwork"}))

    def make(
        answers: Iterable[str | Exception] = ("By Painter* [1]. Twin.", "Again Twin.\n\n# x"),
        p_true: Iterable[float] = (0.25, 0.9),
        artwork: Artwork | None = None,
        **settings: object,
    ) -> Run:
        return run_of(
            explain(
                artwork or Artwork(id="Q1"),
                retriever=retriever,
                engine=scripted_engine(list(answers), list(p_true)),
                settings=Settings().replace(**settings),
            )
        )

    return make


VARIETIES: dict[str, dict[str, object]] = {
    "accepted": {},
    "pid-qid": {"ranking": "pid-qid"},
    "exhausted": {"max_iterations": 1},
    "baseline": {"method": "baseline"},
    "loop": {"method": "loop", "p_true": (0.2, 0.3)},
    "failed": {"answers": ("One.", EngineError("gone"))},
    "no title": {"artwork": Artwork()},
    "unknown": {"artwork": Artwork(title="No such work")},
    "surrogate": {"answers": ("\ud800 Twin \x00",), "p_true": (0.9,)},
    "stopped": {"time_limit": 1e-9},
}


@pytest.mark.parametrize("variety", sorted(VARIETIES))
def test_every_run_is_of_the_schema_and_comes_back(
    make_run: Callable[..., Run], check_run: Callable[[object], None], variety: str
) -> None:
    run = make_run(**VARIETIES[variety])
    document = json.loads(to_text(run_to_json(run)))
    check_run(document)
    again = run_from_json(document)
    assert run_to_json(again) == run_to_json(run)
    assert [i.facts for i in again.iterations] == [i.facts for i in run.iterations]
    assert [i.mentions for i in again.iterations] == [i.mentions for i in run.iterations]


def test_numbers_are_not_rounded_and_ids_are_short(make_run: Callable[..., Run]) -> None:
    run = make_run(ranking="pid-qid")
    fact = run_to_json(run)["iterations"][0]["facts"][0]
    assert fact["score"] == run.iterations[0].facts[0].score
    assert set(fact["f"]) == set(fact["n_t"]) == {"p", "q"}
    assert (fact["subject"], fact["predicate"], fact["anchor"]) == ("Q1", "P195", "Q1")


def test_candidates_of_a_shared_name_are_told(make_run: Callable[..., Run]) -> None:
    document = run_to_json(make_run())
    twin = document["iterations"][1]["mentions"][-1]
    assert (twin["text"], twin["candidates"]) == ("Twin", ["Q4", "Q5"])
    assert document["entities"]["Q5"]["iri"] == "http://www.wikidata.org/entity/Q5"


@pytest.mark.parametrize(
    "document",
    [None, [], {}, {"schema": 2}, {"schema": 1}, {"schema": 1, "question": 3, "iterations": {}}],
)
def test_what_is_no_run(document: object) -> None:
    with pytest.raises(RunFormatError):
        run_from_json(document)


def test_a_damaged_run_is_told(make_run: Callable[..., Run]) -> None:
    document = run_to_json(make_run())
    del document["entities"]["Q2"]
    with pytest.raises(RunFormatError, match="damaged"):
        run_from_json(document)


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
    document = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert run_to_json(run_from_json(document)) == run_to_json(run)
    assert (tmp_path / "run.MD").read_text(encoding="utf-8") == run_to_markdown(run)
    assert sorted(os.listdir(tmp_path)) == ["graph.nt", "run.MD", "run.json"]


def test_exports_that_cannot_be(make_run: Callable[..., Run], tmp_path: Path) -> None:
    run = make_run()
    with pytest.raises(UsageError, match="ending in"):
        export_run(run, tmp_path / "run.pdf")
    with pytest.raises(NotBuiltError):
        export_run(run, tmp_path / "run.html")
    with pytest.raises(ExpArtError, match="cannot be written"):
        export_run(run, tmp_path / "graph.nt" / "run.json")
