"""Matrices: text of NumPy, MATLAB and spreadsheets, NumPy's and SciPy's own files, Matrix Market; boards."""

from __future__ import annotations

import ast
import csv
import io
import re
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import scipy.io
import scipy.io._mmio as _mmio  # its reader in Python: that in C++ crashes on some damaged files
import scipy.sparse

from .drawn import Case, drawn_graph, drawn_rows
from .networks import Network, Refused, network, number, of_matrix

NUMBERS = ("", "integer", "signed", "decimal")
LARGEST = 40  # lines of a matrix; what a mutated header asks for beyond is not made


def _numbers(rows: list[list[str]]) -> list[list[Any]]:
    return [[number(word) for word in row] for row in rows]


def _loaded(values: np.ndarray) -> Network:
    if not values.size:
        raise Refused("no numbers, which numpy takes with a warning")
    return of_matrix(values.tolist())


def dense_text(random: Random) -> Case:
    """Numbers with blanks, commas or semicolons between them; numpy.loadtxt."""
    rows = drawn_rows(random, NUMBERS)
    separator = random.choice((" ", " ", "\t", ",", ";", ", "))
    comment = "# rows x columns\n" if random.random() < 0.15 else ""
    text = comment + "\n".join(separator.join(row) for row in rows) + "\n"

    def read(text: str) -> Network:
        return _loaded(np.loadtxt(io.StringIO(text), delimiter=separator.strip(" ") or None, ndmin=2))

    return Case(text, "dense", ".dense", read, of_matrix(_numbers(rows)), weight=True)


def savetxt(random: Random) -> Case:
    """What numpy.savetxt writes, complex numbers too."""
    rows = drawn_rows(random, (*NUMBERS, "complex", "complex"))
    values = np.array(_numbers(rows))
    style = {"fmt": "%d"} if values.dtype.kind == "i" and random.random() < 0.5 else {}
    out = io.StringIO()
    separator = random.choice((" ", ",", "\t"))
    np.savetxt(out, values, delimiter=separator, **style)

    def read(text: str) -> Network:
        kind = values.dtype if values.dtype.kind == "c" else float
        return _loaded(np.loadtxt(io.StringIO(text), delimiter=separator if separator == "," else None, dtype=kind, ndmin=2))

    return Case(out.getvalue(), "dense", random.choice((".dense", ".txt")), read, of_matrix(values.tolist()), weight=True)


def packed_rows(random: Random) -> Case:
    """0110."""
    rows = drawn_rows(random)
    text = "\n".join(map("".join, rows)) + "\n"

    def read(text: str) -> Network:
        lines = [line.strip() for line in text.split("\n") if line.strip() and line.lstrip()[0] not in "#%"]
        if not lines or any(set(line) - set("01") for line in lines):
            raise Refused("other letters")
        return of_matrix([list(map(int, line)) for line in lines])

    return Case(text, "dense", random.choice((".dense", ".01")), read, of_matrix(_numbers(rows)), by=("ending", "option", "content"))


def _is_number(text: str) -> bool:
    try:
        number(text)
    except (ValueError, Refused):
        return False
    return True


def spreadsheet(random: Random) -> Case:
    """A matrix in CSV, with names of rows and columns or without; pandas."""
    rows = drawn_rows(random, ("", "integer", "decimal"), square=0.7)
    separator = random.choice((",", ";", "\t"))
    labelled = random.random() < 0.6
    heads = [f"c{j}" for j in range(len(rows[0]))]
    names = [f"r{i}" for i in range(len(rows))]
    lines = [[random.choice(("", "name")), *heads], *([name, *row] for name, row in zip(names, rows))] if labelled else rows
    text = "\n".join(map(separator.join, lines)) + "\n"

    def read(text: str) -> Network:
        text = "\n".join(line for line in text.split("\n") if not line.startswith("#"))
        frame = pd.read_csv(io.StringIO(text), sep=separator, header=0 if labelled else None, index_col=0 if labelled else False, dtype=str, keep_default_na=False,
                            skipinitialspace=True)
        if frame.isna().to_numpy().any():
            raise Refused("short lines")
        if not labelled:
            return of_matrix(_numbers(frame.to_numpy().tolist()))
        left, right = [str(name).strip() for name in frame.index], [str(name).strip() for name in frame.columns]
        if not len(frame) or all(_is_number(name) for name in right):
            raise Refused("the header is lost, and pandas was told of one")
        if len(set(left)) != len(left) or len(set(right)) != len(right) or "" in left + right:
            raise Refused("a name twice, or none")
        return of_matrix(_numbers(frame.to_numpy().tolist()), left=left, right=right)

    truth = of_matrix(_numbers(rows), left=names if labelled else None, right=heads if labelled else None)
    return Case(text, "dense", random.choice((".csv", ".csv", ".dense")), read, truth, weight=True, by=("content", "ending", "option"))



def literal(random: Random) -> Case:
    """[[0, 1], [1, 0]], {{0,1},{1,0}}, [0 1; 1 0], and what NumPy prints."""
    rows = drawn_rows(random, ("", "integer", "signed"))
    sort = random.randrange(4)
    if sort == 0:
        text = str(_numbers(rows))
    elif sort == 1:
        text = "{" + ",".join("{" + ",".join(row) + "}" for row in rows) + "}"
    elif sort == 2:
        text = "[" + "; ".join(map(" ".join, rows)) + "]"
    else:
        text = str(np.array(_numbers(rows)))

    def read(text: str) -> Network:
        text = text.strip()
        if sort == 2:
            if not re.fullmatch(r"\[[^\[\]]*\]", text):
                raise Refused("brackets")
            found: Any = [re.split(r"[\s,]+", part.strip()) for part in re.split(r";|\n", text[1:-1]) if part.strip()]
        elif sort == 3:
            if not re.fullmatch(r"\[(\s*\[[^\[\]]*\])+\s*\]", text):
                raise Refused("brackets")
            found = [part.split() for part in re.findall(r"\[([^\[\]]*)\]", text)]
        else:
            value = ast.literal_eval(text.translate({ord("{"): "[", ord("}"): "]"}) if sort == 1 else text)
            if not isinstance(value, (list, tuple)) or not all(isinstance(row, (list, tuple)) for row in value):
                raise Refused("no rows")
            found = [[repr(entry) for entry in row] for row in value]
        return of_matrix(_numbers(found))

    return Case(text + "\n", "dense", random.choice((".txt", ".dense")), read, of_matrix(_numbers(rows)), weight=True, by=("content", "option", "ending"))


def sized_matrix(random: Random) -> Case:
    """n, and then n rows, as in programming contests."""
    rows = drawn_rows(random, ("integer",), square=1)
    text = f"{len(rows)}\n" + "\n".join(map(" ".join, rows)) + "\n"

    def read(text: str) -> Network:
        size, *words = text.split()
        n = int(size)
        if n < 2:
            raise Refused("1 above a number is a matrix of one column as well")
        if len(words) != n * n or [len(line.split()) for line in text.split("\n") if line.strip()] != [1] + [n] * n:
            raise Refused("other sizes")
        return of_matrix(_numbers([words[n * i : n * i + n] for i in range(n)]))

    return Case(text, "dense", ".txt", read, of_matrix(_numbers(rows)), weight=True, kind="bipartite", by=("content",))


def printed(random: Random) -> Case:
    """Rows as Octave, R, SageMath and Python print them, and a line of MATLAB and of NumPy."""
    rows = drawn_rows(random, ("integer", "signed"))
    sort = random.randrange(5)
    if sort == 0:
        text = "A =\n\n" + "\n".join("   " + "   ".join(row) for row in rows) + "\n\n"
    elif sort == 1:
        heads = "     " + " ".join(f"[,{j + 1}]" for j in range(len(rows[0])))
        text = "\n".join([heads, *(f"[{i + 1},] " + " ".join(row) for i, row in enumerate(rows))]) + "\n"
    elif sort == 2:
        text = "\n".join("[" + ", ".join(row) + "]," for row in rows) + "\n"
    elif sort == 3:
        text = "A = [" + "; ".join(map(" ".join, rows)) + "];\n"
    else:
        text = "A = np.array(" + str(_numbers(rows)) + ")\n"

    def read(text: str) -> Network:
        lines = [line.strip() for line in text.split("\n") if line.strip()]
        if sort == 0 and lines and lines[0].replace(" ", "") == "A=":
            found = [line.split() for line in lines[1:]]
        elif sort == 1 and lines and all(re.fullmatch(r"\[,\d+\]", word) for word in lines[0].split()):
            found = [line.split()[1:] for line in lines[1:] if re.match(r"\[\d+,\]\s", line)]
            if len(found) != len(lines) - 1 or any(len(row) != len(lines[0].split()) for row in found):
                raise Refused("other rows")
        elif sort == 2 and all(re.fullmatch(r"\[[^\[\]]*\],?", line) for line in lines):
            found = [line.strip("[],").split(",") for line in lines]
        elif sort == 3 and (inner := re.fullmatch(r"A = \[([^\[\]]*)\];", text.strip())):
            found = [part.split() for part in inner[1].split(";")]
        elif sort == 4 and (inner := re.fullmatch(r"A = np\.array\((.*)\)", text.strip())):
            found = [[repr(entry) for entry in row] for row in ast.literal_eval(inner[1])]
        else:
            raise Refused("another form")
        if not found or any(len(row) != len(found[0]) for row in found):
            raise Refused("ragged rows")
        return of_matrix(_numbers([[word.strip() for word in row] for row in found]))

    return Case(text, "dense", random.choice((".txt", ".dense")), read, of_matrix(_numbers(rows)), weight=True, by=("option", "ending"))


def matrix_market(random: Random) -> Case:
    """What scipy.io.mmwrite writes, and what others do."""
    values = np.array(_numbers(drawn_rows(random, (*NUMBERS, "complex", "integer"), square=0.7)))
    square = values.shape[0] == values.shape[1]
    symmetry = "general"
    if square and random.random() < 0.3:
        values = values + values.T
        symmetry = "symmetric"
    if square and random.random() < 0.1:
        values = values - values.T
        symmetry = "skew-symmetric"
    out = io.BytesIO()
    sparse = random.random() < 0.6
    field = "pattern" if sparse and symmetry != "skew-symmetric" and set(values.flat) <= {0, 1} and random.random() < 0.7 else None
    scipy.io.mmwrite(out, scipy.sparse.coo_array(values) if sparse else values, symmetry=symmetry, field=field, comment=random.choice(("", "", " by a program")))
    text = out.getvalue().decode()
    if random.random() < 0.2:
        text = text.replace("MatrixMarket", "matrixmarket").replace("coordinate", "Coordinate")

    return Case(text, "mtx", random.choice((".mtx", ".mm")), read_matrix_market, of_matrix(values.tolist()), weight=True)


def read_matrix_market(text: str) -> Network:
    mark = "%%MatrixMarket"  # in any case, as the format says
    text = mark + text[len(mark) :] if text[: len(mark)].lower() == mark.lower() else text
    sized = [line for line in text.split("\n")[1:] if line.strip() and not line.startswith("%")]
    if not sized or not sized[0].isascii() or len(sized[0].split()) not in (2, 3):
        raise Refused("no sizes")  # for which SciPy looks without an end
    sizes = _mmio.mminfo(io.BytesIO(text.encode()))
    if max(sizes[:2]) > LARGEST:
        raise Refused("too large")
    found = _mmio.mmread(io.BytesIO(text.encode()))
    if scipy.sparse.issparse(found):
        places = list(zip(found.coords[0].tolist(), found.coords[1].tolist()))
        if len(set(places)) != len(places):
            raise Refused("an entry twice")
        found = found.toarray()
    return of_matrix(found.tolist())


_TYPES = ("i1", "u1", "<i2", ">i4", "<i8", "?", "<f4", "<f8", ">f8", "<c8", "<c16", "<u4")


def _array(random: Random) -> np.ndarray:
    values = np.array(_numbers(drawn_rows(random, ("", "integer"), square=0.7))).astype(random.choice(_TYPES))
    if values.dtype.kind in "fc":
        values = values * values.dtype.type(random.choice((1, 0.5, 0.1)))
    return np.asfortranarray(values) if random.random() < 0.3 else values


def npy(random: Random) -> Case:
    """numpy.save."""
    values = _array(random)
    out = io.BytesIO()
    np.save(out, values)

    def read(data: bytes) -> Network:
        return _of_array(np.load(io.BytesIO(data), allow_pickle=False))

    return Case(out.getvalue(), "npy", ".npy", read, _of_array(values), weight=True)


def _of_array(values: Any) -> Network:
    if not isinstance(values, np.ndarray) or values.ndim != 2 or values.dtype.kind not in "biufc" or max(values.shape) > LARGEST:
        raise Refused("no matrix")
    if values.shape[0] == 0 and values.shape[1] > 0:
        raise Refused("a matrix without rows: lists of lists have no columns then")
    return of_matrix(values.tolist() if values.size else [[] for _ in range(values.shape[0])])


def npz(random: Random) -> Case:
    """numpy.savez."""
    values = _array(random)
    out = io.BytesIO()
    (np.savez if random.random() < 0.5 else np.savez_compressed)(out, **{random.choice(("arr_0", "A", "weights")): values})

    def read(data: bytes) -> Network:
        with np.load(io.BytesIO(data), allow_pickle=False) as found:
            if len(found.files) != 1:
                raise Refused("several arrays")
            return _of_array(found[found.files[0]])

    return Case(out.getvalue(), "npz", ".npz", read, _of_array(values), weight=True)


def sparse_npz(random: Random) -> Case:
    """scipy.sparse.save_npz."""
    values = _array(random)
    values = values.astype(values.dtype.newbyteorder("="))  # scipy has no other order
    out = io.BytesIO()
    form = random.choice((scipy.sparse.csr_array, scipy.sparse.csc_array, scipy.sparse.coo_array))
    scipy.sparse.save_npz(out, form(values), compressed=random.random() < 0.5)
    return Case(out.getvalue(), "npz", ".npz", read_sparse_npz, _of_array(values), weight=True)


def read_sparse_npz(data: bytes) -> Network:
    found = scipy.sparse.load_npz(io.BytesIO(data))
    if found.ndim != 2 or max(found.shape) > LARGEST:
        raise Refused("too large")
    # SciPy's own loops run beyond arrays where indices are wrong.
    if found.format == "coo":
        places = list(zip(found.coords[0].tolist(), found.coords[1].tolist()))
    else:
        starts, indices = found.indptr.tolist(), found.indices.tolist()
        if starts[0] != 0 or starts[-1] != len(indices) or starts != sorted(starts) or len(starts) != found.shape[found.format == "csc"] + 1:
            raise Refused("indices")
        places = [(k, index) for k, (start, end) in enumerate(zip(starts, starts[1:])) for index in indices[start:end]]
        places = [place[::-1] for place in places] if found.format == "csc" else places
    if len(set(places)) != len(places) or len(places) != len(found.data) or found.data.dtype.kind not in "biufc":
        raise Refused("an entry twice")
    if any(not 0 <= i < found.shape[0] or not 0 <= j < found.shape[1] for i, j in places):
        raise Refused("indices")
    rows: list[list[Any]] = [[0] * found.shape[1] for _ in range(found.shape[0])]
    for (i, j), value in zip(places, found.data.tolist()):
        rows[i][j] = value
    return of_matrix(rows)


def board(random: Random) -> Case:
    """A region drawn with # and . ."""
    rows, columns = random.randint(2, 4), random.randint(2, 4)
    hole = random.choice("..  ")
    chance = random.choice((0.0, 0.15, 0.3))
    cells = [["#" if random.random() >= chance else hole for _ in range(columns)] for _ in range(rows)]
    cells[0][0] = "#"
    text = "\n".join(map("".join, cells)) + "\n"

    def read(text: str) -> Network:
        lines = [line.rstrip() for line in text.split("\n")]
        if any(set(line) - set("#. ") for line in lines):
            raise Refused("other letters")
        places = [(r, c) for r, line in enumerate(lines) for c, cell in enumerate(line) if cell == "#"]
        if not places:
            raise Refused("no cell")
        beside = [((r, c), other) for r, c in places for other in ((r, c + 1), (r + 1, c)) if other in places]
        return network("undirected", [(f"r{a}c{b}", f"r{r}c{c}", 1) for (a, b), (r, c) in beside], [f"r{r}c{c}" for r, c in places])

    return Case(text, "board", ".board", read, read(text))


def headed_matrix(random: Random) -> Case:
    """Names of columns above a matrix; Python's csv."""
    graph = drawn_graph(random, general=False)
    rows = [[str(int(any((a, b) == (u, v) for a, b, _ in graph.edges))) for v in graph.right] for u in graph.left]
    heads = [f"x{j}" for j in range(len(graph.right))]
    text = "\n".join([",".join(heads), *map(",".join, rows)]) + "\n"

    def read(text: str) -> Network:
        lines = [line for line in text.split("\n") if line.strip() and not line.startswith("#")]
        head, *found = csv.reader(lines, skipinitialspace=True, strict=True)
        right = [name.strip() for name in head]
        if not found or all(map(_is_number, right)):
            raise Refused("the header is lost, or alone")
        if any(len(row) != len(right) for row in found) or len(set(right)) != len(right):
            raise Refused("ragged rows, or a name twice")
        return of_matrix(_numbers(found), left=[f"r{i + 1}" for i in range(len(found))], right=right)

    return Case(text, "dense", ".csv", read, read(text), weight=True, by=("option", "content"))
