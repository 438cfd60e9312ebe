"""From a text to the facts about what it names (steps 1, 2 and 5 of Section 2), and to works."""

from expartkg.retrieval.opening import open_graph
from expartkg.retrieval.other_rankings import Candidate
from expartkg.retrieval.ranking import Statistics
from expartkg.retrieval.retriever import Retriever
from expartkg.retrieval.store import Graph
from expartkg.retrieval.works import Work

__all__ = ["Candidate", "Graph", "Retriever", "Statistics", "Work", "open_graph"]
