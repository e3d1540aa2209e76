"""Linear recurrences of growing lattices."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Unpack

from . import _core
from .answers import Answer
from .errors import UsageError
from .options import Options, part
from .progress import reporter

__all__ = ["Recurrence", "recurrence"]


@dataclass(frozen=True)
class Recurrence(Answer):
    """The linear recurrence that the counts of growing lattices fulfil; an :class:`countpm.Answer`.

    b(k), k = 0, 1, ..., is the count of the lattice with n = ``first`` + ``step`` k in the place of N; counts for other n are 0.

    Attributes:
        value: the order.
        first, step: see above; ``step`` is 1 where no parity makes every second term 0.
        coefficients: c_1, c_2, ...: b(k) = c_1 b(k-1) + c_2 b(k-2) + ... from k = ``value`` on.
        values: b(0), b(1), ..., as many as the order.
        numerator, denominator: of the generating function, the sum of b(k) x^k, by degree.
        growth: two fractions; the largest root of the characteristic polynomial, the limit of b(k+1) / b(k), is above the first and not
            above the second. None where a term is negative.
        terms, checked: how many terms of b were counted, and how many of them were not needed to find the recurrence and agree with it.
        proved: whether it holds for all n. Where not, that it goes on like this is what ``checked`` terms suggest.
    """

    value: int
    family: str
    first: int
    step: int
    coefficients: tuple[int | Fraction, ...]
    values: tuple[int | Fraction, ...]
    numerator: tuple[int | Fraction, ...]
    denominator: tuple[int | Fraction, ...]
    growth: tuple[Fraction, Fraction] | None
    terms: int
    checked: int
    proved: bool
    seconds: float = field(default=0.0, compare=False, repr=False)

    @property
    def exact(self) -> bool:
        """Whether it is proved."""
        return self.proved

    @property
    def error(self) -> float:
        return 0.0 if self.proved else math.inf

    @property
    def method(self) -> str:
        """``"recurrence"``: by the algorithm of Berlekamp and Massey."""
        return "recurrence"

    def _facts(self) -> list[tuple[str, object]]:
        return [("family", self.family), ("checked terms", self.checked)]


def recurrence(family: str, **options: Unpack[Options]) -> Recurrence:
    """The linear recurrence of the counts of growing lattices, their generating function and growth rate.

    Args:
        family: a lattice with N in the place of one of its sizes, ``"lattice:square:4xN"``, which is counted for n = 1, 2, ... until a
            recurrence fits, at most 10,000 terms; or a range, ``"lattice:square:4x1..4x40"``, of which all terms are counted.
        **options: :class:`countpm.Options`; ``weight=True`` takes the lattice's weights. The time limit (seconds) is of all counts together.

    Returns:
        A :class:`countpm.Recurrence`. Its terms are exact counts; docs/recurrences.md says what is certain of it.

    Raises:
        UnableError: where the terms do not suffice, with how many more might. UsageError: where it is no such family.

    J. L. Massey, IEEE Trans. Inf. Theory 15 (1969) 122: O(terms order) after the counts.

    >>> import countpm
    >>> found = countpm.recurrence("lattice:square:4xN")
    >>> found.coefficients, found.values, found.proved
    ((1, 5, 1, -1), (1, 5, 11, 36), True)
    >>> round(float(found.growth[0]), 9)
    2.840536194
    >>> countpm.recurrence("lattice:square:3xN").step              # an odd board has no tiling
    2
    """
    reading, core, progress = part(dict(options))
    weights = reading.pop("weight", None)
    if not isinstance(family, str):
        raise UsageError(f"family: expected the name of a lattice, found {family!r}")
    if weights not in (None, True, False) or reading:
        raise UsageError("of the options of graphs a recurrence takes weight=True alone")
    with reporter(progress) as report:
        found: dict[str, Any] = json.loads(_core.recurrence(family, bool(weights), core, report))
    growth = found["growth"]
    return Recurrence(
        found["order"],
        found["family"],
        found["first"],
        found["step"],
        _fractions(found["coefficients"]),
        _fractions(found["values"]),
        _fractions(found["numerator"]),
        _fractions(found["denominator"]),
        None if growth is None else (Fraction(growth["lower"]), Fraction(growth["upper"])),
        found["terms"],
        found["checked"],
        found["proved"],
        found["seconds"],
    )


def _fractions(texts: list[str]) -> tuple[int | Fraction, ...]:
    return tuple(Fraction(text) if "/" in text else int(text) for text in texts)
