"""`build`: construct a graph (Section 3)."""

from __future__ import annotations

import argparse
from pathlib import Path

from expartkg.construction import (
    CONCEPT_RULES,
    DEFAULT_NOISE,
    BuildOptions,
    build_from_extract,
    build_from_questions,
)
from expartkg.construction.questions import read_questions
from expartkg.construction.sources.graph import open_graph_file, read_graph_file
from expartkg.construction.sources.service import Service
from expartkg.construction.sources.snapshot import open_snapshot, read_snapshot
from expartkg.construction.sources.wikidata import QUERIES, Wikidata
from expartkg.errors import NotBuiltError, UsageError
from expartkg.runs import to_text
from expartkg.settings import Settings

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
    if kind == "dump":
        raise NotBuiltError("The source dump is not built yet; give another one.")
    if kind != "wikidata" and (kind not in _AT_HAND or not where):
        raise UsageError("--knowledge takes snapshot:DIR, graph:FILE or wikidata[:URL].")
    if options.questions == "all":
        return _build_from_all(kind, where, options.out, choices)
    questions = read_questions(options.questions)
    if kind == "wikidata":
        return build_from_questions(questions, _wikidata(where), options.out, choices)
    _, open_source = _AT_HAND[kind]
    return build_from_questions(questions, open_source(Path(where)), options.out, choices)


def _build_from_all(kind: str, where: str, out: Path, choices: BuildOptions) -> dict[str, object]:
    if kind not in _AT_HAND:
        raise UsageError(f"--questions all would ask {kind} for every artwork; give questions.")
    read_all, _ = _AT_HAND[kind]
    dropped = choices.dropped_properties
    return build_from_extract(read_all(Path(where)), out, dropped_properties=dropped)


def _wikidata(queries: str) -> Wikidata:
    if queries and not queries.startswith(("http://", "https://")):
        raise UsageError(f"--knowledge wikidata:URL needs a SPARQL endpoint, not {queries!r}.")
    settings = Settings.from_environment()
    cache = settings.cache.expanduser() / "wikidata"
    service = Service(contact=settings.contact, cache=cache)
    return Wikidata(service, queries=queries or QUERIES)


def _choices(options: argparse.Namespace) -> BuildOptions:
    kept = frozenset(options.keep_noise)
    if kept - DEFAULT_NOISE:
        wrong = ", ".join(sorted(kept - DEFAULT_NOISE))
        raise UsageError(f"--keep-noise: {wrong} is not on the list of noise properties.")
    rules = frozenset(CONCEPT_RULES if options.concept_rules is None else options.concept_rules)
    if rules - CONCEPT_RULES.keys():
        wrong = ", ".join(sorted(rules - CONCEPT_RULES.keys()))
        raise UsageError(f"--concept-rules: {wrong} is none of {', '.join(CONCEPT_RULES)}.")
    return BuildOptions(DEFAULT_NOISE - kept, rules)
