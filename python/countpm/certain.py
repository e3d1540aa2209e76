"""What bounds() and count_or_bounds() tell: between which numbers a count lies for certain."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

__all__ = ["BoundedBlock", "BoundedCount", "Bounds"]


class Bounds(tuple[float, float]):
    """A pair (low, high) of log10 between which the count lies for certain; ``lower_by`` and ``upper_by`` name theorems."""

    lower_by: str
    upper_by: str

    def __new__(cls, low: float, high: float, lower_by: str, upper_by: str) -> Bounds:
        self = super().__new__(cls, (low, high))
        self.lower_by = lower_by
        self.upper_by = upper_by
        return self

    def __getnewargs__(self) -> tuple[float, float, str, str]:
        return self[0], self[1], self.lower_by, self.upper_by

    @property
    def low(self) -> float:
        return self[0]

    @property
    def high(self) -> float:
        return self[1]

    def __repr__(self) -> str:
        return f"<Bounds {self[0]:.6f} by {self.lower_by}, {self[1]:.6f} by {self.upper_by}>"


@dataclass(frozen=True)
class BoundedBlock:
    """A block of a count beyond its limits.

    Attributes:
        rows, edges, general: as of :class:`countpm.Block`.
        method, count: of one that was counted by then, else None.
        bounds: of its count.
    """

    rows: int
    edges: int
    general: bool
    method: str | None
    count: str | None
    bounds: Bounds


class BoundedCount(Bounds):
    """What is certain of a count beyond its limits: a pair (low, high) of log10, and how it came about.

    Attributes:
        lower, upper: the bounds in decimal, rounded outwards: ``"1.23457e+25"``, integers below 10**15 with all digits.
        reason: why there is no count, and what would help.
        blocks: of :class:`countpm.BoundedBlock`; so many of them are ``counted``.
        notes: as of a :class:`countpm.Result`.
    """

    lower: str
    upper: str
    reason: str
    counted: int
    blocks: tuple[BoundedBlock, ...]
    notes: tuple[str, ...]
    _text: str

    @classmethod
    def from_json(cls, text: str) -> BoundedCount:
        """From an object of ``countpm INPUT --on-limit bounds --json``."""
        found = json.loads(text)
        self = super().__new__(cls, *_ends(found["bounds"]))
        self._text = text
        self.lower, self.upper = found["lower"], found["upper"]
        self.reason = found["reason"]
        self.counted = found["blocks_counted"]
        self.blocks = tuple(
            BoundedBlock(b["rows"], b["edges"], b["general"], b["method"], b["count"], Bounds(*_ends(b["bounds"])))
            for b in found["blocks"]
        )
        self.notes = tuple(found["notes"])
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return BoundedCount.from_json, (self._text,)

    def __repr__(self) -> str:
        return f"<BoundedCount {self.lower} by {self.lower_by}, {self.upper} by {self.upper_by}>"


def _ends(entry: dict[str, Any]) -> tuple[float, float, str, str]:
    low, high = entry["log10_lower"], entry["log10_upper"]
    return (
        -math.inf if low is None else low,
        -math.inf if high is None else high,
        entry["lower_by"],
        entry["upper_by"],
    )
