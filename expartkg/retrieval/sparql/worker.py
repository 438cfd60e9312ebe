"""One query, in a process of its own that is limited and is killed if it does not end."""

from __future__ import annotations

import dataclasses
import json
import os
import resource
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from pyoxigraph import Store

from expartkg.errors import ExpArtError
from expartkg.retrieval.sparql.results import PREFIXES, Given, Limits, document_of

GRACE_SECONDS = 2.0
"""How long after its limit a query ends by itself, which the guide has killed by then."""

Ask: TypeAlias = Callable[[str, Limits], Given]
"""Answers a query. It may open files and connections only until it is called."""


@dataclasses.dataclass(frozen=True, slots=True)
class Request:
    """A query and its limits, as the processes tell each other."""

    query: str
    limits: Limits

    def encoded(self) -> bytes:
        return json.dumps(dataclasses.asdict(self)).encode()

    @classmethod
    def decoded(cls, data: bytes) -> Request:
        found = json.loads(data)
        return cls(found["query"], Limits(**found["limits"]))


def work(connection: socket.socket, prepare: Callable[[], Ask]) -> None:
    """Answers the request that comes over the connection, and ends this process.

    First goes a line with the number of the process, for whoever is to kill it; then the answer, a
    JSON document that either has an `error` or is the arguments of `Results`.
    """
    try:
        connection.sendall(f"{os.getpid()}\n".encode())
        # What Oxigraph says of a lack of memory is not meant for the guide's log.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
        request = Request.decoded(_read(connection))
        connection.sendall(json.dumps(_answer(prepare, request)).encode())
    finally:
        os._exit(0)


def _read(connection: socket.socket) -> bytes:
    """All that comes until the other side has said all."""
    return b"".join(iter(lambda: connection.recv(2**16), b""))


def _answer(prepare: Callable[[], Ask], request: Request) -> dict[str, Any]:
    try:
        began = time.monotonic()
        ask = prepare()
        _end_after(request.limits.seconds)
        document, cut = document_of(ask(request.query, request.limits), request.limits)
    except ExpArtError as error:
        return {"error": str(error)}
    except SyntaxError as error:
        return {"error": f"The query is malformed: {error}."}
    except (OSError, ValueError, RuntimeError, MemoryError) as error:
        return {"error": f"The query failed: {error}."}
    return {"document": document, "cut": cut, "seconds": time.monotonic() - began}


def _end_after(seconds: float) -> None:
    """Should the guide itself be killed, nobody else would end this process."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds + GRACE_SECONDS)


def ask_store(store: Store) -> Ask:
    """Answers from a store, and sees to it that nothing else can be reached.

    All graphs of a store count as one, as they do everywhere in the guide.
    """
    has_named_graphs = next(store.named_graphs(), None) is not None

    def ask(query: str, limits: Limits) -> Given:
        _shut_in(limits)
        return store.query(
            query, prefixes=dict(PREFIXES), use_default_graph_as_union=has_named_graphs
        )

    return ask


def _shut_in(limits: Limits) -> None:
    """From now on this process can open no file and no connection, and takes no more memory."""
    if (size := _size()) is not None:
        _set(resource.RLIMIT_AS, size + limits.memory)
    _set(resource.RLIMIT_CPU, int(limits.seconds + GRACE_SECONDS))
    _set(resource.RLIMIT_CORE, 0)
    # Last: from here on /proc cannot be read either.
    _set(resource.RLIMIT_NOFILE, 0)


def _set(kind: int, limit: int) -> None:
    _, most = resource.getrlimit(kind)
    limit = limit if most == resource.RLIM_INFINITY else min(limit, most)
    resource.setrlimit(kind, (limit, limit))


def _size() -> int | None:
    """Bytes of address space that this process has; None where there is no /proc."""
    try:
        pages = Path("/proc/self/statm").read_text().split()[0]
    except OSError:
        return None
    return int(pages) * resource.getpagesize()
