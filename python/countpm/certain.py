"""What bounds() and count_or_bounds() tell: between which numbers a count lies for certain."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any, Self

from .answers import Answer

__all__ = ["BoundedBlock", "BoundedCount", "Bounds"]


class Bounds(tuple[float, float], Answer):
    """A pair (low, high) of log10 between which the count lies for certain; an :class:`countpm.Answer`.

    Attributes:
        low, high: the pair; -inf where the count may be 0.
        lower, upper: the numbers in decimal, six digits rounded outwards (``"1.23457e+25"``); of a count that is an integer,
            below 10**15 the least and the largest integer that it can be. Empty of a :class:`countpm.BoundedBlock`.
        lower_by, upper_by: the theorems that say so.
        value: the middle of the two numbers, a float; ``inf`` where they are too large for one.
        error: how far the ends are from it, rounded up: a proven bound.
        exact: False.
        method: both theorems, as text.
        seconds: how long it took.
    """

    lower: str
    upper: str
    lower_by: str
    upper_by: str
    seconds: float

    def __new__(
        cls, low: float, high: float, lower_by: str, upper_by: str, seconds: float = 0.0, lower: str = "", upper: str = ""
    ) -> Self:
        self = super().__new__(cls, (low, high))
        self.lower = lower
        self.upper = upper
        self.lower_by = lower_by
        self.upper_by = upper_by
        self.seconds = seconds
        return self

    def __getnewargs__(self) -> tuple[float, float, str, str, float, str, str]:
        return self[0], self[1], self.lower_by, self.upper_by, self.seconds, self.lower, self.upper

    @property
    def low(self) -> float:
        return self[0]

    @property
    def high(self) -> float:
        return self[1]

    @property
    def value(self) -> float:
        low, high = _powers(self[0], self[1])
        return low / 2 + high / 2

    @property
    def exact(self) -> bool:
        return False

    @property
    def error(self) -> float:
        low, high = _powers(self[0], self[1])
        return math.inf if math.isinf(high) else (high / 2 - low / 2) * (1 + 2.0**-40)

    @property
    def method(self) -> str:
        return self.lower_by if self.lower_by == self.upper_by else f"{self.lower_by}, {self.upper_by}"

    def _facts(self) -> list[tuple[str, object]]:
        return [("log10", f"{self[0]:.6f} to {self[1]:.6f}"), ("lower bound by", self.lower_by), ("upper bound by", self.upper_by)]

    def __repr__(self) -> str:
        if self.lower:
            return f"<{type(self).__name__} {self.lower} by {self.lower_by}, {self.upper} by {self.upper_by}>"
        return f"<Bounds 10^{self[0]:.6f} by {self.lower_by}, 10^{self[1]:.6f} by {self.upper_by}>"


def _powers(low: float, high: float) -> tuple[float, float]:
    """The two numbers, rounded outwards: a power of ten is off by less than 2**-40 of it."""
    try:
        return 10.0**low * (1 - 2.0**-40), 10.0**high * (1 + 2.0**-40)
    except OverflowError:
        return 10.0**low if low < 308 else math.inf, math.inf


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
        reason: why there is no count, and what would help.
        blocks: of :class:`countpm.BoundedBlock`; so many of them are ``counted``.
        notes: as of a :class:`countpm.Result`.
    """

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
        self.seconds = found["seconds"]
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


def _ends(entry: dict[str, Any]) -> tuple[float, float, str, str]:
    low, high = entry["log10_lower"], entry["log10_upper"]
    return (
        -math.inf if low is None else low,
        -math.inf if high is None else high,
        entry["lower_by"],
        entry["upper_by"],
    )
