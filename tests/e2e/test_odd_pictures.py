"""Odd picture files, uploaded to the page as its browser does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.e2e.starting import Served
from tests.odd_pictures import CASES, Case, write

# No browser sends a name of several lines as it is.
UPLOADED = [case for case in CASES if case.name.isprintable()][::4]


class Uploader:
    """Uploads files and sends them to the field's check, which runs before anything else."""

    def __init__(self, page: Served) -> None:
        self._http = httpx.Client(base_url=page.url, trust_env=False, timeout=60)
        config = self._http.get("config").json()
        picture = next(c["id"] for c in config["components"] if is_picture(c))
        self._check = next(
            one["id"] for one in config["dependencies"] if one["targets"] == [[picture, "upload"]]
        )

    def complaint(self, file: Path) -> str:
        """What the page says of a file; empty if it takes it."""
        with file.open("rb") as content:
            answer = self._http.post("gradio_api/upload", files={"files": (file.name, content)})
        value = {"path": answer.json()[0], "meta": {"_type": "gradio.FileData"}}
        body = {"data": [value], "fn_index": self._check, "session_hash": "odd"}
        joined = self._http.post("gradio_api/queue/join", json=body)
        if joined.status_code == 200:
            return ""
        assert joined.status_code == 422
        return str(joined.json()["detail"][0]["message"])

    def close(self) -> None:
        self._http.close()


def is_picture(component: dict[str, Any]) -> bool:
    return bool(component["props"].get("elem_id") == "picture")


@pytest.fixture(scope="module")
def uploader(scripted: Served) -> Iterator[Uploader]:
    uploader = Uploader(scripted)
    yield uploader
    uploader.close()


@pytest.mark.parametrize("case", UPLOADED, ids=lambda case: case.what)
def test_the_page_takes_it_or_says_why_not(uploader: Uploader, case: Case, tmp_path: Path) -> None:
    complaint = uploader.complaint(write(case, tmp_path))
    if case.refused is None:
        assert not complaint
    else:
        assert re.search(case.refused, complaint)
        assert "Traceback" not in complaint
        assert str(tmp_path) not in complaint


def test_the_next_visitor_is_not_affected(
    uploader: Uploader, portrait: Path, scripted: Served
) -> None:
    assert not uploader.complaint(portrait)
    assert "Traceback" not in scripted.log.read_text()
