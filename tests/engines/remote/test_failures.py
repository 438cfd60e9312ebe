"""Servers that are busy, broken or set up wrongly: what is tried again, and what is told."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

import pytest

from expartkg.engines.remote import client
from expartkg.engines.remote.server import Server
from expartkg.errors import EngineError
from expartkg.records import Answer
from tests.e2e.starting import free_port
from tests.engines.fault_server import (
    ANSWER,
    Fault,
    FaultServer,
    dies_after,
    ends_after,
    floods,
    never_closes,
    page,
    redirect,
    reset,
    sends,
    sends_parts,
    serving,
    silent,
    silent_after,
    status,
)

Say = Callable[..., tuple[list[str], Answer]]
MakeServer = Callable[..., Server]
KEY = "sk-secret-0123456789"
SOON = "0.05"
HALF = 'data: {"choices": [{"index": 0, "delta": {"content": "caf\u00e9'.encode()[:-1]
"""An event that ends within a character."""


class TestTriedAgain:
    @pytest.mark.parametrize(
        "fault",
        [status(429, Retry_After=SOON), status(503, Retry_After=SOON), status(500), reset()],
        ids=["429", "503", "500", "reset"],
    )
    def test_what_may_pass(
        self, server: FaultServer, say: Say, make_explainer: MakeServer, fault: Fault
    ) -> None:
        server.expect(fault)
        said, answer = say(make_explainer(retries=1))
        assert "".join(said) == answer.text == ANSWER
        assert len(server.chats) == 2

    def test_as_long_after_as_the_server_says(
        self, server: FaultServer, say: Say, make_explainer: MakeServer
    ) -> None:
        server.expect(status(429, Retry_After="1.2"))
        began = time.monotonic()
        say(make_explainer(retries=1))
        assert time.monotonic() - began >= 1.2

    def test_not_if_the_server_wants_an_hour(
        self, server: FaultServer, say: Say, make_explainer: MakeServer
    ) -> None:
        server.expect(status(429, "One a day.", Retry_After="3600"))
        with pytest.raises(EngineError, match=r"too busy.*: One a day\. Try again later"):
            say(make_explainer(retries=3))
        assert len(server.chats) == 1

    def test_only_so_often(self, server: FaultServer, say: Say, make_explainer: MakeServer) -> None:
        server.expect(*[status(503, "Loading", Retry_After=SOON)] * 9)
        with pytest.raises(EngineError, match="failed with 503, also after several tries: Loading"):
            say(make_explainer(retries=2))
        assert len(server.chats) == 3

    @pytest.mark.parametrize("fault", [dies_after(3), ends_after(3)], ids=["dies", "ends"])
    def test_never_once_an_answer_has_begun(
        self, server: FaultServer, say: Say, make_explainer: MakeServer, fault: Fault
    ) -> None:
        server.expect(fault)
        with pytest.raises(EngineError):
            say(make_explainer(retries=3))
        assert len(server.chats) == 1

    @pytest.mark.parametrize("code", [400, 401, 403, 404, 422])
    def test_never_what_will_not_change(
        self, server: FaultServer, say: Say, make_explainer: MakeServer, code: int
    ) -> None:
        server.expect(status(code))
        with pytest.raises(EngineError):
            say(make_explainer(retries=3))
        assert len(server.chats) == 1


class TestTold:
    @pytest.mark.parametrize(
        ("fault", "message"),
        [
            (status(401), "wants a key; set EXPARTKG_REMOTE_KEY"),
            (status(403), "wants a key; set EXPARTKG_REMOTE_KEY"),
            (status(404, "Not Found"), "has nothing at .*/v1. Check EXPARTKG_REMOTE_URL: .* /v1"),
            (page(404, "<html>404 Not Found, no model here</html>"), "has nothing at"),
            (
                status(400, "the request exceeds the available context size"),
                "too long for Qwen/Qwen3-VL-8B-Instruct: the request exceeds .*--facts-budget",
            ),
            (status(413), "the prompt is too long"),
            (
                status(400, "At most 0 image(s) may be provided in one prompt."),
                r"refused the request with 400: At most 0 image\(s\)",
            ),
            (status(429, "Quota\nexceeded."), "too busy, .*: Quota exceeded. Try again later"),
            (page(502, "<html><h1>Bad gateway</h1></html>"), "failed with 502, .* tries. See its"),
            (status(402, "Pay first."), "refused the request with 402: Pay first."),
            (page(200, "<html>Welcome to nginx</html>"), "sent no answer. Check EXPARTKG_REMOTE"),
            (sends("{not json"), "not the OpenAI protocol"),
            (sends('{"choices": "all"}'), "not the OpenAI protocol"),
            (sends('{"choices": [{"delta": {"content": 7}}]}'), "not the OpenAI protocol"),
            (sends('{"choices": [{"delta": null}]}'), "not the OpenAI protocol"),
            (sends("[1, 2]"), "not the OpenAI protocol"),
            (
                sends('{"error": {"message": "out of memory"}}'),
                "failed while it was answering: out of memory",
            ),
            (sends('{"error": "out of memory"}'), "failed while it was answering"),
            (
                sends('{"choices": [{"delta": {}, "finish_reason": "content_filter"}]}'),
                "withheld its answer",
            ),
            (dies_after(2), "The connection to the server at 127.0.0.1:.* broke off"),
            (ends_after(2), "broke off in the middle of its answer"),
            (ends_after(0), "sent no answer"),
            (sends_parts(HALF), r"not the OpenAI protocol \(UnicodeDecodeError"),
            (sends_parts(HALF[:-4]), "broke off in the middle of its answer"),
            (sends_parts(HALF, ends=False), "The connection to the server at .* broke off"),
            (sends_parts(HALF + b"\n\n"), "not the OpenAI protocol"),
            (sends_parts(b"data: "), "broke off in the middle of its answer"),
            (sends_parts(b"data: \xf0\x9f\n\n"), "not the OpenAI protocol"),
            (sends_parts(b"\xff\xfe\x00\n\n"), "broke off in the middle|not the OpenAI"),
            (floods(b"x" * 2**20), "sends and sends"),
            (floods(b"data: x\n" * 2**16), "sends and sends"),
            (floods(b": busy\n\n" * 2**16), "sends and sends"),
        ],
    )
    def test_what_is_wrong(
        self,
        server: FaultServer,
        say: Say,
        fault: Fault,
        message: str,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(client, "MOST_BYTES", 2**20)
        server.expect(fault)
        with pytest.raises(EngineError, match=message) as told:
            say()
        assert "\n" not in str(told.value)

    def test_a_verdict_that_goes_on_and_on(
        self,
        server: FaultServer,
        judge: Callable[..., object],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(client, "MOST_BYTES", 2**20)
        server.expect(floods(b"x" * 2**20))
        with pytest.raises(EngineError, match="sends and sends"):
            judge()

    def test_a_connection_that_is_never_closed(self, server: FaultServer, say: Say) -> None:
        server.expect(never_closes())
        _, answer = say()
        assert (answer.text, answer.finish_reason) == (ANSWER, "stop")
        assert server.left.wait(60)

    def test_a_wrong_key(self, server: FaultServer, say: Say, make_explainer: MakeServer) -> None:
        server.script.key = "another"
        with pytest.raises(EngineError, match="refused the key; check EXPARTKG_REMOTE_KEY"):
            say(make_explainer(remote_key=KEY))

    def test_a_model_that_the_server_has_not(self, say: Say, make_explainer: MakeServer) -> None:
        expected = (
            "has no model 'qwen'; it has Qwen/Qwen3-VL-8B-Instruct, Qwen/Qwen3-4B-Instruct-2507. "
            "Set EXPARTKG_LVLM."
        )
        with pytest.raises(EngineError, match=expected):
            say(make_explainer(lvlm="qwen"))

    def test_a_server_that_says_nothing(
        self, server: FaultServer, say: Say, make_explainer: MakeServer
    ) -> None:
        server.expect(silent())
        with pytest.raises(EngineError, match=r"said nothing for 0\.5 seconds"):
            say(make_explainer(silence=0.5))
        assert server.left.wait(20)

    def test_a_server_that_falls_silent(
        self, server: FaultServer, say: Say, make_explainer: MakeServer
    ) -> None:
        server.expect(silent_after(2))
        with pytest.raises(EngineError, match=r"said nothing for 0\.5 seconds"):
            say(make_explainer(silence=0.5))

    def test_a_slow_server_is_waited_for(
        self, server: FaultServer, say: Say, make_explainer: MakeServer
    ) -> None:
        server.script.seconds_per_word = 0.3
        assert say(make_explainer(silence=4.0))[1].text == ANSWER

    def test_nobody_listens(self, say: Say, make_explainer: MakeServer) -> None:
        port = free_port()
        server = make_explainer(remote_url=f"http://127.0.0.1:{port}/v1")
        with pytest.raises(EngineError, match=f"No server listens at 127.0.0.1:{port}. Start it"):
            say(server)

    def test_no_such_host(self, say: Say, make_explainer: MakeServer) -> None:
        server = make_explainer(remote_url="http://no-such-host.invalid/v1")
        with pytest.raises(EngineError, match=r"no host of the name in no-such-host\.invalid"):
            say(server)

    def test_no_tls_there(self, server: FaultServer, say: Say, make_explainer: MakeServer) -> None:
        secure = make_explainer(remote_url=server.url.replace("http:", "https:"))
        with pytest.raises(EngineError, match=r"no secure connection to 127\.0\.0\.1"):
            say(secure)


class TestKeysStaySecret:
    FAULTS = (
        status(400, f"bad key {KEY}"),
        status(500, f"{KEY}"),
        status(404, f"no model for {KEY}"),
        page(422, KEY),
        sends('{"error": {"message": "' + KEY + '"}}'),
    )

    @pytest.mark.parametrize("fault", FAULTS)
    def test_in_messages_and_logs(
        self,
        server: FaultServer,
        say: Say,
        make_explainer: MakeServer,
        caplog: pytest.LogCaptureFixture,
        fault: Fault,
    ) -> None:
        explainer = make_explainer(remote_key=KEY)
        assert KEY not in repr(explainer)
        server.expect(fault)
        with caplog.at_level(logging.DEBUG), pytest.raises(EngineError) as told:
            say(explainer)
        assert KEY not in str(told.value)
        assert KEY not in caplog.text
        assert server.chats[0].headers["authorization"] == f"Bearer {KEY}"

    def test_in_a_redirection_to_another_server(
        self, server: FaultServer, say: Say, make_explainer: MakeServer
    ) -> None:
        with serving() as other:
            server.expect(redirect(f"{other.url}/chat/completions"))
            said, _ = say(make_explainer(remote_key=KEY))
            assert said
            assert server.chats[0].headers["authorization"] == f"Bearer {KEY}"
            assert "authorization" not in other.chats[0].headers

    def test_no_key_of_the_environment_is_sent(self, server: FaultServer, say: Say) -> None:
        say()
        sent = server.chats[0].headers
        assert not {"authorization", "openai-organization", "openai-project"} & set(sent)
        assert "of-another" not in str(sent)
