"""A Run as JSON, and back."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from expartkg.errors import EngineError, RunFormatError
from expartkg.records import Artwork, PictureSource, Run
from expartkg.runs import MOST_BYTES, read_run, run_from_json, run_to_json, to_text

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
    "picture": {
        "artwork": Artwork(
            id="Q1",
            picture=PictureSource(
                "commons", "A.jpg", "https://c.test/A.jpg", "<A>", "CC", "https://l.test"
            ),
        )
    },
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
    assert again.support == run.support


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


def test_support_tells_facts_and_entities_by_their_ids(make_run: Callable[..., Run]) -> None:
    run = make_run(answers=('A <b>"bold"</b> | title is by Painter* [1]. It smiles.',))
    first, second = run_to_json(run)["support"]
    assert first["status"] == "supported"
    assert first["facts"] == [{"subject": "Q1", "predicate": "P170", "object": "Q2"}]
    start, end = first["entities"][1]["start"], first["entities"][1]["end"]
    assert (run.answer[start:end], first["entities"][1]["id"]) == ("Painter* [1]", "Q2")
    assert (second["status"], second["facts"], second["dates"]) == ("unsupported", [], [])
    assert run.answer[second["start"] : second["end"]] == "It smiles."


def test_a_run_from_before_there_was_support_and_time_still_loads(
    make_run: Callable[..., Run],
) -> None:
    document = run_to_json(make_run())
    del document["support"]
    for iteration in document["iterations"]:
        del iteration["retrieval_seconds"], iteration["verdict_seconds"]
    old = run_from_json(document)
    assert old.support == ()
    assert old.iterations[0].verdict_seconds is None


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


def test_a_run_of_before_pictures_had_sources_is_read(make_run: Callable[..., Run]) -> None:
    document = run_to_json(make_run())
    del document["picture"]
    assert run_from_json(document).artwork.picture is None


Damage = Callable[[dict[str, Any]], object]
DAMAGES: dict[str, Damage] = {
    "a label is no text": lambda run: run["entities"]["Q1"].update(label=["<b>"]),
    "a score is no number": lambda run: run["iterations"][0]["facts"][0].update(score="1"),
    "a score is beyond all floats": lambda run: run["iterations"][0]["facts"][0].update(
        score=10**400
    ),
    "a number is true": lambda run: run["iterations"][0].update(number=True),
    "another status": lambda run: run.update(status="great"),
    "another verdict": lambda run: run["iterations"][0]["verdict"].update(method="magic"),
    "no engine": lambda run: run["engine"].update(name=None),
    "a notice that is no text": lambda run: run["engine"].update(notice={"a": 1}),
    "no graph": lambda run: run["signature"].update(graph=[]),
    "another method": lambda run: run["settings"].update(method="guess"),
    "a setting is missing": lambda run: run["settings"].pop("top_k"),
    "a script as an address": lambda run: run.update(
        picture={"origin": "commons", "page": "javascript:alert(1)"}
    ),
    "iterations are no list": lambda run: run.update(iterations={"a": 1}),
    "an error is no text": lambda run: run.update(error=["x"]),
}


@pytest.mark.parametrize("damage", sorted(DAMAGES))
def test_what_does_not_have_the_types_of_a_run_is_refused(
    make_run: Callable[..., Run], damage: str
) -> None:
    document = run_to_json(make_run())
    DAMAGES[damage](document)
    with pytest.raises(RunFormatError, match="damaged"):
        read_run(to_text(document).encode())


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b"<html>", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b'{"schema": NaN}', "not JSON"),
        (b'{"schema": 1e999}', "not JSON"),
        (b'{"schema": 2}', "schema 1"),
        (b" " * (MOST_BYTES + 1), "larger than the 10 MB"),
    ],
)
def test_files_that_are_no_runs_say_so(content: bytes, said: str) -> None:
    with pytest.raises(RunFormatError, match=said):
        read_run(content)
