"""All words of the page, in one place: a language is one `Words`.

Braces are filled in with `str.format`, and what fills them in is never read as a template.
Counted things have a form for one and a form for all other numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from expartkg.records import FinishReason, Method, Source, VerdictMethod


@dataclass(frozen=True, slots=True)
class Counted:
    """A phrase with a number in it."""

    one: str
    many: str

    def __call__(self, n: int) -> str:
        return (self.one if n == 1 else self.many).format(n=f"{n:,}")


@dataclass(frozen=True, slots=True)
class Field:
    """A label, what it means in plain words, and an example of what to type."""

    label: str
    info: str = ""
    example: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """The page in one language."""

    language: str

    # The top of the page
    name: str
    purpose: str

    # What the visitor fills in
    picture: Field
    picture_alt: str
    title: Field
    artist: Field
    question: Field
    settings: str
    method: Field
    methods: Mapping[Method, str]
    ranking: Field
    rankings: Mapping[str, str]
    max_iterations: Field
    top_k: Field
    source: Field
    sources: Mapping[Source, str]
    explain: str
    stop: str
    nothing_to_explain: str

    # The status line
    ready: str
    starting: str
    waiting: Counted
    crowded: str
    retrieving: str
    writing: str
    judging: str
    accepted: str
    exhausted: Mapping[Method, Counted]
    stopped: str
    broken: str

    # Which work it is about
    found: str
    made_by: str
    not_found: str
    same_title: Counted
    choose_by_artist: str
    more_works: Counted

    # The answer and the iterations
    answer: str
    no_answer_yet: str
    iterations: str
    no_iterations_yet: str
    iteration: str
    searched: Mapping[Source, str]
    no_graph: str
    no_entities: str
    entities: Counted
    facts: Counted
    candidates: Counted
    ranked_facts: str
    facts_about: str
    subject: str
    predicate: str
    object: str
    score: str
    score_title: str
    facts_dropped: Counted
    being_written: str
    finish_reasons: Mapping[FinishReason, str]
    verdict: str
    true: str
    false: str
    probability: str
    verdict_methods: Mapping[VerdictMethod, str]
    writing_badge: str
    judging_badge: str
    not_judged: str
    cut: str

    # What was used
    used: str
    asked: str
    engine: str
    graph: str
    graph_size: str
    graph_sha256: str
    yes: str
    no: str
    setting_names: Mapping[str, str]
    detail_names: Mapping[str, str]
    version: str


ENGLISH = Words(
    language="en",
    name="ExpArt-KG museum guide",
    purpose=(
        "Explains a work of art with facts from a knowledge graph, and shows every step: "
        "what was found, how it was ranked, and how the answer was judged."
    ),
    picture=Field("Picture of the artwork"),
    picture_alt="The picture of the artwork that you chose",
    title=Field("Title (optional)", example="for example Mona Lisa"),
    artist=Field("Artist (optional)", example="for example Leonardo da Vinci"),
    question=Field("Question", "Leave it empty to ask the standard question."),
    settings="Settings",
    method=Field("Method", "How long the guide goes on."),
    methods={
        "validate": "Validate: until an answer is judged True",
        "loop": "Loop: always all iterations",
        "baseline": "Baseline: one answer, without the graph",
    },
    ranking=Field("Ranking", "What puts a fact high on the list (TF-IDF)."),
    rankings={
        "qid": "QID: a rare neighbour",
        "pid": "PID: a rare predicate",
        "pid-qid": "PID-QID: both together",
    },
    max_iterations=Field("Iterations at most", "Rounds of looking up, writing and judging."),
    top_k=Field("Facts per entity (top-k)", "How many of the best facts go into the prompt."),
    source=Field("Retrieve again from", "Where later iterations look for entities."),
    sources={
        "answer": "the answer before",
        "question": "the question",
        "both": "both",
    },
    explain="Explain",
    stop="Stop",
    nothing_to_explain="Add a picture, or type a title or a question.",
    ready="Add a picture or a title, then press Explain.",
    starting="Starting …",
    waiting=Counted(
        "Waiting: one other explanation comes first.",
        "Waiting: {n} other explanations come first.",
    ),
    crowded="Too many visitors are waiting. Please try again in a few minutes.",
    retrieving="Iteration {number}: looking up facts …",
    writing="Iteration {number}: writing the answer …",
    judging="Iteration {number}: judging the answer …",
    accepted="Done. The answer of iteration {number} was judged True.",
    exhausted={
        "validate": Counted(
            "Done. The one answer was not judged True; it is shown all the same.",
            "Done. None of the {n} answers was judged True; the last one is shown.",
        ),
        "loop": Counted("Done after one iteration.", "Done after all {n} iterations."),
        "baseline": Counted(
            "Done. One answer, written without the graph.",
            "Done. {n} answers, written without the graph.",
        ),
    },
    stopped="Stopped. What was written so far is kept.",
    broken=(
        "The guide broke off by a fault of its own; what was written so far is kept. "
        "The server's log has the details."
    ),
    found="Found in the graph:",
    made_by="by {makers}",
    not_found=(
        "The graph does not know the title “{title}”. "
        "The guide goes on with what the question names."
    ),
    same_title=Counted(
        "One work has this title.", "{n} works have this title; the first one is used."
    ),
    choose_by_artist="Type the artist to choose another.",
    more_works=Counted("and one more", "and {n} more"),
    answer="Answer",
    no_answer_yet="The explanation will appear here.",
    iterations="Iterations",
    no_iterations_yet=(
        "Each iteration shows the entities that were found, their ranked facts, "
        "the answer and the verdict."
    ),
    iteration="Iteration {number}",
    searched={
        "question": "Looked for entities in the question.",
        "answer": "Looked for entities in the answer before.",
        "both": "Looked for entities in the question and the answer before.",
    },
    no_graph="The graph was not used.",
    no_entities="No entity of the graph is named there, so the prompt has no facts.",
    entities=Counted("1 entity", "{n} entities"),
    facts=Counted("1 fact", "{n} facts"),
    candidates=Counted("only one of this name", "one of {n} of this name"),
    ranked_facts="Ranked facts",
    facts_about="About",
    subject="Subject",
    predicate="Predicate",
    object="Object",
    score="Score",
    score_title="{score}  (f = {f}, n_t = {n_t}, N = {N:,})",
    facts_dropped=Counted(
        "One more fact was left out, because the prompt has no room for it.",
        "{n} more facts were left out, because the prompt has no room for them.",
    ),
    being_written="Being written, see above …",
    finish_reasons={
        "stop": "",
        "length": "Cut at the longest length that the engine writes.",
        "repetition": "Cut, because the engine repeated itself.",
        "stopped": "Stopped here.",
        "failed": "The engine failed here.",
    },
    verdict="Verdict",
    true="True",
    false="False",
    probability="p = {p:.2f}",
    verdict_methods={
        "forced": "from the probabilities that the model gives to True and False",
        "text": "read from what the model wrote",
        "rule": "by a fixed rule, not by a model",
    },
    writing_badge="being written",
    judging_badge="being judged",
    not_judged="not judged",
    cut="cut off",
    used="What was used",
    asked="Question",
    engine="Engine",
    graph="Graph",
    graph_size="{name}, {n:,} entities",
    graph_sha256="Graph: SHA-256 of the file",
    yes="yes",
    no="no",
    setting_names={
        "method": "Method",
        "ranking": "Ranking",
        "top_k": "Facts per entity (top-k)",
        "max_iterations": "Iterations at most",
        "source": "Retrieve again from",
        "facts_budget": "Room for facts in the prompt (tokens)",
        "validator_facts": "The judge sees the facts",
        "time_limit": "Time limit (seconds)",
    },
    detail_names={"name": "Name", "sees_pictures": "Sees pictures"},
    version="Version",
)

LANGUAGES: Mapping[str, Words] = {"en": ENGLISH}
