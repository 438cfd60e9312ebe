"""From a text to the facts about what it names: steps 1, 2 and 5 of Section 2."""

from expartkg.retrieval.opening import open_graph
from expartkg.retrieval.other_rankings import Candidate
from expartkg.retrieval.ranking import Statistics
from expartkg.retrieval.retriever import Retriever
from expartkg.retrieval.store import Graph

__all__ = ["Candidate", "Graph", "Retriever", "Statistics", "open_graph"]
