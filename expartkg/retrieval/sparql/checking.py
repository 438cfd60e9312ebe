"""Which queries are refused before anything runs.

What is refused here could not be done by the worker either, which can open neither files nor
connections; here it is said why. Source: SPARQL 1.1 Query Language, section 19 (Grammar).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from expartkg.errors import QueryError

LONGEST_QUERY = 10_000
"""Characters of a query at most."""

FORMS = ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE")
_PROLOGUE = ("BASE", "PREFIX", "VERSION")

# Words stand between things that may hold any text: comments, IRIs, strings, variables, language
# tags and prefixed names.
_TOKEN = re.compile(
    r'''
      \#[^\r\n]*
    | <[^<>"{}|^`\\\x00-\x20]*>
    | """(?:[^"\\]|\\.|"(?!""))*"""
    | \'\'\'(?:[^'\\]|\\.|'(?!\'\'))*\'\'\'
    | "(?:[^"\\\r\n]|\\.)*"
    | '(?:[^'\\\r\n]|\\.)*'
    | [?$]\w+
    | @\w+(?:-\w+)*
    | [\w.-]*+:[\w.:%\\-]*
    | (?P<word>[A-Za-z_]\w*)
    ''',
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8}))")


def check_query(query: str) -> None:
    """Raises `QueryError` for what is no read-only query of this graph alone."""
    if not query.strip():
        raise QueryError("There is no query; begin with SELECT, ASK, CONSTRUCT or DESCRIBE.")
    if len(query) > LONGEST_QUERY:
        raise QueryError(
            f"The query has {len(query):,} characters, and {LONGEST_QUERY:,} are taken; shorten it."
        )
    if "\0" in query or not _is_encodable(query):
        raise QueryError("The query has characters in it that are no text.")
    # A word may be written with escapes, which a server resolves before it reads the query.
    for reading in dict.fromkeys((query, _ESCAPE.sub(_resolved, query))):
        _check_words(list(_words(reading)))


def _check_words(words: list[str]) -> None:
    form = next((word for word in words if word not in _PROLOGUE), "")
    if form not in FORMS:
        raise QueryError(
            f"A query begins with {', '.join(FORMS)}{f', not {form}' if form else ''}: "
            "the graph can be read and not changed."
        )
    _refuse(words, "SERVICE", "no other server is asked; query it yourself")
    _refuse(words, "FROM", "a query reads the open graph and nothing else; leave it out")


def _resolved(escape: re.Match[str]) -> str:
    """Source: SPARQL 1.1 Query Language, section 19.2 (Codepoint Escape Sequences)."""
    number = int(escape[1] or escape[2], 16)
    return chr(number) if number <= sys.maxunicode else escape[0]


def _words(query: str) -> Iterator[str]:
    """The keywords of a query, and what looks like one, in capitals."""
    return (found["word"].upper() for found in _TOKEN.finditer(query) if found["word"])


def _refuse(words: list[str], word: str, reason: str) -> None:
    if word in words:
        raise QueryError(f"{word} is refused: {reason}.")


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
