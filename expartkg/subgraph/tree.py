"""Facts as trees: breadth first from the work, every fact once."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from expartkg.records import Entity, Property, Triple


@dataclass
class Stem:
    """A property, in one direction, between an entity and those that it leads to."""

    predicate: Property
    outgoing: bool
    branches: list[Branch] = field(default_factory=list)


@dataclass
class Branch:
    """An entity and what leads on from it. `again` is one that stands elsewhere as well, where
    its own facts are; `fact` leads to it, and is None at a root.
    """

    entity: Entity
    fact: Triple | None = None
    again: bool = False
    stems: list[Stem] = field(default_factory=list)


def trees_of(facts: Sequence[Triple], work: Entity | None, deepest: int) -> list[Branch]:
    """The facts from the work on; what is not joined to it within `deepest` steps has trees of its
    own, in order. A fact between two entities that are both so far away is left out.
    """
    return _Growing(facts, deepest).grow(work)


class _Growing:
    def __init__(self, facts: Sequence[Triple], deepest: int) -> None:
        self._facts = list(dict.fromkeys(facts))
        self._deepest = deepest
        self._at: dict[Entity, list[Triple]] = defaultdict(list)
        for fact in self._facts:
            self._at[fact.subject].append(fact)
            if fact.object != fact.subject:
                self._at[fact.object].append(fact)
        self._placed: set[Entity] = set()
        self._drawn: set[Triple] = set()

    def grow(self, work: Entity | None) -> list[Branch]:
        roots = [work] if work in self._at else []
        roots += [fact.subject for fact in self._facts]
        return [self._tree(root) for root in roots if root and root not in self._placed]

    def _tree(self, root: Entity) -> Branch:
        tree = Branch(root)
        self._placed.add(root)
        waiting = deque([(tree, 0)])
        while waiting:
            branch, depth = waiting.popleft()
            if depth == self._deepest:
                continue
            for new in self._expand(branch):
                waiting.append((new, depth + 1))
        return tree

    def _expand(self, branch: Branch) -> list[Branch]:
        """Adds the facts of the branch's entity; gives the entities that are new."""
        stems: dict[tuple[Property, bool], Stem] = {}
        new: list[Branch] = []
        for fact in self._at[branch.entity]:
            if fact in self._drawn:
                continue
            self._drawn.add(fact)
            outgoing = fact.subject == branch.entity
            end = fact.object if outgoing else fact.subject
            stem = stems.setdefault((fact.predicate, outgoing), Stem(fact.predicate, outgoing))
            stem.branches.append(Branch(end, fact, again=end in self._placed))
            if end not in self._placed:
                self._placed.add(end)
                new.append(stem.branches[-1])
        branch.stems = list(stems.values())
        return new
