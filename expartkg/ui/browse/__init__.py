"""The pages of the graph itself, beside the guide's: entities, search, SPARQL.

They are plain pages that a server makes whole: they need no script, can be linked to, and load
nothing from elsewhere. Reading order: `routes` says which there are; `entity`, `catalogue` and
`querying` say what is on them, in records; `drawing` makes HTML of it.
"""

from expartkg.ui.browse.routes import browse_routes

__all__ = ["browse_routes"]
