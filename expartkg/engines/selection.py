"""Which engine a name stands for, and which one `auto` picks."""

from __future__ import annotations

from expartkg.engines.base import Engine
from expartkg.errors import NotBuiltError
from expartkg.settings import Settings


def load_engine(settings: Settings) -> Engine:
    """The engine that `settings.engine` names; `auto` is remote if a URL is set, else preview.

    Raises `NotBuiltError` for an engine that this version does not have yet, `EngineError` if it
    cannot start.
    """
    name = settings.engine
    if name == "auto":
        name = "remote" if settings.remote_url else "preview"
    if name == "preview":
        from expartkg.engines.preview import preview_engine

        return preview_engine()
    raise NotBuiltError(f"The engine {name} is not built yet; use --engine preview.")
