"""Runs about one work share its picture, and no answer is written twice."""

from __future__ import annotations

import threading
from contextlib import closing

from PIL import Image

from expartkg.engines.base import Engine
from expartkg.engines.scripted import scripted_engine
from expartkg.evaluation.sharing import OneWork
from expartkg.prompts import explainer_prompt, validator_prompt
from expartkg.records import Answer, Prompt
from tests.evaluation.talkative import talkative_engine

PROMPT = explainer_prompt("Explain this artwork.", ())
OTHER = explainer_prompt("Explain Ophelia.", ())


def written(engine: Engine, *prompts: Prompt) -> list[Answer]:
    """The answers of one run."""
    answers = []
    with closing(engine.explainer.session(Image.new("RGB", (32, 32)))) as session:
        for prompt in prompts:
            *pieces, last = session.answer(prompt, threading.Event())
            assert isinstance(last, Answer)
            assert "".join(map(str, pieces)) == last.text
            answers.append(last)
    return answers


def test_a_prompt_that_comes_again_is_not_asked_again() -> None:
    engine, asked = talkative_engine(lambda prompt: prompt.question, lambda _: 0.0)
    with closing(OneWork(engine)) as work:
        first, second = written(work.engine, PROMPT, OTHER)
        (again,) = written(work.engine, PROMPT)
        assert (work.written, work.tokens) == (2, 3 + 2)
    assert [prompt.question for prompt in asked.prompts] == [PROMPT.question, OTHER.question]
    assert (again.text, again.tokens, again.seconds) == (first.text, first.tokens, 0.0)
    assert second.text == "Explain Ophelia."


def test_the_picture_is_shown_once_and_freed_at_the_end() -> None:
    engine, asked = talkative_engine(lambda prompt: "x", lambda _: 0.0)
    work = OneWork(engine)
    written(work.engine, PROMPT)
    written(work.engine, OTHER)
    assert (len(asked.images), asked.open_sessions) == (1, 1)
    work.close()
    assert asked.open_sessions == 0


def test_verdicts_are_remembered_too() -> None:
    engine, asked = talkative_engine(lambda prompt: "x", lambda answer: 0.75)
    validator = OneWork(engine).engine.validator
    assert validator
    prompt = validator_prompt("Explain.", "x")
    verdicts = [validator.judge(prompt, "x", threading.Event()) for _ in range(3)]
    assert {verdict.p_true for verdict in verdicts} == {0.75}
    assert len(asked.judged) == 1


def test_an_engine_that_may_say_something_else_is_asked_each_time() -> None:
    engine, asked = talkative_engine(lambda prompt: "x", lambda _: 0.0, repeatable=False)
    with closing(OneWork(engine)) as work:
        written(work.engine, PROMPT, PROMPT)
        written(work.engine, PROMPT)
        assert work.written == 3
    assert (len(asked.prompts), len(asked.images), asked.open_sessions) == (3, 2, 0)


def test_an_answer_that_was_stopped_is_not_remembered() -> None:
    engine, _ = talkative_engine(lambda prompt: "x", lambda _: 0.0)
    scripted = scripted_engine(["one two three"])
    slow = Engine("slow", scripted.explainer, None, engine.description, repeatable=True)
    stop = threading.Event()
    stop.set()
    work = OneWork(slow)
    with closing(work.engine.explainer.session(None)) as session:
        list(session.answer(PROMPT, stop))
        assert not work.answers
