"""Folders that one process works in. Writing is tested where files are written."""

from __future__ import annotations

from pathlib import Path

import pytest

from expartkg.errors import ExpArtError
from expartkg.files import locked


def test_one_process_at_a_time(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    with locked(folder), pytest.raises(ExpArtError, match="at work"), locked(folder):
        pass
    with locked(folder):
        pass
