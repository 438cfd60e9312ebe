"""How a statement reads, by property and direction.

A phrase is about the entity described: `{S}` is its name or pronoun at the head of a sentence,
`{s}` within it, `{P}` the possessive, `{O}` the other ends. `{Other}` and `{also}` are filled in
where one of the kind was named before; `{is}` agrees with the number of `{O}`. Nothing says "he"
or "she", and nothing says that a person is or was, unless the statement itself does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from expartkg.engines.preview.wording import with_article
from expartkg.records import Property


class Phrase(NamedTuple):
    """A property's label, and its statements as said of the subject and of the object."""

    label: str
    outgoing: str
    incoming: str


# A town and its country, which are parted by a comma.
IN_A_PLACE = "{S} is in {O}"

# In the order in which an entity is described.
PHRASES: Mapping[str, Phrase] = {
    "P106": Phrase(
        "occupation", "{P} occupations include {O}", "{S} is listed as the occupation of {O}"
    ),
    "P31": Phrase("instance of", "{S} is classified as {O}", "{S} is the class of {O}"),
    "P279": Phrase("subclass of", "{S} is a kind of {O}", "Kinds of {s} include {O}"),
    "P19": Phrase("place of birth", "{S} was born in {O}", "{S} is the birthplace of {O}"),
    "P27": Phrase(
        "country of citizenship",
        "{S} is listed as a citizen of {O}",
        "Citizens of {s} include {O}",
    ),
    "P69": Phrase("educated at", "{S} studied at {O}", "{O} studied at {s}"),
    "P1066": Phrase("student of", "{S} studied under {O}", "{S} taught {O}"),
    "P737": Phrase("influenced by", "{S} was influenced by {O}", "{S} influenced {O}"),
    "P937": Phrase("work location", "{S} worked in {O}", "{O} worked in {s}"),
    "P551": Phrase("residence", "{S} lived in {O}", "{O} lived in {s}"),
    "P802": Phrase("student", "{S} taught {O}", "{S} studied under {O}"),
    "P20": Phrase("place of death", "{S} died in {O}", "{S} is where {O} died"),
    "P119": Phrase("place of burial", "{S} is buried in {O}", "{S} is where {O} {is} buried"),
    "P463": Phrase("member of", "{S} is listed as a member of {O}", "Members of {s} include {O}"),
    "P611": Phrase(
        "religious order", "{S} is listed as a member of {O}", "Members of {s} include {O}"
    ),
    "P131": Phrase(
        "located in the administrative territorial entity", IN_A_PLACE, "{O} {is} in {s}"
    ),
    "P159": Phrase("headquarters location", IN_A_PLACE, "{S} is the seat of {O}"),
    "P17": Phrase("country", IN_A_PLACE, "{O} {is} in {s}"),
    "P30": Phrase("continent", IN_A_PLACE, "{O} {is} in {s}"),
    "P36": Phrase("capital", "{P} capital is {O}", "{S} is the capital of {O}"),
    "P1376": Phrase("capital of", "{S} is the capital of {O}", "{P} capital is {O}"),
    "P47": Phrase("shares border with", "{S} borders on {O}", "{S} borders on {O}"),
    "P206": Phrase("located in or next to body of water", "{S} lies on {O}", "{O} {is} on {s}"),
    "P740": Phrase("location of formation", "{S} was formed in {O}", "{S} is where {O} began"),
    "P112": Phrase("founded by", "{S} was founded by {O}", "{S} founded {O}"),
    "P22": Phrase("father", "{S} is a child of {O}", "{S} is the father of {O}"),
    "P25": Phrase("mother", "{S} is a child of {O}", "{S} is the mother of {O}"),
    "P40": Phrase("child", "{S} is a parent of {O}", "{S} is a child of {O}"),
    "P3373": Phrase("sibling", "{S} is a sibling of {O}", "{S} is a sibling of {O}"),
    "P1038": Phrase("relative", "{S} is a relative of {O}", "{S} is a relative of {O}"),
    "P26": Phrase(
        "spouse", "{S} is recorded as a spouse of {O}", "{S} is recorded as a spouse of {O}"
    ),
    "P451": Phrase(
        "unmarried partner",
        "{S} is recorded as a partner of {O}",
        "{S} is recorded as a partner of {O}",
    ),
    "P101": Phrase("field of work", "{P} fields of work include {O}", "{O} worked in {s}"),
    "P135": Phrase("movement", "{S} is associated with {O}", "{Other} works of {s} include {O}"),
    "P136": Phrase("genre", "{P} genres include {O}", "{Other} works of {s} include {O}"),
    "P39": Phrase("position held", "{P} offices include {O}", "{S} is an office of {O}"),
    "P166": Phrase("award received", "{P} awards include {O}", "{S} was awarded to {O}"),
    "P1303": Phrase("instrument", "{P} instruments include {O}", "{S} is an instrument of {O}"),
    "P1412": Phrase(
        "languages spoken, written or signed",
        "{P} languages include {O}",
        "{S} is a language of {O}",
    ),
    "P140": Phrase(
        "religion or worldview",
        "{P} religion or worldview is {O}",
        "{S} is the religion or worldview of {O}",
    ),
    "P172": Phrase("ethnic group", "{P} ethnic group is {O}", "{S} is the ethnic group of {O}"),
    "P800": Phrase(
        "notable work",
        "{P} notable works include {O}",
        "{S} is listed as a notable work of {O}",
    ),
    "P170": Phrase("creator", "{S} is by {O}", "{Other} works by {s} include {O}"),
    "P6379": Phrase(
        "has works in the collection",
        "Works by {s} are in {O}",
        "{S} {also}has works by {O}",
    ),
    "P195": Phrase("collection", "{S} is held by {O}", "{S} {also}holds {O}"),
    "P276": Phrase("location", IN_A_PLACE, "{S} {also}houses {O}"),
    "P127": Phrase("owned by", "{S} is owned by {O}", "{S} owns {O}"),
    "P1830": Phrase("owner of", "{S} owns {O}", "{S} is owned by {O}"),
    "P485": Phrase("archives at", "{P} archives are at {O}", "{S} holds the archives of {O}"),
    "P88": Phrase("commissioned by", "{S} was commissioned by {O}", "{S} commissioned {O}"),
    "P186": Phrase("made from material", "{S} is {O}", "{S} is a material of {O}"),
    "P180": Phrase("depicts", "{S} depicts {O}", "{S} is {also}depicted in {O}"),
    "P921": Phrase("main subject", "{P} main subject is {O}", "{S} is the main subject of {O}"),
    "P144": Phrase("based on", "{S} is based on {O}", "{S} is the basis of {O}"),
    "P155": Phrase("follows", "{S} follows {O}", "{S} is followed by {O}"),
    "P156": Phrase("followed by", "{S} is followed by {O}", "{S} follows {O}"),
    "P138": Phrase("named after", "{S} is named after {O}", "{O} {is} named after {s}"),
    "P361": Phrase("part of", "{S} is part of {O}", "{P} parts include {O}"),
    "P527": Phrase("has part(s)", "{P} parts include {O}", "{S} is part of {O}"),
    "P355": Phrase("has subsidiary", "{P} branches include {O}", "{S} is a branch of {O}"),
    "P1441": Phrase("present in work", "{S} appears in {O}", "Figures in {s} include {O}"),
    "P1344": Phrase("participant in", "{S} took part in {O}", "Participants in {s} include {O}"),
    "P793": Phrase(
        "significant event",
        "{P} significant events include {O}",
        "{S} is a significant event of {O}",
    ),
    "P417": Phrase("patron saint", "{P} patron saint is {O}", "{S} is patron saint of {O}"),
    "P461": Phrase("opposite of", "{S} is the opposite of {O}", "{S} is the opposite of {O}"),
    "P1889": Phrase("different from", "{S} is not the same as {O}", "{S} is not the same as {O}"),
}

_IDS = {phrase.label: id for id, phrase in PHRASES.items()}
_ORDER = {id: place for place, id in enumerate(PHRASES)}
_VERB = re.compile(r"(is|are|was|were|has|have|had|contains|replaces|uses|wears|connects|shares)\b")
_ENDS_OPEN = re.compile(r".* (of|by|in|at|to|from|with|on|for|as|after)$")
_NOUN_OPEN = re.compile(r"(?!\w+ed )\w+ (of|in|for)$")


def property_id(property: Property) -> str:
    """Wikidata's id of a property: its own, else that of the known property of its label.

    So another graph whose predicate is labelled "creator" is understood as well.
    """
    return property.id if property.id in PHRASES else _IDS.get(property.label, property.id)


def place(property: Property) -> int:
    """Where its statements come in the description of an entity; unknown ones come last."""
    return _ORDER.get(property_id(property), len(_ORDER))


def phrase_for(property: Property) -> Phrase:
    """The phrase of a property; one made from its label if the property is not known."""
    return PHRASES.get(property_id(property)) or _made_from(property.label)


def _made_from(label: str) -> Phrase:
    text = label.replace("{", "(").replace("}", ")").replace("_", " ").strip()
    if _VERB.match(text):
        return Phrase(label, f"{{S}} {text} {{O}}", f"To {{s}} this applies: {{O}} {text} it")
    if _ENDS_OPEN.match(text):
        noun = with_article(text) if _NOUN_OPEN.match(text) else text
        return Phrase(label, f"{{S}} is {noun} {{O}}", f"{{O}} {{is}} {noun} {{s}}")
    return Phrase(label, f"{{P}} {text} is {{O}}", f"{{S}} is the {text} of {{O}}")
