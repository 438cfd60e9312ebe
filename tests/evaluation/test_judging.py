"""Right and wrong answers, and what a validator makes of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from expartkg.engines.preview import preview_engine
from expartkg.errors import DataError, EngineError
from expartkg.evaluation.judging import (
    Case,
    Judged,
    auc,
    judge_all,
    make_cases,
    measure_validator,
)
from expartkg.evaluation.questions import ArtQuestion, read_questions
from expartkg.records import Prompt, StopFlag, Verdict
from expartkg.retrieval.retriever import Retriever
from expartkg.settings import Settings

OPHELIA = ArtQuestion(
    "1", "Ophelia", "Ophelia by John Everett Millais. Ophelia was painted in London.",
    artist="John Everett Millais",
)  # fmt: skip
MARIANA = ArtQuestion("2", "Mariana", "Mariana waits.", artist="john everett millais")
KISS = ArtQuestion("3", "The Kiss", "The Kiss is golden.", artist="Gustav Klimt")


def answers(retriever: Retriever, *questions: ArtQuestion, seed: int = 0) -> dict[str, str]:
    """The answers to the first question by their kinds."""
    cases = make_cases(questions, retriever, seed)
    return {case.kind: case.answer for case in cases if case.question == questions[0]}


class TestCases:
    def test_every_kind(self, retriever: Retriever) -> None:
        made = answers(retriever, OPHELIA, MARIANA, KISS)
        assert made["right"] == OPHELIA.reference
        assert made["same_artist"] == MARIANA.reference
        assert made["off_topic"] == KISS.reference
        assert set(made) == {"right", "swapped", "same_artist", "off_topic"}

    def test_names_but_the_works_own_are_swapped(self, retriever: Retriever) -> None:
        # Millais is the only artist of the graph, so the painter cannot be swapped there
        other = ArtQuestion("1", "Mariana", "Mariana and Ophelia. Ophelia again. In Southampton.")
        swapped = answers(retriever, other, KISS)["swapped"]
        assert swapped.startswith("Mariana and ")
        # Ophelia becomes the same other artwork wherever it stands; there is only one
        assert swapped.startswith("Mariana and Mariana. Mariana again. In ")
        assert "Southampton" not in swapped

    def test_nothing_to_swap_is_no_wrong_answer(self, retriever: Retriever) -> None:
        assert "swapped" not in answers(retriever, MARIANA, OPHELIA)

    def test_the_seed_decides(self, shipped: Retriever) -> None:
        one = answers(shipped, OPHELIA, KISS)
        assert one == answers(shipped, OPHELIA, KISS)
        assert one != answers(shipped, OPHELIA, KISS, seed=1)

    def test_no_wrong_answer_at_all(self, retriever: Retriever) -> None:
        with pytest.raises(DataError, match="give more, with their artists"):
            make_cases([MARIANA], retriever, 0)


class TestMeasures:
    @pytest.mark.parametrize(
        ("right", "wrong", "expected"),
        [
            ([0.9, 0.8], [0.1, 0.2], 1),
            ([0.1], [0.9], 0),
            ([0.5, 0.5], [0.5], 0.5),
            # 0.9 is above both, 0.4 above one: 3 of 4 pairs
            ([0.9, 0.4], [0.1, 0.6], 0.75),
            # a tie counts half: (1 + 0.5) / 2
            ([0.6], [0.6, 0.1], 0.75),
        ],
    )
    def test_auc(self, right: list[float], wrong: list[float], expected: float) -> None:
        assert auc(right, wrong) == expected

    def test_accuracy_and_calibration(self) -> None:
        def judged(kind: str, p: float) -> Judged:
            return Judged(Case(OPHELIA, kind, ""), p, p > 0.5)

        result = measure_validator(
            [
                judged("right", 0.95),
                judged("right", 0.55),
                judged("swapped", 0.95),
                judged("swapped", 0.15),
                judged("off_topic", 0.15),
                judged("off_topic", 0.05),
            ]
        )
        assert (result.right, result.accepted_right) == (2, 1)
        swapped, off_topic = result.kinds
        # right: both accepted; swapped: one of two rejected; off topic: both
        assert (swapped.accuracy, swapped.accepted_wrong) == (0.75, 0.5)
        assert (off_topic.accuracy, off_topic.auc) == (1, 1)
        # 0.95 against 0.95 and 0.15: 1.5; 0.55 against them: 1; of four pairs
        assert swapped.auc == 2.5 / 4
        # 4 wrong ones and 2 right ones, so each right one weighs 2: of the bin from 0.9, 2 of 3
        highest = result.calibration[9]
        assert highest.answers == 2
        assert highest.right == pytest.approx(2 / 3)
        assert highest.mean_p == pytest.approx(0.95)
        assert result.calibration[3].right is None
        assert sum(one.answers for one in result.calibration) == 6


class _Spy:
    """Judges by length and remembers what it was shown."""

    def __init__(self, p_true: float | None) -> None:
        self.p_true = p_true
        self.prompts: list[Prompt] = []

    def judge(self, prompt: Prompt, answer: str, stop: StopFlag) -> Verdict:
        self.prompts.append(prompt)
        return Verdict(len(answer) > 20, self.p_true, None, "text")


def test_the_validator_sees_question_and_answer(retriever: Retriever) -> None:
    spy = _Spy(0.3)
    cases = make_cases([OPHELIA, KISS], retriever, 0)
    verdicts = list(judge_all(cases, spy, retriever, Settings(), workers=3))
    assert [verdict.case for verdict in verdicts] == cases
    for prompt in spy.prompts:
        assert "Retrieved Facts" not in prompt.text
        assert 'Question: Explain the artwork "' in prompt.text
    assert {fact.anchor.id for prompt in spy.prompts for fact in prompt.facts} == {"Q1"}


def test_a_verdict_without_a_probability_counts_as_1_or_0(retriever: Retriever) -> None:
    cases = make_cases([OPHELIA, MARIANA], retriever, 0)
    verdicts = judge_all(cases, _Spy(None), retriever, Settings())
    assert {(verdict.accepted, verdict.p_true) for verdict in verdicts} == {(True, 1), (False, 0)}


def test_a_validator_that_fails_is_told(retriever: Retriever) -> None:
    class Broken:
        def judge(self, prompt: Prompt, answer: str, stop: StopFlag) -> Verdict:
            raise EngineError("the server is down")

    cases = make_cases([OPHELIA, KISS], retriever, 0)
    with pytest.raises(EngineError, match="the server is down"):
        list(judge_all(cases, Broken(), retriever, Settings()))


def test_the_previews_rule_on_real_questions(shipped: Retriever, data: Path) -> None:
    """It knows the facts, so it tells its work from another."""
    questions = read_questions(data / "qa/artpedia.jsonl")[::40]
    cases = make_cases(questions, shipped, 0)
    validator = preview_engine().validator
    assert validator
    result = measure_validator(list(judge_all(cases, validator, shipped, Settings())))
    by_kind = {kind.kind: kind.auc for kind in result.kinds}
    assert by_kind["off_topic"] > 0.8
