"""Against sympy, python-flint and The Walrus."""

from __future__ import annotations

import os
import warnings
from fractions import Fraction

import brute_force
import countpm
import countpm.compat.walrus as walrus
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
