"""Sets of questions of several shapes, and which of them are asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from expartkg.errors import DataError, UsageError
from expartkg.evaluation.hub import find_questions
from expartkg.evaluation.questions import (
    ArtQuestion,
    names_its_title,
    question_to_json,
    read_questions,
    sampled,
)
from expartkg.evaluation.selection import Counts, select
from expartkg.retrieval.dictionary import Dictionary
from tests.evaluation.conftest import WriteLines

OWN = {
    "id": 7,
    "title": "Ophelia",
    "reference": "By Millais.",
    "artist": "Millais",
    "image": "o.jpg",
}
ARTPEDIA = {
    "qid": "Q1",
    "title": "Ophelia",
    "artist": "Millais",
    "visual_sentences": ["She floats."],
    "contextual_sentences": ["It is in Tate Britain.", "Millais made it."],
}
EXPART = [
    {
        "id": "0001_T",
        "title": "Ophelia",
        "image_url": "https://commons.wikimedia.org/wiki/File:Ophelia.jpg",
        "conversations": [
            {
                "from": "user",
                "value": "<img>/images/O.jpg</img>\nFocus on Ophelia and its history.",
            },
            {"from": "assistant", "value": "Millais painted it."},
        ],
    },
    {
        "id": "0001_NT",
        "title": "Ophelia",
        "conversations": [
            {"from": "user", "value": "<img>/images/O.jpg</img>\nFocus on this artwork's history."},
            {"from": "assistant", "value": "Millais painted it."},
        ],
    },
]


def test_ones_own_questions(write_lines: WriteLines) -> None:
    (question,) = read_questions(write_lines([OWN]))
    assert question == ArtQuestion("7", "Ophelia", "By Millais.", "Millais", image="o.jpg")
    assert question.text(with_title=True) is question.text(with_title=False) is None


def test_artpedia(write_lines: WriteLines) -> None:
    (question,) = read_questions(write_lines([ARTPEDIA]))
    assert (question.id, question.artwork, question.artist) == ("Q1", "Q1", "Millais")
    assert question.reference == "She floats. It is in Tate Britain. Millais made it."


@pytest.mark.parametrize("as_list", [True, False])
def test_expart(tmp_path: Path, write_lines: WriteLines, *, as_list: bool) -> None:
    path = write_lines(EXPART, "test.json")
    if as_list:
        path.write_text(json.dumps(EXPART), encoding="utf-8")
    (question,) = read_questions(path)
    assert question == ArtQuestion(
        id="0001",
        title="Ophelia",
        reference="Millais painted it.",
        image="https://commons.wikimedia.org/wiki/File:Ophelia.jpg",
        with_title="Focus on Ophelia and its history.",
        without_title="Focus on this artwork's history.",
    )


def test_a_picture_may_stand_in_the_question_alone(write_lines: WriteLines) -> None:
    (question,) = read_questions(write_lines([EXPART[1]]))
    assert (question.image, question.with_title) == ("/images/O.jpg", None)


def test_a_question_without_a_setting_is_with_the_title_if_it_has_it(
    write_lines: WriteLines,
) -> None:
    asked = {**OWN, "question": "Who made Ophelia?"}
    other = {**OWN, "question": "Who made this?"}
    (question,) = read_questions(write_lines([asked, other]))
    assert (question.with_title, question.without_title) == ("Who made Ophelia?", "Who made this?")


def test_what_is_written_is_read_back(write_lines: WriteLines) -> None:
    questions = read_questions(write_lines([*EXPART, OWN, ARTPEDIA]))
    again = write_lines([question_to_json(question) for question in questions], "again.jsonl")
    assert read_questions(again) == questions


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ([], "has no question"),
        (["[]"], "has no question"),
        (["[1]"], "record 1 is no object"),
        (["[{]"], "begins as a list but is not JSON"),
        (["nonsense"], "line 1 is not JSON"),
        ([{"title": "x", "reference": "y"}], "line 1 has no id; add a field of the name id"),
        ([{"id": 1, "reference": "y"}], "line 1 has no title"),
        ([{"id": 1, "title": "x", "reference": " "}], "line 1 has no reference"),
        ([OWN, ARTPEDIA, OWN], "line 3 has the id of"),
        ([EXPART[0], EXPART[0]], "line 2 has the id of"),
        ([EXPART[0], {**EXPART[1], "title": "Mariana"}], "an id of its own"),
    ],
)
def test_bad_files_are_told_with_the_place(
    write_lines: WriteLines, lines: list[Any], reason: str
) -> None:
    with pytest.raises(DataError) as error:
        read_questions(write_lines(lines))
    assert reason in str(error.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="There is no file"):
        find_questions(str(tmp_path / "missing.jsonl"))
    with pytest.raises(DataError, match="cannot be read"):
        read_questions(tmp_path)


class TestHub:
    @pytest.fixture
    def files(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """The folder that the hub is said to have; what it was asked for is in `asked.txt`."""

        def snapshot_download(name: str, *, repo_type: str, allow_patterns: list[str]) -> str:
            (tmp_path / "asked.txt").write_text(f"{repo_type} {name}")
            return str(tmp_path)

        monkeypatch.setattr("huggingface_hub.snapshot_download", snapshot_download)
        return tmp_path

    def test_the_test_files_of_expart(self, files: Path, write_lines: WriteLines) -> None:
        write_lines(EXPART, "test_seen.json")
        write_lines([OWN], "test_unseen.json")
        write_lines(["not looked at"], "train.json")
        questions = find_questions("expart")
        assert [question.id for question in questions] == ["test_seen/0001", "test_unseen/7"]
        assert (files / "asked.txt").read_text() == "dataset naist-nlp/ExpArt"

    def test_any_other_data_set(self, files: Path, write_lines: WriteLines) -> None:
        write_lines([OWN], "data.jsonl")
        assert [question.id for question in find_questions("someone/paintings")] == ["7"]

    def test_one_without_a_file_that_can_be_read(self, files: Path) -> None:
        with pytest.raises(DataError, match=r"has no \.json or \.jsonl file"):
            find_questions("someone/paintings")

    def test_no_network(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: object, **__: object) -> str:
            raise OSError("no route\nto the hub")

        monkeypatch.setattr("huggingface_hub.snapshot_download", refuse)
        with pytest.raises(DataError, match=r"cannot be fetched from the hub \(no route\)"):
            find_questions("expart")


def question(number: int, **fields: str) -> ArtQuestion:
    return ArtQuestion(str(number), **{"title": "Ophelia", "reference": "By Millais.", **fields})


class TestSelection:
    QUESTIONS = tuple(question(number) for number in range(200))
    NAMES = Dictionary(["Millais"])

    def test_a_sample_is_the_same_whatever_the_order(self) -> None:
        chosen = sampled(self.QUESTIONS, 0.25, seed=3)
        assert len(chosen) == 50
        assert set(sampled(self.QUESTIONS[::-1], 0.25, seed=3)) == set(chosen)
        assert [int(question.id) for question in chosen] == sorted(int(q.id) for q in chosen)

    def test_the_seed_decides(self) -> None:
        assert sampled(self.QUESTIONS, 0.25, seed=3) != sampled(self.QUESTIONS, 0.25, seed=4)

    def test_a_larger_sample_holds_the_smaller(self) -> None:
        smaller = sampled(self.QUESTIONS, 0.1, seed=0)
        assert set(smaller) < set(sampled(self.QUESTIONS, 0.5, seed=0))

    def test_at_least_one(self) -> None:
        assert len(sampled(self.QUESTIONS, 0.0001, seed=0)) == 1

    def test_filters_and_counts(self) -> None:
        questions = [
            *self.QUESTIONS,
            question(900, reference="Nobody is named."),
            question(901, without_title="Explain Ophelia."),
            question(902, without_title="Explain this."),
        ]
        selection = select(questions, self.NAMES, share=0.5, seed=0)
        assert selection.counts == Counts(raw=203, naming=202, filtered=201, sampled=100)
        assert len(selection.questions) == 100

    @pytest.mark.parametrize("share", [0, -1, 1.01, float("nan")])
    def test_a_share_that_is_none(self, share: float) -> None:
        with pytest.raises(UsageError, match="sample must be above 0"):
            select(self.QUESTIONS, self.NAMES, share=share, seed=0)

    def test_a_graph_that_no_reference_names(self) -> None:
        with pytest.raises(DataError, match="--kg"):
            select(self.QUESTIONS, Dictionary(["Rembrandt"]), share=1, seed=0)

    def test_questions_that_all_name_the_title(self) -> None:
        leaking = [question(1, without_title="Explain Ophelia.")]
        with pytest.raises(DataError, match="question_without_title"):
            select(leaking, self.NAMES, share=1, seed=0)

    @pytest.mark.parametrize(
        ("title", "asked", "named"),
        [
            ("Ophelia", "Explain Ophelia.", True),
            ("Ophelia", "Explain this artwork.", False),
            ("Art", "Explain this Artwork.", False),
            ("What?", "What? Explain.", True),
        ],
    )
    def test_a_title_in_the_question(self, title: str, asked: str, *, named: bool) -> None:
        assert names_its_title(question(1, title=title, without_title=asked)) is named

    def test_the_standard_question_never_has_it(self) -> None:
        assert not names_its_title(question(1, title="this artwork"))
