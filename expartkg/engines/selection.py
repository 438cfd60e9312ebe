"""Which engine a name stands for, and which one `auto` picks."""

from __future__ import annotations

from expartkg.engines.base import Engine, Progress
from expartkg.engines.plugins import engine_of_package
from expartkg.settings import Settings


def load_engine(settings: Settings, progress: Progress | None = None) -> Engine:
    """The engine that `settings.engine` names; `auto` is the best that this machine can run.

    `progress` is told in sentences how far an engine is that takes its time. Raises `EngineError`
    if it cannot start, `UsageError` for a name that no package has.
    """
    name = choose_engine(settings)
    # Imported when chosen: each brings packages that the others do not need.
    if name == "qwen":
        from expartkg.engines.qwen import qwen_engine

        return qwen_engine(settings, progress)
    if name == "remote":
        from expartkg.engines.remote import remote_engine

        return remote_engine(settings)
    if name == "preview":
        from expartkg.engines.preview import preview_engine

        return preview_engine()
    return engine_of_package(name, settings)


def choose_engine(settings: Settings) -> str:
    """The engine's name; for `auto`, qwen if there is a CUDA device, else remote if a URL is set,
    else preview.
    """
    if settings.engine != "auto":
        return settings.engine
    from expartkg.engines.qwen import is_available

    if is_available():
        return "qwen"
    return "remote" if settings.remote_url else "preview"
