"""A snapshot small enough to be read in a test, written to disk as the real one is."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from expartkg.construction import BuildOptions, build_artworks, build_from_questions
from expartkg.construction.questions import read_questions
from expartkg.construction.sources.snapshot import open_snapshot


@dataclass
class TinySnapshot:
    """Rows to be written; by default a picture, its painter, its museum, a city and oil paint."""

    root: Path
    nodes: list[str] = field(
        default_factory=lambda: [
            "Q1001\tThe Red Boat\tartwork\t0",
            "Q1002\tAda Painter\tartist\t0",
            "Q1003\tTown Museum\tmuseum\t0",
            "Q1004\tTown\tplace\t0",
            "Q1005\tOil paint\tmaterial\t0",
        ]
    )
    statements: list[str] = field(
        default_factory=lambda: [
            "Q1001\tP170\tQ1002\ttest",
            "Q1001\tP195\tQ1003\ttest",
            "Q1001\tP186\tQ1005\ttest",
            "Q1003\tP131\tQ1004\ttest",
        ]
    )
    works: list[str] = field(default_factory=lambda: ["Q1001\tThe Red Boat\t1872\t"])
    nouns: dict[str, object] = field(default_factory=dict)
    shared: list[str] = field(default_factory=list)
    vital: dict[str, str] = field(
        default_factory=lambda: {"Ada Painter": "People", "Town Museum": "Arts", "Town": "Places"}
    )
    popular: list[str] = field(default_factory=list)
    paintings: list[dict[str, object]] = field(
        default_factory=lambda: [
            {
                "qid": "Q1001",
                "title": "The Red Boat",
                "artist": "Ada Painter",
                "visual_sentences": ["A boat in oil paint."],
                "contextual_sentences": ["The Red Boat hangs in the Town Museum in Town."],
            }
        ]
    )
    linked: str = ""

    def write(self) -> Path:
        """Write the files and return the data directory."""
        tables = {
            "nodes": ("qid\tlabel_en\trole\tis_common_noun_in_OEWN", self.nodes),
            "triples": ("subject\tpredicate\tobject\tsources", self.statements),
            "artworks": ("qid\tlabel_en\tinception_P571\timage_P18", self.works),
        }
        (self.root / "wikidata").mkdir(parents=True, exist_ok=True)
        (self.root / "concepts").mkdir(exist_ok=True)
        for name, (header, rows) in tables.items():
            text = "\n".join([header, *rows]) + "\n"
            (self.root / "wikidata" / f"{name}.tsv").write_text(text, encoding="utf-8")
        nouns = self.root / "concepts" / "oewn_nouns_with_wikidata.json"
        nouns.write_text(json.dumps(self.nouns), encoding="utf-8")
        self._write_names()
        return self.root

    @property
    def questions(self) -> str:
        """The file of the paintings, as a source of questions."""
        return str(self.root / "qa" / "artpedia.jsonl")

    def _write_names(self) -> None:
        header = "label_lower\tn_qids\tqids\tsources"
        files = {
            "wikidata/label_to_qids.tsv": "\n".join([header, *self.shared]) + "\n",
            "titles/vital_articles_en_titles_topics.json": json.dumps(self.vital),
            "titles/compromise_wikipedia_titles_lower.txt": "\n".join(self.popular) + "\n",
            "qa/artpedia.jsonl": "".join(json.dumps(one) + "\n" for one in self.paintings),
            "external/artworld.ttl": self.linked,
        }
        for name, text in files.items():
            (self.root / name).parent.mkdir(exist_ok=True)
            (self.root / name).write_text(text, encoding="utf-8")


@dataclass
class Built:
    """A manifest and the directory with the files."""

    manifest: dict[str, object]
    out: Path

    @property
    def lines(self) -> set[str]:
        """The lines of the graph, shortened: `Q1001 P170 Q1002`, `Q1001 label The Red Boat`."""
        text = gzip.decompress((self.out / "graph.nt.gz").read_bytes()).decode("utf-8")
        return {_shortened(line) for line in text.splitlines()}

    @property
    def dropped(self) -> str:
        """The text of dropped.tsv."""
        return (self.out / "dropped.tsv").read_text(encoding="utf-8")


@pytest.fixture
def tiny(tmp_path: Path) -> TinySnapshot:
    """A tiny snapshot, to be changed and then written."""
    return TinySnapshot(tmp_path / "data")


@pytest.fixture
def without_concepts() -> set[str]:
    """The lines of a graph of the tiny snapshot that tell nothing of a general concept."""
    return {
        "Q1001 P170 Q1002",
        "Q1001 P195 Q1003",
        "Q1003 P131 Q1004",
        "Q1001 P571 1872",
        "Q1001 label The Red Boat",
        "Q1002 label Ada Painter",
        "Q1003 label Town Museum",
        "Q1004 label Town",
        "Q1001 kind Artwork",
        "Q1002 kind Artist",
        "Q1003 kind Museum",
        "Q1004 kind Place",
        "P131 label located in the administrative territorial entity",
        "P170 label creator",
        "P195 label collection",
        "P571 label inception",
    }


@pytest.fixture
def asked(tiny: TinySnapshot, tmp_path: Path) -> Callable[..., Built]:
    """Build a graph from the questions of the tiny snapshot as it stands."""

    def build(**options: frozenset[str]) -> Built:
        out = tmp_path / "asked"
        source = open_snapshot(tiny.write())
        questions = read_questions(tiny.questions)
        return Built(build_from_questions(questions, source, out, BuildOptions(**options)), out)

    return build


@pytest.fixture
def built(tiny: TinySnapshot, tmp_path: Path) -> Callable[..., Built]:
    """Build the tiny snapshot as it stands and return what came out."""

    def build(**options: frozenset[str]) -> Built:
        out = tmp_path / "out"
        return Built(build_artworks(tiny.write(), out, **options), out)

    return build


def _shortened(line: str) -> str:
    for long, short in (
        ("<http://www.w3.org/2000/01/rdf-schema#label>", "label"),
        ("<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>", "kind"),
        ("<http://www.wikidata.org/entity/", ""),
        ("<http://www.wikidata.org/prop/direct/", ""),
        ("<urn:expartkg:", ""),
        ("^^<http://www.w3.org/2001/XMLSchema#gYear>", ""),
    ):
        line = line.replace(long, short)
    return line.removesuffix(" .").replace(">", "").replace('"@en', "").replace('"', "")
