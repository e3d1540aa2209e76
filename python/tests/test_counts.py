"""Counts of random graphs and matrices, of every type of number and container, against the definitions."""

from __future__ import annotations

import math
from fractions import Fraction

import brute_force
import countpm
import networkx as nx
import numpy as np
import scipy.sparse
from hypothesis import example, given
from hypothesis import strategies as st

small = st.integers(-4, 4)
large = st.one_of(st.just(0), st.integers(-(2**90), 2**90))
fractions = st.one_of(st.just(Fraction(0)), st.fractions(-5, 5, max_denominator=12))
floats = st.one_of(st.just(0.0), st.floats(-8, 8, width=32))
complexes = st.builds(complex, floats, floats)


@st.composite
def square(draw, numbers, most=6):
    n = draw(st.integers(0, most))
    return [[draw(numbers) for _ in range(n)] for _ in range(n)]


@st.composite
def symmetric(draw, numbers, most=7):
    n = draw(st.integers(0, most))
    rows = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            rows[i][j] = rows[j][i] = draw(numbers)
    return rows


@given(square(st.one_of(small, st.booleans())))
def test_permanents_of_small_integers(rows):
    found = countpm.permanent(rows)
    assert type(found) is int
    assert found == brute_force.permanent(rows)
    if rows:
        for dtype in (np.int8, np.int32, np.int64):
            array = np.array(rows, dtype=dtype)
            assert countpm.permanent(array) == found
            assert countpm.permanent(array.T) == found  # not contiguous
            assert countpm.permanent(scipy.sparse.csr_array(array)) == found
            assert countpm.permanent(scipy.sparse.coo_matrix(array)) == found


@given(square(large, most=5))
def test_permanents_of_integers_beyond_64_bits(rows):
    found = countpm.permanent(rows)
    assert type(found) is int
    assert found == brute_force.permanent(rows)
    if rows:
        assert countpm.permanent(np.array(rows, dtype=object)) == found


@given(square(fractions, most=5))
def test_permanents_of_fractions(rows):
    found = countpm.permanent(rows)
    assert isinstance(found, (int, Fraction))
    assert found == brute_force.permanent(rows)


@given(square(floats, most=6))
def test_permanents_of_floats_are_within_their_error(rows):
    exact = brute_force.permanent([[Fraction(value) for value in row] for row in rows])
    for matrix in (rows, np.array(rows).reshape(len(rows), len(rows))):
        found = countpm.permanent(matrix)
        if isinstance(found, countpm.Real):
            assert abs(Fraction(float(found)) - exact) <= Fraction(found.error)
        else:
            assert found == exact == (0 if rows else 1)  # no permutation, or only the empty one
        assert countpm.permanent(matrix, exact=True) == exact


@given(square(complexes, most=5))
def test_permanents_of_complex_numbers_are_within_their_error(rows):
    def parts(z):
        return Fraction(z.real), Fraction(z.imag)

    def times(a, b):
        return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]

    def expand(rows):
        if not rows:
            return Fraction(1), Fraction(0)
        total = Fraction(0), Fraction(0)
        for j, value in enumerate(rows[0]):
            term = times(parts(value), expand([row[:j] + row[j + 1 :] for row in rows[1:]]))
            total = total[0] + term[0], total[1] + term[1]
        return total

    real, imaginary = expand(rows)
    for matrix in (rows, np.array(rows, dtype=complex).reshape(len(rows), len(rows))):
        found = countpm.permanent(matrix)
        value, error = complex(found), getattr(found, "error", 0.0)
        away = math.hypot(float(Fraction(value.real) - real), float(Fraction(value.imag) - imaginary))
        assert away <= error * (1 + 1e-12)


@given(symmetric(small))
def test_hafnians_of_integers(rows):
    found = countpm.hafnian(rows)
    assert type(found) is int
    assert found == brute_force.hafnian(rows)
    if rows:
        array = np.array(rows, dtype=np.int64)
        assert countpm.hafnian(array) == found
        assert countpm.hafnian(scipy.sparse.csc_array(array)) == found
        assert countpm.hafnian(scipy.sparse.coo_matrix(array)) == found
        assert countpm.hafnian(array.astype(object)) == found


@given(symmetric(floats, most=6))
def test_hafnians_of_floats_are_within_their_error(rows):
    exact = brute_force.hafnian([[Fraction(value) for value in row] for row in rows])
    found = countpm.hafnian(np.array(rows, dtype=float).reshape(len(rows), len(rows)))
    assert abs(Fraction(float(found)) - exact) <= Fraction(getattr(found, "error", 0.0))
    assert countpm.hafnian(rows, exact=True) == exact


@given(st.integers(0, 8), st.floats(0, 1), st.integers(0, 10**6))
def test_perfect_matchings_of_graphs(n, density, seed):
    graph = nx.gnp_random_graph(n, density, seed=seed)
    expected = len(brute_force.perfect_matchings(graph.nodes, graph.edges))
    assert countpm.perfect_matchings(graph) == expected
    assert countpm.perfect_matchings(dict(graph.adjacency())) == expected
    assert countpm.perfect_matchings(nx.relabel_nodes(graph, {v: f"v{v}" for v in graph})) == expected
    if n:
        adjacency = nx.to_numpy_array(graph, dtype=int)
        assert countpm.perfect_matchings(adjacency, kind="undirected") == expected
        assert countpm.hafnian(adjacency) == expected
        assert countpm.hafnian(nx.to_scipy_sparse_array(graph, format="csr")) == expected
    if all(degree for _, degree in graph.degree):
        assert countpm.perfect_matchings(list(graph.edges)) == expected


@given(st.integers(1, 7), st.floats(0, 1), st.integers(0, 10**6))
@example(4, 0.75, 0)
def test_weighted_graphs_and_files(n, density, seed):
    graph = nx.gnp_random_graph(n, density, seed=seed)
    for at, (u, v) in enumerate(graph.edges):
        graph[u][v]["w"] = Fraction(at % 5 - 2, at % 3 + 1)
    rows = [[graph[u][v]["w"] if graph.has_edge(u, v) else 0 for v in graph] for u in graph]
    expected = brute_force.hafnian(rows)
    found = countpm.perfect_matchings(graph, weight="w")
    assert found == expected
    assert type(found) is int or found.denominator > 1
    graph.remove_edges_from([(u, v) for u, v, w in list(graph.edges(data="w")) if w == 0])
    if all(degree for _, degree in graph.degree):
        text = "".join(f"{u} {v} {w}\n" for u, v, w in graph.edges(data="w"))
        # Three lines of three numbers could be a matrix too.
        assert countpm.perfect_matchings(countpm.read(text.encode(), format="edgelist", weight=True)) == expected


@given(st.integers(1, 6), st.floats(0, 1), st.integers(0, 10**6))
def test_cycle_covers_of_digraphs(n, density, seed):
    graph = nx.gnp_random_graph(n, density, seed=seed, directed=True)
    graph.add_edges_from((v, v) for v in range(0, n, 2))
    adjacency = nx.to_numpy_array(graph, dtype=int)
    expected = brute_force.permanent(adjacency.tolist())
    assert countpm.cycle_covers(graph) == expected
    assert countpm.cycle_covers(adjacency) == expected
    assert countpm.cycle_covers(adjacency.tolist()) == expected
    assert countpm.count(graph).value == expected


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 10**6))
def test_rectangular_biadjacency_matrices_have_no_perfect_matching(rows, columns, seed):
    matrix = np.random.default_rng(seed).integers(0, 2, (rows, columns))
    expected = brute_force.permanent(matrix.tolist()) if rows == columns else 0
    assert countpm.perfect_matchings(matrix) == expected
    assert countpm.perfect_matchings(matrix.astype(bool)) == expected
    assert countpm.perfect_matchings(scipy.sparse.lil_array(matrix)) == expected


@given(st.integers(2, 6), st.integers(0, 10**6))
def test_parallel_edges_are_added_up(n, seed):
    random = np.random.default_rng(seed)
    graph = nx.MultiGraph()
    graph.add_nodes_from(range(n))
    for _ in range(3 * n):
        u, v = random.choice(n, 2, replace=False).tolist()
        graph.add_edge(u, v, w=int(random.integers(-3, 4)))
    sums = [[sum(e["w"] for e in (graph.get_edge_data(u, v) or {}).values()) for v in range(n)] for u in range(n)]
    numbers = [[graph.number_of_edges(u, v) for v in range(n)] for u in range(n)]
    assert countpm.perfect_matchings(graph, multi="sum", weight="w") == brute_force.hafnian(sums)
    assert countpm.perfect_matchings(graph, multi="sum") == brute_force.hafnian(numbers)


def test_known_counts():
    assert countpm.perfect_matchings(nx.grid_2d_graph(8, 8)) == 12988816
    assert countpm.perfect_matchings(nx.petersen_graph()) == 6
    assert countpm.perfect_matchings(countpm.lattice("hexagon:3x3x3")) == 980
    assert countpm.permanent(np.ones((20, 20), dtype=int)) == math.factorial(20)
    assert countpm.perfect_matchings(countpm.lattice("square:4x4:weights=1,1/2", weight=True)) == Fraction(1125, 256)


def test_numbers_of_many_digits_arrive_whole():
    n = 2**40 + 1
    big = countpm.permanent(np.diag([n] * 600))
    assert big == n**600  # 7,225 digits, more than Python would read from text
    assert countpm.permanent(np.diag([-n] * 5)) == -(n**5)
    assert countpm.count(np.diag([n] * 600), "permanent").value == n**600


def test_methods_and_options_reach_the_core():
    matrix = np.random.default_rng(1).integers(0, 2, (12, 12))
    expected = countpm.permanent(matrix)
    for method in ("ryser", "pruned", "frontier", "definition"):
        assert countpm.permanent(matrix, method=method) == expected
        assert countpm.count(matrix, "permanent", method=method, rules=[]).method in (method, "structure", "reductions")
    assert countpm.permanent(matrix, double_check=True, threads=2, time_limit=None, memory_limit=2**30) == expected
    precise = countpm.permanent(np.full((3, 3), 0.1), precision=300)
    exact = 6 * Fraction(0.1) ** 3
    assert abs(Fraction(precise.text) - exact) < Fraction(1, 10**80)
