from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from expartkg.ui import fast_gradio


def python(code: str, folder: Path | None = None) -> str:
    """Runs code in a fresh interpreter, in which gradio may be a package of `folder`."""
    head = f"import sys; sys.path.insert(0, {str(folder)!r})\n" if folder else ""
    done = subprocess.run(
        [sys.executable, "-c", head + code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def gradio(tmp_path: Path) -> Path:
    """A package of that name with the one module that matters."""
    (tmp_path / "gradio").mkdir()
    (tmp_path / "gradio" / "__init__.py").write_text("import gradio.component_meta\n")
    return tmp_path / "gradio" / "component_meta.py"


INSTALL = "from expartkg.ui import fast_gradio; fast_gradio.install(); before = list(sys.meta_path)"


def test_the_function_does_nothing_any_more(gradio: Path) -> None:
    gradio.write_text("def create_or_modify_pyi(*a): raise SystemExit('it was called')\nOTHER = 7")
    code = (
        f"{INSTALL}\nimport gradio.component_meta as m\n"
        "print(m.create_or_modify_pyi(int, 'x', []), m.OTHER, len(before) - len(sys.meta_path))"
    )
    assert python(code, gradio.parents[1]) == "None 7 1"


def test_another_version_of_gradio_is_left_alone(gradio: Path) -> None:
    gradio.write_text("OTHER = 7")
    code = (
        f"{INSTALL}\nimport gradio.component_meta as m\n"
        "print(sorted(name for name in vars(m) if name[0] != '_'))"
    )
    assert python(code, gradio.parents[1]) == "['OTHER']"


def test_a_module_that_is_not_there_fails_as_ever(gradio: Path) -> None:
    code = f"{INSTALL}\ntry: import gradio\nexcept ModuleNotFoundError as e: print(e.name)"
    assert python(code, gradio.parents[1]) == "gradio.component_meta"


def test_installed_twice_is_installed_once() -> None:
    code = (
        "import sys\n"
        + INSTALL
        + "\nfast_gradio.install(); print(len(before) - len(sys.meta_path))"
    )
    assert python(code) == "0"


def test_the_real_gradio_has_the_function() -> None:
    """If this fails, gradio has changed: look whether the page still starts quickly enough."""
    package = importlib.util.find_spec("gradio")
    assert package is not None
    assert package.origin is not None
    source = Path(package.origin).parent / "component_meta.py"
    assert f"def {fast_gradio.FUNCTION}(" in source.read_text(encoding="utf-8")
