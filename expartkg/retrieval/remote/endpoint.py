"""Asking a SPARQL endpoint: one query at a time, with patience, and no longer than need be.

Source: SPARQL 1.1 Protocol, https://www.w3.org/TR/sparql11-protocol/, section 2.1.3.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Iterator

import httpx
from pyoxigraph import (
    Literal,
    QueryResultsFormat,
    QuerySolution,
    QuerySolutions,
    parse_query_results,
)

from expartkg import __version__
from expartkg.errors import GraphError, in_one_line

SILENCE = 60.0
"""Seconds without a byte after which an endpoint counts as not answering."""

PAUSES = (0.5, 2.0)
"""Seconds before the second and the third try, which is the last, unless the server says more."""

LONGEST_PAUSE = 30.0
PAGE = 50_000
SMALLEST_CAP = 1_000
"""No server is known to cut its answers below so many rows, so a shorter page is the last."""

_FORMAT = QueryResultsFormat.JSON
_PASSING = frozenset({429, 502, 503, 504})


class Endpoint:
    """One SPARQL endpoint. Queries of several threads wait for each other."""

    def __init__(self, address: str, page: int = PAGE) -> None:
        """Raises `GraphError` if the address is none."""
        try:
            url = httpx.URL(address)
            self._client = httpx.Client(
                timeout=SILENCE,
                headers={
                    "User-Agent": f"expartkg/{__version__} (museum guide)",
                    "Accept": _FORMAT.media_type,
                },
            )
        except (httpx.InvalidURL, ValueError, OSError) as error:
            raise GraphError(f"{address[:200]} cannot be asked: {error}.") from error
        weakref.finalize(self, self._client.close)
        self._url = url
        self._page = page
        self._lock = threading.Lock()
        # A password may stand in an address, and the name of a graph goes into every run.
        self.name = str(url.copy_with(username=None, password=None))

    def rows(self, variables: str, pattern: str) -> Iterator[QuerySolution]:
        """The different solutions of a graph pattern, page by page, also where answers are cut.

        Pages are not sorted, since that takes a server far longer than all the rest; that they
        fit together is checked by counting. Raises `GraphError` if they do not, if the endpoint
        cannot be reached, or if it does not answer as one.
        """
        seen: set[int] = set()
        read = 0
        while True:
            page = self.ask(
                f"SELECT DISTINCT {variables} {{ {pattern} }} LIMIT {self._page} OFFSET {read}"
            )
            read += len(page)
            seen.update(hash(tuple(row)) for row in page)
            yield from page
            if len(page) < min(self._page, SMALLEST_CAP):
                break
        if read > len(page) > 0 or len(seen) < read:
            self._check_count(variables, pattern, len(seen))

    def _check_count(self, variables: str, pattern: str, found: int) -> None:
        (row,) = self.ask(
            f"SELECT (COUNT(*) AS ?n) {{ SELECT DISTINCT {variables} {{ {pattern} }} }}"
        )
        if (count := number_in(row, "n")) != found:
            raise GraphError(
                f"{self.name} gave {found:,} of {count:,} rows: its data has changed meanwhile, "
                "or it gives them in another order each time; load them with kg load."
            )

    def ask(self, query: str) -> list[QuerySolution]:
        """The solutions of one SELECT, as many as the endpoint gives at once."""
        with self._lock:
            response = self._answer(query)
        if not response.is_success:
            reason = in_one_line(response.text)
            raise GraphError(f"{self.name} answered {response.status_code}: {reason}.")
        try:
            solutions = parse_query_results(response.content, _FORMAT)
            assert isinstance(solutions, QuerySolutions)
            return list(solutions)
        except (SyntaxError, AssertionError, ValueError) as error:
            raise GraphError(
                f"{self.name} does not answer as a SPARQL endpoint does ({error}); "
                "give the address for queries, such as http://localhost:7878/query."
            ) from error

    def _answer(self, query: str) -> httpx.Response:
        """The last answer of three tries; only what may pass is tried again."""
        for pause in PAUSES:
            response = self._post(query)
            if response.status_code not in _PASSING:
                return response
            time.sleep(_pause_asked_for(response, pause))
        return self._post(query)

    def _post(self, query: str) -> httpx.Response:
        try:
            return self._client.post(self._url, data={"query": query})
        except httpx.TimeoutException as error:
            raise GraphError(
                f"{self.name} has sent nothing for {SILENCE:.0f} seconds; try again later, or "
                "load the data into a store of your own with kg load."
            ) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise GraphError(
                f"{self.name} cannot be reached ({error}); check the address and that the server "
                "is running."
            ) from error


def number_in(row: QuerySolution, variable: str) -> int:
    """The whole number that a variable stands for. Raises `GraphError` if it is none."""
    value = row[variable]
    if not isinstance(value, Literal) or not value.value.isdecimal():
        raise GraphError(f"The endpoint counted {value} rows, which is no number.")
    return int(value.value)


def _pause_asked_for(response: httpx.Response, pause: float) -> float:
    """Seconds; a date in Retry-After counts as nothing said."""
    asked = response.headers.get("Retry-After", "")
    return min(float(asked), LONGEST_PAUSE) if asked.isdecimal() else pause
