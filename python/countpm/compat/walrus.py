"""The permanents and hafnians of The Walrus by its own names: ``import countpm.compat.walrus as thewalrus``.

Signatures are those of thewalrus 0.22, and so are its manners: what is no matrix at all is a ``TypeError``, an array of one number is a
matrix of one row however many brackets it has, and where ``method="recursive"`` meets ``loop=True`` it warns. What differs: integers and
fractions are counted exactly, so that the answer is an ``int`` or ``Fraction``; floats and complex numbers give :class:`countpm.Real` and
:class:`countpm.Complex`, a float or complex that knows its error, which may differ from The Walrus' sum in its last digits. Lists of rows are
taken, too. The names of its algorithms are accepted, and countpm chooses its own. Loop hafnians (``loop=True``) of dense matrices of n rows
take some 2^(2n/3) states, so that those of 30 rows and more take long.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Iterable, Sequence
from typing import Any

from .. import counting, monomers, planning
from .._core import InputError, UnableError, UsageError
from ..errors import input_error
from ..options import choice
from ..values import Number

__all__ = [
    "hafnian",
    "hafnian_banded",
    "hafnian_repeated",
    "hafnian_sparse",
    "perm",
    "permanent_repeated",
    "reduction",
]


def _numpy() -> Any:
    return importlib.import_module("numpy")


def _hafnian(matrix: object, loop: bool) -> Number:
    return monomers.loop_hafnian(matrix) if loop else counting.hafnian(matrix)


def _permanent(matrix: object, times: list[int] | None = None) -> Number:
    return counting.permanent(matrix, rows=times, cols=times)


def _array(A: Any) -> Any:
    """An array; TypeError, as The Walrus has it, for a number or another object that is none."""
    array = _numpy().asarray(A)
    if array.ndim == 0:
        raise TypeError(f"expected a matrix (a NumPy array), found an object of type {type(A).__name__}")
    return array


def _matrix(A: Any) -> Any:
    matrix = _array(A)
    if matrix.ndim > 2 and matrix.size == 1:
        matrix = matrix.reshape(1, 1)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise input_error("<matrix>", "a square matrix", f"an array of shape {matrix.shape}")
    return matrix


def _symmetric(A: Any, rtol: float, atol: float) -> Any:
    """The matrix, of its upper triangle where the two differ by no more than the tolerances."""
    np = _numpy()
    matrix = _matrix(A)
    if matrix.dtype.kind in "fc" and not (matrix == matrix.T).all() and np.isfinite(matrix).all():
        if not np.allclose(matrix, matrix.T, rtol=rtol, atol=atol):
            raise input_error("<matrix>", "a symmetric matrix", "one that differs from its transpose by more than rtol and atol")
        upper = np.triu(matrix, 1)
        return upper + upper.T + np.diag(np.diag(matrix))
    return matrix


def _repeats(A: Any, rpt: Sequence[int]) -> list[int]:
    counts = [int(times) for times in rpt]
    if len(counts) != len(A):
        raise UsageError(f"rpt has {len(counts)} numbers for {len(A)} rows")
    if any(times < 0 or times != given for times, given in zip(counts, rpt)):
        raise UsageError("rpt must be whole numbers, 0 and more")
    return counts


def perm(A: Any, method: str = "bbfg") -> Number:
    """The permanent of a square matrix, as ``thewalrus.perm``.

    >>> import numpy as np
    >>> perm(np.array([[1, 2], [3, 4]]))
    10
    """
    choice("method", method, ("bbfg", "ryser"))
    return _permanent(_matrix(A))


def permanent_repeated(A: Any, rpt: Sequence[int]) -> Number:
    """The permanent of a matrix of which the i-th row and column stand rpt[i] times, as ``thewalrus.permanent_repeated``.

    >>> import numpy as np
    >>> permanent_repeated(np.array([[1, 2], [3, 4]]), [2, 1])    # rows 0, 0, 1 and columns 0, 0, 1
    32
    """
    matrix = _matrix(A)
    times = _repeats(matrix, rpt)
    return _permanent(matrix, times)


def hafnian(
    A: Any,
    loop: bool = False,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    approx: bool = False,
    num_samples: int = 1000,
    method: str = "glynn",
) -> Number | float:
    """The hafnian of a symmetric matrix, as ``thewalrus.hafnian``; with ``approx`` an estimate, which is a plain float.

    >>> import numpy as np
    >>> hafnian(np.ones((6, 6), dtype=int))
    15
    """
    choice("method", method, ("glynn", "inclexcl", "recursive"))
    matrix = _symmetric(A, rtol, atol)
    if not approx:
        if loop and method == "recursive":
            warnings.warn("Recursive algorithm does not support the loop hafnian; countpm counts it by another", stacklevel=2)
        return _hafnian(matrix, loop)
    if loop:
        error = UnableError("estimates are of hafnians, not of loop hafnians; try approx=False")
        error.remedy = "try approx=False"
        raise error
    np = _numpy()
    if np.iscomplex(matrix).any():
        raise _not_for_estimates("Input matrix must be real", np.iscomplex(matrix), matrix)
    if matrix.dtype.kind == "c":
        matrix = matrix.real
    if (matrix < 0).any():
        raise _not_for_estimates("Input matrix must not have negative entries", matrix < 0, matrix)
    if num_samples != int(num_samples):
        raise UsageError(f"num_samples: expected a whole number, found {num_samples!r}")
    return planning.estimate(matrix, "hafnian", samples=int(num_samples)).value


def _not_for_estimates(words: str, where: Any, matrix: Any) -> InputError:
    """The Walrus' words, and the first entry that they are about."""
    row, column = (int(at) for at in _numpy().argwhere(where)[0])
    expected, found = "real entries, none negative, for approx=True", f"{matrix[row, column]} in row {row}, column {column}"
    error = InputError(f"{words}: expected {expected}, found {found}")
    error.file, error.line, error.expected, error.found = "<matrix>", None, expected, found
    return error


def reduction(A: Any, rpt: Sequence[int]) -> Any:
    """The matrix of which the i-th row and column stand rpt[i] times, as ``thewalrus.reduction``.

    >>> import numpy as np
    >>> reduction(np.array([[1, 2], [2, 5]]), [1, 2]).tolist()
    [[1, 2, 2], [2, 5, 5], [2, 5, 5]]

    Of a vector the entries are repeated.

    >>> reduction(np.array([5, 7]), [1, 2]).tolist()
    [5, 7, 7]
    """
    np = _numpy()
    if _array(A).ndim == 1:
        vector = _array(A)
        return np.repeat(vector, _repeats(vector, rpt))
    matrix = _matrix(A)
    times = _repeats(matrix, rpt)
    return np.repeat(np.repeat(matrix, times, axis=0), times, axis=1)


def hafnian_repeated(
    A: Any,
    rpt: Sequence[int],
    mu: Any = None,
    loop: bool = False,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    glynn: bool = True,
) -> Number:
    """The hafnian of a matrix of which the i-th row and column stand rpt[i] times, as ``thewalrus.hafnian_repeated``.

    Two copies of a vertex are joined by the entry on the diagonal; of a loop hafnian ``mu``, or else that entry, is the
    weight of a copy that stays alone. ``glynn`` chooses one of The Walrus' algorithms and plays no part here.

    >>> import numpy as np
    >>> hafnian_repeated(np.ones((3, 3), dtype=int), [2, 2, 2])
    15
    """
    matrix = _symmetric(A, rtol, atol)
    repeated = reduction(matrix, rpt)
    if not loop:
        return _hafnian(repeated, False)
    np = _numpy()
    alone = np.diag(matrix) if mu is None else np.asarray(mu)
    if alone.shape != (len(matrix),):
        raise UsageError(f"mu has the shape {alone.shape} for a matrix of {len(matrix)} rows")
    repeated = repeated.astype(np.result_type(repeated, alone))
    np.fill_diagonal(repeated, np.repeat(alone, _repeats(matrix, rpt)))
    return _hafnian(repeated, True)


def hafnian_sparse(A: Any, D: Iterable[int] | None = None, loop: bool = False) -> Number:
    """The hafnian of a matrix, or of the part with rows and columns D, as ``thewalrus.hafnian_sparse``.

    >>> import numpy as np
    >>> hafnian_sparse(np.ones((6, 6), dtype=int), D={0, 1, 2, 3})
    3
    """
    matrix = _symmetric(A, 1e-05, 1e-08)
    if D is not None:
        kept = sorted(set(D))
        matrix = matrix[_numpy().ix_(kept, kept)]
    return _hafnian(matrix, loop)


def hafnian_banded(A: Any, loop: bool = False, rtol: float = 1e-05, atol: float = 1e-08) -> Number:
    """The hafnian of a banded matrix, as ``thewalrus.hafnian_banded``; the frontier's width is that of the band.

    >>> import numpy as np
    >>> hafnian_banded(np.diag([1] * 5, 1) + np.diag([1] * 5, -1))
    1
    """
    return _hafnian(_symmetric(A, rtol, atol), loop)
