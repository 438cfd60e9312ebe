"""What the SPARQL page does: asks a query, and gives its results as a page or as a file."""

from __future__ import annotations

import asyncio
import csv
import io
import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request

from expartkg.errors import ExpArtError, QueryError
from expartkg.retrieval.sparql import Queries, Results

ROWS_SHOWN = 500
MOST_VISITORS = 8
"""With their queries running or waiting; each of them has a thread of the guide's."""
WATCH_SECONDS = 0.2

EXAMPLES: Sequence[str] = (
    """SELECT ?work ?title ?year {
  ?work wdt:P170 wd:Q762 ; rdfs:label ?title .
  OPTIONAL { ?work wdt:P571 ?year }
}
ORDER BY ?year ?title""",
    """SELECT ?collection ?name (COUNT(?work) AS ?works) {
  ?work wdt:P195 ?collection .
  ?collection rdfs:label ?name
}
GROUP BY ?collection ?name
ORDER BY DESC(?works)
LIMIT 20""",
    """SELECT ?thing ?name (COUNT(?work) AS ?works) {
  ?work wdt:P180 ?thing .
  ?thing rdfs:label ?name
}
GROUP BY ?thing ?name
ORDER BY DESC(?works)
LIMIT 20""",
    """SELECT ?work ?title ?year {
  ?work a kind:Artwork ; rdfs:label ?title ; wdt:P571 ?year
}
ORDER BY xsd:integer(REPLACE(STR(?year), "^([+-]?[0-9]+).*$", "$1"))
LIMIT 20""",
    """SELECT DISTINCT ?artist ?name {
  wd:Q34661 wdt:P135 ?movement .
  ?artist wdt:P135 ?movement ; a kind:Artist ; rdfs:label ?name
}
ORDER BY ?name""",
)
"""In the order of `BrowsingWords.example_names`."""


# The last four are for spreadsheets in Japanese.
_FORMULA = re.compile(r"\s*[-=+@＝＋－＠]")
_NUMBER = re.compile(r"[-+]?[0-9][-+0-9.:TZeE]*")


@dataclass(frozen=True, slots=True)
class QueryPage:
    """A query, and its results or what is wrong with it; before the first one there is neither."""

    query: str
    results: Results | None = None
    problem: str = ""


class Desk:
    """Where visitors hand in their queries."""

    def __init__(self, queries: Queries) -> None:
        self.queries = queries
        self._visitors = 0
        self._threads = CapacityLimiter(MOST_VISITORS)

    async def answer(self, query: str, request: Request) -> QueryPage:
        """Asks the query, until the visitor goes away."""
        try:
            return QueryPage(query, await self._results(query, request))
        except ExpArtError as error:
            return QueryPage(query, problem=str(error))

    async def _results(self, query: str, request: Request) -> Results:
        if self._visitors >= MOST_VISITORS:
            raise QueryError("Too many queries are waiting; try again in a minute.")
        stop = threading.Event()
        watch = asyncio.create_task(_watch(request, stop))
        self._visitors += 1
        try:
            return await to_thread.run_sync(self.queries.ask, query, stop, limiter=self._threads)
        finally:
            self._visitors -= 1
            watch.cancel()


async def _watch(request: Request, stop: threading.Event) -> None:
    """Has the query stopped when the visitor has gone."""
    while not await request.is_disconnected():
        await asyncio.sleep(WATCH_SECONDS)
    stop.set()


def as_csv(results: Results) -> str:
    """Source: SPARQL 1.1 Query Results CSV and TSV Formats, section 3.

    Unlike there, what a spreadsheet would run as a formula has an apostrophe before it.
    """
    output = io.StringIO()
    writer = csv.writer(output)
    if results.boolean is not None:
        writer.writerow(["true" if results.boolean else "false"])
    else:
        writer.writerow(results.variables)
        writer.writerows([_plain(term) for term in row] for row in results.rows)
    return output.getvalue()


def _plain(term: dict[str, object] | None) -> str:
    if term is None:
        return ""
    if term["type"] == "bnode":
        return f"_:{term['value']}"
    value = str(term["value"])
    return f"'{value}" if _FORMULA.match(value) and not _NUMBER.fullmatch(value) else value
