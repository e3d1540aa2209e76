"""From what callers have to graphs: told by an object's module, so that nothing is imported that the caller has not."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import input_error
from ..graphs import Graph, read
from . import matrices, molecules, networks, tables
from .request import (
    ANY,
    CYCLE_COVERS,
    DETERMINANT,
    FACTORS,
    GROUND_STATES,
    HAFNIAN,
    LOOP_HAFNIAN,
    MATCHINGS,
    MAXIMUM_MATCHINGS,
    PERFECT_MATCHINGS,
    PERMANENT,
    PFAFFIAN,
    Problem,
    Request,
    warn_of_values,
    weight_is_open,
)

__all__ = [
    "ANY",
    "CYCLE_COVERS",
    "DETERMINANT",
    "FACTORS",
    "GROUND_STATES",
    "HAFNIAN",
    "LOOP_HAFNIAN",
    "MATCHINGS",
    "MAXIMUM_MATCHINGS",
    "PERFECT_MATCHINGS",
    "PERMANENT",
    "PFAFFIAN",
    "Problem",
    "graph_of",
]

_CONVERTERS = {
    "numpy": matrices.from_numpy,
    "scipy": matrices.from_scipy,
    "sympy": matrices.from_sympy,
    "flint": matrices.from_flint,
    "networkx": networks.from_networkx,
    "igraph": networks.from_igraph,
    "rustworkx": networks.from_rustworkx,
    "pandas": tables.from_pandas,
    "rdkit": molecules.from_rdkit,
}


def graph_of(given: Any, problem: Problem, reading: dict[str, Any], asked: bool = True) -> Graph:
    """The graph that the problem is about, checked to be one that it can be about.

    asked: whether it is to be answered now; then values that are not used are warned of."""
    request = Request(problem, **reading, asked=asked)
    if isinstance(given, Graph):
        graph = _as_asked(given, request)
    elif isinstance(given, (str, os.PathLike)):
        graph = _from_file(given, request)
    else:
        graph = _converter(given, request)(given, request)
        if weight_is_open(request) and graph.is_matrix and matrices.has_values(given):
            warn_of_values(f"<{type(given).__name__}>", "entries other than 0 and 1")
    if graph.kind not in problem.kinds:
        raise input_error(
            f"<{type(given).__name__}>",
            problem.wants,
            f"{'an' if graph.kind[0] == 'u' else 'a'} {graph.kind} one{problem.advice.get(graph.kind, '')}",
        )
    return graph


def _converter(given: Any, request: Request) -> Any:
    """By the module of the object's type or of what that is derived from; then lists in a list are the rows of a matrix,
    tuples are edges."""
    for base in type(given).__mro__:
        found = _CONVERTERS.get(base.__module__.partition(".")[0])
        if found is not None:
            return found
    if hasattr(given, "adjacency") and hasattr(given, "is_directed"):
        return networks.from_networkx  # made like one of networkx
    if isinstance(given, memoryview) or hasattr(type(given), "__array__"):
        return matrices.from_array
    if isinstance(given, Mapping):
        return tables.from_neighbours
    if isinstance(given, Sequence) and not isinstance(given, (bytes, bytearray, memoryview)):
        is_matrix = request.problem.matrices_only or (len(given) > 0 and not isinstance(given[0], tuple))
        return matrices.from_rows if is_matrix else tables.from_edges
    if hasattr(given, "__iter__") and not isinstance(given, (bytes, bytearray, memoryview)):
        from_sequence = matrices.from_rows if request.problem.matrices_only else tables.from_edges
        return lambda items, request: from_sequence(list(items), request)
    raise input_error(
        "<argument>",
        "a graph of networkx, igraph or rustworkx, a molecule of RDKit, a matrix of numpy, scipy, sympy or python-flint, a list, a dict, a "
        "DataFrame, a path or a countpm.Graph",
        f"an object of type {type(given).__name__}",
    )


def _from_file(given: str | os.PathLike[str], request: Request) -> Graph:
    named = os.fsdecode(given)
    kind: Any = request.kind
    if kind is None and not named.startswith("lattice:"):
        kind = request.problem.file_kind
    return read(
        given, kind=kind, weight=request.values or bool(request.weight), multi=request.multi, loops=request.loops
    )


def _as_asked(graph: Graph, request: Request) -> Graph:
    """A graph stays as it was read; what asks for another reading cannot have it."""
    if request.kind not in (None, graph.kind) and not (request.kind == "symmetric" and graph.kind == "directed"):
        raise input_error("<Graph>", f"kind={request.kind!r}, or no kind", f"a Graph that was read as {graph.kind}")
    if request.problem.values and graph._values_left_out:
        raise input_error(
            "<Graph>",
            f"a Graph that was read with weight=True: {request.problem.name}() is of the values of the matrix",
            "one that was read without them",
        )
    if request.weight is not None and not graph.weighted:
        raise input_error("<Graph>", "no weight, or a Graph that was read with its weights", "a Graph without weights")
    return graph
