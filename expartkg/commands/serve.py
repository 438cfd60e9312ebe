"""`serve`: open the page."""

from __future__ import annotations

import argparse

from expartkg.commands.options import settings_from
from expartkg.errors import UsageError
from expartkg.ui.launch import serve


def serve_command(options: argparse.Namespace) -> int:
    if options.json:
        raise UsageError("serve opens a page; it has no --json.")
    serve(settings_from(options), host=options.host, port=options.port)
    return 0
