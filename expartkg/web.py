"""What everybody who asks servers on the web needs: who asks, a connection, and when to come back.

Knows HTTP and no particular server.
"""

from __future__ import annotations

import functools
import math
import re
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx

from expartkg import __version__
from expartkg.errors import ExpArtError, UsageError

LONGEST_REST = 24 * 3600.0


def user_agent(contact: str | None) -> str:
    """Who asks, in the form that Wikimedia's policy wants. Raises `UsageError`."""
    if contact is not None and not (contact.isascii() and contact.isprintable()):
        raise UsageError(f"The contact must be an address in plain ASCII, not {contact!r}.")
    about = "museum guide" if not contact else f"museum guide; {contact}"
    return f"expartkg/{__version__} ({about}) httpx/{httpx.__version__}"


class Connector:
    """Connects through the proxies of the environment.

    All connections have the same `headers`, and give up after `silence` seconds without a byte.
    `error` is raised where the environment's proxy or certificates cannot be used.
    """

    def __init__(
        self, headers: Mapping[str, str], silence: float, error: type[ExpArtError]
    ) -> None:
        self._headers = headers
        self._silence = silence
        self._error = error

    @contextmanager
    def connected(self) -> Iterator[httpx.Client]:
        """A client, which is closed at the end."""
        try:
            client = httpx.Client(
                headers=self._headers, timeout=self._silence, verify=self._certificates
            )
        except (ImportError, OSError, ValueError, httpx.InvalidURL) as error:
            raise self._error(
                f"The proxy or certificates that the environment sets cannot be used ({error}); "
                "check HTTPS_PROXY, ALL_PROXY and SSL_CERT_FILE."
            ) from error
        with client:
            yield client

    @functools.cached_property
    def _certificates(self) -> ssl.SSLContext:
        # Reading them takes most of the time that making a client takes.
        return httpx.create_ssl_context()


def retry_after(headers: httpx.Headers) -> float | None:
    """Seconds that `Retry-After` asks for, at most `LONGEST_REST`; None without a sensible one.

    Both forms of RFC 9110, section 10.2.3, are understood; a date is compared with the server's
    own, so that a clock here which is wrong does no harm.
    """
    value = headers.get("Retry-After", "").strip()
    if re.fullmatch(r"[0-9]{1,9}", value):
        return min(float(value), LONGEST_REST)
    end = _date(value)
    if end is None:
        return None
    now = _date(headers.get("Date", "")) or datetime.now(UTC)
    return min(max((end - now).total_seconds(), 0.0), LONGEST_REST)


def spoken(seconds: float) -> str:
    """A time as one would say it, never too short: `40 seconds`, `3 minutes`, `2 hours`."""
    if seconds <= 90:
        number, unit = math.ceil(seconds), "second"
    elif seconds <= 90 * 60:
        number, unit = math.ceil(seconds / 60), "minute"
    else:
        number, unit = math.ceil(seconds / 3600), "hour"
    return f"{number} {unit}{'' if number == 1 else 's'}"


def _date(value: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)
