"""What is compared: graphs with labels and weights, and sums over their matchings by definition."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from numbers import Number
from typing import Any


class Refused(Exception):
    """A second reader does not take the file."""


def number(text: str) -> Any:
    """An int or Fraction where the text is one, else a float or complex number."""
    text = text.strip()
    if "_" in text or "J" in text or text.lower().lstrip("+-") == "j" or text.lower()[-2:] in ("+j", "-j"):  # Python's own; j alone is a letter
        raise Refused(text)
    try:
        return int(text)
    except ValueError:
        pass
    try:
        value: Any = Fraction(text) if "/" in text else float(text)
    except ZeroDivisionError:
        raise Refused(text) from None
    except ValueError:
        value = complex(text)
    if not isinstance(value, Fraction) and value - value != 0:
        raise Refused(text)
    return value


@dataclass(frozen=True)
class Network:
    """kind is undirected, directed or bipartite; right is empty unless bipartite; no edge has the weight 0."""

    kind: str
    left: tuple[Any, ...]
    right: tuple[Any, ...]
    weights: dict[tuple[Any, Any], Any]


def network(kind: str, edges: Iterable[tuple[Any, Any, Any]], left: Iterable[Any] = (), right: Iterable[Any] = ()) -> Network:
    """Vertices in order of appearance behind those given; of an edge twice the last counts, as with networkx."""
    lefts = dict.fromkeys(left)
    rights = dict.fromkeys(right)
    weights: dict[tuple[Any, Any], Any] = {}
    for u, v, weight in edges:
        lefts[u] = None
        (rights if kind == "bipartite" else lefts)[v] = None
        key = (v, u) if kind == "undirected" and (v, u) in weights else (u, v)
        if key in weights and 0 in (weight, weights[key]):
            raise Refused("an edge again, once with the weight 0, which is no edge to countpm, and the last weight to others")
        weights[key] = weight
    return Network(kind, tuple(lefts), tuple(rights), {key: weight for key, weight in weights.items() if weight != 0})


def of_matrix(rows: Any, kind: str = "bipartite", left: Any = None, right: Any = None) -> Network:
    """Rows x columns, or a graph's adjacency matrix; labels are numbers from 1 unless given."""
    rows = [list(row) for row in rows]
    width = len(rows[0]) if rows else 0
    if any(len(row) != width for row in rows):
        raise Refused("ragged rows")
    left = [str(i + 1) for i in range(len(rows))] if left is None else list(left)
    right = [str(j + 1) for j in range(width)] if right is None else list(right)
    if kind == "undirected" and (len(rows) != width or any(rows[i][j] != rows[j][i] for i in range(width) for j in range(i))):
        raise Refused("not symmetric")
    heads = right if kind == "bipartite" else left
    edges = [(left[i], heads[j], value) for i, row in enumerate(rows) for j, value in enumerate(row)]
    if any(value != value for _, _, value in edges):
        raise Refused("not a number")
    return network(kind, edges, left, right if kind == "bipartite" else ())


def of_networkx(graph: Any, unit: bool = False) -> Network:
    """unit: every edge counts 1, but for those of weight 0, which are none."""
    if graph.is_multigraph() and len(graph.edges()) != len({frozenset(e) if not graph.is_directed() else e for e in graph.edges()}):
        raise Refused("parallel edges")
    edges = [(u, v, data.get("weight", 1)) for u, v, data in graph.edges(data=True)]
    if any(isinstance(weight, bool) or not isinstance(weight, (int, float, complex, Fraction)) or weight - weight != 0 for _, _, weight in edges):
        raise Refused("weights that are no numbers")
    if unit:
        edges = [(u, v, int(weight != 0)) for u, v, weight in edges]
    return network("directed" if graph.is_directed() else "undirected", edges, graph.nodes())


def of_countpm(graph: Any) -> Network:
    """What countpm has read."""
    weights = graph.weights()
    pairs = graph.edges()
    return network(graph.kind, [(u, v, 1 if weights is None else weights[at]) for at, (u, v) in enumerate(pairs)],
                   graph.nodes, graph.right_nodes)


LEAST_STEPS = 64 * 5e-324  # below 2e-308 doubles are this step apart, and products are rounded to it


def is_near(a: Any, b: Any, scale: float = 0.0) -> bool:
    """Equal up to the rounding of floats."""
    if a == b:
        return True
    if isinstance(a, (int, Fraction)) and isinstance(b, (int, Fraction)):
        return False
    if not isinstance(a, Number) or not isinstance(b, Number):  # polynomials
        return False
    try:
        return abs(complex(a) - complex(b)) <= max(1e-11 * max(abs(complex(a)), abs(complex(b)), scale), LEAST_STEPS)
    except OverflowError:
        return False


def is_same(a: Network, b: Network) -> bool:
    """The same labels, and the same edges between them with the same weights."""
    if a.kind != b.kind or len(a.left) != len(b.left) or len(a.right) != len(b.right) or len(a.weights) != len(b.weights):
        return False
    if set(a.left) != set(b.left) or set(a.right) != set(b.right):
        return False
    for (u, v), weight in a.weights.items():
        other = b.weights.get((u, v))
        if other is None and a.kind == "undirected":
            other = b.weights.get((v, u))
        if other is None or not is_near(weight, other):
            return False
    return True


def sums(of: Network, absolute: bool = False) -> tuple[Any, Any]:
    """The sums over all perfect matchings and over all matchings; of a directed graph over cycle covers, and over matchings
    of tails and heads. O(2^vertices) at most; absolute: of the weights' absolute values."""
    weights = {pair: abs(w) for pair, w in of.weights.items()} if absolute else of.weights
    if of.kind == "undirected":
        return _general(of, weights)
    heads = {v: 1 << at for at, v in enumerate(of.right if of.kind == "bipartite" else of.left)}
    rows: dict[Any, list[tuple[int, Any]]] = {u: [] for u in of.left}
    for (u, v), weight in weights.items():
        rows[u].append((heads[v], weight))
    states = {0: 1}  # by the columns taken
    for row in rows.values():
        after = dict(states)
        for taken, total in states.items():
            for head, weight in row:
                if not taken & head:
                    after[taken | head] = after.get(taken | head, 0) + total * weight
        states = after
    square = len(of.left) == len(heads)
    return (states.get((1 << len(heads)) - 1, 0) if square else 0), sum(states.values())


def _general(of: Network, weights: dict[tuple[Any, Any], Any]) -> tuple[Any, Any]:
    place = {v: at for at, v in enumerate(of.left)}
    beside: list[list[tuple[int, Any]]] = [[] for _ in of.left]
    for (u, v), weight in weights.items():
        if u == v:
            raise Refused("a loop")
        beside[place[u]].append((place[v], weight))
        beside[place[v]].append((place[u], weight))
    known: dict[int, tuple[Any, Any]] = {0: (1, 1)}

    def of_rest(left: int) -> tuple[Any, Any]:
        if left in known:
            return known[left]
        first = left & -left
        rest = left ^ first
        perfect, every = 0, of_rest(rest)[1]
        for other, weight in beside[first.bit_length() - 1]:
            if rest >> other & 1:
                some, more = of_rest(rest ^ (1 << other))
                perfect += weight * some
                every += weight * more
        known[left] = perfect, every
        return known[left]

    return of_rest((1 << len(of.left)) - 1)
