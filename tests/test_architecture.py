"""Dependencies go one way, and heavy packages stay where they belong."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import expartkg

PACKAGE = Path(expartkg.__file__).parent
LAYERS = [
    {"records"},
    {
        "errors",
        "directions",
        "plugins",
        "settings",
        "prompts",
        "files",
        "typed",
        "web",
        "data_sets",
    },
    {"retrieval", "engines", "pictures", "commons", "recognition"},
    {
        "signature",
        "loop",
        "overdue",
        "comparison",
        "replay",
        "steering",
        "support",
        "links",
        "templating",
        "subgraph",
    },
    {"runs"},
    {"exports"},
    {"batch", "construction", "evaluation", "cli", "commands"},
    {"ui"},
]
"""From the bottom up; a module imports from its own layer and those below."""

EXCEPTIONS = {
    # The command line starts the page.
    ("commands", "ui"),
}

FORBIDDEN = {
    ("retrieval", "engines"),
    ("engines", "retrieval"),
    ("engines", "loop"),
}

OWNERS = {
    "gradio": ("ui",),
    "pyoxigraph": ("retrieval", "construction"),
    "rdflib": ("retrieval", "construction"),
    "cv2": ("recognition",),
    "faiss": ("recognition",),
    "httpx": ("web", "commons", "construction", "engines/remote", "retrieval/remote"),
    "openai": ("engines/remote",),
    "httpx2": ("engines/remote",),
    "torch": ("engines/qwen", "evaluation/metrics/bertscore.py", "recognition"),
    "transformers": ("engines/qwen", "evaluation/metrics/bertscore.py", "recognition"),
}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: relative import"
            yield node.module


def part_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def layer(part: str) -> int:
    return next(number for number, parts in enumerate(LAYERS) if part in parts)


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_downwards(path: Path) -> None:
    part = part_of(path)
    for name in imports(path):
        if not name.startswith("expartkg."):
            continue
        other = name.split(".")[1]
        if (part, other) in EXCEPTIONS or part.startswith("__"):
            continue
        assert layer(other) <= layer(part), f"{part} must not import {other}"
        assert (part, other) not in FORBIDDEN, f"{part} must not import {other}"


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_heavy_packages_stay_where_they_belong(path: Path) -> None:
    place = path.relative_to(PACKAGE).as_posix()
    for name in imports(path):
        for owner in [OWNERS.get(name.split(".")[0])]:
            assert owner is None or place.startswith(owner), f"{place} imports {name}"


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_one_module_alone_writes_to_the_terminal(path: Path) -> None:
    """There, what a terminal would obey is taken out of texts of others."""
    if path != PACKAGE / "commands" / "printing.py":
        names = {
            node.id for node in ast.walk(ast.parse(path.read_text())) if type(node) is ast.Name
        }
        assert "print" not in names, "use `say` or `tell` of commands.printing"


def test_the_check_sees_what_it_should() -> None:
    seen = {name for path in modules() for name in imports(path)}
    assert {"pyoxigraph", "gradio", "expartkg.records"} <= seen


def test_files_beside_the_code_are_installed_with_it() -> None:
    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))
    installed = {
        path
        for package, patterns in project["tool"]["setuptools"]["package-data"].items()
        for pattern in patterns
        for path in PACKAGE.parent.joinpath(*package.split(".")).glob(pattern)
    }
    beside = {
        path
        for path in PACKAGE.rglob("*.*")
        if path.is_file() and path.suffix not in (".py", ".pyc")
    }
    assert beside == installed
