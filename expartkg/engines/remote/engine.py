"""The remote engine: a server for each role, or one for both."""

from __future__ import annotations

from expartkg.engines.base import Engine
from expartkg.engines.remote.about import offered_models, version
from expartkg.engines.remote.explainer import RemoteExplainer
from expartkg.engines.remote.server import Server, explainer_server, validator_server
from expartkg.engines.remote.validator import RemoteValidator
from expartkg.settings import Settings

MOST_MODELS = 20


def remote_engine(settings: Settings) -> Engine:
    """The engine of the servers that `settings` name.

    They are asked what they are, but need not be up yet: what is wrong with one is told by the
    run that needs it. Raises `EngineError` for settings that name no server.
    """
    explainer, validator = explainer_server(settings), validator_server(settings)
    servers = {server.url: server for server in (explainer, validator)}
    about = {url: _about(server) for url, server in servers.items()}
    return Engine(
        "remote",
        RemoteExplainer(explainer, settings.image_tokens, settings.max_new_tokens),
        RemoteValidator(validator),
        {
            "explainer": explainer.model,
            "validator": validator.model,
            "sees_pictures": True,
            "image_tokens": settings.image_tokens,
            "max_new_tokens": settings.max_new_tokens,
            "servers": {"explainer": about[explainer.url], "validator": about[validator.url]},
        },
        # At temperature 0; what a server's batching changes in the last digits, nobody asked for.
        repeatable=True,
    )


def _about(server: Server) -> dict[str, object]:
    """What a Run says of a server. Some give the model that they have, whatever is asked for."""
    return {
        "host": server.host,
        "version": version(server),
        "models": list(offered_models(server)[:MOST_MODELS]),
    }
