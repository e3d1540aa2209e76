"""Matrices of numpy, scipy.sparse, sympy and python-flint, and lists of rows."""

from __future__ import annotations

import importlib
import math
import sys
from array import array
from collections.abc import Sequence
from typing import Any

from .. import _core
from ..errors import input_error
from ..graphs import Graph
from .request import Request
from .weights import finite, packed, plain, with_type

__all__ = ["from_array", "from_flint", "from_numpy", "from_rows", "from_scipy", "from_sympy", "nearly_symmetric"]

#: How far two entries that mirror each other may be apart, as a share of the largest entry: what rounding makes of a symmetric matrix.
ROUNDING = 1e-12
_ROUNDING_OF_SINGLES = 1e-5


def _entry(row: Any, column: Any) -> str:
    return f"in row {row}, column {column}"


def _square(where: str, kind: str, rows: int, columns: int) -> None:
    if kind != "bipartite" and rows != columns:
        raise input_error(where, f"a square matrix for {'an' if kind[0] == 'u' else 'a'} {kind} graph", f"{rows} rows and {columns} columns")


# numpy -----------------------------------------------------------------------------------------------------------


def _numpy_numbers(where: str, values: Any, place: Any, exact: bool) -> Any:
    """A one-dimensional array of numbers as the core takes it: int64, float64, complex128, or a list of exact numbers."""
    np: Any = sys.modules["numpy"]
    kind = values.dtype.kind
    if kind in "biu":
        if kind == "u" and values.size and values.dtype.itemsize == 8 and values.max() > np.iinfo(np.int64).max:
            return values.tolist()
        return values.astype(np.int64, copy=False)
    if values.dtype.itemsize > (8 if kind == "f" else 16):
        raise input_error(where, "float64, complex128 or exact numbers", f"an array of dtype {values.dtype}")
    sound = np.isfinite(values)
    if not sound.all():
        first = int(np.argmin(sound))
        raise input_error(where, "finite numbers", f"{values[first]} {place(first)}")
    if not exact:
        return values.astype(np.float64 if kind == "f" else np.complex128, copy=False)
    if kind == "c":
        return values.astype(np.complex128, copy=False)
    return packed(values.tolist(), True, where, place)


def from_numpy(given: Any, request: Request) -> Graph:
    """A two-dimensional array of numbers, or of Python's exact numbers (dtype object)."""
    np: Any = sys.modules["numpy"]
    where = "<matrix>"
    if isinstance(given, np.ma.MaskedArray):
        raise input_error(where, "an array without a mask", "a masked one (filled() gives its entries values)")
    shape: tuple[int, ...] = getattr(given, "shape", ())
    if len(shape) != 2:
        raise input_error(where, "a matrix of two dimensions", f"an array of shape {shape}")
    rows, columns = shape
    notes: tuple[str, ...] = ()
    if request.symmetric and rows == columns and given.dtype.kind in "fc" and not request.exact:
        nearly = nearly_symmetric(given)
        if nearly is not None:
            given, notes = nearly
    if given.dtype.kind == "O":
        return from_rows(np.asarray(given).tolist(), request, form="numpy", columns=columns)
    kind = request.matrix_kind(where)
    _square(where, kind, rows, columns)
    flat = np.asarray(given).ravel()
    if given.dtype.kind not in "biufc":
        raise input_error(where, "numbers", f"an array of dtype {given.dtype}")
    filled = np.flatnonzero(flat)
    tails, heads = np.divmod(filled, max(columns, 1))
    values = flat[filled]

    def place(number: int) -> str:
        return _entry(tails[number], heads[number])

    if request.values or given.dtype.kind in "fc":  # NaN is no edge, whether or not values count
        numbers = _numpy_numbers(where, values, place, request.exact and request.values)
    if kind == "undirected" or (request.symmetric and rows == columns):
        mirrored = np.asarray(given).T.ravel()[filled]
        if not (mirrored == values).all():
            # The two that are farthest apart, unless the values are no numbers to subtract.
            far = mirrored != values
            if given.dtype.kind in "fc":
                far = abs(mirrored - values)
            first = int(np.argmax(far))
            _not_symmetric(where, tails[first], heads[first], values[first], mirrored[first], request)
    if kind == "undirected":
        _diagonal(where, tails[tails == heads], request)
        upper = np.flatnonzero(tails < heads)
        tails, heads = tails[upper], heads[upper]
        if request.values:
            numbers = numbers[upper] if isinstance(numbers, np.ndarray) else [numbers[at] for at in upper]
    core = _core.Graph.from_edges(
        kind, rows, columns if kind == "bipartite" else 0, tails, heads, numbers if request.values else None, where
    )
    return Graph._of(core, form="numpy", notes=notes)


def has_values(given: Any) -> bool:
    """Whether a matrix has entries besides 0 and 1, which say more than where the edges are."""
    np = sys.modules.get("numpy")
    data = getattr(given, "data", None) if hasattr(given, "tocsr") else given
    if np is not None and isinstance(data, np.ndarray) and data.dtype.kind in "biufc":
        return bool(((data != 0) & (data != 1)).any())
    if hasattr(given, "tocsr"):
        return has_values(given.tocoo())
    if np is not None and hasattr(type(given), "__array__") and not hasattr(given, "free_symbols"):
        return has_values(np.asarray(given).tolist() if np.asarray(given).dtype.kind == "O" else np.asarray(given))
    rows = given.tolist() if hasattr(given, "tolist") else given
    return any(plain(value) not in (0, 1) for row in rows for value in row)


def nearly_symmetric(given: Any) -> tuple[Any, tuple[str, ...]] | None:
    """A square array of floats that rounding made asymmetric, each entry the mean of its two, and a note; None of any other array."""
    np: Any = sys.modules["numpy"]
    matrix = np.asarray(given)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or matrix.dtype.kind not in "fc" or not matrix.size:
        return None
    if not np.isfinite(matrix).all():
        return None
    gaps = abs(matrix - matrix.T)
    largest_gap = gaps.max()
    single = matrix.dtype.itemsize < (8 if matrix.dtype.kind == "f" else 16)
    if largest_gap == 0 or not largest_gap <= (_ROUNDING_OF_SINGLES if single else ROUNDING) * abs(matrix).max():
        return None
    upper = np.triu(matrix + (matrix.T - matrix) / 2, 1)
    row, column = divmod(int(gaps.argmax()), matrix.shape[0])
    return upper + upper.T + np.diag(np.diag(matrix)), (_note(row, column, largest_gap),)


def _note(row: int, column: int, gap: Any) -> str:
    return f"symmetric up to rounding: the entries {_entry(row, column)} and {_entry(column, row)} differ by {float(gap):.2g}, others by no more; means were taken"


def _not_symmetric(where: str, row: Any, column: Any, one: Any, other: Any, request: Request) -> None:
    found = f"{one} {_entry(row, column)} and {other} {_entry(column, row)}"
    wanted = "a symmetric matrix"
    if any(type(plain(value)) in (float, complex) for value in (one, other)):
        found += f", a difference of {abs(one - other):.2g}"
        if request.values and not request.exact:
            wanted += f" (rounding may make a difference of {ROUNDING:g} times the largest entry)"
        elif request.values:
            wanted += " (exact=True takes no difference for rounding)"
    raise input_error(where, wanted, found)


def _diagonal(where: str, loops: Any, request: Request) -> None:
    if len(loops) and not request.drops_loops:
        raise input_error(
            where, "zeros on the diagonal (loops='drop' leaves it out)", f"an entry {_entry(loops[0], loops[0])}"
        )


# scipy.sparse ----------------------------------------------------------------------------------------------------


def from_scipy(given: Any, request: Request) -> Graph:
    """A matrix or array of any sparse format; entries that stand twice are added up, as scipy has it."""
    np: Any = sys.modules["numpy"]
    where = "<sparse matrix>"
    if not hasattr(given, "tocsr") or getattr(given, "ndim", 2) != 2:
        raise input_error("<scipy>", "a sparse matrix of two dimensions", f"an object of type {type(given).__name__}")
    kind = request.matrix_kind(where)
    rows, columns = given.shape
    _square(where, kind, rows, columns)
    if given.dtype.kind not in "biufc":
        raise input_error(where, "numbers", f"a sparse matrix of dtype {given.dtype}")
    csr = given.tocsr()
    if not csr.has_canonical_format:
        csr = csr.copy()
        csr.sum_duplicates()
    notes: tuple[str, ...] = ()
    if request.symmetric and rows == columns and csr.nnz and given.dtype.kind in "fc" and not request.exact and np.isfinite(csr.data).all():
        gaps = abs(csr - csr.T).tocoo()
        gap = gaps.data.max() if gaps.nnz else 0
        single = csr.dtype.itemsize < (8 if csr.dtype.kind == "f" else 16)
        if 0 < gap <= (_ROUNDING_OF_SINGLES if single else ROUNDING) * abs(csr.data).max():
            at = int(gaps.data.argmax())
            notes = (_note(int(gaps.row[at]), int(gaps.col[at]), gap),)
            csr = (csr + (csr.T - csr) / 2).tocsr()
            upper = type(csr)(csr)
            lower = csr.T.tocsr()
            coo = upper.tocoo()
            mirror = lower.tocoo()
            kept, turned = coo.row <= coo.col, mirror.row > mirror.col
            csr = type(coo)(
                (
                    np.concatenate((coo.data[kept], mirror.data[turned])),
                    (np.concatenate((coo.row[kept], mirror.row[turned])), np.concatenate((coo.col[kept], mirror.col[turned]))),
                ),
                shape=coo.shape,
            ).tocsr()
    if kind == "undirected":
        coo = csr.tocoo()
        _diagonal(where, coo.row[(coo.row == coo.col) & (coo.data != 0)], request)
        if coo.nnz and (coo.row == coo.col).any():
            off = coo.row != coo.col
            csr = type(coo)((coo.data[off], (coo.row[off], coo.col[off])), shape=coo.shape).tocsr()
    zeros = csr.nnz - int(np.count_nonzero(csr.data))
    if zeros:
        csr = csr.copy()
        csr.eliminate_zeros()
        notes = (*notes, f"{zeros} stored zero{'s' if zeros > 1 else ''} left out: a weight of 0 is no edge")

    def place(number: int) -> str:
        return _entry(int(np.searchsorted(csr.indptr, number, side="right")) - 1, csr.indices[number])

    numbers = None
    if request.values or given.dtype.kind in "fc":
        numbers = _numpy_numbers(where, csr.data, place, request.exact and request.values)
    if kind == "undirected" or (request.symmetric and rows == columns):
        other = csr.T.tocsr()
        different = (csr != other).tocoo()
        if different.nnz:
            at = int(abs(csr - other).tocsr()[different.row, different.col].argmax()) if given.dtype.kind in "fc" else 0
            row, column = int(different.row[at]), int(different.col[at])
            _not_symmetric(where, row, column, csr[row, column], other[row, column], request)
    core = _core.Graph.from_csr(
        kind, rows, columns, csr.indptr, csr.indices, numbers if request.values else None, where
    )
    return Graph._of(core, form="scipy", notes=notes)


# rows of Python objects ------------------------------------------------------------------------------------------


def from_rows(given: Sequence[Any], request: Request, *, form: str = "rows", columns: int | None = None) -> Graph:
    """A list of rows, each as long as the first."""
    where = "<matrix>"
    kind = request.matrix_kind(where)
    table: list[list[Any]] = []
    for number, row in enumerate(given):
        if isinstance(row, (str, bytes)) or not hasattr(row, "__iter__"):
            raise input_error(where, "rows of numbers", f"an object of type {type(row).__name__} as row {number}")
        table.append(list(row))
        if len(table[-1]) != len(table[0]):
            raise input_error(where, f"{len(table[0])} numbers in every row", f"{len(table[-1])} in row {number}")
    rows = len(table)
    width = len(table[0]) if table else (columns or 0)
    _square(where, kind, rows, width)
    tails: list[int] = []
    heads: list[int] = []
    values: list[Any] = []
    for i, row in enumerate(table):
        for j, value in enumerate(row):
            known = plain(value)
            if known is None:
                raise input_error(where, "a number", f"{with_type(value)} {_entry(i, j)}")
            if known != 0:
                tails.append(i)
                heads.append(j)
                values.append(known)

    def place(at: int) -> str:
        return _entry(tails[at], heads[at])

    notes: tuple[str, ...] = ()
    if request.symmetric and rows == width and not request.exact:
        values, notes = _means(tails, heads, values)
    if kind == "undirected" or (request.symmetric and rows == width):
        filled = {(i, j): value for i, j, value in zip(tails, heads, values)}
        unlike = [(i, j, value, filled.get((j, i), 0)) for (i, j), value in filled.items() if filled.get((j, i), 0) != value and value == value]
        if unlike:
            # The two that are farthest apart, where all can be subtracted.
            floats = all({type(value), type(other)} <= {int, float, complex} for _, _, value, other in unlike)
            _not_symmetric(where, *(max(unlike, key=lambda four: abs(four[2] - four[3])) if floats else unlike[0]), request)
    if kind == "undirected":
        _diagonal(where, [i for i, j in filled if i == j], request)
        upper = [(i, j, value) for (i, j), value in filled.items() if i < j]
        tails, heads = [i for i, _, _ in upper], [j for _, j, _ in upper]
        values = [value for _, _, value in upper]
    if request.values:
        numbers = packed(values, request.exact, where, place)
    else:
        finite(values, where, place)
    core = _core.Graph.from_edges(
        kind,
        rows,
        width if kind == "bipartite" else 0,
        array("q", tails),
        array("q", heads),
        numbers if request.values else None,
        where,
    )
    return Graph._of(core, form=form, notes=notes)


def _means(tails: list[int], heads: list[int], values: list[Any]) -> tuple[list[Any], tuple[str, ...]]:
    """The values of a matrix, where floats differ from their mirror images by rounding the means of the two."""
    if not any(type(value) in (float, complex) for value in values):
        return values, ()
    filled = {(i, j): value for i, j, value in zip(tails, heads, values)}
    worst, gap = (0, 0), 0.0
    for (i, j), value in filled.items():
        other = filled.get((j, i))
        if other is None:
            return values, ()  # no entry at all is no rounding
        if value == other:
            continue
        if not {type(value), type(other)} <= {int, float, complex} or not abs(value - other) < math.inf:
            return values, ()
        if abs(value - other) > gap:
            worst, gap = (i, j), abs(value - other)
    if gap == 0 or gap > ROUNDING * max(abs(value) for value in values if type(value) in (int, float, complex)):
        return values, ()
    means = [filled[min(i, j), max(i, j)] + (filled[max(i, j), min(i, j)] - filled[min(i, j), max(i, j)]) / 2 for i, j in filled]
    return means, (_note(*worst, gap),)


def from_array(given: Any, request: Request) -> Graph:
    """What numpy makes an array of: a memoryview, or an object with __array__, such as a tensor of torch."""
    if isinstance(given, memoryview) and "numpy" not in sys.modules and given.ndim == 2:
        return from_rows(given.tolist(), request, columns=given.shape[1] if given.shape else None)
    numpy = importlib.import_module("numpy")
    return from_numpy(numpy.asarray(given), request)


def from_sympy(given: Any, request: Request) -> Graph:
    """A matrix of exact or floating-point numbers, without symbols."""
    if not hasattr(given, "tolist") or not hasattr(given, "shape"):
        raise input_error("<sympy>", "a Matrix", f"an object of type {type(given).__name__}")
    rows = given.tolist()
    if len(given.shape) != 2:
        raise input_error("<sympy>", "a matrix of two dimensions", f"an array of shape {tuple(given.shape)}")
    return from_rows(rows, request, columns=int(given.shape[1]))


def from_flint(given: Any, request: Request) -> Graph:
    """fmpz_mat and fmpq_mat."""
    if type(given).__name__ not in ("fmpz_mat", "fmpq_mat"):
        raise input_error("<flint>", "an fmpz_mat or fmpq_mat", f"an object of type {type(given).__name__}")
    return from_rows(given.tolist(), request, columns=int(given.ncols()))
