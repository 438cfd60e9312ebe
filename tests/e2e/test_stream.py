"""What goes over the wire while an answer is written."""

from __future__ import annotations

import statistics
import time

from tests.e2e.program import Form, connected
from tests.e2e.starting import Served


def updates(page: Served) -> list[int]:
    """The bytes of each update of a run, with the end of its line."""
    with connected(page) as client:
        form = Form(client)
        form.join("wire", title="mona lisa", question="Explain the {title} at leisure.")
        lines = list(form.messages("wire"))
    assert '"process_completed"' in lines[-1], "the stream ended without a result"
    return [len(f"{line}\n".encode()) for line in lines if '"process_generating"' in line]


def test_updates_are_few_and_small(scripted: Served) -> None:
    """At most ten a second, and at most 400 bytes in the median."""
    began = time.monotonic()
    sizes = updates(scripted)
    seconds = time.monotonic() - began
    print(f"{len(sizes)} updates in {seconds:.1f} s, median {statistics.median(sizes)} bytes")
    assert 10 < len(sizes) <= 1 + 10.5 * seconds
    assert statistics.median(sizes) <= 400
