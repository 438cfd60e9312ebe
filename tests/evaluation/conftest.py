"""What the tests of the evaluation share."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest

from expartkg.evaluation.metrics.reading import Reader, Reading
from expartkg.evaluation.questions import ArtQuestion
from expartkg.evaluation.trajectories import Trajectories
from expartkg.retrieval.dictionary import Dictionary
from expartkg.retrieval.retriever import Retriever
from expartkg.retrieval.store import Graph
from tests.ophelia import EDGES, KINDS, LABELS

NAMES = (
    "Mona Lisa",
    "Leonardo da Vinci",
    "Leonardo",
    "Louvre",
    "Paris",
    "Self-Portrait",
    "Self-Portrait with a Friend",
    "St. John",
    "U.S. Marshal House",
    "Élisabeth Vigée Le Brun",
    "L'Estaque",
    "漢字",
)
"""The dictionary of all cases that are worked out by hand."""

Read = Callable[[str], Reading]
WriteLines = Callable[..., Path]


@pytest.fixture(scope="session")
def dictionary() -> Dictionary:
    return Dictionary(NAMES)


@pytest.fixture(scope="session")
def read(dictionary: Dictionary) -> Read:
    return Reader(dictionary).read


@pytest.fixture
def write_lines(tmp_path: Path) -> WriteLines:
    """Writes a file with one JSON object, or one line as it is given, a line."""

    def write(lines: Iterable[Mapping[str, object] | str], name: str = "pairs.jsonl") -> Path:
        path = tmp_path / name
        texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        path.write_text("".join(text + "\n" for text in texts), encoding="utf-8")
        return path

    return write


QUESTIONS = (
    ArtQuestion(
        "1", "Ophelia", "John Everett Millais painted it. It is in Tate Britain in London."
    ),
    ArtQuestion("2", "Mariana", "By John Everett Millais of Southampton.", image="mariana.png"),
    ArtQuestion("3", "Unknown work", "Also by John Everett Millais."),
)


@pytest.fixture
def retriever(make_graph: Callable[..., Graph]) -> Retriever:
    """A graph of two works by one painter."""
    return Retriever(make_graph(EDGES, LABELS, KINDS))


@pytest.fixture
def runs(tmp_path: Path) -> Trajectories:
    """An empty file of runs."""
    return Trajectories(tmp_path / "trajectories.jsonl")
