"""`build`: construct a graph (Section 3)."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path

from expartkg.commands.printing import say
from expartkg.construction import (
    CONCEPT_RULES,
    DEFAULT_NOISE,
    BuildOptions,
    build_from_extract,
    build_from_questions,
)
from expartkg.construction.questions import read_questions
from expartkg.construction.sources.dump.source import Dump, read_dump
from expartkg.construction.sources.graph import open_graph_file, read_graph_file
from expartkg.construction.sources.knowledge import Knowledge
from expartkg.construction.sources.records import Extract
from expartkg.construction.sources.service import Service
from expartkg.construction.sources.snapshot import open_snapshot, read_snapshot
from expartkg.construction.sources.wikidata import QUERIES, Wikidata
from expartkg.errors import UsageError
from expartkg.runs import to_text
from expartkg.settings import Settings

_READERS: Mapping[str, Callable[[Path], Extract]] = {
    "snapshot": read_snapshot,
    "graph": read_graph_file,
}
"""How all artworks of a source are read."""
_SOURCES: Mapping[str, Callable[[str], Knowledge]] = {
    "snapshot": lambda where: open_snapshot(Path(where)),
    "graph": lambda where: open_graph_file(Path(where)),
    "dump": lambda where: Dump(Path(where)),
    "wikidata": lambda where: _wikidata(where),
}
"""How a source is opened for the names of a question set."""


def build_command(options: argparse.Namespace) -> int:
    manifest = _build(options)
    if options.json:
        say(to_text(manifest))
    else:
        entities, statements = manifest["entities"], manifest["statements"]
        say(f"{options.out}: {entities:,} entities, {statements:,} statements")
    return 0


def _build(options: argparse.Namespace) -> dict[str, object]:
    choices = _choices(options)
    kind, _, where = options.knowledge.partition(":")
    if kind not in _SOURCES or (kind != "wikidata" and not where):
        raise UsageError("--knowledge takes snapshot:DIR, graph:FILE, dump:FILE or wikidata[:URL].")
    if options.questions == "all":
        everything = _everything(kind, where, options.out)
        dropped = choices.dropped_properties
        return build_from_extract(everything, options.out, dropped_properties=dropped)
    questions = read_questions(options.questions)
    return build_from_questions(questions, _SOURCES[kind](where), options.out, choices)


def _everything(kind: str, where: str, out: Path) -> Extract:
    """All artworks of a source, with what is said about them."""
    if kind == "dump":
        return read_dump(Path(where), out / "steps")
    if kind not in _READERS:
        raise UsageError(f"--questions all would ask {kind} for every artwork; give questions.")
    return _READERS[kind](Path(where))


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
