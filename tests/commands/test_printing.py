"""What reaches a terminal."""

from __future__ import annotations

import logging

import pytest

from expartkg.commands.printing import _Shown, say, shown, tell


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\x1b[2J\x07", "\\x1b[2J\\x07"),
        ("\x9b31m\r\x00", "\\x9b31m\\r\\x00"),
        ("\u202egnp\u2028", "\\u202egnp\\u2028"),
        ("a\tb\n\N{WOMAN}\u200d\N{GIRL} é 漢", "a\tb\n\N{WOMAN}\u200d\N{GIRL} é 漢"),
    ],
)
def test_what_a_terminal_would_obey_is_shown_instead(text: str, expected: str) -> None:
    assert shown(text) == expected


def test_all_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    say("\x1bone\ntwo")
    tell("\x1bthree\nfour")
    assert capsys.readouterr() == ("\\x1bone\ntwo\n", "\\x1bthree four\n")


def test_faults_in_the_log() -> None:
    record = logging.LogRecord("x", logging.ERROR, "f", 1, "failed: %s", ("\x1b[2J",), None)
    assert _Shown("%(message)s").format(record) == "failed: \\x1b[2J"
