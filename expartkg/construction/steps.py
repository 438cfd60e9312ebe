"""Results of the steps of a build, each a file that the next step reads.

A file is written as a whole or not at all, so a build can be killed at any moment. Started again,
it takes the results that are there and goes on with the first step that is missing. A file names
what it was made from (sources, settings, program); one that was made from anything else is made
again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from expartkg.errors import SourceError
from expartkg.files import write_atomically

Record = Mapping[str, Any]


class Steps:
    """The steps of one build in a folder.

    `made_from` describes the sources; the program itself is added. Each step also depends on the
    steps before it, in the order of the calls.
    """

    def __init__(self, folder: Path, made_from: Record) -> None:
        self._folder = folder
        self._digest = _program()
        self._number = 0
        self.depend_on(made_from)

    def depend_on(self, settings: Record) -> None:
        """The steps from now on depend on this too."""
        self._digest = _digest(json.dumps(settings, sort_keys=True), self._digest)

    def result(self, name: str, make: Callable[[], Iterable[Record]]) -> list[Record]:
        """The records of a step: those of its file, or what `make` gives, then written.

        Raises `ExpArtError` if the file cannot be written, `SourceError` if it was damaged.
        """
        self._number += 1
        self._digest = _digest(self._digest, name)
        path = self._folder / f"{self._number}-{name}.jsonl"
        header = {"step": name, "made_from": self._digest}
        kept = _read(path, header)
        if kept is not None:
            return kept
        records = list(make())
        lines = [json.dumps(record, ensure_ascii=False) for record in (header, *records)]
        write_atomically(path, ("\n".join(lines) + "\n").encode("utf-8", "surrogatepass"))
        return records


def _read(path: Path, header: Record) -> list[Record] | None:
    """The records of a file with this header, None if there is none."""
    try:
        text = path.read_text(encoding="utf-8", errors="surrogatepass")
        first, *records = [json.loads(line) for line in text.removesuffix("\n").split("\n")]
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise SourceError(f"{path} is damaged ({error}); delete it and build again.") from error
    return records if first == header else None


def _program() -> str:
    """A digest of this package, so that results of another version are not taken over."""
    package = Path(__file__).parent
    parts = sorted(
        f"{path.relative_to(package).as_posix()} {hashlib.sha256(path.read_bytes()).hexdigest()}"
        for path in package.rglob("*")
        if path.suffix in {".py", ".tsv"}
    )
    return _digest(*parts)


def _digest(*texts: str) -> str:
    return hashlib.sha256("\n".join(texts).encode("utf-8")).hexdigest()
