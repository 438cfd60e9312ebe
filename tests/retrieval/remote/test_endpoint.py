"""A SPARQL endpoint that is slow, busy, cut, wrong, or not there."""

from __future__ import annotations

import json
import socket
from collections.abc import Sequence

import pytest

from expartkg.errors import GraphError
from expartkg.retrieval.opening import open_graph
from expartkg.retrieval.remote import endpoint as module
from expartkg.retrieval.remote.endpoint import Endpoint
from tests.e2e.starting import free_port
from tests.retrieval.remote.conftest import Reply, Talker


def answer(values: Sequence[str]) -> Reply:
    bindings = [{"n": {"type": "literal", "value": value}} for value in values]
    document = {"head": {"vars": ["n"]}, "results": {"bindings": bindings}}
    return Reply(200, json.dumps(document).encode())


def values(endpoint: Endpoint) -> list[str]:
    return [str(row["n"].value) for row in endpoint.rows("?n", "?s ?p ?n")]


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long was waited for, without waiting."""
    waited: list[float] = []
    monkeypatch.setattr("expartkg.retrieval.remote.endpoint.time.sleep", waited.append)
    return waited


def test_pages_are_read_until_one_is_short(talker: Talker) -> None:
    talker.replies.extend([answer("ab"), answer("cd"), answer("e"), answer(["5"])])
    assert values(Endpoint(talker.address, page=2)) == list("abcde")
    assert [query[-8:] for query in talker.asked[:3]] == ["OFFSET+0", "OFFSET+2", "OFFSET+4"]
    assert "COUNT" in talker.asked[3]


def test_an_answer_that_the_server_cut_is_read_on(
    talker: Talker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SMALLEST_CAP", 2)
    talker.replies.extend([answer("ab"), answer("cd"), answer(""), answer(["4"])])
    assert values(Endpoint(talker.address)) == list("abcd")


def test_pages_that_do_not_fit_together_are_an_error(talker: Talker) -> None:
    talker.replies.extend([answer("ab"), answer("bc"), answer("d"), answer(["5"])])
    with pytest.raises(GraphError, match="gave 4 of 5 rows"):
        values(Endpoint(talker.address, page=2))


def test_a_busy_server_is_asked_again_when_it_says(talker: Talker, pauses: list[float]) -> None:
    talker.replies.extend(
        [
            Reply(429, b"", {"Retry-After": "7"}),
            Reply(503, b"", {"Retry-After": "9999"}),
            answer("a"),
        ]
    )
    assert values(Endpoint(talker.address)) == ["a"]
    assert pauses == [7.0, module.LONGEST_PAUSE]


def test_a_server_that_stays_busy_is_given_up(talker: Talker, pauses: list[float]) -> None:
    talker.replies.append(Reply(503, b"come back\nlater"))
    with pytest.raises(GraphError, match="answered 503: come back later"):
        values(Endpoint(talker.address))
    assert len(talker.asked) == 3
    assert pauses == list(module.PAUSES)


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (Reply(400, b"bad query"), "answered 400: bad query"),
        (Reply(200, b"<html>"), "does not answer as a SPARQL endpoint"),
        (Reply(200, answer("abc").body[:-9]), "does not answer as a SPARQL endpoint"),
        (Reply(200, b'{"head": {}, "boolean": true}'), "does not answer as a SPARQL endpoint"),
        (Reply(301, b"", {"Location": "/x"}), "answered 301"),
    ],
)
def test_other_answers_are_errors(talker: Talker, reply: Reply, message: str) -> None:
    talker.replies.append(reply)
    with pytest.raises(GraphError, match=message):
        open_graph(talker.address)
    assert len(talker.asked) == 1


def test_a_server_that_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SILENCE", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        endpoint = Endpoint(f"http://127.0.0.1:{silent.getsockname()[1]}/")
        with pytest.raises(GraphError, match=r"has sent nothing for .*kg load"):
            values(endpoint)


def test_a_server_that_is_not_there() -> None:
    with pytest.raises(GraphError, match="cannot be reached"):
        open_graph(f"http://127.0.0.1:{free_port()}/query")


@pytest.mark.parametrize("address", ["http://[", "http://a:b/", "https://"])
def test_an_address_that_is_none(address: str) -> None:
    with pytest.raises(GraphError, match="cannot be"):
        open_graph(address)


def test_a_password_is_never_named(talker: Talker) -> None:
    address = talker.address.replace("http://", "http://me:secret@")
    talker.replies.append(Reply(400, b""))
    assert "secret" not in Endpoint(address).name
    with pytest.raises(GraphError) as error:
        open_graph(address)
    assert "secret" not in str(error.value)


def test_an_endpoint_with_too_many_names_is_refused(talker: Talker) -> None:
    talker.replies.append(answer(["100000000"]))
    with pytest.raises(GraphError, match=r"100,000,000 English labels.*kg load"):
        open_graph(talker.address)
