"""Reading RDF files statement by statement, and telling of the lines that are wrong."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path

import pytest

from expartkg.errors import GraphError
from expartkg.retrieval.reading import sha256_of, statements_in, statements_of, stop_at_bad_line

GOOD = "<http://x/a> <http://x/p> <http://x/b> ."


def test_bad_lines_are_told_of_by_number_and_skipped(tmp_path: Path) -> None:
    path = tmp_path / "some.nt"
    lines = [GOOD.replace("a>", f"a{number}>") for number in range(12_000)]
    lines[0] = "nonsense"
    lines[7_321] = "<http://x/a b> <http://x/p> <http://x/b> ."
    lines[11_999] = '<http://x/a> <http://x/p> "unfinished'
    path.write_text("\n".join(lines))
    bad: list[tuple[Path, int, str]] = []
    quads = list(statements_in(path, lambda *line: bad.append(line)))
    assert len(quads) == 11_997
    assert [number for _, number, _ in bad] == [1, 7_322, 12_000]
    assert "Invalid IRI code point ' '" in bad[1][2]
    assert all(where == path and "line" not in reason for where, _, reason in bad)


def test_a_bad_line_stops_the_load_where_that_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "some.nt"
    path.write_text(f"{GOOD}\n# a comment\n\nnonsense\n{GOOD}\n")
    with pytest.raises(GraphError, match=r"some\.nt line 4: not valid N-Triples.*--bad-lines skip"):
        list(statements_in(path, stop_at_bad_line))


@pytest.mark.parametrize("name", ["q.nq", "q.trig", "q.nq.gz"])
def test_named_graphs_are_left_out(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    content = GOOD.replace(" .", " <http://x/g> .").encode()
    if ".trig" in name:
        content = b"<http://x/g> { " + GOOD.encode() + b" }"
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    (quad,) = statements_in(path, stop_at_bad_line)
    assert str(quad.triple) == GOOD.removesuffix(" .")


def test_several_files_are_one_graph(tmp_path: Path) -> None:
    paths = [tmp_path / "a.nt", tmp_path / "b.ttl"]
    for path in paths:
        path.write_text(GOOD)
    assert len(list(statements_of(paths, stop_at_bad_line))) == 2


def test_the_hash_of_one_file_is_its_own(tmp_path: Path) -> None:
    path = tmp_path / "a.nt"
    path.write_text(GOOD)
    assert sha256_of([path]) == hashlib.sha256(GOOD.encode()).hexdigest()
    assert len({sha256_of([path]), sha256_of([path, path]), sha256_of([path, path, path])}) == 3


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(GraphError, match="cannot be read"):
        list(statements_in(tmp_path / "none.nt", stop_at_bad_line))
