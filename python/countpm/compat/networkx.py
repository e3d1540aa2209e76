"""What networkx has about matchings and spanning trees, by its own names: ``import countpm.compat.networkx as nx_matching``.

Of networkx there are ``is_matching``, ``is_maximal_matching``, ``is_perfect_matching`` and ``maximal_matching``; ``maximum_matching``,
``hopcroft_karp_matching`` and ``eppstein_matching`` of its bipartite graphs, which need no ``top_nodes`` here and take graphs with odd cycles,
too; and ``number_of_spanning_trees``, which is exact here: an ``int``, where networkx has a float.

In its manner, but beyond it: ``maximum_cardinality_matching``, ``number_of_perfect_matchings``, ``number_of_maximum_matchings`` and
``number_of_matchings``.

There are no matchings by weight (``max_weight_matching``, ``min_weight_matching``): :func:`countpm.ground_state` knows the least and the largest
weight of perfect matchings, and how many have it.
"""

from __future__ import annotations

import importlib
from typing import Any

from .. import counting, monomers
from ..determinants import determinant
from ..errors import input_error
from ..graphs import Graph
from ..listing import iter_matchings
from ..planning import explain
from ..values import Number

__all__ = [
    "eppstein_matching",
    "hopcroft_karp_matching",
    "is_matching",
    "is_maximal_matching",
    "is_perfect_matching",
    "maximal_matching",
    "maximum_cardinality_matching",
    "maximum_matching",
    "number_of_matchings",
    "number_of_maximum_matchings",
    "number_of_perfect_matchings",
    "number_of_spanning_trees",
]


def _refused(words: str) -> Exception:
    """As networkx raises it."""
    error: Exception = importlib.import_module("networkx").NetworkXError(words)
    return error


def _edges_of(matching: Any) -> list[tuple[Any, Any]]:
    """Of a set of pairs, or of a dict that has each edge in both directions or in one."""
    if not isinstance(matching, dict):
        return list(matching)
    edges: set[tuple[Any, Any]] = set()
    for u, v in matching.items():
        if u == v:
            raise _refused(f"Selfloops cannot appear in matchings {(u, v)}")
        if (v, u) not in edges:
            edges.add((u, v))
    return list(edges)


def _matched(G: Any, matching: Any) -> set[Any] | None:
    """The vertices that a matching covers; None where it is no matching."""
    covered: set[Any] = set()
    for edge in _edges_of(matching):
        if len(edge) != 2:
            raise _refused(f"matching has non-2-tuple edge {edge}")
        u, v = edge
        if u not in G or v not in G:
            raise _refused(f"matching contains edge {edge} with node not in G")
        if u == v or not G.has_edge(u, v) or u in covered or v in covered:
            return None
        covered.update(edge)
    return covered


def is_matching(G: Any, matching: Any) -> bool:
    """Whether a set of edges, or a dict of partners, is a matching of G, as ``networkx.is_matching``.

    >>> import networkx as nx
    >>> is_matching(nx.path_graph(4), {(0, 1), (2, 3)}), is_matching(nx.path_graph(4), {(0, 1), (1, 2)})
    (True, False)
    """
    return _matched(G, matching) is not None


def is_maximal_matching(G: Any, matching: Any) -> bool:
    """Whether it is a matching to which no edge can be added, as ``networkx.is_maximal_matching``.

    >>> import networkx as nx
    >>> is_maximal_matching(nx.path_graph(4), {(1, 2)}), is_maximal_matching(nx.path_graph(4), {(0, 1)})
    (True, False)
    """
    covered = _matched(G, matching)
    return covered is not None and not any(u != v and u not in covered and v not in covered for u, v, *_ in G.edges)


def is_perfect_matching(G: Any, matching: Any) -> bool:
    """Whether it is a matching that covers every vertex, as ``networkx.is_perfect_matching``.

    >>> import networkx as nx
    >>> is_perfect_matching(nx.path_graph(4), {(0, 1), (2, 3)}), is_perfect_matching(nx.path_graph(4), {(1, 2)})
    (True, False)
    """
    covered = _matched(G, matching)
    return covered is not None and len(covered) == len(G)


def maximum_cardinality_matching(G: Any) -> set[tuple[Any, Any]]:
    """A matching with as many edges as any, a set of pairs.

    A perfect one where there is one; else one of the graph with a new vertex for each that stays free, joined to all others
    (docs/maximum.md). Polynomial time.

    >>> import networkx as nx
    >>> matching = maximum_cardinality_matching(nx.cycle_graph(5))
    >>> len(matching), is_maximal_matching(nx.cycle_graph(5), matching)
    (2, True)
    """
    if G.is_directed():
        raise input_error("<graph>", "an undirected graph", "a directed one")
    nodes = list(G)
    places = {node: place for place, node in enumerate(nodes)}
    edges = sorted({(min(places[u], places[v]), max(places[u], places[v])) for u, v in G.edges() if u != v})
    if not edges:
        return set()
    isolated = set(range(len(nodes))) - {end for edge in edges for end in edge}
    kept = [(u, v) for u, v in edges]
    found = None if isolated else next(iter_matchings(kept), None)
    if found is None:
        free = len(nodes) - len(isolated) - 2 * explain(kept).matching_size
        inner = [place for place in range(len(nodes)) if place not in isolated]
        found = next(iter_matchings([*kept, *((place, ("free", number)) for number in range(free) for place in inner)]))
    return {(nodes[u], nodes[v]) for u, v in found if isinstance(u, int) and isinstance(v, int)}


def maximal_matching(G: Any) -> set[tuple[Any, Any]]:
    """A matching to which no edge can be added, as ``networkx.maximal_matching``; here one with as many edges as any.

    >>> import networkx as nx
    >>> len(maximal_matching(nx.path_graph(4)))
    2
    """
    return maximum_cardinality_matching(G)


def maximum_matching(G: Any, top_nodes: Any = None) -> dict[Any, Any]:
    """A matching with as many edges as any, a dict that has each edge in both directions, as ``networkx.bipartite.maximum_matching``.

    ``top_nodes`` plays no part, and the graph need not be bipartite.

    >>> import networkx as nx
    >>> sorted(maximum_matching(nx.path_graph(4)).items())
    [(0, 1), (1, 0), (2, 3), (3, 2)]
    """
    partner: dict[Any, Any] = {}
    for u, v in maximum_cardinality_matching(G):
        partner[u], partner[v] = v, u
    return partner


hopcroft_karp_matching = maximum_matching
eppstein_matching = maximum_matching


def number_of_perfect_matchings(G: Any, weight: str | None = None) -> Number:
    """The number of perfect matchings, or the sum over them of the products of the edges' weights.

    >>> import networkx as nx
    >>> number_of_perfect_matchings(nx.grid_2d_graph(8, 8))
    12988816
    """
    return counting.perfect_matchings(G, weight=weight)


def number_of_maximum_matchings(G: Any, weight: str | None = None) -> Number:
    """The number of matchings with as many edges as any, or their sum by weight.

    >>> import networkx as nx
    >>> number_of_maximum_matchings(nx.cycle_graph(5))
    5
    """
    return counting.maximum_matchings(G, weight=weight)


def number_of_matchings(G: Any, weight: str | None = None) -> Number:
    """The number of all matchings, the empty one included, or their sum by weight.

    >>> import networkx as nx
    >>> number_of_matchings(nx.petersen_graph())
    332
    """
    return monomers.number_of_matchings(G, weight=weight)


def number_of_spanning_trees(G: Any, *, root: Any = None, weight: str | None = None) -> Number:
    """The number of spanning trees, of a directed graph of those from ``root``, as ``networkx.number_of_spanning_trees``; exact here.

    Loops play no part, and parallel edges are added up. By Kirchhoff's theorem, a determinant.

    >>> import networkx as nx
    >>> number_of_spanning_trees(nx.complete_graph(30)) == 30**28
    True
    """
    if len(G) == 0:
        raise importlib.import_module("networkx").NetworkXPointlessConcept("Graph G must contain at least one node.")
    directed = G.is_directed()
    if directed and root is None:
        raise _refused("Input `root` must be provided when G is directed")
    if directed and root not in G:
        raise _refused("The node root is not in the graph G.")
    nodes = [node for node in G if node != (root if directed else next(iter(G)))]
    places = {node: place for place, node in enumerate(nodes)}
    entries: list[list[Any]] = [[0] * len(nodes) for _ in nodes]
    for u, v, value in G.edges(data=weight, default=1) if weight is not None else ((u, v, 1) for u, v in G.edges()):
        if u == v:
            continue
        for tail, head in ((u, v),) if directed else ((u, v), (v, u)):
            if head in places:
                entries[places[head]][places[head]] += value
                if tail in places:
                    entries[places[tail]][places[head]] -= value
    return determinant(Graph(entries, weight=True)) if nodes else 1
