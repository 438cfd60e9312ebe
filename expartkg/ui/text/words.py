"""What a language has to say: one `Words` is the whole page in one language.

Braces are filled in with `str.format`, and what fills them in is never read as a template.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from expartkg.records import FinishReason, Found, Method, SentenceStatus, Source, VerdictMethod
from expartkg.subgraph import Labels
from expartkg.ui.text.counted import Counted, Field
from expartkg.ui.text.tools import Tools

__all__ = ["Counted", "Field", "Words"]


@dataclass(frozen=True, slots=True)
class Words:
    """The page in one language."""

    language: str
    native_name: str

    # The top of the page
    name: str
    purpose: str
    pages: str
    browse_graph: str

    # What the visitor fills in
    picture: Field
    picture_alt: str
    fetch: str
    fetching: str
    commons: str
    no_picture: str
    uploaded_picture: str
    drawn_picture: str
    title: Field
    suggestions: str
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
    validator_facts: Field
    reset: str
    explain: str
    stop: str
    examples: str
    nothing_to_explain: str

    # Which work the picture shows
    recognising: str
    looks_like: str
    recognised: str
    alike: str
    similarity: str
    its_picture: str
    use_work: str
    another_work: str
    less_alike: str
    unknown_picture: Counted
    refused_work: str
    recognise_at_once: Field

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
    overdue: str
    stuck: str
    guesses: str
    """Said where name and password are asked for."""
    broken: str

    # Which work it is about
    found: str
    picked: str
    not_found: str
    unknown_title: str
    similar_titles: str
    same_title: Counted
    more_works: Counted

    # The answer and the iterations
    answer: str
    notices: Mapping[str, str]
    """Engines' notices in this language, by their English words."""
    no_answer_yet: str
    legend: str
    sentence_marks: Mapping[SentenceStatus, str]
    sentence_explanations: Mapping[SentenceStatus, str]
    from_iterations: str
    inception: str
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
    new: str
    scores: str
    scores_explained: str
    prompt: str
    system_prompt: str
    user_prompt: str
    changes: str
    changes_legend: str
    no_changes: str
    retrieval: str
    writing_step: str
    judging_step: str
    seconds: str
    subgraph: Labels
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
    artwork: str
    artworks_found: Mapping[Found, str]
    engine: str
    graph: str
    graph_size: str
    graph_sha256: str
    graph_content: str
    shipped_graphs: Mapping[str, str]
    yes: str
    no: str
    setting_names: Mapping[str, str]
    detail_names: Mapping[str, str]
    version: str

    # What can be done with an explanation
    tools: Tools
