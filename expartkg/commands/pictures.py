"""`pictures`: the index by which a picture is recognised."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from tqdm import tqdm

from expartkg.commands.encoder import encoder_for
from expartkg.commands.options import settings_from
from expartkg.commands.printing import say, tell
from expartkg.commons import Commons
from expartkg.recognition.building import (
    Step,
    add_picture,
    index_from_commons,
    index_from_folder,
)
from expartkg.recognition.index import PictureIndex
from expartkg.recognition.opening import own_index
from expartkg.retrieval import open_graph
from expartkg.runs import to_text

COMMONS_SECONDS = 300.0
"""Nobody waits for one picture here, and Commons asks for pauses when many are fetched."""

LOG_SECONDS = 60.0
NO_FAILURES: Mapping[str, str] = {}


def index_command(options: argparse.Namespace) -> int:
    settings = settings_from(options)
    graph, encoder = open_graph(settings.kg), encoder_for(settings)
    path = options.out or own_index(settings.cache, graph.key, encoder.name)
    if options.folder:
        steps = index_from_folder(path, encoder, graph, options.folder)
    else:
        commons = Commons(settings.cache, contact=settings.contact, patience=COMMONS_SECONDS)
        steps = index_from_commons(path, encoder, graph, commons)
    failed = _shown(steps)
    _report(PictureIndex.load(path, encoder.name), path, options.json, failed)
    return 0


def add_command(options: argparse.Namespace) -> int:
    settings = settings_from(options)
    graph = open_graph(settings.kg)
    entity = graph.entity(options.artwork)
    encoder = encoder_for(settings)
    path = own_index(settings.cache, graph.key, encoder.name)
    index = add_picture(path, encoder, options.image, entity.id, "added by the user")
    _report(index, path, options.json)
    return 0


def _shown(steps: Iterator[Step]) -> dict[str, str]:
    """Goes through the steps with a bar; the works that were left out, and why."""
    failed: dict[str, str] = {}
    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    with tqdm(
        desc="Pictures",
        unit="picture",
        mininterval=0.5 if is_terminal else LOG_SECONDS,
        disable=sys.stderr is None,
    ) as bar:
        for step in steps:
            bar.total = step.total
            bar.update()
            if step.problem:
                failed[step.work] = step.problem
                bar.clear()
                tell(f"{step.work} is left out: {step.problem}")
    return failed


def _report(
    index: PictureIndex, path: Path, as_json: bool, failed: Mapping[str, str] = NO_FAILURES
) -> None:
    counts = {
        "path": str(path),
        "encoder": index.encoder,
        "pictures": len(index),
        "works": len(index.ids),
        "failed": dict(failed),
    }
    if as_json:
        say(to_text(counts))
        return
    say(f"{path}: {len(index):,} pictures of {len(index.ids):,} works ({index.encoder})")
    if failed:
        say(f"{len(failed):,} pictures could not be had; the same command tries them again.")
