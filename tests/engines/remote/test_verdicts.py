"""P(True) from log-probabilities, and what is done where a server gives none."""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Callable, Mapping

import pytest

from expartkg.engines.remote.validator import RemoteValidator, compared, read
from expartkg.errors import EngineError
from expartkg.prompts import validator_prompt
from expartkg.records import RankedTriple, Verdict
from tests.engines.fault_server import FaultServer, Logprobs, says, silent, status

Judge = Callable[..., Verdict]


def test_p_true_is_normalised_over_the_two_words(server: FaultServer, judge: Judge) -> None:
    verdict = judge()
    assert (verdict.accepted, verdict.method) == (True, "forced")
    assert verdict.p_true == pytest.approx(2 / 3)
    assert verdict.mass == pytest.approx(0.9)


def test_one_token_is_asked_for(server: FaultServer, judge: Judge) -> None:
    judge()
    (request,) = server.chats
    assert request.body["model"] == "Qwen/Qwen3-4B-Instruct-2507"
    sent = {name: request.body[name] for name in ("max_tokens", "temperature", "top_logprobs")}
    assert sent == {"max_tokens": 1, "temperature": 0, "top_logprobs": 20}


def test_the_judge_sees_question_and_answer_and_nothing_else(
    server: FaultServer, validator: RemoteValidator, mona_lisa: list[RankedTriple]
) -> None:
    prompt = validator_prompt("Who?", "Leonardo.", mona_lisa)
    validator.judge(prompt, "Leonardo.", threading.Event())
    assert server.chats[0].messages == [
        {"role": "system", "content": prompt.system},
        {"role": "user", "content": prompt.text},
    ]
    assert "Louvre" not in prompt.text


@pytest.mark.parametrize(
    ("likeliest", "accepted", "p_true", "mass"),
    [
        ({"True": 0.2, "False": 0.6}, False, 0.25, 0.8),
        ({"True": 0.3, "False": 0.3}, False, 0.5, 0.6),
        ({"True": 0.3, " True": 0.1, "False": 0.3, "\nFalse": 0.1}, False, 0.5, 0.8),
        ({"True": 0.3, " True": 0.2, "False": 0.4, "Truely": 0.1}, True, 5 / 9, 0.9),
        ({"The": 0.9, "True": 0.02}, True, 1.0, 0.02),
        ({"False": 1.0}, False, 0.0, 1.0),
        ({"true": 0.6, "False": 0.1}, False, 0.0, 0.1),
    ],
)
def test_what_counts_as_a_word(
    likeliest: Mapping[str, float], accepted: bool, p_true: float, mass: float
) -> None:
    verdict = compared([(token, math.log(p)) for token, p in likeliest.items()])
    assert verdict is not None
    assert (verdict.accepted, verdict.method) == (accepted, "forced")
    assert verdict.p_true == pytest.approx(p_true)
    assert verdict.mass == pytest.approx(mass)


@pytest.mark.parametrize(
    "likeliest", [[], [("The", -0.1)], [("True", float("-inf"))], [("True", float("nan"))]]
)
def test_nothing_to_compare(likeliest: list[tuple[str, float]]) -> None:
    assert compared(likeliest) is None


@pytest.mark.parametrize("p", [1e-320, 1.0, 1.5])
def test_any_log_probability_gives_a_probability(p: float) -> None:
    verdict = compared([("True", math.log(p)), ("False", -9999.0)])
    assert verdict is not None
    assert verdict.p_true == 1.0
    assert verdict.mass is not None
    assert 0 <= verdict.mass <= 1


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ("True", True),
        ("true.", True),
        ("**True**", True),
        ("The answer is True, not False.", True),
        ("False", False),
        ("False. It would be True if …", False),
        ("Yes", False),
        ("Untrue", False),
        ("Truely", False),
        ("", False),
    ],
)
def test_verdicts_read_from_a_text(text: str, accepted: bool) -> None:
    assert read(text) == Verdict(accepted, None, None, "text")


@pytest.mark.parametrize("logprobs", ["refused", "ignored"])
def test_a_server_without_log_probabilities_is_noticed_once(
    server: FaultServer, judge: Judge, caplog: pytest.LogCaptureFixture, logprobs: Logprobs
) -> None:
    server.script.logprobs = logprobs
    server.script.judged = "True"
    with caplog.at_level(logging.WARNING):
        assert [judge() for _ in range(3)] == [Verdict(True, None, None, "text")] * 3
    assert ["logprobs" in request.body for request in server.chats] == [True, *[False] * 3]
    assert [record.message for record in caplog.records] == [
        f"The server at {server.url[7:-3]} gives no log-probabilities: verdicts are read from its "
        "text."
    ]


def test_neither_word_among_the_likeliest_is_a_matter_of_this_verdict(
    server: FaultServer, judge: Judge
) -> None:
    likeliest = server.script.likeliest
    server.script.likeliest = {"The": -0.1, "I": -2.0}
    server.script.judged = "The answer is False."
    assert judge() == Verdict(False, None, None, "text")
    server.script.likeliest = likeliest
    assert judge().method == "forced"


def test_a_prompt_that_is_refused_either_way_is_told(server: FaultServer, judge: Judge) -> None:
    too_long = "This model's maximum context length is 10 tokens"
    server.expect(status(400, too_long), status(400, too_long))
    with pytest.raises(EngineError, match=r"too long .* maximum context length is 10 tokens"):
        judge()
    assert judge().method == "forced"


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"choices": None},
        {"choices": []},
        {"choices": [{"message": None}]},
        {"choices": [{"message": {"content": ["True"]}}]},
        {"choices": ["True"]},
        "True",
        [],
    ],
)
def test_a_reply_of_another_shape(server: FaultServer, judge: Judge, document: object) -> None:
    server.expect(says(document))
    with pytest.raises(EngineError, match="not the OpenAI protocol"):
        judge()


@pytest.mark.parametrize(
    "logprobs", [None, {}, {"content": None}, {"content": []}, {"tokens": ["True"]}]
)
def test_log_probabilities_of_another_shape_are_none(
    server: FaultServer, judge: Judge, logprobs: object
) -> None:
    server.expect(says({"choices": [{"message": {"content": "True"}, "logprobs": logprobs}]}))
    assert judge() == Verdict(True, None, None, "text")


def test_a_verdict_can_be_stopped(server: FaultServer, validator: RemoteValidator) -> None:
    server.expect(silent())
    stop = threading.Event()
    server.stop_on_arrival(stop)
    with pytest.raises(EngineError, match="stopped"):
        validator.judge(validator_prompt("Who?", "He."), "He.", stop)
    assert server.left.wait(20)
