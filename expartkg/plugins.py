"""Engines and rankings of other packages, found by their entry points.

A package declares them in its `pyproject.toml`, under a group of this module; after `pip install`
their names can be used wherever a built-in one can. A built-in name always means the built-in one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from expartkg.errors import ExpArtError, UsageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints

ENGINE_PLUGINS = "expartkg.engines"
"""Group of functions from `Settings` to an `Engine`."""

RANKING_PLUGINS = "expartkg.rankings"
"""Group of functions from a `Candidate` and the graph's `Statistics` to a score."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """What an entry point stands for, and the package that it comes from."""

    value: object
    package: str


def plugin_names(group: str) -> tuple[str, ...]:
    """The names that installed packages give in a group, sorted."""
    return tuple(sorted({point.name for point in _entry_points(group)}))


def load_plugin(group: str, name: str) -> Plugin:
    """Imports what `name` stands for in a group.

    Raises `UsageError` if no installed package has it, `ExpArtError` if several have it or if it
    cannot be imported; the message names the package.
    """
    points = list({point.value: point for point in _entry_points(group).select(name=name)}.values())
    if not points:
        known = ", ".join(plugin_names(group)) or "none"
        raise UsageError(f"No installed package has {name!r} in {group}; there is {known}.")
    if len(points) > 1:
        packages = " and ".join(sorted(_package(point) for point in points))
        raise ExpArtError(f"{name} is claimed by {packages}; uninstall all but one of them.")
    (point,) = points
    try:
        return Plugin(point.load(), _package(point))
    except Exception as error:
        # The boundary to code of others, which may raise anything while it is imported.
        raise ExpArtError(
            f"{name} of the package {_package(point)} cannot be imported from {point.value}: "
            f"{type(error).__name__}: {error}. Update or uninstall the package."
        ) from error


def _entry_points(group: str) -> EntryPoints:
    # Imported here because a built-in name needs none of it, and it takes as long as the rest.
    from importlib.metadata import entry_points

    return entry_points(group=group)


def _package(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else "without a name"
