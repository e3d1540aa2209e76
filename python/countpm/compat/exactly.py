"""Arithmetic in whole numbers for what has no polynomial-time or sieving kernel in the core: floats are the fractions that they are."""

from __future__ import annotations

import cmath
import importlib
import math
import numbers
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Union

from ..answers import rounded
from ..errors import input_error
from ..values import Complex, ComplexFraction, Number, Real

__all__ = ["Scaled", "Whole", "answer", "scaled"]

#: A whole number, or a complex one whose parts are whole.
Whole = Union[int, ComplexFraction]


class Scaled:
    """Arrays of numbers as whole ones over a common denominator.

    Attributes:
        arrays: the numbers times ``denominator``, each array as a flat list.
        exact: whether no number was a float or complex.
        complex: whether one was complex.
    """

    def __init__(self, arrays: list[list[Whole]], denominator: int, exact: bool, is_complex: bool) -> None:
        self.arrays = arrays
        self.denominator = denominator
        self.exact = exact
        self.complex = is_complex


def _parts(value: Any, where: str) -> tuple[Fraction, Fraction, bool, bool]:
    """Real and imaginary part, whether the number is exact, and whether it is complex."""
    if isinstance(value, ComplexFraction):
        return Fraction(value.real), Fraction(value.imag), True, True
    if isinstance(value, numbers.Rational):
        return Fraction(int(value.numerator), int(value.denominator)), Fraction(0), True, False
    if isinstance(value, numbers.Real) and math.isfinite(value):
        return Fraction(float(value)), Fraction(0), False, False
    if isinstance(value, numbers.Complex) and not isinstance(value, numbers.Real) and cmath.isfinite(complex(value)):
        return Fraction(float(value.real)), Fraction(float(value.imag)), False, True
    raise input_error(where, "finite numbers", f"{value!r}")


def scaled(*arrays: Any, where: str = "<matrix>") -> Scaled:
    """The entries of arrays of numpy, times what makes all of them whole."""
    np: Any = importlib.import_module("numpy")
    known = [[_parts(value, where) for value in np.asarray(array).ravel().tolist()] for array in arrays]
    every = [part for array in known for part in array]
    denominator = math.lcm(1, *(side.denominator for part in every for side in part[:2]))
    is_complex = any(part[3] for part in every)

    def whole(part: tuple[Fraction, Fraction, bool, bool]) -> Whole:
        re, im = (int(side * denominator) for side in part[:2])
        return ComplexFraction(re, im) if is_complex else re

    lists = [[whole(part) for part in array] for array in known]
    return Scaled(lists, denominator, all(part[2] for part in every), is_complex)


def answer(value: Whole, denominator: int, exact: bool, is_complex: bool) -> Number:
    """A whole number over a denominator: exact, or rounded once to a float that knows its error."""
    re, im = (Fraction(value.real, denominator), Fraction(value.imag, denominator))
    if exact:
        if is_complex:
            return ComplexFraction(re, im)
        return re.numerator if re.denominator == 1 else re
    near = rounded(re), rounded(im)
    if not all(map(math.isfinite, near)):
        return Complex(complex(*near), math.inf) if is_complex else Real(near[0], math.inf)
    lost = abs(Fraction(near[0]) - re) + abs(Fraction(near[1]) - im)
    error = math.nextafter(rounded(lost), math.inf) if lost else 0.0
    return Complex(complex(*near), error) if is_complex else Real(near[0], error)


def batched(matrix: list[list[Whole]], means: list[Whole], cutoffs: tuple[int, ...]) -> Iterable[tuple[tuple[int, ...], Whole]]:
    """The loop hafnians of a symmetric matrix with row and column i k[i] times, and a copy of i alone by means[i], for all k below the cutoffs.

    By the recurrence of Hermite polynomials, without a division: h(k + e_i) = means[i] h(k) + sum over j of matrix[i][j] k[j] h(k - e_j).
    """
    strides = [math.prod(cutoffs[i + 1 :]) for i in range(len(cutoffs))]
    found: list[Any] = []
    np: Any = importlib.import_module("numpy")
    for place, index in enumerate(np.ndindex(*cutoffs)):
        first = next((i for i, times in enumerate(index) if times), None)
        if first is None:
            found.append(1)
        else:
            before = place - strides[first]
            value: Any = means[first] * found[before]
            for j, times in enumerate(index):
                left = times - (j == first)
                if left > 0:
                    value = value + matrix[first][j] * (left * found[before - strides[j]])
            found.append(value)
        yield index, found[-1]
