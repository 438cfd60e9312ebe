"""The dictionary of the entity measures: that of a graph, or a plain list of names."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from expartkg.errors import DataError
from expartkg.evaluation.lines import lines_in, read_content
from expartkg.retrieval.dictionary import Dictionary
from expartkg.retrieval.retriever import Retriever
from expartkg.retrieval.text import normal_form


@dataclass(frozen=True, slots=True)
class NamedDictionary:
    """A dictionary with the signature that goes beside every score made with it."""

    dictionary: Dictionary
    signature: str


def graph_dictionary(retriever: Retriever) -> NamedDictionary:
    """The labels of all entities of a graph but the general concepts."""
    graph = retriever.graph
    dictionary = retriever.names.dictionary
    return NamedDictionary(dictionary, _signature(graph.name, dictionary, graph.sha256))


def titles_dictionary(path: Path) -> NamedDictionary:
    """The names of a file, one a line; blank lines are no names. Raises `DataError`."""
    content = read_content(path)
    dictionary = Dictionary(normal_form(name) for _, name in lines_in(content, path))
    if not len(dictionary):
        raise DataError(f"{path} has no name; give one a line.")
    return NamedDictionary(
        dictionary, _signature(path.name, dictionary, hashlib.sha256(content).hexdigest())
    )


def _signature(name: str, dictionary: Dictionary, sha256: str | None) -> str:
    return f"dictionary:{name}|names:{len(dictionary)}|sha256:{(sha256 or 'unknown')[:16]}"
