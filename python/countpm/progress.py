"""How far a count is: a bar, or the caller's own function."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Union

__all__ = ["Progress", "ProgressWanted", "reporter"]


@dataclass(frozen=True)
class Progress:
    """What a function that is given as ``progress`` gets.

    Attributes:
        stage: ``"plan"``, ``"count"``, ``"double-check"``, ...
        method: what counts the block.
        block: which block, from 1, of ``blocks``.
        done: the share of the stage's predicted work, 0 to 1.
        rate: that share a second; 0 where it is not known yet.
        elapsed_seconds: since the beginning.
        remaining_seconds: of the stage, with its likely range ``remaining_low`` to ``remaining_high``; None where it
            is not known yet.
    """

    stage: str = ""
    method: str = ""
    block: int = 0
    blocks: int = 0
    done: float = 0.0
    rate: float = 0.0
    elapsed_seconds: float = 0.0
    remaining_seconds: float | None = None
    remaining_low: float | None = None
    remaining_high: float | None = None


ProgressWanted = Union[bool, Callable[[Progress], object]]
_Report = Union[Callable[[dict[str, Any]], None], None]

@contextmanager
def reporter(wanted: ProgressWanted) -> Iterator[_Report]:
    """What the core calls with each report; None where nobody wants to know."""
    if not wanted:
        yield None
    elif callable(wanted):
        yield lambda report: wanted(Progress(**report))  # type: ignore[misc]
    else:
        bar = _Bar()
        try:
            yield bar
        finally:
            bar.close()


class _Bar:
    """A bar of tqdm for each stage; without tqdm a line on standard error that is written anew."""

    def __init__(self) -> None:
        try:
            self._tqdm: Any = importlib.import_module("tqdm.auto").tqdm
        except ImportError:
            self._tqdm = None
        self._bar: Any = None
        self._stage = ""
        self._written = False

    def __call__(self, report: dict[str, Any]) -> None:
        now = Progress(**report)
        name = f"{now.stage} ({now.method})" if now.method else now.stage
        if self._tqdm is None:
            left = "" if now.remaining_seconds is None else f", {now.remaining_seconds:.0f} s left"
            print(f"\r{name}: {100 * now.done:.1f} %{left}\x1b[K", end="", file=sys.stderr, flush=True)
            self._written = True
            return
        if self._bar is None or name != self._stage:
            if self._bar is not None:
                self._bar.close()
            self._bar = self._tqdm(total=100, desc=name, unit="%", leave=False, bar_format="{l_bar}{bar}| {elapsed}<{remaining}")
            self._stage = name
        self._bar.update(max(0.0, 100 * now.done - self._bar.n))

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        if self._written:
            print(file=sys.stderr)
