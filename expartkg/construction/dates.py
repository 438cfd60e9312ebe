"""Years of inception (P571): which can be told from placeholders.

The snapshot has lost the precision of Wikidata's dates. A century is written there as its last
year (1600 for the sixteenth: Michelangelo's Last Judgment), so a round hundred is seldom a year.
1900 alone is kept: as many works bear it as 1899.
"""

from __future__ import annotations

from expartkg.construction.sources.records import Work
from expartkg.construction.tables import table

IMPOSSIBLE: dict[str, str] = {
    qid: f"impossible: {reason}"
    for qid, _, _, reason in table("years", ("qid", "label", "years", "reason"))
}
WIDEST_RANGE = 30
"""Years between two dates of one work beyond which they contradict each other."""


def sound_years(work: Work) -> tuple[tuple[int, ...], str]:
    """Return the years (CE) that are kept, none to two, and why others are not (or empty)."""
    years = tuple(sorted(set(work.years)))
    if years and work.qid in IMPOSSIBLE:
        return (), IMPOSSIBLE[work.qid]
    if 1 in years:
        return (), "year 1 is a placeholder"
    kept = tuple(year for year in years if not _is_century(year, years))
    if len(kept) == 2 and kept[1] - kept[0] > WIDEST_RANGE:
        return (), f"two dates more than {WIDEST_RANGE} years apart"
    return kept, "" if kept == years else "a round hundred stands for a century"


def _is_century(year: int, years: tuple[int, ...]) -> bool:
    if year % 100:
        return False
    return year != 1900 or max(years) - min(years) > 10
