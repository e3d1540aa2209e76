"""Numbers of all kinds as weights that the core takes, without a rounding that nobody asked for."""

from __future__ import annotations

import math
import numbers
import re
from array import array
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Union

from ..errors import input_error
from ..polynomials import Polynomial, is_letter, term_text
from ..values import ComplexFraction

__all__ = ["Plain", "finite", "packed", "plain", "with_type"]

Plain = Union[int, Fraction, float, complex, ComplexFraction, Polynomial]
_INT64 = range(-(2**63), 2**63)


def plain(value: Any) -> Plain | None:
    """The value as an int, Fraction, float or complex that equals it; None where it is no number."""
    kind = type(value)
    if kind in (int, float, complex, Fraction, ComplexFraction):
        return value  # type: ignore[no-any-return]
    if kind is bool or isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, Decimal):
        return Fraction(value) if value.is_finite() else float(value)
    module = kind.__module__.partition(".")[0]
    if module == "numpy":
        item = value.item() if hasattr(value, "item") and getattr(value, "shape", None) == () else None
        return None if item is None or type(item) is kind else plain(item)
    if module == "flint":
        if kind.__name__ == "fmpz":
            return int(value)
        return Fraction(int(value.p), int(value.q)) if kind.__name__ == "fmpq" else None
    if isinstance(value, numbers.Real):
        return float(value)
    if isinstance(value, numbers.Complex):
        return complex(value)
    if isinstance(value, (str, Polynomial)) or (module == "sympy" and not getattr(value, "is_number", False)):
        return _with_letters(value)
    if module == "sympy" and getattr(value, "is_number", False):
        # 2 + 3*I: a complex number whose parts sympy has as numbers; not sqrt(2), which it has as an expression.
        real, imaginary = value.as_real_imag()
        if imaginary != 0 and isinstance(real, numbers.Rational) and isinstance(imaginary, numbers.Rational):
            return ComplexFraction(*(Fraction(int(part.numerator), int(part.denominator)) for part in (real, imaginary)))
        if imaginary != 0 and isinstance(real, numbers.Real) and isinstance(imaginary, numbers.Real):
            return complex(float(real), float(imaginary))
    return None


_TERM = re.compile(r"[+-]?(\d+(/\d+)?)?((\*|^|(?<=[+-]))[A-Za-z]((\^|\*\*)[+-]?\d+)?)*")


def _with_letters(value: Any) -> Plain | None:
    """A single term, as a polynomial; None where it is none, and where it is a number as text."""
    text = term_text(value)
    if text is None or text.strip("+-") == "" or _TERM.fullmatch(text) is None:
        return None
    sign = -1 if text[0] == "-" else 1
    coefficient = Fraction(sign)
    powers: dict[str, int] = {}
    for factor in text.replace("**", "^").lstrip("+-").split("*"):
        if factor[0].isdigit():
            coefficient *= Fraction(factor)
        else:
            letter, _, exponent = factor.partition("^")
            powers[letter] = powers.get(letter, 0) + int(exponent or 1)
    if not powers:
        return None if isinstance(value, str) else coefficient
    names = sorted(powers)
    if not all(map(is_letter, names)):
        return None  # such as sympy's Symbol("i"), which is no imaginary unit
    return Polynomial(names, {tuple(powers[name] for name in names): coefficient})


def packed(values: Sequence[Any], exact: bool, where: str, place: Callable[[int], str]) -> Any:
    """Weights for the core: a buffer of int64 or doubles, or a list of exact or complex numbers.

    Args:
        values: of any kinds.
        exact: floats are the fractions that they are.
        where: what messages call the input.
        place: the name of the number-th value's place, for messages.
    """
    kinds = set(map(type, values))
    if kinds <= {int, bool}:
        try:
            return array("q", values)
        except OverflowError:
            return [int(value) for value in values]
    if kinds == {float} and not exact:
        doubles = array("d", values)
        if not math.isfinite(sum(map(abs, doubles))):
            finite(values, where, place)
        return doubles
    plains = [plain(value) for value in values]
    for number, value in enumerate(plains):
        if value is None:
            raise input_error(where, "a number", f"{with_type(values[number])} {place(number)}")
    finite(plains, where, place)
    kinds = set(map(type, plains))
    if Polynomial in kinds:
        if kinds - {Polynomial, int, Fraction} and not (exact and kinds <= {Polynomial, int, Fraction, float}):
            raise input_error(where, "integers and fractions where weights have letters", "floats or complex numbers")
        return [str(Fraction(value)) if isinstance(value, float) else str(value) for value in plains]
    if exact and kinds & {complex, ComplexFraction} or ComplexFraction in kinds and not kinds & {complex, float}:
        return [_exact_parts(value) for value in plains]
    if kinds & {complex, ComplexFraction}:
        return [complex(_rounded(value, where, place, number)) for number, value in enumerate(plains)]
    if float in kinds and not exact:
        return array("d", [_rounded(value, where, place, number) for number, value in enumerate(plains)])
    if kinds <= {int}:
        return array("q", plains) if all(value in _INT64 for value in plains) else plains
    ratios = [value.as_integer_ratio() for value in plains]  # type: ignore[union-attr]
    return [over if under == 1 else (over, under) for over, under in ratios]


def _exact_parts(value: Any) -> tuple[tuple[int, int], tuple[int, int]]:
    """The real and the imaginary part, each as numerator and denominator."""
    return value.real.as_integer_ratio(), value.imag.as_integer_ratio()


def _rounded(value: Any, where: str, place: Callable[[int], str], number: int) -> Any:
    """An exact number among floats must be one itself: nothing is rounded in silence."""
    if type(value) in (float, complex):
        return value
    try:
        result: Any = complex(value) if isinstance(value, ComplexFraction) else float(value)
    except OverflowError:
        result = math.inf
    if result != value:
        raise input_error(
            where,
            "numbers of one kind, or exact=True",
            f"floats, and {_shown(value)} {place(number)}, which no float equals",
        )
    return result


def finite(values: Sequence[Any], where: str, place: Callable[[int], str]) -> None:
    """Raises InputError where a float is infinite or no number."""
    for number, value in enumerate(values):
        if isinstance(value, (float, complex)) and not (math.isfinite(value.real) and math.isfinite(value.imag)):
            raise input_error(where, "finite numbers", f"{value} {place(number)}")


def with_type(value: Any) -> str:
    """For messages."""
    return f"{_shown(value)} of type {type(value).__name__}"


def _shown(value: Any) -> str:
    try:
        text = str(value)
    except ValueError:  # an integer of thousands of digits
        return "a number of thousands of digits"
    return text if len(text) <= 40 else text[:37] + "..."
