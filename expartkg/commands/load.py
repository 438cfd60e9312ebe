"""`kg load`: a store on disk, which opens at once however large it is."""

from __future__ import annotations

import argparse
from pathlib import Path

from expartkg.commands.printing import say, tell
from expartkg.construction.mapping import mapped_statements, read_mapping
from expartkg.retrieval.loading import load_store
from expartkg.retrieval.reading import place_of, sha256_of, statements_of, stop_at_bad_line
from expartkg.runs import to_text

MOST_TOLD = 20
"""Bad lines that are told of one by one; of the others, how many there were."""


def load_command(options: argparse.Namespace) -> int:
    files: list[Path] = options.files
    skipped = SkippedLines()
    bad_line = skipped if options.bad_lines == "skip" else stop_at_bad_line
    if options.map:
        mapping = read_mapping(options.map)
        statements = mapped_statements(files, mapping, bad_line, tell)
        files = [*files, options.map]
    else:
        statements = statements_of(files, bad_line)
    counts = load_store(statements, options.store, lambda: sha256_of(files))
    skipped.tell_rest()
    if options.json:
        say(to_text({"store": str(options.store), **counts, "skipped_lines": skipped.count}))
    else:
        say(
            f"{options.store}: {counts['entities']:,} entities, "
            f"{counts['statements']:,} statements between them"
        )
    return 0


class SkippedLines:
    """Tells of bad lines, and goes on."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, path: Path, line: int, reason: str) -> None:
        self.count += 1
        if self.count <= MOST_TOLD:
            tell(f"{place_of(path, line)} is skipped: {reason}.")

    def tell_rest(self) -> None:
        if self.count > MOST_TOLD:
            tell(f"{self.count - MOST_TOLD:,} more lines are skipped.")
