"""`score`: the metrics of Appendix A.5 on pairs of texts."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Any

from expartkg.commands.options import settings_from
from expartkg.commands.printing import say, tell
from expartkg.commands.scorer import signed_scorer
from expartkg.errors import UsageError
from expartkg.evaluation.bootstrap import Comparison, Scores, compare, scores
from expartkg.evaluation.dictionaries import NamedDictionary, graph_dictionary, titles_dictionary
from expartkg.evaluation.pairs import Pair, aligned, read_pairs
from expartkg.evaluation.scoring import METRICS, Samples, Scorer, by_metric
from expartkg.retrieval import Retriever, open_graph
from expartkg.runs import to_text

Json = dict[str, Any]


def score_command(options: argparse.Namespace) -> int:
    pairs = read_pairs(options.file)
    others = aligned(pairs, read_pairs(options.against)) if options.against else None
    scorer, signed = signed_scorer(_dictionary(options), options)
    _warn(pairs, scorer)
    samples = scorer.samples(pairs)
    document = _document(samples, scores(samples, seed=options.seed)) | {"signatures": signed}
    if others:
        other = scorer.samples(others)
        document["against"] = _document(other, scores(other, seed=options.seed))
        document["differences"] = _differences(compare(samples, other, seed=options.seed))
    if options.json:
        say(to_text(document))
    else:
        _print(document)
    return 0


def _dictionary(options: argparse.Namespace) -> NamedDictionary:
    if options.titles and options.kg:
        raise UsageError("Give --kg or --titles, not both: the names are those of one of them.")
    if options.titles:
        return titles_dictionary(options.titles)
    return graph_dictionary(Retriever(open_graph(settings_from(options).kg)))


def _warn(pairs: Iterable[Pair], scorer: Scorer) -> None:
    """What scores 0 for every pair is more likely a mistake than a result."""
    if not any(pair.generated.split() for pair in pairs):
        tell("All generated texts are empty, so everything is 0; check the field 'generated'.")
    if not any(scorer.names_an_entity(pair.reference) for pair in pairs):
        tell(
            "No reference names an entity of the dictionary, so all entity measures are 0; "
            "give the graph of these works with --kg, or their names with --titles."
        )


def _document(samples: Samples, scored: Scores) -> Json:
    return {
        "corpus": by_metric(scored.corpus),
        "intervals": scored.intervals(),
        "samples": [
            {"id": id} | by_metric(values)
            for id, values in zip(samples.ids, samples.values, strict=True)
        ],
    }


def _differences(comparison: Comparison) -> Json:
    columns = {
        "difference": by_metric(comparison.difference),
        "low": by_metric(comparison.low),
        "high": by_metric(comparison.high),
        "p": by_metric(comparison.p),
    }
    return {
        metric: {name: column[metric] for name, column in columns.items()} for metric in METRICS
    }


def _print(document: Json) -> None:
    say(f"{len(document['samples'])} pairs, 95 % intervals")
    for metric, value in document["corpus"].items():
        if value is not None:
            low, high = document["intervals"][metric]
            say(f"{metric:<11} {value:7.2f}  [{low:.2f}, {high:.2f}]{_against(document, metric)}")
    say()
    for line in filter(None, document["signatures"].values()):
        say(line)


def _against(document: Json, metric: str) -> str:
    if "differences" not in document:
        return ""
    found = document["differences"][metric]
    return (
        f"  against {document['against']['corpus'][metric]:.2f}: {found['difference']:+.2f} "
        f"[{found['low']:+.2f}, {found['high']:+.2f}], p = {found['p']:.3f}"
    )
