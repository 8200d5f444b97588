"""``python -m eomc`` is the command ``eomc``."""

from __future__ import annotations

import sys

from eomc.cli import main

if __name__ == "__main__":
    sys.exit(main())
