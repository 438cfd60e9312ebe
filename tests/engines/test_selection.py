"""Which engine a name stands for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from expartkg.engines import load_engine
from expartkg.engines.selection import choose_engine
from expartkg.errors import EngineError, UsageError
from expartkg.settings import Settings


@pytest.mark.parametrize(
    ("cuda", "url", "name"),
    [
        (True, "http://gpu/v1", "qwen"),
        (True, None, "qwen"),
        (False, "http://gpu/v1", "remote"),
        (False, None, "preview"),
    ],
)
def test_auto_is_the_best_there_is(
    monkeypatch: pytest.MonkeyPatch, cuda: bool, url: str | None, name: str
) -> None:
    monkeypatch.setattr("expartkg.engines.qwen.is_available", lambda: cuda)
    assert choose_engine(Settings(remote_url=url)) == name


@pytest.mark.parametrize("name", ["qwen", "remote", "preview"])
def test_a_name_is_taken_at_its_word(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr("expartkg.engines.qwen.is_available", lambda: name != "qwen")
    assert choose_engine(Settings(engine=name, remote_url="http://gpu/v1")) == name


def test_engines_by_name() -> None:
    assert load_engine(Settings(engine="preview")).name == "preview"
    with pytest.raises(EngineError, match="EXPARTKG_REMOTE_URL"):
        load_engine(Settings(engine="remote"))


def test_an_unknown_name() -> None:
    with pytest.raises(UsageError, match="one of auto, qwen, remote, preview, not 'gpt'"):
        Settings(engine="gpt")


def test_what_is_not_chosen_is_not_imported(root: Path) -> None:
    code = (
        "import sys; from expartkg.engines import load_engine;"
        "from expartkg.settings import Settings; load_engine(Settings(engine='preview'));"
        "heavy = {'torch', 'transformers', 'openai', 'importlib.metadata'} & set(sys.modules);"
        "sys.exit(f'imported: {heavy}' if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=root)
