"""``python -m countpm``: the command, as ``countpm`` is (python/command.py)."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from . import _core

__all__ = ["main"]


def main() -> NoReturn:
    """Runs the command with the arguments of the process, which it takes over."""
    sys.exit(_core.main([b"countpm", *map(os.fsencode, sys.argv[1:])]))


if __name__ == "__main__":
    main()
