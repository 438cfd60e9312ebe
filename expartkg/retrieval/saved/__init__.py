"""An index of a graph on disk, which opens at once: its files are mapped, not read."""

from expartkg.retrieval.saved.index import SavedIndex, has_index, open_index
from expartkg.retrieval.saved.writing import write_index

__all__ = ["SavedIndex", "has_index", "open_index", "write_index"]
