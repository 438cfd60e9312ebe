"""Which facts support a sentence of the answer: computed from what it names, by no model.

Consulted are the facts of all iterations of the run and, as the catalogue's dates, the inception
years (P571) that the graph has of the works named. The graph is asked once more before a sentence
is said to contradict: what it states elsewhere contradicts nothing.
"""

from expartkg.support.checking import support_of

__all__ = ["support_of"]
