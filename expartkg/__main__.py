"""`python -m expartkg`."""

import sys

from expartkg.cli import main

if __name__ == "__main__":
    sys.exit(main())
