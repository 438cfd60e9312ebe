"""Odd files come from `odd_pictures`; the processes that decode are real where they matter."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from expartkg import pictures
from expartkg.errors import PictureError
from expartkg.pictures import KEPT, MAX_SIDE, decode_picture, open_picture
from tests.odd_pictures import (
    BLUE,
    CASES,
    RED,
    SIZE,
    Case,
    drawn,
    in_wide_gamut,
    noise,
    saved,
    write,
)
from tests.picture_report import Outcome, pixel

GIGABYTE = 10**9
BY_NAME = {case.what: case for case in CASES}


@pytest.fixture(scope="module")
def outcomes(
    tmp_path_factory: pytest.TempPathFactory, root: Path
) -> tuple[Path, dict[str, Outcome]]:
    """The folder of the odd files, and what came of each."""
    folder = tmp_path_factory.mktemp("odd")
    command = [sys.executable, "-W", "ignore", "-m", "tests.picture_report", str(folder)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    reports = [Outcome(**report) for report in json.loads(done.stdout)]
    return folder, dict(zip(BY_NAME, reports, strict=True))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.what)
def test_an_odd_file_opens_or_says_why_not(
    case: Case, outcomes: tuple[Path, dict[str, Outcome]]
) -> None:
    folder, reports = outcomes
    outcome = reports[case.what]
    assert outcome.memory < GIGABYTE
    if case.refused is not None:
        assert re.search(case.refused, outcome.refused)
        assert_fit_to_show(outcome.refused, folder)
        return
    assert (outcome.refused, outcome.mode, tuple(outcome.size)) == ("", "RGB", case.size)
    assert not outcome.told
    if case.colours is not None:
        upper_left, others = case.colours
        assert_colours(outcome.corners, [upper_left, others, others, others])


def assert_fit_to_show(message: str, folder: Path) -> None:
    assert message.isprintable()
    assert message.endswith(".")
    assert len(message) < 250
    assert str(folder) not in message
    assert "/" not in message


def assert_colours(colours: Sequence[Sequence[int]], wanted: Sequence[Sequence[int]]) -> None:
    for colour, right in zip(colours, wanted, strict=True):
        distance = max(abs(is_ - should) for is_, should in zip(colour, right, strict=True))
        assert distance < 20, f"{colours} instead of {wanted}"


def test_the_cases_have_names_of_their_own() -> None:
    assert len(BY_NAME) == len(CASES)


def test_a_wide_gamut_taken_as_it_is_would_look_wrong() -> None:
    assert pixel(in_wide_gamut(), 9, 9)[0] < RED[0] - 40


# The process that decodes


@pytest.mark.parametrize("format", ["JPEG", "AVIF"])
def test_a_good_file_opens_in_a_process_of_its_own(tmp_path: Path, format: str) -> None:
    picture = open_picture(kept(tmp_path, saved(drawn(), format)))
    assert (picture.mode, picture.size) == ("RGB", SIZE)
    assert_colours([pixel(picture, 9, 9), pixel(picture, 150, 90)], [RED, BLUE])


def test_a_file_that_is_no_picture_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match=r"^upload is not a picture that the guide can read"):
        open_picture(kept(tmp_path, b"hello"))


@pytest.mark.parametrize(
    ("what", "shown"),
    [
        ("two lines and no picture", r"^a\?b\?gnp\.png is not"),
        ("250 characters and no picture", r"^n{50}…n{16}\.png is not"),
    ],
)
def test_any_name_fits_into_the_line_of_a_message(tmp_path: Path, what: str, shown: str) -> None:
    with pytest.raises(PictureError, match=shown):
        open_picture(write(BY_NAME[what], tmp_path))


def test_a_relative_path_is_found_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept(tmp_path, saved(drawn(), "PNG"))
    monkeypatch.chdir(tmp_path)
    assert open_picture("upload").size == SIZE


@pytest.mark.parametrize(
    ("case", "name", "value"),
    [
        ("a JPEG of 20,000 scans", "MAX_SECONDS", 1),
        ("a JPEG of 20,000 scans", "MAX_WAIT", 0.5),
        ("a PNG of exactly 100 million pixels", "MAX_MEMORY", 50 * 2**20),
    ],
)
def test_a_decoder_is_ended_at_its_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str, name: str, value: float
) -> None:
    monkeypatch.setattr(pictures, name, value)
    with pytest.raises(PictureError, match="needs too much time or memory"):
        open_picture(write(BY_NAME[case], tmp_path))


def test_without_a_process_there_is_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no-python"))
    with pytest.raises(PictureError, match="no process can be started") as caught:
        open_picture(kept(tmp_path, saved(drawn(), "PNG")))
    assert_fit_to_show(str(caught.value), tmp_path)


def test_a_decoder_that_breaks_down_is_told_and_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(pictures, "MAX_SECONDS", "no number")
    with pytest.raises(PictureError, match=r"^upload cannot be opened: its decoder"):
        open_picture(kept(tmp_path, saved(drawn(), "PNG")))
    assert "ValueError" in caplog.text


def test_opening_pictures_needs_no_page() -> None:
    code = "import sys, expartkg.pictures; sys.exit('gradio' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# Files that are not opened at all


def a_missing_file(folder: Path) -> Path:
    return folder / "nowhere.jpg"


def a_name_too_long(folder: Path) -> Path:
    return folder / ("n" * 300)


def a_name_that_no_file_can_have(folder: Path) -> Path:
    return folder / "a\0b.jpg"


def a_folder(folder: Path) -> Path:
    return folder


def a_pipe(folder: Path) -> Path:
    os.mkfifo(folder / "pipe")
    return folder / "pipe"


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (a_missing_file, r"^There is no file nowhere\.jpg; check"),
        (a_name_too_long, "^There is no file nnn"),
        (a_name_that_no_file_can_have, r"^There is no file a\?b\.jpg"),
        (a_folder, r"^test_.* is a folder; give"),
        (a_pipe, "^pipe cannot be read; check"),
    ],
)
def test_what_is_no_file_is_refused(
    tmp_path: Path, made: Callable[[Path], Path], said: str
) -> None:
    with pytest.raises(PictureError, match=said) as caught:
        open_picture(made(tmp_path))
    assert_fit_to_show(str(caught.value), tmp_path)


@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP", "TIFF", "GIF"])
def test_a_cut_file_is_refused_at_any_length(tmp_path: Path, format: str) -> None:
    data = saved(noise(), format)
    for length in range(1, len(data) - 40, 37):  # what is behind is checksums and an empty chunk
        with pytest.raises(PictureError):
            decode_picture(kept(tmp_path, data[:length]))


# Pictures that are kept


class Decoders:
    """Counts the decoders, which work in this process."""

    def __init__(self) -> None:
        self.started = 0

    def __call__(self, file: Path) -> subprocess.CompletedProcess[bytes]:
        self.started += 1
        content = BytesIO()
        decode_picture(file).save(content, "PPM")
        return subprocess.CompletedProcess([], 0, content.getvalue())


@pytest.fixture
def decoders(monkeypatch: pytest.MonkeyPatch) -> Decoders:
    counted = Decoders()
    monkeypatch.setattr(pictures, "_decoded_elsewhere", counted)
    return counted


def test_a_picture_is_decoded_once_and_changed_by_nobody_else(
    tmp_path: Path, decoders: Decoders
) -> None:
    file = kept(tmp_path, saved(drawn(), "PNG"))
    open_picture(file).paste("black", (0, 0, 50, 50))
    assert pixel(open_picture(file), 9, 9) == RED
    assert decoders.started == 1


def test_another_file_under_the_same_name_is_decoded(tmp_path: Path, decoders: Decoders) -> None:
    first, second = (saved(Image.new("RGB", SIZE, colour), "BMP") for colour in (RED, BLUE))
    assert len(first) == len(second)
    assert pixel(open_picture(kept(tmp_path, first)), 9, 9) == RED
    file = kept(tmp_path, second)
    os.utime(file, ns=(0, file.stat().st_mtime_ns + 1))
    assert pixel(open_picture(file), 9, 9) == BLUE


def test_only_the_last_pictures_are_kept(tmp_path: Path, decoders: Decoders) -> None:
    files = [kept(tmp_path, saved(drawn(), "PNG"), str(number)) for number in range(KEPT + 1)]
    for file in [*files, files[-1], files[0]]:
        open_picture(file)
    assert decoders.started == KEPT + 2


def test_a_refused_file_is_tried_again(tmp_path: Path, decoders: Decoders) -> None:
    file = kept(tmp_path, b"hello")
    for _ in range(2):
        with pytest.raises(PictureError):
            open_picture(file)
    assert decoders.started == 2


def test_many_at_once_get_pictures_of_their_own(tmp_path: Path, decoders: Decoders) -> None:
    file = kept(tmp_path, saved(drawn(size=(MAX_SIDE, 500)), "PNG"))
    with ThreadPoolExecutor(8) as pool:
        opened = list(pool.map(open_picture, [file] * 16))
    assert len({id(picture) for picture in opened}) == 16
    assert len({picture.tobytes() for picture in opened}) == 1


# The command line


def explained(root: Path, file: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "expartkg", "explain", "--title", "Mona Lisa", "--image"]
    return subprocess.run(
        [*command, str(file)], cwd=root, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    "what",
    [
        "50% of a PNG",
        "a PNG that says 60,000 pixels square",
        "two lines and no picture",
    ],
)
def test_the_command_line_refuses_in_one_line(tmp_path: Path, root: Path, what: str) -> None:
    done = explained(root, write(BY_NAME[what], tmp_path))
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert re.search(f"^expartkg: .*({BY_NAME[what].refused})", line)


def test_the_command_line_opens_an_odd_picture(tmp_path: Path, root: Path) -> None:
    done = explained(root, write(BY_NAME["broken EXIF in a JPEG"], tmp_path))
    assert done.returncode == 0
    assert "Mona Lisa" in done.stdout
    assert "Warning" not in done.stderr


def kept(folder: Path, data: bytes, name: str = "upload") -> Path:
    file = folder / name
    file.write_bytes(data)
    return file
