"""The input setting Recognised: what is asked, and that the set's own title stays out of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from expartkg.cli import main
from expartkg.evaluation.experiment import Experiment
from expartkg.evaluation.pictures import Pictures
from expartkg.evaluation.questions import ArtQuestion, question_to_json
from expartkg.evaluation.recognising import RecognitionCounts, artwork_for, recognition_counts
from expartkg.evaluation.trajectories import INPUTS, Arm, Trajectories
from expartkg.recognition import PictureIndex
from expartkg.recognition.encoders import Encoder
from expartkg.recognition.opening import own_index
from expartkg.recognition.recogniser import describe
from expartkg.records import Artwork
from expartkg.retrieval.retriever import Retriever
from expartkg.settings import Settings
from tests.evaluation.conftest import WriteLines
from tests.evaluation.talkative import talkative_engine
from tests.recognition.painted import painted

SECRET = ArtQuestion(
    "1",
    "Zzyzx at Dawn",
    "By John Everett Millais.",
    artwork="Q1",
    image="work.png",
    with_title="What is Zzyzx at Dawn? Say more of Zzyzx at Dawn.",
    without_title="What is this?",
)
PLAIN = ArtQuestion("2", "Zzyzx at Noon", "By John Everett Millais.", image="work.png")
LOOP = Arm("loop", "qid")


@pytest.fixture
def pictures(tmp_path: Path) -> Pictures:
    painted(1).save(tmp_path / "work.png")
    return Pictures(tmp_path)


@pytest.mark.parametrize(
    ("input", "recognised", "artwork", "text"),
    [
        ("with-title", "Q1", Artwork(title="Zzyzx at Dawn"), SECRET.with_title),
        ("without-title", "Q1", Artwork(), "What is this?"),
        ("recognised", None, Artwork(), "What is this?"),
        (
            "recognised",
            "Q1",
            Artwork(id="Q1", found="recognised"),
            "What is {title}? Say more of {title}.",
        ),
    ],
)
def test_what_is_known_and_asked(
    input: str, recognised: str | None, artwork: Artwork, text: str
) -> None:
    (known,) = (each for each in INPUTS if each == input)
    assert artwork_for(SECRET, known, None, recognised) == (artwork, text)


def test_without_a_question_of_its_own_the_standard_one_is_asked() -> None:
    assert artwork_for(PLAIN, "recognised", None, "Q1")[1] is None


def test_a_title_inside_of_a_longer_word_is_no_title() -> None:
    asked = ArtQuestion("3", "Art", "By nobody.", with_title="Of this Artwork, Art, say more.")
    assert artwork_for(asked, "recognised", None, "Q1")[1] == "Of this Artwork, {title}, say more."


def prompts_of(
    retriever: Retriever, pictures: Pictures, runs: Trajectories, recognised: str | None
) -> list[str]:
    engine, asked = talkative_engine(lambda prompt: "Nothing to say.", lambda _: 0.0)
    seen: list[Image.Image] = []

    def recognise(picture: Image.Image) -> str | None:
        seen.append(picture)
        return recognised

    experiment = Experiment(
        [SECRET, PLAIN],
        ["recognised"],
        [LOOP, Arm("baseline", None)],
        retriever,
        engine,
        Settings(max_iterations=1),
        pictures,
        recognise,
    )
    list(experiment.run(runs))
    assert all(run.is_complete for run in runs)
    assert len(seen) == 2
    return [prompt.text for prompt in asked.prompts]


def test_a_recognised_work_is_asked_about_by_the_graphs_title(
    retriever: Retriever, pictures: Pictures, runs: Trajectories
) -> None:
    texts = prompts_of(retriever, pictures, runs, "Q1")
    label = retriever.graph.entity("Q1").label
    assert any(f"What is {label}? Say more of {label}." in text for text in texts)
    assert any(f'Explain the artwork "{label}".' in text for text in texts)
    assert not any("Zzyzx" in text for text in texts)
    assert {(run.found, run.entity) for run in runs} == {("recognised", "Q1")}
    assert recognition_counts([SECRET, PLAIN], runs) == RecognitionCounts(2, 2, 1, 1)


def test_a_work_that_is_not_recognised_is_asked_about_as_without_a_title(
    retriever: Retriever, pictures: Pictures, runs: Trajectories
) -> None:
    texts = prompts_of(retriever, pictures, runs, None)
    assert any("What is this?" in text for text in texts)
    assert any("Explain this artwork." in text for text in texts)
    assert not any("Zzyzx" in text for text in texts)
    assert {run.found for run in runs} == {"none"}
    assert recognition_counts([SECRET, PLAIN], runs) == RecognitionCounts(2, 0, 0, 0)


def test_a_wrongly_recognised_work_is_counted_as_wrong(
    retriever: Retriever, pictures: Pictures, runs: Trajectories
) -> None:
    prompts_of(retriever, pictures, runs, "Q2")
    assert recognition_counts([SECRET, PLAIN], runs) == RecognitionCounts(2, 2, 1, 0)


def test_other_settings_recognise_nothing(
    retriever: Retriever, pictures: Pictures, runs: Trajectories
) -> None:
    def recognise(picture: Image.Image) -> str | None:
        raise AssertionError("nobody asked for that")

    engine, _ = talkative_engine(lambda prompt: "Nothing to say.", lambda _: 0.0)
    experiment = Experiment(
        [SECRET], INPUTS[:2], [LOOP], retriever, engine, Settings(), pictures, recognise
    )
    list(experiment.run(runs))
    assert recognition_counts([SECRET], runs) is None


Evaluate = Callable[..., tuple[int, str, str]]


@pytest.fixture
def evaluate(
    retriever: Retriever,
    encoder: Encoder,
    write_lines: WriteLines,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Evaluate:
    """The command, about one work whose picture is in the index and one whose is not."""
    monkeypatch.setattr("expartkg.evaluation.report.writing.FIGURE_ENDINGS", ())
    monkeypatch.setenv("EXPARTKG_CACHE", str(tmp_path / "cache"))
    works = {"Q1": 1, "Q4": 2}
    known = [describe(encoder, painted(1), "Q1", "")]
    own = own_index(tmp_path / "cache", retriever.graph.key, encoder.name)
    PictureIndex(encoder.name, known).save(own)
    questions = []
    for id, seed in works.items():
        painted(seed).resize((360, 270)).save(tmp_path / f"{seed}.png")
        title = retriever.graph.entity(id).label
        reference = "By John Everett Millais."
        questions.append(ArtQuestion(id, title, reference, artwork=id, image=f"{seed}.png"))
    file = write_lines([question_to_json(question) for question in questions], "questions.jsonl")
    common = ["--questions", str(file), "--kg", str(tmp_path / "graph.nt"), "--engine", "preview"]
    common += ["--images", str(tmp_path), "--out", str(tmp_path / "out"), "--rankings", "qid"]

    def run(*more: str) -> tuple[int, str, str]:
        return main(["evaluate", *common, *more]), *capsys.readouterr()

    return run


def test_the_report_has_a_table_of_its_own_and_says_what_was_recognised(
    evaluate: Evaluate, tmp_path: Path
) -> None:
    code, out, err = evaluate("--inputs", "without-title", "recognised")
    assert code == 0, err
    without, ours = out.split("\n\n")[:2]
    assert without.startswith("Without Title\n")
    assert ours.startswith("Recognised (not in the paper)\n")
    assert "the paper" in without
    assert "the paper" not in ours.removeprefix("Recognised (not in the paper)")
    assert "Recognised by their pictures: 1 works of 2; of 1 that can be checked 1 are" in out
    document = json.loads((tmp_path / "out/report/report.json").read_text())
    assert document["recognition"] == {"questions": 2, "recognised": 1, "checked": 1, "right": 1}
    scores = {
        row["input"]: row["scores"]["ef1"]
        for row in document["rows"]
        if row["method"] == "validate"
    }
    assert scores["recognised"] > scores["without-title"]
    assert document["conditions"]["recognition"]["pictures"] == 1


def test_pictures_are_needed(evaluate: Evaluate) -> None:
    code, _, err = evaluate("--inputs", "recognised", "--no-images")
    assert code == 2
    assert "leave --no-images out" in err
