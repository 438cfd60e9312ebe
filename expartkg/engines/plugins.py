"""Engines of other packages: a function from the settings to an engine."""

from __future__ import annotations

import dataclasses

from expartkg.engines.base import Engine
from expartkg.errors import EngineError, ExpArtError
from expartkg.plugins import ENGINE_PLUGINS, Plugin, load_plugin
from expartkg.settings import Settings


def engine_of_package(name: str, settings: Settings) -> Engine:
    """The engine that an installed package has under a name; its description names the package.

    Raises `UsageError` if there is none, `EngineError` if it cannot start or is no engine.
    """
    plugin = load_plugin(ENGINE_PLUGINS, name)
    engine = _started(name, plugin, settings)
    if not isinstance(engine, Engine):
        raise EngineError(
            f"The engine {name} of the package {plugin.package} is no Engine, but {engine!r}."
        )
    return dataclasses.replace(
        engine, description={**engine.description, "package": plugin.package}
    )


def _started(name: str, plugin: Plugin, settings: Settings) -> object:
    try:
        return plugin.value(settings)  # type: ignore[operator]  # what is no function raises too
    except ExpArtError:
        raise
    except Exception as error:
        # The boundary to code of others, which may raise anything.
        raise EngineError(
            f"The engine {name} of the package {plugin.package} cannot start: "
            f"{type(error).__name__}: {error}."
        ) from error
