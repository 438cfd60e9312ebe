"""A dump as a source: it gives the graph that the live Wikidata gives, and damage is said."""

from __future__ import annotations

import gzip
import hashlib
import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from expartkg.cli import main
from expartkg.construction import BuildOptions, build_from_extract, build_from_questions
from expartkg.construction.questions import Passage, QuestionSet
from expartkg.construction.sources.dump import file as dump_file
from expartkg.construction.sources.dump.file import DumpFile
from expartkg.construction.sources.dump.source import Dump, read_dump
from expartkg.construction.sources.knowledge import Named
from expartkg.construction.sources.records import Statement, Work
from expartkg.construction.sources.service import Service
from expartkg.construction.sources.wikidata import Wikidata
from expartkg.construction.steps import Steps
from expartkg.errors import SourceError
from tests.construction.sources.dump.writing import as_json, as_triples, write_dump
from tests.construction.sources.wikidata_server import WD, FakeItem, FakeWikidata, serving

DATE = {"time": "+1872-00-00T00:00:00Z", "precision": 9}
QUESTIONS = QuestionSet(
    (
        Passage("1", "title", "The Red Boat"),
        Passage("1", "reference", "Painted by Ada Painter, it hangs in the Town Museum in Town."),
        Passage("1", "reference", "It shows a Lugger, as at Café Bach. Nobody knows more."),
    ),
    (),
)
FORMATS = ["dump.json", "dump.json.gz", "dump.json.bz2", "dump.nt", "dump.nt.gz", "dump.nt.bz2"]
ENGLISH = "English Wikipedia"
ABOUT = f"<https://en.wikipedia.org/wiki/{{}}> <http://schema.org/about> <{WD}{{}}> .\n"


@pytest.fixture
def items() -> dict[str, FakeItem]:
    """A picture, its painter, its museum and a town, a kind of boat, and others of their names."""
    return {
        "Q9": FakeItem("Somebody", "Somebody"),
        "Q1004": FakeItem("Town", "Town", {"P625": [{"latitude": 1}], "P47": ["Q1003"]}),
        "Q1001": FakeItem(
            "The Red Boat",
            "The Red Boat",
            {
                "P31": ["Q3305213"],
                "P170": ["Q1002"],
                "P195": ["Q1003"],
                "P99999": ["Q1004"],
                "P571": [DATE],
                "P18": ["A boat's side.jpg"],
                "P217": ["INV 7"],
            },
        ),
        "Q1002": FakeItem("Ada Painter", "Ada Painter", {"P31": ["Q5"], "P106": ["Q1028181"]}),
        "Q1003": FakeItem("Town Museum", "Town Museum", {"P31": ["Q33506"], "P131": ["Q1004"]}),
        "Q1005": FakeItem("Lugger", "Lugger", {"P279": ["Q1006"]}),
        "Q1007": FakeItem('Café "Bach"', "Café Bach", {"P131": ["Q1004"]}),
        "Q1008": FakeItem(None, None, {"P170": ["Q1002"]}),
        "P99999": FakeItem("moored at"),
    }


def prepared(path: Path, *names: str) -> Dump:
    source = Dump(path)
    source.prepare(names, Steps(path.parent / "steps", {}))
    return source


@pytest.mark.parametrize("name", FORMATS)
def test_the_graph_is_that_of_the_live_wikidata(
    items: dict[str, FakeItem], name: str, tmp_path: Path
) -> None:
    path = write_dump(tmp_path / name, items)
    manifest: Any = build_from_questions(QUESTIONS, Dump(path), tmp_path / "out")
    fake = FakeWikidata()
    fake.items = items
    with serving(fake):
        queries, api = f"{fake.address}/sparql", f"{fake.address}/w/api.php"
        live = Wikidata(Service(sleep=lambda _: None), queries=queries, api=api)
        theirs: Any = build_from_questions(QUESTIONS, live, tmp_path / "live")
    graphs = [(tmp_path / out / "graph.nt.gz").read_bytes() for out in ("out", "live")]
    assert graphs[0] == graphs[1]
    assert manifest["stages"] == theirs["stages"]
    assert manifest["stages"]["edges"] == 5
    assert manifest["predicates"]["P99999"]["label"] == "moored at"
    (source,) = manifest["sources"]
    assert source["file"] == name
    assert source["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("name", ["dump.json", "dump.nt"])
def test_what_names_stand_for(items: dict[str, FakeItem], name: str, tmp_path: Path) -> None:
    items["Q2001"] = FakeItem("Irises", "Irises (painting)")
    items["Q2002"] = FakeItem("Iris", "Irises")
    items["Q2003"] = FakeItem("Town", claims={"P31": ["Q4167410"]})  # only tells names apart
    items["Q2004"] = FakeItem("iPhone", "IPhone")
    asked = ["Irises", "Irises (painting)", "Town", "iPhone", "Nobody", "A|B", ""]
    assert prepared(write_dump(tmp_path / name, items), *asked).look_up(asked) == {
        "Irises": Named(("Q2001", "Q2002"), ENGLISH, True),
        "Irises (painting)": Named(("Q2001",), ENGLISH, True),
        "Town": Named(("Q1004",), ENGLISH, True),
        "iPhone": Named(("Q2004",), ENGLISH, True),
    }


@pytest.mark.parametrize("name", ["dump.json", "dump.nt"])
def test_statements_years_and_pictures(
    items: dict[str, FakeItem], name: str, tmp_path: Path
) -> None:
    source = prepared(write_dump(tmp_path / name, items), "The Red Boat", "Ada Painter")
    both = {"Q1001", "Q1002"}
    assert list(source.statements(both)) == [Statement("Q1001", "P170", "Q1002")]
    image = "http://commons.wikimedia.org/wiki/Special:FilePath/A%20boat%27s%20side.jpg"
    assert list(source.works(both)) == [Work("Q1001", (1872,), image)]
    assert source.items({"Q1001", "Q1003"}).keys() == {"Q1001"}
    assert source.property_labels(["P170", "P99999", "P99998"]) == {
        "P170": "creator",
        "P99999": "moored at",
        "P99998": "P99998",
    }


def test_a_label_for_all_languages_stands_for_an_english_one(tmp_path: Path) -> None:
    document = {"type": "item", "id": "Q1", "sitelinks": {"enwiki": {"title": "Ada"}}}
    labels = {"mul": {"value": "Ada"}, "de": {"value": "Adele"}}
    (tmp_path / "a.json").write_text(json.dumps({**document, "labels": labels}) + "\n")
    (item,) = prepared(tmp_path / "a.json", "Ada").items(["Q1"]).values()
    assert item.node.label == "Ada"


def test_lexemes_are_passed_over(items: dict[str, FakeItem], tmp_path: Path) -> None:
    lexeme = b'{"type":"lexeme","id":"L1","lemmas":{}}'
    (tmp_path / "a.json").write_bytes(b"[\n" + lexeme + b",\n" + as_json(items)[2:])
    assert "Town" in prepared(tmp_path / "a.json", "Town").look_up(["Town"])


Spoil = Callable[[bytes, bytes], bytes]
"""Makes a damaged dump of one in JSON and the same in triples."""
SPOILS: dict[str, tuple[Spoil, str]] = {
    "list cut": (lambda listed, _: listed[: len(listed) // 2], r"line \d+: not JSON"),
    "list cut between lines": (lambda listed, _: listed[:-3], "line 10: the list breaks off"),
    "something behind": (lambda listed, _: listed + b"{}\n", "line 12: something stands behind"),
    "broken JSON": (lambda listed, _: listed.replace(b'"Town Museum"', b'"Town'), "line 6: not JS"),
    "no entity": (lambda *_: b"[\n[1],\n]\n", "line 2: JSON, but no entity"),
    "odd labels": (lambda *_: b'{"id":"Q1","labels":{"en":7}}\n', "line 1: Q1 is not as"),
    "a number for a label": (
        lambda *_: b'{"id":"Q1","labels":{"en":{"value":7}}}\n',
        "line 1: Q1 is not as",
    ),
    "no UTF-8": (lambda listed, _: listed.replace(b"Lugger", b"\xff"), "line 7: not JSON"),
    "archive cut": (
        lambda listed, _: gzip.compress(listed)[:-9],
        r"breaks off or is damaged after line \d+ .*download it again",
    ),
    "archive damaged": (lambda listed, _: gzip.compress(listed)[:40] + b"?" * 40, "is damaged"),
    "triples cut": (lambda _, triples: triples[:-30], r"line \d+: not N-Triples"),
    "broken triple": (
        lambda _, triples: triples.replace(b'"Town Museum"@en', rb'"Town \x"@en'),
        r"line \d+: not N-Triples",
    ),
    "triples in Latin-1": (
        lambda _, triples: triples.replace(b"P18> <http:", b"P18> <http:\xe9"),
        r"line \d+: not N-Triples in UTF-8",
    ),
    "article apart": (
        lambda _, triples: triples + ABOUT.format("Somebody", "Q9").encode(),
        r"line \d+: the article of Q9 stands apart",
    ),
    "item in two places": (
        lambda _, triples: triples + triples[triples.index(f"\n<{WD}Q1003>".encode()) :],
        "has Q1003 in two places",
    ),
    "nothing": (lambda *_: b"", "has no entity of Wikidata"),
    "something else": (lambda *_: b"\n\nqid\tlabel\n", "line 3: neither JSON nor N-Triples"),
}


@pytest.mark.parametrize("fault", SPOILS)
def test_damage_is_said_and_nothing_is_kept(
    items: dict[str, FakeItem], fault: str, tmp_path: Path
) -> None:
    spoil, message = SPOILS[fault]
    path = tmp_path / "dump"
    path.write_bytes(spoil(as_json(items), as_triples(items)))
    with pytest.raises(SourceError, match=message):
        prepared(path, "Town", "Town Museum", "Lugger")
    assert not (tmp_path / "steps").exists()


def test_a_line_without_end_is_no_reason_to_fill_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dump_file, "LONGEST_LINE", 100)
    (tmp_path / "a.json").write_bytes(b"[\n" + b"x" * 1000)
    with pytest.raises(SourceError, match="line 2: too long; a dump has an entity a line"):
        prepared(tmp_path / "a.json", "Town")


def test_a_missing_dump_is_said(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"no\.json cannot be read: No such file"):
        Dump(tmp_path / "no.json")


def test_without_articles_there_are_no_titles_but_all_artworks(
    items: dict[str, FakeItem], tmp_path: Path
) -> None:
    path = tmp_path / "dump.nt"
    path.write_bytes(as_triples(items, articles=False))
    with pytest.raises(SourceError, match=r"names no article .*give the JSON dump"):
        prepared(path, "Town")
    assert read_dump(path, tmp_path / "all").works


def counted(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The dumps that are read from now on, one for each time."""
    reads: list[Path] = []
    read = DumpFile.lines

    def lines(file: DumpFile) -> Any:
        reads.append(file.path)
        return read(file)

    monkeypatch.setattr(DumpFile, "lines", lines)
    return reads


def test_it_is_read_once_and_not_again_by_a_build_that_goes_on(
    items: dict[str, FakeItem], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, out = write_dump(tmp_path / "dump.json.gz", items), tmp_path / "out"
    reads = counted(monkeypatch)
    first = build_from_questions(QUESTIONS, Dump(path), out)
    assert reads == [path]
    for name in ("graph.nt.gz", "manifest.json", "steps/3-selection.jsonl"):
        (out / name).unlink()
    assert build_from_questions(QUESTIONS, Dump(path), out) == first
    assert reads == [path]
    other_rules = BuildOptions(concept_rules=frozenset())
    assert build_from_questions(QUESTIONS, Dump(path), out, other_rules) != first
    assert reads == [path]
    del items["Q9"]
    write_dump(path, items)
    build_from_questions(QUESTIONS, Dump(path), out)
    assert reads == [path, path]


def test_stopped_in_the_middle_of_the_dump_it_leaves_nothing_and_starts_again(
    items: dict[str, FakeItem], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, out = write_dump(tmp_path / "dump.json", items), tmp_path / "out"
    read = DumpFile.lines

    def stopped(file: DumpFile) -> Any:
        for number, line in read(file):
            if number == 4:
                raise KeyboardInterrupt
            yield number, line

    with monkeypatch.context() as patch:
        patch.setattr(DumpFile, "lines", stopped)
        with pytest.raises(KeyboardInterrupt):
            build_from_questions(QUESTIONS, Dump(path), out)
    assert [one.name for one in (out / "steps").iterdir()] == ["1-candidates.jsonl"]
    again = build_from_questions(QUESTIONS, Dump(path), out)
    assert again == build_from_questions(QUESTIONS, Dump(path), tmp_path / "whole")


KILLED = """
import os, signal, sys
from pathlib import Path
from expartkg.construction import build_from_questions
from expartkg.construction.sources.dump.source import Dump
from tests.construction.sources.dump.test_source import QUESTIONS
place = sys.argv[3]
count = 0

def kill(event, arguments):
    global count
    if event == "os.rename" and str(arguments[1]).endswith("2-dump.jsonl"):
        if place == "before it is in its place":
            os.kill(os.getpid(), signal.SIGKILL)
        count = 1
    elif count and event == "open":
        os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(kill)
build_from_questions(QUESTIONS, Dump(Path(sys.argv[1])), Path(sys.argv[2]))
"""
"""A build that is killed where the result of the dump is put in its place, or right after that."""


@pytest.mark.parametrize(
    ("place", "left", "read"),
    [
        ("before it is in its place", {"1-candidates.jsonl"}, 1),
        ("when it is", {"1-candidates.jsonl", "2-dump.jsonl"}, 0),
    ],
)
def test_killed_it_leaves_the_whole_dump_or_none_of_it(
    items: dict[str, FakeItem],
    root: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    place: str,
    left: set[str],
    read: int,
) -> None:
    path, out = write_dump(tmp_path / "dump.json.gz", items), tmp_path / "out"
    command = [sys.executable, "-c", KILLED, str(path), str(out), place]
    assert subprocess.run(command, cwd=root, check=False).returncode == -signal.SIGKILL
    assert {one.name for one in (out / "steps").glob("[0-9]*")} == left
    reads = counted(monkeypatch)
    again = build_from_questions(QUESTIONS, Dump(path), out)
    assert reads == [path] * read
    assert not list((out / "steps").glob(".*.part"))
    assert again == build_from_questions(QUESTIONS, Dump(path), tmp_path / "whole")


def test_how_far_it_is_stands_on_stderr(
    items: dict[str, FakeItem],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(dump_file, "BAR_SECONDS", 0)
    prepared(write_dump(tmp_path / "dump.json", items), "Town")
    out, err = capsys.readouterr()
    assert "dump.json: 100%" in err
    assert out == ""


@pytest.mark.parametrize("name", ["dump.json", "dump.nt"])
def test_all_artworks_with_what_they_name(
    items: dict[str, FakeItem], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it stands in the dump; what no artwork names is left out."""
    items["Q1010"] = FakeItem("Ink", claims={"P279": ["Q1011"]})
    items["Q1012"] = FakeItem("Sea", claims={"P279": ["Q1013"]})
    items["Q1014"] = FakeItem("Neptune")
    items["Q1001"].claims |= {"P186": ["Q1010"], "P180": ["Q1012", "Q1014"]}
    path, reads = write_dump(tmp_path / name, items), counted(monkeypatch)
    source = read_dump(path, tmp_path / "steps")
    manifest: Any = build_from_extract(source, tmp_path)
    assert manifest["kinds"] == {
        "Artist": 1, "Artwork": 1, "Concept": 2, "Museum": 1, "Place": 1, "Subject": 1
    }  # fmt: skip
    assert manifest["predicates"]["P99999"]["label"] == "moored at"
    assert manifest["inceptions"] == manifest["images"] == 1
    assert reads == [path, path]
    assert read_dump(path, tmp_path / "steps") == source
    assert reads == [path, path]


def test_a_dump_without_artworks_is_said(tmp_path: Path) -> None:
    path = write_dump(tmp_path / "dump.json", {"Q1": FakeItem("One")})
    with pytest.raises(SourceError, match="has no artwork"):
        read_dump(path, tmp_path / "steps")


def test_from_the_command_line(
    items: dict[str, FakeItem], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dump = write_dump(tmp_path / "dump.json.gz", items)
    questions = tmp_path / "questions.jsonl"
    questions.write_text(json.dumps({"title": "The Red Boat", "artist": "Ada Painter"}) + "\n")
    common = ["--knowledge", f"dump:{dump}", "--json", "--out"]
    assert main(["build", "--questions", str(questions), *common, str(tmp_path / "out")]) == 0
    assert json.loads(capsys.readouterr().out)["entities"] == 2
    assert main(["build", "--questions", "all", *common, str(tmp_path / "all")]) == 0
    assert json.loads(capsys.readouterr().out)["entities"] == 4
