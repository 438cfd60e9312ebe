"""The facts of a run as a drawing: the artwork at the left, and from it the ways to every fact.

Below the page, so that an export can have it too. The drawing runs no script.
"""

from expartkg.subgraph.drawing import ENGLISH_LABELS, STYLE, Labels, draw, facts_of, work_of

__all__ = ["ENGLISH_LABELS", "STYLE", "Labels", "draw", "facts_of", "work_of"]
