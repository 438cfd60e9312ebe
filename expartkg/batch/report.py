"""The page on many explanations: one file of HTML that needs nothing but the pages it links to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from expartkg.batch.explaining import Outcome
from expartkg.batch.folder import Folder
from expartkg.batch.table import Works
from expartkg.exports import templates
from expartkg.runs import to_text


def report(
    works: Works,
    outcomes: Sequence[Outcome],
    folder: Folder,
    conditions: Mapping[str, object],
    notice: str | None,
) -> str:
    """The report in HTML. `outcomes` may be of some of the works: of the others it says so."""
    seen = {outcome.row.number for outcome in outcomes}
    return (
        templates()
        .get_template("report.html")
        .render(
            done=[outcome for outcome in outcomes if outcome.is_done],
            failed=[outcome for outcome in outcomes if not outcome.is_done],
            missing=[row for row in works.rows if row.number not in seen],
            works=works,
            page=folder.page,
            notice=notice,
            used=to_text(dict(conditions)),
        )
    )
