"""Question sets: which fields are taken, from which files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from expartkg.construction.questions import Passage, read_questions
from expartkg.errors import SourceError

EXPART_SHAPE = [
    {
        "id": "0001_T",
        "title": "The Red Boat",
        "conversations": [
            {"from": "user", "value": "<img>a.jpg</img>Explain the artwork The Red Boat."},
            {"from": "assistant", "value": "The Red Boat was painted by Ada Painter."},
        ],
    },
    {
        "id": "0001_NT",
        "title": "The Red Boat",
        "conversations": [
            {"from": "user", "value": "<img>a.jpg</img>Explain this artwork."},
            {"from": "assistant", "value": "The Red Boat was painted by Ada Painter."},
        ],
    },
]


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, object], str]:
    """Writes a file of questions: JSON, or a record a line."""

    def write(name: str, content: Any) -> str:
        path = tmp_path / name
        lines = isinstance(content, list) and path.suffix == ".jsonl"
        text = "\n".join(map(json.dumps, content)) if lines else json.dumps(content)
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


Write = Callable[[str, object], str]


def test_artpedia_gives_titles_artists_and_sentences_of_both_kinds(write: Write) -> None:
    record = {
        "qid": "Q1",
        "title": "The Red Boat",
        "wikidata_label": "The Red Boat",
        "artist": "Ada Painter",
        "artpedia_file": "1.jpg",
        "visual_sentences": ["A boat."],
        "contextual_sentences": ["In Town."],
    }
    assert read_questions(write("q.jsonl", [record])).passages == (
        Passage("Q1", "reference", "A boat."),
        Passage("Q1", "reference", "In Town."),
        Passage("Q1", "title", "The Red Boat"),
        Passage("Q1", "artist", "Ada Painter"),
    )


def test_a_conversation_gives_question_and_reference(write: Write) -> None:
    asked = read_questions(write("q.json", EXPART_SHAPE))
    assert asked.questions == 2
    fields = [(p.question, p.field) for p in asked.passages]
    assert fields == [
        (id, field) for id in ("0001_T", "0001_NT") for field in ("title", "question", "reference")
    ]


@pytest.mark.parametrize("question", ["question", "prompt", "instruction", "input"])
@pytest.mark.parametrize("reference", ["reference", "answer", "explanation", "output", "response"])
def test_fields_may_have_other_names(write: Write, question: str, reference: str) -> None:
    asked = read_questions(write("q.json", [{"id": 7, question: "Who?", reference: "Ada."}]))
    assert asked.passages == (Passage("7", "question", "Who?"), Passage("7", "reference", "Ada."))


def test_a_record_without_an_id_has_its_number(write: Write) -> None:
    asked = read_questions(write("mine.json", [{"title": "A"}, {"title": "B"}]))
    assert [passage.question for passage in asked.passages] == ["mine-1", "mine-2"]


def test_splits_in_one_object_are_all_read(write: Write) -> None:
    asked = read_questions(write("q.json", {"train": [{"title": "A"}], "test": [{"title": "B"}]}))
    assert [passage.text for passage in asked.passages] == ["A", "B"]


def test_a_text_counts_once_under_two_names(write: Write) -> None:
    record = {"title": "A", "wikidata_label": "A", "reference": ["x", 3, None, "", "x"]}
    texts = [passage.text for passage in read_questions(write("q.json", [record])).passages]
    assert texts == ["x", "A"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("q.json", "[", "not JSON"),
        ("q.jsonl", '{"title": "A"}\n{', "not JSON"),
        ("q.json", "[3]", "record 1 is no object"),
        ("q.json", "[]", "has no question"),
        ("q.json", '[{"image": "a.jpg"}]', "has no question"),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(SourceError, match=message):
        read_questions(str(tmp_path / name))


def test_a_missing_file_is_no_data_set() -> None:
    with pytest.raises(SourceError, match=r"no file missing\.jsonl"):
        read_questions("missing.jsonl")


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[tuple[str, dict[str, Any]]]:
    """A hub that has ExpArt only; the list says what was asked of it."""
    asked: list[tuple[str, dict[str, Any]]] = []
    (tmp_path / "hub" / "data").mkdir(parents=True)
    for split in ("train", "test"):
        text = json.dumps(EXPART_SHAPE)
        (tmp_path / "hub" / "data" / f"{split}.json").write_text(text, encoding="utf-8")

    def snapshot_download(name: str, **options: Any) -> str:
        asked.append((name, options))
        if name != "naist-nlp/ExpArt":
            raise OSError("404: no such data set")
        return str(tmp_path / "hub")

    monkeypatch.setattr("huggingface_hub.snapshot_download", snapshot_download)
    return asked


@pytest.mark.parametrize("source", ["expart", "ExpArt", "naist-nlp/ExpArt"])
def test_expart_comes_from_the_hub(hub: list[Any], source: str) -> None:
    asked = read_questions(source)
    assert [file.name for file in asked.files] == ["test.json", "train.json"]
    assert asked.questions == 2
    assert hub[0][0] == "naist-nlp/ExpArt"
    assert hub[0][1]["repo_type"] == "dataset"


def test_a_data_set_that_the_hub_does_not_have_is_one_line(hub: list[Any]) -> None:
    with pytest.raises(SourceError, match=r"a/b cannot be fetched from the hub \(404"):
        read_questions("a/b")
    assert len(hub) == 1
