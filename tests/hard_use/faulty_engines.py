"""Engines that go wrong once, in every way that we could think of, and are well afterwards."""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from expartkg.engines.base import AnswerStream, Engine, Session
from expartkg.errors import EngineError
from expartkg.records import Answer, Prompt, StopFlag, Verdict

BEGUN = "Ophelia is by John Everett Millais"
"""What stands before an answer that goes wrong."""
GOOD = (BEGUN + ".", BEGUN + ", and it is in Tate Britain.")
"""The answers of a run without a fault: the first is judged False, the second True."""
ENDLESS = 100_000

Place = Literal["answer", "verdict"]
Round = Literal[1, 2]


@dataclass(frozen=True)
class Fault:
    """What goes wrong: `happen` yields pieces of an answer, or one verdict, and may raise.

    `said` is a part of the message; None where the run is none the worse.
    """

    name: str
    place: Place
    said: str | None
    happen: Callable[[threading.Event], Iterator[object]]
    hangs: bool = False
    begun: str = BEGUN


def raising(error: BaseException) -> Callable[[threading.Event], Iterator[object]]:
    def happen(_: threading.Event) -> Iterator[object]:
        yield from ()
        raise error

    return happen


def giving(*pieces: object) -> Callable[[threading.Event], Iterator[object]]:
    return lambda _: iter(pieces)


def hanging(released: threading.Event) -> Iterator[object]:
    """Heeds neither the stop flag nor the clock."""
    released.wait(60)
    yield from ()


def by_characters(_: threading.Event) -> Iterator[object]:
    yield from "ab cd. " * (ENDLESS // 7)
    yield Answer("ab cd. " * (ENDLESS // 7), "stop")


ERRORS = (
    EngineError("The server is gone."),
    RuntimeError("two\nlines"),
    RecursionError("too deep"),
    MemoryError(),
    SystemExit(3),
    KeyboardInterrupt(),
    asyncio.CancelledError(),
)
SAID: dict[type[BaseException], str] = {EngineError: "The server is gone."}

FAULTS = (
    *(
        Fault(f"{place}: raises {type(error).__name__}", place, said, raising(error))
        for place in cast("tuple[Place, ...]", ("answer", "verdict"))
        for error in ERRORS
        for said in [SAID.get(type(error), f"failed: {type(error).__name__}")]
    ),
    Fault("answer: hangs", "answer", "took too long", hanging, hangs=True),
    Fault("verdict: hangs", "verdict", "took too long", hanging, hangs=True),
    Fault("answer: nothing", "answer", None, giving(Answer("", "stop")), begun=""),
    Fault("answer: blanks", "answer", None, giving(" \n ", Answer(" \n ", "stop")), begun=""),
    Fault("answer: None", "answer", "wrote None, no text", giving(None)),
    Fault("answer: bytes", "answer", "wrote b'text', no text", giving(b"text")),
    Fault("answer: a number", "answer", "wrote 5, no text", giving(5)),
    Fault("answer: without an end", "answer", "without an answer", giving(" and")),
    Fault("answer: no text in it", "answer", "no answer", giving(Answer(cast(Any, None), "stop"))),
    Fault("answer: no reason", "answer", "no answer", giving(Answer("x", cast(Any, "done")))),
    Fault("answer: no time", "answer", "no answer", giving(Answer("x", "stop", seconds=math.nan))),
    Fault("answer: half a character", "answer", None, giving("\ud83d", Answer("\ud83d", "stop"))),
    Fault("answer: a word 100,000 times", "answer", None, giving("word " * ENDLESS)),
    Fault("answer: 100,000 characters, one by one", "answer", None, by_characters),
    *(
        Fault(f"verdict: {p}", "verdict", "no verdict", giving(Verdict(True, p, 1.0, "forced")))
        for p in (math.nan, 2.0, -0.1, math.inf, cast(Any, "1"))
    ),
    Fault("verdict: None", "verdict", "judged the answer None", giving(None)),
    Fault("verdict: a text", "verdict", "judged the answer 'True'", giving("True")),
    Fault(
        "verdict: neither", "verdict", "no verdict",
        giving(Verdict(cast(Any, "False"), 0.5, 1.0, "forced")),
    ),
)  # fmt: skip


class Faulty:
    """An engine whose first run goes wrong in a round; all others are as they should be.

    `released` ends a fault that hangs.
    """

    def __init__(self, fault: Fault, number: Round) -> None:
        self.fault = fault
        self.number = number
        self.released = threading.Event()
        self.happened = False
        self.open = 0

    def goes_wrong(self, place: Place, number: int) -> bool:
        """Whether this is the moment, which comes once."""
        if self.happened or (place, number) != (self.fault.place, self.number):
            return False
        self.happened = True
        return True

    def engine(self, *, repeatable: bool = False) -> Engine:
        return Engine("faulty", self, self, {"sees_pictures": False}, repeatable=repeatable)

    def session(self, image: object) -> Session:
        self.open += 1
        return _Session(self)

    def judge(self, prompt: Prompt, answer: str, stop: StopFlag) -> Verdict:
        number = 2 if answer == GOOD[1] else 1
        if self.goes_wrong("verdict", number):
            for verdict in self.fault.happen(self.released):
                return cast(Verdict, verdict)
        return Verdict(number == 2, 0.9 if number == 2 else 0.1, 1.0, "forced")


class _Session(Session):
    def __init__(self, faulty: Faulty) -> None:
        self._faulty = faulty
        self._number = 0

    @property
    def description(self) -> Mapping[str, object]:
        return {}

    def answer(self, prompt: Prompt, stop: StopFlag) -> AnswerStream:
        self._number += 1
        if self._faulty.goes_wrong("answer", self._number):
            yield self._faulty.fault.begun
            yield from cast(AnswerStream, self._faulty.fault.happen(self._faulty.released))
            return
        good = GOOD[min(self._number, 2) - 1]
        yield good
        yield Answer(good, "stop")

    def close(self) -> None:
        self._faulty.open -= 1
