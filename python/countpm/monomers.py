"""Vertices that may stay alone: all matchings, matching polynomials, loop hafnians."""

from __future__ import annotations

import cmath
import math
import numbers
from decimal import Decimal
from fractions import Fraction
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Unpack, overload

from . import _core
from .convert import LOOP_HAFNIAN, MATCHINGS, graph_of
from .counting import small_symmetric, told, value_of
from .errors import input_error
from .options import CountOptions, Options, elsewhere, part
from .options import copies as numbers_of_copies
from .progress import reporter
from .values import Number

if TYPE_CHECKING:
    from .kinds import IntMatrix

__all__ = ["loop_hafnian", "loop_hafnians", "matching_polynomial", "number_of_matchings"]

_HAFNIAN = frozenset({"auto", "hafnian"})
_LETTER = "t"
# What has the weight, and what is true where it is 0.
_WEIGHTS = {
    "monomers": ("a vertex that stays alone", "no vertex stays alone"),
    "ring_weight": ("a ring", "no ring is used"),
}


def _digits(value: float) -> str:
    """Every digit of the number that the float is."""
    return format(Decimal(value), "e")


def weight_text(weight: object, name: str, exact: bool) -> str:
    """A weight of one of _WEIGHTS as the command line takes it; exact: floats as the fractions that they represent."""
    what, without = _WEIGHTS[name]
    if isinstance(weight, str) and weight not in ("t", "x"):
        return weight
    if weight == 0:
        raise _core.UsageError(f"{name}=0: {without}; perfect_matchings() counts these matchings")
    if isinstance(weight, numbers.Rational):
        return f"{int(weight.numerator)}/{int(weight.denominator)}" if weight.denominator != 1 else str(int(weight.numerator))
    if isinstance(weight, numbers.Real) and math.isfinite(weight):
        return weight_text(Fraction(float(weight)), name, exact) if exact else _digits(float(weight))
    if isinstance(weight, numbers.Complex) and cmath.isfinite(weight):
        if exact:
            raise _core.UsageError(f"{name}={weight!r}: expected a real number with exact=True")
        return f"({_digits(float(weight.real))},{_digits(float(weight.imag))})"
    raise _core.UsageError(f"{name}={weight!r}: expected a number, the weight of {what}")


def _ask(graph: object, weight: str, options: Any) -> dict[str, Any]:
    options, others = elsewhere(options)
    reading, core, progress = part(options)
    given = graph_of(graph, MATCHINGS, reading)
    if reading.get("exact"):
        given = given._exactly()
    if given.notes:
        told(given.notes)
    if others is not None:
        from .elsewhere import count_on

        return count_on(_core.with_monomers(given.core, weight), core, progress, **others)[0]
    with reporter(progress) as report:
        return _core.matchings(given.core, weight, core, report)


def exact_pair(pair: tuple[int, int]) -> int | Fraction:
    value = Fraction(*pair)
    return value.numerator if value.denominator == 1 else value


def number_of_matchings(graph: object, k: int | None = None, *, monomers: object = 1, **options: Unpack[CountOptions]) -> Number:
    """The number of all matchings of a graph, perfect or not (the Hosoya index), or of those with k edges.

    Args:
        graph: as for :func:`countpm.perfect_matchings`.
        k: count only the matchings with this many edges.
        monomers: the weight of a vertex that stays alone: the sum over all matchings of the products of the weights of
            their edges and of the vertices that they leave alone, the monomer-dimer partition function. An int or
            Fraction is exact, a float or complex number has an error.
        **options: :class:`countpm.CountOptions`; with ``weight`` the edges' weights count, too.

    Returns:
        As :func:`countpm.perfect_matchings`.

    Raises:
        InputError: where it is no such graph. UnableError: beyond the time or memory limit.

    #P-complete even for planar graphs (Jerrum, J. Stat. Phys. 48 (1987) 121); the work grows with the width of the
    graph, not with its size.

    >>> import countpm, networkx as nx
    >>> countpm.number_of_matchings(nx.grid_2d_graph(8, 8))
    179788343101980135
    >>> countpm.number_of_matchings(nx.petersen_graph(), 2)
    75
    >>> countpm.number_of_matchings(nx.path_graph(2), monomers=3)      # 3 * 3 + 1
    10
    """
    if k is None:
        return value_of(_ask(graph, weight_text(monomers, "monomers", bool(options.get("exact"))), options))
    if monomers != 1:
        raise _core.UsageError("k and monomers exclude each other: matchings with k edges leave as many vertices alone")
    if isinstance(k, bool) or not isinstance(k, numbers.Integral) or k < 0:
        raise _core.UsageError(f"k={k!r}: expected a number of edges")
    coefficients = _ask(graph, _LETTER, options)["coefficients"]
    return exact_pair(coefficients[int(k)]) if k < len(coefficients) else 0


def matching_polynomial(graph: object, **options: Unpack[CountOptions]) -> list[int | Fraction]:
    """The numbers of matchings with 0, 1, 2, ... edges, up to the most that a matching has.

    Args:
        graph, **options: as for :func:`number_of_matchings`. Weights must be exact: integers and fractions.

    Returns:
        A list m of ``int`` (``Fraction`` where weights are). The matching polynomial of a graph with n vertices is the sum
        of (-1)**k * m[k] * x**(n - 2 * k), the matching-generating polynomial that of m[k] * x**k.

    >>> import countpm, networkx as nx
    >>> countpm.matching_polynomial(nx.petersen_graph())
    [1, 15, 75, 145, 90, 6]
    """
    return [exact_pair(pair) for pair in _ask(graph, _LETTER, options)["coefficients"]]


@overload
def loop_hafnian(matrix: IntMatrix, *, copies: Sequence[int] | None = None, **options: Unpack[Options]) -> int: ...
@overload
def loop_hafnian(matrix: object, *, copies: Sequence[int] | None = None, **options: Unpack[Options]) -> Number: ...
def loop_hafnian(matrix: object, *, copies: Sequence[int] | None = None, **options: Unpack[Options]) -> Number:
    """The loop hafnian of a symmetric matrix: as :func:`countpm.hafnian`, but a vertex may stay alone by its entry on the diagonal.

    Args:
        matrix, copies, **options: as for :func:`countpm.hafnian`. The entry i on the diagonal joins two copies of i, and each may
            stay alone by it (:func:`countpm.loop_hafnians` has weights of their own for that).

    Returns:
        As :func:`countpm.permanent`; 1 where n is 0.

    Raises:
        InputError: where the matrix is not symmetric, beyond what :func:`countpm.hafnian` takes for rounding.

    Bjorklund, Gupt, Quesada, ACM J. Exp. Algorithmics 24 (2019) 1.11, define it. A dense matrix of n rows takes some 2^(2n/3) states, a
    sparse or banded one few.

    >>> import countpm, numpy as np
    >>> countpm.loop_hafnian(np.ones((4, 4), dtype=int))            # involutions of four things
    10
    >>> countpm.loop_hafnian([[5, 2], [2, 7]])                      # 5 * 7 + 2
    37
    >>> countpm.loop_hafnian([[5]], copies=[2])                     # both alone, or joined: 5 * 5 + 5
    30
    """
    wanted: Any = options
    if copies is not None:
        return hafnian_of_copies(matrix, copies, wanted, alone=True)
    found = small_symmetric(_core.small_loop_hafnian, _HAFNIAN, matrix, wanted)
    if found is not None:
        return found
    reading, core, progress = part(wanted)
    given = graph_of(matrix, LOOP_HAFNIAN, reading)
    if reading.get("exact"):
        given = given._exactly()
    if given.notes:
        told(given.notes)
    with reporter(progress) as report:
        return value_of(_core.loop_hafnian(given.core, core, report))


def hafnian_of_copies(matrix: object, times: Sequence[int], options: Any, *, alone: bool) -> Number:
    """The hafnian of a matrix of which row and column i stand times[i] times, or with `alone` the loop hafnian."""
    reading, core, progress = part(options)
    given = graph_of(matrix, LOOP_HAFNIAN, reading)
    numbers = numbers_of_copies("copies", times) or []
    rows = given.core.left
    if len(numbers) != rows:
        raise _core.UsageError(f"copies has {len(numbers)} numbers, and the matrix has {rows} rows")
    given = given.repeated(numbers, numbers)
    if reading.get("exact"):
        given = given._exactly()
    if given.notes:
        told(given.notes)
    with reporter(progress) as report:
        return value_of(_core.loop_hafnian(given.core, core, report, not alone))


def loop_hafnians(
    matrix: object, diagonals: Iterable[Sequence[Any]], *, copies: Sequence[int] | None = None, **options: Unpack[Options]
) -> list[Number]:
    """The loop hafnians of one symmetric matrix with one diagonal after another, as displacements of Gaussian states change it.

    Args:
        matrix: of shape (n, n), symmetric: a numpy array or a list of rows. Its own diagonal joins copies, and is of no use without.
        diagonals: each of n numbers: what vertex i counts where it stays alone, and each copy of it.
        copies: how often row and column i stand in the matrix, 0 for not at all; None: each once.
        **options: as for :func:`countpm.loop_hafnian`; limits are those of each.

    Returns:
        A list, in the order of the diagonals, of what :func:`countpm.loop_hafnian` gives.

    Raises:
        InputError: where the matrix is not square or not symmetric, or a diagonal has another number of entries.

    One after another, each at the cost of :func:`countpm.loop_hafnian`.

    >>> import countpm
    >>> countpm.loop_hafnians([[0, 2], [2, 0]], [[5, 7], [0, 0], [1, 1]])
    [37, 2, 3]
    >>> countpm.loop_hafnians([[5]], [[1], [2]], copies=[2])      # 1 * 1 + 5 and 2 * 2 + 5
    [6, 9]
    """
    if not hasattr(matrix, "__array_interface__") and not isinstance(matrix, (list, tuple)):
        raise input_error("<matrix>", "a numpy array, or a list of rows", f"an object of type {type(matrix).__name__}")
    rows: Any = matrix
    size = len(rows)
    if any(len(row) != size for row in rows):
        raise input_error("<matrix>", "a square matrix", f"{size} rows, and one of another length")
    times = numbers_of_copies("copies", copies)
    if times is not None and len(times) != size:
        raise _core.UsageError(f"copies has {len(times)} numbers, and the matrix has {size} rows")
    line = [i for i in range(size) for _ in range(1 if times is None else times[i])]
    found = []
    for number, diagonal in enumerate(diagonals):
        if len(diagonal) != size:
            raise input_error("<matrix>", f"diagonals of {size} numbers", f"{len(diagonal)} in diagonal {number}")
        found.append(loop_hafnian(_with_diagonal(rows, line, diagonal), **options))
    return found


def _with_diagonal(rows: Any, line: list[int], diagonal: Any) -> Any:
    """Rows and columns in that order, with the diagonal's numbers on the diagonal; of an array an array."""
    if isinstance(rows, (list, tuple)):
        return [[diagonal[i] if a == b else rows[i][j] for b, j in enumerate(line)] for a, i in enumerate(line)]
    import numpy as np

    numbers = np.asarray(diagonal)
    made = rows[np.ix_(line, line)].astype(np.result_type(rows, numbers))
    np.fill_diagonal(made, numbers[line])
    return made
