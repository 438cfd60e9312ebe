"""Random texts through all that reads or shows texts of others: nothing breaks, every offset is
right, nothing is obeyed.
"""

from __future__ import annotations

import contextlib
import csv
import io
import itertools
import json
import math
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import hypothesis
import pytest
from markdown_it import MarkdownIt

from expartkg.batch import Outcome, WorkRow, Works, read_works, report
from expartkg.batch.folder import Folder
from expartkg.batch.table import TableError, image_beside
from expartkg.commands.printing import print_facts, print_mentions, say, shown, tell
from expartkg.comparison import compare, differing_words
from expartkg.construction.mapping import mapped_statements, read_mapping
from expartkg.engines.repetition import RepetitionGuard
from expartkg.engines.scripted import scripted_engine
from expartkg.errors import DataError, GraphError, RunFormatError, SourceError, UsageError
from expartkg.evaluation.linking import read_gold
from expartkg.evaluation.pairs import Pair, read_pairs
from expartkg.evaluation.questions import ArtQuestion, read_questions
from expartkg.evaluation.report.samples import TEMPLATES as SAMPLES
from expartkg.evaluation.report.samples import Part, Sample, Text
from expartkg.evaluation.scoring import METRICS, Scorer
from expartkg.exports import comparison_to_html, run_to_html, run_to_markdown
from expartkg.loop import explain
from expartkg.prompts import FACTS
from expartkg.records import (
    Artwork,
    Event,
    Finished,
    Identification,
    Mention,
    Prompt,
    Run,
    StopFlag,
    Verdict,
)
from expartkg.retrieval.opening import open_graph
from expartkg.retrieval.retriever import Retriever
from expartkg.retrieval.text import fold, normal_form
from expartkg.runs import read_run, run_to_json, to_text
from expartkg.settings import RANKINGS, SOURCES, Settings
from expartkg.support.passages import passages_of
from expartkg.support.sentences import sentence_spans
from expartkg.templating import templates_in
from expartkg.ui.addresses import link_to
from expartkg.ui.browse.catalogue import Catalogue
from expartkg.ui.browse.drawing import Drawing
from expartkg.ui.cards import Cards
from expartkg.ui.chooser import Chooser
from expartkg.ui.story import Story
from expartkg.ui.text import ENGLISH, JAPANESE
from tests.hard_use.hostile_graph import write_hostile_graph
from tests.hard_use.markup import Page, read, squeezed
from tests.hard_use.texts import IS_LARGE, drawn, sized, texts_about

pytestmark = pytest.mark.timeout(2 * 3600 if IS_LARGE else 300)
TEXTS_OF_A_RUN = 10
LONGEST_FIELD = 300
"""Characters that a field of the page takes."""
MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])
NOBODY = Identification(Artwork())


@pytest.fixture(scope="module")
def retriever(tmp_path_factory: pytest.TempPathFactory) -> Retriever:
    path = tmp_path_factory.mktemp("graph") / "hostile.nt"
    write_hostile_graph(path, longest=1000)
    return Retriever(open_graph(str(path)))


@pytest.fixture(scope="module")
def names(retriever: Retriever, shipped: Retriever) -> Sequence[str]:
    """Of both graphs; those of the shipped one are drawn from all over it."""
    own = [one.label for one in retriever.graph.entities if len(one.label) < 1000]
    return [*own, *(one.label for one in shipped.graph.entities[::40])]


@contextlib.contextmanager
def timed(what: str, texts: int) -> Iterator[int]:
    """Says how many texts it was, and what they took; yields how many are to be tried now."""
    number, began = sized(texts), time.process_time()
    yield number
    print(f"\n{what}: {number:,} texts, {time.process_time() - began:.0f} s")


def in_parts(texts: Iterator[str], size: int) -> Iterator[list[str]]:
    while part := list(itertools.islice(texts, size)):
        yield part


def check_mentions(text: str, mentions: Sequence[Mention]) -> None:
    """Each is in the text what it says to be, and they follow each other."""
    end = 0
    for mention in mentions:
        assert end <= mention.start < mention.end <= len(text)
        end = mention.end
        assert mention.text == text[mention.start : mention.end]
        for one in mention.candidates:
            assert normal_form(one.label) == normal_form(mention.text)


def test_names_stand_where_they_are_said_to(
    retriever: Retriever, shipped: Retriever, names: Sequence[str]
) -> None:
    with timed("names", 30_000) as number:
        for text in drawn(names, number, seed=1):
            check_mentions(text, retriever.names.find(text))
            check_mentions(text, shipped.names.find(text))
            assert normal_form(normal_form(text)) == normal_form(text)


@hypothesis.settings(max_examples=sized(5000))
@hypothesis.given(texts_about(["Mona Lisa", "Café Terrace at Night", "Straße", "각 한", "İz"]))
def test_names_that_hypothesis_looks_for(shipped: Retriever, text: str) -> None:
    check_mentions(text, shipped.names.find(text))
    assert fold(fold(text)) == fold(text)


def test_any_text_can_be_searched_for(
    retriever: Retriever, shipped: Retriever, names: Sequence[str]
) -> None:
    catalogue, chooser = Catalogue(retriever), Chooser(retriever)
    cards = [Cards(words) for words in (ENGLISH, JAPANESE)]
    pages = Drawing(ENGLISH, "", {"ja": JAPANESE})
    turn = itertools.cycle(cards)
    with timed("titles and search", 5_000) as number:
        for text in drawn(names, number, seed=2):
            text = text[:LONGEST_FIELD]
            shipped.suggest(text)
            shipped.titles.works(text)
            shipped.identify(Artwork(title=text, artist=text[::-1]))
            one = next(turn)
            one.suggestions(chooser.suggestions(text), "title")
            resolution = chooser.resolve(text, text, None)
            read(one.resolved(resolution, can_fetch=True, problem=text))
            read(pages.graph(catalogue.graph(text)))
            page = read(pages.missing(text))
            assert squeezed(text[:100]) in squeezed(page.said)


class Doubting:
    """A validator that takes nothing for right, so that a run goes on to its end."""

    def judge(self, prompt: Prompt, answer: str, stop: StopFlag) -> Verdict:
        (prompt.system + prompt.text).encode()
        return Verdict(False, 0.1, 1.0, "forced")


def run_about(retriever: Retriever, texts: Sequence[str], lots: random.Random) -> list[Event]:
    """The events of a run in which everything that others may write is one of the texts."""
    title, artist, *answers = texts
    picked = lots.choice(retriever.graph.entities).id if lots.random() < 0.5 else None
    question = lots.choice((None, answers.pop() + lots.choice(("{title}", "", "{artist}"))))
    settings = Settings().replace(
        ranking=lots.choice(RANKINGS),
        source=lots.choice(SOURCES),
        max_iterations=3,
        validator_facts=lots.random() < 0.5,
    )
    engine = scripted_engine(answers[:3])
    return list(
        explain(
            Artwork(id=picked, title=title, artist=artist),
            retriever=retriever,
            engine=replace(
                engine, validator=Doubting(), notice=answers[3].encode("utf-8", "replace").decode()
            ),
            settings=settings,
            question=question,
        )
    )


def runs_about(
    retriever: Retriever, names: Sequence[str], number: int, seed: int
) -> Iterator[list[Event]]:
    lots = random.Random(seed)
    texts = drawn(names, number, seed)
    for some in in_parts(texts, TEXTS_OF_A_RUN):
        with contextlib.suppress(UsageError):  # of a placeholder that nothing fills
            yield run_about(retriever, some, lots)


def run_in(events: Sequence[Event]) -> Run:
    last = events[-1]
    assert isinstance(last, Finished)
    return last.run


def check_run(run: Run) -> None:
    assert run.error is None
    assert "".join(passage.text for passage in passages_of(run)) == run.answer
    for iteration in run.iterations:
        facts = len(iteration.facts)
        if facts:
            prompt = iteration.prompt.text
            assert prompt.startswith(FACTS.partition("{")[0])
            lines = prompt.splitlines()[2 : 2 + facts]
            assert all(line[0] == "[" and line[-1] == "]" for line in lines)
            assert prompt.split("\n")[2 + facts].startswith("Question: ")
    content = to_text(run_to_json(run)).encode()
    assert run_to_json(read_run(content)) == run_to_json(run)


def test_any_text_can_be_explained_and_taken_away(
    retriever: Retriever, names: Sequence[str]
) -> None:
    with timed("runs, prompts, marks and exports", 10_000) as number:
        for events in runs_about(retriever, names, number, seed=3):
            run = run_in(events)
            check_run(run)
            page = read(run_to_html(run))
            said = squeezed(page.said)
            for text in (
                run.answer,
                run.question.text,
                *(one.prompt.text for one in run.iterations),
            ):
                assert squeezed(text) in said
            check_markdown(run)


def check_markdown(run: Run) -> None:
    """A renderer makes of it what an empty run has, whatever its texts say."""
    html = MARKDOWN.render(run_to_markdown(run))
    for made in ("<a", "<img", "<em", "<strong", "<s>", "<hr", "<h3", "<ol", "<del", "<script"):
        assert made not in html, made
    assert html.count("<h1") == 1
    assert html.count("<h2") == len(run.iterations) + 1
    assert html.count("<pre") == html.count("<code") == 1
    assert squeezed(run.question.text) in squeezed(Page(html).said)


def test_any_text_can_be_shown_on_the_page(retriever: Retriever, names: Sequence[str]) -> None:
    cards = itertools.cycle([Cards(ENGLISH), Cards(JAPANESE)])
    before: Run | None = None
    with timed("the page", 5_000) as number:
        for events in runs_about(retriever, names, number, seed=4):
            run, draw = run_in(events), next(cards)
            story = Story(key="k", picture=run.answer)
            for event in events:
                story.add([event])
                draw.answer(story)
            # Without a sentence the template leaves its element open, for a text that grows.
            answer = draw.answer(story) + ("" if run.support or not story.answer else "</div>")
            html = [draw.status_of(story), answer, draw.cards(story)]
            html += [
                draw.saved(run),
                draw.keep(run, dict.fromkeys((".html", ".md", ".json"), "/"), link_to(run)),
            ]
            assert story.started
            works = retriever.works(story.started.candidates[:1])
            html.append(draw.work(story.started, works))
            compared = compare(before or run, run, (run.answer, run.question.text))
            files = {".html": "/", ".json": "/"}
            html.append(draw.comparison(compared, [run.answer, run.question.text], files))
            read(comparison_to_html(compared))
            pages = [read(one) for one in html]
            assert squeezed(run.answer) in squeezed(pages[1].said)
            assert squeezed(run.iterations[0].prompt.text) in squeezed(pages[2].said)
            before = run


def test_any_text_can_be_scored(shipped: Retriever, names: Sequence[str]) -> None:
    scorer = Scorer(shipped.names.dictionary)
    with timed("metrics", 10_000) as number:
        for some in in_parts(drawn(names, number, seed=5), 1000):
            pairs = [Pair(str(n), *pair) for n, pair in enumerate(itertools.pairwise(some))]
            samples = scorer.samples(pairs)
            for values in samples.values:
                for metric, value in zip(METRICS, values.tolist(), strict=True):
                    assert metric in ("bertscore", "length") or 0 <= value <= 100.0001, metric
            corpus = samples.corpus()[0].tolist()
            assert all(
                math.isfinite(v) or m == "bertscore" for m, v in zip(METRICS, corpus, strict=True)
            )


def test_any_texts_can_be_compared_and_cut_into_sentences(names: Sequence[str]) -> None:
    with timed("comparing, sentences, repetition", 20_000) as number:
        for left, right in itertools.pairwise(drawn(names, number, seed=6)):
            pieces = differing_words(left, right)
            assert ["".join(one.text for one in side) for side in pieces] == [left, right]
            end = 0
            for start, stop in sentence_spans(left):
                assert end <= start < stop <= len(left)
                assert left[start:stop] == left[start:stop].strip()
                assert "\n" not in left[start:stop]
                end = stop
            guard = RepetitionGuard()
            guard.feed(left)
            assert guard.feed(right * 800) == bool(right) or len(right) > 600


def test_no_text_gives_a_terminal_orders(
    retriever: Retriever, names: Sequence[str], capsys: pytest.CaptureFixture[str]
) -> None:
    obeyed = {chr(c) for c in range(0x20)} | {chr(c) for c in range(0x7F, 0xA0)}
    obeyed |= set("\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2069")
    with timed("the terminal", 20_000) as number:
        for text in drawn(names, number, seed=7):
            mentions = retriever.names.find(text)
            sendable = text.encode("utf-8", "replace").decode()
            say(sendable)
            tell(sendable)
            print_mentions(mentions)
            print_facts(retriever.facts(mentions[:1], ranking="qid", top_k=2))
            out, err = capsys.readouterr()
            assert not set(out + err) & (obeyed - {"\n", "\t"})
            assert err.count("\n") == 1
            assert shown(shown(text)) == shown(text)


def written(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "replace"))
    return path


def test_any_file_is_read_or_refused_with_a_reason(names: Sequence[str], tmp_path: Path) -> None:
    """Tables of works, questions, pairs, saved runs and mappings that have the texts in them."""
    lots = random.Random(8)
    with timed("files", 5_000) as number:
        for some in in_parts(drawn(names, number, seed=8), 5):
            one, other, *_, last = some
            read_table(lots, some, tmp_path)
            record = {"id": one, "title": other, "reference": last, "question": some[-2]}
            for read_file in (read_questions, read_pairs, read_gold):
                lines = [json.dumps(record), json.dumps({**record, "generated": one}), one]
                with contextlib.suppress(DataError):
                    read_file(written(tmp_path / "lines", "\n".join(lines[: lots.randint(1, 3)])))
            with contextlib.suppress(RunFormatError):
                read_run(one.encode("utf-8", "surrogatepass"))
            map_table(lots, some, tmp_path)


def read_table(lots: random.Random, some: Sequence[str], folder: Path) -> None:
    """As bytes of several encodings, with cells that are quoted or not."""
    separator = lots.choice(",;\t|")
    cells = [f'"{text}"' if lots.random() < 0.5 else text for text in some]
    header = separator.join(lots.sample(["title", "artist", "image", "artwork"], 3))
    table = f"{header}\n{separator.join(cells[:3])}\n{separator.join(cells[2:])}"
    encoding = lots.choice(("utf-8", "utf-16", "cp1252", "utf-8-sig"))
    with contextlib.suppress(TableError):
        works = read_works(table.encode(encoding, "replace"), image_beside(folder))
        for row in works.rows:
            for cell in (row.title, row.artist, row.artwork):
                assert cell is None or (cell and cell.isprintable())
        read(report(works, [], Folder(folder), {}, some[0]))


def map_table(lots: random.Random, some: Sequence[str], folder: Path) -> None:
    """A mapping and a table, both with the texts wherever a text may be."""
    one, other, third, *_ = [text.encode("utf-8", "replace").decode() for text in (*some, "", "")]
    iri = lots.choice(("https://a.test/{}", third, "{}"))
    said = {"id": one, "label": other, "iri": iri, "delimiter": lots.choice((",", ";", third))}
    said["encoding"] = lots.choice(("utf-8", "utf-16", "latin-1", third))
    lines = [f"{key} = {toml(value)}" for key, value in said.items()]
    edge = f"{{ label = {toml(third)}, iri = {toml(iri)} }}"
    mapping = "\n".join(["[table]", *lines, "[table.edges]", f"{toml(third)} = {edge}"])
    with contextlib.suppress(SourceError, GraphError):
        read_back = read_mapping(written(folder / "map.toml", mapping))
        rows = io.StringIO(newline="")
        csv.writer(rows).writerows([[one, other, third], some[:3], some[2:]])
        table = written(folder / "table.csv", rows.getvalue())
        list(mapped_statements([table], read_back, lambda *_: None, lambda _: None))


def toml(text: str) -> str:
    escaped = "".join(c if c.isalnum() else f"\\U{ord(c):08x}" for c in text)
    return f'"{escaped}"'


def test_reports_show_any_text(names: Sequence[str]) -> None:
    template = templates_in(SAMPLES).get_template("samples.html")
    with timed("reports", 5_000) as number:
        for some in in_parts(drawn(names, number, seed=9), 10):
            question = ArtQuestion(some[0], some[1], some[-1], artist=some[2])
            texts = tuple(Text(text, text, text) for text in some)
            parts = [Part(some[0], some[1], (Sample(question, texts),))]
            page = read(template.render(ordered_by=some[0], ranking=some[1], parts=parts))
            assert all(squeezed(text) in squeezed(page.said) for text in some)
            row = WorkRow(2, title=some[0])
            works = Works((row,), (), tuple(some))
            outcome = Outcome(row, problem=some[-1])
            page = read(report(works, [outcome], Folder(Path()), {"q": some[0]}, some[1]))
            assert squeezed(some[-1]) in squeezed(page.said)
            read(Cards(ENGLISH).many(works, [outcome], "k", "/a"))
