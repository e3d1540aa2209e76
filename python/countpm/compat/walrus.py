"""The functions of The Walrus by its own names: ``import countpm.compat.walrus as thewalrus``.

Signatures are those of thewalrus 0.22, and so are its manners: what is no matrix at all is a ``TypeError``, an array of one number is a
matrix of one row however many brackets it has, and where ``method="recursive"`` meets ``loop=True`` it warns. Lists of rows are taken, too.
The names of its algorithms are accepted, and countpm chooses its own.

What differs are the answers' types. Integers, fractions and :class:`countpm.ComplexFraction` are counted exactly, and the answer is an ``int``,
``Fraction`` or ``ComplexFraction``. Floats and complex numbers give :class:`countpm.Real` and :class:`countpm.Complex`, a float or complex that
knows its error, which may differ from The Walrus' sum in its last digits. ``hafnian_batched`` and ``hermite_multidimensional`` give arrays: of
Python's exact numbers (dtype object), or of float64 or complex128, each number rounded once from the exact value. ``hafnian(approx=True)`` is
a plain float.

There are ``perm``, ``permanent_repeated``, ``hafnian``, ``loop_hafnian``, ``hafnian_repeated``, ``hafnian_batched``, ``hafnian_sparse``,
``hafnian_banded``, ``low_rank_hafnian``, ``reduction``, ``tor``, ``brs``, ``ubrs`` and ``hermite_multidimensional``. There are no ``ltor``, ``mtl``,
``lmtl``, ``grad_hermite_multidimensional``, ``matched_reps``, and none of the submodules.

Loop hafnians of dense matrices of n rows take some 2^(2n/3) states, so that those of 30 rows and more take long.
"""

from __future__ import annotations

import importlib
import itertools
import math
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from .. import counting, monomers, planning
from .._core import InputError, UnableError, UsageError
from ..errors import input_error
from ..options import choice
from ..values import ComplexFraction, Number, Real
from .exactly import Scaled, Whole, answer, batched, scaled

__all__ = [
    "brs",
    "hafnian",
    "hafnian_banded",
    "hafnian_batched",
    "hafnian_repeated",
    "hafnian_sparse",
    "hermite_multidimensional",
    "loop_hafnian",
    "low_rank_hafnian",
    "perm",
    "permanent_repeated",
    "reduction",
    "tor",
    "ubrs",
]

_MOST_TERMS = 200_000  # of the polynomial of low_rank_hafnian(), beyond which the matrix itself is counted
_AT_A_TIME = 4096  # determinants of tor()


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
    estimate: Any = planning.estimate(matrix, "hafnian", samples=int(num_samples))
    return float(estimate.value)


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


def loop_hafnian(A: Any, D: Any = None, reps: Sequence[int] | None = None, glynn: bool = True) -> Number:
    """The loop hafnian of a symmetric matrix, as ``thewalrus.loop_hafnian``: a vertex may stay alone, by its entry of D.

    ``D`` is the diagonal unless given; ``reps``: how often row and column i stand in the matrix; ``glynn`` plays no part here.

    >>> import numpy as np
    >>> loop_hafnian(np.array([[5, 2], [2, 7]]))                 # 5 * 7 + 2
    37
    >>> loop_hafnian(np.array([[5, 2], [2, 7]]), D=[1, 1], reps=[2, 0])     # 1 * 1 + 5
    6
    """
    matrix = _matrix(A)
    times = [1] * len(matrix) if reps is None else list(reps)
    return hafnian_repeated(matrix, times, mu=_numpy().diag(matrix) if D is None else D, loop=True)


def low_rank_hafnian(G: Any) -> Number:
    """The hafnian of G @ G.T, of a matrix G with few columns, as ``thewalrus.low_rank_hafnian``.

    By the product over the rows of sum_j G[i, j] x_j, of whose terms with even exponents e each counts the product of (e_j - 1)!!: of n
    rows and r columns binomial(n + r - 1, n) terms. Floats are the fractions that they are, and the sum is rounded once.

    >>> import numpy as np
    >>> low_rank_hafnian(np.array([[1, 2], [3, 4], [5, 6], [7, 8]]))
    2711
    >>> hafnian(np.array([[1, 2], [3, 4], [5, 6], [7, 8]]) @ np.array([[1, 3, 5, 7], [2, 4, 6, 8]]))
    2711
    """
    factors = _array(G)
    if factors.ndim != 2:
        raise input_error("<matrix>", "a matrix of two dimensions", f"an array of shape {factors.shape}")
    n, r = factors.shape
    given = scaled(factors)
    if n % 2:
        return answer(_zero(given), 1, given.exact, given.complex)
    rows = [given.arrays[0][r * i : r * (i + 1)] for i in range(n)]
    scale = given.denominator**n
    if math.comb(n + r - 1, n) > _MOST_TERMS:
        product = [[sum((a * b for a, b in zip(one, other)), _zero(given)) for other in rows] for one in rows]
        return answer(_whole(counting.hafnian(product, exact=True)), scale, given.exact, given.complex)
    terms: dict[tuple[int, ...], Whole] = {(0,) * r: 1}
    for row in rows:
        longer: dict[tuple[int, ...], Whole] = {}
        for exponents, coefficient in terms.items():
            for j, entry in enumerate(row):
                if entry:
                    key = (*exponents[:j], exponents[j] + 1, *exponents[j + 1 :])
                    longer[key] = longer.get(key, 0) + entry * coefficient
        terms = longer
    total: Whole = _zero(given)
    for exponents, coefficient in terms.items():
        if not any(exponent % 2 for exponent in exponents):
            total = total + coefficient * math.prod(math.prod(range(1, exponent, 2)) for exponent in exponents)
    return answer(total, scale, given.exact, given.complex)


def _zero(given: Scaled) -> Whole:
    return ComplexFraction(0) if given.complex else 0


def _whole(value: Any) -> Whole:
    """A count of whole numbers."""
    return value if isinstance(value, ComplexFraction) else int(value)


def hafnian_batched(
    A: Any,
    cutoff: int | Sequence[int],
    mu: Any = None,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    renorm: bool = False,
    make_tensor: bool = True,
) -> Any:
    """The hafnians of all reductions of a matrix below a cutoff, as ``thewalrus.hafnian_batched``: an array h with h[k] that of ``reduction(A, k)``.

    Args:
        A: symmetric, n rows.
        cutoff: k[i] is below it; a number, or one for each row.
        mu: the weights of vertices that stay alone: then they are loop hafnians.
        renorm: divide each by the square root of the product of the factorials of k.
        make_tensor: False: a flat array.

    The n numbers of an entry follow from those before it, O(n cutoff^n) in all.

    >>> import numpy as np
    >>> hafnian_batched(np.array([[1, 2], [2, 3]]), 3).tolist()          # [[h(0, 0), h(0, 1), h(0, 2)], [h(1, 0), ...
    [[1, 0, 3], [0, 2, 0], [1, 0, 11]]
    """
    matrix = _symmetric(A, rtol, atol)
    means = [0] * len(matrix) if mu is None else mu
    return _batch(matrix, cutoff, means, 1, renorm, make_tensor)


def hermite_multidimensional(
    R: Any,
    cutoff: int | Sequence[int],
    y: Any = None,
    C: Any = 1,
    renorm: bool = False,
    make_tensor: bool = True,
    modified: bool = False,
    rtol: float = 1e-05,
    atol: float = 1e-08,
) -> Any:
    """The multidimensional Hermite polynomials of R at y, times C, as ``thewalrus.hermite_multidimensional``.

    ``modified``: y stands for R y. Other arguments as of :func:`hafnian_batched`, which gives those of -A.

    >>> import numpy as np
    >>> hermite_multidimensional(np.array([[1]]), 5, y=np.array([3])).tolist()     # He_k(3)
    [1, 3, 8, 18, 30]
    """
    np = _numpy()
    matrix = _symmetric(R, rtol, atol)
    if y is None:
        means: Any = [0] * len(matrix)
    else:
        means = np.asarray(y)
        if means.shape != (len(matrix),):
            raise UsageError(f"y has the shape {means.shape} for a matrix of {len(matrix)} rows")
        if not modified:
            means = [sum((a * b for a, b in zip(row, means.tolist())), 0) for row in matrix.tolist()]
    return _batch(-matrix, cutoff, means, C, renorm, make_tensor)


def _batch(matrix: Any, cutoff: Any, means: Any, first: Any, renorm: bool, make_tensor: bool) -> Any:
    np = _numpy()
    n = len(matrix)
    alone = np.asarray(means)
    if alone.shape != (n,):
        raise UsageError(f"mu has the shape {alone.shape} for a matrix of {n} rows")
    bounds = np.asarray(cutoff)
    cutoffs = tuple(int(one) for one in (bounds.ravel().tolist() * n if bounds.size == 1 else bounds.tolist()))
    if len(cutoffs) != n or any(one < 1 for one in cutoffs):
        raise UsageError(f"cutoff: expected a number from 1 on, or {n} of them, found {cutoff!r}")
    given = scaled(matrix, alone, [first])
    flat, weights, seed = given.arrays
    # Of k with a sum of s the value is over denominator**s, where the matrix is over its square.
    by = given.denominator
    rows = [[entry * by for entry in flat[n * i : n * (i + 1)]] for i in range(n)]
    # Always over one kind of number, whatever The Walrus' real_if_close makes of it.
    is_complex = given.complex and any(not isinstance(entry, int) and entry.imag for array in given.arrays for entry in array)
    exact = given.exact and not renorm
    values: list[Any] = []
    for index, value in batched(rows, weights, cutoffs):
        known: Any = answer(seed[0] * value, by ** (sum(index) + 1), exact, given.complex)
        if renorm:
            known = complex(known) / math.sqrt(math.prod(map(math.factorial, index)))
        values.append(known if exact or is_complex else known.real)
    if exact:
        array = np.empty(len(values), dtype=object)
        array[:] = [one.real if given.complex and not is_complex else one for one in values]
    else:
        array = np.array(values, dtype=np.complex128 if is_complex else np.float64)
    return array.reshape(cutoffs) if make_tensor else array


def tor(A: Any, recursive: bool = True) -> Real:
    """The Torontonian of a matrix, as ``thewalrus.tor``: the sum over the sets S of modes of (-1)^(n - |S|) / sqrt(det(1 - A_S)).

    Args:
        A: Hermitian, or real and symmetric, of 2 n rows, mode i being rows i and n + i; 1 - A positive definite, as of a Gaussian state.
        recursive: plays no part here.

    Returns:
        A :class:`countpm.Real`. Its error follows from the smallest eigenvalue of 1 - A by the backward error of Cholesky's factorization
        (Higham, Accuracy and Stability of Numerical Algorithms, theorem 10.3), and is larger than what is lost in practice.

    2^n determinants of up to 2 n rows, by numpy: n up to 20.

    >>> import numpy as np
    >>> round(tor(np.array([[0, 0.5], [0.5, 0]])), 12)         # 1 / sqrt(1 - 0.25) - 1
    0.154700538379
    """
    np = _numpy()
    matrix = _matrix(A)
    if len(matrix) % 2:
        raise input_error("<matrix>", "an even number of rows, two for each mode", f"{len(matrix)} rows")
    n = len(matrix) // 2
    given = matrix.astype(np.complex128 if matrix.dtype.kind == "c" else np.float64)
    if not np.isfinite(given).all():
        raise input_error("<matrix>", "finite numbers", "others")
    if not np.allclose(given, given.conj().T):
        raise input_error("<matrix>", "a Hermitian matrix, as Torontonians are of here", "one that differs from its conjugate transpose")
    lower = np.tril(given, -1)
    hermitian = lower + lower.conj().T + np.diag(np.diag(given).real)
    rest = np.eye(2 * n) - hermitian
    lost = _smallest(rest) if n else 1.0
    terms: list[float] = []
    error = 0.0
    for size in range(n + 1):
        sign = -1.0 if (n - size) % 2 else 1.0
        for modes in _some(itertools.combinations(range(n), size)):
            chosen = np.array(modes, dtype=np.intp).reshape(len(modes), size)
            rows = np.concatenate((chosen, chosen + n), axis=1)
            parts = rest[rows[:, :, None], rows[:, None, :]]
            try:
                diagonals = np.diagonal(np.linalg.cholesky(parts), axis1=1, axis2=2).real
            except np.linalg.LinAlgError:
                raise input_error("<matrix>", "a matrix A with 1 - A positive definite", "one that is not") from None
            values = 1 / diagonals.prod(axis=1)
            traces = np.trace(parts, axis1=1, axis2=2).real
            terms.extend((sign * values).tolist())
            error += float((values * _relative(2 * size, traces, lost)).sum())
    total = math.fsum(terms)
    return Real(total, math.nextafter((error + abs(total) * 2.0**-52) * (1 + 2.0**-20), math.inf))


def _smallest(rest: Any) -> float:
    """A bound from below on the smallest eigenvalue, by the backward error of the eigenvalues."""
    np = _numpy()
    return float(np.linalg.eigvalsh(rest)[0] - 30 * len(rest) * 2.0**-53 * np.linalg.norm(rest))


def _relative(rows: int, traces: Any, smallest: float) -> Any:
    """By how much of itself 1 / sqrt(det M) may be off: Cholesky's factors are those of a matrix that differs from M by gamma trace(M) at
    most, and the logarithm of the determinant by rows times that over the smallest eigenvalue."""
    if smallest <= 0:
        return math.inf
    change = 4 * (rows + 3) * 2.0**-53 * traces / smallest
    np = _numpy()
    return np.where(change < 0.5, rows * change + 4 * (rows + 2) * 2.0**-53, math.inf)


def _some(sets: Iterator[tuple[int, ...]]) -> Iterator[list[tuple[int, ...]]]:
    while chunk := list(itertools.islice(sets, _AT_A_TIME)):
        yield chunk


def brs(A: Any, E: Any) -> Number:
    """The Bristolian of two matrices, as ``thewalrus.brs``: the sum over the sets Z of rows of A of (-1)^(m - |Z|) per(A_Z^H A_Z + E).

    Args:
        A: m rows and n columns.
        E: n rows and n columns.

    2^m permanents, each exact; floats are the fractions that they are, and the sum is rounded once.

    >>> import numpy as np
    >>> brs(np.array([[1, 2], [3, 4]]), np.array([[1, 0], [0, 1]]))      # 1 - 14 - 314 + 427
    100
    """
    return _bristolian(A, E)


def ubrs(A: Any) -> Number:
    """The unitary Bristolian of a matrix, as ``thewalrus.ubrs``: that of A and 0.

    >>> import numpy as np
    >>> ubrs(np.array([[1, 2], [3, 4]]))                                 # -8 - 288 + 396
    100
    """
    return _bristolian(A, None)


def _bristolian(A: Any, E: Any) -> Number:
    np = _numpy()
    amplitudes = _array(A)
    if amplitudes.ndim != 2:
        raise input_error("<matrix>", "a matrix of two dimensions", f"an array of shape {amplitudes.shape}")
    m, n = amplitudes.shape
    lost = np.zeros((n, n), dtype=int) if E is None else _array(E)
    if lost.shape != (n, n):
        raise input_error("<matrix>", f"E of shape {(n, n)}, beside the columns of A", f"an array of shape {lost.shape}")
    given = scaled(amplitudes, lost)
    by = given.denominator
    rows = [given.arrays[0][n * i : n * (i + 1)] for i in range(m)]
    # A_Z^H A_Z is over by**2, and so is E then. A row more or less at a time, in Gray code.
    current = [[entry * by for entry in given.arrays[1][n * i : n * (i + 1)]] for i in range(n)]
    total: Whole = _zero(given)
    inside = [False] * m
    for step in range(2**m):
        if step:
            at = (step & -step).bit_length() - 1
            inside[at] = not inside[at]
            for i, a in enumerate(rows[at]):
                left = a.conjugate()
                for j, b in enumerate(rows[at]):
                    current[i][j] = current[i][j] + left * b if inside[at] else current[i][j] - left * b
        if E is None and not any(inside):
            continue
        value = _whole(counting.permanent(current, exact=True))
        total = total + value if (m - sum(inside)) % 2 == 0 else total - value
    return answer(total, by ** (2 * n), given.exact, given.complex)
