"""Coverage, F1 and cooccurrence: cases worked out by hand, and the formulas on odd pairs."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expartkg.evaluation.metrics.cooccurrence import WINDOWS, cooccurrence, length_penalty
from expartkg.evaluation.metrics.coverage import coverage_exact, coverage_partial
from expartkg.evaluation.metrics.entity_f1 import entity_f1
from expartkg.evaluation.metrics.reading import Reading
from expartkg.evaluation.metrics.sentences import sentence_spans
from tests.evaluation.conftest import NAMES, Read
from tests.evaluation.metrics.test_lcs import by_table

REFERENCE = "The Mona Lisa by Leonardo da Vinci hangs in the Louvre in Paris."
GENERATED = "Leonardo made the Mona Lisa; see it in Paris."


class TestByHand:
    """E_R is {Mona Lisa, Leonardo da Vinci, Louvre, Paris}, E_G {Leonardo, Mona Lisa, Paris}."""

    def test_coverage_exact(self, read: Read) -> None:
        # Mona Lisa and Paris of four
        assert coverage_exact(read(GENERATED), read(REFERENCE)) == 2 / 4

    def test_coverage_partial(self, read: Read) -> None:
        # Mona Lisa 1, Paris 1; of Leonardo da Vinci the word Leonardo, 1/3; of Louvre nothing
        expected = (1 + 1 + 1 / 3 + 0) / 4
        assert coverage_partial(read(GENERATED), read(REFERENCE)) == pytest.approx(expected)

    def test_coverage_partial_takes_words_in_order_from_the_whole_text(self, read: Read) -> None:
        # "Le ... Brun" are in order in two sentences, "Vigée" comes too late, Élisabeth never:
        # the longest common subsequence of (Élisabeth Vigée Le Brun) and the text is (Le Brun)
        generated = read("Le mot. Brun, pas Vigée.")
        assert coverage_partial(generated, read("Élisabeth Vigée Le Brun")) == 2 / 4

    def test_f1(self, read: Read) -> None:
        # precision 2/3, recall 2/4: 2 · (1/3) / (7/6)
        assert entity_f1(read(GENERATED), read(REFERENCE)) == pytest.approx(4 / 7)

    def test_f1_clips_what_is_repeated(self, read: Read) -> None:
        # G: Paris 4, Louvre 1; R: Paris 2, Louvre 3. Clipped 2 + 1 = 3; precision 3/5 = recall
        generated = read("Paris Paris Paris Paris Louvre")
        reference = read("Paris Paris Louvre Louvre Louvre")
        assert entity_f1(generated, reference) == pytest.approx(3 / 5)

    def test_cooccurrence_in_one_sentence(self, read: Read) -> None:
        # one of the six pairs of four entities, Mona Lisa with Paris; 9 tokens against 13: LP = 1
        assert cooccurrence(read(GENERATED), read(REFERENCE)) == pytest.approx([1 / 6] * 4)

    def test_cooccurrence_across_sentences(self, read: Read) -> None:
        # R, 17 tokens: Mona Lisa in sentence 0, Louvre in 2 and 3, Paris in 3. So Louvre and Paris
        # share a sentence, Mona Lisa and Louvre are 2 apart, Mona Lisa and Paris 3.
        # Co_0 = {LP}, Co_1 = {LP, ML} (a window of three sentences), Co_2 = Co_inf = {LP, ML, MP}.
        reference = read(
            "The Mona Lisa smiles. It is small. It hangs in the Louvre. The Louvre is in Paris."
        )
        # G, 22 tokens: Mona Lisa in 0, Louvre in 1, Paris in 5; ML 1 apart, LP 4, MP 5.
        # Co_0 = {}, Co_1 = {ML}, Co_2 = {ML, LP}, Co_inf all three.
        generated = read(
            "The Mona Lisa smiles. It hangs in the Louvre. It is big. It is old. It is far. "
            "It is in Paris."
        )
        penalty = math.exp(-(22 / 17 - 1))
        covered = [0 / 1, 1 / 2, 2 / 3, 3 / 3]
        expected = [penalty * share for share in covered]
        assert cooccurrence(generated, reference) == pytest.approx(expected)

    def test_a_text_ten_times_as_long(self, read: Read) -> None:
        # LP = exp(-(20 / 2 - 1)) = e^-9; only cooccurrence knows it
        reference, generated = read("Paris Louvre"), read("Paris Louvre" + " word" * 18)
        assert cooccurrence(generated, reference) == pytest.approx([math.exp(-9)] * 4)
        assert coverage_exact(generated, reference) == 1
        assert entity_f1(generated, reference) == 1

    @pytest.mark.parametrize(
        ("generated", "reference", "penalty"),
        [(0, 5, 1), (5, 5, 1), (6, 5, math.exp(-0.2)), (10, 5, math.exp(-1)), (1, 0, 0)],
    )
    def test_length_penalty(self, generated: int, reference: int, penalty: float) -> None:
        assert length_penalty(generated, reference) == pytest.approx(penalty)

    def test_an_entity_across_the_end_of_a_sentence_is_with_both(self, read: Read) -> None:
        # the name is in the sentences 0 and 1, so it meets the Louvre in 0 and Paris in 1, and
        # Louvre and Paris are 1 apart: Co_0 has two of the three pairs, Co_1 all
        reference = read("The Louvre lent the U.S. Marshal House to Paris.")
        generated = read("The U.S. Marshal House is in Paris.")
        # in the generated text name and Paris share a sentence: 1 of 2, then 1 of 3
        assert cooccurrence(generated, reference) == pytest.approx([1 / 2, 1 / 3, 1 / 3, 1 / 3])

    @pytest.mark.parametrize(("generated", "reference"), [("", "Paris"), ("Paris", ""), ("", "")])
    def test_empty_texts_score_0(self, read: Read, generated: str, reference: str) -> None:
        one, other = read(generated), read(reference)
        assert coverage_exact(one, other) == coverage_partial(one, other) == 0
        assert entity_f1(one, other) == 0
        assert cooccurrence(one, other) == (0, 0, 0, 0)

    def test_one_entity_makes_no_pair(self, read: Read) -> None:
        assert cooccurrence(read("Paris"), read("Paris Paris")) == (0, 0, 0, 0)


def pairs_in_windows(text: str, reading: Reading, n: float) -> set[frozenset[str]]:
    """Co_n as it is written: one window after the other."""
    pairs: set[frozenset[str]] = set()
    count = len(sentence_spans(text))
    for middle in range(count):
        window = {i for i in range(count) if abs(i - middle) <= n}
        inside = [name for name, touched in reading.sentences.items() if touched & window]
        pairs.update(frozenset(pair) for pair in combinations(inside, 2))
    return pairs


def share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def formulas(read: Read, generated: str, reference: str) -> list[float]:
    """Eq. 2 to 7, word for word: coverage exact and partial, F1, cooccurrence for each n."""
    g, r = read(generated), read(reference)
    e_g, e_r = set(g.occurrences), set(r.occurrences)
    partial = 0.0
    for name in e_r:
        words = read(name).words
        partial += 1 if name in e_g else by_table(words, g.words) / len(words)  # type: ignore[arg-type]
    clipped = sum(min(g.occurrences[e], r.occurrences[e]) for e in e_g & e_r)
    precision = share(clipped, sum(g.occurrences.values()))
    recall = share(clipped, sum(r.occurrences.values()))
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    values = [share(len(e_g & e_r), len(e_r)), partial / len(e_r) if e_r else 0.0, f1]
    for n in WINDOWS:
        wanted, got = pairs_in_windows(reference, r, n), pairs_in_windows(generated, g, n)
        lp = math.exp(-max(0.0, g.length / r.length - 1)) if r.length else 0.0
        values.append(lp * share(len(wanted & got), len(wanted)))
    return values


PIECES = [
    *NAMES, "Paris", "Louvre", "Leonardo", "Vinci", "the", "e\u0301", "’", "c. 1503", "Dr.", "漢",
    ".", ".", "!", "?", "\n", "\u00a0", "Paris' own", "Self-Portrait with", "🖼",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=60).map(" ".join)


@settings(max_examples=200, deadline=None)
@given(generated=TEXTS, reference=TEXTS)
def test_odd_pairs_have_the_values_of_the_formulas(
    read: Read, generated: str, reference: str
) -> None:
    g, r = read(generated), read(reference)
    values = [coverage_exact(g, r), coverage_partial(g, r), entity_f1(g, r), *cooccurrence(g, r)]
    assert values == pytest.approx(formulas(read, generated, reference))
    assert all(0 <= value <= 1 for value in values)
