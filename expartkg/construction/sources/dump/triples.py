"""The truthy dump: N-Triples, those of one entity together.

https://www.mediawiki.org/wiki/Wikibase/Indexing/RDF_Dump_Format

It has the statements of the best rank and no others. A date has no precision in it: a century
stands there as a year. Where it has no articles of Wikipedia, no titles are known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from pyoxigraph import Literal, NamedNode, RdfFormat, parse

from expartkg.construction.graph_file import IMAGES
from expartkg.construction.sources.dump.described import DamagedLineError, Lines
from expartkg.construction.sources.entities import LANGUAGES, Entity
from expartkg.construction.sources.titles import ARTICLE, article_title
from expartkg.retrieval.descriptions import LABEL, WIKIDATA_DIRECT, WIKIDATA_ENTITY

_ENTITY = f"<{WIKIDATA_ENTITY}".encode()
_DIRECT = f"<{WIKIDATA_DIRECT}".encode()
_ARTICLE = f"<{ARTICLE}".encode()
_IMAGES = f"<{IMAGES}".encode()
_LABEL = str(LABEL).encode()
_ABOUT = b"<http://schema.org/about>"
_TAGS = tuple(f'"@{code}'.encode() for code in LANGUAGES)
_TRIPLE = re.compile(
    rb"""\s*(?:
    (<[^<>\s]*>|_:\S+)[ \t]+
    (<[^<>\s]*>)[ \t]+
    (<[^<>\s]*>|".*"\S*|_:\S+)[ \t]*\.\s*
    )?(?:\#.*\s*)?""",
    re.VERBOSE,
)
_ID = re.compile(rb"[QP][1-9][0-9]*")
_YEAR = re.compile(rb'"\+?0*([0-9]{1,4})-')


class _Described:
    """The lines about one entity from number `line` on, as far as anything is made of them."""

    def __init__(self, line: int, node: bytes) -> None:
        self.line = line
        self.node = node
        self.id = _id(node).decode()
        self.article = ""
        self.is_subject = False
        self._labels: dict[bytes, str] = {}
        self._values: list[tuple[bytes, bytes]] = []

    @property
    def label(self) -> str:
        return next((self._labels[tag] for tag in _TAGS if tag in self._labels), "")

    def classes(self) -> list[str]:
        return [qid for pid, qid in self._links() if pid == "P31"]

    def entity(self) -> Entity:
        years = {int(found[1]) for value in self._of(b"P571") if (found := _YEAR.match(value))}
        images = {
            unquote(value[len(_IMAGES) : -1].decode())
            for value in self._of(b"P18")
            if value.startswith(_IMAGES)
        }
        return Entity(
            self.id,
            self.label,
            self.article,
            tuple(self._links()),
            tuple(sorted(years - {0})),
            tuple(sorted(images)),
            any(self._of(b"P625")),
        )

    def take(self, number: int, predicate: bytes, value: bytes) -> None:
        """A statement about the entity."""
        self.is_subject = True
        if predicate.startswith(_DIRECT):
            self._values.append((predicate[len(_DIRECT) : -1], value))
        elif predicate == _LABEL:
            for tag in _TAGS:
                if value.endswith(tag):
                    self._labels[tag] = _text(number, value)

    def take_article(self, number: int, subject: bytes) -> None:
        """What says that an article of English Wikipedia is about the entity."""
        self.article = article_title(_node(number, subject)) or ""

    def _of(self, pid: bytes) -> Iterator[bytes]:
        return (value for property, value in self._values if property == pid)

    def _links(self) -> Iterator[tuple[str, str]]:
        for pid, value in self._values:
            qid = _id(value)
            if qid.startswith(b"Q"):
                yield pid.decode(), qid.decode()


def described_by_triples(lines: Lines) -> Iterator[_Described]:
    """The items and properties of a dump. Raises `DamagedLineError`."""
    current: _Described | None = None
    for number, line in lines:
        subject, predicate, value = _triple(number, line)
        is_article = predicate == _ABOUT and subject.startswith(_ARTICLE)
        node = value if is_article else subject
        if current is None or current.node != node:
            if not _id(node):
                continue
            if current:
                yield _whole(current)
            current = _Described(number, node)
        if is_article:
            current.take_article(number, subject)
        else:
            current.take(number, predicate, value)
    if current:
        yield _whole(current)


def _whole(described: _Described) -> _Described:
    if not described.is_subject:
        raise DamagedLineError(
            described.line,
            f"the article of {described.id} stands apart from its statements; a dump has those of "
            "an item together",
        )
    return described


def _triple(number: int, line: bytes) -> tuple[bytes, bytes, bytes]:
    """Subject, predicate and object as they are written; all empty for a line without a triple."""
    found = _TRIPLE.fullmatch(line)
    if found is None or not (line.isascii() or _is_utf_8(line)):
        raise DamagedLineError(number, "not N-Triples in UTF-8; download the file again")
    subject, predicate, value = found.groups(default=b"")
    return subject, predicate, value


def _is_utf_8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def _id(node: bytes) -> bytes:
    """The id of an entity, empty for any other node."""
    if not node.startswith(_ENTITY) or not node.endswith(b">"):
        return b""
    id = node[len(_ENTITY) : -1]
    return id if _ID.fullmatch(id) else b""


def _text(number: int, literal: bytes) -> str:
    text = literal[1 : literal.rindex(b'"')]
    if b"\\" not in text and b'"' not in text:
        return text.decode()  # almost always, and many times as fast
    found = _parsed(number, b"<urn:s> <urn:p> " + literal + b" .")
    assert isinstance(found, Literal)
    return found.value


def _node(number: int, iri: bytes) -> NamedNode:
    found = _parsed(number, b"<urn:s> <urn:p> " + iri + b" .")
    assert isinstance(found, NamedNode)
    return found


def _parsed(number: int, line: bytes) -> object:
    try:
        (quad,) = parse(line, format=RdfFormat.N_TRIPLES)
    except (SyntaxError, ValueError) as error:
        raise DamagedLineError(number, f"not N-Triples ({error}); download it again") from error
    return quad.object
