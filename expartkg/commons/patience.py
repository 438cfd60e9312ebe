"""How long one errand may take, and who may end it earlier."""

from __future__ import annotations

from collections.abc import Callable

from expartkg.errors import CommonsError
from expartkg.records import StopFlag

POLL_SECONDS = 0.05


class Patience:
    """`seconds` from now on `clock`, or until `stop` is set. Waits in small steps by `sleep`."""

    def __init__(
        self,
        seconds: float,
        stop: StopFlag | None,
        clock: Callable[[], float],
        sleep: Callable[[float], None],
    ) -> None:
        self._seconds = seconds
        self._stop = stop
        self._clock = clock
        self._sleep = sleep
        self._end = clock() + seconds

    @property
    def left(self) -> float:
        """Seconds that are left; below 0 when it is over."""
        return self._end - self._clock()

    def check(self) -> None:
        """Raises `CommonsError` if the errand is to end now."""
        if self._stop is not None and self._stop.is_set():
            raise CommonsError("Fetching the picture was stopped.")
        if self.left <= 0:
            raise CommonsError(
                f"Wikimedia Commons took longer than {self._seconds:g} seconds; "
                "try again later, or add a picture of your own."
            )

    def wait(self, seconds: float) -> None:
        """Waits. Raises `CommonsError` as soon as the errand is to end."""
        end = self._clock() + seconds
        self.check()
        while (rest := end - self._clock()) > 0:
            self._sleep(min(rest, POLL_SECONDS))
            self.check()
