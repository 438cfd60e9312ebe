"""Changing what an explanation was made from, and running it again from the middle."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Any

import gradio as gr

from expartkg.directions import without_directions
from expartkg.errors import UnknownEntityError
from expartkg.records import Entity, Intervention, Iteration, Run
from expartkg.ui.chooser import Chooser
from expartkg.ui.form import typed
from expartkg.ui.guide import Guide, Screen
from expartkg.ui.markup import encodable
from expartkg.ui.parts import AT_ONCE, QUIET, html_part, picker_part, visitor_of
from expartkg.ui.tools.outlets import Outlets, Updates, updates

LONGEST_QUESTION = 2000
MOST_ADDED = 10


class Steering:
    """The part of the page that changes a finished explanation."""

    def __init__(self, guide: Guide, chooser: Chooser, outlets: Outlets) -> None:
        self._guide = guide
        self._chooser = chooser
        self._outlets = outlets
        self._words = guide.words.tools.steering

    def lay_out(self) -> Any:
        """Returns the event after which the steered run is over, or `problem` has why not."""
        words = self._words
        with gr.Accordion(words.heading, open=False, elem_id="steer"):
            self._nothing = html_part(self._said(words.nothing))
            with gr.Column(visible=False, elem_id="steering") as self._column:
                html_part(self._said(words.info))
                self._number = gr.Radio([], label=words.iteration.label, elem_id="steer-from")
                self._question = gr.Textbox(
                    label=words.question.label, lines=2, max_length=LONGEST_QUESTION
                )
                self._entities = gr.CheckboxGroup(
                    [], label=words.entities.label, info=words.entities.info
                )
                self._add = gr.Textbox(
                    label=words.add.label,
                    info=words.add.info,
                    max_lines=1,
                    max_length=300,
                    elem_id="steer-add",
                )
                picker = picker_part(self._guide.cards, self._chooser, "steer-add", "steer-picker")
                self._added = gr.CheckboxGroup([], label=words.added, visible=False)
                self._facts = gr.CheckboxGroup([], label=words.facts.label, info=words.facts.info)
                self.problem = html_part("", "steer-problem")
                go = gr.Button(words.start, variant="primary")
        self._number.change(
            self._on_number,
            self._number,
            [self._question, self._entities, self._facts],
            **AT_ONCE,
        )
        adding = [self._add, self._added, self.problem]
        picker.pick(self._on_pick, self._added, adding, **AT_ONCE)
        self._add.submit(self._on_name, [self._add, self._added], adding, **AT_ONCE)
        return go.click(
            self._steer,
            [self._number, self._question, self._entities, self._facts, self._added],
            [self.problem, *self._outlets.all],
            concurrency_limit=None,
            **QUIET,
        )

    @property
    def refreshed(self) -> list[Any]:
        """What `refresh` changes."""
        return [
            self._nothing,
            self._column,
            self._number,
            self._question,
            self._entities,
            self._facts,
            self._added,
            self.problem,
        ]

    def refresh(self, run: Run | None) -> Updates:
        """The fields for a run that is over, at first those of its last iteration."""
        if run is None or not run.iterations:
            hidden = gr.update(visible=False)
            return (self._said(self._words.nothing), hidden, *(gr.skip(),) * 5, "")
        numbers = [iteration.number for iteration in run.iterations]
        names = [self._guide.words.iteration.format(number=number) for number in numbers]
        return (
            "",
            gr.update(visible=True),
            gr.update(choices=list(zip(names, numbers, strict=True)), value=numbers[-1]),
            *self._fields(run.iterations[-1]),
            gr.update(choices=[], value=[], visible=False),
            "",
        )

    def _fields(self, iteration: Iteration) -> Updates:
        entities = _entities(iteration)
        choices = [_choice(entity) for entity in entities]
        facts = [
            (_label(" – ".join(fact.triple.labels)), str(place))
            for place, fact in enumerate(iteration.facts)
        ]
        return (
            encodable(iteration.prompt.question),
            gr.update(choices=choices, value=[id for _, id in choices], visible=bool(choices)),
            gr.update(choices=facts, value=[place for _, place in facts], visible=bool(facts)),
        )

    def _on_number(self, number: int | None, request: gr.Request) -> Updates:
        run = self._guide.house.kept.get(visitor_of(request))
        iteration = _iteration(run, number)
        return self._fields(iteration) if iteration else (gr.skip(),) * 3

    def _on_pick(self, added: Sequence[str], event: gr.EventData) -> Updates:
        return self._with(self._entity(str(event.id)), added)

    def _on_name(self, name: str | None, added: Sequence[str]) -> Updates:
        """An exact name, of whatever kind; of several entities the best known one."""
        retriever = self._guide.house.retriever
        found = retriever.titles.entities(name) if typed(name) and name else ()
        best = retriever.names.best_first(found, set()) if found else ()
        return self._with(best[0] if best else None, added)

    def _with(self, entity: Entity | None, added: Sequence[str]) -> Updates:
        """The field is emptied, and the entity is among the added ones."""
        if entity is None or len(added) >= MOST_ADDED:
            return gr.skip(), gr.skip(), self._said(self._words.add.info)
        entities = [self._entity(id) for id in dict.fromkeys([*added, entity.id])]
        choices = [_choice(one) for one in entities if one]
        ids = [id for _, id in choices]
        return "", gr.update(choices=choices, value=ids, visible=True), ""

    def _entity(self, id: str) -> Entity | None:
        try:
            return self._guide.house.retriever.graph.entity(id)
        except UnknownEntityError:
            return None

    async def _steer(
        self,
        request: gr.Request,
        number: int | None,
        question: str | None,
        entities: Sequence[str],
        facts: Sequence[str],
        added: Sequence[str],
    ) -> AsyncGenerator[Updates, None]:
        visitor = visitor_of(request)
        run = self._guide.house.kept.get(visitor)
        iteration = _iteration(run, number)
        change = (
            self._intervention(iteration, question, entities, facts, added) if iteration else None
        )
        if run is None or change is None:
            reason = self._words.unchanged if run else self._words.gone
            yield (self._said(reason), *(gr.skip(),) * len(self._outlets.all))
            return
        shown: Screen | None = None
        async with aclosing(self._guide.again(run, change, visitor)) as screens:
            async for screen in screens:
                yield ("", *updates(shown, screen))
                shown = screen

    def _intervention(
        self,
        iteration: Iteration,
        question: str | None,
        entities: Sequence[str],
        facts: Sequence[str],
        added: Sequence[str],
    ) -> Intervention | None:
        """What was changed; None if that is nothing."""
        edited = typed(question)
        new = [entity for id in added[:MOST_ADDED] if (entity := self._entity(id))]
        change = Intervention(
            iteration.number,
            tuple(
                fact.triple
                for place, fact in enumerate(iteration.facts)
                if str(place) not in set(facts)
            ),
            tuple(entity for entity in _entities(iteration) if entity.id not in set(entities)),
            tuple(new),
            edited if edited != typed(iteration.prompt.question) else None,
        )
        return change if change != Intervention(iteration.number) else None

    def _said(self, sentence: str) -> str:
        return self._guide.cards.notice(sentence)


def _iteration(run: Run | None, number: int | None) -> Iteration | None:
    """The iteration of that number, if the run has it."""
    iterations = run.iterations if run else ()
    return next((iteration for iteration in iterations if iteration.number == number), None)


def _label(text: str) -> str:
    return without_directions(encodable(text))


def _choice(entity: Entity) -> tuple[str, str]:
    """A label and a value that the page can carry, whatever is in the graph or in a file."""
    return _label(f"{entity.label} ({entity.id})"), encodable(entity.id)


def _entities(iteration: Iteration) -> list[Entity]:
    return list(dict.fromkeys(mention.entity for mention in iteration.mentions))
