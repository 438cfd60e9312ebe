"""What goes over the wire while an answer is written."""

from __future__ import annotations

import json
import statistics
import time
import urllib.request
from typing import Any

from tests.e2e.starting import Served

FORM = (
    None,
    "mona lisa",
    "",
    "Explain the {title} at leisure.",
    "validate",
    "qid",
    5,
    10,
    "answer",
    False,
    None,
    None,
)


def opened(page: Served, path: str, body: object = None) -> Any:
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        page.url + path, data, {"Content-Type": "application/json", "Accept": "*/*"}
    )
    return direct.open(request, timeout=30)


def updates(page: Served) -> list[tuple[float, bytes]]:
    """When each update of a run arrived, and what it was."""
    config = json.load(opened(page, "config"))
    run = next(dep for dep in config["dependencies"] if len(dep["inputs"]) == len(FORM))
    body = {"data": FORM, "fn_index": run["id"], "session_hash": "wire", "trigger_id": None}
    opened(page, "gradio_api/queue/join", body).close()
    received: list[tuple[float, bytes]] = []
    with opened(page, "gradio_api/queue/data?session_hash=wire") as stream:
        for line in stream:
            if b'"process_generating"' in line:
                received.append((time.monotonic(), line))
            elif b'"process_completed"' in line:
                return received
    raise AssertionError("the stream ended without a result")


def test_updates_are_few_and_small(scripted: Served) -> None:
    """At most ten a second, and at most 400 bytes in the median."""
    received = updates(scripted)
    seconds = received[-1][0] - received[0][0]
    sizes = [len(line) for _, line in received]
    assert len(received) > 20
    assert len(received) <= 1 + 10.5 * seconds
    assert statistics.median(sizes) <= 400
    print(f"{len(received)} updates in {seconds:.1f} s, median {statistics.median(sizes)} bytes")
