"""The matchings themselves: listed, drawn at random, and how likely each edge is."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from types import TracebackType
from typing import Any, Unpack

from . import _core
from .answers import table
from .counting import prepared, told
from .convert import MATCHINGS, graph_of
from .errors import input_error
from .graphs import Graph, ids_of
from .monomers import weight_text
from .options import Options, part, whole
from .progress import reporter

__all__ = ["EdgeValues", "Matchings", "iter_matchings", "marginals", "pair_marginals", "sample"]

_MOST_SHOWN = 40  # edges, of a table in a notebook


def _matching(graph: Graph, raw: Any, pairs: bool = False, both: Sequence[Any] | None = None) -> Any:
    """A matching in the caller's terms: a set of pairs, of a matrix the column of each row.

    pairs: vertices may be free, so that both ends are there. both: the vertices of two sides in one list.
    """
    ids = ids_of(raw)
    left = graph.nodes
    if both is not None or graph.kind == "undirected":
        names = left if both is None else both
        return {(names[ids[at]], names[ids[at + 1]]) for at in range(0, len(ids), 2)}
    if pairs:
        column = dict(zip(ids[::2], ids[1::2]))
        if graph.is_matrix:
            return tuple(column.get(row) for row in range(graph.core.left))
        right = graph.right_nodes
        return {(left[row], right[at]) for row, at in column.items()}
    if graph.is_matrix:
        return tuple(ids)
    right = graph.right_nodes if graph.kind == "bipartite" else left
    return {(left[row], right[column]) for row, column in enumerate(ids)}


def _both_sides(graph: Graph) -> Sequence[Any]:
    """The vertices as they are numbered with monomers: those of the left side first."""
    return [*graph.nodes, *graph.right_nodes] if graph.kind == "bipartite" else graph.nodes


def with_monomers(name: str, graph: object, problem: str | None, monomers: object, options: Any) -> tuple[Graph, dict[str, Any], Any, str]:
    """As prepared(), and the weight of a vertex that stays alone as text."""
    if problem is not None:
        raise _core.UsageError(f"{name}(monomers=...) is of all matchings; problem={problem!r} asks for others")
    reading, core, progress = part(options)
    given = graph_of(graph, MATCHINGS, reading)
    if given.is_matrix and given.kind == "bipartite":
        raise _core.UsageError(
            f"{name}(monomers=...) of a biadjacency matrix has no names for rows and columns that stay alone: give a graph, "
            "or a symmetric matrix with kind='undirected'"
        )
    if given.notes:
        told(given.notes)
    return given, core, progress, weight_text(monomers, "monomers", bool(options.get("exact")))


class Matchings(Iterator[Any]):
    """Matchings one by one, each found when it is asked for, or shortly before.

    ``close()``, the end of a ``with``, or letting go of the object ends the search.
    """

    __slots__ = ("_both", "_core", "_graph")

    def __init__(self, graph: Graph, first: int, last: int | None, monomers: str = "", orbits: bool = False) -> None:
        self._graph = graph
        self._both = _both_sides(graph) if monomers else None
        end = None if last is None else whole("last", last, 0)
        self._core: Any = _core.MatchingIterator(graph.core, whole("first", first, 1), end, monomers, orbits)

    def __iter__(self) -> Matchings:
        return self

    def __next__(self) -> Any:
        if self._core is None:
            raise StopIteration
        return _matching(self._graph, next(self._core), both=self._both)

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
    graph: object,
    problem: str | None = None,
    *,
    first: int = 1,
    last: int | None = None,
    monomers: bool = False,
    up_to_symmetry: bool = False,
    **options: Unpack[Options],
) -> Matchings:
    """All perfect matchings (of a directed graph: cycle covers), one by one.

    Args:
        graph, problem: as for :func:`countpm.count`. Weights play no part.
        first, last: only those number first to last, counted from 1; whole branches of the search are passed over.
        monomers: all matchings, perfect or not; a matching is the set of its edges.
        up_to_symmetry: one of those that symmetries of the graph take to each other (:func:`countpm.count_orbits`); no
            ``first`` and ``last``.
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
    >>> len(list(countpm.iter_matchings("lattice:square:4x4", up_to_symmetry=True)))       # of 36
    9
    """
    if monomers:
        given, core, _, text = with_monomers("iter_matchings", graph, problem, 1, options)
    else:
        given, core, _ = prepared(graph, problem, options)
        text = ""
    which = core.pop("matchings", "perfect")
    if which == "maximum" or (which == "smaller_side" and given.kind == "bipartite" and given.core.left != given.core.right):
        raise _core.UsageError("iter_matchings() lists perfect matchings, not maximum ones")
    for name in core:
        raise _core.UsageError(f"iter_matchings() has no option {name!r}; it has first, last, monomers, up_to_symmetry, problem, kind, weight, multi, loops, columns")
    return Matchings(given, first, last, text, up_to_symmetry)


def sample(
    graph: object, number: int = 1, problem: str | None = None, *, monomers: object = None, sampler: str = "auto", **options: Unpack[Options]
) -> Any:
    """Perfect matchings (cycle covers) drawn at random, independent and exactly in proportion to their weights.

    Args:
        graph, problem: as for :func:`countpm.count`.
        number: how many.
        monomers: the weight of a vertex that stays alone: all matchings are drawn, perfect or not, a set of edges each.
        sampler: ``"annealed"``, ``"bethe"`` or ``"boundary"``: approximately, by weighted samples, where exact draws are out
            of reach. How far chances may be off goes to the log.
        **options: :class:`countpm.Options`; ``seed`` and the graph fix the draws, whatever the threads and the machine. What is
            predicted to take longer than ``time_limit``, or more memory than ``memory_limit``, is refused before it begins
            (:func:`countpm.explain_sample` says by how much, and what else there is).

    Returns:
        A list of so many matchings as :func:`countpm.iter_matchings` has them; of numpy and scipy matrices an integer array of
        shape (number, n), the column of each row. Empty where there is no perfect matching. With
        ``problem="maximum_matchings"`` rows may be free: ``None``, or -1 in an array.

    Raises:
        UnableError: beyond the limits, and for negative or complex weights.

    By the method of frontiers (states as for a count), on planar graphs in polynomial time, Aztec diamonds by shuffling
    (Elkies, Kuperberg, Larsen, Propp, J. Algebraic Combin. 1 (1992) 219).

    >>> import countpm, networkx as nx
    >>> [matching] = countpm.sample(nx.path_graph(4), seed=1)
    >>> sorted(matching)
    [(0, 1), (2, 3)]
    """
    number = whole("number", number, 0)

    def draw(given: Graph, core: Any, progress: Any, text: str = "") -> list[bytes]:
        with reporter(progress) as report:
            if sampler == "auto":
                return _core.sample(given.core, number, core, report, text)
            found = _core.approximate_sample(given.core, number, sampler, core, report, text)
        told(tuple(found["notes"]))
        return list(found["draws"])

    if monomers is not None:
        given, core, progress, text = with_monomers("sample", graph, problem, monomers, options)
        return [_matching(given, one, both=_both_sides(given)) for one in draw(given, core, progress, text)]
    given, core, progress = prepared(graph, problem, options)
    which = core["matchings"]
    pairs = which == "maximum" or (which == "smaller_side" and given.kind == "bipartite" and given.core.left != given.core.right)
    raw = draw(given, core, progress)
    drawn = [_matching(given, one, pairs) for one in raw] if pairs else []
    if given._form in ("numpy", "scipy") and given.kind != "undirected":
        np: Any = sys.modules["numpy"]
        rows = [[-1 if at is None else at for at in one] for one in drawn] if pairs else [list(ids_of(one)) for one in raw]
        return np.array(rows, dtype=np.int64).reshape(len(rows), given.core.left)
    return drawn if pairs else [_matching(given, one) for one in raw]


class EdgeValues(dict[tuple[Any, Any], Any]):
    """A dict by edges; of an undirected graph ``values[u, v]`` and ``values[v, u]`` are the same."""

    directed = False

    def __missing__(self, edge: tuple[Any, Any]) -> Any:
        if not self.directed and isinstance(edge, tuple) and len(edge) == 2:
            turned = (edge[1], edge[0])
            if turned in self:
                return self[turned]
        raise KeyError(edge)

    def _repr_html_(self) -> str:
        """The largest values, for Jupyter."""
        largest = sorted(self.items(), key=lambda item: -item[1])[:_MOST_SHOWN]
        left = len(self) - len(largest)
        title = f"{len(self)} edges" if not left else f"{len(self)} edges, the {len(largest)} with the largest values"
        return table(title, [(f"{u} - {v}", f"{value:.6g}" if isinstance(value, float) else value) for (u, v), value in largest])


def marginals(
    graph: object,
    problem: str | None = None,
    *,
    monomers: object = None,
    sampled: bool = False,
    error: float = 0.01,
    samples: int | None = None,
    sampler: str | None = None,
    **options: Unpack[Options],
) -> Any:
    """How likely each edge is in a random perfect matching (cycle cover), drawn in proportion to the weights.

    Args:
        graph, problem: as for :func:`countpm.count`.
        monomers: the weight of a vertex that stays alone: in a random matching, perfect or not. ``values[v, v]`` (of a
            symmetric matrix the diagonal) is how likely v is to stay alone.
        sampled: by weighted samples, where no exact method reaches: until no edge's standard error is above
            ``error``, or exactly ``samples`` of every piece, by ``sampler`` (``"boundary"``, ``"bethe"``, ``"annealed"``); ``seed``
            fixes them, ``time_limit`` is 60 s unless given. What speaks against the errors goes to the log.
        **options: :class:`countpm.Options`. With ``exact=True`` probabilities are ``Fraction``, else floats, each rounded
            once from the exact value; floats as weights are taken as the fractions that they are in either case.

    Returns:
        A dict {(u, v): p}, which takes an undirected edge in either direction. Of a numpy matrix an array of its shape, of
        a scipy.sparse matrix one with its pattern (a dict of (row, column) with ``exact``), of a list of rows a list of
        rows. Without a perfect matching every p is 0. With ``sampled=True`` two of these: the probabilities, and their
        standard errors.

    Raises:
        UnableError: beyond the limits; complex weights; weights that add up to 0; negative ones where they are sampled.

    By forward and backward passes over the frontier's states, on planar graphs by an inverse in polynomial time (Kenyon,
    Ann. Inst. H. Poincare Probab. Statist. 33 (1997) 591).

    >>> import countpm, networkx as nx
    >>> countpm.marginals(nx.cycle_graph(6), exact=True)[0, 1]
    Fraction(1, 2)
    >>> countpm.marginals([[1, 1], [1, 1]])
    [[0.5, 0.5], [0.5, 0.5]]
    >>> p, error = countpm.marginals(nx.cycle_graph(6), sampled=True)
    >>> abs(p[0, 1] - 0.5) < 3 * error[0, 1] < 0.03
    True
    """
    exact = bool(options.get("exact", False))
    if sampled:
        if exact:
            raise _core.UsageError("marginals(exact=True, sampled=True): samples have an error")
        wishes = {name: value for name, value in (("samples", samples), ("sampler", sampler)) if value is not None}
        return _sampled_marginals(graph, problem, monomers, error, wishes, options)
    if samples is not None or sampler is not None or error != 0.01:
        raise _core.UsageError("marginals(samples=..., sampler=..., error=...) are for sampled=True")
    if monomers is not None:
        given, core, progress, text = with_monomers("marginals", graph, problem, monomers, options)
        shared = set(given.nodes).intersection(given.right_nodes) if given.kind == "bipartite" else set()
        if shared:
            raise _core.UsageError(f"marginals(monomers=...): {min(shared)!r} is a vertex of both sides, and how likely each is to stay alone needs two names")
        with reporter(progress) as report:
            shares: Any = _core.marginals(given.core, core, exact, report, text)
        return _with_vertices(given, [Fraction(*value) for value in shares] if exact else shares, exact)
    given, core, progress = prepared(graph, problem, options)
    with reporter(progress) as report:
        raw: Any = _core.marginals(given.core, core, exact, report)
    values: Sequence[Any] = [Fraction(*value) for value in raw] if exact else raw
    return _edge_values(given, values or [Fraction(0) if exact else 0.0] * given.number_of_edges, exact)


def _sampled_marginals(
    graph: object, problem: str | None, monomers: object, error: float, wishes: dict[str, Any], options: Any
) -> tuple[Any, Any]:
    text = ""
    if monomers is not None:
        given, core, progress, text = with_monomers("marginals", graph, problem, monomers, options)
        if given.kind == "bipartite" and set(given.nodes).intersection(given.right_nodes):
            raise _core.UsageError("marginals(monomers=...): a vertex of both sides needs two names")
    else:
        given, core, progress = prepared(graph, problem, options)
    with reporter(progress) as report:
        found = _core.sampled_marginals(given.core, core, wishes, float(error), report, text)
    told(tuple(found["notes"]))
    if text:
        return _with_vertices(given, found["probabilities"], False), _with_vertices(given, found["errors"], False)
    nothing = [0.0] * given.number_of_edges
    return _edge_values(given, found["probabilities"] or nothing, False), _edge_values(given, found["errors"] or nothing, False)


def pair_marginals(
    graph: object,
    pairs: Sequence[tuple[Any, Any]],
    problem: str | None = None,
    *,
    monomers: object = None,
    sampled: bool = False,
    error: float = 0.01,
    samples: int | None = None,
    sampler: str | None = None,
    **options: Unpack[Options],
) -> Any:
    """How likely two edges are together in a random perfect matching (cycle cover): their correlations.

    Args:
        graph, problem: as for :func:`countpm.count`.
        pairs: pairs of edges ((u, v), (x, y)), of a matrix pairs of entries ((row, column), (row, column)).
        monomers: as for :func:`marginals`: in a random matching, perfect or not. (v, v) is then v that stays alone.
        sampled, error, samples, sampler: by weighted samples, as for :func:`marginals`; ``error`` is for the
            edges, the joint probabilities and the covariances.
        **options: :class:`countpm.Options`, as for :func:`marginals`.

    Returns:
        A list with the probability of each pair, exact (``Fraction``) or rounded once to a float. 0 where two edges share
        an end, and for an edge with itself its own probability. With :func:`marginals` it gives the covariance,
        P(e and f) - P(e) P(f). With ``sampled=True`` four lists: the probabilities, their standard errors, the covariances
        and the standard errors of these.

    Raises:
        UnableError: as for :func:`marginals`. InputError: an edge that the graph does not have.

    Each different first edge costs as much as :func:`marginals`: it takes those of the graph without its ends. Of samples
    the same ones serve all pairs.

    >>> import countpm, networkx as nx
    >>> countpm.pair_marginals(nx.cycle_graph(6), [((0, 1), (2, 3)), ((0, 1), (3, 4))], exact=True)
    [Fraction(1, 2), Fraction(0, 1)]
    >>> countpm.pair_marginals(nx.path_graph(3), [((0, 1), (2, 2)), ((0, 0), (2, 2))], monomers=1, exact=True)
    [Fraction(1, 3), Fraction(1, 3)]
    >>> joint, error, covariance, _ = countpm.pair_marginals(nx.cycle_graph(6), [((0, 1), (2, 3))], sampled=True)
    >>> abs(joint[0] - 0.5) < 5 * error[0], abs(covariance[0] - 0.25) < 0.01
    (True, True)
    """
    exact = bool(options.get("exact", False))
    if sampled and exact:
        raise _core.UsageError("pair_marginals(exact=True, sampled=True): samples have an error")
    if not sampled and (samples is not None or sampler is not None or error != 0.01):
        raise _core.UsageError("pair_marginals(samples=..., sampler=..., error=...) are for sampled=True")
    if monomers is None:
        given, core, progress = prepared(graph, problem, options)
        asked = given.core
    else:
        given, core, progress, text = with_monomers("pair_marginals", graph, problem, monomers, options)
        if given.kind == "bipartite" and set(given.nodes).intersection(given.right_nodes):
            raise _core.UsageError("pair_marginals(monomers=...): a vertex of both sides needs two names")
        asked = _core.with_monomers(given.core, text)
    place = {edge: at for at, edge in enumerate(given.edges())}
    if given.kind == "undirected":
        place = {**{(v, u): at for (u, v), at in place.items()}, **place}
    if monomers is not None:
        place.update({(v, v): given.number_of_edges + at for at, v in enumerate(_both_sides(given))})
    numbers = []
    for at, pair in enumerate(pairs):
        try:
            first, second = (tuple(edge) for edge in pair)
            numbers.append((place[first], place[second]))
        except KeyError as unknown:
            raise input_error("<pairs>", "edges of the graph", f"{unknown.args[0]!r} in pair {at}") from None
        except (TypeError, ValueError):
            raise input_error("<pairs>", "pairs of edges ((u, v), (x, y))", f"{pair!r} as pair {at}") from None
    if sampled:
        wishes = {name: value for name, value in (("samples", samples), ("sampler", sampler)) if value is not None}
        with reporter(progress) as report:
            found = _core.sampled_pair_marginals(asked, numbers, core, wishes, float(error), report)
        told(tuple(found["notes"]))
        rows = found["pairs"] or [(0.0, 0.0, 0.0, 0.0)] * len(numbers)
        return tuple([row[k] for row in rows] for k in range(4))
    with reporter(progress) as report:
        raw = _core.pair_marginals(asked, numbers, core, report)
    return [Fraction(*value) if exact else float(Fraction(*value)) for value in raw]


def _with_vertices(graph: Graph, values: Sequence[Any], exact: bool) -> Any:
    """Those of the edges, and after them those of the vertices."""
    edges = graph.number_of_edges
    if not graph.is_matrix:
        vertices = _both_sides(graph)
        return EdgeValues(zip([*graph.edges(), *zip(vertices, vertices)], values))
    table = _edge_values(graph, values[:edges], exact)
    alone = enumerate(values[edges:])
    if graph._form == "rows" or isinstance(table, dict):
        for v, value in alone:
            if isinstance(table, dict):
                table[v, v] = value
            else:
                table[v][v] = value
        return table
    if graph._form == "scipy":
        return table + sys.modules["scipy.sparse"].diags_array(values[edges:])
    for v, value in alone:
        table[v, v] = value
    return table


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
