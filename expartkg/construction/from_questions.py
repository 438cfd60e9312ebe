"""The paper's construction (Section 3): a graph from the questions of a data set.

Three steps, each with a result that the next reads: candidates, selection, edges; then the dates
and pictures of the nodes, and the files of the graph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from expartkg.construction.candidates import Candidate, find_candidates
from expartkg.construction.draft import Draft, listed_sources, noise_settings
from expartkg.construction.edges import Edge, sift
from expartkg.construction.noise import DEFAULT_NOISE
from expartkg.construction.questions import QuestionSet
from expartkg.construction.selection import CONCEPT_RULES, Choice, select
from expartkg.construction.sources.knowledge import Knowledge
from expartkg.construction.sources.records import Work
from expartkg.construction.steps import Steps
from expartkg.files import sweep

NAME = "expartkg"
DESCRIPTION = (
    "The paper's construction (Section 3) from a set of questions: names in its texts that are "
    "titles of English Wikipedia articles, unambiguous and no general concepts, with the Wikidata "
    "statements between them. Not the authors' ExpArt-KG, which was never published."
)


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """What a builder may decide: noise properties to leave out, rules for general concepts."""

    dropped_properties: frozenset[str] = DEFAULT_NOISE
    concept_rules: frozenset[str] = frozenset(CONCEPT_RULES)


@dataclass(frozen=True, slots=True)
class _Results:
    """What the steps found."""

    candidates: Sequence[Candidate]
    selection: Sequence[Choice]
    edges: Sequence[Edge]
    works: Sequence[Work]


def build_from_questions(
    questions: QuestionSet, knowledge: Knowledge, out: Path, options: BuildOptions | None = None
) -> dict[str, object]:
    """Build the graph into `out`; return the manifest.

    Writes the result of every step into `out/steps`, then `dropped.tsv` (everything left out, with
    the reason), `graph.nt.gz` and, last, `manifest.json`. Each is there as a whole or not at all.
    The same questions, source and options give the same bytes, however often the build was killed
    and started again. Raises `SourceError` if the source fails, `ExpArtError` if a file cannot be
    written.
    """
    options = options or BuildOptions()
    sweep(out)
    results = _run_steps(questions, knowledge, out / "steps", options)
    draft = _draft(results)
    labels = knowledge.property_labels(draft.properties())
    manifest = {
        "name": NAME,
        "description": DESCRIPTION,
        **draft.counts(labels),
        "stages": _stages(questions, results, draft),
        "facts_as_of": knowledge.facts_as_of,
        "licence": "CC0 1.0 (Wikidata statements)",
        "sources": listed_sources((*questions.files, *knowledge.files)),
        "settings": _settings(knowledge, options),
    }
    return draft.write(out, labels, manifest)


def _run_steps(
    questions: QuestionSet, knowledge: Knowledge, folder: Path, options: BuildOptions
) -> _Results:
    files = [asdict(file) for file in questions.files]
    steps = Steps(folder, {"questions": files, "knowledge": knowledge.version})
    found = steps.result(
        "candidates",
        lambda: (c.to_json() for c in find_candidates(questions.passages, knowledge.names())),
    )
    candidates = [Candidate.from_json(record) for record in found]
    knowledge.prepare([candidate.name for candidate in candidates], steps)
    steps.depend_on(_settings(knowledge, options))
    selected = steps.result(
        "selection",
        lambda: (c.to_json() for c in select(candidates, knowledge, options.concept_rules)),
    )
    selection = [Choice(**record) for record in selected]
    kinds = {choice.qid: choice.kind for choice in selection if choice.qid}
    edges = steps.result(
        "edges",
        lambda: (
            edge.to_json()
            for edge in sift(knowledge.statements(kinds.keys()), kinds, options.dropped_properties)
        ),
    )
    works = steps.result("works", lambda: (asdict(w) for w in knowledge.works(kinds.keys())))
    return _Results(
        candidates,
        selection,
        [Edge.from_json(record) for record in edges],
        [Work(record["qid"], tuple(record["years"]), record["image"]) for record in works],
    )


def _draft(results: _Results) -> Draft:
    draft = Draft()
    for choice in results.selection:
        if choice.qid:
            draft.labels[choice.qid] = choice.name
            draft.kinds[choice.qid] = choice.kind
        else:
            detail = f"{choice.name}: {choice.detail}" if choice.detail else choice.name
            draft.note("candidate", choice.reason, detail)
    draft.take_edges(results.edges)
    draft.drop_isolated()
    draft.take_works(results.works)
    return draft


def _settings(knowledge: Knowledge, options: BuildOptions) -> dict[str, object]:
    return {
        "knowledge": knowledge.address,
        **noise_settings(options.dropped_properties),
        "concept_rules": {
            rule: what for rule, what in CONCEPT_RULES.items() if rule in options.concept_rules
        },
    }


def _stages(questions: QuestionSet, results: _Results, draft: Draft) -> dict[str, object]:
    """How many there were at each stage, in the order of the steps."""
    nodes = [choice for choice in results.selection if choice.qid]
    dropped = Counter(choice.reason for choice in results.selection if choice.reason)
    left_out = Counter(edge.left_out for edge in results.edges if edge.left_out)
    return {
        "questions": questions.questions,
        "texts": _sorted(Counter(passage.field for passage in questions.passages)),
        "candidates": len(results.candidates),
        "candidates_by_field": _by_field(results.candidates),
        "occurrences": sum(candidate.count for candidate in results.candidates),
        "candidates_dropped": _sorted(dropped),
        "candidates_kept": len(nodes),
        "kept_by_list_of_titles": _sorted(Counter(choice.title for choice in nodes)),
        "statements_between_kept": len(results.edges),
        "statements_left_out": _sorted(left_out),
        "edges": len(draft.statements),
        "kept_without_edge_dropped": len(nodes) - len(draft.labels),
        "nodes": len(draft.labels),
        "nodes_without_edge": len(draft.labels) - len(draft.joined()),
    }


def _by_field(candidates: Iterable[Candidate]) -> Mapping[str, int]:
    return _sorted(Counter(field for candidate in candidates for field in candidate.seen))


def _sorted(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items()))
