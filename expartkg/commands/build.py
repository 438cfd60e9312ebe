"""`build`: construct a graph (Section 3)."""

from __future__ import annotations

import argparse
from pathlib import Path

from expartkg.construction import (
    CONCEPT_RULES,
    DEFAULT_NOISE,
    Choices,
    build_from_extract,
    build_from_questions,
)
from expartkg.construction.questions import read_questions
from expartkg.construction.sources.graph import open_graph_file, read_graph_file
from expartkg.construction.sources.snapshot import open_snapshot, read_snapshot
from expartkg.errors import NotBuiltError, UsageError
from expartkg.runs import to_text

_AT_HAND = {
    "snapshot": (read_snapshot, open_snapshot),
    "graph": (read_graph_file, open_graph_file),
}
"""How a source is read: for every artwork of it, and for the names of a question set."""


def build_command(options: argparse.Namespace) -> int:
    manifest = _build(options)
    if options.json:
        print(to_text(manifest))
    else:
        entities, statements = manifest["entities"], manifest["statements"]
        print(f"{options.out}: {entities:,} entities, {statements:,} statements")
    return 0


def _build(options: argparse.Namespace) -> dict[str, object]:
    choices = _choices(options)
    kind, _, where = options.knowledge.partition(":")
    if kind in {"wikidata", "dump"}:
        raise NotBuiltError(f"The source {kind} is not built yet; give snapshot:DIR or graph:FILE.")
    if kind not in _AT_HAND or not where:
        raise UsageError("--knowledge takes snapshot:DIR or graph:FILE.")
    read_all, open_source = _AT_HAND[kind]
    if options.questions == "all":
        extract = read_all(Path(where))
        dropped = choices.dropped_properties
        return build_from_extract(extract, options.out, dropped_properties=dropped)
    questions = read_questions(options.questions)
    return build_from_questions(questions, open_source(Path(where)), options.out, choices)


def _choices(options: argparse.Namespace) -> Choices:
    kept = frozenset(options.keep_noise)
    if kept - DEFAULT_NOISE:
        wrong = ", ".join(sorted(kept - DEFAULT_NOISE))
        raise UsageError(f"--keep-noise: {wrong} is not on the list of noise properties.")
    rules = frozenset(CONCEPT_RULES if options.concept_rules is None else options.concept_rules)
    if rules - CONCEPT_RULES.keys():
        wrong = ", ".join(sorted(rules - CONCEPT_RULES.keys()))
        raise UsageError(f"--concept-rules: {wrong} is none of {', '.join(CONCEPT_RULES)}.")
    return Choices(DEFAULT_NOISE - kept, rules)
