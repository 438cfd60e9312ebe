"""Odd picture files, uploaded to the page as its browser does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from tests.e2e.program import Form, connected, upload
from tests.e2e.starting import Served
from tests.odd_pictures import CASES, Case, write

Complaint = Callable[[Path], str]
# No browser sends a name of several lines as it is.
UPLOADED = [case for case in CASES if case.name.isprintable()][::9]


@pytest.fixture(scope="module")
def client(scripted: Served) -> Iterator[httpx.Client]:
    with connected(scripted) as client:
        yield client


@pytest.fixture(scope="module", autouse=True)
def log_of_others(scripted: Served) -> str:
    """What the page had written before these tests."""
    return scripted.log.read_text()


@pytest.fixture(scope="module")
def complaint(client: httpx.Client) -> Complaint:
    """What the page says of a file; empty if it takes it."""
    form = Form(client)

    def complaint_of(file: Path) -> str:
        joined = form.show("odd", upload(client, file.name, file.read_bytes()))
        if joined.status_code == 200:
            return ""
        assert joined.status_code == 422
        return str(joined.json()["detail"][0]["message"])

    return complaint_of


@pytest.mark.parametrize("case", UPLOADED, ids=lambda case: case.what)
def test_the_page_takes_it_or_says_why_not(
    complaint: Complaint, case: Case, tmp_path: Path
) -> None:
    said = complaint(write(case, tmp_path))
    if case.refused is None:
        assert not said
    else:
        assert re.search(case.refused, said)
        assert "Traceback" not in said
        assert str(tmp_path) not in said


def test_the_next_visitor_is_not_affected(
    complaint: Complaint, portrait: Path, log_of_others: str, scripted: Served
) -> None:
    assert not complaint(portrait)
    assert "Traceback" not in scripted.log.read_text().removeprefix(log_of_others)
