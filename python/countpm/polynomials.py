"""Polynomials: what a count is where weights have letters (docs/polynomial-weights.md)."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Mapping
from fractions import Fraction
from numbers import Integral
from typing import Any, Union

from . import _core

__all__ = ["Polynomial", "letters", "term_text"]

Exact = Union[int, Fraction]


def _exact(value: Any) -> Exact:
    exact = Fraction(value)
    return exact.numerator if exact.denominator == 1 else exact


class Polynomial(Mapping[tuple[int, ...], Exact]):
    """A polynomial with exact coefficients, negative exponents too: a dict of its terms, which cannot be changed.

    Keys are tuples with an exponent for each variable, in the order of :attr:`variables`; values are the coefficients,
    ``int`` or ``Fraction``, none of which is 0. Missing terms have the coefficient 0: ``p[3]`` or ``p[(1, 2)]`` never
    fails. Polynomials of one term are weights, and ``3 * x * y**-1`` makes them from letters.

    Attributes:
        variables: the letters, ascending.

    >>> import countpm
    >>> p = countpm.count("lattice:square:4x4:weights=x,1").value
    >>> p
    <Polynomial 1 + 9*x^2 + 16*x^4 + 9*x^6 + x^8>
    >>> p[4], p[3], p(1), dict(p)[(8,)]
    (16, 0, 36, 1)
    >>> x, y = countpm.letters("x y")
    >>> 3 * x * y**-1
    <Polynomial 3*x*y^-1>
    """

    __slots__ = ("_terms", "variables")
    variables: tuple[str, ...]
    _terms: dict[tuple[int, ...], Exact]

    def __init__(self, variables: Any, terms: Mapping[Any, Any]) -> None:
        self.variables = tuple(variables)
        if list(self.variables) != sorted(set(self.variables)):
            raise ValueError(f"variables {self.variables}: expected different letters in ascending order")
        found: dict[tuple[int, ...], Exact] = {}
        for key, value in terms.items():
            exponents = self._key(key)
            coefficient = _exact(found.get(exponents, 0) + Fraction(value))
            if coefficient != 0:
                found[exponents] = coefficient
            else:
                found.pop(exponents, None)
        self._terms = dict(sorted(found.items()))

    def _key(self, key: Any) -> tuple[int, ...]:
        exponents = (int(key),) if isinstance(key, int) else tuple(int(one) for one in key)
        if len(exponents) != len(self.variables):
            raise KeyError(f"{key!r}: expected an exponent for each of {', '.join(self.variables) or 'no variables'}")
        return exponents

    def __getitem__(self, key: Any) -> Exact:
        return self._terms.get(self._key(key), 0)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return iter(self._terms)

    def __len__(self) -> int:
        return len(self._terms)

    def __contains__(self, key: object) -> bool:
        return key in self._terms

    def __reduce__(self) -> tuple[Any, ...]:
        return Polynomial, (self.variables, self._terms)

    def coefficients(self) -> list[Exact]:
        """Of a polynomial in one variable without negative exponents: those of x^0, x^1, ... up to its degree."""
        if len(self.variables) > 1:
            raise ValueError(f"coefficients() is of one variable, and here are {', '.join(self.variables)}")
        if not self._terms:
            return []
        if not self.variables:
            return [self[()]]
        if next(iter(self._terms))[0] < 0:
            raise ValueError("coefficients() is of exponents from 0 on, and here are negative ones")
        return [self[k] for k in range(max(self._terms)[0] + 1)]

    def __call__(self, *values: Any, **named: Any) -> Any:
        """The value where the variables have these values, in their order or by name."""
        if len(values) > len(self.variables):
            raise TypeError(f"{len(values)} values for {len(self.variables)} variables")
        given = dict(zip(self.variables, values)) | named
        if set(given) != set(self.variables):
            raise TypeError(f"expected a value for each of {', '.join(self.variables)}")
        # Integers of numpy would overflow without a word.
        point = [Fraction(int(given[name])) if isinstance(given[name], Integral) else given[name] for name in self.variables]
        total: Any = 0
        for exponents, coefficient in self._terms.items():
            term: Any = coefficient
            for value, exponent in zip(point, exponents):
                term = term * value**exponent
            total = total + term
        return _exact(total) if isinstance(total, Fraction) else total

    def to_sympy(self) -> Any:
        """The same as an expression of sympy, in symbols of the variables' names."""
        sympy: Any = importlib.import_module("sympy")
        symbols = sympy.symbols(list(self.variables))
        total = sympy.Integer(0)
        for exponents, coefficient in self._terms.items():
            term = sympy.Rational(Fraction(coefficient).numerator, Fraction(coefficient).denominator)
            for symbol, exponent in zip(symbols, exponents):
                term *= symbol**exponent
            total += term
        return total

    # Arithmetic, as far as weights and results need it -------------------------------------------------------------

    def _over(self, variables: tuple[str, ...]) -> dict[tuple[int, ...], Exact]:
        places = [variables.index(name) for name in self.variables]
        widened = {}
        for exponents, coefficient in self._terms.items():
            key = [0] * len(variables)
            for place, exponent in zip(places, exponents):
                key[place] = exponent
            widened[tuple(key)] = coefficient
        return widened

    def _with(self, other: Any) -> tuple[Polynomial, Polynomial, tuple[str, ...]] | None:
        if isinstance(other, (int, Fraction)):
            other = Polynomial((), {(): other})
        if not isinstance(other, Polynomial):
            return None
        return self, other, tuple(sorted({*self.variables, *other.variables}))

    def __mul__(self, other: Any) -> Polynomial:
        both = self._with(other)
        if both is None:
            return NotImplemented
        left, right, variables = both
        result: dict[tuple[int, ...], Exact] = {}
        for a, x in left._over(variables).items():
            for b, y in right._over(variables).items():
                key = tuple(i + j for i, j in zip(a, b))
                result[key] = result.get(key, 0) + x * y
        return Polynomial(variables, result)

    __rmul__ = __mul__

    def __add__(self, other: Any) -> Polynomial:
        both = self._with(other)
        if both is None:
            return NotImplemented
        left, right, variables = both
        result = left._over(variables)
        for key, value in right._over(variables).items():
            result[key] = result.get(key, 0) + value
        return Polynomial(variables, result)

    __radd__ = __add__

    def __neg__(self) -> Polynomial:
        negative: Polynomial = self * -1
        return negative

    def __sub__(self, other: Any) -> Polynomial:
        difference: Polynomial = self + -other
        return difference

    def __rsub__(self, other: Any) -> Polynomial:
        difference: Polynomial = -self + other
        return difference

    def __truediv__(self, other: Any) -> Polynomial:
        if isinstance(other, (int, Fraction)):
            return self * (1 / Fraction(other))
        return self * other**-1 if isinstance(other, Polynomial) else NotImplemented

    def __rtruediv__(self, other: Any) -> Polynomial:
        quotient: Polynomial = self**-1 * other
        return quotient

    def __pow__(self, exponent: int) -> Polynomial:
        if not isinstance(exponent, int):
            return NotImplemented
        if len(self._terms) == 1:
            ((key, value),) = self._terms.items()
            return Polynomial(self.variables, {tuple(one * exponent for one in key): Fraction(value) ** exponent})
        if exponent < 0:
            raise ValueError("a negative power of a sum of terms is no polynomial")
        result = Polynomial((), {(): 1})
        for _ in range(exponent):
            result = result * self
        return result

    def __eq__(self, other: object) -> bool:
        both = self._with(other)
        if both is None:
            return NotImplemented
        left, right, variables = both
        return left._over(variables) == right._over(variables)

    def __hash__(self) -> int:
        constant = all(not any(exponents) for exponents in self._terms)
        return hash(sum(self._terms.values())) if constant else hash(str(self))

    def __str__(self) -> str:
        texts = []
        for exponents, coefficient in self._terms.items():
            texts.append(_text(coefficient, self.variables, exponents))
        return " + ".join(texts).replace("+ -", "- ") or "0"

    def __repr__(self) -> str:
        return f"<Polynomial {self}>"


def _text(coefficient: Any, variables: tuple[str, ...], exponents: tuple[int, ...]) -> str:
    powers = [name if e == 1 else f"{name}^{e}" for name, e in zip(variables, exponents) if e != 0]
    if not powers:
        return str(coefficient)
    if coefficient in (1, -1):
        return ("-" if coefficient == -1 else "") + "*".join(powers)
    return "*".join([str(coefficient), *powers])


def letters(names: str) -> tuple[Polynomial, ...]:
    """Letters for weights: ``x, y = countpm.letters("x y")``.

    Args:
        names: the letters with blanks between them; each has one character, and may be any but e and i.

    Returns:
        A :class:`Polynomial` for each, from which ``*``, ``/`` and ``**`` make weights such as ``3 * x * y**-1``.

    Raises:
        UsageError: for any other names.

    >>> import countpm
    >>> (x,) = countpm.letters("x")
    >>> countpm.perfect_matchings([(0, 1, x), (1, 2, 1), (2, 3, x), (3, 0, 1)], weight=True)
    <Polynomial 1 + x^2>
    """
    for name in names.split():
        if not is_letter(name):
            raise _core.UsageError(f"letters: expected letters from a to z and A to Z without e and i, with blanks between them, found {name!r}")
    return tuple(Polynomial((name,), {(1,): 1}) for name in names.split())


def is_letter(name: str) -> bool:
    """Whether weights may have it; e and i stand in numbers."""
    return len(name) == 1 and name.isascii() and name.isalpha() and name not in "ei"


def term_text(value: Any) -> str | None:
    """A weight with letters as the core reads it; None where it is none: a str, a Polynomial of one term, or a product of
    sympy's symbols."""
    if isinstance(value, str):
        return value.replace(" ", "")
    if isinstance(value, Polynomial):
        if len(value) > 1:
            return None
        return str(value)
    sympy: Any = sys.modules.get("sympy")
    if sympy is None or not isinstance(value, sympy.Expr) or not value.free_symbols:
        return None
    coefficient, rest = sympy.expand(value).as_coeff_Mul()
    if not isinstance(coefficient, sympy.Rational):
        return None
    powers = rest.as_powers_dict()
    for base, exponent in powers.items():
        if not isinstance(base, sympy.Symbol) or not isinstance(exponent, sympy.Integer):
            return None
    factors = [f"{base.name}^{int(exponent)}" for base, exponent in powers.items()]
    return "*".join([f"{coefficient.p}/{coefficient.q}" if coefficient.q != 1 else str(coefficient.p), *factors])


def polynomial_of(found: tuple[str, list[tuple[tuple[int, ...], tuple[int, int]]]]) -> Polynomial:
    """As the core has it."""
    variables, terms = found
    return Polynomial(variables, {tuple(exponents): Fraction(*coefficient) for exponents, coefficient in terms})
