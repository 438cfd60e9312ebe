"""When a table of works is given up."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from expartkg.batch import Outcome, WorkRow, Works
from expartkg.batch.explaining import MOST_FAILURES_IN_A_ROW
from expartkg.errors import EngineError
from expartkg.records import Run
from expartkg.ui.bridge import Broken, Crowded, Notice, Overdue, Stuck
from expartkg.ui.story import Story
from expartkg.ui.tools.many import Progress

ROW = WorkRow(2, "Mona Lisa")


@pytest.mark.parametrize(
    ("notice", "is_hopeless"),
    [(Crowded(), True), (Stuck(), True), (Overdue(), True), (Broken("no picture"), False)],
)
def test_without_a_place_in_the_line_no_other_work_would_have_one(
    notice: Notice, is_hopeless: bool
) -> None:
    assert Progress(Works((ROW,)), story=Story(notice=notice)).is_hopeless == is_hopeless


def test_an_engine_that_fails_again_and_again_is_down(make_run: Callable[..., Run]) -> None:
    failed = Outcome(ROW, make_run(answers=(EngineError("gone"),)))
    others = [Outcome(ROW, make_run()), Outcome(ROW, problem="no picture")]
    for other in others:
        few = [failed] * (MOST_FAILURES_IN_A_ROW - 1)
        assert not Progress(Works((ROW,)), [*few, other]).is_hopeless
        assert not Progress(Works((ROW,)), few).is_hopeless
    assert Progress(Works((ROW,)), [failed] * MOST_FAILURES_IN_A_ROW).is_hopeless
