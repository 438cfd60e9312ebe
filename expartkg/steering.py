"""Going on from the middle of a finished run, with what a person changed. Not in the paper."""

from __future__ import annotations

from dataclasses import dataclass

from expartkg.errors import UsageError
from expartkg.records import Entity, Intervention, Iteration, Mention, RankedTriple, Run


@dataclass(frozen=True, slots=True)
class Steering:
    """Iterations that stay as they were, and the interventions under which others follow.

    Every intervention holds from its iteration on. The empty one changes nothing.
    """

    kept: tuple[Iteration, ...] = ()
    interventions: tuple[Intervention, ...] = ()

    @property
    def question(self) -> str | None:
        """The question as it was last edited; None if it never was."""
        edited = [change.question for change in self.interventions if change.question]
        return edited[-1] if edited else None

    def mentions(self, found: tuple[Mention, ...]) -> tuple[Mention, ...]:
        """Without the entities that were removed, and with those that were added.

        An added one stands nowhere in the text: like a picked work, at 0 and with an empty text.
        """
        removed = {entity for change in self.interventions for entity in change.removed_entities}
        left = tuple(mention for mention in found if mention.entity not in removed)
        there = {mention.entity for mention in left}
        added = [entity for entity in self._added() if entity not in there]
        return (*left, *(Mention(0, 0, "", entity, (entity,)) for entity in added))

    def _added(self) -> list[Entity]:
        """What was added and not removed again later, each once."""
        added: dict[Entity, None] = {}
        for change in self.interventions:
            for entity in change.removed_entities:
                added.pop(entity, None)
            added |= dict.fromkeys(change.added_entities)
        return list(added)

    def facts(self, found: tuple[RankedTriple, ...]) -> tuple[RankedTriple, ...]:
        """Without the triples that were removed. Nothing takes their places."""
        removed = {triple for change in self.interventions for triple in change.removed_facts}
        return tuple(fact for fact in found if fact.triple not in removed)


def steer(run: Run, intervention: Intervention) -> Steering:
    """How a run goes on from the intervention's iteration; those before are kept.

    Earlier interventions stay, but for those in iterations that are made anew. Raises
    `UsageError` for an iteration that the run does not have.
    """
    number = intervention.iteration
    if not 1 <= number <= len(run.iterations):
        raise UsageError(
            f"The run has {len(run.iterations)} iterations, so it cannot go on from {number}."
        )
    before = tuple(change for change in run.interventions if change.iteration <= number)
    return Steering(run.iterations[: number - 1], (*before, intervention))
