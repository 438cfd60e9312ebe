"""How often passwords may be guessed.

Of one address and for one name, a few wrong passwords are taken in a while; then none is, right
ones included, until the first of them is that old. Nobody is let in by it or thrown out.
"""

from __future__ import annotations

import ipaddress
import time
from collections import deque
from collections.abc import Callable

MOST_GUESSES = 5
WHILE_SECONDS = 300.0
MOST_KEPT = 50_000
"""Names and addresses that are kept; of more, those that guessed first are forgotten."""


class Guesses:
    """The wrong passwords of the last while."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._times: dict[tuple[str, str], deque[float]] = {}

    def wait(self, address: str, name: str) -> float:
        """Seconds until the next password is taken from an address for a name; 0 if one is now."""
        now = self._clock()
        rests = [
            times[0] + WHILE_SECONDS - now
            for key in _keys(address, name)
            if len(times := self._times.get(key, deque())) == MOST_GUESSES
        ]
        return max(0.0, *rests) if rests else 0.0

    def wrong(self, address: str, name: str) -> None:
        """Notes a wrong password."""
        now = self._clock()
        for key in _keys(address, name):
            times = self._times.pop(key, deque(maxlen=MOST_GUESSES))
            times.append(now)
            self._times[key] = times  # at the end, as those who guessed last
        self._forget(now - WHILE_SECONDS)

    def _forget(self, before: float) -> None:
        while self._times:
            oldest = next(iter(self._times))
            if len(self._times) <= MOST_KEPT and self._times[oldest][-1] > before:
                break
            del self._times[oldest]


def _keys(address: str, name: str) -> tuple[tuple[str, str], tuple[str, str]]:
    return ("address", _network(address)), ("name", name)


def _network(address: str) -> str:
    """An address, or of IPv6 the network of 64 bits, all of whose addresses are one customer's."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if found.version == 4:
        return address
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((int(found) >> 64 << 64, 64)))
