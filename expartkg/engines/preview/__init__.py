"""The preview: no model. Sentences from the selected facts, and a stated rule as the verdict.

For a machine without a GPU: a summary of what the graph knows, each clause of which can be
checked against a fact on the page. It cannot see the picture, and says so.
"""

from expartkg.engines.preview.engine import NOTICE, preview_engine
from expartkg.engines.preview.rule import ASPECTS, THRESHOLD, covered_aspects

__all__ = ["ASPECTS", "NOTICE", "THRESHOLD", "covered_aspects", "preview_engine"]
