"""Matchings listed, drawn at random, and the probabilities of edges."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import chain, combinations, islice

import brute_force
import countpm
import networkx as nx
import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st


def as_set(matchings):
    return {frozenset(frozenset(edge) for edge in matching) for matching in matchings}


@given(st.integers(0, 8), st.floats(0.3, 1), st.integers(0, 10**6))
def test_all_matchings_are_listed_once(n, density, seed):
    graph = nx.gnp_random_graph(n, density, seed=seed)
    expected = brute_force.perfect_matchings(graph.nodes, graph.edges)
    found = list(countpm.iter_matchings(graph))
    assert len(found) == len(expected)
    assert as_set(found) == {frozenset(matching) for matching in expected}
    assert all(graph.has_edge(u, v) for matching in found for u, v in matching)


@given(st.integers(1, 6), st.integers(0, 10**6))
def test_matrices_give_the_columns_of_their_rows(n, seed):
    matrix = np.random.default_rng(seed).integers(0, 2, (n, n))
    found = list(countpm.iter_matchings(matrix))
    assert found == sorted(found)
    assert len(set(found)) == len(found) == brute_force.permanent(matrix.tolist())
    assert all(sorted(columns) == list(range(n)) for columns in found)
    assert all(matrix[row, column] for columns in found for row, column in enumerate(columns))


def test_cycle_covers_are_sets_of_arcs():
    graph = nx.DiGraph([("a", "b"), ("b", "a"), ("c", "c"), ("b", "c"), ("c", "a")])
    found = list(countpm.iter_matchings(graph))
    assert {frozenset(cover) for cover in found} == {
        frozenset({("a", "b"), ("b", "a"), ("c", "c")}),
        frozenset({("a", "b"), ("b", "c"), ("c", "a")}),
    }


def test_ranges_and_endless_lists():
    everything = list(countpm.iter_matchings("lattice:square:4x4"))
    assert len(everything) == 36
    assert list(countpm.iter_matchings("lattice:square:4x4", first=10, last=12)) == everything[9:12]
    assert list(countpm.iter_matchings("lattice:square:4x4", first=35)) == everything[34:]
    assert list(countpm.iter_matchings("lattice:square:4x4", first=37)) == []
    assert len(list(islice(countpm.iter_matchings(np.ones((30, 30))), 1000))) == 1000


def test_a_list_can_be_closed():
    matchings = countpm.iter_matchings(np.ones((30, 30)))
    assert next(matchings) == tuple(range(30))
    matchings.close()
    matchings.close()
    assert list(matchings) == []
    with countpm.iter_matchings(np.ones((30, 30))) as inside:
        next(inside)
    with pytest.raises(StopIteration):
        next(inside)
    for _ in range(50):  # forgotten ones end too
        next(countpm.iter_matchings(np.ones((30, 30))))


def test_samples_are_matchings_and_fixed_by_the_seed():
    graph = nx.grid_2d_graph(4, 4)
    drawn = countpm.sample(graph, 5, seed=7)
    assert len(drawn) == 5
    for matching in drawn:
        assert len(matching) == 8
        assert len({v for edge in matching for v in edge}) == 16
        assert all(graph.has_edge(u, v) for u, v in matching)
    assert countpm.sample(graph, 5, seed=7) == drawn
    assert countpm.sample(graph, 5, seed=8) != drawn
    assert countpm.sample(nx.path_graph(3), 4) == []
    assert countpm.sample(nx.path_graph(4), 0) == []


def test_samples_come_in_proportion_to_their_weights():
    draws = 3000
    weights = np.array([[1, 2], [3, 4]])
    counts = Counter(map(tuple, countpm.sample(weights, draws, weight=True, seed=5).tolist()))
    assert set(counts) == {(0, 1), (1, 0)}
    share = counts[1, 0] / draws  # 6 of 10
    assert abs(share - 0.6) < 5 * (0.24 / draws) ** 0.5
    odd = nx.complete_graph(4)
    nx.set_edge_attributes(odd, 1, "w")
    odd[0][1]["w"] = 5
    counts = Counter(frozenset(map(frozenset, matching)) for matching in countpm.sample(odd, draws, weight="w", seed=5))
    heavy = frozenset({frozenset({0, 1}), frozenset({2, 3})})
    assert abs(counts[heavy] / draws - 5 / 7) < 5 * (10 / 49 / draws) ** 0.5


def test_approximate_samples_are_matchings_and_say_how_good_they_are(caplog):
    graph = nx.triangular_lattice_graph(3, 5)
    with caplog.at_level("INFO", logger="countpm"):
        drawn = countpm.sample(graph, 4, seed=7, sampler="annealed")
    assert "drawn approximately, by annealed" in caplog.text
    assert len(drawn) == 4
    for matching in drawn:
        assert len({v for edge in matching for v in edge}) == len(graph)
        assert all(graph.has_edge(u, v) for u, v in matching)
    assert countpm.sample(graph, 4, seed=7, sampler="annealed", threads=1) == drawn
    assert countpm.sample(np.ones((5, 5)), 3, sampler="bethe").shape == (3, 5)
    assert len(countpm.sample(nx.path_graph(3), 4, monomers=1, sampler="annealed")) == 4
    with pytest.raises(countpm.UsageError):
        countpm.sample(graph, 1, sampler="anealed")


def test_samples_are_foretold():
    forecast = countpm.explain_sample("lattice:square:6x6", 7, seed=3)
    assert (forecast.draws, forecast.exact, forecast.feasible, forecast.approximate) == (7, True, True, None)
    [piece] = forecast.pieces
    assert (piece.rows, piece.edges, piece.general) == (18, 60, False)
    [chosen] = [method for method in piece.methods if method.chosen]
    assert chosen.method == "frontier" and chosen.obstacle is None
    assert forecast.seconds == chosen.seconds > 0
    assert countpm.explain_sample([[1, 1], [1, 1]], 2).feasible
    assert countpm.explain_sample([[1, 0], [1, 0]]).pieces == ()
    assert countpm.explain_sample("lattice:square:3x3", monomers=2).pieces[0].general
    sampled = countpm.explain_sample("lattice:square:4x4", 3, sampler="annealed")
    assert not sampled.exact and sampled.approximate["sampler"] == "annealed" and sampled.seconds == sampled.approximate["seconds"]


def test_samples_beyond_the_limits_are_refused_at_once():
    with pytest.raises(countpm.UnableError, match=r"predicted to take .* time_limit=.*sampler"):
        countpm.sample("lattice:cubic:4x4x4", 10**12, time_limit=600)
    with pytest.raises(countpm.UnableError, match="predicted to need .* of memory"):
        countpm.sample("lattice:cubic:6x6x6", memory_limit=10**9, time_limit=None)
    assert not countpm.explain_sample("lattice:cubic:4x4x4", 10**12, time_limit=600).feasible


def test_samples_of_matrices_are_arrays():
    drawn = countpm.sample(scipy.sparse.csr_array(np.ones((5, 5))), 7, seed=2)
    assert isinstance(drawn, np.ndarray)
    assert drawn.shape == (7, 5)
    assert all(sorted(row) == list(range(5)) for row in drawn.tolist())
    assert countpm.sample(np.zeros((2, 2)), 3).shape == (0, 2)
    assert countpm.sample([[1, 1], [0, 1]], 2) == [(0, 1), (0, 1)]
    with pytest.raises(countpm.UnableError):
        countpm.sample([[1, -1], [1, 1]], weight=True)


@given(st.integers(2, 8), st.floats(0.4, 1), st.integers(0, 10**6))
def test_probabilities_of_edges(n, density, seed):
    graph = nx.gnp_random_graph(n, density, seed=seed)
    matchings = brute_force.perfect_matchings(graph.nodes, graph.edges)
    exact = countpm.marginals(graph, exact=True)
    rounded = countpm.marginals(graph)
    assert set(map(frozenset, exact)) == set(map(frozenset, graph.edges))
    for u, v in graph.edges:
        number = sum(frozenset({u, v}) in matching for matching in matchings)
        expected = Fraction(number, len(matchings)) if matchings else Fraction(0)
        assert exact[u, v] == exact[v, u] == expected
        assert isinstance(exact[u, v], Fraction)
        assert rounded[u, v] == float(expected)


@given(st.integers(2, 8), st.floats(0.4, 1), st.integers(0, 10**6))
def test_probabilities_of_pairs(n, density, seed):
    graph = nx.gnp_random_graph(n, density, seed=seed)
    matchings = brute_force.perfect_matchings(graph.nodes, graph.edges)
    pairs = [(e, f) for e in graph.edges for f in graph.edges]
    joint = countpm.pair_marginals(graph, pairs, exact=True)
    for ((u, v), (x, y)), value in zip(pairs, joint, strict=True):
        number = sum({frozenset({u, v}), frozenset({x, y})} <= matching for matching in matchings)
        assert value == (Fraction(number, len(matchings)) if matchings else 0)


@given(st.integers(1, 6), st.floats(0.3, 1), st.integers(0, 10**6))
def test_probabilities_of_pairs_where_vertices_may_stay_alone(n, density, seed):
    graph = nx.gnp_random_graph(n, density, seed=seed)
    covers = []  # edges, and (v, v) where v stays alone
    for alone in chain.from_iterable(combinations(range(n), k) for k in range(n + 1)):
        rest = graph.subgraph(set(range(n)) - set(alone))
        loops = {frozenset({v}) for v in alone}
        covers += [(Fraction(1, 2) ** len(alone), set(matching) | loops) for matching in brute_force.perfect_matchings(rest.nodes, rest.edges)]
    total = sum(weight for weight, _ in covers)
    places = [*graph.edges, *((v, v) for v in range(n))]
    pairs = [(e, f) for e in places for f in places]
    joint = countpm.pair_marginals(graph, pairs, monomers=Fraction(1, 2), exact=True)
    for (e, f), value in zip(pairs, joint, strict=True):
        assert value == sum(weight for weight, cover in covers if {frozenset(e), frozenset(f)} <= cover) / total


def test_probabilities_of_pairs_of_entries():
    rows = [[1, 2, 0], [3, 4, 5], [0, 6, 7]]
    total = brute_force.permanent(rows)
    pairs = [((0, 0), (1, 2)), ((0, 1), (1, 0)), ((0, 0), (0, 1)), ((0, 0), (0, 0))]
    own = Fraction(1 * brute_force.permanent([[4, 5], [6, 7]]), total)
    expected = [Fraction(1 * 5 * 6, total), Fraction(2 * 3 * 7, total), Fraction(0), own]
    assert countpm.pair_marginals(rows, pairs, weight=True, exact=True) == expected
    assert countpm.pair_marginals(np.array(rows), pairs, weight=True) == [float(value) for value in expected]
    with pytest.raises(countpm.InputError, match="edges of the graph"):
        countpm.pair_marginals(rows, [((0, 0), (2, 0))])


def test_probabilities_of_pairs_by_samples():
    graph = nx.grid_2d_graph(4, 4)
    pairs = [(e, f) for e in list(graph.edges)[:4] for f in graph.edges]
    own = countpm.marginals(graph)
    exact = countpm.pair_marginals(graph, pairs)
    joint, error, covariance, covariance_error = countpm.pair_marginals(graph, pairs, sampled=True, error=0.02, seed=3)
    for (e, f), value, found, off, apart, apart_off in zip(pairs, exact, joint, error, covariance, covariance_error, strict=True):
        assert abs(found - value) <= 5 * off <= 0.1
        assert abs(apart - (value - own[e] * own[f])) <= 5 * apart_off <= 0.1
    again = countpm.pair_marginals(graph, pairs, sampled=True, samples=100, sampler="bethe", seed=3)
    assert again == countpm.pair_marginals(graph, pairs, sampled=True, samples=100, sampler="bethe", seed=3, threads=1)
    assert countpm.pair_marginals(nx.star_graph(3), [((0, 1), (0, 2))], sampled=True) == ([0.0], [0.0], [0.0], [0.0])
    with pytest.raises(countpm.UsageError, match="samples have an error"):
        countpm.pair_marginals(graph, pairs, sampled=True, exact=True)
    with pytest.raises(countpm.UsageError, match="are for sampled=True"):
        countpm.pair_marginals(graph, pairs, samples=10)


def test_probabilities_of_matrices_have_their_shape():
    rows = [[1, 2, 0], [3, 4, 5], [0, 6, 7]]
    total = brute_force.permanent(rows)

    def share(i, j):
        minor = [row[:j] + row[j + 1 :] for at, row in enumerate(rows) if at != i]
        return Fraction(rows[i][j] * brute_force.permanent(minor), total)

    expected = [[share(i, j) for j in range(3)] for i in range(3)]
    assert countpm.marginals(rows, weight=True, exact=True) == expected
    assert countpm.marginals(rows, "permanent", exact=True) == expected
    dense = countpm.marginals(np.array(rows), weight=True)
    np.testing.assert_array_equal(dense, np.array(expected, dtype=float))
    assert countpm.marginals(np.array(rows), weight=True, exact=True).tolist() == expected
    sparse = countpm.marginals(scipy.sparse.csr_array(rows), weight=True)
    assert sparse.nnz == 7
    np.testing.assert_array_equal(sparse.toarray(), dense)
    assert countpm.marginals(scipy.sparse.csr_array(rows), weight=True, exact=True)[2, 1] == expected[2][1]
    symmetric = countpm.marginals(np.ones((4, 4)) - np.eye(4), kind="undirected")
    np.testing.assert_allclose(symmetric, (np.ones((4, 4)) - np.eye(4)) / 3)
    np.testing.assert_allclose(dense.sum(axis=0), 1)


def test_probabilities_of_arcs_have_a_direction():
    probabilities = countpm.marginals(nx.DiGraph([(0, 1), (1, 0), (0, 0), (1, 1)]))
    assert probabilities == {(0, 1): 0.5, (1, 0): 0.5, (0, 0): 0.5, (1, 1): 0.5}
    one_way = countpm.marginals(nx.DiGraph([(0, 1), (1, 2), (2, 0)]))
    with pytest.raises(KeyError):
        one_way[1, 0]


def test_impossible_probabilities():
    assert countpm.marginals(nx.path_graph(3)) == {(0, 1): 0.0, (1, 2): 0.0}
    with pytest.raises(countpm.UnableError):
        countpm.marginals([[1, 1], [1, -1]], weight=True)  # adds up to 0
    with pytest.raises(countpm.UnableError):
        countpm.marginals([[1j]], weight=True)


@given(st.integers(1, 7), st.floats(0.2, 1), st.integers(0, 10**6))
def test_monomers_in_lists_probabilities_and_samples(n, density, seed):
    graph = nx.gnp_random_graph(n, density, seed=seed)
    listed = [frozenset(map(frozenset, one)) for one in countpm.iter_matchings(graph, monomers=True)]
    assert len(set(listed)) == len(listed) == countpm.number_of_matchings(graph)
    third = Fraction(1, 3)
    weight = {one: third ** (n - 2 * len(one)) for one in listed}
    total = sum(weight.values())
    shares = countpm.marginals(graph, monomers=third, exact=True)
    for u, v in graph.edges:
        assert shares[u, v] == sum(weight[one] for one in listed if frozenset((u, v)) in one) / total
    for v in graph.nodes:
        assert shares[v, v] == sum(weight[one] for one in listed if not any(v in edge for edge in one)) / total
    for one in countpm.sample(graph, 3, monomers=third, seed=seed):
        assert frozenset(map(frozenset, one)) in weight


def test_monomers_of_two_sides_and_of_matrices(tmp_path):
    file = tmp_path / "path.edgelist"
    file.write_text("a c\nb c\n")
    path = countpm.read(file, kind="bipartite")
    assert path.kind == "bipartite"
    shares = countpm.marginals(path, monomers=1, exact=True)
    assert shares["a", "c"] == Fraction(1, 3)
    assert (shares["a", "a"], shares["c", "c"]) == (Fraction(2, 3), Fraction(1, 3))
    assert {frozenset(one) for one in countpm.iter_matchings(path, monomers=True)} == {
        frozenset(), frozenset({("a", "c")}), frozenset({("b", "c")})
    }
    assert all(one <= {("a", "c"), ("b", "c")} for one in countpm.sample(path, 3, monomers=1))
    file.write_text("a a\nb a\n")
    with pytest.raises(countpm.UsageError, match="'a' is a vertex of both sides"):
        countpm.marginals(countpm.read(file, kind="bipartite"), monomers=1)
    square = countpm.marginals(np.array([[0, 1], [1, 0]]), monomers=2, kind="undirected")
    assert square.tolist() == [[0.8, 0.2], [0.2, 0.8]]
    assert countpm.marginals([[0, 1], [1, 0]], monomers=2, kind="undirected") == [[0.8, 0.2], [0.2, 0.8]]
    for question in (countpm.sample, countpm.marginals):
        with pytest.raises(countpm.UsageError, match="biadjacency matrix"):
            question([[1, 1]], monomers=1)
        with pytest.raises(countpm.UsageError, match="expected a number"):
            question(path, monomers="t")
        with pytest.raises(countpm.UsageError, match="all matchings"):
            question(path, problem="perfect_matchings", monomers=1)


def test_samples_of_maximum_matchings_of_matrices():
    drawn = countpm.sample(np.ones((3, 2)), 6, "maximum_matchings", seed=4)
    assert drawn.shape == (6, 3)
    assert all(sorted(row) == [-1, 0, 1] for row in drawn.tolist())
    assert all(sorted(at for at in row if at is not None) == [0, 1] for row in countpm.sample([[1, 1]] * 3, 4, "maximum_matchings"))
