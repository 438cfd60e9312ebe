"""How well names in text are linked, against links that were made by hand.

The links at hand name only some of the entities of their texts, so that precision cannot be told.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from expartkg.errors import DataError, UnknownEntityError
from expartkg.evaluation.lines import read_content
from expartkg.records import Artwork, Identification, Mention
from expartkg.retrieval.retriever import Retriever
from expartkg.retrieval.store import Graph


@dataclass(frozen=True, slots=True)
class GoldLink:
    """An entity that somebody linked by hand, at code points of its text."""

    start: int
    end: int
    id: str


@dataclass(frozen=True, slots=True)
class GoldText:
    """All sentences about a work, one after the other, with their links."""

    work: str
    text: str
    links: tuple[GoldLink, ...]


@dataclass(frozen=True, slots=True)
class Linked:
    """What became of the links by hand; counts.

    `found` overlap a mention, `exact` have its very span; the others mostly lie inside a longer
    name, such as a title. `right` and `exact_right` are those of them that were linked to the same
    entity, `candidate` those found that could have been. Entities outside the graph cannot be
    right: for them `found` counts names that were taken for another entity.
    """

    links: int
    found: int
    right: int
    exact: int
    exact_right: int
    candidate: int

    @property
    def recall(self) -> float:
        """The share of links that were found, 0 to 1."""
        return self.found / self.links if self.links else 0.0

    @property
    def accuracy(self) -> float:
        """The share of those found that have the right entity, 0 to 1."""
        return self.right / self.found if self.found else 0.0

    @property
    def exact_accuracy(self) -> float:
        """The same of those with the very span of a mention."""
        return self.exact_right / self.exact if self.exact else 0.0


@dataclass(frozen=True, slots=True)
class LinkingResult:
    """Linking of all texts, the work being known (`work_known`) or not."""

    work_known: bool
    in_graph: Linked
    outside: Linked


def read_gold(path: Path) -> list[GoldText]:
    """The texts of a file `{work: [{"text", "entities": [{"start", "end", "qid"}]}]}`.

    Raises `DataError` for a file that is missing or no such thing.
    """
    content = read_content(path)
    try:
        document = json.loads(content)
        return [_gold_text(work, sentences) for work, sentences in document.items()]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise DataError(
            f"{path} holds no links ({error!r}); it has to be "
            '{work: [{"text": …, "entities": [{"start": …, "end": …, "qid": …}]}]}.'
        ) from error


def _gold_text(work: str, sentences: Iterable[Mapping[str, Any]]) -> GoldText:
    texts: list[str] = []
    links: list[GoldLink] = []
    offset = 0
    for sentence in sentences:
        for link in sentence["entities"]:
            start, end = int(link["start"]) + offset, int(link["end"]) + offset
            links.append(GoldLink(start, end, str(link["qid"])))
        texts.append(sentence["text"])
        offset += len(sentence["text"]) + 1
    return GoldText(work, " ".join(texts), tuple(links))


def measure_linking(texts: Sequence[GoldText], retriever: Retriever) -> list[LinkingResult]:
    """Links all texts twice: as answers of a run whose work is known, and as any text."""
    return [_linked(texts, retriever, work_known=known) for known in (True, False)]


def _linked(texts: Sequence[GoldText], retriever: Retriever, *, work_known: bool) -> LinkingResult:
    inside: list[tuple[GoldLink, Mention | None]] = []
    outside: list[tuple[GoldLink, Mention | None]] = []
    for text in texts:
        work = _work(text.work, retriever) if work_known else None
        mentions = retriever.names.find(text.text, work)
        for link in text.links:
            place = inside if _has(retriever.graph, link.id) else outside
            place.append((link, _best_overlap(link, mentions)))
    return LinkingResult(work_known, _counted(inside), _counted(outside))


def _work(id: str, retriever: Retriever) -> Identification | None:
    return retriever.identify(Artwork(id=id)) if _has(retriever.graph, id) else None


def _has(graph: Graph, id: str) -> bool:
    try:
        graph.entity(id)
    except UnknownEntityError:
        return False
    return True


def _best_overlap(link: GoldLink, mentions: Iterable[Mention]) -> Mention | None:
    """The mention that shares most code points with a link, None if none shares any."""
    overlaps = [(_shared(link, mention), mention) for mention in mentions]
    shared, best = max(overlaps, key=lambda overlap: overlap[0], default=(0, None))
    return best if shared > 0 else None


def _shared(link: GoldLink, mention: Mention) -> int:
    return min(link.end, mention.end) - max(link.start, mention.start)


def _counted(pairs: Sequence[tuple[GoldLink, Mention | None]]) -> Linked:
    found = [(link, mention) for link, mention in pairs if mention]
    exact = [(link, mention) for link, mention in found if _is_exact(link, mention)]
    return Linked(
        links=len(pairs),
        found=len(found),
        right=sum(link.id == mention.entity.id for link, mention in found),
        exact=len(exact),
        exact_right=sum(link.id == mention.entity.id for link, mention in exact),
        candidate=sum(link.id in _candidates(mention) for link, mention in found),
    )


def _is_exact(link: GoldLink, mention: Mention) -> bool:
    return (link.start, link.end) == (mention.start, mention.end)


def _candidates(mention: Mention) -> set[str]:
    return {candidate.id for candidate in mention.candidates}


def linking_rows(results: Iterable[LinkingResult]) -> Iterator[dict[str, Any]]:
    """The results as JSON, counts beside shares."""
    for result in results:
        inside = result.in_graph
        yield {
            "work_known": result.work_known,
            "in_graph": asdict(inside)
            | {
                "recall": inside.recall,
                "accuracy": inside.accuracy,
                "exact_accuracy": inside.exact_accuracy,
            },
            "outside": {"links": result.outside.links, "found": result.outside.found},
        }
