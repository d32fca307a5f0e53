"""`python -m aeronef` is the command line."""

import sys

from aeronef.cli import main

if __name__ == "__main__":
    sys.exit(main())
