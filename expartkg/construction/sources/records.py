"""What every source of knowledge says, in the words of Wikidata."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from expartkg.construction.properties import property_label


@dataclass(frozen=True)
class Node:
    """An item: its id (`Q…`), label, the role its source gives it, and whether it is a noun."""

    qid: str
    label: str
    role: str
    is_common_noun: bool


@dataclass(frozen=True)
class Statement:
    """One statement between two items, by the ids `Q… P… Q…`."""

    subject: str
    predicate: str
    object: str


@dataclass(frozen=True)
class Work:
    """What is known of an artwork beside its statements.

    `years` are the one or two years (CE) of P571 as the source gives them, two where it gives a
    range; `image` is the address of P18, empty if there is none.
    """

    qid: str
    years: tuple[int, ...]
    image: str


@dataclass(frozen=True)
class Nouns:
    """Nouns that stand in lower case in Open English WordNet: by label, and by Wikidata id."""

    labels: frozenset[str] = frozenset()
    qids: frozenset[str] = frozenset()

    def include(self, qid: str, name: str) -> bool:
        """Whether the item is a noun, or the name is one but for a capital at its beginning.

        Labels begin with a capital by convention, so only their first letter is lowered: lowering
        the rest too would make nouns of names ("Dominican Order", "Greek mythology").
        """
        return qid in self.qids or name[:1].lower() + name[1:] in self.labels


@dataclass(frozen=True)
class SourceFile:
    """A file that was read: its name in the data directory, its licence, its SHA-256 (hex)."""

    name: str
    licence: str
    sha256: str

    @classmethod
    def of(cls, name: str, licence: str, content: bytes) -> SourceFile:
        """The file with this content."""
        return cls(name, licence, hashlib.sha256(content).hexdigest())


@dataclass(frozen=True)
class Extract:
    """Everything that was read of a source at hand, in the order of its files.

    `facts_as_of` says in a sentence of when the facts are. `property_labels` are the English labels
    of properties, where the source has its own.
    """

    nodes: tuple[Node, ...]
    statements: tuple[Statement, ...]
    works: tuple[Work, ...]
    nouns: Nouns
    files: tuple[SourceFile, ...]
    facts_as_of: str
    property_labels: Mapping[str, str] = field(default_factory=dict)

    def labels_of_properties(self, pids: Iterable[str]) -> dict[str, str]:
        """The label of each: the source's, else the kept one.

        Raises `SourceError` if there is neither.
        """
        return {pid: self.property_labels.get(pid) or property_label(pid) for pid in pids}

    @property
    def created(self) -> set[str]:
        """The ids of what has a creator (P170)."""
        return {s.subject for s in self.statements if s.predicate == "P170"}
