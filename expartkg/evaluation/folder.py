"""The folder of an experiment: what was asked, under which conditions, and what came of it.

experiment.json      the conditions; they have to be the same when it is started again
questions.jsonl      the questions that are asked, with their references
trajectories.jsonl   a finished run a line (`trajectories`)
report/              tables and figures, made anew each time
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from expartkg.engines.base import Engine
from expartkg.errors import DataError, UsageError
from expartkg.evaluation.questions import ArtQuestion, question_to_json
from expartkg.evaluation.selection import Selection
from expartkg.evaluation.trajectories import Trajectories
from expartkg.files import write_atomically
from expartkg.retrieval.store import Graph
from expartkg.settings import Settings
from expartkg.signature import signature_of

_CHOSEN_FOR_EACH_RUN = ("method", "ranking", "time_limit")

Conditions = dict[str, Any]


def conditions_of(
    selection: Selection,
    *,
    seed: int,
    graph: Graph,
    engine: Engine,
    settings: Settings,
    recognition: Mapping[str, object] | None = None,
) -> Conditions:
    """All that the answers depend on, and what is noted beside them.

    `recognition` says which index works are recognised by, if they are.
    """
    lines = _lines(selection.questions)
    kept = settings.for_run()
    signature = signature_of(graph, settings)
    return {
        "questions": {
            "sha256": hashlib.sha256(lines).hexdigest(),
            "seed": seed,
            **dataclasses.asdict(selection.counts),
        },
        "graph": signature["graph"],
        "engine": {
            "name": engine.name,
            "explainer": engine.description.get("explainer"),
            "validator": engine.description.get("validator"),
        },
        "recognition": dict(recognition or {}),
        "settings": {name: kept[name] for name in kept if name not in _CHOSEN_FOR_EACH_RUN},
        "noted": {
            "engine": dict(engine.description),
            "signature": {name: signature[name] for name in signature if name != "ranking"},
        },
    }


@dataclass(frozen=True, slots=True)
class ExperimentFolder:
    """A folder that holds one experiment."""

    path: Path

    def prepare(self, selection: Selection, conditions: Conditions) -> None:
        """Begins the experiment, or makes sure that it is this one that was begun here.

        Raises `UsageError` if another was, `DataError` if the folder is damaged.
        """
        noted = self.path / "experiment.json"
        if noted.exists():
            _check_same(self.path, self.conditions(), conditions)
            return
        write_atomically(self.path / "questions.jsonl", _lines(selection.questions))
        content = json.dumps(conditions, indent=2, default=str) + "\n"
        write_atomically(noted, content.encode())

    def conditions(self) -> Conditions:
        """What `prepare` noted."""
        path = self.path / "experiment.json"
        try:
            conditions: Conditions = json.loads(path.read_bytes())
        except (OSError, ValueError) as error:
            raise DataError(f"{path} cannot be read ({error}); use another --out.") from error
        return conditions

    def trajectories(self) -> Trajectories:
        return Trajectories(self.path / "trajectories.jsonl")


def _lines(questions: tuple[ArtQuestion, ...]) -> bytes:
    lines = [json.dumps(question_to_json(question)) + "\n" for question in questions]
    return "".join(lines).encode()


def _check_same(path: Path, begun: Mapping[str, Any], asked: Mapping[str, Any]) -> None:
    plain = json.loads(json.dumps(asked, default=str))
    others = [
        f"{part} {name} was {begun.get(part, {}).get(name)!r}, now {value!r}"
        for part in asked
        if part != "noted"
        for name, value in plain[part].items()
        if begun.get(part, {}).get(name) != value
    ]
    if others:
        raise UsageError(
            f"{path} holds another experiment ({'; '.join(others)}); use another --out."
        )
