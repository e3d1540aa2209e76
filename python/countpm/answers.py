"""What all answers have in common that are more than a number, and how notebooks show those that have no page of their own."""

from __future__ import annotations

import html
import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from .values import Complex, Real, short

__all__ = ["Answer", "error_of", "is_exact", "rounded", "table"]


class Answer:
    """The base of all answers that are more than a number: of counts, estimates, ratios, bounds, orbits and molecules.

    Attributes:
        value: the number: exact (``int``, ``Fraction``, ...) where ``exact`` is true, else a ``float`` or ``complex``.
        exact: whether ``value`` is the true value, a ``bool``.
        error: how far the true value may be from ``value``, a ``float``: 0.0 where it is exact, a proven bound for floating point and
            for bounds, one standard error for samples; ``inf`` where no error can be trusted.
        seconds: how long it took, a ``float``.
        method: how it was found: the method of a count, the sampler of an estimate, the theorems of bounds.

    >>> import countpm
    >>> answers = [countpm.count("lattice:square:6x6"), countpm.bounds("lattice:square:6x6"), countpm.count_orbits("lattice:square:6x6")]
    >>> all(isinstance(answer, countpm.Answer) for answer in answers)
    True
    >>> [(answer.exact, answer.value if answer.exact else None) for answer in answers]
    [(True, 6728), (False, None), (True, 930)]
    """

    __slots__ = ()

    if TYPE_CHECKING:  # dataclasses would take these for the defaults of their fields

        @property
        def value(self) -> Any: ...

        @property
        def exact(self) -> bool: ...

        @property
        def error(self) -> float: ...

        @property
        def seconds(self) -> float: ...

        @property
        def method(self) -> str: ...

    def _facts(self) -> list[tuple[str, object]]:
        """What a notebook shows besides; None is left out."""
        return []

    def _repr_html_(self) -> str:
        """A table, for Jupyter."""
        value = self.value
        rows: list[tuple[str, object]] = [("value", None if value is None else short(value))]
        if not self.exact:
            rows.append(("error", f"{self.error:.2g}" if math.isfinite(self.error) else "unknown"))
        rows += [("exact", self.exact), ("method", self.method), ("seconds", f"{self.seconds:.3g}"), *self._facts()]
        return table(type(self).__name__, rows)


def table(title: str, rows: list[tuple[str, object]]) -> str:
    """Names and values as HTML, everything escaped; a value that is None is left out."""
    lines = [
        f"<tr><th style='text-align:left'>{html.escape(name)}</th><td style='text-align:left'>{html.escape(_text(value))}</td></tr>"
        for name, value in rows
        if value is not None
    ]
    return f"<div class='countpm'><table><caption style='text-align:left'>{html.escape(title)}</caption>{''.join(lines)}</table></div>"


def _text(value: object) -> str:
    text = "yes" if value is True else "no" if value is False else str(value)
    return text.encode("utf-8", "backslashreplace").decode()


def is_exact(value: object) -> bool:
    """Whether a number is the true one: floats are not, those that know that their error is 0 included."""
    return not isinstance(value, (float, complex))


def error_of(value: object) -> float:
    """The bound that a number carries; 0.0 where it is exact."""
    return value.error if isinstance(value, (Real, Complex)) else 0.0


def rounded(value: int | Fraction) -> float:
    """A number as a float; ``inf`` where it is too large for one."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
