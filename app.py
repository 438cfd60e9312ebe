"""The entry point of the page: `python app.py`, and of the Hugging Face Space."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys

if importlib.util.find_spec("spaces"):
    # On a Space it has to come before anything that could use a GPU; elsewhere there is none.
    importlib.import_module("spaces")

from expartkg.errors import ExpArtError, UsageError
from expartkg.settings import Settings
from expartkg.ui.launch import serve


def main() -> int:
    host = os.environ.get("GRADIO_SERVER_NAME") or "127.0.0.1"
    try:
        serve(Settings.from_environment(), host, _port())
    except (ExpArtError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _port() -> int:
    port = os.environ.get("GRADIO_SERVER_PORT") or "7860"
    if not port.isdecimal():
        raise UsageError(f"GRADIO_SERVER_PORT must be a number, not {port!r}.")
    return int(port)


if __name__ == "__main__":
    sys.exit(main())
