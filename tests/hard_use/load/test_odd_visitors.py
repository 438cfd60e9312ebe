"""Visitors who do one odd thing each, and others who must not suffer from it."""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from expartkg.ui.bridge import MOST_IN_LINE
from expartkg.ui.text import ENGLISH
from tests.e2e.program import Form, connected
from tests.e2e.starting import Served, free_port, served
from tests.hard_use.load.journal import History, ending_of
from tests.hard_use.load.watching import sample

SLOWLY = "Explain {title} on and on."
IDLE = 200
HALF_A_REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
SLEEPERS = 5
MOST_GROWTH = 20.0
"""MB; what 5 sleeping visitors may cost."""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """May open 100 files unless it asks for more."""
    folder = tmp_path_factory.mktemp("odd")
    port = free_port()
    command = ["tests/hard_use/load/server.py", str(port), str(folder / "journal"), "0.05"]
    with served(["-c", FEW_FILES, *command], folder / "log", port) as page:
        yield page
    assert "Traceback" not in (folder / "log").read_text()


FEW_FILES = """
import resource, runpy, sys
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (100, most))
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@pytest.fixture
def client(page: Served) -> Iterator[httpx.Client]:
    with connected(page) as client:
        yield client


@pytest.fixture
def form(client: httpx.Client) -> Form:
    return Form(client)


class Line:
    """The page's line, as the server notes it."""

    def __init__(self, page: Served, form: Form) -> None:
        self._journal = page.log.with_name("journal")
        self._form = form

    def join(self, visitor: str, title: str, **fields: str) -> None:
        """Asks for an explanation, and has a place when this returns."""
        taken = self._taken()
        assert self._form.join(visitor, title=title, **fields).status_code == 200
        _until(lambda: self._taken() > taken)

    def _taken(self) -> int:
        return len(History.read(self._journal).places)


@pytest.fixture
def line(page: Served, form: Form) -> Line:
    return Line(page, form)


@pytest.fixture
def busy(form: Form, line: Line) -> Iterator[Callable[[], object]]:
    """Somebody has the engine, until this is called."""
    line.join("busy", title="N0x1", question=SLOWLY)
    yield lambda: form.stop("busy")
    form.stop("busy")


def _until(condition: Callable[[], bool], seconds: float = 100.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)


def _shown(messages: list[str]) -> list[int]:
    """The places in the line that are shown, one after the other."""
    return [
        ahead for text in messages for ahead in range(30, 0, -1) if ENGLISH.waiting(ahead) in text
    ]


def test_all_move_up_when_one_before_them_vanishes(
    form: Form, line: Line, busy: Callable[[], object]
) -> None:
    line.join("vanishing", title="N1x1")
    assert ENGLISH.waiting(1) in form.result("vanishing", ENGLISH.waiting(1))
    names = [f"patient{number}" for number in range(10)]
    for number, name in enumerate(names):
        line.join(name, title=f"N2x{number}")
    with contextlib.closing(form.messages(names[-1])) as heard:
        seen: list[str] = []
        while 10 not in _shown(seen):  # it may be 11 for a moment
            seen.append(next(heard))
        busy()
        seen += list(heard)
    shown = _shown(seen)
    assert shown == sorted(shown, reverse=True)
    assert any(ending_of("N2x9") in message for message in seen)
    for number, name in enumerate(names[:-1]):
        assert ending_of(f"N2x{number}") in form.result(name)


def test_who_presses_explain_many_times_takes_one_place(
    form: Form, line: Line, busy: Callable[[], object]
) -> None:
    """More often than there are places in the line."""
    for number in range(MOST_IN_LINE + 5):
        line.join("hasty", title=f"N3x{number}")
    line.join("newcomer", title="N4x1")
    with contextlib.closing(form.messages("newcomer")) as heard:
        seen: list[str] = []
        while not _shown(seen):
            seen.append(next(heard))
        assert _shown(seen) == [2]
        busy()
        assert any(ending_of("N4x1") in message for message in heard)
    answers = form.result("hasty", '"close_stream"')
    assert ending_of(f"N3x{MOST_IN_LINE + 4}") in answers
    assert ending_of("N3x0") not in answers


def test_connections_that_are_left_open_keep_nobody_out(
    client: httpx.Client, page: Served, tmp_path: Path
) -> None:
    """Half of them say nothing, half begin to say something."""
    before = sample(page.pid, tmp_path)
    with contextlib.ExitStack() as open_ones:
        for number in range(IDLE):
            connection = socket.create_connection(("127.0.0.1", page.port))
            open_ones.enter_context(connection)
            if number % 2:
                connection.sendall(HALF_A_REQUEST)
        _until(lambda: sample(page.pid, tmp_path).open_files >= before.open_files + IDLE)
        with connected(page) as other:
            assert other.get("").status_code == 200
        during = sample(page.pid, tmp_path)
    assert during.threads <= before.threads + 5
    assert during.memory <= before.memory + MOST_GROWTH
    _until(lambda: sample(page.pid, tmp_path).open_files <= before.open_files + 2)


def test_visitors_who_hear_nothing_hold_nobody_up(
    form: Form, line: Line, page: Served, tmp_path: Path
) -> None:
    """Their browsers sleep: the connection is there, and nothing is read from it."""
    before = sample(page.pid, tmp_path)
    with contextlib.ExitStack() as sleeping:
        for number in range(SLEEPERS):
            visitor = f"sleeper{number}"
            line.join(visitor, title=f"N5x{number}")
            sleeping.enter_context(_deaf(page, visitor))
        line.join("awake", title="N6x1")
        assert ending_of("N6x1") in form.result("awake")
        assert sample(page.pid, tmp_path).memory <= before.memory + MOST_GROWTH
    _until(lambda: sample(page.pid, tmp_path).open_files <= before.open_files + 2)


@contextlib.contextmanager
def _deaf(page: Served, visitor: str) -> Iterator[None]:
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        connection.connect(("127.0.0.1", page.port))
        request = f"GET /gradio_api/queue/data?session_hash={visitor} HTTP/1.1\r\nHost: a\r\n\r\n"
        connection.sendall(request.encode())
        yield
