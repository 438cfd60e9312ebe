"""Writing the index of a graph. Everything is counted here once, so that opening counts nothing."""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate
from pathlib import Path

from expartkg.records import Entity
from expartkg.retrieval.index import SearchIndex, SortedWords, by_label
from expartkg.retrieval.ranking import Statistics
from expartkg.retrieval.saved.files import write_keys, write_numbers, write_texts
from expartkg.retrieval.saved.index import (
    FOLDER,
    MANIFEST,
    file_sizes,
    fingerprint,
    format_here,
    numbers_path,
    starts_path,
)
from expartkg.retrieval.search import search_index
from expartkg.retrieval.store import Graph
from expartkg.retrieval.text import normal_form
from expartkg.retrieval.titles import FORMS


def write_index(graph: Graph, store: Path) -> dict[str, int]:
    """Writes the index of a graph, which is that of a closed store, into the store's folder.

    Returns how many entities, statements and properties there are. The manifest is written last:
    without it there is no index.
    """
    folder = store / FOLDER
    folder.mkdir()
    entities = graph.entities
    kinds = sorted({entity.kind for entity in entities})
    numbers = _write_entities(folder, entities, kinds)
    names = by_label(entities, normal_form)
    _write_by_key(folder / "names", names, numbers)
    for form in FORMS:
        _write_by_key(folder / form.__name__, by_label(entities, form), numbers)
    edges = list(graph.statements())
    _write_edges(folder / "edges", edges, numbers, list(graph.predicates))
    statistics = Statistics.counted(edges, len(graph))
    neighbours = array("I", [0]) * len(numbers)
    for iri, n_t in statistics.neighbours.items():
        neighbours[numbers[iri]] = n_t
    write_numbers(folder / "neighbours", neighbours, "I")
    _write_search(folder, search_index(graph, edges), numbers)
    manifest = {
        "format": format_here(),
        "store": fingerprint(store),
        "sha256": graph.sha256,
        "kinds": kinds,
        "longest_name": max(map(len, names), default=0),
        "title_forms": [form.__name__ for form in FORMS],
        "files": file_sizes(folder),
        "statements": statistics.statements,
        "predicates": [
            {
                "iri": iri,
                "id": predicate.id,
                "label": predicate.label,
                "holders": statistics.predicates.get(iri, 0),
            }
            for iri, predicate in graph.predicates.items()
        ],
    }
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1), encoding="utf-8")
    return {
        "entities": len(graph),
        "statements": statistics.statements,
        "properties": len(statistics.predicates),
    }


def _write_entities(
    folder: Path, entities: Sequence[Entity], kinds: Sequence[str]
) -> Mapping[str, int]:
    """Returns the number that each IRI has got."""
    iris = write_keys(folder / "iris", (entity.iri for entity in entities))
    numbers = {iris.key(number): number for number in range(len(iris))}
    ordered = sorted(entities, key=lambda entity: numbers[entity.iri])
    write_texts(folder / "labels", (entity.label for entity in ordered))
    of_kind = {kind: number for number, kind in enumerate(kinds)}
    write_numbers(folder / "kinds", (of_kind[entity.kind] for entity in ordered), "I")
    short = {entity.id: numbers[entity.iri] for entity in entities if entity.id != entity.iri}
    ids = write_keys(folder / "ids", short)
    of_id = (short[ids.key(number)] for number in range(len(ids)))
    write_numbers(numbers_path(folder / "ids"), of_id, "I")
    return numbers


def _write_by_key(
    path: Path, holders: Mapping[str, Sequence[Entity]], numbers: Mapping[str, int]
) -> None:
    """As `saved.index.EntitiesByKey` reads them."""
    keys = write_keys(path, holders)
    starts = array("Q", [0])
    all_numbers = array("I")
    for number in range(len(keys)):
        all_numbers.extend(sorted(numbers[entity.iri] for entity in holders[keys.key(number)]))
        starts.append(len(all_numbers))
    write_numbers(starts_path(path), starts, "Q")
    write_numbers(numbers_path(path), all_numbers, "I")


def _write_edges(
    path: Path,
    edges: Sequence[tuple[str, str, str]],
    numbers: Mapping[str, int],
    predicates: Sequence[str],
) -> None:
    """As `saved.index._Edges` reads them."""
    codes_of = {iri: 2 * number for number, iri in enumerate(predicates)}
    degrees = Counter(numbers[subject] for subject, _, _ in edges)
    degrees.update(numbers[end] for subject, _, end in edges if end != subject)
    starts = array("Q", accumulate((degrees[n] for n in range(len(numbers))), initial=0))
    free = starts[:]
    ends, codes = (array("I", [0]) * starts[-1] for _ in range(2))

    def put(near: int, far: int, code: int) -> None:
        ends[free[near]], codes[free[near]] = far, code
        free[near] += 1

    for subject, predicate, object_ in edges:
        near, far, code = numbers[subject], numbers[object_], codes_of[predicate]
        put(near, far, code + 1)
        if near != far:
            put(far, near, code)
    write_numbers(starts_path(path), starts, "Q")
    write_numbers(numbers_path(path), ends, "I")
    write_numbers(path, codes, "I")


def _write_search(folder: Path, index: SearchIndex, numbers: Mapping[str, int]) -> None:
    write_numbers(folder / "works", (numbers[work.iri] for work in index.works), "I")
    write_texts(folder / "titles", index.titles.titles)
    write_numbers(numbers_path(folder / "titles"), index.titles.numbers[:], "I")
    _write_words(folder / "title_words", index.title_words)
    _write_words(folder / "all_words", index.all_words)


def _write_words(path: Path, words: SortedWords) -> None:
    write_texts(path, words.words)
    write_numbers(numbers_path(path), words.numbers[:], "I")
    write_numbers(starts_path(path), words.starts[:], "Q")
