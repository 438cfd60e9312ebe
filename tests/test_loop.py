"""The iterative loop of Section 2, with an engine that says what it was told to say."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping

import pytest

from expartkg.engines.base import AnswerStream, Engine, Session
from expartkg.engines.scripted import scripted_engine
from expartkg.errors import EngineError, UnknownEntityError, UsageError
from expartkg.loop import explain
from expartkg.records import (
    Answer,
    AnswerDelta,
    Answered,
    Artwork,
    Event,
    Finished,
    Judged,
    Prompt,
    Retrieved,
    Run,
    Started,
    StopFlag,
    Verdict,
)
from expartkg.retrieval.retriever import Retriever
from expartkg.retrieval.store import Graph
from expartkg.runs import read_run, run_to_json, to_text
from expartkg.settings import Settings
from tests.ophelia import EDGES, KINDS, LABELS

MakeGraph = Callable[..., Graph]
RunOf = Callable[[Iterable[object]], Run]

OPHELIA = Artwork(title="ophelia")


@pytest.fixture
def retriever(make_graph: MakeGraph) -> Retriever:
    return Retriever(make_graph(EDGES, LABELS, KINDS))


@pytest.fixture
def events(retriever: Retriever) -> Callable[..., Iterator[Event]]:
    def events(
        answers: list[str | Exception],
        p_true: Iterable[float | Exception] = (),
        artwork: Artwork = OPHELIA,
        engine: Engine | None = None,
        stop: StopFlag | None = None,
        question: str | None = None,
        **settings: object,
    ) -> Iterator[Event]:
        return explain(
            artwork,
            retriever=retriever,
            engine=engine or scripted_engine(answers, list(p_true)),
            settings=Settings().replace(**settings),
            stop=stop,
            question=question,
        )

    return events


def anchors(run: Run) -> list[list[str]]:
    """The entities whose facts each iteration was given, in order."""
    return [
        list(dict.fromkeys(fact.anchor.label for fact in iteration.facts))
        for iteration in run.iterations
    ]


THREE = ["Millais made Ophelia.", "John Everett Millais, Tate Britain.", "Third."]


def test_the_order_of_events(events: Callable[..., Iterator[Event]]) -> None:
    kinds = [type(event) for event in events(["One two.", "Three."], [0.1, 0.9])]
    assert kinds == [
        Started,
        *(Retrieved, AnswerDelta, AnswerDelta, Answered, Judged),
        *(Retrieved, AnswerDelta, Answered, Judged),
        Finished,
    ]


def test_validate_stops_at_true(events: Callable[..., Iterator[Event]], run_of: RunOf) -> None:
    run = run_of(events(THREE, [0.2, 0.8, 0.1]))
    assert (run.status, len(run.iterations), run.answer) == ("accepted", 2, THREE[1])
    assert [i.verdict and i.verdict.accepted for i in run.iterations] == [False, True]


def test_validate_gives_the_last_answer_when_none_is_true(
    events: Callable[..., Iterator[Event]], run_of: RunOf
) -> None:
    run = run_of(events(THREE, [0.1, 0.1, 0.1], max_iterations=3))
    assert (run.status, len(run.iterations), run.answer) == ("exhausted", 3, THREE[2])


def test_one_half_is_false(events: Callable[..., Iterator[Event]], run_of: RunOf) -> None:
    run = run_of(events(["One."], [0.5], max_iterations=1))
    assert run.status == "exhausted"


def test_loop_never_stops_early_but_judges(
    events: Callable[..., Iterator[Event]], run_of: RunOf
) -> None:
    run = run_of(events(THREE, [0.9, 0.9, 0.9], method="loop"))
    assert (run.status, len(run.iterations)) == ("exhausted", 5)
    assert all(i.verdict and i.verdict.accepted for i in run.iterations)


def test_baseline_asks_once_without_the_graph(
    events: Callable[..., Iterator[Event]], run_of: RunOf
) -> None:
    run = run_of(events(THREE, [0.1, 0.1, 0.1], method="baseline"))
    (only,) = run.iterations
    assert (run.status, only.facts, only.mentions, only.verdict) == ("exhausted", (), (), None)
    assert "Retrieved Facts" not in only.prompt.text


def test_without_a_validator_nothing_is_judged(
    events: Callable[..., Iterator[Event]], run_of: RunOf
) -> None:
    run = run_of(events(["One."], max_iterations=2))
    assert (run.status, [i.verdict for i in run.iterations]) == ("exhausted", [None, None])


class TestSources:
    def test_the_answer_before_leads_on_and_facts_are_replaced(
        self, events: Callable[..., Iterator[Event]], run_of: RunOf
    ) -> None:
        run = run_of(
            events(["John Everett Millais.", "Tate Britain."], [0.1, 0.1], max_iterations=3)
        )
        assert [i.source for i in run.iterations] == ["question", "answer", "answer"]
        assert anchors(run) == [["Ophelia"], ["John Everett Millais"], ["Tate Britain"]]

    def test_an_answer_that_names_nothing_leads_back_to_the_question(
        self, events: Callable[..., Iterator[Event]], run_of: RunOf
    ) -> None:
        run = run_of(events(["I cannot say."], [0.1], max_iterations=2))
        assert [i.source for i in run.iterations] == ["question", "question"]
        assert anchors(run) == [["Ophelia"], ["Ophelia"]]

    def test_from_the_question_always(
        self, events: Callable[..., Iterator[Event]], run_of: RunOf
    ) -> None:
        run = run_of(events(["John Everett Millais."], [0.1], max_iterations=2, source="question"))
        assert anchors(run) == [["Ophelia"], ["Ophelia"]]

    def test_from_both(self, events: Callable[..., Iterator[Event]], run_of: RunOf) -> None:
        run = run_of(events(["Tate Britain."], [0.1], max_iterations=2, source="both"))
        second = run.iterations[1]
        assert anchors(run)[1] == ["Ophelia", "Tate Britain"]
        text = f"{run.question.text}\n{run.iterations[0].answer.text}"
        assert [text[m.start : m.end] for m in second.mentions] == ["ophelia", "Tate Britain"]

    def test_the_works_own_facts_go_first(
        self, events: Callable[..., Iterator[Event]], run_of: RunOf
    ) -> None:
        run = run_of(events(["Tate Britain has Ophelia."], [0.1], max_iterations=2))
        assert anchors(run)[1] == ["Ophelia", "Tate Britain"]


class TestQuestions:
    def test_the_question_never_changes_and_facts_go_before_it(
        self, events: Callable[..., Iterator[Event]], run_of: RunOf
    ) -> None:
        run = run_of(events(THREE, [0.1, 0.1, 0.1], max_iterations=3))
        for iteration in run.iterations:
            text = iteration.prompt.text
            assert text.count('Question: Explain the artwork "ophelia".') == 1
            if iteration.facts:
                assert text.index("Retrieved Facts:") < text.index("Question:")

    def test_no_facts_means_the_prompt_without_the_graph(
        self, events: Callable[..., Iterator[Event]], run_of: RunOf
    ) -> None:
        run = run_of(events(["Who knows."], [0.9], artwork=Artwork(title="No such work 123")))
        assert run.artwork.found == "none"
        assert run.iterations[0].prompt.system.endswith("visual question answering.")

    def test_without_title_no_title_leaks_in(
        self, events: Callable[..., Iterator[Event]], run_of: RunOf
    ) -> None:
        run = run_of(events(["A woman in a river."], [0.1], artwork=Artwork(artist="Millais")))
        assert not run.question.with_title
        for iteration in run.iterations:
            assert "Question: Explain this artwork.\n" in iteration.prompt.text
            assert "Millais" not in iteration.prompt.text

    def test_wrong_calls_are_told_before_anything_starts(
        self, events: Callable[..., Iterator[Event]]
    ) -> None:
        with pytest.raises(UnknownEntityError):
            events(["x"], artwork=Artwork(id="Q99"))
        with pytest.raises(UsageError):
            events(["x"], artwork=Artwork(), question="Who made {title}?")


class Recorder(Session):
    """An engine that keeps what it was shown."""

    def __init__(self) -> None:
        self.judged: list[tuple[Prompt, str]] = []
        self.sessions = 0
        self.closed = 0

    def session(self, image: object) -> Recorder:
        self.sessions += 1
        return self

    def close(self) -> None:
        self.closed += 1

    def answer(self, prompt: Prompt, stop: StopFlag) -> AnswerStream:
        yield "Ophelia is by John Everett Millais."
        yield Answer("Ophelia is by John Everett Millais.", "stop")

    def judge(self, prompt: Prompt, answer: str, stop: StopFlag) -> Verdict:
        self.judged.append((prompt, answer))
        return Verdict(False, 0.0, 1.0, "forced")


def test_the_validator_sees_question_and_answer_only(
    events: Callable[..., Iterator[Event]], run_of: RunOf
) -> None:
    recorder = Recorder()
    run = run_of(events([], engine=Engine("recorder", recorder, recorder), max_iterations=2))
    assert len(recorder.judged) == len(run.iterations) == 2
    for prompt, answer in recorder.judged:
        assert prompt.text.startswith(f"Question: {run.question.text}\nAnswer: {answer}\n")
        assert "Tate Britain" not in prompt.text


def test_the_validator_sees_facts_only_when_asked(
    events: Callable[..., Iterator[Event]], run_of: RunOf
) -> None:
    recorder = Recorder()
    engine = Engine("recorder", recorder, recorder)
    run_of(events([], engine=engine, max_iterations=1, validator_facts=True))
    assert "[Ophelia, P195, Tate Britain]" in recorder.judged[0][0].text


def test_one_session_a_run_and_it_is_closed(
    events: Callable[..., Iterator[Event]], run_of: RunOf
) -> None:
    recorder = Recorder()
    run_of(events([], engine=Engine("recorder", recorder, recorder)))
    assert (recorder.sessions, recorder.closed) == (1, 1)


def test_a_reader_that_goes_away_closes_the_session(
    events: Callable[..., Iterator[Event]],
) -> None:
    recorder = Recorder()
    stream = events([], engine=Engine("recorder", recorder, recorder))
    for event in stream:
        if isinstance(event, AnswerDelta):
            break
    stream.close()  # type: ignore[attr-defined]
    assert recorder.closed == 1


class TestEndings:
    def test_stop_in_the_middle_of_an_answer_keeps_what_was_written(
        self, events: Callable[..., Iterator[Event]]
    ) -> None:
        stop = threading.Event()
        run = None
        for event in events(["one two three four"], [0.9], stop=stop):
            if isinstance(event, AnswerDelta) and event.text == " two":
                stop.set()
            if isinstance(event, Finished):
                run = event.run
        assert run
        assert (run.status, run.answer, run.error) == ("stopped", "one two", None)
        assert run.iterations[0].answer.finish_reason == "stopped"
        assert run.iterations[0].verdict is None

    def test_stop_before_the_start(
        self, events: Callable[..., Iterator[Event]], run_of: RunOf
    ) -> None:
        stop = threading.Event()
        stop.set()
        run = run_of(events(["one"], stop=stop))
        assert (run.status, run.iterations, run.answer) == ("stopped", (), "")

    def test_the_time_limit_ends_a_slow_answer(
        self, events: Callable[..., Iterator[Event]], run_of: RunOf
    ) -> None:
        engine = scripted_engine(["word " * 1000], seconds_per_word=0.05)
        run = run_of(events([], engine=engine, time_limit=1.5))
        assert run.status == "stopped"
        assert run.answer.startswith("word")
        assert run.error
        assert "time limit of 1.5 seconds" in run.error

    @pytest.mark.parametrize("failure", [EngineError("The server is gone."), RuntimeError("oom")])
    def test_an_engine_that_fails_leaves_a_run(
        self, events: Callable[..., Iterator[Event]], run_of: RunOf, failure: Exception
    ) -> None:
        run = run_of(events(["Millais made Ophelia.", failure], [0.1]))
        assert (run.status, len(run.iterations)) == ("failed", 2)
        assert run.error
        assert str(failure) in run.error
        assert run.iterations[0].answer.text == "Millais made Ophelia."
        assert run.iterations[1].answer.finish_reason == "failed"

    def test_a_failure_in_mid_answer_keeps_the_pieces(
        self, events: Callable[..., Iterator[Event]], run_of: RunOf
    ) -> None:
        class Breaking(Recorder):
            def answer(self, prompt: Prompt, stop: StopFlag) -> AnswerStream:
                yield "Half an "
                raise ConnectionError("gone")

        run = run_of(events([], engine=Engine("breaking", Breaking(), None)))
        assert (run.status, run.answer) == ("failed", "Half an ")
        assert run.error == "The engine breaking failed: ConnectionError: gone"

    def test_a_validator_that_fails_keeps_the_answer(
        self, events: Callable[..., Iterator[Event]], run_of: RunOf
    ) -> None:
        run = run_of(events(["One."], [EngineError("No verdict.")]))
        assert (run.status, run.answer, run.error) == ("failed", "One.", "No verdict.")

    def test_an_engine_that_ends_without_an_answer(
        self, events: Callable[..., Iterator[Event]], run_of: RunOf
    ) -> None:
        class Silent(Recorder):
            def answer(self, prompt: Prompt, stop: StopFlag) -> AnswerStream:
                yield from ()

        run = run_of(events([], engine=Engine("silent", Silent(), None)))
        assert run.status == "failed"
        assert run.error == "The engine silent ended without an answer."


def test_facts_beyond_the_budget_are_counted(
    events: Callable[..., Iterator[Event]], run_of: RunOf
) -> None:
    run = run_of(events(["One."], facts_budget=10, max_iterations=1))
    (only,) = run.iterations
    assert (len(only.facts), only.facts_dropped) == (1, 1)
    assert only.prompt.text.count("\n[") == 1


def test_the_signature_names_the_graph(
    events: Callable[..., Iterator[Event]], run_of: RunOf
) -> None:
    run = run_of(events(["One."], max_iterations=1))
    graph = run.signature["graph"]
    assert isinstance(graph, dict)
    assert (graph["name"], graph["entities"], len(str(graph["sha256"]))) == ("graph.nt", 6, 64)


def test_the_second_iteration_of_the_mona_lisa_stays_with_the_work(
    shipped: Retriever, run_of: RunOf
) -> None:
    """At least half of the facts concern the work, its artist, what it depicts or its collection,
    and none starts from oil paint."""
    answer = (
        "Mona Lisa is a portrait by Leonardo da Vinci in oil paint on poplar panel. It is in the "
        "Department of Paintings of the Louvre."
    )
    run = run_of(
        explain(
            Artwork(title="mona lisa"),
            retriever=shipped,
            engine=scripted_engine([answer, answer], [0.1]),
            settings=Settings(max_iterations=2),
        )
    )
    first, second = run.iterations
    assert {fact.anchor.id for fact in first.facts} == {"Q12418"}
    assert "Q762" in {fact.triple.object.id for fact in first.facts}
    wanted = {"P170", "P180", "P195", "P276"}
    about = {"Q12418"} | {
        fact.triple.object.id for fact in first.facts if fact.triple.predicate.id in wanted
    }
    ends = [{fact.triple.subject.id, fact.triple.object.id} for fact in second.facts]
    concerned = sum(bool(about & pair) for pair in ends)
    assert concerned / len(second.facts) >= 0.5
    assert "Q296955" not in {fact.anchor.id for fact in second.facts}


def test_a_run_that_is_stopped_during_its_verdict(retriever: Retriever, run_of: RunOf) -> None:
    """An engine that has no verdict yet can only raise."""
    stop = threading.Event()

    class Interrupted:
        def judge(self, prompt: Prompt, answer: str, stop_flag: StopFlag) -> Verdict:
            stop.set()
            raise EngineError("Stopped before there was a verdict.")

    engine = dataclasses.replace(scripted_engine(["An answer."]), validator=Interrupted())
    settings = Settings()
    run = run_of(explain(OPHELIA, retriever=retriever, engine=engine, settings=settings, stop=stop))
    assert (run.status, run.error) == ("stopped", None)
    assert run.iterations[0].answer.text == "An answer."
    assert run.iterations[0].verdict is None


def test_what_a_session_tells_is_in_the_run(retriever: Retriever, run_of: RunOf) -> None:
    class Seeing(Recorder):
        @property
        def description(self) -> Mapping[str, object]:
            return {"picture": {"width": 640, "height": 480, "tokens": 300}}

    engine = Engine("seeing", Seeing(), None, {"explainer": "x"})
    run = run_of(explain(OPHELIA, retriever=retriever, engine=engine, settings=Settings()))
    assert run.engine["picture"] == {"width": 640, "height": 480, "tokens": 300}
    assert run.engine["explainer"] == "x"


def test_a_character_that_comes_in_two_halves_is_one(
    events: Callable[..., Iterator[Event]], run_of: RunOf
) -> None:
    """JSON makes it one, and then its offsets have to be those of the text."""
    run = run_of(events(["\ud83d\ude00 Ophelia is by Millais. \ud800"], [0.9]))
    assert run.answer == "\U0001f600 Ophelia is by Millais. \ud800"
    assert run_to_json(read_run(to_text(run_to_json(run)).encode())) == run_to_json(run)
