"""What goes over the wire while an answer is written."""

from __future__ import annotations

import statistics
import time

from tests.e2e.program import Form, connected
from tests.e2e.starting import Served


def updates(page: Served) -> list[tuple[float, int]]:
    """When each update of a run arrived, and its bytes, with the end of its line."""
    with connected(page) as client:
        form = Form(client)
        form.join("wire", title="mona lisa", question="Explain the {title} at leisure.")
        messages = [(time.monotonic(), line) for line in form.messages("wire")]
    assert '"process_completed"' in messages[-1][1], "the stream ended without a result"
    return [
        (at, len(f"{line}\n".encode())) for at, line in messages if '"process_generating"' in line
    ]


def test_updates_are_few_and_small(scripted: Served) -> None:
    """At most ten a second, and at most 400 bytes in the median."""
    received = updates(scripted)
    seconds = received[-1][0] - received[0][0]
    sizes = [size for _, size in received]
    assert len(received) > 20
    assert len(received) <= 1 + 10.5 * seconds
    assert statistics.median(sizes) <= 400
    print(f"{len(received)} updates in {seconds:.1f} s, median {statistics.median(sizes)} bytes")
