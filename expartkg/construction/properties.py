"""English labels of the properties, as Wikidata itself gives them."""

from __future__ import annotations

from expartkg.construction.tables import table
from expartkg.errors import SourceError

PROPERTY_LABELS: dict[str, str] = dict(table("properties", ("property", "label")))  # type: ignore[arg-type]


def property_label(pid: str) -> str:
    """Return the English label of a property; `SourceError` if the list has none for it."""
    try:
        return PROPERTY_LABELS[pid]
    except KeyError:
        raise SourceError(
            f"{pid} is used by a statement but has no English label: "
            "add it to expartkg/construction/data/properties.tsv, or drop the property"
        ) from None
