"""The graph `artworks`: every artwork of a source, with all that is said about it.

Section 3 of the paper builds a graph from the questions of a data set. This graph is built for a
guide that should know any work it is shown, so step 1 takes all artworks. Step 2 (no general
concepts, no noise) and step 3 (all statements between two nodes) follow the paper's spirit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from expartkg.construction.draft import Draft, listed_sources, noise_settings
from expartkg.construction.edges import sift
from expartkg.construction.kinds import kind_of
from expartkg.construction.labels import fault, mend
from expartkg.construction.noise import DEFAULT_NOISE
from expartkg.construction.sources.records import Extract
from expartkg.construction.sources.snapshot import read_snapshot
from expartkg.files import sweep

NAME = "artworks"
DESCRIPTION = (
    "Artworks with their makers, holders, materials, genres, movements and what they depict. "
    "Wikidata statements, cleaned; not the authors' ExpArt-KG, which was never published."
)


def build_artworks(
    snapshot: Path, out: Path, *, dropped_properties: frozenset[str] = DEFAULT_NOISE
) -> dict[str, object]:
    """Build the graph from the data directory `snapshot` into `out`; return the manifest.

    As `build_from_extract`; raises `SourceError` too if a file is missing or malformed.
    """
    return build_from_extract(read_snapshot(snapshot), out, dropped_properties=dropped_properties)


def build_from_extract(
    source: Extract, out: Path, *, dropped_properties: frozenset[str] = DEFAULT_NOISE
) -> dict[str, object]:
    """Build the graph of all artworks of `source` into `out`; return the manifest.

    Writes `graph.nt.gz`, `manifest.json` and `dropped.tsv` (everything left out or mended, with
    the reason). The same source and properties give the same bytes. Raises `SourceError` if a
    property has no label; nothing is written then. Raises `ExpArtError` if `out` cannot be
    written.
    """
    sweep(out)
    draft = Draft()
    _take_nodes(draft, source)
    draft.take_edges(sift(source.statements, draft.kinds, dropped_properties))
    draft.drop_isolated()
    draft.take_works(source.works)
    labels = source.labels_of_properties(draft.properties())
    return draft.write(out, labels, _manifest(draft, source, labels, dropped_properties))


def _take_nodes(draft: Draft, source: Extract) -> None:
    created = source.created
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
            replace(node, label=label), source.nouns, node.qid in created
        )


def _manifest(
    draft: Draft,
    source: Extract,
    property_labels: Mapping[str, str],
    dropped_properties: frozenset[str],
) -> dict[str, object]:
    return {
        "name": NAME,
        "description": DESCRIPTION,
        **draft.counts(property_labels),
        "facts_as_of": source.facts_as_of,
        "licence": "CC0 1.0 (Wikidata statements)",
        "sources": listed_sources(source.files),
        "settings": noise_settings(dropped_properties),
    }
