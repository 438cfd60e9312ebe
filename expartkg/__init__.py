"""ExpArt-KG museum guide: explanations of artworks by iterative exploration of a knowledge graph.

The paper is *ExpArt-KG: artwork image description generation through iterative exploration of
knowledge graphs*; docstrings cite its equations, tables and sections.
"""

__version__ = "0.1.0"
