"""What several commands take from the command line."""

from __future__ import annotations

import argparse
import dataclasses
import sys

from expartkg.errors import UsageError
from expartkg.settings import Settings


def settings_from(options: argparse.Namespace) -> Settings:
    """The environment's settings with the options that were given. Raises `UsageError`."""
    names = {field.name for field in dataclasses.fields(Settings)}
    given = {name: value for name, value in vars(options).items() if name in names}
    return Settings.from_environment().replace(
        **{name: value for name, value in given.items() if value is not None}
    )


def evaluation_settings(options: argparse.Namespace) -> Settings:
    """As for other commands, but the graph is the paper's if it is there and none is named."""
    from expartkg.retrieval.opening import SHIPPED

    settings = settings_from(options)
    is_named = bool(options.kg) or settings.kg != Settings().kg
    has_papers = (SHIPPED / "expartkg.nt.gz").exists()
    return settings if is_named or not has_papers else settings.replace(kg="expartkg")


def text_from(options: argparse.Namespace) -> str:
    """The text that was given, else standard input, whatever bytes it has.

    Raises `UsageError` if there is neither.
    """
    if options.text is not None:
        return str(options.text)
    if sys.stdin is None:
        raise UsageError("Give a TEXT: there is no standard input.")
    return sys.stdin.buffer.read().decode("utf-8", "replace")
