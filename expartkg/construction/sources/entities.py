"""What Wikidata says of one entity, from whichever of its formats, and what the steps make of it.

The API and the JSON dump describe an entity in the same JSON
(https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from expartkg.construction.graph_file import IMAGES
from expartkg.construction.ids import ITEM
from expartkg.construction.labels import fault, mend
from expartkg.construction.sources.knowledge import Item
from expartkg.construction.sources.records import Node, Statement, Work
from expartkg.construction.tables import table

YEAR = 9
"""The precision of a date that is known to the year; a century has 7, a decade 8."""
DISAMBIGUATION = "Q4167410"
"""A page of Wikipedia that only tells names apart is an instance of this."""
LANGUAGES = ("en", "mul")
"""English, else the label that holds for every language that has none of its own."""

_CLASSES = {qid: role for qid, _, role in table("classes", ("qid", "label", "role"))}

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Entity:
    """An item or a property. Of its statements those count that have the best rank.

    `label` is the English one and `article` the title of the English Wikipedia article, empty where
    there is none. `links` are the statements with another item, (property, item), as they come.
    `years` (CE) are those of P571 in ascending order, `images` the names of the files of P18 by
    alphabet.
    """

    id: str
    label: str = ""
    article: str = ""
    links: tuple[tuple[str, str], ...] = ()
    years: tuple[int, ...] = ()
    images: tuple[str, ...] = ()
    has_coordinates: bool = False

    @classmethod
    def from_json(cls, record: Json) -> Entity:
        """The entity of a record that `dataclasses.asdict` gave and a file has kept."""
        lists = {
            "links": tuple((pid, qid) for pid, qid in record["links"]),
            "years": tuple(record["years"]),
            "images": tuple(record["images"]),
        }
        return cls(**{**record, **lists})

    def linked(self, pid: str) -> list[str]:
        """The items of one property."""
        return [qid for property, qid in self.links if property == pid]

    @property
    def role(self) -> str:
        """Its role as a snapshot gives it, by `data/classes.tsv`; `other` where that knows none."""
        roles = [role_of_class(qid) for qid in self.linked("P31")]
        if "person" in roles:
            occupations = map(role_of_class, self.linked("P106"))
            return "artist" if "artist" in occupations else "person"
        known = next((role for role in roles if role and role != "artist"), "")
        return known or ("place" if self.has_coordinates else "other")

    @property
    def item(self) -> Item | None:
        """It as an item, its label mended; None without a usable English label."""
        label, _ = mend(self.id, self.label)
        if fault(label):
            return None
        used = {pid for pid, _ in self.links}
        return Item(Node(self.id, label, self.role, False), "P279" in used, "P170" in used)

    @property
    def statements(self) -> Iterator[Statement]:
        """Its statements with other items."""
        return (Statement(self.id, pid, qid) for pid, qid in self.links)

    @property
    def work(self) -> Work | None:
        """Its first and last year and its picture; None where it has neither."""
        if not self.years and not self.images:
            return None
        image = IMAGES + quote(self.images[0], safe="") if self.images else ""
        return Work(self.id, self.years[:1] + self.years[1:][-1:], image)


def role_of_class(qid: str) -> str:
    """The role of what is an instance of a class (or has an occupation), empty if none is known."""
    return _CLASSES.get(qid, "")


def read_entity(document: Json) -> Entity:
    """The entity that Wikibase's JSON describes."""
    claims = part(document, "claims")
    found = ((pid, value) for pid in claims for value in _best(claims, pid))
    return Entity(
        document["id"],
        english_label(document),
        article_of(document),
        tuple((pid, value["id"]) for pid, value in found if _is_item(value)),
        tuple(sorted({year for value in _best(claims, "P571") if (year := _year(value))})),
        tuple(sorted({value for value in _best(claims, "P18") if isinstance(value, str)})),
        "P625" in claims,
    )


def english_label(document: Json) -> str:
    """The English label, empty if there is none. Raises `TypeError` for what is no text."""
    labels = part(document, "labels")
    return _text(next((labels[code]["value"] for code in LANGUAGES if code in labels), ""))


def article_of(document: Json) -> str:
    """The title of the English Wikipedia article, empty if there is none. Raises `TypeError`."""
    return _text(part(document, "sitelinks").get("enwiki", {}).get("title", ""))


def items_of(document: Json, pid: str) -> list[str]:
    """The items that a property has."""
    return [value["id"] for value in _best(part(document, "claims"), pid) if _is_item(value)]


def part(document: Json, name: str) -> Json:
    """A part of an entity; PHP writes one without content as an empty list."""
    return document.get(name) or {}


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _is_item(value: object) -> bool:
    return isinstance(value, dict) and ITEM.fullmatch(value.get("id", "")) is not None


def _best(claims: Json, pid: str) -> list[Any]:
    """The values of a property that count as true: preferred ones if there are any, else normal."""
    ranked = defaultdict(list)
    for claim in claims.get(pid, ()):
        snak = claim.get("mainsnak", {})
        if snak.get("snaktype") == "value":
            ranked[claim.get("rank", "normal")].append(snak["datavalue"]["value"])
    return ranked["preferred"] or ranked["normal"]


def _year(value: Any) -> int:
    """The year of a date (CE) that is known to the year at least, else 0, which is no year."""
    if not isinstance(value, dict) or value.get("precision", 0) < YEAR:
        return 0
    match = re.match(r"\+0*([0-9]{1,4})-", value.get("time", ""))
    return int(match[1]) if match else 0
