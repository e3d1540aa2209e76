"""Determinants and Pfaffians, exactly: polynomial counterparts of permanents and hafnians."""

from __future__ import annotations

from typing import Any, Unpack

from . import _core
from .convert import DETERMINANT, PFAFFIAN, graph_of
from .counting import told
from .options import Options, part
from .progress import reporter
from .values import Number, number

__all__ = ["determinant", "pfaffian"]


def determinant(matrix: object, **options: Unpack[Options]) -> Number:
    """The determinant of a square matrix.

    Args:
        matrix: of any kind that :func:`countpm.permanent` takes, sparse ones as they are.
        **options: :class:`countpm.Options`; those about limits, ``threads``, ``progress``, ``exact`` and ``arithmetic`` (a number of bits).

    Returns:
        As :func:`countpm.permanent`: ``int`` or ``Fraction`` where all entries are exact. Floats and complex numbers are taken
        as the fractions that they are, too, and only the result is rounded, unless ``exact=True``.

    Raises:
        InputError: where the matrix is not square, or an entry is no finite number. UnableError: beyond the limits.

    Modulo as many primes as Hadamard's inequality asks for: O(n^3) operations a prime of dense matrices, of sparse ones as many
    as nested dissection leaves, O(n^1.5) where the graph is planar (Lipton, Rose, Tarjan, SIAM J. Numer. Anal. 16 (1979) 346).

    >>> import countpm
    >>> countpm.determinant([[1, 2], [3, 4]])
    -2
    >>> from fractions import Fraction
    >>> countpm.determinant([[Fraction(1, i + j + 1) for j in range(4)] for i in range(4)])    # Hilbert's
    Fraction(1, 6048000)
    >>> import numpy as np
    >>> float(countpm.determinant(np.array([[1.1, 3.3], [0.1, 0.3]])))     # of these very floats: 1.1 * 0.3 - 3.3 * 0.1 == 0.0
    1.3877787807814457e-17
    """
    return _of(matrix, False, options)


def pfaffian(matrix: object, **options: Unpack[Options]) -> Number:
    """The Pfaffian of a skew-symmetric matrix: its square is the determinant, and of [[0, a], [-a, 0]] it is a.

    Args:
        matrix, **options: as for :func:`countpm.determinant`.

    Returns:
        As :func:`countpm.determinant`; 0 where there is an odd number of rows.

    Raises:
        InputError: where an entry is not minus its mirror image; the message names it.

    As :func:`countpm.determinant`, by pairs of rows (Parlett, Reid, BIT 10 (1970) 386).

    >>> import countpm
    >>> countpm.pfaffian([[0, 1, 2, 3], [-1, 0, 4, 5], [-2, -4, 0, 6], [-3, -5, -6, 0]])    # 1 * 6 - 2 * 5 + 3 * 4
    8
    """
    return _of(matrix, True, options)


def _of(matrix: object, skew: bool, options: Any) -> Number:
    reading, core, progress = part(options)
    given = graph_of(matrix, PFAFFIAN if skew else DETERMINANT, reading)
    if reading.get("exact"):
        given = given._exactly()
    told(given.notes)
    with reporter(progress) as report:
        return number(_core.determinant(given.core, skew, core, report))
