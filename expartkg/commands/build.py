"""`build`: construct a graph (Section 3)."""

from __future__ import annotations

import argparse
from pathlib import Path

from expartkg.construction import DEFAULT_NOISE, build_artworks
from expartkg.errors import NotBuiltError, UsageError
from expartkg.runs import to_text


def build_command(options: argparse.Namespace) -> int:
    kind, _, where = options.knowledge.partition(":")
    if options.questions != "all" or kind != "snapshot":
        raise NotBuiltError(
            "Only --questions all with --knowledge snapshot:DIR is built yet: every artwork of a "
            "snapshot."
        )
    if not where:
        raise UsageError("--knowledge snapshot:DIR needs the folder of the snapshot.")
    kept = frozenset(options.keep_noise)
    if kept - DEFAULT_NOISE:
        wrong = ", ".join(sorted(kept - DEFAULT_NOISE))
        raise UsageError(f"--keep-noise: {wrong} is not on the list of noise properties.")
    manifest = build_artworks(Path(where), options.out, dropped_properties=DEFAULT_NOISE - kept)
    if options.json:
        print(to_text(manifest))
    else:
        entities, statements = manifest["entities"], manifest["statements"]
        print(f"{options.out}: {entities:,} entities, {statements:,} statements")
    return 0
