"""Boson sampling: repeated lines, exact complex numbers, probabilities, minors, and the example that samples."""

from __future__ import annotations

import importlib.util
import itertools
import math
import pickle
from fractions import Fraction

import brute_force
import countpm
import countpm.compat.walrus as walrus
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

small = st.integers(-4, 4)
fractions = st.fractions(-3, 3, max_denominator=6)
complexes = st.builds(complex, st.floats(-4, 4, width=16), st.floats(-4, 4, width=16))
exact_complexes = st.builds(countpm.ComplexFraction, fractions, fractions)

#: OEIS A003112: permanents of Schur's matrices of odd order, 1, 3, 5, ...
SCHUR = [1, -3, -5, -105, 81, 6765, 175747, 30375]


@st.composite
def with_copies(draw, numbers):
    """A matrix and how often its lines stand in it: as many rows as columns, at most six."""
    m, n = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    rows = draw(st.lists(st.integers(0, 2), min_size=m, max_size=m).filter(lambda copies: sum(copies) <= 6))
    cuts = sorted(draw(st.lists(st.integers(0, sum(rows)), min_size=n - 1, max_size=n - 1)))
    cols = [b - a for a, b in zip([0, *cuts], [*cuts, sum(rows)])]
    return [[draw(numbers) for _ in range(n)] for _ in range(m)], rows, cols


def written_out(matrix, rows, cols):
    return [[value for value, times in zip(row, cols) for _ in range(times)] for row, times in zip(matrix, rows) for _ in range(times)]


@settings(max_examples=60)
@given(with_copies(small))
def test_repeated_lines_are_those_written_out(given):
    matrix, rows, cols = given
    assert countpm.permanent(matrix, rows=rows, cols=cols) == brute_force.permanent(written_out(matrix, rows, cols), sum(cols))


@settings(max_examples=60)
@given(with_copies(complexes))
def test_complex_numbers_within_their_error_and_exactly(given):
    matrix, rows, cols = given
    exact = [[countpm.ComplexFraction(Fraction(value.real), Fraction(value.imag)) for value in row] for row in matrix]
    expected = brute_force.permanent(written_out(exact, rows, cols), sum(cols))
    found = countpm.permanent(np.array(matrix), rows=rows, cols=cols, exact=True)
    assert found == expected
    if expected != 0:
        rounded = countpm.permanent(matrix, rows=rows, cols=cols)
        assert abs(rounded - complex(expected)) <= getattr(rounded, "error", 0) + 1e-15 * abs(rounded)


@settings(max_examples=40)
@given(with_copies(exact_complexes))
def test_exact_complex_numbers_of_lists(given):
    matrix, rows, cols = given
    assert countpm.permanent(matrix, rows=rows, cols=cols, exact=True) == brute_force.permanent(written_out(matrix, rows, cols), sum(cols))


@settings(max_examples=60)
@given(with_copies(st.one_of(small, exact_complexes)), st.data())
def test_minors_are_permanents_without_a_row(given, data):
    matrix, rows, cols = given
    columns = [j for j, times in enumerate(cols) if times]
    if not columns:
        return
    column = data.draw(st.sampled_from(columns))
    fewer = [times - (j == column) for j, times in enumerate(cols)]
    found = countpm.minors(matrix, column, rows=rows, cols=cols, exact=True)
    for i, times in enumerate(rows):
        without = [other - (k == i) for k, other in enumerate(rows)]
        assert found[i] == (brute_force.permanent(written_out(matrix, without, fewer), sum(fewer)) if times else 0)
    floats = countpm.minors([[complex(value) for value in row] for row in matrix], column, rows=rows, cols=cols)
    assert all(abs(one - complex(other)) < 1e-9 for one, other in zip(floats, found))


@settings(max_examples=40)
@given(with_copies(st.one_of(small, exact_complexes)))
def test_a_gradient_is_what_a_permanent_changes_by(given):
    matrix, rows, cols = given
    found = countpm.permanent_gradient(matrix, rows=rows, cols=cols, exact=True)
    for i, times in enumerate(rows):
        for j, others in enumerate(cols):
            expected = 0
            if times and others:
                fewer_rows = [other - (k == i) for k, other in enumerate(rows)]
                fewer_columns = [other - (k == j) for k, other in enumerate(cols)]
                expected = times * others * brute_force.permanent(written_out(matrix, fewer_rows, fewer_columns), sum(fewer_rows))
            assert found[i][j] == expected
    if matrix:
        floats = countpm.permanent_gradient([[complex(value) for value in row] for row in matrix], rows=rows, cols=cols)
        assert all(
            abs(one - complex(other)) <= getattr(one, "error", 0) + 1e-15 * abs(one)
            for ones, others in zip(floats, found)
            for one, other in zip(ones, others)
        )


def test_a_gradient_beside_finite_differences():
    random = np.random.default_rng(5)
    matrix = random.normal(size=(5, 5)) + 1j * random.normal(size=(5, 5))
    gradient = np.array(countpm.permanent_gradient(matrix), dtype=complex)
    step = random.normal(size=(5, 5)) + 1j * random.normal(size=(5, 5))
    width = 1e-5
    difference = (countpm.permanent(matrix + width * step) - countpm.permanent(matrix - width * step)) / (2 * width)
    assert abs(difference - np.sum(gradient * step)) < 1e-7 * np.sum(abs(gradient * step))
    with pytest.raises(countpm.UsageError, match="square matrix, and this one is 2 x 3"):
        countpm.permanent_gradient([[1, 2, 3], [4, 5, 6]])
    with pytest.raises(countpm.UnableError, match="the gradient is predicted to take"):
        countpm.permanent_gradient(random.normal(size=(50, 50)), time_limit=10)
    assert countpm.permanent_gradient([]) == []


def test_minors_are_forecast():
    random = np.random.default_rng(6)
    forecast = countpm.explain_minors(random.normal(size=(12, 12)), 3)
    assert (forecast.lines, forecast.minors, forecast.exact, forecast.arithmetic, forecast.feasible) == ("rows", 12, False, "doubles", True)
    exactly = countpm.explain_minors([[1, 2, 3], [4, 5, 6]], exact=True)
    assert (exactly.lines, exactly.minors, exactly.exact, exactly.arithmetic) == ("columns", 3, True, "primes")
    assert not countpm.explain_minors(random.normal(size=(50, 50)), 0).feasible
    assert countpm.explain_minors(random.normal(size=(50, 50)), 0, time_limit=None).feasible
    with pytest.raises(countpm.UsageError):
        countpm.explain_minors([[1, 2], [3, 4]])


@pytest.mark.parametrize(("order", "expected"), [(2 * k + 1, value) for k, value in enumerate(SCHUR)] + [(2, 0), (6, 0), (10, 0)])
def test_schur_matrices(order, expected):
    angles = np.outer(np.arange(order), np.arange(order)) % order
    matrix = np.exp(2j * np.pi * angles / order)
    everything = [1] * order
    probability = countpm.outcome_probability(matrix, everything, everything)
    assert abs(probability - expected**2) <= probability.error + 1e-9 * expected**2 + 1e-6
    if expected:
        found = countpm.permanent(matrix)
        assert abs(found - expected) < 1e-7 * abs(expected) + 1e-6


def test_hong_ou_mandel():
    splitter = np.array([[1, 1], [1, -1]]) / math.sqrt(2)
    bunched = countpm.outcome_probability(splitter, [1, 1], [2, 0])
    assert abs(bunched - 0.5) <= bunched.error + 1e-15
    never = countpm.outcome_probability(splitter * (1 + 0j), [1, 1], [1, 1])
    assert 0 <= never <= never.error or never == 0
    # 87 and 87 photons: all outcomes with an odd number in a mode are impossible, and the others add up to 1.
    photons = 12
    exact = [countpm.outcome_probability([[1, 1], [1, -1]], [6, 6], [k, photons - k]) for k in range(photons + 1)]
    assert sum(exact) == 2**photons
    assert all((value == 0) == (k % 2 == 1) for k, value in enumerate(exact))
    assert countpm.permanent([[1, 1], [1, -1]], rows=[87, 88], cols=[87, 88]) % math.factorial(87) == 0


def test_probabilities_add_up_to_one():
    q, _ = np.linalg.qr(np.random.default_rng(5).normal(size=(4, 4)) + 1j * np.random.default_rng(6).normal(size=(4, 4)))
    outcomes = [outcome for outcome in itertools.product(range(4), repeat=4) if sum(outcome) == 3]
    total = [countpm.outcome_probability(q, [2, 0, 1, 0], outcome) for outcome in outcomes]
    assert abs(sum(total) - 1) < 1e-12
    assert all(value.error < 1e-12 for value in total)


def hermitian():
    """Rank two: the sum of the outer products of two vectors of Gaussian integers with their conjugates."""
    vectors = [[1, 1j, -1, 1, 1], [1, 1, 1j, 0, -1j]]
    return [[sum(v[i] * complex(v[j]).conjugate() for v in vectors) for j in range(5)] for i in range(5)]


def test_exact_gaussian_rationals_against_sympy():
    sympy = pytest.importorskip("sympy")
    for rows in (hermitian(), [[(3 + 1j) / 4, 0.5j, 1], [2, 1 - 1j, 0.25], [1j, 1j, -0.125 + 2j]]):
        matrix = sympy.Matrix([[sympy.nsimplify(value, rational=True) for value in map(complex, row)] for row in rows])
        expected = sympy.expand(matrix.per())
        found = countpm.permanent(matrix, exact=True)
        assert isinstance(found, countpm.ComplexFraction)
        assert (found.real, found.imag) == tuple(Fraction(int(part.p), int(part.q)) for part in expected.as_real_imag())
        assert found == countpm.permanent(np.array(rows), exact=True) == countpm.permanent(rows, exact=True)
        assert countpm.count(np.array(rows), "permanent", exact=True, double_check=True).value == found
    assert countpm.permanent(hermitian(), exact=True).imag == 0


def test_an_identity_of_roots_of_unity():
    """F. She, Z.-W. Sun, W. Xia, arXiv:2208.12167: of even order n the permanent is ((n - 1)!!)^2; here n = 4 and 10."""
    exact = [[{0: 1, 1: 1j, 2: 0, 3: -1j}[(j - k) % 4] for k in range(4)] for j in range(4)]
    assert countpm.permanent(exact, exact=True) == 9
    roots = np.exp(2j * np.pi * np.arange(10) / 10)
    with np.errstate(all="ignore"):
        entries = [[1 if j == k else (1 + roots[j - k]) / (1 - roots[j - k]) for k in range(10)] for j in range(10)]
    assert abs(countpm.permanent(entries) - 945**2) < 1e-5


def test_the_number_type():
    z = countpm.ComplexFraction(Fraction(1, 2), -3)
    assert (z + 1 - z, 2 * z, z.conjugate(), z.norm(), -z) == (1, z + z, z + 6 * countpm.ComplexFraction(0, 1), Fraction(37, 4), z * -1)
    assert hash(countpm.ComplexFraction(7)) == hash(7) and hash(z) == hash(0.5 - 3j) and complex(z) == 0.5 - 3j and z == 0.5 - 3j
    assert pickle.loads(pickle.dumps(z)) == z and bool(z) and not countpm.ComplexFraction(0)
    assert str(z) == "(1/2,-3)"
    with pytest.raises(TypeError):
        z + "1"


def test_refusals():
    matrix = [[1, 2], [3, 4]]
    with pytest.raises(countpm.UsageError, match="weights have letters"):
        countpm.outcome_probability([["x", 1], [1, 1]], [1, 1], [1, 1])
    for rows, cols in (([1, 1], [1, 2]), ([1], [1]), ([1, -1], [0, 0]), ([1, 0.5], [1, 1]), ("11", [1, 1]), (3, None)):
        with pytest.raises(countpm.UsageError):
            countpm.permanent(matrix, rows=rows, cols=cols)
    with pytest.raises(countpm.UsageError, match="undirected"):
        countpm.Graph([(0, 1)]).repeated([1, 1], [1, 1])
    with pytest.raises(countpm.UsageError):
        countpm.minors(matrix)
    with pytest.raises(countpm.UsageError):
        countpm.minors(matrix, 2)
    with pytest.raises(countpm.UsageError):
        countpm.minors([[1, 2, 3], [4, 5, 6]], 0)
    with pytest.raises(countpm.UsageError):
        countpm.minors(matrix, 0, cols=[0, 2])
    with pytest.raises(countpm.UnableError):
        countpm.permanent(matrix, rows=[10**6, 0], cols=[10**6, 0])
    with pytest.raises(countpm.UnableError):
        countpm.minors(np.random.default_rng(1).normal(size=(70, 70)), 0)
    with pytest.raises(countpm.UsageError, match="real number"):
        countpm.number_of_matchings([(0, 1, 1)], monomers=1j, exact=True)


def test_the_walrus():
    matrix = np.arange(9).reshape(3, 3) + 1
    assert walrus.permanent_repeated(matrix, [2, 0, 1]) == countpm.permanent(walrus.reduction(matrix, [2, 0, 1]))


@pytest.fixture
def example(project):
    spec = importlib.util.spec_from_file_location("boson_sampling", project / "examples" / "boson_sampling.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_example_samples_by_the_probabilities(example):
    random = np.random.default_rng(7)
    unitary = example.random_interferometer(3, random)
    inputs = [2, 1, 0]
    outcomes = [outcome for outcome in itertools.product(range(4), repeat=3) if sum(outcome) == 3]
    expected = np.array([countpm.outcome_probability(unitary, inputs, outcome) for outcome in outcomes])
    drawn = 400
    found = np.zeros(len(outcomes))
    for _ in range(drawn):
        found[outcomes.index(tuple(example.sample(unitary, inputs, random)))] += 1
    # Pearson's chi squared, nine degrees of freedom: beyond 35 once in 17,000 seeds, and this seed is not.
    assert ((found - drawn * expected) ** 2 / (drawn * expected)).sum() < 35


def test_the_example_runs(example, capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["boson_sampling.py", "--photons", "5", "--modes", "7", "--samples", "3"])
    example.main()
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3 and all("probability" in line for line in lines)
