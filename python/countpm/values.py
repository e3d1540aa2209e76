"""What a count is: ``int``, ``Fraction``, or a floating-point number that knows its error."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Union

__all__ = ["Complex", "Number", "Real", "number", "short"]


class Real(float):
    """A ``float`` with a bound on its error: the true value is at most ``error`` away.

    Arithmetic gives plain floats: the bound belongs to this number alone.

    Attributes:
        error: the bound, a float rounded up.
        text: the value in decimal, with all digits that were computed (``precision=`` computes more than a float
            holds), and where it is too large or too small for a float.
        error_text: the bound in decimal, rounded up.

    >>> import countpm
    >>> z = countpm.permanent([[0.5, 0.25], [0.125, 0.5]])
    >>> z == 0.28125, z.error < 1e-15
    (True, True)
    """

    __slots__ = ("error", "error_text", "text")
    error: float
    text: str
    error_text: str

    def __new__(cls, value: float, error: float, text: str | None = None, error_text: str | None = None) -> Real:
        self = super().__new__(cls, value)
        self.error = float(error)
        self.text = float.__repr__(self) if text is None else text
        self.error_text = f"{error:.3g}" if error_text is None else error_text
        return self

    def __getnewargs__(self) -> tuple[float, float, str, str]:  # type: ignore[override]
        return float(self), self.error, self.text, self.error_text

    def __repr__(self) -> str:
        return f"{float.__repr__(self)} +- {self.error:.1g}"

    def __str__(self) -> str:
        return float.__repr__(self)


class Complex(complex):
    """A ``complex`` with a bound on its error: the true value is at most ``error`` away in absolute value.

    Attributes:
        error: the bound, a float rounded up.
        text: the value as ``(re,im)`` in decimal, with all digits that were computed.
        error_text: the bound in decimal, rounded up.

    >>> import countpm
    >>> countpm.permanent([[1j, 1], [1, 1j]]).real
    0.0
    """

    __slots__ = ("error", "error_text", "text")
    error: float
    text: str
    error_text: str

    def __new__(
        cls, value: complex, error: float, text: str | None = None, error_text: str | None = None
    ) -> Complex:
        self = super().__new__(cls, value)
        self.error = float(error)
        self.text = complex.__repr__(self) if text is None else text
        self.error_text = f"{error:.3g}" if error_text is None else error_text
        return self

    def __getnewargs__(self) -> tuple[complex, float, str, str]:
        return complex(self), self.error, self.text, self.error_text

    def __repr__(self) -> str:
        return f"{complex.__repr__(self)} +- {self.error:.1g}"

    def __str__(self) -> str:
        return complex.__repr__(self)


#: What counts are.
Number = Union[int, Fraction, Real, Complex]


def number(value: Any) -> Number:
    """The number that the core hands over: an ``int``, or a tuple that begins with its kind."""
    if isinstance(value, int):
        return value
    kind, *parts = value
    if kind == "rational":
        return Fraction(*parts)
    middle, error, text, error_text = parts
    # The float may be the value itself, and the text a rounding of it, or the other way round: the bound holds for both.
    error = max(error, float(error_text))
    return Real(middle, error, text, error_text) if kind == "real" else Complex(middle, error, text, error_text)


def short(value: Number, log10: float | None = None, digits: int = 60) -> str:
    """A number for people: whole where it is short, else its first digits and how many there are.

    Python refuses to write integers of more than 4,300 digits; this never asks it to.

    >>> short(12988816)
    '12988816'
    >>> short(7**2000)
    '1.5707e+1690 (1691 digits)'
    """
    if isinstance(value, Fraction):
        if value.denominator == 1:
            return short(value.numerator, log10, digits)
        over, under = short(value.numerator, None, digits), short(value.denominator, None, digits)
        return f"{over} / {under}" if " " in over + under else f"{over}/{under}"
    if not isinstance(value, int):
        return repr(value)
    size = abs(value)
    if size < 10**digits:
        return str(value)
    # The leading 64 bits give the first digits, and the exact comparison with a power of ten their number.
    shift = max(size.bit_length() - 64, 0)
    exponent = math.log10(size >> shift) + shift * math.log10(2) if log10 is None else log10
    whole = math.floor(exponent)
    digits_there = whole + 1
    if abs(exponent - round(exponent)) < 1e-9:
        digits_there = round(exponent) + (size >= 10 ** round(exponent))
    mantissa = f"{10 ** (exponent - whole):.5g}"
    if mantissa == "10":
        mantissa, whole = "1", whole + 1
    return f"{'-' if value < 0 else ''}{mantissa}e+{whole} ({digits_there} digits)"
