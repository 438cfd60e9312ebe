"""Wikidata live, against a server that plays its answers and faults."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import Literal, NamedNode, Quad

from expartkg.construction import build_from_questions
from expartkg.construction.questions import Passage, QuestionSet
from expartkg.construction.sources.knowledge import Named
from expartkg.construction.sources.records import Statement, Work
from expartkg.construction.sources.service import LONGEST_REST, TRIES, Request, Service
from expartkg.construction.sources.wikidata import Wikidata
from expartkg.errors import SourceError
from tests.construction.sources.wikidata_server import (
    LABEL,
    WD,
    FakeItem,
    FakeWikidata,
    Fault,
    Handler,
    serving,
)

ENGLISH = "English Wikipedia"
DATE = {"time": "+1872-00-00T00:00:00Z", "precision": 9}
CENTURY = {"time": "+1900-00-00T00:00:00Z", "precision": 7}


class FakeTime:
    """A clock that only sleeping moves, for several threads."""

    def __init__(self) -> None:
        self.now = 0.0
        self.rests: list[float] = []
        self._lock = threading.Lock()

    def sleep(self, seconds: float) -> None:
        with self._lock:
            self.now += seconds
            self.rests.append(seconds)

    def clock(self) -> float:
        with self._lock:
            return self.now


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


@pytest.fixture
def fake() -> Iterator[FakeWikidata]:
    """A picture, its painter, its museum, a town and a kind of boat."""
    fake = FakeWikidata()
    fake.items = {
        "Q1001": FakeItem(
            "The Red Boat",
            "The Red Boat",
            {
                "P31": ["Q3305213"],
                "P170": ["Q1002"],
                "P195": ["Q1003"],
                "P571": [DATE, CENTURY],
                "P18": ["A boat.jpg"],
            },
        ),
        "Q1002": FakeItem("Ada Painter", "Ada Painter", {"P31": ["Q5"], "P106": ["Q1028181"]}),
        "Q1003": FakeItem("Town Museum", "Town Museum", {"P31": ["Q33506"], "P131": ["Q1004"]}),
        "Q1004": FakeItem("Town", "Town", {"P625": [{"latitude": 1}], "P47": ["Q1003"]}),
        "Q1005": FakeItem("Lugger", "Lugger", {"P279": ["Q1006"]}),
    }
    with serving(fake):
        yield fake


@pytest.fixture
def service(time: FakeTime, tmp_path: Path) -> Service:
    return Service(cache=tmp_path / "cache", sleep=time.sleep, clock=time.clock)


@pytest.fixture
def source(fake: FakeWikidata, service: Service) -> Wikidata:
    return Wikidata(service, queries=f"{fake.address}/sparql", api=f"{fake.address}/w/api.php")


QUESTIONS = QuestionSet(
    (
        Passage("1", "title", "The Red Boat"),
        Passage("1", "reference", "Painted by Ada Painter, it hangs in the Town Museum in Town."),
        Passage("1", "reference", "It shows a Lugger. Nobody knows more."),
    ),
    (),
)


def edges(out: Path) -> set[tuple[str, ...]]:
    lines = (out / "steps" / "3-edges.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    records = [json.loads(line) for line in lines]
    return {(r["subject"], r["predicate"], r["object"]) for r in records if r["left_out"] == ""}


EDGES = {("Q1001", "P170", "Q1002"), ("Q1001", "P195", "Q1003"), ("Q1003", "P131", "Q1004")}


def test_the_right_graph(fake: FakeWikidata, source: Wikidata, tmp_path: Path) -> None:
    manifest: Any = build_from_questions(QUESTIONS, source, tmp_path / "out")
    assert edges(tmp_path / "out") == EDGES
    assert manifest["kinds"] == {"Artist": 1, "Artwork": 1, "Museum": 1, "Place": 1}
    assert manifest["inceptions"] == manifest["images"] == 1
    dropped = (tmp_path / "out" / "dropped.tsv").read_text(encoding="utf-8")
    assert "general concept\tLugger: Q1005: a class" in dropped
    assert "noise property P47" in dropped


def test_a_picture_and_a_date_known_to_the_year(source: Wikidata) -> None:
    image = "http://commons.wikimedia.org/wiki/Special:FilePath/A%20boat.jpg"
    assert list(source.works(["Q1001", "Q1002"])) == [Work("Q1001", (1872,), image)]


def test_a_name_that_several_items_have_as_label(fake: FakeWikidata, source: Wikidata) -> None:
    fake.items["Q1007"] = FakeItem("Town")
    fake.items["Q1008"] = FakeItem("Ada Painter", claims={"P31": ["Q4167410"]})  # a disambiguation
    assert source.look_up(["Town", "Ada Painter", "Nobody", "A|B", ""]) == {
        "Town": Named(("Q1004", "Q1007"), ENGLISH, True),
        "Ada Painter": Named(("Q1002",), ENGLISH, True),
    }


def test_a_name_is_as_ambiguous_whatever_else_is_looked_up(
    fake: FakeWikidata, source: Wikidata
) -> None:
    fake.items["Q2001"] = FakeItem("Irises", "Irises (painting)")
    fake.items["Q2002"] = FakeItem("Iris", "Irises")
    both = Named(("Q2001", "Q2002"), ENGLISH, True)
    assert source.look_up(["Irises"])["Irises"] == both
    assert source.look_up(["Irises", "Irises (painting)"])["Irises"] == both


def test_quotes_in_a_name_do_not_break_the_query(fake: FakeWikidata, source: Wikidata) -> None:
    name = 'A "Boat" \\ of É'
    fake.items["Q1007"] = FakeItem(name, name)
    fake.items["Q1008"] = FakeItem(name)
    assert source.look_up([name]) == {name: Named(("Q1007", "Q1008"), ENGLISH, True)}


def test_merged_and_deleted_items_do_not_make_a_name_ambiguous(
    fake: FakeWikidata, source: Wikidata
) -> None:
    fake.merged["Q70"] = "Q1004"
    for gone in ("Q70", "Q71"):
        fake.stale.append(Quad(NamedNode(WD + gone), LABEL, Literal("Town", language="en")))
    assert source.look_up(["Town"]) == {"Town": Named(("Q1004",), ENGLISH, True)}


def test_a_statement_about_a_merged_item_is_one_about_what_it_became(
    fake: FakeWikidata, source: Wikidata
) -> None:
    fake.merged["Q20"] = "Q1002"
    fake.items["Q1001"].claims["P170"] = ["Q20"]
    assert Statement("Q1001", "P170", "Q1002") in list(source.statements({"Q1001", "Q1002"}))
    assert source.items(["Q20"])["Q20"].node.label == "Ada Painter"


def test_deleted_items_and_items_without_a_label_are_missing(
    fake: FakeWikidata, source: Wikidata
) -> None:
    fake.items["Q1007"] = FakeItem(None)
    assert source.items(["Q1001", "Q1007", "Q99"]).keys() == {"Q1001"}


def test_ranks_decide_which_value_counts(fake: FakeWikidata, source: Wikidata) -> None:
    def ranked(qid: str, rank: str) -> dict[str, Any]:
        value = {"snaktype": "value", "datavalue": {"value": {"id": qid}}}
        return {"mainsnak": value, "rank": rank}

    unknown = {"mainsnak": {"snaktype": "somevalue"}, "rank": "preferred"}
    fake.items["Q1001"].claims["P31"] = [
        unknown,
        ranked("Q33506", "deprecated"),
        ranked("Q3305213", "normal"),
    ]
    assert source.items(["Q1001"])["Q1001"].node.role == "artwork"


def test_no_more_than_fifty_at_once_and_none_is_lost(fake: FakeWikidata, source: Wikidata) -> None:
    names = [f"Boat {number}" for number in range(2000, 2120)]
    for number, name in enumerate(names, start=2000):
        fake.items[f"Q{number}"] = FakeItem(name, name, {"P170": ["Q1002"]})
    assert len(source.look_up(names)) == 120
    qids = {f"Q{number}" for number in range(2000, 2120)} | {"Q1002"}
    assert source.items(qids).keys() == qids
    assert len(list(source.statements(qids))) == 120
    asked = [a.get("ids", a.get("titles", "")).split("|") for _, _, a in fake.asked]
    assert max(map(len, asked)) == 50


def test_labels_of_properties(fake: FakeWikidata, source: Wikidata) -> None:
    fake.items["P99999"] = FakeItem("moored at")
    assert source.property_labels(["P170", "P99999", "P99998"]) == {
        "P170": "creator",
        "P99999": "moored at",
        "P99998": "P99998",
    }


def test_requests_are_few_at_once_and_apart(
    fake: FakeWikidata, source: Wikidata, time: FakeTime
) -> None:
    source.items([f"Q{number}" for number in range(1, 501)])
    assert len(fake.asked) == 10
    assert fake.most_at_once <= 3
    assert time.now >= 0.9 - 1e-6  # nine gaps between ten requests


def status(code: int, **headers: str) -> Fault:
    return lambda handler: handler.send(code, b"{}", **headers)


def maxlag(handler: Handler) -> None:
    body = {"error": {"code": "maxlag", "info": "Waiting for db: 7 seconds lagged", "lag": 7}}
    handler.send(200, json.dumps(body).encode(), Retry_After="5")


def cut(handler: Handler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"entities": {"Q1001":')
    handler.wfile.flush()
    handler.connection.shutdown(socket.SHUT_RDWR)
    handler.close_connection = True


def broken_off(handler: Handler) -> None:
    handler.send(200, b'{"results": {"bindings": [{"s": java.util.concurrent.TimeoutException')


@pytest.mark.parametrize(
    ("fault", "rest"),
    [
        (status(429, Retry_After="7"), 7.0),
        (status(503, Retry_After="4"), 4.0),
        (status(500), 0.5),
        (maxlag, 5.0),
        (cut, 0.5),
        (broken_off, 0.5),
    ],
    ids=["429", "503", "500", "maxlag", "cut", "broken off"],
)
def test_a_fault_that_passes_is_waited_out(
    fake: FakeWikidata,
    source: Wikidata,
    time: FakeTime,
    tmp_path: Path,
    fault: Fault,
    rest: float,
) -> None:
    fake.faults = [fault, fault]
    build_from_questions(QUESTIONS, source, tmp_path / "out")
    assert edges(tmp_path / "out") == EDGES
    assert time.now >= 2 * rest - 1e-6


@pytest.mark.parametrize("where", [1, 4, 6])
def test_a_fault_anywhere_loses_nothing(
    fake: FakeWikidata, source: Wikidata, tmp_path: Path, where: int
) -> None:
    def fine(handler: Handler) -> None:
        handler.answer(fake.asked[-1][2])

    fake.faults = [fine] * where + [cut, maxlag, status(503)]
    build_from_questions(QUESTIONS, source, tmp_path / "out")
    assert edges(tmp_path / "out") == EDGES


def test_only_whole_answers_are_kept(fake: FakeWikidata, source: Wikidata, tmp_path: Path) -> None:
    fake.faults = [status(503), cut, maxlag, broken_off]
    source.items(["Q1001"])
    assert len(list((tmp_path / "cache").iterdir())) == 1
    asked = len(fake.asked)
    source.items(["Q1001"])
    assert len(fake.asked) == asked


@pytest.mark.parametrize("damaged", [b"", b'{"entities": {"Q10', b"[]", b"\xff"])
def test_a_kept_answer_that_is_damaged_is_asked_for_again(
    fake: FakeWikidata, source: Wikidata, tmp_path: Path, damaged: bytes
) -> None:
    whole = source.items(["Q1001"])
    (kept,) = (tmp_path / "cache").iterdir()
    kept.write_bytes(damaged)
    asked = len(fake.asked)
    assert source.items(["Q1001"]) == whole
    assert len(fake.asked) == asked + 1


def test_it_gives_up_and_says_so(fake: FakeWikidata, source: Wikidata, tmp_path: Path) -> None:
    fake.faults = [status(503)] * TRIES
    with pytest.raises(SourceError, match=r"failed 6 times, at last: status 503"):
        source.items(["Q1001"])
    assert not (tmp_path / "cache").exists()


def test_a_long_pause_ends_the_build(fake: FakeWikidata, source: Wikidata) -> None:
    fake.faults = [status(429, Retry_After=str(int(LONGEST_REST) + 60))]
    with pytest.raises(SourceError, match="asks for a pause of 6 minutes"):
        source.items(["Q1001"])
    assert len(fake.asked) == 1


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (status(403), "refuses to answer .403"),
        (lambda handler: handler.send(200, b"[]"), "something else"),
        (lambda handler: handler.send(200, b"{}"), "without entities"),
        (
            lambda handler: handler.send(200, b'{"error": {"code": "no-such-entity"}}'),
            "no-such-entity",
        ),
    ],
)
def test_a_refusal_is_not_repeated(
    fake: FakeWikidata, source: Wikidata, fault: Fault, message: str
) -> None:
    fake.faults = [fault]
    with pytest.raises(SourceError, match=message):
        source.items(["Q1001"])
    assert len(fake.asked) == 1


def test_without_a_name_the_server_would_refuse(
    fake: FakeWikidata, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "expartkg.construction.sources.service.user_agent", lambda contact: "python"
    )
    with pytest.raises(SourceError, match="403: Please set a user-agent"):
        Service().ask_all([Request(f"{fake.address}/w/api.php", {"ids": "Q1001"})])


def test_nobody_there_is_said(time: FakeTime) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}/"
    service = Service(sleep=time.sleep, clock=time.clock)
    with pytest.raises(SourceError, match="no whole answer"):
        service.ask_all([Request(address, {})])
