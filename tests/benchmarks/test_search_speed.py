"""How fast suggestions are, beside a plain scan of all works at every key.

Titles, and words of titles with an artist, are typed key by key, on the shipped graph.
"""

from __future__ import annotations

import random
import statistics
import tracemalloc
from collections.abc import Callable, Iterable

import pytest

from expartkg.retrieval.retriever import Retriever
from expartkg.retrieval.search import Search
from expartkg.retrieval.text import fold
from expartkg.retrieval.works import Work
from tests.benchmarks.timing import processor_seconds

pytestmark = pytest.mark.benchmark

WORKS_TYPED = 40


@pytest.fixture(scope="module")
def works(shipped: Retriever) -> tuple[Work, ...]:
    """Works of the graph with their makers and holders, drawn once."""
    shipped.warm_up()
    artworks = [entity for entity in shipped.graph.entities if entity.kind == "Artwork"]
    return shipped.works(random.Random(1).sample(artworks, WORKS_TYPED))


def keys(text: str) -> list[str]:
    """What stands in the field after each key."""
    return [text[:end] for end in range(1, len(text) + 1)]


def titles(works: Iterable[Work]) -> list[str]:
    return [key for work in works for key in keys(work.entity.label)]


def artists_and_titles(works: Iterable[Work]) -> list[str]:
    texts = (f"{''.join(work.makers[:1])} {work.entity.label}" for work in works)
    return [key for text in texts for key in keys(" ".join(text.split()[-4:]).lower())]


def mistyped(works: Iterable[Work]) -> list[str]:
    """The same with a letter too many in the first word."""
    texts = (f"{work.entity.label[:3]}q{work.entity.label[3:]}" for work in works)
    return [key for text in texts for key in keys(text)[3:]]


def milliseconds(run: Callable[[str], object], texts: Iterable[str]) -> list[float]:
    return [seconds * 1e3 for seconds in processor_seconds(run, texts)]


@pytest.mark.parametrize("typed", [titles, artists_and_titles, mistyped])
def test_a_suggestion_takes_a_few_milliseconds(
    shipped: Retriever,
    works: tuple[Work, ...],
    typed: Callable[[Iterable[Work]], list[str]],
    slowness: float,
) -> None:
    times = milliseconds(shipped.suggest, typed(works))
    median, p99 = statistics.median(times), statistics.quantiles(times, n=100)[98]
    print(f"{typed.__name__}: median {median:.2f} ms, p99 {p99:.2f} ms, {len(times)} keys")
    assert median < 10 * slowness
    assert p99 < 30 * slowness


def test_the_index_is_made_in_less_than_a_second(shipped: Retriever, slowness: float) -> None:
    shipped.warm_up()
    seconds = min(milliseconds(lambda _: Search(shipped.graph), [""] * 3)) / 1e3
    tracemalloc.start()
    search = Search(shipped.graph)
    size = tracemalloc.get_traced_memory()[0] / 1e6
    tracemalloc.stop()
    print(f"index: {seconds:.2f} s, {size:.1f} MB, slowness {slowness:.1f}")
    assert search.suggest("kiss klimt")
    assert seconds < slowness
    assert size < 20


class Scan:
    """Looks at all works at every key for words that begin so; their names are folded for it."""

    def __init__(self, retriever: Retriever) -> None:
        entities = retriever.graph.entities
        works = retriever.works(entity for entity in entities if entity.kind == "Artwork")
        self._works = [(work, self._text(work)) for work in works]

    @staticmethod
    def _text(work: Work) -> str:
        return fold(" ".join(("", work.entity.label, *work.makers, *work.holders)))

    def suggest(self, text: str) -> list[Work]:
        beginnings = [f" {word}" for word in fold(text).split()]
        return [
            work for work, text in self._works if all(beginning in text for beginning in beginnings)
        ]


def test_against_a_scan_of_all_works(shipped: Retriever, works: tuple[Work, ...]) -> None:
    """The scan neither ranks what it finds nor reads what is shown of it, as the search does."""
    scan = Scan(shipped)
    texts = artists_and_titles(works)[::7]
    assert scan.suggest("kiss klimt")
    theirs = statistics.median(milliseconds(scan.suggest, texts))
    ours = statistics.median(milliseconds(shipped.suggest, texts))
    print(f"as fast as a scan: {theirs / ours:.1f} times ({theirs:.2f} ms against {ours:.2f} ms)")
    assert theirs / ours >= 10
