"""A graph while it is built: what it has so far, and the record of what it does not have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pyoxigraph import Triple

from expartkg.construction import graph_file
from expartkg.construction.dates import sound_years
from expartkg.construction.edges import Edge
from expartkg.construction.ids import by_number
from expartkg.construction.noise import NOISE
from expartkg.construction.sources.records import SourceFile, Statement, Work
from expartkg.files import write_atomically
from expartkg.records import ARTWORK


@dataclass(frozen=True)
class Change:
    """Something of the source that the graph does not have, or has otherwise, and why.

    `what` is `statement`, `entity`, `label`, `inception` or `image`; `detail` shows it. A reason
    that holds for one item only follows a general one and a colon.
    """

    what: str
    reason: str
    detail: str


@dataclass
class Draft:
    """Entities by id, their statements and literals, and everything that was left out or mended."""

    labels: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    statements: list[Statement] = field(default_factory=list)
    inceptions: dict[str, tuple[int, ...]] = field(default_factory=dict)
    images: dict[str, Triple] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)

    def note(self, what: str, reason: str, detail: str) -> None:
        self.changes.append(Change(what, reason, detail))

    def take_edges(self, edges: Iterable[Edge]) -> None:
        """Take the statements that are edges, and note the others."""
        for edge in edges:
            if edge.left_out:
                self.note("statement", edge.left_out, self._shown(edge.statement))
            else:
                self.statements.append(edge.statement)

    def joined(self) -> set[str]:
        """The ids that a statement names."""
        return {end for s in self.statements for end in (s.subject, s.object)}

    def drop_isolated(self) -> None:
        """Drop what no statement names; artworks stay, since a title can still find them."""
        joined = self.joined()
        for qid in [q for q, kind in self.kinds.items() if q not in joined and kind != ARTWORK]:
            self.note("entity", "no statement left", f"{qid} {self.labels[qid]}")
            del self.labels[qid], self.kinds[qid]

    def take_works(self, works: Iterable[Work]) -> None:
        """Take the years and pictures of the works that are in the graph."""
        for work in works:
            if work.qid in self.labels:
                self._take_work(work)

    def _take_work(self, work: Work) -> None:
        shown = f"{work.qid} {self.labels[work.qid]}"
        years, reason = sound_years(work)
        if reason:
            self.note("inception", reason, f"{shown}: {'-'.join(map(str, work.years))}")
        if years:
            self.inceptions[work.qid] = years
        if work.image:
            try:
                self.images[work.qid] = graph_file.image(work.qid, work.image)
            except ValueError:
                self.note("image", "not the address of a Commons file", f"{shown}: {work.image}")

    def properties(self) -> list[str]:
        """The properties that the graph uses, P18 and P571 among them, by number."""
        used = {statement.predicate for statement in self.statements}
        used |= {"P18"} if self.images else set()
        used |= {"P571"} if self.inceptions else set()
        return by_number(used)

    def triples(self, property_labels: Mapping[str, str]) -> Iterator[Triple]:
        """All triples of the graph; `property_labels` has those of `properties()`."""
        for qid, text in self.labels.items():
            yield graph_file.label(qid, text)
            yield graph_file.kind(qid, self.kinds[qid])
        for statement in self.statements:
            yield graph_file.edge(statement.subject, statement.predicate, statement.object)
        for qid, years in self.inceptions.items():
            yield from (graph_file.inception(qid, year) for year in years)
        yield from self.images.values()
        for pid in self.properties():
            yield graph_file.label(pid, property_labels[pid])

    def report(self) -> bytes:
        """Everything that was left out or mended, a line each, as tab-separated text."""
        rows = sorted(f"{change.what}\t{change.reason}\t{change.detail}" for change in self.changes)
        return ("\n".join(["what\treason\tdetail", *rows]) + "\n").encode("utf-8")

    def counts(self, property_labels: Mapping[str, str]) -> dict[str, object]:
        """What the graph holds, for its manifest."""
        predicates = Counter(statement.predicate for statement in self.statements)
        kinds = Counter(self.kinds.values())
        return {
            "entities": len(self.labels),
            "statements": len(self.statements),
            "properties": len(predicates),
            "artworks": kinds[ARTWORK],
            "kinds": dict(sorted(kinds.items())),
            "labels": len(self.labels),
            "images": len(self.images),
            "inceptions": len(self.inceptions),
            "inception_values": sum(map(len, self.inceptions.values())),
            "changes": _by_reason(self.changes),
            "predicates": {
                pid: {"label": property_labels[pid], "statements": predicates[pid]}
                for pid in sorted(by_number(predicates), key=lambda pid: -predicates[pid])
            },
        }

    def write(
        self, out: Path, property_labels: Mapping[str, str], manifest: Mapping[str, object]
    ) -> dict[str, object]:
        """Write `dropped.tsv`, `graph.nt.gz` and, last, `manifest.json` into the folder `out`.

        Returns the manifest, which gets the SHA-256 of the graph. Raises `ExpArtError` if a file
        cannot be written.
        """
        packed = graph_file.compress(graph_file.ntriples(self.triples(property_labels)))
        written = {**manifest, "sha256": graph_file.sha256(packed)}
        write_atomically(out / "dropped.tsv", self.report())
        write_atomically(out / "graph.nt.gz", packed)
        write_atomically(out / "manifest.json", graph_file.as_json(written))
        return written

    def _shown(self, statement: Statement) -> str:
        subject, obj = (
            f"{qid} {self.labels.get(qid, '(not in the graph)')}"
            for qid in (statement.subject, statement.object)
        )
        return f"{subject} | {statement.predicate} | {obj}"


def listed_sources(files: Iterable[SourceFile]) -> list[dict[str, str]]:
    """The files that a graph was built from, for its manifest."""
    return [{"file": file.name, "licence": file.licence, "sha256": file.sha256} for file in files]


def noise_settings(dropped_properties: Collection[str]) -> dict[str, list[str]]:
    """Which properties were left out as noise, and which were kept although they are listed."""
    return {
        "dropped_properties": by_number(dropped_properties),
        "kept_noise": [entry.pid for entry in NOISE if entry.pid not in dropped_properties],
    }


def _by_reason(changes: Iterable[Change]) -> dict[str, dict[str, int]]:
    """How many of each kind of thing were left out or mended, by reason."""
    counts: dict[str, dict[str, int]] = {}
    groups = Counter((change.what, change.reason.split(": ")[0]) for change in changes)
    for (what, reason), number in sorted(groups.items()):
        counts.setdefault(what, {})[reason] = number
    return counts
