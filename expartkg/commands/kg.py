"""`kg info`: what a graph holds."""

from __future__ import annotations

import argparse
from collections import Counter

from expartkg.commands.options import settings_from
from expartkg.commands.printing import say
from expartkg.retrieval import Retriever, open_graph
from expartkg.runs import to_text


def info_command(options: argparse.Namespace) -> int:
    graph = open_graph(settings_from(options).kg)
    counts = Retriever(graph).ranker.statistics
    kinds = Counter(entity.kind or "(none)" for entity in graph.entities)
    info = {
        "name": graph.name,
        "entities": len(graph),
        "statements": counts.statements,
        "properties": len(counts.predicates),
        "kinds": dict(sorted(kinds.items())),
        "sha256": graph.sha256,
    }
    if options.json:
        say(to_text(info))
    else:
        kinds_line = ", ".join(f"{kind} {number:,}" for kind, number in kinds.most_common())
        say(f"{graph.name}: {len(graph):,} entities ({kinds_line})")
        say(f"{counts.statements:,} statements of {len(counts.predicates)} properties")
        say(f"sha256 {graph.sha256 or 'unknown: a store or an endpoint'}")
    return 0
