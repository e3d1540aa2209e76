"""Counts of random graphs and matrices, of every type of number and container, against the definitions."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction

import brute_force
import countpm
import networkx as nx
import numpy as np
import pytest
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


@given(st.integers(0, 5), st.integers(0, 6), st.integers(0, 10**6))
def test_permanents_of_rectangles(rows, columns, seed):
    matrix = np.random.default_rng(seed).integers(-2, 3, (rows, columns))
    expected = brute_force.permanent(matrix.tolist(), columns)
    assert countpm.permanent(matrix) == expected
    assert countpm.permanent(matrix.T) == expected
    assert countpm.permanent(scipy.sparse.csr_array(matrix)) == expected
    assert countpm.permanent(matrix.astype(float), exact=True) == expected
    found = countpm.count(matrix, "permanent")
    assert found.value == expected
    if found.matching_size is not None:
        assert (found.matching_size, found.free_vertices) == (min(rows, columns), abs(rows - columns))
    if seed % 8 == 0:
        assert list(countpm.count_many([matrix, matrix.T, [[2]]], "permanent")) == [expected, expected, 2]


@given(st.integers(0, 8), st.floats(0, 0.8), st.integers(0, 10**6))
def test_maximum_matchings(n, density, seed):
    graph = nx.gnp_random_graph(n, density, seed=seed)
    random = np.random.default_rng(seed)
    for _, _, data in graph.edges(data=True):
        data["w"] = int(random.integers(1, 5))
    ones = {frozenset((u, v)): 1 for u, v in graph.edges}
    size, expected = brute_force.maximum_matchings(list(graph), ones)
    assert countpm.maximum_matchings(graph) == expected
    found = countpm.count(graph, "maximum_matchings")
    assert (found.value, found.matching_size, found.free_vertices) == (expected, size, n - 2 * size)
    weights = {frozenset((u, v)): w for u, v, w in graph.edges(data="w")}
    assert countpm.maximum_matchings(graph, weight="w") == brute_force.maximum_matchings(list(graph), weights)[1]


def test_maximum_matchings_of_other_questions():
    assert countpm.explain(nx.star_graph(3), "maximum_matchings").matching_size == 1
    low, high = countpm.bounds(nx.grid_2d_graph(5, 5), "maximum_matchings")
    assert 10**low <= 2180 <= 10**high
    for question in (countpm.iter_matchings, countpm.ln_z):
        with pytest.raises(countpm.UsageError, match="maximum"):
            question(nx.star_graph(3), problem="maximum_matchings")
    star = nx.star_graph(3)
    assert countpm.marginals(star, "maximum_matchings", exact=True)[0, 2] == Fraction(1, 3)
    assert all(len(matching) == 1 for matching in countpm.sample(star, 4, "maximum_matchings"))
    with pytest.raises(countpm.UsageError, match="there is no option 'matchings'"):
        countpm.count(nx.star_graph(3), matchings="maximum")
    with pytest.raises(countpm.InputError, match="a directed one"):
        countpm.maximum_matchings(nx.DiGraph([(0, 1)]))
    assert countpm.sample([[1, 1], [1, 1]], problem="permanent")  # of a square matrix


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


@given(st.integers(0, 7), st.floats(0.1, 0.9), st.integers(0, 10**6))
def test_all_matchings_of_graphs(n, density, seed):
    graph = nx.gnp_random_graph(n, density, seed=seed)
    expected = brute_force.matchings_by_size(list(graph), list(graph.edges))
    assert countpm.matching_polynomial(graph) == expected
    assert countpm.number_of_matchings(graph) == sum(expected)
    assert [countpm.number_of_matchings(graph, k) for k in range(len(expected) + 1)] == [*expected, 0]
    third = Fraction(1, 3)
    by_weight = sum(m * third ** (n - 2 * k) for k, m in enumerate(expected))
    assert countpm.number_of_matchings(graph, monomers=third) == by_weight
    rounded = countpm.number_of_matchings(graph, monomers=0.25)
    assert math.isclose(rounded, sum(m * 0.25 ** (n - 2 * k) for k, m in enumerate(expected)), rel_tol=1e-12)


def test_monomers_in_other_containers():
    biadjacency = np.array([[1, 1, 0], [0, 1, 1]])
    assert countpm.matching_polynomial(biadjacency) == [1, 4, 3]
    assert countpm.matching_polynomial({"a": {"b": Fraction(1, 2)}, "b": {"c": 3}}, weight=True) == [1, Fraction(7, 2)]
    assert countpm.matching_polynomial("lattice:square:4x4")[-1] == 36
    assert countpm.loop_hafnian(scipy.sparse.csr_matrix([[5, 2], [2, 7]])) == 37
    turned = [(0, 1, 1 + 1j), (1, 2, 0.5 - 2j), (0, 2, 1j)]
    assert countpm.number_of_matchings(turned, weight=True, monomers=0.5, exact=True) == Fraction(7, 8)
    with pytest.raises(countpm.InputError, match="symmetric matrix"):
        countpm.loop_hafnian([[1, 2], [3, 4]])
    with pytest.raises(countpm.InputError, match="undirected or bipartite graph"):
        countpm.matching_polynomial(nx.DiGraph([(0, 1)]))
    for wrong in (-1, 1.5, True):
        with pytest.raises(countpm.UsageError, match="expected a number of edges"):
            countpm.number_of_matchings(nx.path_graph(3), wrong)
    with pytest.raises(countpm.UsageError, match="exclude each other"):
        countpm.number_of_matchings(nx.path_graph(3), 1, monomers=2)
    for wrong in ("t", math.nan, math.inf):
        with pytest.raises(countpm.UsageError, match="expected a number, the weight"):
            countpm.number_of_matchings(nx.path_graph(3), monomers=wrong)


def test_copies_of_vertices_are_rows_and_columns_written_out():
    random = np.random.default_rng(7)
    for run in range(20):
        n = int(random.integers(1, 5))
        half = random.integers(-4, 5, (n, n))
        matrix = half + half.T
        copies = [int(times) for times in random.integers(0, 4, n)]
        line = np.repeat(np.arange(n), copies)
        written = matrix[np.ix_(line, line)].tolist()
        turned = [[Fraction(int(entry), 3) for entry in row] for row in matrix]
        for given in (matrix, matrix.tolist(), scipy.sparse.csr_matrix(matrix)):
            assert countpm.hafnian(given, copies=copies) == brute_force.hafnian(written)
            assert countpm.loop_hafnian(given, copies=copies) == brute_force.loop_hafnian(written)
        scale = Fraction(1, 3) ** (len(written) // 2)
        assert countpm.hafnian(turned, copies=copies) == brute_force.hafnian(written) * (scale if len(written) % 2 == 0 else 0)
        floats = countpm.loop_hafnian(matrix * 0.5, copies=copies)
        assert math.isclose(floats, brute_force.loop_hafnian([[entry / 2 for entry in row] for row in written]), abs_tol=1e-9)
        diagonals = random.integers(-3, 4, (3, n))
        expected = []
        for diagonal in diagonals:
            alone = [list(row) for row in written]
            for place, vertex in enumerate(line):
                alone[place][place] = int(diagonal[vertex])
            expected.append(brute_force.loop_hafnian(alone))
        assert countpm.loop_hafnians(matrix, diagonals, copies=copies) == expected
        assert countpm.loop_hafnians(matrix.tolist(), diagonals.tolist(), copies=copies) == expected
    assert countpm.Graph([[5, 2], [2, 7]], weight=True).hafnian(copies=[2, 2]) == 43
    assert countpm.loop_hafnian([[1j]], copies=[2], exact=True) == countpm.ComplexFraction(-1, 1)
    assert countpm.loop_hafnians([[0, 1j], [1j, 0]], [[1, 2], [0, 0.5]], exact=True) == [countpm.ComplexFraction(2, 1), countpm.ComplexFraction(0, 1)]
    with pytest.raises(countpm.UsageError, match="copies has 1 numbers, and the matrix has 2 rows"):
        countpm.hafnian([[0, 1], [1, 0]], copies=[2])
    with pytest.raises(countpm.UsageError, match="copies: expected a whole number"):
        countpm.loop_hafnian([[0, 1], [1, 0]], copies=[2, -1])
    with pytest.raises(countpm.InputError, match="symmetric matrix"):
        countpm.hafnian([[0, 1], [2, 0]], copies=[1, 1])
    with pytest.raises(countpm.InputError, match="diagonals of 2 numbers, found 3 in diagonal 1"):
        countpm.loop_hafnians([[0, 1], [1, 0]], [[1, 2], [1, 2, 3]])
    with pytest.raises(countpm.InputError, match="square"):
        countpm.loop_hafnians([[0, 1, 2], [1, 0, 2]], [])
    with pytest.raises(countpm.InputError, match="list of rows"):
        countpm.loop_hafnians(nx.path_graph(2), [[1, 2]])


def test_monomers_beside_letters():
    x, y = countpm.letters("x y")
    path = [("a", "b", x), ("b", "c", 1)]
    assert countpm.number_of_matchings(path, weight=True) == 2 + x
    assert countpm.number_of_matchings(path, monomers=3, weight=True) == 30 + 3 * x
    assert countpm.loop_hafnian([[x, 2], [2, y]]) == x * y + 2
    with pytest.raises(countpm.UsageError, match="monomers='t'"):
        countpm.matching_polynomial(path, weight=True)


def test_monomers_with_floats_are_the_floats():
    tenth = Fraction(0.1)
    edge = nx.path_graph(2)
    assert countpm.number_of_matchings(edge, monomers=0.1, exact=True) == tenth**2 + 1
    rounded = countpm.number_of_matchings(nx.empty_graph(3), monomers=0.1)
    assert abs(Fraction(float(rounded)) - tenth**3) <= Fraction(rounded.error)
    with pytest.raises(countpm.UsageError, match="expected a real number with exact=True"):
        countpm.number_of_matchings(edge, monomers=1j, exact=True)
    with pytest.raises(countpm.UsageError, match="monomers=0: no vertex stays alone"):
        countpm.number_of_matchings(edge, monomers=0.0)


def covers(vertices, pieces):
    """By number of rings: pieces are (members, weight, 1 for a ring, else 0)."""
    if not vertices:
        return {0: 1}
    first, found = min(vertices), {}
    for members, weight, ring in pieces:
        if first in members and set(members) <= vertices:
            for k, number in covers(vertices - set(members), pieces).items():
                found[k + ring] = found.get(k + ring, 0) + weight * number
    return found


@given(st.integers(1, 8), st.floats(0.2, 0.9), st.integers(0, 10**6))
def test_covers_by_edges_and_rings(n, density, seed):
    graph = nx.gnp_random_graph(n, density, seed=seed)
    pieces = [(edge, 1, 0) for edge in graph.edges]
    pieces += [(ring, 1, 1) for ring in nx.chordless_cycles(graph) if len(ring) in (3, 4)]
    expected = covers(set(graph), pieces)
    polynomial = countpm.clar_covering_polynomial(graph, rings=(3, 4))
    assert polynomial == [expected.get(k, 0) for k in range(max((k for k in expected if expected[k]), default=0) + 1)]
    assert countpm.ring_covers(graph, rings=(3, 4)) == sum(polynomial)
    half = Fraction(1, 2)
    assert countpm.ring_covers(graph, rings=(4, 3), ring_weight=half) == sum(z * half**k for k, z in enumerate(polynomial))


@given(st.integers(1, 7), st.integers(0, 10**6))
def test_exact_covers_of_random_sets(n, seed):
    random = np.random.default_rng(seed)
    sets = [[int(v) for v in random.permutation(n)[: random.integers(1, n + 1)]] for _ in range(12)]
    weights = [Fraction(int(random.integers(-3, 4)), int(random.integers(1, 4))) for _ in sets]
    pieces = [(members, weight, 0) for members, weight in zip(sets, weights)]
    assert countpm.exact_covers(sets, weights, elements=range(n)) == covers(set(range(n)), pieces).get(0, 0)
    assert countpm.exact_covers(sets, elements=range(n)) == covers(set(range(n)), [(s, 1, 0) for s in sets]).get(0, 0)


def test_covers_refuse_what_they_cannot():
    assert countpm.exact_covers([]) == 1
    assert countpm.exact_covers([["a", "b", "c"]], elements="abcd") == 0
    with pytest.raises(countpm.UsageError, match="expected ints and Fractions"):
        countpm.exact_covers([["a"]], [0.5])
    with pytest.raises(countpm.UsageError, match="one for each of 1 sets"):
        countpm.exact_covers([["a"]], [1, 2])
    with pytest.raises(countpm.UsageError, match="expected members of elements"):
        countpm.exact_covers([["a", "e"]], elements="abc")
    with pytest.raises(countpm.InputError, match="different vertices"):
        countpm.exact_covers([["a", "b", "a"]])
    with pytest.raises(countpm.UsageError, match="expected lengths from 3 to 64"):
        countpm.clar_covering_polynomial(nx.path_graph(3), rings=(2,))
    with pytest.raises(countpm.UsageError, match="ring_weight=0: no ring is used"):
        countpm.ring_covers(nx.path_graph(3), ring_weight=0)
    with pytest.raises(countpm.InputError, match="undirected or bipartite graph"):
        countpm.clar_covering_polynomial(nx.DiGraph([(0, 1)]))


def test_coefficients_that_cancel():
    edges = [("b", "e", -3), ("b", "h", -3), ("c", "g", -1), ("d", "g", 1)]
    assert countpm.matching_polynomial(edges, weight=True) == [1, -6, 0]


@given(st.integers(1, 4), st.floats(0.4, 1), st.sampled_from([int, float, Fraction]), st.sampled_from(["min", "max"]), st.integers(0, 2**32))
def test_ground_states_of_graphs(half, density, number, which, seed):
    graph = nx.gnp_random_graph(2 * half, density, seed=seed)
    draw = np.random.default_rng(seed)
    for u, v in graph.edges:
        graph[u][v]["weight"] = number(draw.integers(-2, 3)) / (4 if number is not int else 1)
    sums = []
    for pairing in brute_force.pairings(list(graph)):
        if all(graph.has_edge(u, v) for u, v in pairing):
            sums.append(sum(Fraction(graph[u][v]["weight"]) for u, v in pairing))
    best = (min if which == "min" else max)(sums, default=None)
    assert countpm.ground_state(graph, which) == (best, sums.count(best))


def test_ground_states_of_other_containers(tmp_path):
    assert countpm.ground_state(np.array([[1.5, 2.0], [2.0, 2.5]])) == (4, 2)
    assert countpm.ground_state(scipy.sparse.csr_array([[1, 0], [7, 3]]), "max") == (4, 1)
    assert countpm.ground_state(nx.DiGraph([(0, 1, {"weight": 2}), (1, 0, {"weight": 0}), (1, 1)])) == (2, 1)
    assert countpm.ground_state([("a", "b", 0), ("c", "d", -2)]) == (-2, 1)
    assert countpm.ground_state([("a", "b", 1), ("b", "c", 2)]) == (None, 0)
    assert countpm.ground_state("lattice:square:2x2:weights=0,1") == (0, 1)
    file = tmp_path / "two.edges"
    file.write_text("a b 1/3\nc d 1/6\n")
    assert countpm.ground_state(file) == (Fraction(1, 2), 1)
    file.write_text("a b 1/3\nc d 0\n")
    with pytest.raises(countpm.InputError, match="other than 0"):
        countpm.ground_state(file)
    with pytest.raises(countpm.UnableError, match="no order"):
        countpm.ground_state([[1j]])
    with pytest.raises(countpm.UsageError, match="which"):
        countpm.ground_state([[1]], "least")


def test_factors():
    assert countpm.number_of_factors(nx.grid_2d_graph(4, 4)) == 18
    assert countpm.number_of_factors(nx.hypercube_graph(4)) == 2970
    assert countpm.number_of_factors(np.ones((4, 4), dtype=int)) == 90
    assert countpm.number_of_factors(nx.complete_graph(4), 3) == 1
    assert countpm.number_of_factors(nx.path_graph(3), 2) == 0
    assert countpm.number_of_factors(nx.star_graph(3), {0: 3, 1: 1, 2: 1, 3: 1}) == 1
    with pytest.raises(countpm.UsageError, match="every vertex"):
        countpm.number_of_factors(nx.path_graph(3), {0: 1})
    assert countpm.number_of_factors([("a", "b", 2), ("b", "c", 3), ("c", "a", 5)], weight=True) == 30
    with pytest.raises(countpm.UsageError, match="degree"):
        countpm.number_of_factors(nx.path_graph(3), -1)
    with pytest.raises(countpm.InputError, match="undirected"):
        countpm.number_of_factors(nx.DiGraph([(0, 1)]))


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
    precise = countpm.permanent(np.full((3, 3), 0.1), arithmetic=300)
    exact = 6 * Fraction(0.1) ** 3
    assert abs(Fraction(precise.text) - exact) < Fraction(1, 10**80)


def test_residues():
    random = np.random.default_rng(3)
    matrix = random.integers(-(2**30), 2**30, size=(9, 9))
    exact = countpm.permanent(matrix)
    for modulus in (2, 3, 1000, 998244353, 2**61 - 1, 2**64 - 59, 2**64):
        assert countpm.permanent(matrix, modulo=modulus) == exact % modulus
        assert countpm.permanent(matrix, modulo=np.uint64(modulus) if modulus < 2**64 else [modulus]) in (exact % modulus, (exact % modulus,))
    assert countpm.perfect_matchings("lattice:square:8x8", modulo=[7, 10**9 + 7]) == (12988816 % 7, 12988816)
    found = countpm.count("lattice:complete:40", modulo=[998244353, 97])
    value = math.prod(range(1, 40, 2))
    assert found.residues == {998244353: value % 998244353, 97: value % 97}
    assert found.value == (value % 998244353, value % 97) and found.exact and math.isnan(found.log10)
    assert "modulo 97" in repr(found)
    assert countpm.count("lattice:square:8x8").residues == {}
    assert countpm.count(nx.star_graph(4), modulo=5).residues == {5: 0}
    half = [[Fraction(1, 2), 1], [1, Fraction(1, 3)]]
    assert countpm.permanent(half, modulo=7) == (pow(6, -1, 7) + 1) % 7
    with pytest.raises(countpm.UsageError, match="no residue modulo 6"):
        countpm.permanent(half, modulo=6)
    with pytest.raises(countpm.UsageError, match="exact=True"):
        countpm.permanent([[0.5, 1.0], [1.0, 0.25]], modulo=7)
    assert countpm.permanent([[0.5, 1.0], [1.0, 0.25]], modulo=7, exact=True) == (pow(8, -1, 7) + 1) % 7
    with pytest.raises(countpm.UsageError, match="only for counts"):
        countpm.marginals("lattice:square:4x4", modulo=7)
    assert countpm.explain("lattice:square:30x30", modulo=998244353).to_dict()["blocks"][0]["modulo"] == "directly"


def test_recurrence():
    found = countpm.recurrence("lattice:square:4xN")
    assert found.value == 4 and found.coefficients == (1, 5, 1, -1) and found.proved
    lower, upper = found.growth
    assert lower < upper and abs(float(lower) - 2.8405361941) < 1e-8
    weighted = countpm.recurrence("lattice:square:2xN:weights=2,1/3", weight=True)
    assert all(isinstance(one, (int, Fraction)) for one in weighted.coefficients)
    counts = [countpm.perfect_matchings(f"lattice:square:2x{n}:weights=2,1/3", weight=True) for n in range(1, 9)]
    for k in range(weighted.value, 8):
        assert counts[k] == sum(c * counts[k - 1 - i] for i, c in enumerate(weighted.coefficients))
    with pytest.raises(countpm.UsageError):
        countpm.recurrence("lattice:square:4x4")


def test_settings_change_no_count():
    matrix = np.random.default_rng(2).integers(0, 4, (9, 9))
    expected = countpm.permanent(matrix)
    for method, settings in (("skipper", {"order": "off"}), ("enumerate", {"steps": 9, "structure": "off"}), ("codegen", {"form": "hybrid", "ratio": 16})):
        found = countpm.count(matrix, "permanent", method=method, rules=[], set=settings)
        assert found.value == expected
        assert countpm.permanent(matrix, method=method, rules=[], set=settings) == expected
        assert found.settings == {name: str(value) for name, value in settings.items()}
        assert countpm.explain(matrix, "permanent", method=method, set=settings)
    assert countpm.count(matrix, "permanent").settings == {}
    for call in (countpm.count, countpm.explain):
        with pytest.raises(countpm.UsageError, match="name it by method"):
            call(matrix, "permanent", set={"order": "off"})
    with pytest.raises(countpm.UsageError, match="name it by method"):
        countpm.permanent(matrix, set={"order": "off"})


def test_polynomials_of_letters() -> None:
    x, y = countpm.letters("x y")
    square = [(0, 1, x), (1, 2, 2 * x / y), (2, 3, x), (3, 0, 1)]
    p = countpm.perfect_matchings(square, weight=True)
    assert p == x**2 + 2 * x / y
    assert p.variables == ("x", "y")
    assert p[(2, 0)] == 1 and p[(1, -1)] == 2 and p[(5, 5)] == 0
    assert p(3, y=2) == 12 and p(Fraction(1, 2), 1) == Fraction(5, 4)
    assert countpm.perfect_matchings([(0, 1, "x"), (1, 2, "2*x*y^-1"), (2, 3, "x"), (3, 0, 1)], weight=True) == p
    assert pickle.loads(pickle.dumps(p)) == p
    board = countpm.count("lattice:square:4x4:weights=x,1")
    assert board.value.coefficients() == [1, 0, 9, 0, 16, 0, 9, 0, 1]
    assert board.to_dict()["polynomial"]["terms"][1] == [[2], "9"]
    doubled = [(0, 1, "x"), (1, 0, "x"), (2, 3, 3)]
    assert countpm.perfect_matchings(doubled, weight=True, multi="sum") == 6 * x
    graph = nx.Graph()
    graph.add_edge("a", "b", w=x**-1)
    graph.add_edge("b", "c")
    graph.add_edge("c", "d", w="1/2*x")
    assert countpm.perfect_matchings(graph, weight="w") == Fraction(1, 2)
    assert countpm.permanent([[x, 1], [y, x]]) == x**2 + y
    assert hash(x / x) == hash(1) and hash(x - x) == hash(0)
    assert (x**30)(np.int64(10)) == 10**30
    for name in ("xy", "e", "i"):
        with pytest.raises(countpm.UsageError, match=f"found '{name}'"):
            countpm.letters(f"x {name}")
    with pytest.raises(countpm.UsageError, match="letter"):
        countpm.marginals(square, weight=True)
    with pytest.raises(countpm.InputError):
        countpm.perfect_matchings([(0, 1, x + 1)], weight=True)
    with pytest.raises(countpm.InputError):
        countpm.perfect_matchings([(0, 1, x), (2, 3, 0.5)], weight=True)


def test_polynomials_of_sympy() -> None:
    sympy = pytest.importorskip("sympy")
    with pytest.raises(countpm.InputError, match="found i of type Symbol"):
        countpm.permanent([[sympy.Symbol("i"), 1], [1, 1]])
    x, y = sympy.symbols("x y")
    p = countpm.perfect_matchings([(0, 1, x), (1, 2, 2 * x / y), (2, 3, x), (3, 0, sympy.Rational(1, 3))], weight=True)
    assert sympy.expand(p.to_sympy() - (x**2 + sympy.Rational(2, 3) * x / y)) == 0
    again = countpm.count(countpm.Graph([(0, 1, x), (2, 3, y**2)], weight=True)).value
    assert again.to_sympy() == x * y**2
