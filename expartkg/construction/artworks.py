"""The graph `artworks`: every artwork of the snapshot, with all that is said about it.

Section 3 of the paper builds a graph from the questions of a data set. This graph is built for a
guide that should know any work it is shown, so step 1 takes all artworks. Step 2 (no general
concepts, no noise) and step 3 (all statements between two nodes) follow the paper's spirit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pyoxigraph import Triple

from expartkg.construction import graph_file
from expartkg.construction.dates import sound_years
from expartkg.construction.kinds import kind_of
from expartkg.construction.labels import fault, mend
from expartkg.construction.noise import DEFAULT_NOISE, NOISE
from expartkg.construction.properties import property_label
from expartkg.construction.sources.snapshot import (
    Node,
    Snapshot,
    Statement,
    Work,
    read_snapshot,
)
from expartkg.files import write_atomically
from expartkg.records import ARTWORK, CONCEPT

NAME = "artworks"
DESCRIPTION = (
    "Artworks with their makers, holders, materials, genres, movements and what they depict. "
    "Wikidata statements, cleaned; not the authors' ExpArt-KG, which was never published."
)
FACTS_AS_OF = (
    "The snapshot states no date of retrieval; its extracts of Wikidata are of different age."
)


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
class _Draft:
    """The graph while it is built: entities by id, and the record of what was left out."""

    labels: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    statements: list[Statement] = field(default_factory=list)
    inceptions: dict[str, tuple[int, ...]] = field(default_factory=dict)
    images: dict[str, Triple] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)

    def note(self, what: str, reason: str, detail: str) -> None:
        self.changes.append(Change(what, reason, detail))


def build_artworks(
    snapshot: Path, out: Path, *, dropped_properties: frozenset[str] = DEFAULT_NOISE
) -> dict[str, object]:
    """Build the graph from the data directory `snapshot` into `out`; return the manifest.

    Writes `graph.nt.gz`, `manifest.json` and `dropped.tsv` (everything left out or mended, with
    the reason). The same snapshot and properties give the same bytes. Raises `SourceError` if a
    file is missing or malformed, or a property has no label; nothing is written then. Raises
    `ExpArtError` if `out` cannot be written.
    """
    source = read_snapshot(snapshot)
    draft = _Draft()
    _take_nodes(draft, source)
    _take_statements(draft, source.statements, dropped_properties)
    _drop_isolated(draft)
    _take_works(draft, source.works)
    content = graph_file.ntriples(_triples(draft))
    packed = graph_file.compress(content)
    manifest = _manifest(draft, source, dropped_properties, graph_file.sha256(packed))
    write_atomically(out / "dropped.tsv", _report(draft.changes))
    write_atomically(out / "graph.nt.gz", packed)
    write_atomically(out / "manifest.json", graph_file.as_json(manifest))
    return manifest


def _take_nodes(draft: _Draft, source: Snapshot) -> None:
    created = {s.subject for s in source.statements if s.predicate == "P170"}
    for node in source.nodes:
        label, mended = mend(node.qid, node.label)
        wrong = fault(label)
        if wrong:
            draft.note("entity", wrong, f"{node.qid} {node.label}")
            continue
        if mended:
            draft.note("label", mended, f"{node.qid} {node.label!r} is now {label!r}")
        draft.labels[node.qid] = label
        draft.kinds[node.qid] = kind_of(
            Node(node.qid, label, node.role, node.is_common_noun), source.nouns, created
        )


def _take_statements(
    draft: _Draft, statements: Iterable[Statement], dropped_properties: frozenset[str]
) -> None:
    seen: set[Statement] = set()
    for statement in statements:
        reason = _why_dropped(draft, statement, dropped_properties, seen)
        if reason:
            draft.note("statement", reason, _shown(draft, statement))
            continue
        property_label(statement.predicate)
        seen.add(statement)
        draft.statements.append(statement)


def _why_dropped(
    draft: _Draft, statement: Statement, dropped_properties: frozenset[str], seen: set[Statement]
) -> str:
    ends = (statement.subject, statement.object)
    if statement in seen:
        return "listed twice"
    if not all(end in draft.labels for end in ends):
        return "an end is not in the graph"
    if statement.subject == statement.object:
        return "self loop"
    if statement.predicate in dropped_properties:
        return f"noise property {statement.predicate}"
    if all(draft.kinds[end] == CONCEPT for end in ends):
        return "between two general concepts"
    if statement.predicate == "P276" and draft.kinds[statement.object] in {"Artist", "Person"}:
        return "located at a person"
    return ""


def _drop_isolated(draft: _Draft) -> None:
    """Drop what no statement names any more; artworks stay, since a title can still find them."""
    named = {end for s in draft.statements for end in (s.subject, s.object)}
    for qid in [q for q, kind in draft.kinds.items() if q not in named and kind != ARTWORK]:
        draft.note("entity", "no statement left", f"{qid} {draft.labels[qid]}")
        del draft.labels[qid], draft.kinds[qid]


def _take_works(draft: _Draft, works: Iterable[Work]) -> None:
    for work in works:
        if work.qid not in draft.labels:
            continue
        shown = f"{work.qid} {draft.labels[work.qid]}"
        years, reason = sound_years(work)
        if reason:
            draft.note("inception", reason, f"{shown}: {'-'.join(map(str, work.years))}")
        if years:
            draft.inceptions[work.qid] = years
        if work.image:
            try:
                draft.images[work.qid] = graph_file.image(work.qid, work.image)
            except ValueError:
                draft.note("image", "not the address of a Commons file", f"{shown}: {work.image}")


def _triples(draft: _Draft) -> Iterator[Triple]:
    for qid, text in draft.labels.items():
        yield graph_file.label(qid, text)
        yield graph_file.kind(qid, draft.kinds[qid])
    for statement in draft.statements:
        yield graph_file.edge(statement.subject, statement.predicate, statement.object)
    for qid, years in draft.inceptions.items():
        yield from (graph_file.inception(qid, year) for year in years)
    yield from draft.images.values()
    for pid in _properties(draft):
        yield graph_file.label(pid, property_label(pid))


def _properties(draft: _Draft) -> list[str]:
    """The properties that the graph uses, P18 and P571 among them, by number."""
    used = {statement.predicate for statement in draft.statements}
    used |= {"P18"} if draft.images else set()
    used |= {"P571"} if draft.inceptions else set()
    return sorted(used, key=lambda pid: int(pid[1:]))


def _manifest(
    draft: _Draft, source: Snapshot, dropped_properties: frozenset[str], sha256: str
) -> dict[str, object]:
    predicates = Counter(statement.predicate for statement in draft.statements)
    kinds = Counter(draft.kinds.values())
    return {
        "name": NAME,
        "description": DESCRIPTION,
        "entities": len(draft.labels),
        "statements": len(draft.statements),
        "properties": len(predicates),
        "artworks": kinds[ARTWORK],
        "kinds": dict(sorted(kinds.items())),
        "labels": len(draft.labels),
        "images": len(draft.images),
        "inceptions": len(draft.inceptions),
        "inception_values": sum(map(len, draft.inceptions.values())),
        "changes": _counts(draft.changes),
        "predicates": {
            pid: {"label": property_label(pid), "statements": predicates[pid]}
            for pid in sorted(predicates, key=lambda pid: (-predicates[pid], int(pid[1:])))
        },
        "facts_as_of": FACTS_AS_OF,
        "licence": "CC0 1.0 (Wikidata statements)",
        "sources": [
            {"file": file.name, "licence": file.licence, "sha256": file.sha256}
            for file in source.files
        ],
        "settings": {
            "dropped_properties": sorted(dropped_properties, key=lambda pid: int(pid[1:])),
            "kept_noise": [entry.pid for entry in NOISE if entry.pid not in dropped_properties],
        },
        "sha256": sha256,
    }


def _counts(changes: Iterable[Change]) -> dict[str, dict[str, int]]:
    """How many of each kind of thing were left out or mended, by reason."""
    counts: dict[str, dict[str, int]] = {}
    groups = Counter((change.what, change.reason.split(": ")[0]) for change in changes)
    for (what, reason), number in sorted(groups.items()):
        counts.setdefault(what, {})[reason] = number
    return counts


def _report(changes: Iterable[Change]) -> bytes:
    rows = sorted(f"{change.what}\t{change.reason}\t{change.detail}" for change in changes)
    return ("\n".join(["what\treason\tdetail", *rows]) + "\n").encode("utf-8")


def _shown(draft: _Draft, statement: Statement) -> str:
    subject, obj = (
        f"{qid} {draft.labels.get(qid, '(not in the graph)')}"
        for qid in (statement.subject, statement.object)
    )
    return f"{subject} | {statement.predicate} | {obj}"
