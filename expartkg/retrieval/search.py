"""Type-ahead: from what a person types to the works that it may mean.

Typed are words of title, artist and collection in any order, each as far as it has been typed.
Works are numbered, the best known first, so that sorting numbers puts works in order.
"""

from __future__ import annotations

import heapq
import re
from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TypeAlias

from expartkg.records import ARTWORK, CONCEPT, Entity
from expartkg.retrieval.descriptions import last_segment
from expartkg.retrieval.index import SearchIndex, SortedTitles, SortedWords
from expartkg.retrieval.store import Graph, ReadEdges, id_order
from expartkg.retrieval.text import fold
from expartkg.retrieval.titles import bare_title
from expartkg.retrieval.works import COLLECTION, CREATOR, LOCATION, Work, works_of

LONGEST_TEXT = 100
"""Characters of a text that are looked at; few titles are longer."""

SHORTEST_MISTYPED = 4
"""Letters from which on a word may have a typing error; shorter ones would become anything."""

# Scripts that put no blanks between words, so that every character counts as one: Thai, Lao,
# Tibetan, Burmese, Khmer, kana, Han.
_UNSPACED = (
    "\u0e00-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
_JOINTS = str.maketrans("", "", "'-")
_LAST = "\U0010ffff"
"""Sorts after every character that can stand in a word."""

Forms: TypeAlias = tuple[str, ...]
Holders: TypeAlias = "array[int]"
Lookup: TypeAlias = "Callable[[_Words, str], Holders]"


class Search:
    """The works of a graph: its artworks or, where it has none, all entities but concepts."""

    def __init__(self, graph: Graph, read: ReadEdges | None = None) -> None:
        """Without an index, reads all statements of the graph once (by `read`)."""
        self._graph = graph
        if graph.index:
            index = graph.index.search
        else:
            index = search_index(graph, (read or graph.statements)())
        self._works = index.works
        self._titles = _Titles(index.titles)
        self._title_words = _Words(index.title_words)
        self._all_words = _Words(index.all_words)

    def suggest(self, text: str, limit: int = 8) -> tuple[Work, ...]:
        """At most `limit` works that `text` may mean, best first; none for a text without words.

        First those whose whole title it is; then those whose title starts with it; those with all
        its words at the beginning of words of the title; those with some of them in the names of
        artist, collection or place instead, before others where the rest is the whole title. Of
        equals the one with more statements goes first, then the lower number.

        Forgiven are case, accents, quotes, dashes, punctuation, a leading article, a trailing
        bracket and, where nothing is found, one typing error in each word of `SHORTEST_MISTYPED`
        letters or more. Never fails, and looks at no more than `LONGEST_TEXT` characters.
        """
        forms = _forms(text[:LONGEST_TEXT])
        numbers = _first(limit, self._exact(forms)) or _first(limit, self._forgiving(forms))
        return works_of(self._graph, [self._works[number] for number in numbers])

    def _exact(self, forms: Forms) -> Iterator[set[int]]:
        yield from map(self._titles.called, forms)
        yield from map(self._titles.starting, forms)
        yield from self._holders(forms, _Words.exactly)

    def _forgiving(self, forms: Forms) -> Iterator[set[int]]:
        yield from self._holders(forms, _Words.exactly_or_nearly)
        yield from self._holders(forms, _Words.nearly)

    def _holders(self, forms: Forms, look_up: Lookup) -> Iterator[set[int]]:
        for index in (self._title_words, self._all_words):
            for form in forms:
                holders = index.holders(form.split(), look_up)
                yield holders & self._titles.called_as_part_of(form)
                yield holders


class _Titles:
    """The titles of works in alphabetical order, each in all its forms."""

    def __init__(self, index: SortedTitles) -> None:
        self._titles, self._numbers = index

    def called(self, title: str) -> set[int]:
        """The works of that title."""
        start = bisect_left(self._titles, title)
        return set(self._numbers[start : bisect_right(self._titles, title, start)])

    def called_as_part_of(self, text: str) -> set[int]:
        """The works whose title the text starts or ends with, and does not only consist of."""
        words = text.split()
        parts = [part for at in range(1, len(words)) for part in (words[:at], words[at:])]
        return set().union(*(self.called(" ".join(part)) for part in parts))

    def starting(self, beginning: str) -> set[int]:
        """The works whose title starts so."""
        start = bisect_left(self._titles, beginning)
        return set(self._numbers[start : bisect_left(self._titles, beginning + _LAST, start)])


class _Words:
    """The words of works in alphabetical order, and the works that hold each.

    Words that begin alike follow each other, and so do their works.
    """

    def __init__(self, index: SortedWords) -> None:
        self._words, self._numbers, self._starts = index

    def holders(self, typed: Iterable[str], look_up: Lookup) -> set[int]:
        """The works that hold all the typed words, each looked up in that way."""
        found: list[Holders] = []
        for word in set(typed):
            found.append(look_up(self, word))
            if not found[-1]:
                return set()
        rarest, *others = sorted(found, key=len)
        holders = set(rarest)
        for other in others:
            holders = holders and holders.intersection(other)
        return holders

    def exactly(self, typed: str) -> Holders:
        """The works that hold words beginning so, some of them several times."""
        start = bisect_left(self._words, typed)
        end = bisect_left(self._words, typed + _LAST, start)
        return self._numbers[self._starts[start] : self._starts[end]]

    def nearly(self, typed: str) -> Holders:
        """The same, also of words that begin so but for one typing error."""
        found = self.exactly(typed)
        if len(typed) >= SHORTEST_MISTYPED:
            for corrected in self._corrections(typed):
                found += self.exactly(corrected)
        return found

    def exactly_or_nearly(self, typed: str) -> Holders:
        """The same, but errors are looked for only where no word begins so."""
        return self.exactly(typed) or self.nearly(typed)

    def _corrections(self, typed: str) -> Iterator[str]:
        """What was meant if a letter was left out, mistaken, put in, or swapped with the next."""
        for place in range(len(typed)):
            before, after = typed[:place], typed[place:]
            yield before + after[1:]
            yield before + after[1::-1] + after[2:]
            letters = self._letters_after(before)
            if not letters:  # No word begins with more of what is typed.
                return
            for letter in letters:
                yield before + letter + after
                yield before + letter + after[1:]

    def _letters_after(self, beginning: str) -> list[str]:
        """The letters that follow it in words that begin so."""
        letters: list[str] = []
        start = bisect_right(self._words, beginning)
        end = bisect_left(self._words, beginning + _LAST, start)
        while start < end:
            letters.append(self._words[start][len(beginning)])
            start = bisect_left(self._words, beginning + letters[-1] + _LAST, start, end)
        return letters


def search_index(graph: Graph, edges: Iterable[tuple[str, str, str]]) -> SearchIndex:
    """`edges` are all statements of the graph."""
    statements, beside = _read(graph, edges)
    works = _best_known_first(graph.entities, statements)
    # Works share titles, and still more their artists and collections.
    forms = cache(_forms)
    words = cache(lambda name: _words(forms(name)))
    return SearchIndex(
        works,
        _sorted_titles(forms(work.label) for work in works),
        _sorted_words(words(work.label) for work in works),
        _sorted_words(
            words(work.label).union(*map(words, beside.get(work.iri, ()))) for work in works
        ),
    )


def _sorted_titles(titles: Iterable[Forms]) -> SortedTitles:
    pairs = sorted((form, number) for number, forms in enumerate(titles) for form in forms)
    return SortedTitles([title for title, _ in pairs], array("I", (number for _, number in pairs)))


def _sorted_words(words: Iterable[Iterable[str]]) -> SortedWords:
    """`words` are those of each work, none of them twice."""
    holders: defaultdict[str, Holders] = defaultdict(lambda: array("I"))
    for number, words_of_work in enumerate(words):
        for word in words_of_work:
            holders[word].append(number)
    numbers = array("I")
    starts = array("Q", [0])
    for word in sorted(holders):
        numbers += holders[word]
        starts.append(len(numbers))
    return SortedWords(sorted(holders), numbers, starts)


def _read(
    graph: Graph, edges: Iterable[tuple[str, str, str]]
) -> tuple[Mapping[str, int], Mapping[str, set[str]]]:
    """How many statements each IRI has, and the names of artist, collection and place of each."""
    statements: defaultdict[str, int] = defaultdict(int)
    beside: defaultdict[str, set[str]] = defaultdict(set)
    segment = cache(last_segment)
    for subject, predicate, object_ in edges:
        statements[subject] += 1
        if object_ != subject:
            statements[object_] += 1
        if segment(predicate) in (CREATOR, COLLECTION, LOCATION):
            beside[subject].add(graph.entity(object_).label)
    return statements, beside


def _best_known_first(entities: Sequence[Entity], statements: Mapping[str, int]) -> list[Entity]:
    works = [entity for entity in entities if entity.kind == ARTWORK]
    works = works or [entity for entity in entities if entity.kind != CONCEPT]
    return sorted(works, key=lambda work: (-statements.get(work.iri, 0), id_order(work.iri)))


def _forms(text: str) -> Forms:
    """The ways to read a text as words, each with one blank between them.

    As it is, and as a bare title; and both with what an apostrophe or a hyphen joins as one word.
    """
    folded = fold(text)
    bare = bare_title(folded)
    readings = dict.fromkeys((folded, bare, folded.translate(_JOINTS), bare.translate(_JOINTS)))
    forms = (" ".join(_WORD.findall(reading)) for reading in readings)
    return tuple(dict.fromkeys(filter(None, forms)))


def _words(forms: Forms) -> frozenset[str]:
    return frozenset(word for form in forms for word in form.split())


def _first(limit: int, tiers: Iterable[set[int]]) -> list[int]:
    """The first `limit` numbers: those of the first tier in order, then those of the next."""
    found: dict[int, None] = {}
    for tier in tiers:
        # So many that enough remain if all that were found before are among them.
        found |= dict.fromkeys(heapq.nsmallest(limit + len(found), tier))
        if len(found) >= limit:
            break
    return list(found)[:limit]
