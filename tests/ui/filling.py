"""Forms as visitors fill them in."""

from __future__ import annotations

from typing import Any

from expartkg.ui.form import Form


def filled(**values: Any) -> Form:
    """The form as it is at first, with these fields changed."""
    nothing = dict.fromkeys(Form.__dataclass_fields__)
    usual = {"method": "validate", "ranking": "qid", "source": "answer"}
    return Form(**{**nothing, **usual, "max_iterations": 5, "top_k": 10, **values})
