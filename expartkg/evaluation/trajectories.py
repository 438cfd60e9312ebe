"""What an experiment keeps of every run, a line each in a file that survives being killed.

A line is whole or it is not there: it is written in one go and flushed to the disk, and a torn
line at the end, which a kill in the middle of writing may leave, is cut off at the next start.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from expartkg.errors import DataError, ExpArtError
from expartkg.evaluation.lines import read_lines
from expartkg.records import FinishReason, Iteration, Method, Run, Source, Status

Input = Literal["with-title", "without-title", "recognised"]
"""What is known of a work: the two settings of Section 4, and ours.

When its picture is `recognised` the run is one with the title that the graph has for that work,
else one without.
"""

INPUTS: tuple[Input, ...] = get_args(Input)


class Arm(NamedTuple):
    """A way of answering that is run: a row of Table 1, or several that share their runs.

    A `loop` holds the row RAG-Validate too: with greedy decoding, a run that stops at True is the
    beginning of one that does not.
    """

    method: Method
    ranking: str | None

    @property
    def name(self) -> str:
        return f"{self.method} {self.ranking}" if self.ranking else self.method


class Key(NamedTuple):
    """Which run of an experiment a line holds."""

    id: str
    input: Input
    arm: Arm


@dataclass(frozen=True, slots=True)
class Step:
    """An iteration: what was retrieved, written and judged.

    `lookups` counts the entities whose documents were fetched from the graph; `facts` are the
    triples in the prompt, as short ids; `accepted` and `p_true` are None where it was not judged.
    """

    source: Source
    lookups: int
    facts: tuple[tuple[str, str, str], ...]
    answer: str
    finish_reason: FinishReason
    tokens: int
    seconds: float
    accepted: bool | None
    p_true: float | None


@dataclass(frozen=True, slots=True)
class Trajectory:
    """All iterations of a run. `written` and `tokens` count what the engine wrote for it.

    They are less than the answers where an earlier run about the work had the same prompt.
    """

    key: Key
    status: Status
    error: str | None
    found: str
    entity: str | None
    steps: tuple[Step, ...]
    written: int
    tokens: int

    @property
    def is_complete(self) -> bool:
        """Whether the run came to its own end; others are tried again."""
        return self.status in ("accepted", "exhausted")


def trajectory_of(key: Key, run: Run, *, written: int, tokens: int) -> Trajectory:
    """What is kept of a run."""
    return Trajectory(
        key,
        run.status,
        run.error,
        run.artwork.found,
        run.artwork.id,
        tuple(map(_step, run.iterations)),
        written,
        tokens,
    )


def _step(iteration: Iteration) -> Step:
    answer, verdict = iteration.answer, iteration.verdict
    triples = [fact.triple for fact in iteration.facts]
    return Step(
        source=iteration.source,
        lookups=len({mention.entity for mention in iteration.mentions}),
        facts=tuple(
            (triple.subject.id, triple.predicate.id, triple.object.id) for triple in triples
        ),
        answer=answer.text,
        finish_reason=answer.finish_reason,
        tokens=answer.tokens,
        seconds=answer.seconds,
        accepted=verdict.accepted if verdict else None,
        p_true=verdict.p_true if verdict else None,
    )


class Trajectories:
    """The runs of one experiment, in its folder. The last line of a run counts."""

    def __init__(self, path: Path) -> None:
        """Raises `DataError` for a file with a damaged line in the middle."""
        self._path = path
        self._lock = threading.Lock()
        _cut_torn_line(path)
        self._by_key = {trajectory.key: trajectory for trajectory in _read(path)}

    def __iter__(self) -> Iterator[Trajectory]:
        return iter(self._by_key.values())

    def get(self, key: Key) -> Trajectory | None:
        """The run of that key if it is complete."""
        found = self._by_key.get(key)
        return found if found and found.is_complete else None

    def append(self, trajectory: Trajectory) -> None:
        """Adds a run; when this returns, it is on the disk. May be called by several threads.

        Raises `ExpArtError` if it cannot be written.
        """
        line = json.dumps(_to_json(trajectory)).encode() + b"\n"
        with self._lock:
            try:
                _append(self._path, line)
            except OSError as error:
                raise ExpArtError(
                    f"{self._path} cannot be written ({error.strerror or error}); make room and "
                    "start the same command again."
                ) from error
            self._by_key[trajectory.key] = trajectory


def _append(path: Path, line: bytes) -> None:
    """All of a line or nothing, unless the process dies in between."""
    with path.open("ab", buffering=0) as file:
        end = file.tell()
        try:
            left = line
            while left:
                left = left[file.write(left) :]
            os.fsync(file.fileno())
        except OSError:
            # The disk is full: what did fit must not run into the next line.
            file.truncate(end)
            raise


def _cut_torn_line(path: Path) -> None:
    if not path.exists():
        return
    with path.open("rb+") as file:
        content = file.read()
        end = content.rfind(b"\n") + 1
        if end < len(content):
            file.truncate(end)


def _read(path: Path) -> Iterator[Trajectory]:
    if not path.exists():
        return
    for number, document in read_lines(path):
        try:
            yield _from_json(document)
        except (KeyError, TypeError, ValueError) as error:
            raise DataError(
                f"{path}, line {number} is no run of an experiment ({error!r}); delete the line, "
                "and the run is made again."
            ) from error


def _to_json(trajectory: Trajectory) -> dict[str, Any]:
    document = asdict(trajectory)
    key = trajectory.key
    where = {"id": key.id, "input": key.input, **key.arm._asdict()}
    del document["key"]
    return where | document


def _from_json(document: dict[str, Any]) -> Trajectory:
    arm = Arm(document["method"], document["ranking"])
    return Trajectory(
        key=Key(document["id"], document["input"], arm),
        status=document["status"],
        error=document["error"],
        found=document["found"],
        entity=document["entity"],
        steps=tuple(_step_from_json(step) for step in document["steps"]),
        written=document["written"],
        tokens=document["tokens"],
    )


def _step_from_json(step: dict[str, Any]) -> Step:
    return Step(**{**step, "facts": tuple((s, p, o) for s, p, o in step["facts"])})
