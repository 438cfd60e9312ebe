"""Loading a store: whatever happens meanwhile, there is the old one or the new one."""

from __future__ import annotations

import gzip
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pyoxigraph import Quad, Store

from expartkg.errors import GraphError
from expartkg.retrieval import loading
from expartkg.retrieval.loading import load_store
from expartkg.retrieval.opening import open_graph
from expartkg.retrieval.reading import statements_in, stop_at_bad_line
from tests.retrieval.conftest import load

LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"


def write(path: Path, entities: int) -> Path:
    lines = [f'<http://x/Q{n}> {LABEL} "Name {n}" .' for n in range(entities)]
    lines += [f"<http://x/Q{n}> <http://x/P1> <http://x/Q{n // 2}> ." for n in range(entities)]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_load_replaces_the_store_and_leaves_nothing_else(tmp_path: Path) -> None:
    directory = tmp_path / "stores" / "mine"
    assert load(write(tmp_path / "a.nt", 3), directory) == {
        "entities": 3,
        "statements": 3,
        "properties": 1,
    }
    load(write(tmp_path / "b.nt", 5), directory)
    assert len(open_graph(str(directory))) == 5
    assert list(directory.parent.iterdir()) == [directory]


def test_a_load_replaces_the_store_where_folders_cannot_be_exchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "_exchange", lambda *_: False)
    directory = tmp_path / "mine"
    load(write(tmp_path / "a.nt", 3), directory)
    load(write(tmp_path / "b.nt", 5), directory)
    assert len(open_graph(str(directory))) == 5
    # As if killed between its two steps: the old one has been moved away.
    (tmp_path / ".mine.loading").mkdir()
    os.rename(directory, tmp_path / ".mine.loading" / "old")
    with pytest.raises(GraphError, match="line 1"):
        load(write_bad(tmp_path / "bad.nt"), directory)
    assert len(open_graph(str(directory))) == 5


def write_bad(path: Path) -> Path:
    path.write_text("nonsense\n")
    return path


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("bad.nt", b"nonsense", "bad.nt line 1: not valid N-Triples"),
        ("bad.ttl", b"nonsense", "not valid Turtle"),
        ("cut.nt.gz", gzip.compress(bytes(range(99)), mtime=0)[:60], "cut off or damaged"),
        ("none.nt", b"", "names no entity"),
        ("table.xyz", b"", "no RDF format"),
    ],
)
def test_a_load_that_fails_leaves_the_old_store(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    directory = tmp_path / "mine"
    load(write(tmp_path / "a.nt", 3), directory)
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(GraphError, match=message):
        load(path, directory)
    assert len(open_graph(str(directory))) == 3
    assert not (tmp_path / ".mine.loading").exists()


def test_what_is_no_store_is_never_replaced(tmp_path: Path) -> None:
    precious = tmp_path / "photos"
    precious.mkdir()
    (precious / "me.jpg").write_bytes(b"")
    with pytest.raises(GraphError, match="no Oxigraph store"):
        load(write(tmp_path / "a.nt", 3), precious)
    assert (precious / "me.jpg").exists()


def test_an_empty_folder_becomes_the_store(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    load(write(tmp_path / "a.nt", 3), tmp_path / "mine")
    assert len(open_graph(str(tmp_path / "mine"))) == 3


def test_a_store_that_is_being_written_to_is_said_to_be_locked(tmp_path: Path) -> None:
    directory = tmp_path / "mine"
    load(write(tmp_path / "a.nt", 3), directory)
    writer = Store(str(directory))
    with pytest.raises(GraphError, match="is locked: another program has it open"):
        load(write(tmp_path / "b.nt", 5), directory)
    del writer
    load(write(tmp_path / "b.nt", 5), directory)


def test_a_second_load_says_that_there_is_a_first(tmp_path: Path) -> None:
    directory, path = tmp_path / "mine", write(tmp_path / "a.nt", 3)

    def statements() -> Iterator[Quad]:
        yield from statements_in(path, stop_at_bad_line)
        with pytest.raises(GraphError, match="Another load is writing"):
            load(path, directory)

    load_store(statements(), directory, lambda: "")
    assert len(open_graph(str(directory))) == 3


def test_readers_of_the_old_store_can_go_on(tmp_path: Path) -> None:
    directory = tmp_path / "mine"
    load(write(tmp_path / "a.nt", 30), directory)
    old = open_graph(str(directory))
    load(write(tmp_path / "b.nt", 5), directory)
    assert len(old.document(old.entity("Q9"))) == 3


Kill = Callable[[float], None]


@pytest.fixture
def killed_load(tmp_path: Path, root: Path) -> Kill:
    """Starts loading b.nt over the store, and kills it after some seconds."""
    command = [sys.executable, "-m", "expartkg", "kg", "load"]
    command += [str(tmp_path / "b.nt"), "--store", str(tmp_path / "mine")]

    def kill(seconds: float) -> None:
        process = subprocess.Popen(
            command, cwd=root, stdout=subprocess.DEVNULL, start_new_session=True
        )
        aside = tmp_path / ".mine.loading"
        deadline = time.monotonic() + 60
        while not aside.exists() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.005)
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        process.wait(60)

    return kill


def test_killed_at_any_moment_a_load_leaves_the_old_store_or_the_new(
    tmp_path: Path, killed_load: Kill
) -> None:
    directory = tmp_path / "mine"
    load(write(tmp_path / "a.nt", 30), directory)
    write(tmp_path / "b.nt", 6000)
    sizes: list[int] = []
    # The first one before there can be anything new, whatever the machine.
    for seconds in (0.05, *(random.Random(seed).uniform(0, 1.5) for seed in range(4))):
        killed_load(seconds)
        graph = open_graph(str(directory))
        sizes.append(len(graph))
        # Q4 has a statement to Q2, and those from Q8 and Q9.
        assert len(graph.document(graph.entity("Q4"))) == 3
    assert set(sizes) <= {30, 6000}
    assert 30 in sizes
    load(write(tmp_path / "c.nt", 7), directory)
    assert len(open_graph(str(directory))) == 7
    assert {path.name for path in tmp_path.iterdir()} == {"a.nt", "b.nt", "c.nt", "mine"}
