"""Which facts support a sentence: what it says, in all the ways that it may be said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from expartkg.records import Artwork, Sentence
from expartkg.retrieval.opening import open_graph
from expartkg.retrieval.retriever import Retriever
from expartkg.support import support_of
from expartkg.support.sentences import sentence_spans
from tests.conftest import LABEL, TYPE, WD, WDT

LABELS = {
    "Q1": ("Mona Lisa", "Artwork"),
    "Q2": ("Leonardo da Vinci", "Artist"),
    "Q3": ("Louvre Museum", "Museum"),
    "Q4": ("High Renaissance", "Movement"),
    "Q5": ("Oil paint", "Concept"),
    "Q6": ("Lisa del Giocondo", "Person"),
    "Q7": ("Poplar panel", "Concept"),
    "Q8": ("Anchiano", "Place"),
    "Q9": ("Amboise", "Place"),
    "Q10": ("Italy", "Place"),
    "Q11": ("The Kiss", "Artwork"),
    "Q12": ("Gustav Klimt", "Artist"),
    "Q13": ("Michelangelo", "Artist"),
    "Q14": ("Rijksmuseum", "Museum"),
    "Q15": ("Amsterdam", "Place"),
    "Q16": ("Department of Paintings of the Louvre", "Museum"),
    "Q17": ("Baroque", "Movement"),
    "Q18": ("Portrait", "Concept"),
    "Q19": ("St. Peter's Church", "Artwork"),
    "Q20": ("Landscape painting", "Concept"),
    "Q21": ("Old Mill", "Artwork"),
    "Q22": ("Francesco Melzi", "Artist"),
    "Q23": ("Old Mill", "Subject"),
    "P170": ("creator", ""),
    "P195": ("collection", ""),
    "P135": ("movement", ""),
    "P186": ("made from material", ""),
    "P180": ("depicts", ""),
    "P19": ("place of birth", ""),
    "P20": ("place of death", ""),
    "P17": ("country", ""),
    "P136": ("genre", ""),
    "P802": ("student", ""),
}
EDGES = """Q1 P170 Q2, Q1 P195 Q16, Q1 P135 Q4, Q1 P186 Q5, Q1 P186 Q7, Q1 P180 Q6, Q1 P136 Q18,
Q2 P19 Q8, Q2 P20 Q9, Q8 P17 Q10, Q11 P170 Q12, Q19 P170 Q13, Q11 P136 Q20, Q2 P802 Q22,
Q21 P180 Q23"""
NOT_RETRIEVED = "Q1 P195 Q3"

Check = Callable[..., list[Sentence]]


@pytest.fixture(scope="module")
def retriever(tmp_path_factory: pytest.TempPathFactory) -> Retriever:
    lines = [f'<{WD}{id}> <{LABEL}> "{label}"@en .' for id, (label, _) in LABELS.items()]
    lines += [
        f"<{WD}{id}> <{TYPE}> <urn:expartkg:{kind}> ." for id, (_, kind) in LABELS.items() if kind
    ]
    for edge in (*EDGES.split(","), NOT_RETRIEVED):
        subject, predicate, object_ = edge.split()
        lines.append(f"<{WD}{subject}> <{WDT}{predicate}> <{WD}{object_}> .")
    for work, year in (("Q1", 1503), ("Q11", 1908), ("Q19", 1), ("Q21", 1700)):
        lines.append(f'<{WD}{work}> <{WDT}P571> "{year}" .')
    path: Path = tmp_path_factory.mktemp("support") / "graph.nt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return Retriever(open_graph(str(path)))


@pytest.fixture(scope="module")
def check(retriever: Retriever) -> Check:
    """The sentences of an answer about a work, the Mona Lisa unless it says so."""

    def check(answer: str, work: str | None = "Q1", title: str | None = None) -> list[Sentence]:
        graph = retriever.graph
        facts = [
            edge.triple(graph.entity(id))
            for id in ("Q1", "Q2", "Q8", "Q11", "Q21")
            for edge in graph.document(graph.entity(id))
            if (id, edge.predicate.id, edge.neighbour.id) != ("Q1", "P195", "Q3")
        ]
        known = retriever.identify(Artwork(id=work, title=title))
        return list(support_of(answer, facts, known, retriever))

    return check


SUPPORTED = {
    "The Mona Lisa was painted by Leonardo da Vinci.": "P170",
    "*Mona Lisa* is a portrait by Leonardo.": "P170",
    "It is the work of the Italian master Leonardo da Vinci.": "P170",
    "Leonardo da Vinci’s Mona Lisa is everywhere.": "P170",
    "Leonardo painted it.": "P170",
    "Painted by Leonardo da Vinci, it hangs behind glass.": "P170",
    "Not only was it painted by Leonardo, it was also loved by him.": "P170",
    "The painting belongs to the High Renaissance.": "P135",
    "It is done in oil.": "P186",
    "The sitter is Lisa del Giocondo.": "P180",
    "Lisa del Giocondo is depicted in the painting.": "P180",
    "Its creator: Leonardo da Vinci.": "P170",
    "**Depicts**: Lisa del Giocondo": "P180",
    "The place of birth of Leonardo da Vinci is Anchiano.": "P19",
    "Its painter, Leonardo da Vinci, who was born in Anchiano, died in Amboise.": "P19",
    "The Kiss is a fine example of landscape painting.": "P136",
    "Leonardo da Vinci was the teacher of Francesco Melzi.": "P802",
    "Today it is held by the Department of Paintings of the Louvre.": "P195",
}


@pytest.mark.parametrize("answer", SUPPORTED)
def test_a_sentence_is_supported_by_the_fact_that_it_says(check: Check, answer: str) -> None:
    (sentence,) = check(answer)
    assert sentence.status == "supported"
    assert SUPPORTED[answer] in {fact.predicate.id for fact in sentence.facts}


CONTRADICTING = {
    "The Mona Lisa was painted by Michelangelo.": "P170",
    "Michelangelo painted it.": "P170",
    "It is not by Leonardo da Vinci.": "P170",
    "Leonardo da Vinci never painted the Mona Lisa.": "P170",
    "It wasn’t painted by Leonardo.": "P170",
    "It was painted by Leonardo da Vinci and Michelangelo.": "P170",
    "Its creator is Gustav Klimt.": "P170",
    "The painting is housed in the Rijksmuseum in Amsterdam.": "P195",
    "The Rijksmuseum houses the Mona Lisa.": "P195",
    "Leonardo da Vinci was born in Amsterdam.": "P19",
    "Its painter died in Amsterdam, but he is not forgotten.": "P20",
    "Leonardo painted The Kiss.": "P170",
}


@pytest.mark.parametrize("answer", CONTRADICTING)
def test_a_sentence_contradicts_the_fact_whose_place_it_fills_otherwise(
    check: Check, answer: str
) -> None:
    sentence = check(answer)[0]
    assert sentence.status == "contradicts"
    assert {fact.predicate.id for fact in sentence.facts} == {CONTRADICTING[answer]}


@pytest.mark.parametrize(
    "answer",
    [
        "Her smile is a riddle.",
        "Some say that it was painted by Michelangelo.",
        "It was once attributed to Michelangelo.",
        "It was in the Rijksmuseum until 1850.",
        "Michelangelo admired it.",
        "It was followed by The Kiss.",
        "Leonardo da Vinci was born in Amboise, Italy, it is believed.",
        "Leonardo da Vinci was born in Italy.",
        "It is held by the Louvre Museum.",
        "It belongs to the Baroque.",
        "Leonardo da Vinci is depicted in the Mona Lisa.",
        "Leonardo worked in Anchiano.",
        "The portrait shows a smile.",
        "Its painter is a riddle.",
        "Michelangelo’s David is larger.",
        "It recalls a lost work by Michelangelo.",
        "He knew the frescoes by Michelangelo in the chapel.",
        "It is by Michelangelo Merisi, as they say.",
        "It was stolen and displayed in the Rijksmuseum in 1941.",
        "The war of 1870 had begun when it was hidden.",
    ],
)
def test_what_no_fact_says_or_denies_is_the_models_own(check: Check, answer: str) -> None:
    assert {sentence.status for sentence in check(answer)} == {"unsupported"}


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("It was painted in 1503.", "supported"),
        ("Mona Lisa (c. 1500) is small.", "supported"),
        ("It dates from the early 16th century.", "supported"),
        ("It was made between 1503 and 1506.", "supported"),
        ("It was painted in the 1500s.", "supported"),
        ("In 1503, Francesco ordered it and nobody knows why.", "unsupported"),
        ("It was begun in 1503 and finished in 1519.", "supported"),
        ("It was finished in 1519.", "unsupported"),
        ("It was stolen in 1911.", "unsupported"),
        ("It was painted before 1550.", "unsupported"),
        ("It was painted in 1650.", "contradicts"),
        ("It was not painted in 1503.", "contradicts"),
        ("It dates from the 19th century.", "contradicts"),
        ("This 1650 painting is small.", "contradicts"),
        ("The Kiss was created in 1908.", "supported"),
        ("St. Peter's Church was painted in 1500.", "unsupported"),
        ("Old Mill was painted in 1750.", "unsupported"),
    ],
)
def test_years_are_held_against_the_graphs_inception(
    check: Check, answer: str, status: str
) -> None:
    (sentence,) = check(answer)
    assert sentence.status == status
    assert bool(sentence.dates) == (status != "unsupported")


def test_sentences_cover_the_answer_and_tell_their_names(check: Check) -> None:
    answer = (
        "## About\n- *Mona Lisa* is by Leonardo. It isn’t St. Peter's Church. Is it?\n\nNo 🖼 Yes."
    )
    sentences = check(answer)
    assert [answer[one.start : one.end] for one in sentences] == [
        "## About",
        "- *Mona Lisa* is by Leonardo.",
        "It isn’t St. Peter's Church.",
        "Is it?",
        "No 🖼 Yes.",
    ]
    named = [(answer[one.start : one.end], one.entity.id) for s in sentences for one in s.named]
    assert named == [("Mona Lisa", "Q1"), ("Leonardo", "Q2"), ("St. Peter's Church", "Q19")]


def test_pronouns_are_followed_from_sentence_to_sentence(check: Check) -> None:
    sentences = check("The Kiss is golden. It was painted by Klimt. He died in Amsterdam.")
    assert [one.status for one in sentences] == ["unsupported", "supported", "unsupported"]
    sentences = check("Leonardo was a genius. He was born in Anchiano. It was painted by him.")
    assert [one.status for one in sentences] == ["unsupported", "supported", "supported"]


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("It depicts the subject Old Mill.", "supported"),
        ("Old Mill shows Old Mill.", "supported"),
        ("Old Mill is the main subject of the painting.", "supported"),
        ("It does not show Old Mill.", "contradicts"),
        ("It was inspired by Old Mill.", "unsupported"),
    ],
)
def test_what_a_work_is_named_after_is_told_from_the_work(
    check: Check, answer: str, status: str
) -> None:
    (sentence,) = check(answer, "Q21")
    assert sentence.status == status


def test_a_work_that_the_graph_does_not_know_is_not_taken_for_another(check: Check) -> None:
    (sentence,) = check("It was painted by Michelangelo.", None, "No such work")
    assert sentence.status == "unsupported"


def test_no_text_has_no_sentences(check: Check) -> None:
    assert check("") == check(" \n ** \n") == []


def test_a_text_that_repeats_itself_takes_no_time_to_speak_of(check: Check) -> None:
    """By the count of its phrases it would take minutes."""
    (sentence,) = check("It was painted " + "by works by " * 10_000)
    assert sentence.status == "unsupported"


def test_a_name_that_crosses_a_line_is_in_one_sentence() -> None:
    """A Run whose names leave their sentences is not read again."""
    text = "It is by Leonardo da\nVinci. It is old.\nIt smiles."
    name = (text.index("Leonardo"), text.index(". It"))
    assert [text[start:end] for start, end in sentence_spans(text, [name])] == [
        "It is by Leonardo da\nVinci.",
        "It is old.",
        "It smiles.",
    ]
    assert len(sentence_spans(text)) == 4
