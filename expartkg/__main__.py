"""`python -m expartkg`."""

import os
import sys

from expartkg.cli import main

if __name__ == "__main__":
    code = main()
    if sys.stderr is not None:
        sys.stderr.flush()
    # All is written. Taking a graph in memory apart would cost a tenth of a second more.
    os._exit(code)
