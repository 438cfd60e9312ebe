"""How long scoring takes, what an iteration costs beside the model, and what need not be asked."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path

import pytest

from expartkg.cli import main
from expartkg.engines.base import Engine
from expartkg.engines.scripted import scripted_engine
from expartkg.evaluation.experiment import Experiment, arms_for
from expartkg.evaluation.questions import ArtQuestion
from expartkg.evaluation.rows import generations_alone, given, rows_for
from expartkg.evaluation.trajectories import INPUTS, Trajectories
from expartkg.records import Prompt
from expartkg.retrieval.retriever import Retriever
from expartkg.settings import METHODS, RANKINGS, Settings
from tests.evaluation.talkative import talkative_engine

pytestmark = pytest.mark.benchmark

PAIRS = 1199
"""As many as the paper has questions."""
WORKS = 40


def text(choose: random.Random, names: list[str], words: int) -> str:
    """Sentences of about a dozen words, one in six the name of an entity."""
    pieces: list[str] = []
    for number in range(words * 2 // 3):
        is_name = choose.random() < 1 / 6
        pieces.append(choose.choice(names) if is_name else choose.choice(FILLER))
        if number % 8 == 7:
            pieces[-1] += "."
    return " ".join(pieces)


FILLER = "the a of and in light shows painted with its figure behind before which was dark".split()


@pytest.fixture(scope="module")
def works(shipped: Retriever) -> list[ArtQuestion]:
    artworks = [entity for entity in shipped.graph.entities if entity.kind == "Artwork"]
    return [
        ArtQuestion(entity.id, entity.label, f"It is {entity.label}.")
        for entity in artworks[:: len(artworks) // WORKS][:WORKS]
    ]


def experiment(works: list[ArtQuestion], retriever: Retriever, engine: Engine) -> Experiment:
    arms = arms_for(METHODS, RANKINGS)
    return Experiment(works, INPUTS[:2], arms, retriever, engine, Settings())


def test_scoring(
    shipped: Retriever, tmp_path: Path, slowness: float, capsys: pytest.CaptureFixture[str]
) -> None:
    choose = random.Random(1)
    names = [entity.label for entity in shipped.graph.entities if entity.kind != "Concept"]
    path = tmp_path / "pairs.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number in range(PAIRS):
            some = choose.sample(names, 15)
            pair = {"generated": text(choose, some, 120), "reference": text(choose, some, 210)}
            file.write(json.dumps({"id": number, **pair}) + "\n")
    began = time.process_time()
    assert main(["score", str(path), "--json"]) == 0
    seconds = time.process_time() - began
    document = json.loads(capsys.readouterr().out)
    assert len(document["samples"]) == PAIRS
    print(f"score: {PAIRS} pairs in {seconds:.1f} s, slowness {slowness:.1f}")
    assert seconds < 12 * slowness


def test_an_iteration_beside_the_engine(
    shipped: Retriever, works: list[ArtQuestion], tmp_path: Path, slowness: float
) -> None:
    shipped.warm_up()
    others = [work.title for work in works]
    answers = [
        f"It is like {one} and {other}." for one, other in zip(others, others[5:], strict=False)
    ]
    runs = Trajectories(tmp_path / "runs.jsonl")
    asked = experiment(works, shipped, scripted_engine(answers[:5], [0.1, 0.2, 0.3, 0.4, 0.45]))
    began = time.process_time()
    list(asked.run(runs))
    seconds = time.process_time() - began
    iterations = sum(len(run.steps) for run in runs)
    assert iterations == WORKS * 2 * (1 + 3 * 5)
    each = seconds / iterations
    print(f"beside the engine: {each * 1e3:.2f} ms an iteration, slowness {slowness:.1f}")
    assert each < 0.020 * slowness


def test_what_need_not_be_written(
    shipped: Retriever, works: list[ArtQuestion], tmp_path: Path
) -> None:
    """With an engine that, like a greedy model, says the same to the same prompt."""

    def write(prompt: Prompt) -> str:
        """Names the first fact's ends; a model names some of them too, and comes to rest."""
        named = [name for fact in prompt.facts[:3] for name in fact.triple.labels[::2]]
        return f"It has to do with {', '.join(dict.fromkeys(named))}." if named else "A picture."

    engine, _ = talkative_engine(write, lambda answer: 0.4 + 0.2 * (len(answer) % 3 == 0))
    runs = Trajectories(tmp_path / "runs.jsonl")
    list(experiment(works, shipped, engine).run(runs))
    rows = rows_for(METHODS, RANKINGS, INPUTS[:2])
    ids = [work.id for work in works]
    alone = generations_alone({row: given(row, ids, runs) for row in rows})
    derived = sum(len(run.steps) for run in runs)
    written = sum(run.written for run in runs)
    print(
        f"answers: {alone} if every row were run on its own, {derived} with RAG-Validate derived "
        f"({1 - derived / alone:.0%} fewer), {written} with equal prompts asked once "
        f"({1 - written / alone:.0%} fewer)"
    )
    assert written <= derived <= 0.9 * alone
