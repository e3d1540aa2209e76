"""Matrices of numpy, scipy.sparse, sympy and python-flint, and lists of rows."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from typing import Any

from .. import _core
from ..errors import input_error
from ..graphs import Graph
from .request import Request
from .weights import finite, packed, plain, with_type

__all__ = ["from_flint", "from_numpy", "from_rows", "from_scipy", "from_sympy"]


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
    if kind == "undirected":
        mirrored = np.asarray(given).T.ravel()[filled]
        if not (mirrored == values).all():
            first = int(np.argmin(mirrored == values))
            _not_symmetric(where, tails[first], heads[first], values[first], mirrored[first])
        _diagonal(where, tails[tails == heads], request)
        upper = np.flatnonzero(tails < heads)
        tails, heads = tails[upper], heads[upper]
        if request.values:
            numbers = numbers[upper] if isinstance(numbers, np.ndarray) else [numbers[at] for at in upper]
    core = _core.Graph.from_edges(
        kind, rows, columns if kind == "bipartite" else 0, tails, heads, numbers if request.values else None, where
    )
    return Graph._of(core, form="numpy")


def _not_symmetric(where: str, row: Any, column: Any, one: Any, other: Any) -> None:
    raise input_error(
        where, "a symmetric matrix", f"{one} {_entry(row, column)} and {other} {_entry(column, row)}"
    )


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
        notes = (f"{zeros} stored zero{'s' if zeros > 1 else ''} left out: a weight of 0 is no edge",)

    def place(number: int) -> str:
        return _entry(int(np.searchsorted(csr.indptr, number, side="right")) - 1, csr.indices[number])

    numbers = None
    if request.values or given.dtype.kind in "fc":
        numbers = _numpy_numbers(where, csr.data, place, request.exact and request.values)
    if kind == "undirected":
        other = csr.T.tocsr()
        different = (csr != other).tocoo()
        if different.nnz:
            row, column = int(different.row[0]), int(different.col[0])
            _not_symmetric(where, row, column, csr[row, column], other[row, column])
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

    if kind == "undirected":
        filled = {(i, j): value for i, j, value in zip(tails, heads, values)}
        for (i, j), value in filled.items():
            if filled.get((j, i), 0) != value and value == value:
                _not_symmetric(where, i, j, value, filled.get((j, i), 0))
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
    return Graph._of(core, form=form)


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
