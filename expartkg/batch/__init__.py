"""Explaining many works: a table of works in, a folder with a page for each and one for all out.

Reading order: `table` is what is read, `explaining` goes through it, `folder` is what is left on
the disk, `report` the page on all of them.
"""

from expartkg.batch.explaining import Outcome, explain_works
from expartkg.batch.folder import Folder
from expartkg.batch.report import report
from expartkg.batch.table import BadRow, WorkRow, Works, read_works

__all__ = [
    "BadRow",
    "Folder",
    "Outcome",
    "WorkRow",
    "Works",
    "explain_works",
    "read_works",
    "report",
]
