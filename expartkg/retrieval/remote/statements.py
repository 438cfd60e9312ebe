"""The statements of a SPARQL endpoint, asked for as those of a store are.

Names, kinds and term statistics are fetched once, page by page; documents when they are needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from pyoxigraph import NamedNode, Quad, QuerySolution

from expartkg.errors import GraphError
from expartkg.retrieval.descriptions import LABEL, TYPE, Descriptions, described
from expartkg.retrieval.remote.endpoint import Endpoint, number_in
from expartkg.retrieval.store import Given

MOST_NAMES = 2_000_000
"""English labels that an endpoint may have; the names of more would not fit into memory."""

Pattern: TypeAlias = tuple[Given, Given, Given]

_NAMES = ("?s", "?p", "?o")
_ENGLISH = 'FILTER(LANG(?o) = "" || LANGMATCHES(LANG(?o), "en"))'


class RemoteStatements:
    """The default graph of an endpoint; see `retrieval.store.Elsewhere`."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint

    def quads_for_pattern(
        self, subject: Given, predicate: Given, object: Given, /
    ) -> Iterator[Quad]:
        """All statements that have the given terms. Raises `GraphError`."""
        return self._matching((subject, predicate, object))

    def _matching(self, given: Pattern, condition: str = "") -> Iterator[Quad]:
        # Given terms stand in the pattern itself: joined to it by VALUES, all would be read.
        terms = [str(term or name) for term, name in zip(given, _NAMES, strict=True)]
        asked = " ".join(name for name in _NAMES if name in terms)
        rows = self.endpoint.rows(asked, f"{' '.join(terms)} {condition}")
        return (_quad(given, row) for row in rows)

    def named_graphs(self) -> Iterator[NamedNode]:
        """None: what the default graph of an endpoint is, is the endpoint's affair."""
        return iter(())

    def predicates(self) -> Iterator[str]:
        rows = self.endpoint.rows("?p", "?s ?p ?o")
        return (row["p"].value for row in rows if isinstance(row["p"], NamedNode))

    def english_labels(self) -> Iterator[Quad]:
        return self._matching((None, LABEL, None), _ENGLISH)

    def count_names(self) -> int:
        """How many English labels there are."""
        (row,) = self.endpoint.ask(f"SELECT (COUNT(*) AS ?n) {{ ?s {LABEL} ?o {_ENGLISH} }}")
        return number_in(row, "n")


def remote_descriptions(statements: RemoteStatements) -> Descriptions:
    """Names and kinds of everything. Raises `GraphError`, also where there are too many."""
    count = statements.count_names()
    if count > MOST_NAMES:
        raise GraphError(
            f"{statements.endpoint.name} has {count:,} English labels, and the guide holds "
            f"{MOST_NAMES:,} at most; load the part that you need with kg load."
        )
    return described(
        statements.english_labels(),
        statements.quads_for_pattern(None, TYPE, None),
        frozenset(statements.predicates()),
    )


def _quad(given: Pattern, row: QuerySolution) -> Quad:
    subject, predicate, object_ = (
        term or row[name[1:]] for term, name in zip(given, _NAMES, strict=True)
    )
    return Quad(subject, predicate, object_)
