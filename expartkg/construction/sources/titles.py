"""Titles of English Wikipedia articles, from the files of a snapshot and the hand-kept list."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from pyoxigraph import NamedNode, parse

from expartkg.construction.sources.at_hand import Title
from expartkg.construction.tables import table
from expartkg.errors import SourceError
from expartkg.retrieval.descriptions import WIKIDATA_ENTITY

VITAL = "titles/vital_articles_en_titles_topics.json"
POPULAR = "titles/compromise_wikipedia_titles_lower.txt"
PAINTINGS = "qa/artpedia.jsonl"
LINKED = "external/artworld.ttl"
ARTICLE = "https://en.wikipedia.org/wiki/"
_SAME = NamedNode("http://www.w3.org/2002/07/owl#sameAs")


def article_title(node: object) -> str | None:
    """The title of the article of English Wikipedia that an IRI is, None for anything else."""
    if not isinstance(node, NamedNode) or not node.value.startswith(ARTICLE):
        return None
    return unquote(node.value.removeprefix(ARTICLE)).replace("_", " ")


def kept_titles() -> Iterator[Title]:
    """Articles about artists, museums and the like that no list of a snapshot has."""
    for qid, text, _ in table("titles", ("qid", "title", "what")):
        yield Title(text, "kept list", qid)


def vital_titles(path: Path) -> Iterator[Title]:
    """An object of titles and their topics: Wikipedia's vital articles."""
    try:
        topics = json.loads(path.read_bytes())
        for text, topic in topics.items():
            yield Title(text, "vital articles", is_of_art=topic == "Arts")
    except (ValueError, AttributeError) as error:
        raise SourceError(f"{path}: not an object of titles ({error})") from error


def popular_titles(path: Path) -> Iterator[Title]:
    """A title a line, in lower case: popular articles."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise SourceError(f"{path}: not UTF-8 at byte {error.start}") from error
    yield from (Title(line, "popular articles", folded=True) for line in lines if line)


def painting_titles(path: Path) -> Iterator[Title]:
    """Records a line with `title` and `qid`: the articles that Artpedia was made from."""
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        try:
            record = json.loads(line)
            yield Title(record["title"], "Artpedia", record["qid"])
        except (ValueError, KeyError, TypeError) as error:
            raise SourceError(f"{path}:{number}: no object with title and qid") from error


def linked_titles(path: Path) -> Iterator[Title]:
    """Turtle in which a thing is `owl:sameAs` an item and an English article."""
    try:
        same = [(q.subject, q.object) for q in parse(path=str(path)) if q.predicate == _SAME]
    except (SyntaxError, ValueError) as error:
        raise SourceError(f"{path}: not valid Turtle ({error})") from error
    qids = {
        subject: obj.value.removeprefix(WIKIDATA_ENTITY)
        for subject, obj in same
        if isinstance(obj, NamedNode) and obj.value.startswith(WIKIDATA_ENTITY)
    }
    for subject, obj in same:
        title = article_title(obj)
        if title is not None and subject in qids:
            yield Title(title, "linked articles", qids[subject])
