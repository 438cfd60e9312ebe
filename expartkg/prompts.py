"""Table 2 of the paper, word for word, and the question templates.

The table is printed without line breaks; one is set where a new part begins. What is filled in was
written by others, whom a model must not take for the guide: it can begin no part of the table, and
end no turn of a chat. Other texts stay as they are, letter by letter.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from expartkg.errors import UsageError
from expartkg.records import Artwork, Entity, Prompt, Question, RankedTriple, Triple

SYSTEM_WITHOUT_GRAPH = "You are an assistant helping with visual question answering."
USER_WITHOUT_GRAPH = (
    "Question: {question}\n"
    "Answer the question based on the provided image. "
    "Do not include any additional text other than the answer itself."
)
SYSTEM_WITH_GRAPH = (
    "You are an assistant helping with visual question answering using external knowledge."
)
FACTS = (
    "Below are factual triples retrieved from a knowledge graph to help answer the question. "
    "Each triple is formatted as: [SUBJECT, PREDICATE, OBJECT]\n"
    "Retrieved Facts:\n{triplets}\n"
)
USER_WITH_GRAPH = (
    FACTS + "Question: {question}\n"
    "Answer the question by integrating the image, your internal knowledge, and any retrieved "
    "facts that are relevant to the question. "
    "Do not include any additional text other than the answer itself."
)
SYSTEM_VALIDATOR = "You are an assistant that validates answers."
USER_VALIDATOR = (
    "Question: {question}\n"
    "Answer: {answer}\n"
    "Judge whether the provided answer is correct and addresses the question. "
    'Respond with only "True" or "False". '
    "Do not provide any additional explanation or text."
)

QUESTION_WITH_TITLE = 'Explain the artwork "{title}".'
QUESTION_WITH_TITLE_AND_ARTIST = 'Explain the artwork "{title}" by {artist}.'
QUESTION_WITHOUT_TITLE = "Explain this artwork."

CHARACTERS_PER_TOKEN = 4
_PLACEHOLDER = re.compile(r"\{(title|artist)\}")
_CONTROL = re.compile(r"<(?=[^<>\s]{1,40}>)|\[(?=/?[A-Z]+(_[A-Z]+)*\])")
"""Where a token that chat templates give a meaning could begin: `<|im_end|>`, `</s>`, `[INST]`."""
_LINE_BREAKS = re.compile(r"\s*[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]\s*")
_PART = re.compile(r"(?m)(?<=\n)(?=[ \t]*(?:Question:|Answer:|Retrieved Facts:|Judge whether))")


def question_for(artwork: Artwork, template: str | None = None) -> Question:
    """The question about a work, With Title if it has one, else Without Title (Section 4).

    `template` replaces the standard question; `{title}` and `{artist}` in it are filled in, other
    braces stay as they are. Without a placeholder the title is looked for in the question.
    Raises `UsageError` for a placeholder that has nothing to fill it.
    """
    values = {"title": (artwork.title or "").strip(), "artist": (artwork.artist or "").strip()}
    title = values["title"]
    template = (template or "").strip() or _standard_template(title, values["artist"])
    text = _filled(template, values)
    before, placeholder, _ = template.partition("{title}")
    start = text.find(title) if title else -1
    if placeholder:
        start = len(_filled(before, values))
    title_at = (start, start + len(title)) if start >= 0 else None
    return Question(text, bool(title), title_at)


def _filled(template: str, values: Mapping[str, str]) -> str:
    """The placeholders filled in; what fills one is not searched for others."""

    def value(placeholder: re.Match[str]) -> str:
        if not values[placeholder[1]]:
            raise UsageError(f"The question has {placeholder[0]} in it, but none was given.")
        return values[placeholder[1]]

    return _PLACEHOLDER.sub(value, template)


def _standard_template(title: str, artist: str) -> str:
    if not title:
        return QUESTION_WITHOUT_TITLE
    return QUESTION_WITH_TITLE_AND_ARTIST if artist else QUESTION_WITH_TITLE


def format_triple(triple: Triple) -> str:
    """`[SUBJECT, PREDICATE, OBJECT]` with labels, in the statement's own direction, in one line.

    A label is what somebody wrote; with line breaks in it, it could pass for other facts or for a
    question.
    """
    return "[{}, {}, {}]".format(*(" ".join(label.split()) for label in triple.labels))


def explainer_prompt(question: str, facts: Iterable[RankedTriple]) -> Prompt:
    """The LVLM's prompt: with the graph if there are facts, else without it (Table 2)."""
    facts = tuple(facts)
    if not facts:
        text = _fill(USER_WITHOUT_GRAPH, question=_without_breaks(question))
        return Prompt(SYSTEM_WITHOUT_GRAPH, text, question)
    text = _fill(USER_WITH_GRAPH, triplets=_triplets(facts), question=_without_breaks(question))
    return Prompt(SYSTEM_WITH_GRAPH, text, question, facts)


def validator_prompt(
    question: str, answer: str, facts: Sequence[RankedTriple] = (), *, show_facts: bool = False
) -> Prompt:
    """The validator's prompt: question and answer, nothing else (Table 2).

    `facts` stay in the record, for the preview engine's rule. Only with `show_facts`, which is
    ours and not the paper's, do they go before the question as the explainer sees them.
    """
    text = _fill(USER_VALIDATOR, question=_without_breaks(question), answer=_quoted(answer))
    if show_facts and facts:
        text = _fill(FACTS, triplets=_triplets(facts)) + text
    return Prompt(SYSTEM_VALIDATOR, text, question, tuple(facts))


def _without_breaks(question: str) -> str:
    return _LINE_BREAKS.sub(" ", question.strip()) if _LINE_BREAKS.search(question) else question


def _quoted(answer: str) -> str:
    """The lines that begin as a part of the table does are marked as said by somebody."""
    return _PART.sub("> ", answer)


def _triplets(facts: Iterable[RankedTriple]) -> str:
    return "\n".join(format_triple(fact.triple) for fact in facts)


def _fill(template: str, **values: str) -> str:
    """Fills each placeholder once, so that braces inside a value are never placeholders.

    A blank goes into what could be a token with a meaning. Engines that make the tokens themselves
    do not need it; servers read the text with the template's tokens in it, whoever wrote them.

    A lone surrogate, which no tokenizer and no server takes, becomes a question mark.
    """
    parts: list[str] = []
    for name, value in values.items():
        head, _, template = template.partition("{" + name + "}")
        parts += [head, _CONTROL.sub(r"\g<0> ", value)]
    return ("".join(parts) + template).encode("utf-8", "replace").decode("utf-8")


def within_budget(
    facts: Sequence[RankedTriple], budget: int
) -> tuple[tuple[RankedTriple, ...], int]:
    """The facts that fit into `budget` tokens, in their order, and how many were dropped.

    The last-ranked of every anchor go first, those of later anchors before those of earlier ones.
    A token is estimated as four characters, since the prompt is made before a model is chosen.
    """
    seen: Counter[Entity] = Counter()
    places: list[tuple[int, int]] = []
    for position, fact in enumerate(facts):
        places.append((seen[fact.anchor], position))
        seen[fact.anchor] += 1
    kept: set[int] = set()
    left = budget
    for _, position in sorted(places):
        left -= estimated_tokens(format_triple(facts[position].triple) + "\n")
        if left < 0:
            break
        kept.add(position)
    fitting = tuple(fact for position, fact in enumerate(facts) if position in kept)
    return fitting, len(facts) - len(fitting)


def estimated_tokens(text: str) -> int:
    """One token for every four characters, rounded up."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)
