"""What a result depends on beyond its settings: versions and the graph. Goes into every Run."""

from __future__ import annotations

import platform
from importlib.metadata import version

import expartkg
from expartkg.retrieval.store import Graph
from expartkg.settings import Settings

_PACKAGES = ("pyoxigraph", "ahocorasick_rs")


def signature_of(graph: Graph, settings: Settings) -> dict[str, object]:
    """The guide, its graph (name, N, hash), the ranking, and the packages that retrieval uses."""
    return {
        "expartkg": expartkg.__version__,
        "graph": {"name": graph.name, "entities": len(graph), "sha256": graph.sha256},
        "ranking": settings.ranking,
        "python": platform.python_version(),
        "packages": {name: version(name) for name in _PACKAGES},
    }
