"""The preview's answers: what they say, and that they say nothing else."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable

import pytest

from expartkg.engines.preview import preview_engine
from expartkg.engines.preview.engine import NO_WORK_KNOWN, NOTHING_KNOWN, WHAT_TO_DO, WITHOUT_TITLE
from expartkg.engines.preview.phrases import PHRASES
from expartkg.engines.preview.writer import write
from expartkg.loop import explain
from expartkg.prompts import explainer_prompt
from expartkg.records import Answer, Artwork, Finished, RankedTriple, Retrieved, Run
from expartkg.retrieval.retriever import Retriever
from expartkg.settings import Settings

Fact = Callable[..., RankedTriple]
Say = Callable[..., str]


def run_of(shipped: Retriever, artwork: Artwork, settings: Settings | None = None) -> Run:
    events = explain(
        artwork,
        retriever=shipped,
        engine=preview_engine(),
        settings=settings or Settings(),
    )
    *_, last = events
    assert isinstance(last, Finished)
    assert last.run.error is None
    return last.run


def test_a_work_reads_like_a_catalogue(say: Say, mona_lisa: list[RankedTriple]) -> None:
    assert say(mona_lisa) == (
        "Mona Lisa is a painting by Leonardo da Vinci. It is in oil paint on poplar panel and is "
        "held by the Louvre Museum. It depicts Lisa del Giocondo and the sky. It is a portrait and "
        "belongs to the Italian Renaissance."
    )


def test_a_sculpture_is_no_painting(say: Say, fact: Fact) -> None:
    work = "David:Artwork"
    facts = [fact(work, "P170", "Donatello:Artist"), fact(work, "P186", "Marble:Concept")]
    assert say(facts) == "David is a work by Donatello. It is in marble."


def test_a_creator_that_is_not_among_the_facts_is_said_to_be_missing(say: Say, fact: Fact) -> None:
    said = say([fact("David:Artwork", "P195", "Bargello:Museum")])
    assert said == "David is held by the Bargello. Its creator is not among the facts selected."


def test_a_title_with_a_comma_is_quoted(say: Say, fact: Fact) -> None:
    said = say([fact("Impression, Sunrise:Artwork", "P170", "Claude Monet:Artist")])
    assert said == "“Impression, Sunrise” is a work by Claude Monet."


def test_location_and_collection_of_one_name_are_said_once(say: Say, fact: Fact) -> None:
    work = "Olympia:Artwork"
    facts = [
        fact(work, "P170", "Manet:Artist"),
        fact(work, "P195", "Orsay:Museum"),
        fact(work, "P276", "Orsay:Museum"),
    ]
    assert say(facts) == "Olympia is a work by Manet. It is held by the Orsay."
    facts[-1] = fact(work, "P276", "Paris:Place")
    assert say(facts).endswith("It is held by the Orsay and is located in Paris.")


def test_long_lists_are_cut_and_names_come_first(say: Say, fact: Fact) -> None:
    work = "Garden:Artwork"
    facts = [fact(work, "P180", f"Thing{number}:Concept") for number in range(20)]
    said = say([*facts, fact(work, "P180", "Eve:Subject"), fact(work, "P180", "Sleep:Concept")])
    assert said.startswith("Garden depicts Eve, a thing0, a thing1")
    assert "a thing6, among others. A further motif is sleep." in said.replace(" and a", ", a")
    assert "thing7" not in said


def test_a_subject_of_the_same_name_as_the_work_is_told_apart(say: Say, fact: Fact) -> None:
    said = say([fact("Venus:Artwork", "P180", "Venus:Subject")])
    assert said.startswith("Venus depicts the subject Venus.")


def test_another_work_of_the_same_title_is_told_apart(say: Say, fact: Fact) -> None:
    other = fact("Venus:Artwork", "P170", "Titian:Artist", anchor="Titian:Artist")
    work = other.triple.subject
    namesake = type(work)("other", work.label, work.kind)
    facts = [
        fact("Venus:Artwork", "P170", "Titian:Artist"),
        type(other)(
            type(other.triple)(namesake, other.triple.predicate, other.triple.object),
            other.anchor,
            1.0,
            1,
            1,
            100,
        ),
    ]
    assert "Another work by Titian is another work named “Venus”." in say(facts)


def test_incoming_facts_keep_their_direction(
    say: Say, mona_lisa: list[RankedTriple], fact: Fact
) -> None:
    artist = "Leonardo da Vinci:Artist"
    said = say(
        mona_lisa,
        [
            fact("Ginevra de' Benci:Artwork", "P170", artist, anchor=artist),
            fact(artist, "P19", "Anchiano:Place"),
            fact(artist, "P106", "Painter:Concept"),
            fact("Boltraffio:Artist", "student of", artist, anchor=artist),
            fact("Salaino's Leonardo:Artwork", "P180", artist, anchor=artist),
        ],
    )
    assert said.split("\n\n")[1] == (
        "Leonardo da Vinci, painter, was born in Anchiano and taught Boltraffio. "
        "Another work by the artist is “Ginevra de' Benci”. "
        "The artist is depicted in “Salaino's Leonardo”."
    )


def test_a_self_portrait_is_named_once(say: Say, fact: Fact) -> None:
    artist = "Rembrandt:Artist"
    said = say(
        [
            fact("The Night Watch:Artwork", "P170", artist),
            fact("Self:Artwork", "P170", artist, anchor=artist),
            fact("Self:Artwork", "P180", artist, anchor=artist),
        ]
    )
    assert said.endswith("Another work both by and depicting Rembrandt is “Self”.")


def test_the_style_of_other_works_is_said_where_the_works_own_is_not_known(
    say: Say, fact: Fact
) -> None:
    artist = "Claude Monet:Artist"
    facts = [
        fact("Cliffs:Artwork", "P170", artist),
        fact("The Pond:Artwork", "P170", artist, anchor=artist),
        fact("The Pond:Artwork", "P135", "Impressionism:Movement"),
    ]
    hint = "The movement given for other works by the artist is Impressionism."
    assert hint in say(facts)
    assert hint not in say([*facts, fact("Cliffs:Artwork", "P135", "Realism:Movement")])


def test_a_session_remembers_what_earlier_iterations_found(
    say: Say, mona_lisa: list[RankedTriple], fact: Fact
) -> None:
    more = [fact("Leonardo da Vinci:Artist", "P20", "Amboise:Place")]
    first, both = say(mona_lisa), say(mona_lisa, more)
    assert both == f"{first}\n\nLeonardo da Vinci died in Amboise."
    assert say(mona_lisa, more, ()) == both


def test_no_facts(say: Say) -> None:
    assert say(()) == f"{NOTHING_KNOWN} {WHAT_TO_DO}"
    assert "cannot see the picture" in say(())


def test_without_a_title_it_says_that_it_cannot_see(say: Say) -> None:
    said = say((), question="Explain this artwork.")
    assert said == f"{WITHOUT_TITLE} {WHAT_TO_DO}"
    assert "cannot see the picture" in said


def test_facts_about_no_work_are_told_as_such(say: Say, fact: Fact) -> None:
    said = say([fact("Rembrandt:Artist", "P19", "Leiden:Place")])
    assert said == (
        "The question names no work that the graph knows, and this preview cannot see the "
        "picture. What follows is about Rembrandt.\n\nRembrandt was born in Leiden."
    )


def test_a_museum_keeps_its_article(say: Say, fact: Fact) -> None:
    said = say([fact("Flowers:Artwork", "P195", "Rijksmuseum:Museum", anchor="Rijksmuseum:Museum")])
    assert said.endswith("about the Rijksmuseum.\n\nThe Rijksmuseum holds “Flowers”.")


def test_its_own_words_name_nothing_of_the_graph(shipped: Retriever) -> None:
    for text in (NOTHING_KNOWN, WITHOUT_TITLE, WHAT_TO_DO, NO_WORK_KNOWN):
        assert shipped.names.find(text) == ()


def test_a_graph_without_kinds(say: Say, fact: Fact) -> None:
    said = say(
        [
            fact("Guernica:", "creator", "Pablo Picasso:"),
            fact("Guernica:", "restored by", "Some Studio:"),
            fact("Guernica:", "editor", "Somebody:"),
        ]
    )
    assert said == (
        "Guernica is a work by Pablo Picasso. It is restored by Some Studio. "
        "Its editor is Somebody."
    )


def test_it_is_labelled_as_what_it_is() -> None:
    engine = preview_engine()
    assert engine.notice is not None
    assert engine.notice.startswith("Preview without a vision model")
    assert engine.description["sees_pictures"] is False


def test_tokens_are_none(mona_lisa: list[RankedTriple]) -> None:
    session = preview_engine().explainer.session(None)
    *_, answer = session.answer(explainer_prompt("Q", mona_lisa), threading.Event())
    assert isinstance(answer, Answer)
    assert answer.tokens == 0


# Over the shipped graph


def sample(shipped: Retriever) -> list[str]:
    works = [entity.id for entity in shipped.graph.entities if entity.kind == "Artwork"]
    return works[:: len(works) // 60]


def test_every_capitalised_name_is_in_a_fact(shipped: Retriever) -> None:
    for id in sample(shipped):
        run = run_of(shipped, Artwork(id=id), Settings(method="loop", max_iterations=3))
        facts = [fact.triple for iteration in run.iterations for fact in iteration.facts]
        known = {end.label for triple in facts for end in (triple.subject, triple.object)}
        for mention in shipped.names.find(run.answer):
            inside_a_label = any(mention.text in label for label in known)
            assert inside_a_label, f"{mention.text!r} in {run.answer!r} comes from no fact"


def test_every_word_comes_from_a_fact_or_a_template(shipped: Retriever) -> None:
    """Without the labels of its facts, an answer has only the words of the templates."""
    templates = {word for phrase in PHRASES.values() for word in words_of(" ".join(phrase))}
    for id in sample(shipped):
        run = run_of(shipped, Artwork(id=id), Settings(method="loop", max_iterations=3))
        facts = [fact.triple for iteration in run.iterations for fact in iteration.facts]
        predicates = {word for triple in facts for word in words_of(triple.predicate.label)}
        labels = {end.label for triple in facts for end in (triple.subject, triple.object)}
        left = words_of(without(labels, run.answer)) - templates - predicates - OWN_WORDS
        assert not left, f"{left} in {run.answer!r}"


def words_of(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]{2,}", text.lower()))


def without(labels: set[str], text: str) -> str:
    """The text without the labels, whose first letter may be small."""
    patterns = [
        f"[{re.escape(label[0].lower() + label[0].upper())}]{re.escape(label[1:])}"
        for label in sorted(labels, key=len, reverse=True)
    ]
    return re.sub(rf"(?<!\w)({'|'.join(patterns)})(?!\w)", "", text)


OWN_WORDS = words_of(
    """It is a painting / an art / a work by … and the artist's, among others. The subject named.
    It is held by, listed in the collections of, located at, belongs to, depicts. A further motif
    is; its motifs are. Another work; other works both by and depicting. Artists. Also.
    The movements / the genres given for other works by. Creator not among the facts selected."""
)


def test_answers_stay_readable(shipped: Retriever) -> None:
    for id in sample(shipped):
        text = run_of(shipped, Artwork(id=id), Settings(method="loop")).answer
        assert len(text.split()) <= 260
        assert "{" not in text
        assert "  " not in text
        assert not re.search(r"\ba [aeio]\w+ (paint|panel)", text)
        assert "among others, among others" not in text
        assert text.endswith((".", "!", "?", "”"))


def test_the_subjects_own_paragraph_is_never_cut(fact: Fact) -> None:
    facts = [fact("Work:Artwork", "P180", f"Name{number}:Subject").triple for number in range(5)]
    assert write(facts, facts[0].subject, most_words=1).startswith("Work depicts Name0")


def test_the_second_iteration_is_about_the_work_and_what_is_near(shipped: Retriever) -> None:
    run = run_of(shipped, Artwork(title="mona lisa"), Settings(method="loop", max_iterations=2))
    facts = run.iterations[1].facts
    near = {"Q12418", "Q762"} | {
        fact.triple.object.id
        for fact in run.iterations[0].facts
        if fact.triple.predicate.id in ("P180", "P195", "P276")
    }
    assert sum(fact.anchor.id in near for fact in facts) >= len(facts) / 2
    assert all(fact.anchor.kind != "Concept" for fact in facts)


@pytest.mark.parametrize(
    ("id", "status", "rounds"),
    [
        ("Q12418", "accepted", 1),  # Mona Lisa
        ("Q185372", "accepted", 2),  # Girl with a Pearl Earring
        ("Q464782", "accepted", 3),  # American Gothic: the genres of Wood's other works
        ("Q208758", "exhausted", 5),  # Las Meninas: ten figures fill the ten facts
    ],
)
def test_works_need_one_three_or_five_rounds(
    shipped: Retriever, id: str, status: str, rounds: int
) -> None:
    run = run_of(shipped, Artwork(id=id))
    assert (run.status, len(run.iterations)) == (status, rounds)


def test_an_unknown_title_never_convinces(shipped: Retriever) -> None:
    run = run_of(shipped, Artwork(title="No such work 123", artist="Rembrandt"))
    assert run.status == "exhausted"
    assert run.artwork.found == "none"
    assert all(iteration.verdict and not iteration.verdict.p_true for iteration in run.iterations)


def test_the_prompt_of_the_first_answer_holds_the_facts_it_tells(shipped: Retriever) -> None:
    for event in explain(
        Artwork(title="mona lisa"),
        retriever=shipped,
        engine=preview_engine(),
        settings=Settings(max_iterations=1),
    ):
        if isinstance(event, Retrieved):
            assert "[Mona Lisa, creator, Leonardo da Vinci]" in event.prompt.text
