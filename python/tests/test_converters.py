"""What the converters make of sound input: vertices, kinds, weights, policies."""

from __future__ import annotations

import gzip
import io
import pickle
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction

import countpm
import igraph
import networkx as nx
import numpy as np
import pandas as pd
import pytest
import rustworkx as rx
import scipy.sparse


def edge_set(graph):
    return {frozenset(edge) for edge in graph.edges()}


def test_networkx_keeps_nodes_and_their_order():
    source = nx.Graph()
    source.add_nodes_from(["z", (1, 2), 7])
    source.add_edge((1, 2), "z", w=2)
    graph = countpm.Graph(source)
    assert (graph.kind, list(graph.nodes), graph.edges(), graph.weights()) == ("undirected", ["z", (1, 2), 7], [("z", (1, 2))], None)
    assert countpm.Graph(source, weight="w").weights() == [2]
    assert countpm.Graph(nx.DiGraph(source), weight="w").edges() == [("z", (1, 2)), ((1, 2), "z")]


def test_edges_of_networkx_without_the_attribute_count_one():
    source = nx.path_graph(4)
    source[0][1]["w"] = 5
    assert countpm.perfect_matchings(source, weight="w") == 5


def test_a_digraph_of_networkx_may_be_taken_as_undirected():
    source = nx.DiGraph([(0, 1), (1, 0), (2, 3)])
    assert countpm.perfect_matchings(source, kind="undirected", multi="sum") == 2


def test_igraph_by_names_where_they_tell_vertices_apart():
    ring = igraph.Graph.Ring(4)
    ring.es["w"] = [1, 2, 3, 4]
    assert countpm.perfect_matchings(ring, weight="w") == 1 * 3 + 2 * 4
    assert list(countpm.Graph(ring).nodes) == [0, 1, 2, 3]
    ring.vs["name"] = ["a", "b", "c", "d"]
    assert edge_set(countpm.Graph(ring)) == {frozenset(edge) for edge in ("ab", "bc", "cd", "da")}
    ring.vs["name"] = ["a", "a", "c", "d"]
    assert list(countpm.Graph(ring).nodes) == [0, 1, 2, 3]
    assert countpm.cycle_covers(igraph.Graph(n=3, edges=[(0, 1), (1, 2), (2, 0)], directed=True)) == 1


def test_rustworkx_by_indices_that_may_have_holes():
    graph = rx.PyGraph()
    graph.add_nodes_from(["a", "b", "c", "d", "e"])
    graph.add_edges_from([(0, 1, 2.0), (3, 4, 4.0), (1, 3, 1.0)])
    graph.remove_node(2)
    assert countpm.perfect_matchings(graph) == 1
    assert list(countpm.iter_matchings(graph)) == [{(0, 1), (3, 4)}]
    assert countpm.perfect_matchings(graph, weight=lambda payload: int(payload)) == 8
    assert countpm.perfect_matchings(graph, weight=True) == 8.0
    arcs = rx.PyDiGraph()
    arcs.add_nodes_from(range(2))
    arcs.add_edges_from([(0, 1, None), (1, 0, None)])
    assert countpm.cycle_covers(arcs) == 1


def test_pandas_by_columns():
    frame = pd.DataFrame({"source": ["a", "b", "c", "d"], "target": ["b", "c", "d", "a"], "w": [1, 2, 3, 4], "to": [1, 2, 3, 4]})
    assert countpm.perfect_matchings(frame) == 2
    assert countpm.perfect_matchings(frame, weight="w") == 11
    assert countpm.perfect_matchings(frame, columns=("source", "to"), kind="bipartite") == 1


def test_dicts_of_neighbours():
    ring = {0: [1, 3], 1: [0, 2], 2: [1, 3], 3: [2, 0]}
    assert countpm.perfect_matchings(ring) == 2
    assert countpm.perfect_matchings({0: [1], 1: [2], 2: [3], 3: [0]}) == 2
    assert countpm.perfect_matchings({0: {1: 2, 3: 5}, 1: {0: 2, 2: 7}, 2: {3: 3}, 3: {}}, weight=True) == 2 * 3 + 5 * 7
    assert countpm.perfect_matchings(nx.to_dict_of_dicts(nx.cycle_graph(6))) == 2
    assert countpm.cycle_covers({0: [1, 0], 1: [0, 1]}) == 2
    assert countpm.perfect_matchings({"a": ["x", "y"], "b": ["x", "y"]}, kind="bipartite") == 2
    assert countpm.perfect_matchings({0: [], 1: []}) == 0


def test_tuples_are_edges_and_lists_are_rows():
    assert countpm.perfect_matchings([(0, 1), (2, 3)]) == 1
    assert countpm.perfect_matchings([[0, 1], [2, 3]]) == 1
    assert countpm.perfect_matchings([[1, 1], [1, 1]]) == 2
    assert countpm.perfect_matchings(((0, 1), (1, 2), (2, 3), (3, 0))) == 2
    assert countpm.perfect_matchings(edge for edge in [(0, 1), (2, 3)]) == 1
    assert countpm.permanent(((1, 2), (3, 4))) == 10
    assert countpm.permanent([i, i + 1] for i in range(2)) == 1
    assert countpm.perfect_matchings([(1, 1), (1, 2), (2, 1), (2, 2)], kind="bipartite") == 2
    assert countpm.perfect_matchings([(0, 1, {"w": 3}), (2, 3, {})], weight="w") == 3


def test_nothing_has_one_matching():
    assert countpm.perfect_matchings(nx.Graph()) == 1
    assert countpm.perfect_matchings([]) == 1
    assert countpm.permanent([]) == 1
    assert countpm.permanent(np.zeros((0, 0))) == 1
    assert countpm.hafnian(scipy.sparse.csr_array((0, 0), dtype=int)) == 1


def test_numbers_of_many_kinds_are_exact():
    for one in (1, True, np.int8(1), np.bool_(True), Fraction(2, 2), Decimal("1.0")):
        found = countpm.permanent([[one, 2], [3, one]])
        assert found == 7
        assert type(found) is int
    assert countpm.permanent([[Decimal("0.1")]]) == Fraction(1, 10)
    assert countpm.permanent(np.array([[2**64 - 1]], dtype=np.uint64)) == 2**64 - 1
    assert countpm.permanent([[np.float64(0.5)]]) == 0.5


def test_half_and_single_precision_lose_nothing():
    for dtype in (np.float16, np.float32, np.float64, np.complex64):
        assert countpm.permanent(np.array([[1.5, 2], [0.25, 1]], dtype=dtype)) == 2.0


def test_a_weight_of_zero_is_no_edge():
    assert countpm.perfect_matchings([(0, 1, 0), (1, 2, 1), (2, 3, 1), (3, 0, 1)], weight=True) == 1
    stored = scipy.sparse.csr_array(([0, 1, 1], ([0, 0, 1], [0, 1, 0])), shape=(2, 2))
    result = countpm.count(stored)
    assert result.value == 1
    assert "1 stored zero left out: a weight of 0 is no edge" in result.notes
    assert stored.nnz == 3  # the caller's matrix stays as it was


def test_scipy_adds_up_what_stands_twice_and_every_format_is_taken():
    twice = scipy.sparse.coo_array(([1, 2, 3], ([0, 0, 1], [0, 0, 1])), shape=(2, 2))
    assert countpm.permanent(twice) == 9
    dense = np.array([[1, 2], [3, 4]])
    for name in ("csr", "csc", "coo", "lil", "dok", "bsr", "dia"):
        for kind in (scipy.sparse.csr_array, scipy.sparse.csr_matrix):
            assert countpm.permanent(kind(dense).asformat(name)) == 10
    unsorted = scipy.sparse.csr_array((np.array([2, 1, 1]), np.array([1, 0, 1]), np.array([0, 2, 3])), shape=(2, 2))
    assert countpm.permanent(unsorted) == 1


def test_the_diagonal_means_nothing_to_the_hafnian():
    dense = np.array([[9, 2], [2, 9]])
    for matrix in (dense, dense.tolist(), scipy.sparse.csr_array(dense)):
        assert countpm.hafnian(matrix) == 2
        assert countpm.perfect_matchings(matrix, kind="undirected", loops="drop") == 1


def test_loops_and_parallel_edges_by_policy():
    assert countpm.perfect_matchings([(0, 0), (0, 1)], loops="drop") == 1
    assert countpm.perfect_matchings([(0, 1), (1, 0)], multi="sum") == 2
    assert countpm.perfect_matchings([(0, 1, 2), (0, 1, 3)], multi="sum", weight=True) == 5
    assert countpm.cycle_covers([(0, 0), (1, 1)]) == 1


def test_symmetric_takes_each_edge_both_ways():
    assert countpm.cycle_covers(nx.cycle_graph(6), kind="symmetric") == 4
    assert countpm.cycle_covers([(0, 1), (2, 2)], kind="symmetric") == 1
    assert countpm.cycle_covers(countpm.lattice("square:4x4", kind="symmetric")) == 1296


class BytesPath:
    """A path that is bytes, as os.PathLike allows."""

    def __init__(self, path):
        self.bytes = bytes(path)

    def __fspath__(self):
        return self.bytes


def test_files_of_all_ways(tmp_path):
    text = "a b 2\nb c 3\nc d 5\nd a 7\n"
    path = tmp_path / "ring.edgelist"
    path.write_text(text)
    assert countpm.perfect_matchings(path) == countpm.perfect_matchings(str(path)) == 2
    assert countpm.perfect_matchings(BytesPath(path)) == countpm.read(BytesPath(path)).number_of_edges - 2 == 2
    assert countpm.perfect_matchings(path, weight=True) == 31
    assert countpm.perfect_matchings(countpm.read(path, weight=True)) == 31
    with path.open("rb") as file:
        assert countpm.perfect_matchings(countpm.read(file)) == 2
    assert countpm.perfect_matchings(countpm.read(io.StringIO(text))) == 2
    assert countpm.perfect_matchings(countpm.read(gzip.compress(text.encode()))) == 2
    assert countpm.read(path, remove=["a", "b"]).number_of_vertices == 2
    matrix = tmp_path / "a.txt"
    matrix.write_text("1 2\n3 4\n")
    assert countpm.permanent(countpm.read(matrix, format="dense", weight=True)) == 10
    assert countpm.cycle_covers(str(path)) == 1
    assert list(countpm.iter_matchings(path)) == [{("a", "b"), ("c", "d")}, {("a", "d"), ("c", "b")}]


def test_lattices_by_name():
    assert countpm.perfect_matchings("lattice:square:4x4") == 36
    assert countpm.lattice("square:4x4").number_of_edges == 24
    assert countpm.perfect_matchings(countpm.lattice("lattice:square:4x4")) == 36
    assert countpm.perfect_matchings(countpm.lattice("square:4x4", remove=["r0c0", "r3c3"])) == 0


def test_a_graph_is_read_once_and_counted_often():
    graph = countpm.Graph(nx.petersen_graph())
    assert repr(graph) == "<Graph undirected, 10 vertices, 15 edges>"
    assert [countpm.perfect_matchings(graph) for _ in range(3)] == [6, 6, 6]
    assert countpm.Graph(graph) is graph
    assert countpm.Graph(np.ones((2, 3))).number_of_vertices == 5
    assert repr(countpm.Graph(np.ones((2, 3)), weight=True)) == "<Graph bipartite, 2 + 3 vertices, 6 edges, weighted>"


@pytest.mark.parametrize(
    "graph",
    [
        countpm.Graph(nx.relabel_nodes(nx.cycle_graph(6), {0: "zero"})),
        countpm.Graph([("a", "b", Fraction(1, 3)), ("c", "d", 2**80)], weight=True),
        countpm.Graph([(0, 1, 0.5)], weight=True),
        countpm.Graph(np.array([[1j, 2], [3, 4]]), weight=True),
        countpm.Graph(np.array([[1, 2], [3, 4]]), kind="directed", weight=True),
        countpm.lattice("square:4x4"),
        countpm.read(b"a b\nc d\n"),
    ],
    ids=str,
)
def test_graphs_can_be_pickled(graph):
    again = pickle.loads(pickle.dumps(graph))
    assert repr(again) == repr(graph)
    assert list(again.nodes) == list(graph.nodes)
    assert again.edges() == graph.edges()
    assert again.weights() == graph.weights()
    assert countpm.count(again).value == countpm.count(graph).value


def test_nothing_is_imported_that_the_caller_has_not():
    code = (
        "import sys, countpm\n"
        "assert countpm.perfect_matchings([(0, 1)]) == 1 and countpm.permanent([[0.5]]) == 0.5\n"
        "assert countpm.count([(0, 1)])._repr_html_() and countpm.sample([[1]], 2) == [(0,), (0,)]\n"
        "print(sorted(sys.modules.keys() & {'numpy', 'scipy', 'networkx', 'pandas', 'sympy', 'igraph', 'rustworkx', 'flint', 'tqdm'}))\n"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_hundred_thousand_edges_are_read_quickly():
    """Linear: ten times the edges take no more than some ten times as long."""
    import time

    def seconds(n):
        graph = nx.path_graph(n)
        start = time.process_time()
        countpm.Graph(graph)
        return time.process_time() - start

    small = min(seconds(10_000) for _ in range(3))
    assert seconds(100_000) < 40 * small + 0.1
