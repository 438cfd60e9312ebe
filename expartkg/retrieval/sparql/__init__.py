"""SPARQL of anybody over the open graph: read-only, and in a process that is killed at its limits.

Oxigraph cannot be interrupted, so a query runs in a process of its own. That process is a fork of
`host`, a small process that holds the graph and nothing else, so that a query need not wait for the
graph to be loaded. Reading order: `queries` is what is called; `checking` says what is refused;
`host` and `worker` are the other processes; `results` is what comes back.
"""

from expartkg.retrieval.sparql.queries import Queries
from expartkg.retrieval.sparql.results import PREFIXES, Limits, Results, short

__all__ = ["PREFIXES", "Limits", "Queries", "Results", "short"]
