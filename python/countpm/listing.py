"""The matchings themselves: listed, drawn at random, and how likely each edge is."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from types import TracebackType
from typing import Any, Unpack

from . import _core
from .counting import prepared
from .graphs import Graph, ids_of
from .options import Options
from .progress import reporter

__all__ = ["EdgeValues", "Matchings", "iter_matchings", "marginals", "sample"]


def _matching(graph: Graph, raw: Any) -> Any:
    """A matching in the caller's terms: a set of pairs, of a matrix the column of each row."""
    ids = ids_of(raw)
    left = graph.nodes
    if graph.kind == "undirected":
        return {(left[ids[at]], left[ids[at + 1]]) for at in range(0, len(ids), 2)}
    if graph.is_matrix:
        return tuple(ids)
    right = graph.right_nodes if graph.kind == "bipartite" else left
    return {(left[row], right[column]) for row, column in enumerate(ids)}


class Matchings(Iterator[Any]):
    """Matchings one by one, each found when it is asked for, or shortly before.

    ``close()``, the end of a ``with``, or letting go of the object ends the search.
    """

    __slots__ = ("_core", "_graph")

    def __init__(self, graph: Graph, first: int, last: int | None) -> None:
        self._graph = graph
        self._core: Any = _core.MatchingIterator(graph.core, first, last)

    def __iter__(self) -> Matchings:
        return self

    def __next__(self) -> Any:
        if self._core is None:
            raise StopIteration
        return _matching(self._graph, next(self._core))

    def close(self) -> None:
        """Ends the search; there are no more matchings then."""
        if self._core is not None:
            self._core.close()
            self._core = None

    def __enter__(self) -> Matchings:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def iter_matchings(
    graph: object, problem: str | None = None, *, first: int = 1, last: int | None = None, **options: Unpack[Options]
) -> Matchings:
    """All perfect matchings (of a directed graph: cycle covers), one by one.

    Args:
        graph, problem: as for :func:`countpm.count`. Weights play no part.
        first, last: only those number first to last, counted from 1; whole branches of the search are passed over.
        **options: of those of reading in :class:`countpm.Options`.

    Returns:
        An iterator. A matching is a set of pairs (u, v) of the graph's vertices; of a cycle cover the arcs; of a matrix
        a tuple, the column of each row. They come in lexicographic order of (partner of the first vertex, ...).

    O(edges) between two matchings on average; of graphs with odd cycles O(vertices edges) at most.

    >>> import countpm, networkx as nx
    >>> for matching in countpm.iter_matchings(nx.cycle_graph(6)):
    ...     print(sorted(matching))
    [(0, 1), (2, 3), (4, 5)]
    [(0, 5), (2, 1), (4, 3)]
    >>> list(countpm.iter_matchings([[1, 1, 0], [0, 1, 1], [1, 0, 1]]))
    [(0, 1, 2), (1, 2, 0)]
    """
    given, core, _ = prepared(graph, problem, options)
    for name in core:
        raise _core.UsageError(f"iter_matchings() has no option {name!r}; it has first, last, problem, kind, weight, multi, loops, columns")
    return Matchings(given, first, last)


def sample(graph: object, k: int = 1, problem: str | None = None, **options: Unpack[Options]) -> Any:
    """Perfect matchings (cycle covers) drawn at random, independent and exactly in proportion to their weights.

    Args:
        graph, problem: as for :func:`countpm.count`.
        k: how many.
        **options: :class:`countpm.Options`; ``seed`` and the graph fix the draws, whatever the threads and the machine.

    Returns:
        A list of k matchings as :func:`countpm.iter_matchings` has them; of numpy and scipy matrices an integer array of
        shape (k, n), the column of each row. Empty where there is no perfect matching.

    Raises:
        UnableError: beyond the limits, and for negative or complex weights.

    By the method of frontiers (states as for a count), on planar graphs in polynomial time, Aztec diamonds by shuffling
    (Elkies, Kuperberg, Larsen, Propp, J. Algebraic Combin. 1 (1992) 219).

    >>> import countpm, networkx as nx
    >>> [matching] = countpm.sample(nx.path_graph(4), seed=1)
    >>> sorted(matching)
    [(0, 1), (2, 3)]
    """
    given, core, progress = prepared(graph, problem, options)
    with reporter(progress) as report:
        raw = _core.sample(given.core, k, core, report)
    if given._form in ("numpy", "scipy") and given.kind != "undirected":
        np: Any = sys.modules["numpy"]
        rows = [list(ids_of(one)) for one in raw]
        return np.array(rows, dtype=np.int64).reshape(len(rows), given.core.left)
    return [_matching(given, one) for one in raw]


class EdgeValues(dict[tuple[Any, Any], Any]):
    """A dict by edges; of an undirected graph ``values[u, v]`` and ``values[v, u]`` are the same."""

    directed = False

    def __missing__(self, edge: tuple[Any, Any]) -> Any:
        if not self.directed and isinstance(edge, tuple) and len(edge) == 2:
            turned = (edge[1], edge[0])
            if turned in self:
                return self[turned]
        raise KeyError(edge)


def marginals(graph: object, problem: str | None = None, **options: Unpack[Options]) -> Any:
    """How likely each edge is in a random perfect matching (cycle cover), drawn in proportion to the weights.

    Args:
        graph, problem: as for :func:`countpm.count`.
        **options: :class:`countpm.Options`. With ``exact=True`` probabilities are ``Fraction``, else floats, each rounded
            once from the exact value; floats as weights are taken as the fractions that they are in either case.

    Returns:
        A dict {(u, v): p}, which takes an undirected edge in either direction. Of a numpy matrix an array of its shape, of
        a scipy.sparse matrix one with its pattern (a dict of (row, column) with ``exact``), of a list of rows a list of
        rows. Without a perfect matching every p is 0.

    Raises:
        UnableError: beyond the limits; complex weights; weights that add up to 0.

    By forward and backward passes over the frontier's states, on planar graphs by an inverse in polynomial time (Kenyon,
    Ann. Inst. H. Poincare Probab. Statist. 33 (1997) 591).

    >>> import countpm, networkx as nx
    >>> countpm.marginals(nx.cycle_graph(6), exact=True)[0, 1]
    Fraction(1, 2)
    >>> countpm.marginals([[1, 1], [1, 1]])
    [[0.5, 0.5], [0.5, 0.5]]
    """
    exact = bool(options.get("exact", False))
    given, core, progress = prepared(graph, problem, options)
    with reporter(progress) as report:
        raw = _core.marginals(given.core, core, exact, report)
    values: Sequence[Any] = [Fraction(*value) for value in raw] if exact else raw
    return _edge_values(given, values or [Fraction(0) if exact else 0.0] * given.number_of_edges, exact)


def _edge_values(graph: Graph, values: Sequence[Any], exact: bool) -> Any:
    if not graph.is_matrix or (graph._form == "scipy" and exact):
        table = EdgeValues(zip(graph.edges(), values))
        table.directed = graph.kind != "undirected"
        return table
    tails, heads = map(list, map(ids_of, graph.core.edge_arrays()))
    if graph.kind == "undirected":
        tails, heads, values = tails + heads, heads + tails, [*values, *values]
    shape = graph.core.left, graph.core.right if graph.kind == "bipartite" else graph.core.left
    if graph._form == "scipy":
        return sys.modules["scipy.sparse"].csr_array((values, (tails, heads)), shape=shape)
    if graph._form == "numpy":
        np: Any = sys.modules["numpy"]
        array = np.full(shape, Fraction(0), dtype=object) if exact else np.zeros(shape)
        array[tails, heads] = values
        return array
    rows: list[list[Any]] = [[Fraction(0) if exact else 0.0] * shape[1] for _ in range(shape[0])]
    for row, column, value in zip(tails, heads, values):
        rows[row][column] = value
    return rows
