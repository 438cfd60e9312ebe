"""From a text to the facts about what it names (steps 1, 2 and 5 of Section 2), and to works."""

from expartkg.retrieval.opening import open_graph
from expartkg.retrieval.retriever import Retriever
from expartkg.retrieval.store import Graph
from expartkg.retrieval.works import Work

__all__ = ["Graph", "Retriever", "Work", "open_graph"]
