"""A graph that stays on a SPARQL server (Oxigraph, QLever): its names here, its facts there."""

from expartkg.retrieval.remote.endpoint import Endpoint
from expartkg.retrieval.remote.statements import RemoteStatements, remote_descriptions

__all__ = ["Endpoint", "RemoteStatements", "remote_descriptions"]
