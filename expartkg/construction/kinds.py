"""The kind of every item, exactly one each.

`Artwork`; `Artist`: made an artwork; `Person`: anyone else attested in history; `Museum`: a museum,
collection or house that holds works; `Movement`; `Place`: country, city, river, building;
`Subject`: any other named thing (gods, biblical and literary figures, events, peoples, religions,
orders, schools); `Concept`: a general concept, see `concepts`.
"""

from __future__ import annotations

from expartkg.construction.concepts import why_concept
from expartkg.construction.sources.records import Node, Nouns
from expartkg.construction.tables import table
from expartkg.records import ARTWORK, CONCEPT

KINDS = ("Artist", ARTWORK, CONCEPT, "Movement", "Museum", "Person", "Place", "Subject")

HAND_KINDS: dict[str, str] = {
    qid: kind for qid, _, kind, _ in table("kinds", ("qid", "label", "kind", "reason"))
}
ROLE_KINDS = {
    "artist": "Artist",
    "artwork": ARTWORK,
    "country": "Place",
    "movement": "Movement",
    "museum": "Museum",
    "person": "Person",
    "place": "Place",
}


def kind_of(node: Node, nouns: Nouns, is_created: bool) -> str:
    """Return the kind of `node`; `is_created` tells whether it has a creator (P170).

    Hand-kept kinds come first, since they correct the rest. An item that the snapshot knows only as
    depicted, but that somebody created, is a picture within a picture.
    """
    if node.qid in HAND_KINDS:
        return HAND_KINDS[node.qid]
    if why_concept(node, nouns):
        return CONCEPT
    if node.role == "depicted" and is_created:
        return ARTWORK
    return ROLE_KINDS.get(node.role, "Subject")
