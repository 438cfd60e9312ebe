"""A visitor's query, sent on to a SPARQL endpoint. It is refused where it cannot be limited.

Source: SPARQL 1.1 Protocol, https://www.w3.org/TR/sparql11-protocol/, section 2.1.
"""

from __future__ import annotations

from collections.abc import Iterable

import httpx
from pyoxigraph import (
    Quad,
    QueryBoolean,
    QueryResultsFormat,
    QuerySolutions,
    RdfFormat,
    parse,
    parse_query_results,
)

from expartkg import __version__
from expartkg.errors import QueryError
from expartkg.retrieval.sparql.results import PREFIXES, Limits

_TABLE = QueryResultsFormat.JSON
_TRIPLES = RdfFormat.N_TRIPLES
_ACCEPT = f"{_TABLE.media_type}, {_TRIPLES.media_type};q=0.9"


def ask_endpoint(
    address: str, query: str, limits: Limits
) -> QuerySolutions | QueryBoolean | Iterable[Quad]:
    """What the endpoint answers, which is read as a whole and may have `limits.bytes`.

    Raises `QueryError` if it cannot be reached, refuses the query, or answers with more, or
    with half of something. How long it takes is for the caller to limit, by the end of this
    process: closing the connection is what tells the endpoint.
    """
    declared = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in PREFIXES.items())
    headers = {"User-Agent": f"expartkg/{__version__} (museum guide)", "Accept": _ACCEPT}
    try:
        with httpx.stream(
            "POST", address, data={"query": declared + query}, headers=headers, timeout=None
        ) as response:
            content = _content(response, limits.bytes)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise QueryError(f"The endpoint of the graph cannot be reached ({error}).") from error
    if not response.is_success:
        reason = " ".join(content.decode(errors="replace").split())[:300]
        raise QueryError(f"The endpoint refused it ({response.status_code}): {reason}")
    try:
        return _parsed(content, response.headers.get("Content-Type", ""))
    except (SyntaxError, ValueError) as error:
        raise QueryError(f"The endpoint answered with something else ({error}).") from error


def _parsed(content: bytes, media_type: str) -> QuerySolutions | QueryBoolean | Iterable[Quad]:
    """Read to its end, which may be missing: what is not whole is to be told before it is used."""
    if media_type.startswith(_TRIPLES.media_type):
        return list(parse(content, _TRIPLES))
    found = parse_query_results(content, _TABLE)
    if isinstance(found, QuerySolutions):
        for _ in found:
            continue
    return parse_query_results(content, _TABLE)


def _content(response: httpx.Response, most: int) -> bytes:
    content = bytearray()
    for piece in response.iter_bytes():
        content += piece
        if len(content) > most:
            raise QueryError(
                f"The endpoint gives more than {most // 2**20:,} MB; ask for less with LIMIT."
            )
    return bytes(content)
