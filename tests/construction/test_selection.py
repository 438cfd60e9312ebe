"""Step 2: which candidates become nodes, and for what reason the others do not."""

from __future__ import annotations

from typing import Any

import pytest

KEPT = {"Q1001": "The Red Boat", "Q1002": "Ada Painter", "Q1003": "Town Museum", "Q1004": "Town"}


def named(result: Any) -> dict[str, str]:
    """The nodes of a graph by id."""
    pairs = [line.split(" label ") for line in result.lines if " label " in line]
    return {qid: label for qid, label in pairs if qid.startswith("Q")}


def reasons(result: Any) -> dict[str, int]:
    counts = result.manifest["stages"]["candidates_dropped"]
    assert isinstance(counts, dict)
    return counts


def mention(tiny: Any, *sentences: str) -> None:
    tiny.paintings[0]["contextual_sentences"] += sentences


def test_titles_that_name_one_item_are_nodes(asked: Any) -> None:
    assert named(asked()) == KEPT


def test_what_is_no_title_is_dropped_and_written_out(tiny: Any, asked: Any) -> None:
    del tiny.vital["Town"]
    result = asked()
    assert "Q1004" not in named(result)
    assert "candidate\tnot the title of an English Wikipedia article\tTown\n" in result.dropped


def test_a_popular_title_in_lower_case_confirms_a_name(tiny: Any, asked: Any) -> None:
    del tiny.vital["Town"]
    tiny.popular.append("town")
    assert "Q1004" in named(asked())


def test_an_article_linked_to_an_item_is_its_name(tiny: Any, asked: Any) -> None:
    tiny.linked = (
        "<urn:m> <http://www.w3.org/2002/07/owl#sameAs> "
        "<http://www.wikidata.org/entity/Q1003>, "
        "<https://en.wikipedia.org/wiki/Museum_of_the_%54own> ."
    )
    mention(tiny, *["The Museum of the Town has it."] * 2)
    result = asked()
    assert named(result)["Q1003"] == "Museum of the Town"
    assert "another name of a node\tTown Museum: Museum of the Town" in result.dropped


@pytest.mark.parametrize("bearer", ["Q1006\tTown\tplace\t0", "Q1006\tTOWN\tplace\t0"])
def test_a_name_that_two_items_share_is_dropped(tiny: Any, asked: Any, bearer: str) -> None:
    tiny.nodes.append(bearer)
    result = asked()
    assert "Q1004" not in named(result)
    assert "several Wikidata items share the name\tTown: Q1004 Q1006" in result.dropped


def test_an_item_that_only_the_list_of_shared_names_has_makes_it_ambiguous(
    tiny: Any, asked: Any
) -> None:
    tiny.shared.append("town\t2\tQ1004|Q9999\ttest")
    assert "Q1004" not in named(asked())


def test_a_title_without_an_item_is_dropped(tiny: Any, asked: Any) -> None:
    tiny.vital["Harbour Bay"] = "Places"
    tiny.vital["Far Away"] = "Places"
    tiny.shared.append("far away\t1\tQ9999\ttest")
    mention(tiny, "From Harbour Bay to Far Away.")
    result = asked()
    assert reasons(result) == {
        "its item is not in the source, or has no usable English label": 1,
        "no Wikidata item of that name": 1,
    }
    assert "Far Away: Q9999" in result.dropped


def test_a_work_is_not_taken_for_the_person_who_has_the_article(tiny: Any, asked: Any) -> None:
    tiny.nodes.append("Q1006\tKing Otto\tartwork\t0")
    tiny.statements.append("Q1006\tP170\tQ1002\ttest")
    tiny.vital["King Otto"] = "People"
    mention(tiny, "King Otto saw it.")
    assert "Q1006" not in named(asked())
    tiny.vital["King Otto"] = "Arts"
    assert "Q1006" in named(asked())


@pytest.mark.parametrize(
    ("rule", "node", "sentence"),
    [
        ("list", "Q527\tSky\tdepicted\t0", "The Sky is blue."),
        ("role", "Q1006\tTronie\tgenre\t0", "It is a Tronie."),
        ("subclass", "Q1006\tBoat Kind\tdepicted\t0", "A Boat Kind."),
        ("noun", "Q1006\tDonkey\tdepicted\t1", "A Donkey."),
        ("noun", "Q1006\tDonkey\tartwork\t0", "A Donkey."),
        ("lower-case", "Q1006\tGnomon\tdepicted\t0", "The Gnomon, a gnomon, is a gnomon."),
        ("lower-case", "Q1006\tgnomon\tdepicted\t0", "The gnomon."),
    ],
)
def test_a_general_concept_is_dropped_unless_its_rule_is_off(
    tiny: Any, asked: Any, rule: str, node: str, sentence: str
) -> None:
    qid, name, *_ = node.split("\t")
    tiny.nodes += [node, "Q1007\tVessel\tdepicted\t0"]
    tiny.statements += [f"Q1001\tP180\t{qid}\ttest", "Q1006\tP279\tQ1007\ttest"]
    if rule != "subclass":
        tiny.statements.pop()
    tiny.nouns = {"1-n": {"members": ["donkey"], "qids": []}}
    tiny.vital[name] = "Arts"
    mention(tiny, sentence)
    dropped = asked()
    assert qid not in named(dropped)
    assert f"general concept\t{name}: {qid}: " in dropped.dropped
    every = {"list", "role", "subclass", "noun", "lower-case"}
    kept = asked(concept_rules=frozenset(every - {rule}))
    assert named(kept)[qid] == name
    assert rule not in kept.manifest["settings"]["concept_rules"]


@pytest.mark.parametrize(
    "node",
    [
        "Q1006\tTitian\tartist\t1",
        "Q1006\tTitian\tmovement\t1",
        "Q1006\tTitian\tcountry\t1",
        "Q1006\tTitian\tplace\t1",
        "Q1150\tTitian\tdepicted\t1",  # on the list of named things
    ],
)
def test_named_things_are_specific_though_they_are_called_like_nouns(
    tiny: Any, asked: Any, node: str
) -> None:
    tiny.nodes.append(node)
    tiny.statements.append(f"Q1001\tP180\t{node.split()[0]}\ttest")
    tiny.vital["Titian"] = "People"
    mention(tiny, "See Titian.")
    assert node.split()[0] in named(asked())
