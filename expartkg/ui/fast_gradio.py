"""Makes `import gradio` twice as fast.

While gradio defines its components it rewrites, for every one of them and at every import, the
`.pyi` file beside the component's source, which editors read and programs do not. That takes
longer than everything else in the import. gradio has no switch for it; its packages ship these
files already. So the one function that writes them is put out of action as soon as its module is
loaded. If a version of gradio does not have that function, nothing is changed.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from types import ModuleType

MODULE = "gradio.component_meta"
FUNCTION = "create_or_modify_pyi"


def install() -> None:
    """To be called before gradio is imported; afterwards it has no effect, and does no harm."""
    if MODULE not in sys.modules and not any(isinstance(f, _Finder) for f in sys.meta_path):
        sys.meta_path.insert(0, _Finder())


class _Finder:
    """Takes part in one import, that of `MODULE`, and leaves."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name != MODULE:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
        return spec


class _Loader(importlib.machinery.SourceFileLoader):
    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        if hasattr(module, FUNCTION):
            setattr(module, FUNCTION, _write_nothing)


def _write_nothing(*arguments: object) -> None:
    """In place of the function that writes the editors' files."""
