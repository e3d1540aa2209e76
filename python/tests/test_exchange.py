"""GML, GEXF, Pajek and node-link JSON as networkx and igraph write them, counted as the graphs that were written."""

from __future__ import annotations

import io
import json
import random
import warnings
from fractions import Fraction

import brute_force
import countpm
import igraph
import networkx as nx
import pytest

LABELS = ["a b", "ü", "x&y", "<t>", "#h", "[b]", "1", "01", "-3", "1e5", "*star", "%p", "日本", "a;b", "node", "graph", "null", "2.5", "{c}", "a,b"]


def random_graph(rng, directed, multi):
    """At most seven vertices under odd labels, with weights on most edges."""
    graph = (nx.MultiDiGraph if directed else nx.MultiGraph)() if multi else (nx.DiGraph if directed else nx.Graph)()
    nodes = rng.sample(LABELS, rng.choice([2, 4, 5 if directed else 6]))
    graph.add_nodes_from(nodes)
    for at, u in enumerate(nodes):
        for v in nodes if directed else nodes[at + 1 :]:
            for _ in range(rng.choice([0, 1, 1, 2]) if multi else rng.choice([0, 1, 1])):
                graph.add_edge(u, v, **({"weight": rng.choice([1, 2, 3, -1, 0.5, 2.25])} if rng.random() < 0.9 else {}))
    return graph


def matrix_of(graph, weighted):
    """The adjacency matrix in fractions; parallel edges add up."""
    place = {node: at for at, node in enumerate(graph)}
    rows = [[Fraction(0)] * len(place) for _ in place]
    for u, v, weight in graph.edges(data="weight", default=1):
        value = Fraction(weight) if weighted else Fraction(1)
        rows[place[u]][place[v]] += value
        if not graph.is_directed():
            rows[place[v]][place[u]] += value
    return rows


def expected(graph, weighted):
    rows = matrix_of(graph, weighted)
    return brute_force.permanent(rows) if graph.is_directed() else brute_force.hafnian(rows)


def text_of(graph, form, rng):
    out = io.BytesIO()
    if form == "gml":
        nx.write_gml(graph, out)
    elif form == "gexf":
        nx.write_gexf(graph, out)
    elif form == "pajek":
        nx.write_pajek(graph, out)
    else:
        out.write(json.dumps(nx.node_link_data(graph, edges=rng.choice(["links", "edges"]))).encode())
    return out.getvalue()


def counted(data, form, directed, weighted):
    graph = countpm.read(data, format=form, multi="sum", weight=weighted)
    assert (graph.kind == "directed") == directed
    return (countpm.cycle_covers if directed else countpm.perfect_matchings)(graph, exact=True)


@pytest.mark.parametrize("form", ["gml", "gexf", "pajek", "json"])
@pytest.mark.parametrize("multi", [False, True])
@pytest.mark.parametrize("directed", [False, True])
def test_what_networkx_writes(form, multi, directed):
    rng = random.Random(f"{form} {multi} {directed}")
    for _ in range(25):
        graph = random_graph(rng, directed, multi)
        if graph.number_of_edges() == 0:
            continue
        data = text_of(graph, form, rng)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", countpm.CountpmWarning)
            for weighted in (False, True):
                assert counted(data, form, directed, weighted) == expected(graph, weighted), data.decode()
            assert countpm.read(data, multi="sum").nodes == list(graph), data.decode()


@pytest.mark.parametrize("form", ["gml", "pajek"])
def test_what_igraph_writes(form, tmp_path):
    rng = random.Random(form)
    for _ in range(25):
        graph = random_graph(rng, rng.random() < 0.5, False)
        if graph.number_of_edges() == 0:
            continue
        other = igraph.Graph.from_networkx(graph, vertex_attr_hashable="name")
        other.es["weight"] = [1 if weight is None else weight for weight in other.es["weight"]] if "weight" in other.es.attributes() else 1
        path = tmp_path / "graph"
        other.write(str(path), format=form)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", countpm.CountpmWarning)
            assert counted(path.read_bytes(), form, graph.is_directed(), True) == expected(graph, True), path.read_text()


def test_numbers_that_are_not_used_are_a_warning():
    data = json.dumps({"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 2, "value": 7}]}).encode()
    with pytest.warns(countpm.CountpmWarning, match="'value'"):
        assert countpm.perfect_matchings(countpm.read(data)) == 1
    assert countpm.perfect_matchings(countpm.read(data, weight="value")) == 7
