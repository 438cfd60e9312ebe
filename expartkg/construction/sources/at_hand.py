"""A source whose files are read as a whole: an extract, its titles, and who shares which name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace

from expartkg.construction.ids import by_number
from expartkg.construction.labels import fault, mend
from expartkg.construction.sources.knowledge import Item, Named
from expartkg.construction.sources.records import (
    Extract,
    Node,
    Nouns,
    SourceFile,
    Statement,
    Work,
)
from expartkg.construction.steps import Steps
from expartkg.retrieval.text import normal_form


@dataclass(frozen=True, slots=True)
class Title:
    """The title of an English Wikipedia article, and the list that has it.

    `qid` is the item that the article is about, empty where the list does not say; `is_of_art`
    tells that it is at least about art. A title in lower case is `folded`: it confirms a name, but
    is not looked for in a text.
    """

    text: str
    listed: str
    qid: str = ""
    folded: bool = False
    is_of_art: bool = False

    @property
    def is_certain(self) -> bool:
        """Whether the list says what the article is about."""
        return bool(self.qid) or self.is_of_art


class AtHand:
    """Knowledge of an `Extract`.

    Of several lists that have a title, the first is named that knows what the article is about,
    else the first. `shared` gives ids that bear a name beside those whose label it is. Names and
    titles are compared without case, since some lists are in lower case.
    """

    def __init__(
        self,
        address: str,
        extract: Extract,
        titles: Iterable[Title],
        shared: Mapping[str, Collection[str]],
        *,
        files: tuple[SourceFile, ...] = (),
    ) -> None:
        self.address = address
        self.facts_as_of = extract.facts_as_of
        self.files = (*extract.files, *files)
        self.nouns: Nouns = extract.nouns
        self._extract = extract
        self._nodes = {node.qid: node for node in map(_mended, extract.nodes) if node}
        titles = list(titles)
        self._names = _names(self._nodes.values(), titles)
        self._bearers = _bearers(self._nodes.values(), titles, shared)
        self._titles: dict[str, Title] = {}
        for title in sorted(titles, key=lambda title: not title.is_certain):
            self._titles.setdefault(_folded(title.text), title)
        self._classes = {
            end
            for statement in extract.statements
            if statement.predicate == "P279"
            for end in (statement.subject, statement.object)
        }
        self._created = extract.created

    @property
    def version(self) -> object:
        return [asdict(file) for file in self.files]

    def names(self) -> Collection[str]:
        return self._names

    def prepare(self, names: Collection[str], steps: Steps) -> None:
        """Everything has been read."""

    def look_up(self, names: Collection[str]) -> dict[str, Named]:
        return {name: self._look_up(_folded(name)) for name in names}

    def _look_up(self, folded: str) -> Named:
        qids = tuple(by_number(self._bearers.get(folded, ())))
        title = self._titles.get(folded)
        return Named(qids, title.listed, title.is_certain) if title else Named(qids, "", False)

    def items(self, qids: Collection[str]) -> dict[str, Item]:
        return {
            qid: Item(self._nodes[qid], qid in self._classes, qid in self._created)
            for qid in qids
            if qid in self._nodes
        }

    def statements(self, qids: Collection[str]) -> Iterator[Statement]:
        for statement in self._extract.statements:
            if statement.subject in qids and statement.object in qids:
                yield statement

    def works(self, qids: Collection[str]) -> Iterator[Work]:
        return (work for work in self._extract.works if work.qid in qids)

    def property_labels(self, pids: Collection[str]) -> dict[str, str]:
        return self._extract.labels_of_properties(pids)


def _mended(node: Node) -> Node | None:
    label, _ = mend(node.qid, node.label)
    return None if fault(label) else replace(node, label=label)


def _names(nodes: Iterable[Node], titles: Iterable[Title]) -> tuple[str, ...]:
    names = {normal_form(node.label) for node in nodes}
    names |= {normal_form(title.text) for title in titles if not title.folded}
    return tuple(sorted(name for name in names if name))


def _bearers(
    nodes: Iterable[Node], titles: Iterable[Title], shared: Mapping[str, Collection[str]]
) -> dict[str, set[str]]:
    bearers: dict[str, set[str]] = defaultdict(set)
    for node in nodes:
        bearers[_folded(node.label)].add(node.qid)
    for title in titles:
        if title.qid:
            bearers[_folded(title.text)].add(title.qid)
    for name, qids in shared.items():
        bearers[_folded(name)].update(qids)
    return bearers


def _folded(name: str) -> str:
    return normal_form(name).casefold()
