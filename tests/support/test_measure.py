"""How well sentences made from the shipped graph are told apart; the figures are printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from expartkg.retrieval.retriever import Retriever
from expartkg.support import support_of
from tests.support.made_sentences import Made, free_sentences, made_sentences


def figures(retriever: Retriever, sentences: Iterable[Made]) -> dict[str, tuple[float, float]]:
    """Precision and recall of each status, over the last sentence of every text."""
    counts: Counter[tuple[str, str]] = Counter()
    for made in sentences:
        *_, found = support_of(made.text, made.facts, made.work, retriever)
        counts[made.status, found.status] += 1
    print(sorted(counts.items()))
    return {status: _measured(counts, status) for status in ("supported", "contradicts")}


def _measured(counts: Counter[tuple[str, str]], status: str) -> tuple[float, float]:
    found = sum(n for (_, given), n in counts.items() if given == status)
    meant = sum(n for (deserved, _), n in counts.items() if deserved == status)
    both = counts[status, status]
    precision, recall = both / found, both / meant
    print(f"{status}: precision {precision:.3f}, recall {recall:.3f}")
    return precision, recall


def test_two_hundred_sentences_from_facts_half_of_them_swapped(shipped: Retriever) -> None:
    measured = figures(shipped, made_sentences(shipped, 200, seed=1))
    assert min(measured["supported"]) >= 0.95
    assert min(measured["contradicts"]) >= 0.95


def test_free_phrasings_are_told_apart_less_well(shipped: Retriever) -> None:
    measured = figures(shipped, free_sentences(shipped, 200, seed=1))
    assert measured["supported"][0] >= 0.9
    assert measured["supported"][1] >= 0.95
    assert measured["contradicts"][0] >= 0.95
    assert measured["contradicts"][1] >= 0.8
