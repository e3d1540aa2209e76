"""Against sympy, python-flint and The Walrus."""

from __future__ import annotations

import itertools
import math
import os
import warnings
from fractions import Fraction

import brute_force
import countpm
import countpm.compat.networkx as like_networkx
import countpm.compat.walrus as walrus
import networkx as nx
import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st


@given(st.integers(1, 5), st.integers(0, 10**6))
def test_permanents_of_sympy(n, seed):
    random = np.random.default_rng(seed)
    entries = [[sympy.Rational(int(random.integers(-9, 10)), int(random.integers(1, 7))) for _ in range(n)] for _ in range(n)]
    matrix = sympy.Matrix(entries)
    expected = matrix.per()
    found = countpm.permanent(matrix)
    assert found == Fraction(int(expected.p), int(expected.q))
    assert countpm.permanent(sympy.ImmutableMatrix(entries)) == found


def test_sympy_numbers_of_other_kinds():
    assert countpm.permanent(sympy.Matrix([[sympy.Float(0.5), 1], [1, 2]])) == 2.0
    assert countpm.permanent(sympy.Matrix([[1 + 2 * sympy.I, sympy.I], [3 * sympy.I, 1]])) == -2 + 2j
    with pytest.raises(countpm.InputError, match=r"expected a number, found sqrt\(2\) of type Pow in row 0, column 0"):
        countpm.permanent(sympy.Matrix([[sympy.sqrt(2)]]))
    x = sympy.Symbol("x")
    assert countpm.permanent(sympy.Matrix([[1, 2], [x, 1]])).to_sympy() == 2 * x + 1
    with pytest.raises(countpm.InputError, match=r"found x \+ 1 of type Add in row 1, column 0"):
        countpm.permanent(sympy.Matrix([[1, 2], [x + 1, 1]]))


@given(st.integers(1, 6), st.integers(0, 10**6))
def test_matrices_of_flint(n, seed):
    flint = pytest.importorskip("flint")
    random = np.random.default_rng(seed)
    integers = [int(value) for value in random.integers(-99, 100, n * n)]
    rows = [integers[n * i : n * (i + 1)] for i in range(n)]
    assert countpm.permanent(flint.fmpz_mat(n, n, integers)) == countpm.permanent(rows)
    halves = flint.fmpq_mat(n, n, [flint.fmpq(value, 2) for value in integers])
    assert countpm.permanent(halves) == Fraction(countpm.permanent(rows), 2**n)


@pytest.fixture(scope="module")
def thewalrus():
    return pytest.importorskip("thewalrus")


def _close(ours, theirs):
    error = getattr(ours, "error", 0.0)
    assert abs(complex(ours) - complex(theirs)) <= error + 1e-9 * (1 + abs(complex(theirs)))


def test_the_names_of_the_walrus(thewalrus):
    """One case of each, since The Walrus compiles its functions when they are first called; the next test has more."""
    random = np.random.default_rng(4)
    real = random.normal(size=(5, 5))
    symmetric = random.normal(size=(4, 4))
    symmetric = symmetric + symmetric.T
    _close(walrus.perm(real), thewalrus.perm(real))
    _close(walrus.hafnian(symmetric), thewalrus.hafnian(symmetric))
    _close(walrus.hafnian_sparse(symmetric), thewalrus.hafnian_sparse(symmetric))
    _close(walrus.hafnian_sparse(symmetric, D={0, 3}), symmetric[0, 3])
    np.testing.assert_array_equal(walrus.reduction(symmetric, [0, 2, 1, 3]), thewalrus.reduction(symmetric, [0, 2, 1, 3]))
    _close(walrus.hafnian_repeated(symmetric, [2, 0, 1, 3]), walrus.hafnian(thewalrus.reduction(symmetric, [2, 0, 1, 3])))


@pytest.mark.skipif(not os.environ.get("COUNTPM_LONG"), reason="The Walrus compiles for a minute: COUNTPM_LONG=1")
@settings(max_examples=20)
@given(st.integers(1, 8), st.integers(0, 10**6))
def test_the_names_of_the_walrus_at_random(thewalrus, n, seed):
    random = np.random.default_rng(seed)
    real = random.normal(size=(n, n))
    for matrix in (real, real + 1j * random.normal(size=(n, n))):
        _close(walrus.perm(matrix), thewalrus.perm(matrix))
        _close(walrus.perm(matrix, method="ryser"), thewalrus.perm(matrix, method="ryser"))
        even = matrix[: n - n % 2, : n - n % 2]
        even = even + even.T
        _close(walrus.hafnian(even), thewalrus.hafnian(even))
        _close(walrus.hafnian(even, method="recursive"), thewalrus.hafnian(even, method="recursive"))
        if len(even):
            _close(walrus.hafnian_sparse(even), thewalrus.hafnian_sparse(even))
            _close(walrus.hafnian(even, loop=True), thewalrus.hafnian(even, loop=True))
            mu = random.normal(size=len(even))
            once = [1 + int(t) % 2 for t in range(len(even))]
            _close(walrus.hafnian_repeated(even, once, mu=mu, loop=True), thewalrus.hafnian_repeated(even, once, mu=mu, loop=True))
            times = [int(t) for t in random.integers(0, 3, len(even))]
            _close(walrus.hafnian_repeated(even, times), thewalrus.hafnian_repeated(even, times))
    times = [int(t) for t in random.integers(1, 3, n)]
    if sum(times) <= 8:
        _close(walrus.permanent_repeated(real, times), thewalrus.permanent_repeated(real, times))


def test_loop_hafnians_by_definition():
    random = np.random.default_rng(5)
    for n in range(7):
        matrix = random.integers(-3, 4, size=(n, n))
        matrix = matrix + matrix.T
        expected = brute_force.loop_hafnian(matrix.tolist())
        assert walrus.hafnian(matrix, loop=True) == expected
        assert walrus.hafnian_sparse(matrix, loop=True) == expected
        assert walrus.hafnian_banded(matrix, loop=True) == expected
        _close(walrus.hafnian(matrix * 0.5, loop=True), brute_force.loop_hafnian((matrix * 0.5).tolist()))
        turned = [
            [countpm.ComplexFraction(Fraction(int(entry), 3), (i - j) ** 2) for j, entry in enumerate(row)] for i, row in enumerate(matrix)
        ]
        assert countpm.loop_hafnian(turned, exact=True) == brute_force.loop_hafnian(turned)
    repeated = walrus.hafnian_repeated(np.array([[5, 2], [2, 7]]), [2, 1], mu=[3, 4], loop=True)
    assert repeated == 3 * 3 * 4 + 5 * 4 + 2 * (2 * 3)


def test_banded_hafnians(thewalrus):
    random = np.random.default_rng(3)
    n = 10
    matrix = random.normal(size=(n, n)) * (abs(np.subtract.outer(range(n), range(n))) <= 2)
    matrix = matrix + matrix.T
    _close(walrus.hafnian_banded(matrix), thewalrus.hafnian_banded(matrix))


def test_integers_stay_exact_where_the_walrus_rounds():
    """XanaduAI/thewalrus#369."""
    matrix = np.ones((8, 8), dtype=int)
    matrix[0, 1] = matrix[1, 0] = 10**6
    assert walrus.hafnian(matrix) == 15000090


def test_what_is_not_there_is_an_error():
    matrix = np.eye(2)
    with pytest.raises(countpm.UnableError, match="estimates are of hafnians, not of loop hafnians; try approx=False"):
        walrus.hafnian(matrix, loop=True, approx=True)
    with pytest.raises(countpm.UsageError, match=r"mu has the shape \(3,\) for a matrix of 2 rows"):
        walrus.hafnian_repeated(matrix, [1, 1], mu=[1, 2, 3], loop=True)
    with pytest.raises(countpm.UsageError, match="method is 'nothing'; it can be 'bbfg', 'ryser'"):
        walrus.perm(matrix, method="nothing")
    with pytest.raises(countpm.InputError, match="one that differs from its transpose by more than rtol and atol"):
        walrus.hafnian(np.array([[0, 1.0], [2.0, 0]]))
    with pytest.raises(countpm.UsageError, match="rpt has 1 numbers for 2 rows"):
        walrus.hafnian_repeated(matrix, [2])
    with pytest.raises(countpm.UsageError, match="rpt must be whole numbers, 0 and more"):
        walrus.permanent_repeated(matrix, [2, -1])
    with pytest.raises(countpm.InputError, match=r"expected a square matrix, found an array of shape \(2, 3\)"):
        walrus.perm(np.ones((2, 3)))


@pytest.mark.parametrize("nothing", [1, 2.5, None])
@pytest.mark.parametrize(
    "function",
    [
        walrus.perm,
        walrus.hafnian,
        walrus.hafnian_sparse,
        walrus.hafnian_banded,
        lambda nothing: walrus.hafnian_repeated(nothing, [1]),
        lambda nothing: walrus.permanent_repeated(nothing, [1]),
        lambda nothing: walrus.reduction(nothing, [1]),
    ],
)
def test_what_is_no_array_is_a_type_error(function, nothing):
    with pytest.raises(TypeError, match=f"expected a matrix .*found an object of type {type(nothing).__name__}"):
        function(nothing)


@pytest.mark.parametrize("entry", [7, 0.5, 1.5 - 2j])
@pytest.mark.parametrize("dimensions", [2, 3, 4])
def test_one_number_is_a_matrix_of_one_row(entry, dimensions):
    matrix = np.full((1,) * dimensions, entry)
    for method in ("bbfg", "ryser"):
        assert walrus.perm(matrix, method=method) == entry
    assert walrus.hafnian(matrix, loop=True) == entry
    with pytest.raises(countpm.InputError, match=r"a square matrix, found an array of shape \(1,\)"):
        walrus.perm(np.full(1, entry))
    with pytest.raises(countpm.InputError, match="a square matrix, found an array of shape"):
        walrus.perm(np.full((1, 2, 2), entry))


def test_reductions_of_vectors():
    np.testing.assert_array_equal(walrus.reduction(np.array([5, 7, 9]), [2, 0, 1]), [5, 5, 9])
    np.testing.assert_array_equal(walrus.reduction([0.5], [3]), [0.5] * 3)
    with pytest.raises(countpm.UsageError, match="rpt has 1 numbers for 2 rows"):
        walrus.reduction(np.array([1, 2]), [1])


def test_recursion_beside_loops_warns():
    matrix = np.array([[5, 2], [2, 7]])
    with pytest.warns(UserWarning, match="Recursive algorithm does not support the loop hafnian"):
        assert walrus.hafnian(matrix, loop=True, method="recursive") == 37
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert walrus.hafnian(matrix, method="recursive") == 2
        assert walrus.hafnian(matrix, loop=True) == 37


def test_approximate_hafnians():
    matrix = np.ones((8, 8))
    estimate = walrus.hafnian(matrix, approx=True, num_samples=2000)
    assert type(estimate) is float
    assert estimate == pytest.approx(105, rel=0.5)
    with pytest.raises(countpm.InputError, match="real entries, none negative, for approx=True, found -1.0 in row 0, column 0"):
        walrus.hafnian(-matrix, approx=True)
    with pytest.raises(ValueError, match="Input matrix must not have negative entries: "):
        walrus.hafnian(-matrix, approx=True)
    with pytest.raises(ValueError, match="Input matrix must be real: .*found 1j in row 0, column 0"):
        walrus.hafnian(1j * matrix, approx=True)
    assert walrus.hafnian(matrix + 0j, approx=True, num_samples=2e3) == pytest.approx(105, rel=0.5)
    with pytest.raises(countpm.UsageError, match="num_samples: expected a whole number, found 1.5"):
        walrus.hafnian(matrix, approx=True, num_samples=1.5)


def test_almost_symmetric_matrices_are_taken_within_the_tolerances():
    matrix = np.array([[0, 1.0], [1.0 + 1e-9, 0]])
    assert walrus.hafnian(matrix) == 1.0


# The Walrus' other functions, by their definitions ---------------------------------------------------------------------


def _entries(random, shape, kind):
    """Random numbers of a kind as an array of numpy, and the same as exact numbers of Python."""
    values = random.integers(-4, 5, shape)
    if kind == "int":
        return values, values.tolist()
    if kind == "fraction":
        fractions = [[Fraction(int(value), 3) for value in row] for row in values]
        return np.array(fractions, dtype=object), fractions
    if kind == "float":
        floats = values * 0.1
        return floats, [[Fraction(value) for value in row] for row in floats.tolist()]
    mixed = values * 0.1 + 1j * random.integers(-4, 5, shape)
    return mixed, [[countpm.ComplexFraction(Fraction(value.real), Fraction(value.imag)) for value in row] for row in mixed.tolist()]


def _agrees(found, expected, kind):
    """Exactly, or to within the error that it carries, which is that of one rounding."""
    if kind in ("int", "fraction"):
        assert found == expected
        assert type(found) in (int, Fraction)
        return
    assert isinstance(found, countpm.Complex if kind == "complex" else countpm.Real)
    re, im = Fraction(found.real) - Fraction(expected.real), Fraction(found.imag) - Fraction(expected.imag)
    assert re**2 + im**2 <= Fraction(found.error) ** 2
    assert found.error <= 1e-15 * (1 + abs(complex(found)))


KINDS = ("int", "fraction", "float", "complex")


@pytest.mark.parametrize("kind", KINDS)
def test_hafnians_of_low_rank(kind, monkeypatch):
    random = np.random.default_rng(11)
    assert walrus.low_rank_hafnian(np.zeros((0, 2))) == 1
    for n, r in ((2, 1), (3, 2), (4, 1), (4, 2), (6, 3)):
        array, exact = _entries(random, (n, r), kind)
        product = [[sum((a * b for a, b in zip(one, other)), 0) for other in exact] for one in exact]
        _agrees(walrus.low_rank_hafnian(array), brute_force.hafnian(product), kind)
        with monkeypatch.context() as few:
            few.setattr(walrus, "_MOST_TERMS", 0)
            _agrees(walrus.low_rank_hafnian(array), brute_force.hafnian(product), kind)


@pytest.mark.parametrize("kind", KINDS)
def test_bristolians(kind):
    random = np.random.default_rng(12)
    for m, n in ((1, 1), (2, 3), (3, 2), (3, 3)):
        a, exact_a = _entries(random, (m, n), kind)
        e, exact_e = _entries(random, (n, n), kind)
        for found, lost, first in ((walrus.brs(a, e), exact_e, 0), (walrus.ubrs(a), [[0] * n for _ in range(n)], 1)):
            expected = 0
            for size in range(first, m + 1):
                for rows in itertools.combinations(range(m), size):
                    matrix = [[lost[i][j] + sum((exact_a[k][i].conjugate() * exact_a[k][j] for k in rows), 0) for j in range(n)] for i in range(n)]
                    expected = expected + brute_force.permanent(matrix) * (-1) ** (m - size)
            _agrees(found, expected, kind)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("loops", [False, True])
def test_batches_of_hafnians(kind, loops):
    random = np.random.default_rng(13)
    array, exact = _entries(random, (3, 3), kind)
    array = array + array.T
    exact = [[exact[i][j] + exact[j][i] for j in range(3)] for i in range(3)]
    if kind in ("float", "complex"):  # of the floats that were added up
        exact = [[countpm.ComplexFraction(Fraction(value.real), Fraction(value.imag)) for value in row] for row in array.tolist()]
    mu, exact_mu = _entries(random, (1, 3), kind)
    cutoffs = (3, 1, 3) if loops else (2, 3, 3)
    tensor = walrus.hafnian_batched(array, cutoffs, mu=mu[0] if loops else None)
    assert tensor.shape == cutoffs
    assert tensor.dtype == {"int": object, "fraction": object, "float": np.float64, "complex": np.complex128}[kind]
    normal = walrus.hafnian_batched(array, cutoffs, mu=mu[0] if loops else None, renorm=True)
    for index in np.ndindex(*cutoffs):
        rows = [i for i, times in enumerate(index) for _ in range(times)]
        matrix = [[exact[i][j] for j in rows] for i in rows]
        if loops:
            for at, i in enumerate(rows):
                matrix[at][at] = exact_mu[0][i]
        expected = brute_force.loop_hafnian(matrix) if loops else brute_force.hafnian(matrix)
        if kind in ("int", "fraction"):
            assert tensor[index] == expected and type(tensor[index]) in (int, Fraction)
        else:
            assert abs(complex(tensor[index]) - complex(expected)) <= 3e-16 * abs(complex(expected))
        assert complex(normal[index]) == pytest.approx(complex(expected) / math.sqrt(math.prod(map(math.factorial, index))))
    flat = walrus.hafnian_batched(array, 2, make_tensor=False)
    assert flat.shape == (8,)
    np.testing.assert_array_equal(flat, walrus.hafnian_batched(array, 2).ravel())


def test_hermite_polynomials():
    assert walrus.hermite_multidimensional(np.array([[2]]), 4, y=np.array([3])).tolist() == [1, 6, 34, 180]  # the physicists'
    assert walrus.hermite_multidimensional(np.array([[1]]), 3, y=np.array([3]), C=5, modified=True).tolist() == [5, 15, 40]
    matrix = np.array([[1.5, 0.25], [0.25, 2.0]])
    np.testing.assert_array_equal(walrus.hermite_multidimensional(-matrix, 4), walrus.hafnian_batched(matrix, 4))


def _gaussian(random, n, complex_too):
    """A matrix of which Torontonians are taken: Hermitian, its eigenvalues between -1 and 1."""
    matrix = random.normal(size=(2 * n, 2 * n)) + (1j * random.normal(size=(2 * n, 2 * n)) if complex_too else 0)
    matrix = matrix + matrix.conj().T
    return matrix * (0.8 / abs(np.linalg.eigvalsh(matrix)).max())


@pytest.mark.parametrize("complex_too", [False, True])
def test_torontonians(complex_too):
    random = np.random.default_rng(14)
    for n in range(1, 5):
        matrix = _gaussian(random, n, complex_too)
        expected = Fraction(0)
        for size in range(n + 1):
            for modes in itertools.combinations(range(n), size):
                rows = [*modes, *(mode + n for mode in modes)]
                part = (np.eye(2 * n) - matrix)[np.ix_(rows, rows)]
                exact = [[countpm.ComplexFraction(Fraction(value.real), Fraction(value.imag)) for value in row] for row in (part + 0j).tolist()]
                determinant = Fraction(countpm.determinant(exact, exact=True).real) if rows else Fraction(1)
                digits = 10**40
                expected += (-1) ** (n - size) * Fraction(digits, math.isqrt(int(determinant * digits**2)))
        found = walrus.tor(matrix)
        assert isinstance(found, countpm.Real)
        assert abs(Fraction(float(found)) - expected) <= Fraction(found.error)
        assert found.error < 1e-10
    assert walrus.tor(np.zeros((0, 0))) == 1


def test_loop_hafnians_with_weights_of_their_own():
    matrix = np.array([[5, 2, 1], [2, 7, 3], [1, 3, 4]])
    assert walrus.loop_hafnian(matrix) == brute_force.loop_hafnian(matrix.tolist())
    weighted = matrix - np.diag(np.diag(matrix)) + np.diag([2, 3, 1])
    assert walrus.loop_hafnian(matrix, D=np.array([2, 3, 1])) == brute_force.loop_hafnian(weighted.tolist())
    assert walrus.loop_hafnian(matrix, D=[2, 3, 1], reps=[2, 0, 1]) == walrus.hafnian_repeated(matrix, [2, 0, 1], mu=[2, 3, 1], loop=True)


def test_mistakes_of_the_other_functions():
    for wrong, words in (
        (lambda: walrus.tor(np.eye(3)), "an even number of rows"),
        (lambda: walrus.tor(np.eye(2) * 2), "1 - A positive definite"),
        (lambda: walrus.tor(np.array([[0, 1j], [1j, 0]])), "a Hermitian matrix"),
        (lambda: walrus.tor(np.array([[0, math.nan], [math.nan, 0]])), "finite numbers"),
        (lambda: walrus.low_rank_hafnian(np.array([[math.inf], [1]])), "finite numbers, found inf"),
        (lambda: walrus.low_rank_hafnian(np.ones(3)), "a matrix of two dimensions"),
        (lambda: walrus.brs(np.ones((2, 3)), np.eye(2)), r"E of shape \(3, 3\)"),
        (lambda: walrus.hafnian_batched(np.array([[0, 1], [2, 0.5]]), 2), "a symmetric matrix"),
    ):
        with pytest.raises(countpm.InputError, match=words):
            wrong()
    for wrong, words in (
        (lambda: walrus.hafnian_batched(np.eye(2), 0), "cutoff: expected a number from 1 on"),
        (lambda: walrus.hafnian_batched(np.eye(2), [1, 2, 3]), "or 2 of them"),
        (lambda: walrus.hafnian_batched(np.eye(2), 2, mu=[1]), r"mu has the shape \(1,\)"),
        (lambda: walrus.hermite_multidimensional(np.eye(2), 2, y=[1]), r"y has the shape \(1,\)"),
    ):
        with pytest.raises(countpm.UsageError, match=words):
            wrong()
    for function in (walrus.tor, walrus.ubrs, walrus.low_rank_hafnian, walrus.loop_hafnian):
        with pytest.raises(TypeError):
            function(7)


@pytest.mark.skipif(not os.environ.get("COUNTPM_LONG"), reason="The Walrus compiles for a minute: COUNTPM_LONG=1")
def test_the_other_functions_of_the_walrus(thewalrus):
    random = np.random.default_rng(15)
    for complex_too in (False, True):
        gaussian = _gaussian(random, 4, complex_too)
        _close(walrus.tor(gaussian), thewalrus.tor(gaussian))
        part = random.normal(size=(3, 3)) + (1j * random.normal(size=(3, 3)) if complex_too else 0)
        rest = np.eye(3) - part.conj().T @ part
        _close(walrus.brs(part, rest), thewalrus.brs(part, rest))
        _close(walrus.ubrs(part), thewalrus.ubrs(part))
        symmetric = part + part.T
        mu = part[0]
        for settings_ in ({}, {"mu": mu}, {"mu": mu, "renorm": True}, {"make_tensor": False}):
            np.testing.assert_allclose(walrus.hafnian_batched(symmetric, 3, **settings_), thewalrus.hafnian_batched(symmetric, 3, **settings_), rtol=1e-9)
        np.testing.assert_allclose(
            walrus.hermite_multidimensional(symmetric, 3, y=mu, C=2), thewalrus.hermite_multidimensional(symmetric, 3, y=mu, C=2), rtol=1e-9
        )
        _close(walrus.loop_hafnian(symmetric), thewalrus.loop_hafnian(symmetric))
        _close(walrus.loop_hafnian(symmetric, D=mu, reps=[1, 2, 1]), thewalrus.loop_hafnian(symmetric, D=mu, reps=[1, 2, 1]))
        low = random.normal(size=(6, 2)) + (1j * random.normal(size=(6, 2)) if complex_too else 0)
        _close(walrus.low_rank_hafnian(low), thewalrus.low_rank_hafnian(low))
    assert set(walrus.__all__) - {"low_rank_hafnian"} == set(thewalrus.__all__) - {
        "grad_hermite_multidimensional", "lmtl", "ltor", "matched_reps", "mtl", "version",
    }


# networkx ---------------------------------------------------------------------------------------------------------------


def _some_graphs():
    random = np.random.default_rng(16)
    yield nx.Graph()
    yield nx.empty_graph(3)
    for _ in range(25):
        graph = nx.gnp_random_graph(int(random.integers(1, 9)), float(random.uniform(0.1, 0.9)), seed=int(random.integers(10**6)))
        yield nx.relabel_nodes(graph, {node: ("free", node) if node % 2 else f"v{node}" for node in graph})
    looped = nx.path_graph(4)
    looped.add_edge(1, 1)
    yield looped


def test_matchings_by_the_names_of_networkx():
    for graph in _some_graphs():
        found = like_networkx.maximum_cardinality_matching(graph)
        assert nx.is_matching(graph, found)
        assert len(found) == len(nx.max_weight_matching(graph, maxcardinality=True))
        assert nx.is_maximal_matching(graph, like_networkx.maximal_matching(graph))
        partner = like_networkx.hopcroft_karp_matching(graph)
        assert all(partner[partner[node]] == node for node in partner) and len(partner) == 2 * len(found)
        edges = list(graph.edges)
        for size in range(3):
            for some in itertools.islice(itertools.combinations(edges, size), 40):
                for given_ in (set(some), dict(some)):
                    for name in ("is_matching", "is_maximal_matching", "is_perfect_matching"):
                        try:
                            expected = getattr(nx, name)(graph, given_)
                        except nx.NetworkXError as error:
                            with pytest.raises(nx.NetworkXError) as ours:
                                getattr(like_networkx, name)(graph, given_)
                            assert str(ours.value) == str(error)
                            continue
                        assert getattr(like_networkx, name)(graph, given_) == expected
    for wrong in ({(0, 9)}, {(0, 1, 2)}, {0: 0}):
        with pytest.raises(nx.NetworkXError) as theirs:
            nx.is_matching(nx.path_graph(3), wrong)
        with pytest.raises(nx.NetworkXError) as ours:
            like_networkx.is_matching(nx.path_graph(3), wrong)
        assert str(ours.value) == str(theirs.value)
    with pytest.raises(countpm.InputError, match="an undirected graph"):
        like_networkx.maximal_matching(nx.DiGraph([(0, 1)]))


def test_numbers_of_matchings_and_spanning_trees():
    petersen = nx.petersen_graph()
    assert like_networkx.number_of_perfect_matchings(petersen) == 6
    assert like_networkx.number_of_maximum_matchings(nx.star_graph(4)) == 4
    assert like_networkx.number_of_matchings(petersen) == 332
    assert (like_networkx.number_of_spanning_trees(petersen), nx.number_of_spanning_trees(petersen)) == (2000, pytest.approx(2000))
    for graph in _some_graphs():
        if len(graph):
            assert like_networkx.number_of_spanning_trees(graph) == round(nx.number_of_spanning_trees(graph))
    weighted = nx.MultiGraph([(1, 2, {"weight": 2}), (1, 3, {}), (2, 3, {"weight": 3}), (2, 3, {"weight": 1}), (1, 1, {"weight": 9})])
    assert like_networkx.number_of_spanning_trees(weighted, weight="weight") == 2 * 1 + 2 * 4 + 1 * 4
    directed = nx.DiGraph([(0, 1), (1, 2), (2, 0), (0, 2), (2, 1)])
    for root in directed:
        assert like_networkx.number_of_spanning_trees(directed, root=root) == round(nx.number_of_spanning_trees(directed, root=root))
    for wrong in ({}, {"root": 7}):
        with pytest.raises(nx.NetworkXError):
            like_networkx.number_of_spanning_trees(directed, **wrong)
    with pytest.raises(nx.NetworkXPointlessConcept):
        like_networkx.number_of_spanning_trees(nx.Graph())
