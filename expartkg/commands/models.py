"""`models`: fetch or quantize the models beforehand."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING

from expartkg.commands.options import settings_from
from expartkg.commands.printing import say, tell
from expartkg.engines.qwen import require_packages
from expartkg.runs import to_text

if TYPE_CHECKING:
    from expartkg.engines.qwen.checkpoints import Checkpoint


def fetch_command(options: argparse.Namespace) -> int:
    from expartkg.engines.qwen.checkpoints import find_checkpoint

    settings = settings_from(options)
    models = [find_checkpoint(model, tell) for model in (settings.lvlm, settings.validator)]
    _print(models, options)
    return 0


def quantize_command(options: argparse.Namespace) -> int:
    require_packages()
    from expartkg.engines.qwen.quantizing import quantize

    explainer, validator = quantize(settings_from(options), options.out, tell)
    _print((explainer, validator), options)
    tell(
        f"Set EXPARTKG_LVLM={explainer.folder} and EXPARTKG_VALIDATOR={validator.folder} to use "
        "them."
    )
    return 0


def _print(models: Iterable[Checkpoint], options: argparse.Namespace) -> None:
    if options.json:
        documents = [
            {
                "name": model.name,
                "revision": model.revision,
                "path": str(model.folder),
                "bytes": model.bytes,
            }
            for model in models
        ]
        say(to_text({"models": documents}))
        return
    for model in models:
        revision = f" at {model.revision}" if model.revision else ""
        say(f"{model.name}{revision}: {model.bytes / 1e9:.2f} GB in {model.folder}")
