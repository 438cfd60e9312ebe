"""Who asks on the web, and when one may come back."""

from __future__ import annotations

import httpx
import pytest

from expartkg.web import LONGEST_REST, retry_after, spoken


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "0"}, 0),
        ({"Retry-After": " 120 "}, 120),
        ({"Retry-After": "999999999"}, LONGEST_REST),
        ({"Retry-After": "9" * 5000}, None),
        ({"Retry-After": "-5"}, None),
        ({"Retry-After": "soon"}, None),
        ({}, None),
        ({"Retry-After": "Fri, 02 Jan 2026 00:01:00 GMT"}, 60),
        ({"Retry-After": "Fri, 02 Jan 2026 00:01:00 -0000"}, 60),
        ({"Retry-After": "Thu, 01 Jan 2026 00:00:00 GMT"}, 0),
        ({"Retry-After": "Fri, 02 Jan 2099 00:00:00 GMT"}, LONGEST_REST),
    ],
)
def test_what_retry_after_means(headers: dict[str, str], seconds: float | None) -> None:
    date = {"Date": "Fri, 02 Jan 2026 00:00:00 GMT"}
    assert retry_after(httpx.Headers(date | headers)) == seconds


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.2, "1 second"), (40, "40 seconds"), (91, "2 minutes"), (3 * 3600, "3 hours")],
)
def test_times_are_said_as_people_say_them(seconds: float, said: str) -> None:
    assert spoken(seconds) == said
