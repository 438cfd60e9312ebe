"""The experiment: few runs for many rows, resumed where it was, without a leak."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from PIL import Image

from expartkg.engines.base import Engine
from expartkg.engines.preview import preview_engine
from expartkg.engines.scripted import scripted_engine
from expartkg.errors import EngineError, UsageError
from expartkg.evaluation.experiment import Experiment, Unreachable, arms_for
from expartkg.evaluation.pictures import Pictures
from expartkg.evaluation.questions import ArtQuestion, read_questions
from expartkg.evaluation.rows import Row, given, rows_for, steps_of
from expartkg.evaluation.trajectories import INPUTS, Arm, Key, Trajectories, Trajectory
from expartkg.loop import explain
from expartkg.records import Artwork, Event, Method, Prompt, Run
from expartkg.retrieval.retriever import Retriever
from expartkg.settings import METHODS, RANKINGS, Settings
from tests.evaluation.conftest import QUESTIONS
from tests.evaluation.talkative import talkative_engine

RunOf = Callable[[Iterable[object]], Run]
Compare = Callable[[Iterable[ArtQuestion], Retriever, Engine], list[int]]

SCRIPT = ["By John Everett Millais.", "In Tate Britain.", "Nothing more.", "The end."]
VERDICTS = [0.2, 0.3, 0.8, 0.9]


def experiment(retriever: Retriever, engine: Engine, **changes: object) -> Experiment:
    asked = Experiment(
        questions=QUESTIONS,
        inputs=("with-title", "without-title"),
        arms=arms_for(METHODS, RANKINGS),
        retriever=retriever,
        engine=engine,
        settings=Settings(),
    )
    return dataclasses.replace(asked, **changes)  # type: ignore[arg-type]


class TestArms:
    def test_validate_is_part_of_the_loop(self) -> None:
        assert arms_for(METHODS, ["pid", "qid"]) == (
            Arm("baseline", None),
            Arm("loop", "pid"),
            Arm("loop", "qid"),
        )

    def test_validate_alone_stops_at_true(self) -> None:
        assert arms_for(["validate"], ["qid"]) == (Arm("validate", "qid"),)

    def test_the_baseline_has_no_ranking(self) -> None:
        assert arms_for(["baseline"], RANKINGS) == (Arm("baseline", None),)


def test_all_runs_of_all_questions(retriever: Retriever, runs: Trajectories) -> None:
    asked = experiment(retriever, scripted_engine(SCRIPT, VERDICTS))
    outcomes = list(asked.run(runs))
    assert len(outcomes) == len(list(runs)) == 3 * 2 * (1 + 3)
    by_key = {run.key: run for run in runs}
    baseline = by_key[Key("1", "with-title", Arm("baseline", None))]
    assert [step.answer for step in baseline.steps] == SCRIPT[:1]
    assert baseline.steps[0].accepted is None
    loop = by_key[Key("1", "with-title", Arm("loop", "qid"))]
    assert [step.answer for step in loop.steps] == [*SCRIPT, SCRIPT[-1]]
    assert [step.p_true for step in loop.steps] == [*VERDICTS, VERDICTS[-1]]
    assert [step.lookups for step in loop.steps] == [1, 1, 1, 1, 1]
    assert loop.steps[0].facts == (("Q1", "P195", "Q3"), ("Q1", "P170", "Q2"))
    assert (loop.found, loop.entity, loop.written) == ("title", "Q1", 5)


def test_what_is_done_is_not_done_again(
    retriever: Retriever, runs: Trajectories, tmp_path: Path
) -> None:
    first = experiment(retriever, scripted_engine(SCRIPT, VERDICTS), questions=QUESTIONS[:2])
    list(first.run(runs))
    before = (tmp_path / "trajectories.jsonl").read_bytes()
    engine, asked = talkative_engine(lambda prompt: "x", lambda answer: 0.0)
    again = experiment(retriever, engine)
    outcomes = list(again.run(Trajectories(tmp_path / "trajectories.jsonl")))
    assert {run.key.id for run in outcomes if isinstance(run, Trajectory)} == {"3"}
    assert (tmp_path / "trajectories.jsonl").read_bytes().startswith(before)
    assert len(asked.images) == 1


def test_a_method_that_is_added_makes_only_its_own_runs(
    retriever: Retriever, runs: Trajectories
) -> None:
    engine = scripted_engine(SCRIPT, VERDICTS)
    list(experiment(retriever, engine, arms=arms_for(["loop"], ["qid"])).run(runs))
    added = list(experiment(retriever, engine).run(runs))
    assert {run.key.arm.name for run in added if isinstance(run, Trajectory)} == {
        "baseline",
        "loop pid",
        "loop pid-qid",
    }


class TestDerivedValidate:
    """RAG-Validate, taken from the loop's runs, is what it would have been on its own."""

    @pytest.fixture
    def compare(self, runs: Trajectories, run_of: RunOf) -> Compare:
        """Compares all questions under all rankings; how many iterations each took."""

        def compare(
            questions: Iterable[ArtQuestion], retriever: Retriever, engine: Engine
        ) -> list[int]:
            list(experiment(retriever, engine, questions=tuple(questions)).run(runs))
            lengths = []
            for row in rows_for(["validate"], RANKINGS, INPUTS[:2]):
                for question in questions:
                    steps = steps_of(row, question.id, runs)
                    really = run_of(self.run_alone(row, question, retriever, engine)).iterations
                    assert [step.answer for step in steps] == [i.answer.text for i in really]
                    assert [step.p_true for step in steps] == [
                        i.verdict and i.verdict.p_true for i in really
                    ]
                    assert [len(step.facts) for step in steps] == [len(i.facts) for i in really]
                    lengths.append(len(steps))
            return lengths

        return compare

    @staticmethod
    def run_alone(
        row: Row, question: ArtQuestion, retriever: Retriever, engine: Engine
    ) -> Iterator[Event]:
        assert row.ranking
        return explain(
            Artwork(title=question.title if row.input == "with-title" else None),
            retriever=retriever,
            engine=engine,
            settings=Settings(method="validate", ranking=row.ranking),
            question=question.text(with_title=row.input == "with-title"),
        )

    def test_with_a_script(self, retriever: Retriever, compare: Compare) -> None:
        engine = scripted_engine(SCRIPT, VERDICTS)
        assert set(compare(QUESTIONS, retriever, engine)) == {3}

    def test_with_a_greedy_engine_whose_answers_are_remembered(
        self, retriever: Retriever, compare: Compare
    ) -> None:
        engine, _ = talkative_engine(
            _say_the_facts, lambda answer: 0.6 if "Mariana" in answer else 0
        )
        assert set(compare(QUESTIONS, retriever, engine)) == {1, 2, 5}

    def test_with_the_preview_on_real_questions(
        self, shipped: Retriever, compare: Compare, data: Path
    ) -> None:
        questions = read_questions(data / "qa/artpedia.jsonl")[7::240]
        lengths = compare(questions, shipped, preview_engine())
        assert len(set(lengths)) > 2


def _say_the_facts(prompt: Prompt) -> str:
    """A model that says all that it reads."""
    names = {name for fact in prompt.facts for name in fact.triple.labels}
    return f"It has to do with {', '.join(sorted(names)) or 'nothing'}."


def test_equal_prompts_are_answered_once(retriever: Retriever, runs: Trajectories) -> None:
    engine, asked = talkative_engine(_say_the_facts, lambda answer: 0.0)
    list(experiment(retriever, engine, questions=QUESTIONS[:1]).run(runs))
    prompts = [(prompt.system, prompt.text) for prompt in asked.prompts]
    assert len(prompts) == len(set(prompts))
    written = sum(run.written for run in runs)
    steps = sum(len(run.steps) for run in runs)
    assert (written, steps) == (len(prompts), 2 * (1 + 3 * 5))
    assert written < steps / 2


class TestLeaks:
    """Without Title, the title comes in from nowhere but the answers themselves."""

    SECRET = "Zzyzx at Dawn"

    @pytest.fixture
    def secret(self, tmp_path: Path) -> ArtQuestion:
        Image.new("RGB", (64, 64)).save(tmp_path / "Zzyzx at Dawn.png")
        return ArtQuestion(
            id="Zzyzx at Dawn, 1",
            title=self.SECRET,
            reference="Zzyzx at Dawn is by John Everett Millais.",
            artist="Zzyzx",
            artwork="Q1",
            image=str(tmp_path / "Zzyzx at Dawn.png"),
            with_title="What is Zzyzx at Dawn?",
            without_title="What is this?",
        )

    def test_no_prompt_has_the_title(
        self, retriever: Retriever, runs: Trajectories, secret: ArtQuestion
    ) -> None:
        engine, asked = talkative_engine(lambda prompt: "John Everett Millais.", lambda _: 0.0)
        leak = experiment(
            retriever, engine, questions=[secret], inputs=["without-title"], pictures=Pictures()
        )
        list(leak.run(runs))
        assert all(run.is_complete for run in runs)
        assert asked.prompts
        assert asked.judged
        for prompt in (*asked.prompts, *asked.judged):
            everything = f"{prompt}".casefold()
            assert "zzyzx" not in everything
            assert "What is this?" in prompt.text
        (image,) = asked.images
        assert image
        assert "Zzyzx" not in f"{image.info} {getattr(image, 'filename', '')}"

    def test_with_title_every_prompt_has_it(
        self, retriever: Retriever, runs: Trajectories, secret: ArtQuestion
    ) -> None:
        engine, asked = talkative_engine(lambda prompt: "Millais.", lambda _: 0.0)
        list(experiment(retriever, engine, questions=[secret], inputs=["with-title"]).run(runs))
        for prompt in (*asked.prompts, *asked.judged):
            assert "Question: What is Zzyzx at Dawn?" in prompt.text

    def test_on_real_questions(self, shipped: Retriever, runs: Trajectories, data: Path) -> None:
        """The answers name other works, so that facts come in; none may be about the work."""
        questions = read_questions(data / "qa/artpedia.jsonl")[::60]
        answer = "It is like Guernica, which is in Madrid."
        engine, asked = talkative_engine(lambda prompt: answer, lambda _: 0.0)
        for question in questions:
            if question.title in f"{answer} Guernica Pablo Picasso":
                continue
            asked.prompts.clear()
            asked.judged.clear()
            leak = experiment(shipped, engine, questions=[question], inputs=["without-title"])
            list(leak.run(runs))
            assert any(prompt.facts for prompt in asked.prompts)
            for prompt in (*asked.prompts, *asked.judged):
                about_it = [f for f in prompt.facts if question.artwork == f.anchor.id]
                assert not about_it
                asked_text = prompt.text.split("Question: ")[1]
                assert question.title not in asked_text


class TestFailures:
    def test_a_failed_run_is_kept_and_tried_again(
        self, retriever: Retriever, runs: Trajectories
    ) -> None:
        one = {"questions": QUESTIONS[:1], "inputs": ["with-title"], "arms": [Arm("loop", "qid")]}
        broken = scripted_engine(["One.", EngineError("the server is down")], [0.1, 0.1])
        (failed,) = experiment(retriever, broken, **one).run(runs)
        assert isinstance(failed, Trajectory)
        assert (failed.status, failed.error) == ("failed", "the server is down")
        (mended,) = experiment(retriever, scripted_engine(SCRIPT, VERDICTS), **one).run(runs)
        assert isinstance(mended, Trajectory)
        assert mended.is_complete
        assert not list(experiment(retriever, broken, **one).run(runs))

    def test_ten_in_a_row_end_it(self, retriever: Retriever, runs: Trajectories) -> None:
        broken = scripted_engine([EngineError("the server is down.")], [])
        asked = experiment(retriever, broken, arms=arms_for(["loop", "baseline"], RANKINGS))
        with pytest.raises(EngineError, match=r"10 runs failed in a row, .* the server is down\."):
            list(asked.run(runs))
        assert len(list(runs)) < 24

    def test_runs_that_keep_failing_do_not_keep_the_others_from_being_made(
        self, retriever: Retriever, runs: Trajectories
    ) -> None:
        broken = scripted_engine([EngineError("a filter")])
        arms = arms_for(["loop", "baseline"], RANKINGS)
        for _ in range(3):
            with contextlib.suppress(EngineError):
                list(experiment(retriever, broken, arms=arms).run(runs))
        outcomes = list(experiment(retriever, broken, arms=arms).run(runs))
        assert len(outcomes) == 24

    def test_a_picture_that_cannot_be_had_is_no_end(
        self, retriever: Retriever, runs: Trajectories, tmp_path: Path
    ) -> None:
        Image.new("RGB", (64, 64)).save(tmp_path / "mariana.png")
        engine, asked = talkative_engine(lambda prompt: "x", lambda _: 0.0)
        outcomes = list(experiment(retriever, engine, pictures=Pictures(tmp_path)).run(runs))
        missing = [outcome for outcome in outcomes if isinstance(outcome, Unreachable)]
        assert sorted(outcome.id for outcome in missing) == ["1", "3"]
        assert "has no picture" in missing[0].reason
        assert {run.key.id for run in runs} == {"2"}
        (image,) = asked.images
        assert image
        assert image.size == (64, 64)

    def test_an_engine_that_judges_nothing_cannot_validate(self, retriever: Retriever) -> None:
        with pytest.raises(UsageError, match="leave validate out"):
            experiment(retriever, scripted_engine(SCRIPT), arms=[Arm("validate", "qid")])


def test_stopping_keeps_what_is_finished_and_nothing_else(
    retriever: Retriever, runs: Trajectories
) -> None:
    stop = threading.Event()
    asked = experiment(retriever, scripted_engine(SCRIPT, VERDICTS))
    for number, _ in enumerate(asked.run(runs, stop=stop), start=1):
        if number == 5:
            stop.set()
    assert all(run.is_complete for run in runs)
    assert 5 <= len(list(runs)) < 24
    list(asked.run(runs))
    assert len(list(runs)) == 24


@pytest.mark.parametrize("workers", [1, 4])
def test_workers_change_nothing_but_the_order(
    retriever: Retriever, tmp_path: Path, workers: int
) -> None:
    runs = Trajectories(tmp_path / "runs.jsonl")
    list(experiment(retriever, preview_engine()).run(runs, workers=workers))
    answers = {run.key: [step.answer for step in run.steps] for run in runs}
    alone = Trajectories(tmp_path / "alone.jsonl")
    list(experiment(retriever, preview_engine()).run(alone))
    assert answers == {run.key: [step.answer for step in run.steps] for run in alone}


class TestRows:
    def test_the_order_of_table_1(self) -> None:
        rows = rows_for(METHODS, RANKINGS, ["without-title", "with-title"])
        assert [tuple(row) for row in rows[:8]] == [
            ("with-title", "loop", "pid"),
            ("with-title", "loop", "pid-qid"),
            ("with-title", "loop", "qid"),
            ("with-title", "validate", "pid"),
            ("with-title", "validate", "pid-qid"),
            ("with-title", "validate", "qid"),
            ("with-title", "baseline", None),
            ("without-title", "loop", "pid"),
        ]
        assert len(rows) == 14

    @pytest.mark.parametrize(
        ("method", "answer", "iterations", "accepted"),
        [
            ("baseline", SCRIPT[0], 1, None),
            ("validate", SCRIPT[2], 3, True),
            ("loop", SCRIPT[3], 5, True),
        ],
    )
    def test_what_a_row_gives(
        self,
        retriever: Retriever,
        runs: Trajectories,
        method: Method,
        answer: str,
        iterations: int,
        accepted: bool | None,
    ) -> None:
        list(experiment(retriever, scripted_engine(SCRIPT, VERDICTS)).run(runs))
        row = Row("with-title", method, None if method == "baseline" else "qid")
        one = given(row, ["1", "absent"], runs)["1"]
        assert (one.answer, one.iterations, one.accepted) == (answer, iterations, accepted)
        # Ophelia: 2 facts; then Millais: 3, Tate Britain: 2, and twice Ophelia again, since
        # nothing was named
        assert one.facts == sum([2, 3, 2, 2, 2][:iterations]) * (method != "baseline")
        assert one.lookups == iterations * (method != "baseline")


def test_lines_hold_no_picture_and_no_prompt(
    retriever: Retriever, runs: Trajectories, tmp_path: Path
) -> None:
    list(experiment(retriever, scripted_engine(SCRIPT, VERDICTS)).run(runs))
    line = json.loads((tmp_path / "trajectories.jsonl").read_text().splitlines()[0])
    assert set(line) == {
        "id", "input", "method", "ranking", "status", "error", "found", "entity", "steps",
        "written", "tokens",
    }  # fmt: skip
