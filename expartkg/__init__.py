"""ExpArt-KG museum guide: explanations of artworks by iterative exploration of a knowledge graph.

The paper is *ExpArt-KG: artwork image description generation through iterative exploration of
knowledge graphs*; docstrings cite its equations, tables and sections.
"""

import logging

# Who uses the package decides where its log goes; without a word from them, nowhere.
logging.getLogger(__name__).addHandler(logging.NullHandler())

__version__ = "0.1.0"
