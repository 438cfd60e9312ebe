"""Commands that write, with what they leave behind: for the tests that disturb them."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from expartkg.evaluation.questions import question_to_json
from expartkg.recognition import ENCODER, PictureIndex
from expartkg.retrieval.opening import open_graph
from tests.construction.conftest import TinySnapshot
from tests.construction.test_from_questions import enlarge
from tests.evaluation.conftest import QUESTIONS
from tests.ophelia import EDGES, KINDS, LABELS
from tests.recognition.painted import painted

Left = Mapping[str, object]
"""What is at the final names, each name with what is in it; times are left out."""
TIMES = ("seconds", "retrieval_seconds", "verdict_seconds")
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
RDFS = "http://www.w3.org/2000/01/rdf-schema#label"
ITEM, DIRECT = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"


@dataclass(frozen=True)
class Errand:
    """`arguments` are of the inputs' folder and of the one for results; `left` reads the latter.

    `grows` are names whose content may be a beginning of what it will be. One that `is_slow` is
    for those who have the time.
    """

    name: str
    arguments: Callable[[Path, Path], list[str]]
    left: Callable[[Path], Left]
    grows: tuple[str, ...] = ()
    is_slow: bool = False


def make_inputs(folder: Path, size: int) -> None:
    """Everything that the commands read; `size` is how much there is for them to do."""
    (folder / "graph.nt").write_text(_graph(), encoding="utf-8")
    (folder / "large.nt").write_text(_large_graph(200 * size), encoding="utf-8")
    rows = "".join(f"Ophelia,Visitor {n}\n" for n in range(size))
    (folder / "works.csv").write_text("title,artist\n" + rows, encoding="utf-8")
    lines = [json.dumps(question_to_json(question)) + "\n" for question in QUESTIONS]
    (folder / "questions.jsonl").write_text("".join(lines), encoding="utf-8")
    snapshot = TinySnapshot(folder / "snapshot")
    enlarge(snapshot, 10 * size)
    snapshot.write()
    _pictures(folder / "pictures", 3 + size // 10)


def _graph() -> str:
    lines = [f"<{ITEM}{s}> <{DIRECT}{p}> <{ITEM}{o}> ." for s, p, o in EDGES]
    lines += [f"<{ITEM}{id}> <{RDFS}> {json.dumps(label)}@en ." for id, label in LABELS.items()]
    lines += [f"<{ITEM}{id}> <{RDF}> <urn:expartkg:{kind}> ." for id, kind in KINDS.items()]
    return "\n".join(lines) + "\n"


def _large_graph(entities: int) -> str:
    numbers = range(1, entities + 1)
    lines = [f'<{ITEM}Q{n}> <{RDFS}> "Thing Number {n}"@en .' for n in numbers]
    lines += [f"<{ITEM}Q{n}> <{DIRECT}P170> <{ITEM}Q{n // 2 + 1}> ." for n in numbers]
    return "\n".join(lines) + "\n"


def _pictures(folder: Path, number: int) -> None:
    folder.mkdir()
    rows = ["file\tqid_in_kg"]
    for n in range(number):
        painted(n).save(folder / f"{n}.png")
        rows.append(f"{n}.png\tQ1")
    (folder / "manifest.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")


def _with_graph(*arguments: str) -> Callable[[Path, Path], list[str]]:
    """Arguments in which `{inputs}` and `{out}` are filled in, with the small graph."""
    return _filled(*arguments, "--kg", "{inputs}/graph.nt")


def _filled(*arguments: str) -> Callable[[Path, Path], list[str]]:
    return lambda inputs, out: [one.format(inputs=inputs, out=out) for one in arguments]


def final_files(out: Path) -> Iterator[tuple[str, Path]]:
    """All files but hidden ones, which are not there yet."""
    for path in sorted(out.rglob("*")):
        name = path.relative_to(out).as_posix()
        if path.is_file() and not any(part.startswith(".") for part in name.split("/")):
            yield name, path


def _bytes(out: Path) -> Left:
    return {name: path.read_bytes() for name, path in final_files(out)}


def _documents(out: Path) -> Left:
    """Pages by their end, others as JSON; of lines the last one may be torn."""
    return {name: _document(path) for name, path in final_files(out)}


def _document(path: Path) -> object:
    content = path.read_bytes()
    if path.suffix == ".jsonl":
        return [timeless(json.loads(line)) for line in content.split(b"\n")[:-1]]
    if path.suffix == ".json":
        return timeless(json.loads(content))
    return content.rstrip()[-7:]


def timeless(document: object) -> object:
    """A document without how long anything took."""
    if isinstance(document, dict):
        return {name: timeless(one) for name, one in document.items() if name not in TIMES}
    return [timeless(one) for one in document] if isinstance(document, list) else document


def _store(out: Path) -> Left:
    """A whole store or none: one that is half there cannot be opened."""
    if not (out / "store").exists():
        return {}
    graph = open_graph(str(out / "store"))
    last = graph.document(graph.entity(f"Q{len(graph)}"))
    return {"store": (len(graph), graph.sha256, len(last))}


def _index(out: Path) -> Left:
    path = out / "own.pictures"
    if not path.exists():
        return {}
    entries = PictureIndex.load(path, ENCODER).entries
    digests = (hashlib.sha256(entry.vector.tobytes()).hexdigest() for entry in entries)
    return {path.name: [(e.note, digest) for e, digest in zip(entries, digests, strict=True)]}


ALL = (
    Errand(
        "explain --export",
        _with_graph(
            "explain", "--title", "Ophelia", "--engine", "preview", "--export", "{out}/run.json"
        ),
        _documents,
    ),
    Errand(
        "explain --batch",
        _with_graph(
            "explain", "--batch", "{inputs}/works.csv", "--engine", "preview", "--out", "{out}"
        ),
        _documents,
    ),
    Errand(
        "evaluate",
        _with_graph(
            "evaluate", "--questions", "{inputs}/questions.jsonl", "--engine", "preview", "--out",
            "{out}",
        ),
        _documents,
        ("trajectories.jsonl",),
        is_slow=True,
    ),
    Errand(
        "build",
        _filled(
            "build", "--questions", "{inputs}/snapshot/qa/artpedia.jsonl", "--knowledge",
            "snapshot:{inputs}/snapshot", "--out", "{out}",
        ),
        _bytes,
    ),
    Errand("kg load", _filled("kg", "load", "{inputs}/large.nt", "--store", "{out}/store"), _store),
    Errand(
        "pictures index",
        _with_graph(
            "pictures", "index", "--folder", "{inputs}/pictures", "--out", "{out}/own.pictures"
        ),
        _index,
        ("own.pictures",),
        is_slow=True,
    ),
)  # fmt: skip
LARGE = bool(os.environ.get("EXPARTKG_LARGE"))
ERRANDS = [errand for errand in ALL if LARGE or not errand.is_slow]
