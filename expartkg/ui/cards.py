"""The page's own HTML, drawn from a `Story`: status line, work, answer, iterations.

Everything is escaped by Jinja2: labels of a graph and texts of a model are data, never markup.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from expartkg.batch import Outcome, Works
from expartkg.comparison import Comparison
from expartkg.recognition.recogniser import ENOUGH_POINTS
from expartkg.records import Entity, RankedTriple, Run, Started
from expartkg.retrieval.works import Work
from expartkg.subgraph import draw
from expartkg.templating import templates_in
from expartkg.ui.addresses import entity_address
from expartkg.ui.card import card_of
from expartkg.ui.checked import checked, legend
from expartkg.ui.chooser import Resolution
from expartkg.ui.examples import Example
from expartkg.ui.form import Provenance
from expartkg.ui.markup import encodable, rich
from expartkg.ui.proposal import Proposal
from expartkg.ui.status import Status, status_of
from expartkg.ui.story import Story
from expartkg.ui.text import Words
from expartkg.ui.used import used_by


@dataclass(frozen=True, slots=True)
class Header:
    """Where the top of the page leads: to the graph's own page, and to the other languages.

    Addresses are relative.
    """

    graph: str
    languages: Mapping[str, Words]


class Cards:
    """Draws stories in one language, whose page has an `address` from the root on."""

    def __init__(self, words: Words, address: str = "") -> None:
        self.words = words
        self._base = f"{address}/" if address else ""
        self._templates = templates_in(Path(__file__).parent / "templates")
        self._templates.filters.update(rich=rich, score_title=self._score_title, page=self._page_of)
        self._templates.globals["words"] = words

    def header(self, header: Header) -> str:
        return self._draw("header.html", header=header)

    def heading(self, text: str) -> str:
        return self._draw("heading.html", text=text)

    def notice(self, notice: str) -> str:
        """What an engine wants to be shown beside its answers."""
        return self._draw("notice.html", notice=notice)

    def status(self, status: Status) -> str:
        return self._draw("status.html", status=status)

    def status_of(self, story: Story) -> str:
        return self.status(status_of(story, self.words))

    def picker(self, field: str) -> str:
        """The empty list of suggestions for the text field of this id."""
        return self._draw("picker.html", id=field)

    def suggestions(self, works: Sequence[Work], field: str) -> str:
        """The options of that list."""
        return self._draw("suggestions.html", works=works, field=field)

    def examples(self, examples: Sequence[Example]) -> str:
        return self._draw("examples.html", examples=examples)

    def resolved(self, resolution: Resolution | None, can_fetch: bool, problem: str) -> str:
        """What the title field stands for, with the choice where there is one.

        `can_fetch` offers the work's picture, `problem` is why it could not be fetched.
        """
        # Two problems in the same words are two: the page is to be drawn anew.
        occasion = uuid.uuid4().hex[:8] if problem else ""
        return self._draw(
            "resolved.html",
            resolution=resolution,
            can_fetch=can_fetch,
            problem=problem,
            occasion=occasion,
        )

    def credit(self, provenance: Provenance | None, picture: str | None) -> str:
        """Where the shown picture comes from, unless the visitor brought it."""
        known = provenance if provenance and provenance.path == picture else None
        return self._draw("credit.html", provenance=known)

    def recognition(self, proposal: Proposal | None) -> str:
        """What the guide makes of an uploaded picture."""
        return self._draw("recognition.html", proposal=proposal, enough=ENOUGH_POINTS)

    def work(self, started: Started, works: Sequence[Work]) -> str:
        """What the title stood for in a run: the first of `works`, if there is one."""
        return self._draw(
            "work.html",
            work=works[0] if works else None,
            total=len(started.candidates),
            recognised=started.artwork.found == "recognised",
            title=started.artwork.title,
        )

    def saved(self, run: Run) -> str:
        """That a run was opened and not made here, and by whom it was made."""
        return self._draw("saved.html", run=run)

    def keep(self, run: Run, files: Mapping[str, str], link: str) -> str:
        """What can be taken away of a run: the addresses of its files by their endings, a link."""
        return self._draw("keep.html", run=run, files=files, link=link)

    def saved_runs(self, runs: Mapping[str, Run]) -> str:
        """Buttons that open runs, which are given by their names."""
        return self._draw("saved_runs.html", runs=runs)

    def comparison(
        self, comparison: Comparison, statuses: Sequence[str], files: Mapping[str, str]
    ) -> str:
        """Two runs side by side; `statuses` say how each ended, `files` as for `keep`."""
        return self._draw("comparison.html", comparison=comparison, statuses=statuses, files=files)

    def many(self, works: Works, outcomes: Sequence[Outcome], key: str, archive: str) -> str:
        """What came of a table so far; `archive` is the address of a file with all of it."""
        return self._draw("many.html", works=works, outcomes=outcomes, key=key, archive=archive)

    def answer(self, story: Story | None) -> str:
        """The newest answer, as far as it is written, and at the end with what supports it; None
        is before the first run.
        """
        run = story.run if story else None
        return self._draw(
            "answer.html",
            story=story,
            key=story.key if story else "",
            pieces=checked(run, self.words, self._page_of) if run and run.support else [],
            legend=list(legend(run, self.words)) if run else [],
        )

    def cards(self, story: Story | None) -> str:
        """A card for each iteration and, at the end, the graph of their facts and what was used."""
        if story is None:
            return self._draw("empty.html")
        cards = [card_of(round_, story, self.words) for round_ in story.rounds]
        used = list(used_by(story.run, story.picture, self.words)) if story.run else []
        graph = self._graph(story) if story.is_over else ""
        return self._draw(
            "cards.html",
            key=story.key,
            cards=cards,
            interventions=story.run.interventions if story.run else (),
            graph=graph,
            used=used,
        )

    def _graph(self, story: Story) -> Markup:
        """The facts of all iterations as a drawing."""
        facts = [fact.triple for one in story.rounds for fact in one.retrieved.facts]
        known = story.started.candidates[:1] if story.started else ()
        work = known[0] if known else None
        distinct = list(dict.fromkeys(facts))
        return draw(distinct, work, key=f"{story.key}-graph", labels=self.words.subgraph)

    def _page_of(self, entity: Entity) -> str:
        return self._base + entity_address(entity.id)

    def _draw(self, template: str, **values: object) -> str:
        return encodable(self._templates.get_template(template).render(values))

    def _score_title(self, fact: RankedTriple) -> str:
        """The score in full, and the counts of Eq. 1 that it was made from."""
        f, n_t = (
            "/".join(str(part) for part in count) if isinstance(count, tuple) else str(count)
            for count in (fact.f, fact.n_t)
        )
        return self.words.score_title.format(score=fact.score, f=f, n_t=n_t, N=fact.N)
