"""Which items are general concepts (Section 3, step 2: "expressions denoting general concepts").

The paper leaves out general concepts. Here they stay as objects of facts ("made from material: Oil
paint") but get the kind `Concept`, which is not in the name dictionary: no retrieval starts there.
"""

from __future__ import annotations

from expartkg.construction.sources.records import Node, Nouns
from expartkg.construction.tables import table

KEPT_CONCEPTS: dict[str, str] = {
    qid: reason for qid, _, reason in table("concepts", ("qid", "label", "reason"))
}
GENERAL_ROLES = frozenset({"concept", "field", "genre", "material", "occupation"})
OPEN_ROLES = frozenset({"depicted"})


def why_concept(node: Node, nouns: Nouns) -> str:
    """Return the reason for which `node` is a general concept, empty if it is none.

    Flag and noun list are asked only for `OPEN_ROLES`: an artwork called "Dance", a movement or
    a museum is specific whatever its name.
    """
    if node.qid in KEPT_CONCEPTS:
        return "kept list"
    if node.role in GENERAL_ROLES:
        return "role"
    if node.role not in OPEN_ROLES:
        return ""
    if node.is_common_noun:
        return "noun flag"
    return "lower-case noun" if nouns.include(node.qid, node.label) else ""
