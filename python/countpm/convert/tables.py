"""Edges as tuples, neighbours in a dict, and a DataFrame with an edge a line."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from .. import _core
from ..errors import input_error
from ..graphs import Graph
from ..polynomials import Polynomial
from .matrices import from_numpy
from .request import GROUND_STATES, Request, warn_of_values, weight_is_open
from .weights import finite, packed, plain, with_type

__all__ = ["from_edges", "from_neighbours", "from_pandas", "graph_from"]


def graph_from(
    where: str,
    kind: str,
    nodes: Iterable[Hashable],
    edges: Sequence[tuple[Any, Any]],
    weights: Sequence[Any] | None,
    request: Request,
    *,
    simple: bool = False,
) -> Graph:
    """A graph of vertices that are any hashable objects.

    Args:
        nodes: those that may have no edge, in the order that ids shall have; others follow as edges name them.
        weights: beside the edges, or None.
        simple: nothing stands twice, as the caller's class promises.
    """
    symmetric, kind = kind == "symmetric", "directed" if kind == "symmetric" else kind
    bipartite = kind == "bipartite"
    left: dict[Hashable, int] = {}
    right: dict[Hashable, int] = {} if bipartite else left
    for node in nodes:
        left.setdefault(node, len(left))
    try:
        tails = [left.setdefault(u, len(left)) for u, _ in edges] if bipartite else []
        heads = [right.setdefault(v, len(right)) for _, v in edges] if bipartite else []
        if not bipartite:
            for u, v in edges:
                tails.append(left.setdefault(u, len(left)))
                heads.append(left.setdefault(v, len(left)))
    except TypeError as error:
        raise input_error(where, "vertices that are hashable", str(error)) from None
    for side in (left, right):
        for node in side:
            if node is None or node != node:
                raise input_error(where, "vertices", f"{node} in place of one")
    if kind == "undirected" or symmetric:
        loops = [number for number, (u, v) in enumerate(zip(tails, heads)) if u == v]
        if loops and not symmetric:
            if request.loops == "reject":
                raise input_error(
                    where, "no loops (loops='drop' leaves them out)", f"an edge from {edges[loops[0]][0]!r} to itself"
                )
            dropped = set(loops)
            kept = [number for number in range(len(tails)) if number not in dropped]
            tails, heads = [tails[number] for number in kept], [heads[number] for number in kept]
            weights = None if weights is None else [weights[number] for number in kept]
            edges = [edges[number] for number in kept]
    if not simple:
        tails, heads, weights = _distinct(where, kind, symmetric, tails, heads, weights, edges, request)
    if symmetric:
        back = [number for number, (u, v) in enumerate(zip(tails, heads)) if u != v]
        tails, heads = tails + [heads[number] for number in back], heads + [tails[number] for number in back]
        weights = None if weights is None else [*weights, *(weights[number] for number in back)]
    left_nodes, right_nodes = list(left), list(right) if bipartite else None

    def place(number: int) -> str:
        ends = left_nodes[tails[number]], (right_nodes or left_nodes)[heads[number]]
        return f"at the edge from {ends[0]!r} to {ends[1]!r}"

    shift: Fraction | int = 0
    exact = request.exact
    if request.problem is GROUND_STATES and weights is not None and any(weight == 0 for weight in weights):
        weights, shift = _without_zeros(weights, where, place)
        exact = True
    core = _core.Graph.from_edges(
        kind,
        len(left),
        len(right) if bipartite else 0,
        array("q", tails),
        array("q", heads),
        None if weights is None else packed(weights, exact, where, place),
        where,
    )
    graph = Graph._of(core, left_nodes, right_nodes)
    graph.shift = shift
    return graph


def _without_zeros(weights: Sequence[Any], where: str, place: Callable[[int], str]) -> tuple[list[Fraction], Fraction]:
    """Weights from 1 on, and what was added to each: the core takes 0 for no edge."""
    plains = [plain(weight) for weight in weights]
    for number, weight in enumerate(plains):
        if weight is None or isinstance(weight, complex):
            raise input_error(where, "a real number", f"{with_type(weights[number])} {place(number)}")
    finite(plains, where, place)
    exact = [Fraction(weight) for weight in plains]  # type: ignore[arg-type]
    shift = 1 - min(exact)
    return [weight + shift for weight in exact], shift


def _has_attributes(value: Any) -> bool:
    """A dict of attributes, and not a weight that is a polynomial."""
    return isinstance(value, Mapping) and not isinstance(value, Polynomial)


def _summand(weight: Any) -> Any:
    """Texts as what they say."""
    known = plain(weight) if isinstance(weight, str) else None
    return weight if known is None else known


def _distinct(
    where: str,
    kind: str,
    symmetric: bool,
    tails: list[int],
    heads: list[int],
    weights: Sequence[Any] | None,
    edges: Sequence[tuple[Any, Any]],
    request: Request,
) -> tuple[list[int], list[int], Sequence[Any] | None]:
    """Parallel edges added up, or refused in the caller's words."""
    if kind == "undirected" or symmetric:
        keys = [(u, v) if u <= v else (v, u) for u, v in zip(tails, heads)]
    else:
        keys = list(zip(tails, heads))
    if len(set(keys)) == len(keys):
        return tails, heads, weights
    first: dict[tuple[int, int], int] = {}
    sums: list[Any] = []
    kept: list[int] = []
    for number, key in enumerate(keys):
        at = first.setdefault(key, len(kept))
        if at == len(kept):
            kept.append(number)
            sums.append(1 if weights is None else _summand(weights[number]))
        elif request.multi == "reject":
            u, v = edges[number]
            raise input_error(where, "no parallel edges (multi='sum' adds them up)", f"a second edge from {u!r} to {v!r}")
        else:
            sums[at] += 1 if weights is None else _summand(weights[number])
    return [tails[number] for number in kept], [heads[number] for number in kept], sums


def from_edges(given: Sequence[Any], request: Request) -> Graph:
    """Pairs (u, v), or triples (u, v, weight); the weight may be networkx' dict of attributes."""
    where = "<edges>"
    request.refuse_network(where)
    kind = request.kind or request.problem.edge_kind
    edges: list[tuple[Any, Any]] = []
    weights: list[Any] | None = [] if request.weight not in (None, False) else None
    unused = False
    for number, edge in enumerate(given):
        if not isinstance(edge, (tuple, list)) or len(edge) not in (2, 3):
            found = f"{len(edge)} places" if isinstance(edge, (tuple, list)) else f"an object of type {type(edge).__name__}"
            raise input_error(where, "pairs (u, v) or triples (u, v, weight)", f"{found} as edge {number}")
        edges.append((edge[0], edge[1]))
        if weights is not None:
            weights.append(_third(where, edge, number, request))
        elif len(edge) == 3 and not isinstance(edge[2], Mapping) and plain(edge[2]) not in (None, 1):
            unused = True
    if unused and weight_is_open(request):
        warn_of_values(where, "third places other than 1")
    return graph_from(where, kind, (), edges, weights, request)


def _third(where: str, edge: Sequence[Any], number: int, request: Request) -> Any:
    if len(edge) == 2:
        raise input_error(where, "triples (u, v, weight)", f"a pair as edge {number}")
    third = edge[2]
    if isinstance(request.weight, str):
        if not _has_attributes(third):
            raise input_error(
                where, f"a dict with {request.weight!r} in the third place (weight=True takes the place itself)", f"{third!r} as edge {number}"
            )
        return third.get(request.weight, 1)
    if _has_attributes(third):
        raise input_error(where, "a number in the third place (weight='NAME' looks into a dict)", f"a dict as edge {number}")
    return third


def from_neighbours(given: Mapping[Any, Any], request: Request) -> Graph:
    """{u: [v, ...]}, {u: {v: weight}} or {u: {v: {name: weight}}}; an undirected edge may stand at either end or both."""
    where = "<dict>"
    request.refuse_network(where)
    kind = request.kind or request.problem.edge_kind
    edges: list[tuple[Any, Any]] = []
    weights: list[Any] | None = [] if request.weight not in (None, False) else None
    both_ways = kind in ("undirected", "symmetric")
    seen: dict[tuple[Any, Any], Any] = {}
    for u, neighbours in given.items():
        if isinstance(neighbours, (str, bytes)) or not hasattr(neighbours, "__iter__"):
            raise input_error(where, "a list or dict of neighbours", f"{neighbours!r} at {u!r}")
        for v in neighbours:
            weight = 1 if weights is None else _at(where, u, v, neighbours, request)
            if both_ways and u != v and (v, u) in seen:
                if seen[v, u] != weight:
                    raise input_error(
                        where, f"one weight of the edge between {v!r} and {u!r}", f"{seen[v, u]} and {weight}"
                    )
                del seen[v, u]
                continue
            if both_ways:
                seen[u, v] = weight
            edges.append((u, v))
            if weights is not None:
                weights.append(weight)
    return graph_from(where, kind, given, edges, weights, request)


def _at(where: str, u: Any, v: Any, neighbours: Any, request: Request) -> Any:
    weight: Any = neighbours[v] if isinstance(neighbours, Mapping) else None
    if isinstance(request.weight, str):
        if not _has_attributes(weight):
            raise input_error(where, f"dicts with {request.weight!r} for weight={request.weight!r}", f"none from {u!r} to {v!r}")
        return weight.get(request.weight, 1)
    if weight is None or _has_attributes(weight):
        raise input_error(where, "numbers {u: {v: weight}} for weight=True", f"none from {u!r} to {v!r}")
    return weight


def from_pandas(given: Any, request: Request) -> Graph:
    """A DataFrame with an edge a line; its ends in two columns, its weight in a third. Of a permanent and its like a matrix."""
    where = "<DataFrame>"
    if type(given).__name__ != "DataFrame":
        raise input_error("<pandas>", "a DataFrame", f"a {type(given).__name__}")
    if request.problem.matrices_only:
        return from_numpy(given.to_numpy(), request)
    source, target = request.columns
    wanted = [source, target]
    if request.weight is True or callable(request.weight):
        raise input_error(where, "the name of a column as weight", f"weight={request.weight!r}")
    if request.weight:
        wanted.append(request.weight)
    for name in wanted:
        if name not in given.columns:
            raise input_error(where, f"a column {name!r}", f"columns {', '.join(map(repr, given.columns))}")
    edges = list(zip(given[source].tolist(), given[target].tolist()))
    weights = given[request.weight].tolist() if request.weight else None
    return graph_from(where, request.kind or request.problem.edge_kind, (), edges, weights, request)
