"""Addresses that fill in the form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl

import pytest

from expartkg.records import Artwork, Run
from expartkg.retrieval.retriever import Retriever
from expartkg.settings import Settings
from expartkg.ui.addresses import Filled, entity_address, fill_in, link_to
from expartkg.ui.chooser import Chooser
from tests.conftest import MakeGraph

Fill = Callable[..., Filled | None]


@pytest.fixture
def fill(make_graph: MakeGraph) -> Fill:
    graph = make_graph([("Q1", "P170", "Q2")], {"Q1": "Night", "Q2": "Painter"}, {"Q1": "Artwork"})
    chooser = Chooser(Retriever(graph))
    return lambda **query: fill_in(
        {name.replace("_", "-"): value for name, value in query.items()}, Settings(), chooser
    )


def test_a_link_fills_in_what_the_run_was_made_with(
    make_run: Callable[..., Run], fill: Fill
) -> None:
    changes: dict[str, Any] = {"ranking": "pid-qid", "top_k": 3, "validator_facts": True}
    run = make_run(artwork=Artwork(title='No "such" & work?', artist="Ünknown"), **changes)
    filled = fill_in(
        dict(parse_qsl(link_to(run)[1:])),
        Settings(),
        None,  # type: ignore[arg-type]
    )
    assert filled is not None
    assert (filled.title, filled.artist) == ('No "such" & work?', "Ünknown")
    assert filled.settings == Settings().replace(**changes)
    assert filled.question is None
    assert not filled.wrong


def test_half_a_pair_in_a_title_is_no_reason_to_fail(make_run: Callable[..., Run]) -> None:
    assert link_to(make_run(artwork=Artwork(title="\ud800x"))).startswith("?title=%3Fx&")


def test_a_work_of_the_graph_goes_by_its_id(make_run: Callable[..., Run]) -> None:
    assert link_to(make_run()).startswith("?artwork=Q1&method=validate&ranking=qid&")


def test_an_artwork_fills_in_title_and_artist(fill: Fill) -> None:
    filled = fill(artwork="Q1", title="Another", question=" Why? ")
    assert filled is not None
    assert filled.pick
    assert (filled.pick.id, filled.title, filled.artist) == ("Q1", "Night", "Painter")
    assert filled.question == "Why?"


@pytest.mark.parametrize(
    "wrong",
    [
        {"artwork": "Q99"},
        {"artwork": "<script>"},
        {"ranking": "bm25"},
        {"method": ""},
        {"top_k": "0"},
        {"top_k": "51"},
        {"top_k": "1e1"},
        {"top_k": "٣"},
        {"max_iterations": "99999999999999999999"},
        {"validator_facts": "maybe"},
        {"title": "x" * 301},
        {"question": "x" * 2001},
    ],
)
def test_what_is_wrong_is_said_and_the_rest_is_filled_in(fill: Fill, wrong: dict[str, str]) -> None:
    filled = fill(**wrong, source="both")
    assert filled is not None
    (said,) = filled.wrong
    assert said.startswith(next(iter(wrong)).replace("_", "-") + "=")
    assert len(said) < 70
    assert filled.settings == Settings(source="both")


@pytest.mark.parametrize("query", [{}, {"__theme": "dark"}, {"utm_source": "x"}])
def test_an_address_with_nothing_for_the_form(fill: Fill, query: dict[str, str]) -> None:
    assert fill_in(query, Settings(), None) is None  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("id", "address"),
    [
        ("Q5", "entity/Q5"),
        ("a/b?c#d e", "entity/a%2Fb%3Fc%23d%20e"),
        ("javascript:1", "entity/javascript%3A1"),
        ("\ud800", "entity/%3F"),
    ],
)
def test_an_entity_has_a_page_whatever_its_id(id: str, address: str) -> None:
    assert entity_address(id) == address
