"""Asking queries of one graph: each runs in a process of its own, and few at a time."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from expartkg.errors import QueryError
from expartkg.records import StopFlag
from expartkg.retrieval.opening import is_endpoint, locate_graph
from expartkg.retrieval.sparql.checking import check_query
from expartkg.retrieval.sparql.results import Limits, Results
from expartkg.retrieval.sparql.worker import Request

POLL_SECONDS = 0.05
LOADING_SECONDS = 300.0
"""How long a graph may take to load before the first query."""

_PACKAGE = Path(__file__).resolve().parents[3]


class Queries:
    """Answers read-only SPARQL queries of a graph (`opening.open_graph` says which there are).

    Serves many threads. At most `at_once` queries run at a time; others wait for `patience`
    seconds. The process that holds the graph is started by the first query.
    """

    def __init__(
        self, source: str, limits: Limits | None = None, at_once: int = 2, patience: float = 10.0
    ) -> None:
        self.limits = limits or Limits()
        self._source = source
        self._patience = patience
        self._turns = threading.BoundedSemaphore(at_once)
        self._lock = threading.Lock()
        self._host: _Host | None = None

    def ask(self, query: str, stop: StopFlag | None = None) -> Results:
        """The results of a SELECT, ASK, CONSTRUCT or DESCRIBE.

        `PREFIXES` are known in it. Raises `QueryError` if the query is refused or malformed, if it
        was stopped (at a limit, or because `stop` was set), or if too many others are running;
        `GraphError` if there is no such graph.
        """
        check_query(query)
        stop = stop or threading.Event()
        with self._turn(stop):
            return self._answer(Request(query, self.limits), stop)

    def close(self) -> None:
        """Ends the process that holds the graph; the next query starts it again."""
        with self._lock:
            if self._host:
                self._host.close()
            self._host = None

    @contextmanager
    def _turn(self, stop: StopFlag) -> Iterator[None]:
        end = time.monotonic() + self._patience
        while not self._turns.acquire(timeout=POLL_SECONDS):
            _check_stop(stop)
            if time.monotonic() >= end:
                raise QueryError(
                    "Other queries are running, and no more are taken at once; try again in "
                    f"{self.limits.seconds:g} seconds."
                )
        try:
            yield
        finally:
            self._turns.release()

    def _answer(self, request: Request, stop: StopFlag) -> Results:
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                self._hand_over(theirs)
            with _Answer(ours) as answer:
                try:
                    ours.sendall(request.encoded())
                    ours.shutdown(socket.SHUT_WR)
                except OSError:
                    """The worker is gone; reading says so."""
                return answer.read(request.limits, stop)

    def _hand_over(self, connection: socket.socket) -> None:
        """Has the host start a worker, and starts the host if there is none, or none any more."""
        with self._lock:
            if self._host is None or not self._host.is_alive:
                if self._host:
                    self._host.close()
                self._host = _Host(_absolute(self._source))
            self._host.hand_over(connection)


class _Host:
    """The process of `host`, which ends when its connection is closed."""

    def __init__(self, source: str) -> None:
        self._connection, theirs = socket.socketpair()
        with theirs:
            descriptor = theirs.fileno()
            self._process = subprocess.Popen(
                [sys.executable, "-m", "expartkg.retrieval.sparql.host", source, str(descriptor)],
                cwd=_PACKAGE,
                pass_fds=[descriptor],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            )
        self.close = weakref.finalize(self, _end, self._connection, self._process)

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def hand_over(self, connection: socket.socket) -> None:
        try:
            socket.send_fds(self._connection, [b"\0"], [connection.fileno()])
        except OSError:
            """The process ended just now; reading from the connection says so."""


def _end(connection: socket.socket, process: subprocess.Popen[bytes]) -> None:
    connection.close()
    try:
        process.wait(1)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class _Answer:
    """What a worker says; the worker does not outlive this."""

    def __init__(self, connection: socket.socket) -> None:
        connection.settimeout(POLL_SECONDS)
        self._connection = connection
        self._said = bytearray()
        self._ended = False

    def __enter__(self) -> _Answer:
        return self

    def __exit__(self, *_: object) -> None:
        if not self._ended and (pid := self._pid):
            # It may have ended by itself just now.
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    @property
    def _pid(self) -> int | None:
        """The number of the worker, once it has told it."""
        line, end, _ = self._said.partition(b"\n")
        return int(line) if end else None

    def read(self, limits: Limits, stop: StopFlag) -> Results:
        """The results. Raises `QueryError`."""
        end = time.monotonic() + LOADING_SECONDS
        while self._pid is None and not self._ended:
            self._read_more(end, stop, "The graph took too long to load for queries.")
        end = time.monotonic() + limits.seconds
        while not self._ended:
            self._read_more(
                end,
                stop,
                f"The query was stopped: it had not ended after {limits.seconds:g} seconds. Name "
                "more of what you look for, or ask for less at once.",
            )
        return self._results()

    def _read_more(self, end: float, stop: StopFlag, complaint: str) -> None:
        _check_stop(stop)
        if time.monotonic() >= end:
            raise QueryError(complaint)
        try:
            piece = self._connection.recv(2**20)
        except TimeoutError:
            return
        except ConnectionError:
            piece = b""
        self._said += piece
        self._ended = not piece

    def _results(self) -> Results:
        if self._pid is None:
            raise QueryError(
                "The process that holds the graph for queries has ended; try again, and see the "
                "guide's log if it happens again."
            )
        _, _, document = self._said.partition(b"\n")
        try:
            found = json.loads(document)
        except ValueError:
            # It was killed, by itself or by the system: what it has written is no whole document.
            raise QueryError(
                "The query was stopped: it needed more memory than it may have. Name more of what "
                "you look for, or ask for less at once."
            ) from None
        if "error" in found:
            raise QueryError(found["error"])
        return Results(**found)


def _check_stop(stop: StopFlag) -> None:
    if stop.is_set():
        raise QueryError("The query was stopped, because nobody waits for it any more.")


def _absolute(source: str) -> str:
    """The host is at home elsewhere: a path has to lead there from anywhere."""
    return source if is_endpoint(source) else str(locate_graph(source).resolve())
