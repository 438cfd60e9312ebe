"""Links lead to Wikidata and nowhere else."""

from __future__ import annotations

import pytest

from expartkg.links import wikidata_page


@pytest.mark.parametrize(
    ("iri", "page"),
    [
        ("http://www.wikidata.org/entity/Q12418", "https://www.wikidata.org/wiki/Q12418"),
        ("http://www.wikidata.org/prop/direct/P170", "https://www.wikidata.org/wiki/Property:P170"),
        ("http://www.wikidata.org/entity/Q1?x=<script>", ""),
        ("http://www.wikidata.org/entity/javascript:alert(1)", ""),
        ("javascript:alert(1)", ""),
        ("http://example.org/Q12418", ""),
        ("", ""),
    ],
)
def test_links_go_to_wikidata_only(iri: str, page: str) -> None:
    assert wikidata_page(iri) == page
