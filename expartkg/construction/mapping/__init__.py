"""Somebody else's RDF or a museum's table as a graph of the guide, by a short TOML file.

`mapping` says what such a file may hold.
"""

from expartkg.construction.mapping.mapped import mapped_statements
from expartkg.construction.mapping.mapping import Mapping, read_mapping

__all__ = ["Mapping", "mapped_statements", "read_mapping"]
