"""The rules of the graph `artworks`, one by one, on a snapshot of a few rows."""

from __future__ import annotations

import gzip
import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from expartkg.construction import DEFAULT_NOISE, build_artworks
from expartkg.errors import SourceError


def test_statements_labels_and_kinds_are_there(built: Any, without_concepts: set[str]) -> None:
    assert built().lines == without_concepts | {
        "Q1001 P186 Q1005",
        "Q1005 label Oil paint",
        "Q1005 kind Concept",
        "P186 label made from material",
    }


def test_the_manifest_counts_what_is_there(built: Any) -> None:
    manifest = built().manifest
    assert manifest["entities"] == manifest["labels"] == 5
    assert manifest["statements"] == manifest["properties"] == 4
    assert manifest["kinds"] == {"Artist": 1, "Artwork": 1, "Concept": 1, "Museum": 1, "Place": 1}
    assert manifest["predicates"]["P170"] == {"label": "creator", "statements": 1}
    assert manifest["inceptions"] == 1
    assert manifest["images"] == 0


def test_noise_is_left_out_unless_it_is_asked_for(tiny: Any, built: Any) -> None:
    tiny.nodes.append("Q1006\tNext Town\tplace\t0")
    tiny.statements += ["Q1004\tP47\tQ1006\ttest", "Q1006\tP17\tQ1004\ttest"]
    without = built()
    assert "Q1004 P47 Q1006" not in without.lines
    assert without.manifest["changes"]["statement"] == {"noise property P47": 1}
    kept = built(dropped_properties=DEFAULT_NOISE - {"P47"})
    assert "Q1004 P47 Q1006" in kept.lines
    assert "P47 label shares border with" in kept.lines
    assert kept.manifest["settings"]["kept_noise"] == ["P47"]


def test_an_item_that_only_noise_named_goes_and_a_lone_artwork_stays(tiny: Any, built: Any) -> None:
    tiny.nodes += ["Q1006\tNext Town\tplace\t0", "Q1007\tLone Picture\tartwork\t0"]
    tiny.statements.append("Q1004\tP47\tQ1006\ttest")
    result = built()
    assert not any(line.startswith("Q1006") for line in result.lines)
    assert "Q1007 label Lone Picture" in result.lines
    assert "entity\tno statement left\tQ1006 Next Town" in result.dropped


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("Q1004\tP17\tQ1004\ttest", "self loop"),
        ("Q1001\tP170\tQ1002\tagain", "listed twice"),
        ("Q1001\tP180\tQ999\ttest", "an end is not in the graph"),
        ("Q999\tP180\tQ1001\ttest", "an end is not in the graph"),
        ("Q1001\tP276\tQ1002\ttest", "located at a person"),
    ],
)
def test_a_statement_that_cannot_stand_is_dropped(
    tiny: Any, built: Any, statement: str, reason: str
) -> None:
    before = built().manifest
    tiny.statements.append(statement)
    after = built()
    assert after.manifest["statements"] == before["statements"]
    assert after.manifest["changes"]["statement"] == {reason: 1}
    assert f"statement\t{reason}\t" in after.dropped


def test_nothing_is_said_between_two_general_concepts(tiny: Any, built: Any) -> None:
    tiny.nodes.append("Q1006\tSea\tdepicted\t1")
    tiny.statements += ["Q1001\tP180\tQ1006\ttest", "Q1006\tP186\tQ1005\ttest"]
    result = built()
    assert "Q1001 P180 Q1006" in result.lines
    assert "Q1006 P186 Q1005" not in result.lines


def test_labels_in_another_script_are_mended_or_dropped(tiny: Any, built: Any) -> None:
    tiny.nodes += [
        "Q41554\tنيكولا بوسان\tartist\t0",
        "Q1006\tНеизвестная картина\tartwork\t0",
        "Q1007\tA\u00a0Rose  Garden \tartwork\t0",
    ]
    tiny.statements += ["Q1006\tP170\tQ41554\ttest", "Q1007\tP170\tQ41554\ttest"]
    result = built()
    assert "Q41554 label Nicolas Poussin" in result.lines
    assert "Q1007 label A Rose Garden" in result.lines
    assert not any("Q1006" in line for line in result.lines)
    assert "Q1006 (not in the graph) | P170 | Q41554 Nicolas Poussin" in result.dropped


@pytest.mark.parametrize("label", ["", "Q77", "5", "...", "none", "No label"])
def test_a_label_that_is_none_drops_its_item(tiny: Any, built: Any, label: str) -> None:
    tiny.nodes.append(f"Q1006\t{label}\tdepicted\t0")
    tiny.statements.append("Q1001\tP180\tQ1006\ttest")
    assert not any("Q1006" in line for line in built().lines)


@pytest.mark.parametrize(
    ("role", "label", "flag", "kind"),
    [
        ("depicted", "Saint Nobody", "0", "Subject"),
        ("depicted", "Donkey", "0", "Concept"),  # in lower case in the noun list
        ("depicted", "Zebra", "1", "Concept"),  # flagged
        ("depicted", "Paris", "0", "Subject"),  # a noun, but a proper one
        ("depicted", "Donkey Order", "0", "Subject"),
        ("artwork", "Donkey", "1", "Artwork"),  # a title is specific whatever it says
        ("movement", "Donkey", "1", "Movement"),
        ("museum", "Donkey", "1", "Museum"),
        ("artist", "Donkey", "1", "Artist"),
        ("place", "Donkey", "1", "Place"),
        ("country", "Anyland", "0", "Place"),
        ("person", "A Person", "0", "Person"),
        ("school", "A School", "0", "Subject"),
        ("genre", "Tronie", "0", "Concept"),
        ("material", "Canvas", "0", "Concept"),
        ("occupation", "painter", "0", "Concept"),
    ],
)
def test_kinds(tiny: Any, built: Any, role: str, label: str, flag: str, kind: str) -> None:
    tiny.nouns = {
        "1-n": {"members": ["donkey"], "qids": []},
        "2-n": {"members": ["Paris"], "qids": []},
    }
    tiny.nodes.append(f"Q1006\t{label}\t{role}\t{flag}")
    tiny.statements.append("Q1001\tP180\tQ1006\ttest")
    assert f"Q1006 kind {kind}" in built().lines


def test_what_is_depicted_and_has_a_creator_is_an_artwork(tiny: Any, built: Any) -> None:
    tiny.nodes.append("Q1006\tThe Blue Boat\tdepicted\t0")
    tiny.statements += ["Q1001\tP180\tQ1006\ttest", "Q1006\tP170\tQ1002\ttest"]
    assert "Q1006 kind Artwork" in built().lines


def test_the_kept_lists_decide_before_the_flag(tiny: Any, built: Any) -> None:
    tiny.nodes += ["Q1150\tMercury\tdepicted\t1", "Q527\tSky\tdepicted\t0"]
    tiny.statements += ["Q1001\tP180\tQ1150\ttest", "Q1001\tP180\tQ527\ttest"]
    lines = built().lines
    assert "Q1150 kind Subject" in lines
    assert "Q527 kind Concept" in lines


@pytest.mark.parametrize(
    ("inception", "years", "reason"),
    [
        ("", [], ""),
        ("1872", ["1872"], ""),
        ("697", ["0697"], ""),
        ("1", [], "year 1 is a placeholder"),
        ("1600", [], "a round hundred stands for a century"),
        ("1900", ["1900"], ""),
        ("1858-1900", ["1858"], "a round hundred stands for a century"),
        ("1899-1900", ["1899", "1900"], ""),
        ("1484-1486", ["1484", "1486"], ""),
        ("1504-1600", ["1504"], "a round hundred stands for a century"),
        ("1650-1689", [], "two dates more than 30 years apart"),
    ],
)
def test_years_that_are_no_years_are_left_out(
    tiny: Any, built: Any, inception: str, years: list[str], reason: str
) -> None:
    tiny.works = [f"Q1001\tThe Red Boat\t{inception}\t"]
    result = built()
    found = sorted(line.split()[-1] for line in result.lines if line.startswith("Q1001 P571"))
    assert found == years
    assert result.manifest["changes"].get("inception", {}) == ({reason: 1} if reason else {})


def test_an_image_must_be_the_address_of_a_commons_file(tiny: Any, built: Any) -> None:
    good = "http://commons.wikimedia.org/wiki/Special:FilePath/A%20boat.jpg"
    tiny.nodes += [f"Q100{n}\tBoat {n}\tartwork\t0" for n in (6, 7)]
    tiny.works = [
        f"Q1001\tThe Red Boat\t\t{good}",
        "Q1006\tBoat 6\t\thttp://commons.wikimedia.org/wiki/Special:FilePath/A boat.jpg",
        "Q1007\tBoat 7\t\thttp://example.org/a.jpg",
    ]
    result = built()
    assert [line for line in result.lines if " P18 " in line] == [f"Q1001 P18 <{good}"]
    assert result.manifest["images"] == 1
    assert result.manifest["changes"]["image"] == {"not the address of a Commons file": 2}


def test_a_property_without_a_label_stops_the_build_and_leaves_the_old_files(
    tiny: Any, built: Any
) -> None:
    old = built()
    before = (old.out / "graph.nt.gz").read_bytes()
    tiny.statements.append("Q1001\tP99999\tQ1002\ttest")
    with pytest.raises(SourceError, match=r"P99999 .* add it to .*properties\.tsv"):
        built()
    assert (old.out / "graph.nt.gz").read_bytes() == before


def test_the_same_input_gives_the_same_bytes(tiny: Any, built: Any, tmp_path: Path) -> None:
    first = built()
    kept = shutil.copytree(first.out, tmp_path / "first")
    again = tmp_path / "elsewhere"
    build_artworks(tiny.root, again)
    for name in ("graph.nt.gz", "manifest.json", "dropped.tsv"):
        assert (again / name).read_bytes() == (kept / name).read_bytes()
    assert sorted(path.name for path in again.iterdir()) == [
        "dropped.tsv",
        "graph.nt.gz",
        "manifest.json",
    ]


def test_the_order_of_the_rows_does_not_matter(tiny: Any, built: Any) -> None:
    first = gzip.decompress((built().out / "graph.nt.gz").read_bytes())
    shuffle = random.Random(2).shuffle
    shuffle(tiny.nodes)
    shuffle(tiny.statements)
    assert gzip.decompress((built().out / "graph.nt.gz").read_bytes()) == first


def test_the_file_holds_neither_time_nor_name(built: Any) -> None:
    content = (built().out / "graph.nt.gz").read_bytes()
    assert content[3] == 0  # no file name, no comment
    assert content[4:8] == b"\0\0\0\0"  # no time


def test_the_manifest_returned_is_the_manifest_written(built: Any) -> None:
    result = built()
    written = json.loads((result.out / "manifest.json").read_text(encoding="utf-8"))
    assert written == result.manifest


def test_quotes_and_backslashes_in_labels_are_escaped(tiny: Any, built: Any) -> None:
    tiny.nodes.append('Q1006\tThe "Red" \\ Boat\tartwork\t0')
    content = gzip.decompress((built().out / "graph.nt.gz").read_bytes()).decode("utf-8")
    assert r'"The \"Red\" \\ Boat"@en' in content
