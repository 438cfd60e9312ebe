"""The process that holds a graph for the workers, each of which is a fork of it.

It has one thread, no secrets and no connections but the one to the guide; when that closes, it
ends. Run as `python -m expartkg.retrieval.sparql.host GRAPH DESCRIPTOR`.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
from collections.abc import Callable
from functools import partial

from expartkg.errors import ExpArtError
from expartkg.retrieval.opening import is_endpoint, load_file, locate_graph, open_store
from expartkg.retrieval.sparql.worker import Ask, ask_store, work


def main(source: str, descriptor: str) -> None:
    """Serves until the other end of the socket with that descriptor is closed."""
    # Ctrl+C reaches every process of a terminal; the guide ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Nobody waits for the workers, so that none of them stays behind as a zombie.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(fileno=int(descriptor)) as guide:
        prepare = _prepared(source)
        gc.freeze()
        while connection := _next_connection(guide):
            with connection:
                if os.fork() == 0:
                    guide.close()
                    work(connection, prepare)


def _next_connection(guide: socket.socket) -> socket.socket | None:
    """The connection of the next query, None when the guide has no more."""
    _, descriptors, _, _ = socket.recv_fds(guide, 1, 1)
    return socket.socket(fileno=descriptors[0]) if descriptors else None


def _prepared(source: str) -> Callable[[], Ask]:
    """What a worker does first; all that can be done once for all of them has been done."""
    if is_endpoint(source):
        # It brings an HTTP client, which other graphs do not need.
        from expartkg.retrieval.remote.queries import ask_endpoint

        return lambda: partial(ask_endpoint, source)
    try:
        path = locate_graph(source)
        if path.is_dir():
            # Not shared with other processes: a store on disk has threads, which a fork loses.
            return lambda: ask_store(open_store(path))
        ask = ask_store(load_file(path))
    except ExpArtError as error:
        return partial(_fail, error)
    return lambda: ask


def _fail(error: ExpArtError) -> Ask:
    raise error


if __name__ == "__main__":
    main(*sys.argv[1:])
