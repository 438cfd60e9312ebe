"""Step 3 of Section 3: the statements between two nodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from expartkg.construction.sources.records import Statement
from expartkg.records import CONCEPT


@dataclass(frozen=True, slots=True)
class Edge:
    """A statement and why it is left out; `left_out` is empty for an edge of the graph."""

    statement: Statement
    left_out: str

    def to_json(self) -> dict[str, str]:
        """A record that `from_json` reads."""
        of = self.statement
        return {
            "subject": of.subject,
            "predicate": of.predicate,
            "object": of.object,
            "left_out": self.left_out,
        }

    @classmethod
    def from_json(cls, record: Mapping[str, str]) -> Edge:
        """The edge of a record."""
        statement = Statement(record["subject"], record["predicate"], record["object"])
        return cls(statement, record["left_out"])


def sift(
    statements: Iterable[Statement],
    kinds: Mapping[str, str],
    dropped_properties: frozenset[str],
) -> Iterator[Edge]:
    """Every statement in its order, and whether it is an edge of a graph with these nodes.

    `kinds` are the kinds of the nodes by id. Any predicate is one but the `dropped_properties`.
    """
    seen: set[Statement] = set()
    for statement in statements:
        reason = _why_left_out(statement, kinds, dropped_properties)
        if statement in seen:
            reason = "listed twice"
        if not reason:
            seen.add(statement)
        yield Edge(statement, reason)


def _why_left_out(
    statement: Statement, kinds: Mapping[str, str], dropped_properties: frozenset[str]
) -> str:
    ends = (statement.subject, statement.object)
    if not all(end in kinds for end in ends):
        return "an end is not in the graph"
    if statement.subject == statement.object:
        return "self loop"
    if statement.predicate in dropped_properties:
        return f"noise property {statement.predicate}"
    if all(kinds[end] == CONCEPT for end in ends):
        return "between two general concepts"
    if statement.predicate == "P276" and kinds[statement.object] in {"Artist", "Person"}:
        return "located at a person"
    return ""
