"""What a count is: ``int``, ``Fraction``, or a floating-point number that knows its error."""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Union

__all__ = ["Complex", "ComplexFraction", "Number", "Real", "at_once", "number", "short"]


class Real(float):
    """A ``float`` with a bound on its error: the true value is at most ``error`` away.

    Arithmetic gives plain floats: the bound belongs to this number alone.

    Attributes:
        error: the bound, a float rounded up.
        text: the value in decimal, with all digits that were computed (``arithmetic=BITS`` computes more than a float
            holds), and where it is too large or too small for a float.
        error_text: the bound in decimal, rounded up.

    ``str()`` and ``repr()`` show no digits beyond the error. ``repr()`` is Python: a ``Real`` that holds the same true value, its
    error larger by what it leaves out.

    >>> import countpm
    >>> z = countpm.permanent([[0.5, 0.25], [0.125, 0.5]])
    >>> z == 0.28125, z.error < 1e-15
    (True, True)
    >>> countpm.Real(2.718281828, 0.0003)
    Real(2.71828, error=0.00031)
    """

    __slots__ = ("_error_text", "_text", "error")
    error: float
    _text: str | None
    _error_text: str | None

    def __new__(cls, value: float, error: float, text: str | None = None, error_text: str | None = None) -> Real:
        self = super().__new__(cls, value)
        self.error = error
        self._text = text
        self._error_text = error_text
        return self

    @property
    def text(self) -> str:
        return float.__repr__(self) if self._text is None else self._text

    @property
    def error_text(self) -> str:
        return _upwards(self.error) if self._error_text is None else self._error_text

    def __getnewargs__(self) -> tuple[float, float, str | None, str | None]:  # type: ignore[override]
        return float(self), self.error, self._text, self._error_text

    def __repr__(self) -> str:
        value = float(self)
        shown = _certain(value, self.error)
        return f"Real({_literal(shown)}, error={_literal_error(self.error, (shown, value))})"

    def __str__(self) -> str:
        return float.__repr__(_certain(float(self), self.error))


class Complex(complex):
    """A ``complex`` with a bound on its error: the true value is at most ``error`` away in absolute value.

    Attributes:
        error: the bound, a float rounded up.
        text: the value as ``(re,im)`` in decimal, with all digits that were computed.
        error_text: the bound in decimal, rounded up.

    ``str()`` and ``repr()`` are as those of :class:`Real`.

    >>> import countpm
    >>> countpm.permanent([[1j, 1], [1, 1j]]).real
    0.0
    >>> countpm.Complex(1.234567 - 2j, 0.0003)
    Complex(1.23457-2j, error=0.00031)
    """

    __slots__ = ("_error_text", "_text", "error")
    error: float
    _text: str | None
    _error_text: str | None

    def __new__(
        cls, value: complex, error: float, text: str | None = None, error_text: str | None = None
    ) -> Complex:
        self = super().__new__(cls, value)
        self.error = error
        self._text = text
        self._error_text = error_text
        return self

    @property
    def text(self) -> str:
        if self._text is not None:
            return self._text
        return f"({self.real!r},{self.imag!r})" if self.imag else repr(self.real)

    @property
    def error_text(self) -> str:
        return _upwards(self.error) if self._error_text is None else self._error_text

    def __getnewargs__(self) -> tuple[complex, float, str | None, str | None]:
        return complex(self), self.error, self._text, self._error_text

    def _shown(self) -> complex:
        return complex(_certain(self.real, self.error), _certain(self.imag, self.error))

    def __repr__(self) -> str:
        shown = self._shown()
        error = _literal_error(self.error, (shown.real, self.real), (shown.imag, self.imag))
        if not (math.isfinite(shown.real) and math.isfinite(shown.imag)):
            return f"Complex(complex({_literal(shown.real)}, {_literal(shown.imag)}), error={error})"
        return f"Complex({complex.__repr__(shown).strip('()')}, error={error})"

    def __str__(self) -> str:
        return complex.__repr__(self._shown())


def _upwards(error: float) -> str:
    """With two digits, not below the error."""
    if error == 0 or not math.isfinite(error):
        return f"{error:.2g}"
    text = f"{error:.1e}"
    return text if float(text) >= error else f"{error + 10.0 ** (math.floor(math.log10(error)) - 1):.1e}"


def _certain(value: float, error: float) -> float:
    """The value without digits beyond the second of its error."""
    if error == 0 or value == 0 or not (math.isfinite(value) and math.isfinite(error)):
        return value
    place = math.floor(math.log10(error)) - 1
    digits = math.floor(math.log10(abs(value))) - place
    return float(f"{value:.{digits}e}") if 0 <= digits < 17 else value if digits > 0 else 0.0


def _literal(value: float) -> str:
    return float.__repr__(value) if math.isfinite(value) else f"float('{value}')"


def _literal_error(error: float, *rounded: tuple[float, float]) -> str:
    """The error, and what was rounded off, as a number in Python."""
    lost = math.hypot(*(shown - value if shown != value else 0.0 for shown, value in rounded))
    return _literal(float(_upwards((error + lost) * (1 + 1e-15))))


class ComplexFraction:
    """A complex number whose parts are exact: ``int``, or ``Fraction`` where they are no integers.

    What counts of complex numbers are with ``exact=True``. It adds, multiplies and compares with ``int``, ``Fraction`` and its like;
    ``complex()`` rounds it.

    >>> import countpm
    >>> z = countpm.permanent([[1j, 0.5], [1, 1j]], exact=True)
    >>> z, z == Fraction(-1, 2), abs(z) == 0.5
    (ComplexFraction(Fraction(-1, 2), 0), True, True)
    >>> countpm.ComplexFraction(1, 2) * countpm.ComplexFraction(1, -2) == 5
    True
    """

    __slots__ = ("imag", "real")
    real: int | Fraction
    imag: int | Fraction

    def __init__(self, real: int | Fraction, imag: int | Fraction = 0) -> None:
        self.real, self.imag = (_whole_if_it_is(Fraction(part)) for part in (real, imag))

    def conjugate(self) -> ComplexFraction:
        """The number with its imaginary part negated."""
        return ComplexFraction(self.real, -self.imag)

    def norm(self) -> int | Fraction:
        """The square of the absolute value, exact."""
        return _whole_if_it_is(Fraction(self.real) ** 2 + Fraction(self.imag) ** 2)

    def __abs__(self) -> float:
        return abs(complex(self))

    def __complex__(self) -> complex:
        return complex(float(self.real), float(self.imag))

    def __bool__(self) -> bool:
        return self.real != 0 or self.imag != 0

    def __neg__(self) -> ComplexFraction:
        return ComplexFraction(-self.real, -self.imag)

    def __add__(self, other: object) -> ComplexFraction:
        given = _exact_complex(other)
        return NotImplemented if given is None else ComplexFraction(self.real + given.real, self.imag + given.imag)

    __radd__ = __add__

    def __sub__(self, other: object) -> ComplexFraction:
        given = _exact_complex(other)
        return NotImplemented if given is None else self + -given

    def __rsub__(self, other: object) -> ComplexFraction:
        return -self + other

    def __mul__(self, other: object) -> ComplexFraction:
        given = _exact_complex(other)
        if given is None:
            return NotImplemented
        real = self.real * given.real - self.imag * given.imag
        return ComplexFraction(real, self.real * given.imag + self.imag * given.real)

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        if isinstance(other, complex):
            return self.real == other.real and self.imag == other.imag
        given = _exact_complex(other)
        return NotImplemented if given is None else self.real == given.real and self.imag == given.imag

    def __hash__(self) -> int:
        # Python's own of complex numbers, which those that are equal to one share.
        value = hash(self.real) + sys.hash_info.imag * hash(self.imag)
        sign = 2 ** (sys.hash_info.width - 1)
        return hash((value & (sign - 1)) - (value & sign))

    def __reduce__(self) -> tuple[Any, ...]:
        return ComplexFraction, (self.real, self.imag)

    def __repr__(self) -> str:
        return f"ComplexFraction({self.real!r}, {self.imag!r})"

    def __str__(self) -> str:
        return f"({self.real},{self.imag})"


def _whole_if_it_is(value: Fraction) -> int | Fraction:
    return value.numerator if value.denominator == 1 else value


def _exact_complex(value: object) -> ComplexFraction | None:
    """None where it is no exact number."""
    if isinstance(value, ComplexFraction):
        return value
    return ComplexFraction(value) if isinstance(value, (int, Fraction)) else None


if TYPE_CHECKING:
    #: To type checkers what a count is depends on the weights, and is not known: a union would have to be narrowed before every use.
    Number = Any
else:
    #: What counts are.
    Number = Union[int, Fraction, Real, Complex, ComplexFraction]


def number(value: Any) -> Number:
    """The number that the core hands over: an ``int``, or a tuple that begins with its kind."""
    if isinstance(value, int):
        return value
    kind, *parts = value
    if kind == "rational":
        return Fraction(*parts)
    if kind == "exact complex":
        return ComplexFraction(Fraction(*parts[0]), Fraction(*parts[1]))
    middle, error, text, error_text = parts
    # The float may be the value itself, and the text a rounding of it, or the other way round: the bound holds for both.
    error = max(error, float(error_text))
    return Real(middle, error, text, error_text) if kind == "real" else Complex(middle, error, text, error_text)


def at_once(value: Any) -> Any:
    """What the core has of a small matrix: an ``int``, or the number and its error."""
    if type(value) is int:
        return value
    middle, error = value
    # What their constructors do, in half the time.
    found: Any = float.__new__(Real, middle) if type(middle) is float else complex.__new__(Complex, middle)
    found.error = error
    found._text = found._error_text = None
    return found


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
