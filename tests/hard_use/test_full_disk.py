"""A disk that is full, really: one line says so, what was there stays, and with room it goes on."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import subprocess
from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from expartkg.cli import main
from expartkg.commons import Commons
from expartkg.engines.scripted import scripted_engine
from expartkg.errors import ExpArtError
from expartkg.evaluation.report import writing
from expartkg.records import Run
from expartkg.retrieval.retriever import Retriever
from expartkg.settings import Settings
from expartkg.ui.api import Api
from expartkg.ui.guide import Guide, House
from expartkg.ui.loading import Loading
from expartkg.ui.parts import html_part
from expartkg.ui.text import ENGLISH
from expartkg.ui.tools.keeping import Keeping
from expartkg.ui.tools.outlets import Outlets
from tests.conftest import MakeGraph
from tests.hard_use.errands import ERRANDS, LARGE, Errand, final_files, make_inputs
from tests.hard_use.test_kills import sorted_lines

SHARES = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97) if LARGE else (0.5,)
"""How much of what a command writes there is room for."""
PAGE = 4096


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 8 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=8m", "none", str(folder)]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no disk can be made for the test, which root alone may: {error}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    make_inputs(folder, 6)
    return folder


@pytest.fixture
def full(disk: Path) -> Iterator[Path]:
    """A disk without any room."""
    with room_for(disk, 0):
        yield disk


@pytest.fixture
def guide(make_graph: MakeGraph, tmp_path: Path) -> Guide:
    graph = make_graph([("Q1", "P170", "Q2")], {"Q1": "Mona Lisa"}, {"Q1": "Artwork"})
    engine = Loading.done(scripted_engine(["By Leonardo."]))
    return Guide(House(Retriever(graph), engine, Settings(), Commons(tmp_path)), ENGLISH)


@contextlib.contextmanager
def room_for(disk: Path, size: int) -> Iterator[None]:
    """Fills the disk but for so many bytes."""
    filler = disk / "filler"
    filler.touch()
    free = shutil.disk_usage(disk).free - size
    with filler.open("wb") as file:
        for _ in range(free // PAGE):
            file.write(bytes(PAGE))
    yield
    filler.unlink()


@pytest.mark.parametrize("errand", ERRANDS, ids=lambda errand: errand.name)
def test_a_full_disk_is_said_in_one_line_and_costs_nothing(
    errand: Errand,
    disk: Path,
    inputs: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(writing, "FIGURE_ENDINGS", ())
    used = shutil.disk_usage(disk).used
    whole, out = disk / "whole", disk / "out"
    whole.mkdir()
    assert main(errand.arguments(inputs, whole)) == 0
    takes, expected = shutil.disk_usage(disk).used - used, errand.left(whole)
    failed = 0
    for share in SHARES:
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        capsys.readouterr()
        with room_for(disk, int(takes * share)):
            code = main(errand.arguments(inputs, out))
        said = capsys.readouterr().err.strip().splitlines()
        left = errand.left(out)
        assert all(errand.grows or left[name] == expected[name] for name in left)
        assert not [path for path in out.rglob("*") if path.name.endswith(".part")]
        if code:
            failed += 1
            assert code == 1
            assert "No space left on device" in said[-1]
            assert "Traceback" not in "".join(said)
        assert main(errand.arguments(inputs, out)) == 0
        assert sorted_lines(errand.left(out)) == sorted_lines(expected)
    assert failed > 0
    print(f"{errand.name}: full {failed} times of {len(SHARES)}")


@pytest.mark.parametrize("errand", ERRANDS[:1], ids=lambda errand: errand.name)
def test_what_was_there_before_stays_where_the_new_has_no_room(
    errand: Errand, disk: Path, inputs: Path
) -> None:
    out = disk / "out"
    out.mkdir()
    (out / "run.json").write_text("old", encoding="utf-8")
    with room_for(disk, 0):
        assert main(errand.arguments(inputs, out)) == 1
    assert [(name, path.read_text()) for name, path in final_files(out)] == [("run.json", "old")]


class TestPage:
    """What visitors are told, and that what they have on the page stays there."""

    def test_an_explanation_that_cannot_be_saved_is_shown_all_the_same(
        self, full: Path, guide: Guide, make_run: Callable[..., Run]
    ) -> None:
        keeping = Keeping(guide, Outlets(*cast(Any, [html_part("")] * 6)))
        keeping.files.GRADIO_CACHE = str(full)
        said = keeping.drawn(make_run())
        assert "cannot be written: No space left on device" in said
        assert not keeping.files.temp_files
        assert not [path for path in full.iterdir() if path.is_dir()]

    def test_a_picture_by_the_api_is_refused_with_the_reason(
        self, full: Path, guide: Guide, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("GRADIO_TEMP_DIR", str(full))
        picture = "data:image/png;base64," + b64encode(bytes(100_000)).decode()

        async def explain() -> None:
            async for _ in Api(guide.house).explain(picture=picture):
                raise AssertionError("it is refused first")

        with pytest.raises(ExpArtError, match="The picture cannot be written: No space left"):
            asyncio.run(explain())
        assert not list(full.glob("api-*"))
