from __future__ import annotations

import threading
import time

import pytest

from expartkg.engines.base import Session
from expartkg.engines.scripted import scripted_engine
from expartkg.errors import EngineError
from expartkg.prompts import explainer_prompt, validator_prompt
from expartkg.records import Answer, StopFlag

PROMPT = explainer_prompt("Explain this artwork.", ())


def last_answer(session: Session, stop: StopFlag) -> Answer:
    *_, answer = session.answer(PROMPT, stop)
    assert isinstance(answer, Answer)
    return answer


def test_says_its_answers_in_order_and_the_last_for_ever(never: StopFlag) -> None:
    session = scripted_engine(["first", "second"]).explainer.session(None)
    assert [last_answer(session, never).text for _ in range(3)] == ["first", "second", "second"]


def test_keeps_white_space_and_counts_words(never: StopFlag) -> None:
    text = " two  blanks\nand a line "
    answer = last_answer(scripted_engine([text]).explainer.session(None), never)
    assert answer.text == text
    assert answer.tokens == len(text.split(" "))


def test_without_verdicts_there_is_no_validator() -> None:
    assert scripted_engine(["an answer"]).validator is None


@pytest.mark.parametrize(("p_true", "accepted"), [(0.5, False), (0.51, True), (0.0, False)])
def test_verdicts_belong_to_texts(p_true: float, accepted: bool, never: StopFlag) -> None:
    validator = scripted_engine(["other", "this"], [0.9, p_true]).validator
    assert validator is not None
    verdict = validator.judge(validator_prompt("Q", "this"), "this", never)
    assert (verdict.accepted, verdict.p_true) == (accepted, p_true)


def test_an_answer_that_is_not_in_the_script_is_an_error(never: StopFlag) -> None:
    validator = scripted_engine(["this"], [0.9]).validator
    assert validator is not None
    with pytest.raises(EngineError, match="no verdict"):
        validator.judge(validator_prompt("Q", "that"), "that", never)


def test_exceptions_are_raised_in_their_turn(never: StopFlag) -> None:
    session = scripted_engine(["first", EngineError("broken")]).explainer.session(None)
    last_answer(session, never)
    with pytest.raises(EngineError, match="broken"):
        last_answer(session, never)


def test_a_verdict_may_fail_too(never: StopFlag) -> None:
    validator = scripted_engine(["this"], [EngineError("no judge")]).validator
    assert validator is not None
    with pytest.raises(EngineError, match="no judge"):
        validator.judge(validator_prompt("Q", "this"), "this", never)


def test_a_slow_script_stops_in_the_middle_of_a_word() -> None:
    stop = threading.Event()
    session = scripted_engine(["one two three"], seconds_per_word=30).explainer.session(None)
    threading.Timer(0.05, stop.set).start()
    began = time.monotonic()
    answer = last_answer(session, stop)
    assert (answer.text, answer.finish_reason) == ("", "stopped")
    assert time.monotonic() - began < 25
