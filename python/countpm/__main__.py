"""The command: ``countpm`` and ``python -m countpm`` become the program that the package brings."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

__all__ = ["main", "program"]


def program() -> Path:
    """Where the program is."""
    return Path(__file__).parent / "bin" / "countpm"


def main() -> NoReturn:
    path = program()
    try:
        os.execv(path, ["countpm", *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"countpm: cannot run {path}: {error.strerror}")


if __name__ == "__main__":
    main()
