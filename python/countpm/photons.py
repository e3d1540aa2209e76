"""Boson sampling: probabilities of outcomes, and the permanents that lack a line, which are a gradient."""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, Unpack

from . import _core
from .answers import table
from .convert import PERMANENT, graph_of
from .counting import permanent
from .graphs import ids_of
from .options import Options, copies, part, whole
from .polynomials import Polynomial
from .values import Complex, ComplexFraction, Number, Real, number

__all__ = ["MinorsForecast", "explain_minors", "minors", "outcome_probability", "permanent_gradient"]


def outcome_probability(
    unitary: object, inputs: Sequence[int], outputs: Sequence[int], **options: Unpack[Options]
) -> Number:
    """The probability that photons which enter an interferometer by the modes ``inputs`` leave it by the modes ``outputs``.

    Args:
        unitary: the amplitudes, row i and column j that of one photon from mode j to mode i; any matrix that
            :func:`countpm.permanent` takes.
        inputs: how many photons enter each mode, beside the columns.
        outputs: how many leave each mode, beside the rows.
        **options: as for :func:`countpm.permanent`.

    Returns:
        The squared absolute value of the permanent with those lines, over the product of the factorials of all numbers of photons:
        a :class:`countpm.Real` with an error bound, of exact numbers (complex ones with ``exact=True``) exact.

    Raises:
        UsageError: where as many photons do not leave as enter, or the numbers are not beside the modes.

    S. Aaronson, A. Arkhipov, Theory of Computing 9 (2013) 143.

    >>> import countpm, numpy as np
    >>> splitter = np.array([[1, 1], [1, -1]]) / np.sqrt(2)
    >>> [round(countpm.outcome_probability(splitter, [1, 1], outputs), 12) for outputs in ([2, 0], [1, 1], [0, 2])]
    [0.5, 0.0, 0.5]
    """
    try:
        amplitude = permanent(unitary, rows=outputs, cols=inputs, **options)
    except _core.UnableError as error:
        if options.get("exact") or "no digit" not in str(error):
            raise
        # It cancels so far that its error exceeds it, and then it is 0 for all that is known: no reason to have no probability.
        amplitude = _by_minors(unitary, inputs, outputs, options)
    orders = math.prod(math.factorial(photons) for photons in [*(copies("rows", outputs) or []), *(copies("cols", inputs) or [])])
    if isinstance(amplitude, Polynomial):
        raise _core.UsageError("a probability is a number, and here weights have letters")
    if isinstance(amplitude, (Real, Complex)):
        if not cmath.isfinite(amplitude):
            raise _core.UnableError("the permanent is beyond the range of floats; try exact=True")
        return _ball(abs(amplitude), amplitude.error, orders)
    norm = amplitude.norm() if isinstance(amplitude, ComplexFraction) else amplitude * amplitude
    exact = Fraction(norm) / orders
    return exact.numerator if exact.denominator == 1 else exact


def _by_minors(unitary: object, inputs: Sequence[int], outputs: Sequence[int], options: Any) -> Complex:
    """The permanent along a column (Laplace), whose error may exceed it."""
    column = next(j for j, photons in enumerate(inputs) if photons)
    parts: Any = minors(unitary, column, rows=outputs, cols=inputs, **options)
    given = graph_of(unitary, PERMANENT, part(options)[0]).core
    tails, heads = map(ids_of, given.edge_arrays())
    value: complex = 0
    size = error = 0.0
    weights: Any = given.weights_list() or []
    for i, j, weight in zip(tails, heads, weights):
        if j == column and outputs[i]:
            value += outputs[i] * weight * complex(parts[i])
            size += outputs[i] * abs(weight) * abs(parts[i])
            error += outputs[i] * abs(weight) * parts[i].error
    return Complex(value, (error + size * (len(parts) + 8) * 2.0**-52) * (1 + 2.0**-40))


def _ball(size: float, error: float, orders: int) -> Real:
    """(size +- error)^2 / orders, with the roundings of this function."""
    exact = Fraction(size) ** 2 / orders
    value = float(exact)
    radius = (2 * Fraction(size) * Fraction(error) + Fraction(error) ** 2) / orders + abs(exact - Fraction(value))
    # abs() of a complex number may be off by a unit in the last place or two.
    radius += exact / 2**50
    return Real(value, math.nextafter(float(radius), math.inf))


def minors(
    matrix: object,
    column: int | None = None,
    *,
    rows: Sequence[int] | None = None,
    cols: Sequence[int] | None = None,
    **options: Unpack[Options],
) -> list[Number]:
    """The permanents of a square matrix without column ``column`` and without each row in turn, all in one pass.

    Args:
        matrix: of any kind that :func:`countpm.permanent` takes, with as many rows as columns; without ``column`` one that has one
            line more on one side than on the other: the permanents without each line of the longer side.
        column: its number, from 0; of a column that stands several times one copy goes.
        rows, cols: how often each row and each column stands in the matrix.
        **options: :class:`countpm.Options`; above all ``exact`` and ``time_limit``. One thread does the work.

    Returns:
        A list beside the rows (the lines of the longer side), of numbers as :func:`countpm.permanent` returns; 0 for a row that stands in
        the matrix 0 times.

    Raises:
        UsageError: for other sizes. UnableError: where it is predicted to take longer than ``time_limit``.

    The permanent is the sum over the rows i of a[i][column] times minor i (Laplace). All of them take about twice as long as the
    permanent, since products that lack one row are those of the rows before it times those of the rows behind it: P. Clifford, R.
    Clifford, The classical complexity of boson sampling (SODA 2018), lemma 2; examples/boson_sampling.py samples by them.

    >>> import countpm
    >>> countpm.minors([[1, 2, 3], [4, 5, 6], [7, 8, 9]], 0)       # of rows 1 and 2, 0 and 2, 0 and 1, in columns 1 and 2
    [93, 42, 27]
    >>> countpm.minors([[1, 2, 3], [4, 5, 6]])                     # without each column
    [27, 18, 13]
    """
    return _minors(_asked(matrix, column, rows, cols, options))


def _minors(asked: _Asked) -> list[Number]:
    found = [number(value) for value in _core.minors(asked.core, asked.options)]
    result: list[Number] = []
    first = 0
    for times in asked.copies:
        result.append(found[first] if times > 0 else 0)
        first += times
    return result


class _Asked(NamedTuple):
    core: Any
    options: dict[str, Any]
    copies: list[int]  # of the lines that are left out, one at a time
    by_columns: bool


def _asked(matrix: object, column: int | None, rows: Sequence[int] | None, cols: Sequence[int] | None, options: Any) -> _Asked:
    """The matrix that minors() leaves a line out of."""
    reading, core, _ = part(options)
    given = graph_of(matrix, PERMANENT, reading).core
    row_copies = copies("rows", rows) or [1] * given.left
    column_copies = copies("cols", cols) or [1] * (given.right if given.kind == "bipartite" else given.left)
    if column is not None:
        if sum(row_copies) != sum(column_copies):
            raise _core.UsageError(f"minors without a column are of a square matrix, and this one is {sum(row_copies)} x {sum(column_copies)}")
        at = whole("column", column, 0, max(len(column_copies) - 1, 0))
        if not column_copies or column_copies[at] == 0:
            raise _core.UsageError(f"column={column}: the matrix has no such column")
        column_copies[at] -= 1
    by_columns = sum(column_copies) > sum(row_copies)
    repeated = given.repeated(row_copies, column_copies, True)
    return _Asked(repeated.exactly() if reading.get("exact") else repeated, core, column_copies if by_columns else row_copies, by_columns)


@dataclass(frozen=True)
class MinorsForecast:
    """What :func:`countpm.minors` would do.

    Attributes:
        lines: ``"rows"`` or ``"columns"``: what the permanents lack one of.
        minors: how many there are.
        exact: whether they would be exact.
        arithmetic: ``"doubles"``, with a bound on every error, or ``"primes"``: exactly, modulo primes.
        log10_seconds: predicted, of one thread; the time may be beyond the range of floats.
        feasible: whether that is within ``time_limit``.
    """

    lines: str
    minors: int
    exact: bool
    arithmetic: str
    log10_seconds: float
    feasible: bool

    def _repr_html_(self) -> str:
        rows: list[tuple[str, object]] = [("permanents", self.minors), ("each without one of the", self.lines), ("exact", self.exact)]
        rows += [("arithmetic", self.arithmetic), ("log10 of the seconds, predicted", f"{self.log10_seconds:.2f}"), ("feasible", self.feasible)]
        return table("MinorsForecast", rows)


def explain_minors(
    matrix: object,
    column: int | None = None,
    *,
    rows: Sequence[int] | None = None,
    cols: Sequence[int] | None = None,
    **options: Unpack[Options],
) -> MinorsForecast:
    """How :func:`countpm.minors` would find the permanents, and how long it would take; counts nothing.

    Args:
        matrix, column, rows, cols, **options: as for :func:`countpm.minors`.

    Raises:
        UsageError: as :func:`countpm.minors`.

    >>> import countpm, numpy as np
    >>> forecast = countpm.explain_minors(np.random.default_rng(1).normal(size=(50, 50)), 0)
    >>> forecast.minors, forecast.feasible
    (50, False)
    """
    asked = _asked(matrix, column, rows, cols, options)
    work = _core.work_of_minors(asked.core, asked.options)
    return MinorsForecast(
        "columns" if asked.by_columns else "rows",
        len(asked.copies),
        work["exact"],
        "doubles" if work["doubles"] else "primes",
        work["log10_seconds"],
        work["feasible"],
    )


def permanent_gradient(
    matrix: object, *, rows: Sequence[int] | None = None, cols: Sequence[int] | None = None, **options: Unpack[Options]
) -> list[list[Number]]:
    """The derivatives of the permanent of a square matrix by each of its entries.

    Args:
        matrix: of any kind that :func:`countpm.permanent` takes, with as many rows as columns.
        rows, cols: how often each row and each column stands in the matrix; the derivative is then by the entry that all these
            copies share.
        **options: as for :func:`countpm.minors`; ``time_limit`` is for all of them together.

    Returns:
        A list of rows, beside the matrix: numbers as :func:`countpm.permanent` returns. That of entry i, j is the permanent without
        row i and column j, times ``rows[i] * cols[j]``.

    Raises:
        UsageError: where the matrix is not square. UnableError: where it is predicted to take longer than ``time_limit``.

    One pass of :func:`countpm.minors` for each column, since a permanent is linear in each of its entries: about 2 n times as long
    as the permanent takes. For complex matrices it is the holomorphic derivative, without conjugation.

    >>> import countpm
    >>> countpm.permanent_gradient([[1, 2], [3, 4]])                # of 1 * 4 + 2 * 3
    [[4, 3], [2, 1]]
    >>> countpm.permanent_gradient([[3]], rows=[2], cols=[2])       # of 2 * 3**2
    [[12]]
    """
    wishes: Any = options
    given = graph_of(matrix, PERMANENT, part(wishes)[0]).core
    row_copies = copies("rows", rows) or [1] * given.left
    column_copies = copies("cols", cols) or [1] * (given.right if given.kind == "bipartite" else given.left)
    if sum(row_copies) != sum(column_copies):
        raise _core.UsageError(f"the gradient is of the permanent of a square matrix, and this one is {sum(row_copies)} x {sum(column_copies)}")
    columns = [j for j, times in enumerate(column_copies) if times]
    passes = [_asked(matrix, j, row_copies, column_copies, options) for j in columns]
    _refuse_beyond(passes, options)
    gradient: list[list[Number]] = [[0] * len(column_copies) for _ in row_copies]
    for j, asked in zip(columns, passes, strict=True):
        for i, minor in enumerate(_minors(asked)):
            gradient[i][j] = _times(minor, row_copies[i] * column_copies[j])
    return gradient


def _refuse_beyond(passes: list[_Asked], options: Any) -> None:
    limit = options.get("time_limit", 3600)
    log10_seconds = [_core.work_of_minors(asked.core, asked.options)["log10_seconds"] for asked in passes]
    if limit is None or not log10_seconds:
        return
    longest = max(log10_seconds)
    total = longest + math.log10(sum(10 ** (other - longest) for other in log10_seconds))
    if total > math.log10(limit):
        raise _core.UnableError(f"the gradient is predicted to take 10^{total:.1f} seconds, and the time limit is {limit} s; try a longer time_limit")


def _times(minor: Number, factor: int) -> Number:
    if factor == 1:
        return minor
    if isinstance(minor, (Real, Complex)):
        # A rounding more, of each part.
        value = minor * factor
        error = math.nextafter((minor.error * factor + abs(value) * 2.0**-52) * (1 + 2.0**-50), math.inf)
        return Real(float(value), error) if isinstance(value, float) else Complex(value, error)
    return minor * factor
