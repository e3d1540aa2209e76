"""Graph objects of networkx, igraph and rustworkx."""

from __future__ import annotations

from typing import Any

from ..errors import input_error
from ..graphs import Graph
from .request import Request
from .tables import graph_from

__all__ = ["from_igraph", "from_networkx", "from_rustworkx"]


def from_networkx(given: Any, request: Request) -> Graph:
    """Vertices in the graph's own order. Edges without the attribute count 1, as networkx has it."""
    where = f"<networkx {type(given).__name__}>"
    if not hasattr(given, "adjacency"):
        raise input_error("<networkx>", "a Graph or DiGraph", f"a {type(given).__name__}")
    kind = request.network_kind(where, given.is_directed())
    weights = None
    if request.weight in (None, False):
        edges = [edge[:2] for edge in given.edges] if given.is_multigraph() else list(given.edges)
    elif isinstance(request.weight, str):
        triples = list(given.edges(data=request.weight))
        edges = [(u, v) for u, v, _ in triples]
        weights = [weight for _, _, weight in triples]
        if None in weights:
            if triples and all(weight is None for weight in weights):
                raise input_error(where, f"an edge attribute {request.weight!r}", "no edge that has it")
            weights = [1 if weight is None else weight for weight in weights]
    else:
        raise input_error(where, "the name of an edge attribute as weight", f"weight={request.weight!r}")
    simple = not given.is_multigraph() and not (given.is_directed() and kind == "undirected")
    return graph_from(where, kind, given.nodes, edges, weights, request, simple=simple)


def from_igraph(given: Any, request: Request) -> Graph:
    """Vertices by their `name` where they have one that tells them apart, else by their number."""
    where = "<igraph Graph>"
    if not hasattr(given, "get_edgelist"):
        raise input_error("<igraph>", "a Graph", f"a {type(given).__name__}")
    kind = request.network_kind(where, given.is_directed())
    nodes: list[Any] = list(range(given.vcount()))
    if "name" in given.vs.attributes():
        names = given.vs["name"]
        if None not in names and len(set(names)) == len(names):
            nodes = names
    weights = None
    if request.weight not in (None, False):
        if request.weight not in given.es.attributes():
            raise input_error(
                where, f"an edge attribute {request.weight!r}", f"attributes {', '.join(given.es.attributes()) or 'none'}"
            )
        weights = given.es[request.weight]
    edges = [(nodes[u], nodes[v]) for u, v in given.get_edgelist()]
    return graph_from(where, kind, nodes, edges, weights, request)


def from_rustworkx(given: Any, request: Request) -> Graph:
    """Vertices by their index, as rustworkx' own functions name them; `weight` is a function of an edge's payload."""
    name = type(given).__name__
    where = f"<rustworkx {name}>"
    if not hasattr(given, "weighted_edge_list"):
        raise input_error("<rustworkx>", "a PyGraph or PyDiGraph", f"a {name}")
    kind = request.network_kind(where, "DiGraph" in name or "DAG" in name)
    weights = None
    if request.weight in (None, False):
        edges = list(given.edge_list())
    else:
        triples = list(given.weighted_edge_list())
        edges = [(u, v) for u, v, _ in triples]
        payloads = [payload for _, _, payload in triples]
        if request.weight is True:
            weights = payloads
        elif callable(request.weight):
            weights = [request.weight(payload) for payload in payloads]
        else:
            raise input_error(
                where, "True or a function of an edge's payload as weight", f"weight={request.weight!r}"
            )
    return graph_from(where, kind, list(given.node_indices()), edges, weights, request)
