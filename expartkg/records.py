"""The frozen records that flow through everything: retrieval, engines, loop, page and exports.

A `Run` is the whole truth about one explanation: the page is drawn from it and every export is a
view of it. Offsets are code points of the text they belong to; times are seconds; scores and
probabilities are never rounded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from PIL.Image import Image

Method = Literal["validate", "loop", "baseline"]
Source = Literal["question", "answer", "both"]
Found = Literal["picked", "title", "recognised", "none"]
Origin = Literal["file", "drawn", "commons"]
Status = Literal["accepted", "exhausted", "stopped", "failed"]
FinishReason = Literal["stop", "length", "repetition", "stopped", "failed"]
VerdictMethod = Literal["forced", "text", "rule"]
SentenceStatus = Literal["supported", "contradicts", "unsupported"]

ARTWORK = "Artwork"
CONCEPT = "Concept"
"""The two kinds that mean something to the code: works, and general concepts such as oil paint."""


@dataclass(frozen=True, slots=True)
class Entity:
    """A node of the graph.

    `id` is short (the last segment of the IRI) unless two entities would clash. `kind` is the
    local name of its `rdf:type` (`Artwork`, `Artist`, `Concept`, …), empty where it has none.
    """

    id: str
    label: str
    kind: str = ""
    iri: str = ""

    def __hash__(self) -> int:
        # Entities are looked up all the time, and no two of a graph share an id.
        return hash(self.id)


@dataclass(frozen=True, slots=True)
class Property:
    """A predicate of the graph; `label` is its `rdfs:label`, else its id."""

    id: str
    label: str
    iri: str = ""


@dataclass(frozen=True, slots=True)
class Triple:
    """A statement between two entities, in its own direction."""

    subject: Entity
    predicate: Property
    object: Entity

    @property
    def labels(self) -> tuple[str, str, str]:
        return self.subject.label, self.predicate.label, self.object.label


class PairCount(NamedTuple):
    """A count for each of the two terms of a triple: its predicate and its adjacent entity."""

    p: int
    q: int


Count = int | PairCount


@dataclass(frozen=True, slots=True)
class RankedTriple:
    """A triple as ranked within the document of `anchor` (Eq. 1).

    `f` is how often its term occurs in the anchor's document, `n_t` in how many of the `N`
    documents of the graph; both are pairs under PID-QID, where two terms are summed.
    """

    triple: Triple
    anchor: Entity
    score: float
    f: Count
    n_t: Count
    N: int


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity named in a text at code points `start:end`.

    `candidates` are all entities of that name, the chosen one first. The work that a visitor
    picked but that the text does not name has `start == end == 0` and an empty `text`.
    """

    start: int
    end: int
    text: str
    entity: Entity
    candidates: tuple[Entity, ...]


@dataclass(frozen=True, slots=True)
class PictureSource:
    """Where a picture comes from: somebody's file, drawn by the project, or Wikimedia Commons.

    Only the last has the rest, without which it may not be shown: the name of its file, its page,
    author, licence and the licence's address, as far as Commons says them.
    """

    origin: Origin
    file: str | None = None
    page: str | None = None
    author: str | None = None
    licence: str | None = None
    licence_url: str | None = None


@dataclass(frozen=True, slots=True)
class Artwork:
    """The work to explain, as far as it is known; `found` says how `id` was found.

    `picture` says where `image` comes from. It stays with an exported Run, which has no image.
    """

    id: str | None = None
    title: str | None = None
    artist: str | None = None
    image: Image | None = None
    found: Found = "none"
    picture: PictureSource | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """The question, which never changes during a run.

    `title_at` is where the title stands in `text`, if it does.
    """

    text: str
    with_title: bool
    title_at: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Prompt:
    """What an engine is given: `system` and `text` are Table 2 of the paper, filled in.

    `question` and `facts` repeat what `text` was made from, for the preview engine, which has no
    model to read with. Model engines read `system` and `text` alone.
    """

    system: str
    text: str
    question: str
    facts: tuple[RankedTriple, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """A finished (or cut) answer: `tokens` are the engine's own, 0 where it has none."""

    text: str
    finish_reason: FinishReason
    tokens: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """True or False on an answer.

    `p_true` is P("True") normalised over "True" and "False", `mass` the probability that both
    hold together; None where the method yields none.
    """

    accepted: bool
    p_true: float | None
    mass: float | None
    method: VerdictMethod


@dataclass(frozen=True, slots=True)
class Iteration:
    """One round: retrieval from `source`, an answer, and its verdict if it was judged.

    `facts_dropped` counts selected facts that did not fit the prompt's budget. A step that was not
    timed, as in older exports, or that was left out, took None.
    """

    number: int
    source: Source
    mentions: tuple[Mention, ...]
    facts: tuple[RankedTriple, ...]
    prompt: Prompt
    answer: Answer
    verdict: Verdict | None = None
    facts_dropped: int = 0
    retrieval_seconds: float | None = None
    verdict_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Intervention:
    """What a person changed in a finished run, which went on from `iteration` with it.

    Facts and entities are left out, or entities added, from that iteration on; `question` takes
    the place of the run's there, unless it is None.
    """

    iteration: int
    removed_facts: tuple[Triple, ...] = ()
    removed_entities: tuple[Entity, ...] = ()
    added_entities: tuple[Entity, ...] = ()
    question: str | None = None


@dataclass(frozen=True, slots=True)
class Named:
    """An entity that an answer names, in whatever form, at code points `start:end`."""

    start: int
    end: int
    entity: Entity


@dataclass(frozen=True, slots=True)
class Dated:
    """The years of a work's inception as the catalogue has them, in order; BCE is negative."""

    entity: Entity
    years: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the final answer at code points `start:end`, held against the catalogue.

    `facts` and `dates` are what supports it or, of one that `contradicts`, what it contradicts. An
    `unsupported` one is the model's own; it may be true all the same.
    """

    start: int
    end: int
    status: SentenceStatus
    facts: tuple[Triple, ...] = ()
    dates: tuple[Dated, ...] = ()
    named: tuple[Named, ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """Everything about one explanation; stopped and failed runs are Runs too.

    `question` is the one that it began with, whatever `interventions` say later.
    `support` has the sentences of the final answer in order; none where there is no answer.
    """

    status: Status
    question: Question
    artwork: Artwork
    settings: Mapping[str, object]
    engine: Mapping[str, object]
    iterations: tuple[Iteration, ...]
    signature: Mapping[str, object]
    error: str | None = None
    interventions: tuple[Intervention, ...] = ()
    support: tuple[Sentence, ...] = ()

    @property
    def answer(self) -> str:
        """The final answer: that of the last iteration, empty where there is none."""
        return self.iterations[-1].answer.text if self.iterations else ""


@dataclass(frozen=True, slots=True)
class Started:
    """The first event; `candidates` are the works that the title could mean, the chosen first."""

    question: Question
    artwork: Artwork
    candidates: tuple[Entity, ...] = ()


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Facts for iteration `number` are selected; the answer follows."""

    number: int
    source: Source
    mentions: tuple[Mention, ...]
    facts: tuple[RankedTriple, ...]
    prompt: Prompt
    facts_dropped: int = 0
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class AnswerDelta:
    """A piece of the answer of iteration `number`, in order."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer of iteration `number` is complete."""

    number: int
    answer: Answer


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on the answer of iteration `number`."""

    number: int
    verdict: Verdict
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Finished:
    """The last event, whatever happened."""

    run: Run


Event = Started | Retrieved | AnswerDelta | Answered | Judged | Finished


class StopFlag(Protocol):
    """What a run polls to learn that it should end; `threading.Event` is one."""

    def is_set(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Identification:
    """Which entity a title, or an id that was picked, stands for.

    `candidates` are all works of that title, the chosen one first; empty where none was found.
    """

    artwork: Artwork
    candidates: tuple[Entity, ...] = ()

    @property
    def entity(self) -> Entity | None:
        return self.candidates[0] if self.candidates else None
