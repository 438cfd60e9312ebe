"""Stories, the status line and the cards, told by real runs of the loop."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest

from expartkg.engines.scripted import scripted_engine
from expartkg.errors import EngineError
from expartkg.loop import explain
from expartkg.records import Answered, Artwork, Event, Finished, Judged, Retrieved, Started
from expartkg.retrieval.retriever import Retriever
from expartkg.settings import Settings
from expartkg.ui.bridge import Abandoned, Broken, Crowded, Waiting
from expartkg.ui.cards import Cards
from expartkg.ui.status import status_of
from expartkg.ui.story import Story
from expartkg.ui.text import ENGLISH, JAPANESE, LANGUAGES, Words
from expartkg.ui.used import used_by

LABELS = {
    "Q1": "Mona Lisa",
    "Q2": "Leonardo da Vinci",
    "Q3": "Louvre & Co. <script>alert(1)</script>",
    "Q4": "Mona Lisa",
    "Q5": "Salaì",
}
EDGES = [("Q1", "P170", "Q2"), ("Q1", "P195", "Q3"), ("Q4", "P170", "Q5"), ("Q1", "P50", "Q5")]
KINDS = {"Q1": "Artwork", "Q4": "Artwork", "Q2": "Artist", "Q5": "Artist", "Q3": "Museum"}
FIRST = "*Mona Lisa* is by Leonardo da Vinci."
SECOND = "*Mona Lisa* is by Leonardo da Vinci and hangs in Paris."

Told = Callable[..., Story]


@pytest.fixture
def retriever(make_graph: Callable[..., Any]) -> Retriever:
    return Retriever(make_graph(EDGES, LABELS, KINDS))


@pytest.fixture
def events(retriever: Retriever) -> Callable[..., list[Event]]:
    def run(
        answers: Iterable[str | Exception] = (FIRST, SECOND),
        p_true: Iterable[float | Exception] = (0.2, 0.9),
        title: str | None = "mona lisa",
        **settings: object,
    ) -> list[Event]:
        return list(
            explain(
                Artwork(title=title),
                retriever=retriever,
                engine=scripted_engine(list(answers), list(p_true)),
                settings=Settings().replace(**settings),
            )
        )

    return run


@pytest.fixture
def told(events: Callable[..., list[Event]]) -> Told:
    """A story up to, and with, the n-th event of a kind; all of it without one."""

    def tell(upto: type | None = None, nth: int = 1, **run: Any) -> Story:
        story = Story("key", run.get("method", "validate"))
        for event in events(**run):
            story.add([event])
            nth -= isinstance(event, upto) if upto else 0
            if upto and nth == 0:
                break
        return story

    return tell


@pytest.fixture
def drawn() -> Callable[[Story], str]:
    return Cards(ENGLISH).cards


def test_sentences_of_the_same_words_have_each_their_own_facts(told: Told) -> None:
    """A model may say a thing again and again."""
    html = Cards(ENGLISH).answer(told(answers=[f"{FIRST} {FIRST}"], p_true=[0.9]))
    targets = re.findall(r'popovertarget="([^"]+)"', html)
    assert len(set(targets)) == 2
    assert re.findall(r'popover id="([^"]+)"', html) == targets


def test_pieces_of_an_answer_are_told_from_the_rest(events: Callable[..., list[Event]]) -> None:
    story = Story()
    more = [story.add([event]) for event in events()]
    assert more.count(True) == 2 + 2 * 3  # started, finished; retrieved, answered, judged
    assert story.is_over


def test_the_status_line_through_a_run(told: Told) -> None:
    def sentence(story: Story) -> str:
        return status_of(story, ENGLISH).sentence

    assert sentence(Story()) == "Starting …"
    assert sentence(told(Started)) == "Starting …"
    assert sentence(told(Retrieved)) == "Iteration 1: writing the answer …"
    assert sentence(told(Answered)) == "Iteration 1: judging the answer …"
    assert sentence(told(Judged)) == "Iteration 2: looking up facts …"
    assert sentence(told(Finished)) == "Done. The answer of iteration 2 was judged True."


@pytest.mark.parametrize(
    ("run", "state", "sentence"),
    [
        ({"p_true": (0.1, 0.1)}, "exhausted", "Done. None of the 5 answers was judged True"),
        ({"method": "loop", "max_iterations": 2}, "exhausted", "Done after all 2 iterations."),
        ({"method": "baseline"}, "exhausted", "Done. One answer, written without the graph."),
        ({"answers": [FIRST, EngineError("No memory.")]}, "failed", "No memory."),
        ({"answers": [KeyError("x")]}, "failed", "The engine scripted failed"),
    ],
)
def test_the_status_line_at_the_end(
    told: Told, run: dict[str, Any], state: str, sentence: str
) -> None:
    status = status_of(told(**run), ENGLISH)
    assert status.state == state
    assert status.sentence.startswith(sentence)


@pytest.mark.parametrize(
    ("notice", "state"),
    [
        (Waiting(1), "waiting"),
        (Waiting(7), "waiting"),
        (Crowded(), "failed"),
        (Abandoned(), "stopped"),
        (Broken("Say which."), "failed"),
        (Broken(None), "failed"),
    ],
)
def test_notices(notice: Any, state: str) -> None:
    story = Story()
    assert story.add([notice])
    assert status_of(story, ENGLISH).state == state
    assert story.is_over == (state != "waiting")


def test_the_answer_stays_until_the_next_begins(told: Told) -> None:
    assert told(Retrieved, nth=2).answer == FIRST
    assert told().answer == SECOND


def test_a_failed_run_keeps_its_text(told: Told, drawn: Callable[[Story], str]) -> None:
    story = told(answers=[FIRST, EngineError("No memory.")])
    assert story.answer == FIRST
    html = drawn(story)
    assert "The engine failed here." in html
    assert "being written" not in html


def test_cards_have_what_was_found(told: Told, drawn: Callable[[Story], str]) -> None:
    html = drawn(told())
    assert html.count('<details class="card') == 4
    assert 'href="entity/Q2" target="_blank" rel="noopener noreferrer"' in html
    assert 'href="https://www.wikidata.org/wiki/Q1#P170"' in html
    assert 'href="ja/entity/Q2"' in Cards(JAPANESE, "ja").cards(told())
    assert "one of 2 of this name" in html
    assert "p = 0.90" in html
    assert "<em>Mona Lisa</em> is by Leonardo da Vinci and hangs in Paris." in html


def test_scores_are_short_and_in_full(told: Told, drawn: Callable[[Story], str]) -> None:
    story = told()
    fact = story.rounds[0].retrieved.facts[0]
    html = drawn(story)
    assert f">{fact.score:.3f}<" in html
    assert f'title="{fact.score}  (f = {fact.f}, n_t = {fact.n_t}, N = 5)"' in html


def test_both_counts_of_a_pair_are_shown(told: Told, drawn: Callable[[Story], str]) -> None:
    assert re.search(r"\(f = \d+/\d+, n_t = \d+/\d+, N = 5\)", drawn(told(ranking="pid-qid")))


def test_facts_that_did_not_fit_are_told(told: Told, drawn: Callable[[Story], str]) -> None:
    html = drawn(told(facts_budget=12))
    assert "left out, because the prompt has no room" in html


def test_labels_are_never_markup(told: Told, drawn: Callable[[Story], str]) -> None:
    html = drawn(told())
    assert "<script" not in html
    assert "Louvre &amp; Co. &lt;script&gt;" in html


def test_only_the_newest_card_is_open(told: Told, drawn: Callable[[Story], str]) -> None:
    opened = re.findall(r'data-key="key-(\w+)"( open)?', drawn(told()))
    assert opened == [("1", ""), ("2", " open"), ("graph", " open"), ("used", "")]


def test_a_baseline_uses_no_graph(told: Told, drawn: Callable[[Story], str]) -> None:
    html = drawn(told(method="baseline"))
    assert "The graph was not used." in html
    assert "not judged" in html
    assert "<table" not in html


def test_what_was_used_is_complete(told: Told, drawn: Callable[[Story], str]) -> None:
    story = told(top_k=3)
    assert story.run is not None
    story.picture = "from the attic"
    html = drawn(story)
    for value in (*story.run.settings.values(), *story.run.engine.values()):
        shown = ("no", "yes")[value] if isinstance(value, bool) else value
        assert f"<dd>{shown}".removesuffix(".0") in html
    assert "Explain the artwork &#34;mona lisa&#34;." in html
    assert "graph.nt, 5 entities" in html
    assert "<dd>from the attic</dd>" in html
    assert "found by the title" in html


@pytest.mark.parametrize("name", ["artworks", "expartkg"])
@pytest.mark.parametrize("words", LANGUAGES.values(), ids=LANGUAGES)
def test_a_shipped_graph_is_told_from_the_other(told: Told, name: str, words: Words) -> None:
    run = told().run
    assert run is not None
    graph = {"name": name, "entities": 1774, "sha256": "0" * 64}
    rows = dict(used_by(replace(run, signature={"graph": graph}), "", words))
    assert rows[words.graph].startswith(f"{name}")
    assert "1,774" in rows[words.graph]
    assert {"artworks": "expartkg", "expartkg": "artworks"}[name] in rows[words.graph_content]
    assert "kg/README.md" in rows[words.graph_content]


def test_a_title_that_two_works_have(told: Told, retriever: Retriever) -> None:
    started = told(Started).started
    assert started is not None
    html = Cards(ENGLISH).work(started, retriever.works(started.candidates[:1]))
    assert "one of 2 of this name" in html
    assert "Leonardo da Vinci" in html
    assert "Salaì" not in html


def test_a_title_that_the_graph_does_not_know(told: Told) -> None:
    started = told(Started, title="<b>No such work</b>").started
    assert started is not None
    html = Cards(ENGLISH).work(started, ())
    assert "does not know the title “&lt;b&gt;No such work&lt;/b&gt;”" in html


def test_no_title_needs_no_word(told: Told) -> None:
    started = told(Started, title=None).started
    assert started is not None
    assert not Cards(ENGLISH).work(started, ()).strip()
