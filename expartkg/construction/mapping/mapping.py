"""What a mapping may say.

For RDF:

    wikidata = ["art", "person"]        prefixes under which Q12418 means Wikidata's Q12418
    leave_out = ["ex:Thumbnail"]        things of these classes are left out
    [prefixes]                          art = "http://…/art#"; rdf, rdfs, owl, skos, schema,
                                        dcterms, foaf, wd and wdt are known
    [labels]
    properties = ["rdfs:label"]         what things are called; the default
    languages = ["en", "fr", ""]        the first that there is; "" is no language at all
    [kinds]
    "art:painting" = "Artwork"          the kind of each class; of several, the first listed here
    [edges]
    "art:createdBy" = { id = "P170", label = "creator" }
    "art:exposedIn" = { label = "exhibited in" }      without an id, the property keeps its IRI
    [literals]
    images = ["art:pictureLink"]        the picture of a work, becomes P18
    dates = ["art:inception"]           when it was made, becomes P571

For a table (`.csv`, `.tsv`), of one work a row:

    [table]
    id = "Inventory no."                column that tells the works from each other
    iri = "https://museum.org/{}"       their IRIs; {} is the id
    wikidata = "Wikidata"               column with Q-numbers, which are then the works' ids
    label = "Title"                     column
    kind = "Artwork"
    image = "Picture"                   column
    date = "Year"                       column
    delimiter = ";"                     default: "," in .csv, a tab in .tsv
    encoding = "utf-8"
    [table.edges]
    Artist = { id = "P170", label = "creator", kind = "Artist", separator = ";", iri = "…{}" }

The cells of an edge's column are names of other things. Kinds that mean something to the guide
are Artwork and Concept (a material, a genre: never a name in a text).
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Mapping as Map
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from expartkg.construction.ids import PROPERTY
from expartkg.construction.mapping.vocabulary import PREFIXES, Prefixes
from expartkg.errors import SourceError

_KIND = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")

Section = TypeVar("Section")


@dataclass(frozen=True, slots=True)
class Edge:
    """A property of RDF: how it is named, and its number in Wikidata if it has one."""

    label: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table whose cells name other things, several where there is a separator."""

    label: str
    id: str = ""
    kind: str = ""
    separator: str = ""
    iri: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """How the columns of a table are to be read; see the module."""

    label: str
    id: str
    iri: str
    kind: str = "Artwork"
    wikidata: str = ""
    image: str = ""
    date: str = ""
    delimiter: str = ""
    encoding: str = "utf-8"
    edges: Map[str, Column] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Labels:
    """What things are called, and in which language."""

    properties: tuple[str, ...] = ("rdfs:label",)
    languages: tuple[str, ...] = ("en", "")


@dataclass(frozen=True, slots=True)
class Literals:
    """The properties that are pictures and dates."""

    images: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mapping:
    """A mapping as it was read, all prefixed names being full IRIs."""

    wikidata: tuple[str, ...] = ()
    leave_out: tuple[str, ...] = ()
    labels: Labels = field(default_factory=Labels)
    kinds: Map[str, str] = field(default_factory=dict)
    edges: Map[str, Edge] = field(default_factory=dict)
    literals: Literals = field(default_factory=Literals)
    table: Table | None = None


def read_mapping(path: Path) -> Mapping:
    """Raises `SourceError`, whose message names what is wrong in the file."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror or error}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SourceError(f"{path} is no valid TOML: {error}.") from error
    try:
        return _mapping(content)
    except SourceError as error:
        raise SourceError(f"{path}: {error}") from error


def _mapping(content: dict[str, Any]) -> Mapping:
    prefixes = Prefixes({**PREFIXES, **_texts("prefixes", content.pop("prefixes", {}))})
    known = _section("the file", Mapping, content)
    labels = _section("labels", Labels, content.get("labels", {}))
    literals = _section("literals", Literals, content.get("literals", {}))
    kinds = _texts("kinds", known.kinds)
    for kind in kinds.values():
        _check_kind(kind)
    edges = _entries("edges", Edge, known.edges)
    return Mapping(
        tuple(prefixes.namespace(prefix) for prefix in known.wikidata),
        tuple(map(prefixes.iri, known.leave_out)),
        Labels(tuple(map(prefixes.iri, labels.properties)), labels.languages),
        {prefixes.iri(name): kind for name, kind in kinds.items()},
        {prefixes.iri(name): edge for name, edge in edges.items()},
        Literals(
            tuple(map(prefixes.iri, literals.images)), tuple(map(prefixes.iri, literals.dates))
        ),
        _table(content["table"]) if "table" in content else None,
    )


def _table(content: object) -> Table:
    table = _section("table", Table, content)
    if "{}" not in table.iri:
        raise SourceError("table.iri needs {} where the id goes.")
    _check_kind(table.kind)
    return dataclasses.replace(table, edges=_entries("table.edges", Column, table.edges))


def _entries(name: str, kind: type[Section], content: object) -> dict[str, Section]:
    if not isinstance(content, dict):
        raise SourceError(f"[{name}] has to be a table.")
    entries = {key: _section(f"{name}.{key}", kind, value) for key, value in content.items()}
    for entry in entries.values():
        if id := getattr(entry, "id", ""):
            _check(id, PROPERTY, "the id of a property is one of Wikidata's, such as P170")
        if kind_name := getattr(entry, "kind", ""):
            _check_kind(kind_name)
    return entries


def _section(name: str, kind: type[Section], content: object) -> Section:
    """A record from a table of TOML; lists become tuples. Raises `SourceError`."""
    if not isinstance(content, dict):
        raise SourceError(f"{name} has to be a table.")
    fields = {field.name: field for field in dataclasses.fields(kind)}  # type: ignore[arg-type]
    if unknown := sorted(content.keys() - fields.keys()):
        raise SourceError(f"{name} has no {unknown[0]}; there are: {', '.join(fields)}.")
    for key, field_ in fields.items():
        is_needed = field_.default is field_.default_factory is dataclasses.MISSING
        if is_needed and key not in content:
            raise SourceError(f"{name} needs {key}.")
    return kind(**{key: _value(f"{name}: {key}", fields[key], content[key]) for key in content})


def _value(name: str, field: dataclasses.Field[Any], value: object) -> object:
    if field.type == "str" and not isinstance(value, str):
        raise SourceError(f"{name} has to be a text.")
    if str(field.type).startswith("tuple"):
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise SourceError(f"{name} has to be a list of texts.")
        return tuple(value)
    return value


def _texts(name: str, content: object) -> dict[str, str]:
    if not isinstance(content, dict) or not all(isinstance(v, str) for v in content.values()):
        raise SourceError(f"[{name}] has to be a table of texts.")
    return content


def _check_kind(text: str) -> None:
    _check(text, _KIND, "a kind is one word of letters, such as Artwork")


def _check(text: str, pattern: re.Pattern[str], rule: str) -> None:
    if not pattern.fullmatch(text):
        raise SourceError(f"{text!r}: {rule}.")
