"""How a large graph that was loaded beforehand opens, and how fast it answers.

The graph is generated: entities of two or three words, statements between them at random. Set
EXPARTKG_LARGE=1 for a million entities and five million statements (which take a quarter of an
hour and some gigabytes to load); without it, it is a hundredth of that.
"""

from __future__ import annotations

import os
import random
import resource
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from pyoxigraph import Literal, NamedNode, Quad

from expartkg.retrieval.loading import load_store
from expartkg.retrieval.opening import open_graph
from expartkg.retrieval.retriever import Retriever
from tests.benchmarks.timing import processor_seconds

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(7200)]

ENTITIES = 1_000_000 if os.environ.get("EXPARTKG_LARGE") else 10_000
STATEMENTS = 5 * ENTITIES
LABEL = NamedNode("http://www.w3.org/2000/01/rdf-schema#label")
TYPE = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
WORDS = [f"{a}{b}{c}" for a in ("Ma", "Le", "Ro", "Ti") for b in "lnrst" for c in ("a", "ie", "o")]
KINDS = [NamedNode(f"urn:expartkg:{kind}") for kind in ("Artwork", "Artwork", "Artist", "Museum")]
PROPERTIES = [NamedNode(f"http://www.wikidata.org/prop/direct/P{n}") for n in range(170, 210)]


def item(number: int) -> NamedNode:
    return NamedNode(f"http://www.wikidata.org/entity/Q{number}")


def label(number: int) -> str:
    """Most names are one entity's alone; some, such as two-word titles, are shared."""
    words = WORDS[number % 60], WORDS[number // 60 % 60]
    return " ".join(words) if number % 50 == 0 else f"{words[0]} of {words[1]} {number}"


def statements() -> Iterator[Quad]:
    chance = random.Random(20)
    for number in range(ENTITIES):
        yield Quad(item(number), LABEL, Literal(label(number), language="en"))
        yield Quad(item(number), TYPE, KINDS[number % len(KINDS)])
    for _ in range(STATEMENTS):
        # Objects crowd at low numbers, as artists and places do.
        far_end = int(ENTITIES * chance.random() ** 3)
        yield Quad(item(chance.randrange(ENTITIES)), chance.choice(PROPERTIES), item(far_end))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("large") / "store"
    began = time.perf_counter()
    counts = load_store(statements(), directory, lambda: "0" * 64)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"loaded {counts} in {time.perf_counter() - began:.0f} s, {peak:.1f} GiB at most")
    return directory


def seconds(run: Callable[[], object]) -> float:
    began = time.process_time()
    run()
    return time.process_time() - began


def opened(directory: Path) -> Retriever:
    """Ready for questions and for typing."""
    retriever = Retriever(open_graph(str(directory)))
    retriever.warm_up()
    return retriever


def test_a_loaded_graph_opens_at_once_and_answers_fast(store: Path, slowness: float) -> None:
    opening = statistics.median(seconds(lambda: opened(store)) for _ in range(5))
    retriever = opened(store)
    chance = random.Random(21)
    texts = [
        f'Explain the artwork "{label(chance.randrange(ENTITIES))}" by '
        f"{label(chance.randrange(ENTITIES))}."
        for _ in range(300)
    ]

    def retrieve(text: str) -> None:
        mentions = retriever.names.find(text)
        assert len(mentions) >= 2
        assert retriever.facts(mentions, ranking="qid", top_k=10)

    elapsed: list[float] = []
    times = processor_seconds(lambda text: elapsed.append(seconds(partial(retrieve, text))), texts)
    median, p95 = statistics.median(times), statistics.quantiles(times, n=20)[18]
    typed = [text[23:30] for text in texts]
    typing = statistics.median(processor_seconds(retriever.suggest, typed))
    print(f"{ENTITIES:,} entities, {STATEMENTS:,} statements: opened in {opening:.3f} s;")
    print(
        f"a retrieval takes {median * 1e3:.2f} ms of the processor in the median, {p95 * 1e3:.2f} "
        f"ms at p95, and {statistics.median(elapsed) * 1e3:.2f} ms by the clock;"
    )
    print(f"suggestions take {typing * 1e3:.2f} ms; the machine is {slowness:.1f} times slow")
    assert opening < 3 * slowness
    assert median < 5e-3 * slowness


@pytest.mark.skipif(ENTITIES > 100_000, reason="reading all of a large graph takes too long")
def test_an_index_opens_many_times_faster_than_the_store_read_whole(store: Path) -> None:
    with_index = min(seconds(lambda: opened(store)) for _ in range(3))
    index = store / "expartkg"
    index.rename(store.with_name("aside"))
    without = seconds(lambda: opened(store))
    store.with_name("aside").rename(index)
    print(f"opens {without / with_index:.0f} times faster than without its index")
    assert without > 10 * with_index
