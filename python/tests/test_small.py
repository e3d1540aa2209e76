"""Small matrices of numpy, which are summed without a graph or a plan, and what is symmetric up to rounding."""

from __future__ import annotations

import logging
import math
import time
from fractions import Fraction
from itertools import combinations

import brute_force
import countpm
import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from countpm import _core


def exact(number):
    return countpm.ComplexFraction(Fraction(float(np.real(number))), Fraction(float(np.imag(number))))


def rows_of(matrix):
    return [[exact(entry) for entry in row] for row in matrix]


def drawn(random, n, kind):
    entries = {
        "uniform": lambda: random.random((n, n)),
        "normal": lambda: random.normal(size=(n, n)),
        "spread": lambda: random.normal(size=(n, n)) * 10.0 ** random.integers(-30, 30, (n, n)),
        "cancelling": lambda: random.choice([1.0, -1.0], size=(n, n)) + 1e-15 * random.normal(size=(n, n)),
        "zeros": lambda: random.choice([0.0, 0.5, -1.5], size=(n, n)),
    }[kind]
    return entries() if random.random() < 0.5 else entries() + 1j * entries()


def holds(found, expected):
    distance = exact(found) - expected
    return distance.norm() <= Fraction(getattr(found, "error", 0.0)) ** 2


@pytest.mark.parametrize("kind", ["uniform", "normal", "spread", "cancelling", "zeros"])
@pytest.mark.parametrize("seed", range(5))
def test_sums_of_floats_hold_the_true_ones(kind, seed):
    random = np.random.default_rng([seed, len(kind)])
    for n in range(1, 6):
        matrix = drawn(random, n, kind)
        symmetric = np.triu(matrix) + np.triu(matrix, 1).T
        turned = rows_of(symmetric)
        assert holds(countpm.permanent(matrix), brute_force.permanent(rows_of(matrix)))
        assert holds(countpm.hafnian(symmetric), brute_force.hafnian(turned))
        assert holds(countpm.loop_hafnian(symmetric), brute_force.loop_hafnian(turned))


@pytest.mark.parametrize("n", range(1, 11))
def test_integers_stay_exact(n):
    random = np.random.default_rng(n)
    for largest in (3, 10**4, 2**62):
        matrix = random.integers(-largest, largest, (n, n))
        symmetric = np.triu(matrix) + np.triu(matrix, 1).T
        assert countpm.permanent(matrix) == countpm.permanent(matrix.astype(object))
        assert countpm.hafnian(symmetric) == countpm.hafnian(symmetric.astype(object))
        assert countpm.loop_hafnian(symmetric) == countpm.loop_hafnian(symmetric.astype(object))


def test_arrays_as_they_lie():
    random = np.random.default_rng(7)
    big = random.normal(size=(12, 14)) + 1j * random.normal(size=(12, 14))
    for view in (big[1:6, 2:7], big[::2, ::-2][:6, :6], big[3:9, 3:9].T, np.asfortranarray(big[:5, :5]), big[:4, :4].real, big[:4, :4].imag):
        expected = countpm.permanent(view.tolist())
        assert abs(complex(countpm.permanent(view)) - complex(expected)) <= countpm.permanent(view).error + expected.error
    integers = random.integers(-9, 10, (8, 8))
    for view in (integers[::2, ::2], integers.T, integers[::-1]):
        assert countpm.permanent(view) == countpm.permanent(view.tolist())
    for dtype in (np.int8, np.uint64, np.int32, np.float32, np.complex64, ">f8", ">i8", bool):
        matrix = np.array([[1, 2], [3, 1]]).astype(dtype)
        assert countpm.permanent(matrix) == countpm.permanent(matrix.tolist())


def over_sets_of_columns(rows):
    """Ryser's formula for rectangles: the k-th term has the sets of m - k columns, times (-1)^k binomial(n - m + k, k)."""
    if len(rows) > len(rows[0]):
        rows = list(zip(*rows))
    m, n = len(rows), len(rows[0])
    total = 0
    for k in range(m):
        sets = combinations(range(n), m - k)
        total += (-1) ** k * math.comb(n - m + k, k) * sum((math.prod(sum(row[j] for j in some) for row in rows) for some in sets), 0)
    return total


def rectangle(random, shape, kind):
    if kind == "complex":
        return random.normal(size=shape) + 1j * random.normal(size=shape)
    return random.normal(size=shape) if kind == "float" else random.integers(-9, 10, shape)


@pytest.mark.parametrize("kind", ["int", "float", "complex"])
@pytest.mark.parametrize("shape", [(1, 2), (1, 64), (2, 5), (3, 4), (5, 2), (4, 6), (6, 7), (2, 30), (5, 11), (12, 8), (8, 12), (9, 10), (40, 3)])
def test_rectangles_are_sums_over_injections(shape, kind):
    for seed in range(3 if min(shape) < 8 else 1):
        matrix = rectangle(np.random.default_rng([seed, *shape]), shape, kind)
        at_once = _core.small_permanent(matrix)
        assert at_once is not None or (kind == "complex" and min(shape) > 8)  # where terms cancel
        found = countpm.permanent(matrix)
        if kind == "int":
            assert found == at_once == over_sets_of_columns([[int(entry) for entry in row] for row in matrix])
            continue
        true = over_sets_of_columns(rows_of(matrix))
        assert holds(found, true)
        assert found.error <= 2.0**-50 * abs(found)
        if math.perm(max(shape), min(shape)) <= 5000:
            assert true == brute_force.permanent(rows_of(matrix))


@pytest.mark.parametrize("shape", [(1, 3), (2, 3), (3, 5), (6, 9), (9, 6), (8, 10), (10, 12)])
def test_large_integers_in_rectangles_never_overflow(shape):
    random = np.random.default_rng(shape)
    for bits in range(2, 64, 3 if min(shape) < 8 else 20):
        matrix = random.integers(-(2**bits), 2**bits, shape)
        matrix[0, 0] = -(2**bits)
        expected = over_sets_of_columns([[int(entry) for entry in row] for row in matrix])
        assert countpm.permanent(matrix) == expected
    same = np.full(shape, np.iinfo(np.int64).min)  # the largest sum of its shape
    assert countpm.permanent(same) == (-(2**63)) ** min(shape) * math.perm(max(shape), min(shape))
    ends = [np.full(shape, 2**bits - 1) for bits in range(1, 64)]
    assert [countpm.permanent(one) for one in ends] == [int(one[0, 0]) ** min(shape) * math.perm(max(shape), min(shape)) for one in ends]


def test_rectangles_of_many_scales_and_zeros():
    random = np.random.default_rng(3)
    for shape in ((2, 6), (3, 5), (4, 3)):
        for entries in (10.0 ** random.integers(-20, 20, shape), 10.0 ** random.integers(-5, 5, shape), np.full(shape, 5e-324), np.full(shape, 1e200)):
            found = countpm.permanent(entries)
            true = brute_force.permanent([[Fraction(entry) for entry in row] for row in entries])
            assert abs(Fraction(found.text) - true) <= Fraction(found.error_text)
        assert countpm.permanent(np.zeros(shape)) == 0
        assert countpm.permanent(np.zeros(shape, dtype=int)) == 0
    assert countpm.permanent(np.array([[1.0, -1.0, 0.0], [1.0, 1.0, 0.0]])) == 0
    assert countpm.permanent(np.zeros((0, 4))) == 1
    with pytest.raises(countpm.InputError, match="nan in row 0, column 1"):
        countpm.permanent(np.array([[1.0, np.nan, 2.0], [1.0, 1.0, 3.0]]))
    with pytest.raises(countpm.InputError, match="square"):
        countpm.hafnian(np.ones((2, 3)))


INTEGERS = np.arange(1, 17).reshape(4, 4)
IDLE = [{"threads": 1}, {"seed": 7}, {"time_limit": 60}, {"time_limit": None}, {"memory_limit": 2**30}, {"device": "cpu"}, {"progress": False},
        {"arithmetic": "kahan"}, {"exact": False}, {"double_check": False}, {"method": "ryser", "threads": 2, "time_limit": 1.5}]
IDLE_OF_INTEGERS = [{"arithmetic": 100}, {"arithmetic": "plain"}, {"exact": True}, {"arithmetic": "double-double", "threads": 1}]
NOT_IDLE = [{"time_limit": 0.5}, {"memory_limit": 1}, {"device": "gpu"}, {"method": "frontier"}, {"threads": -1}, {"threads": "two"}, {"seed": -1}, {"exact": 1},
            {"arithmetic": 8}, {"precision": 100}, {"arithmetic": "exact"}, {"progress": True}, {"double_check": True}, {"audit": 1.0},
            {"weight": None}, {"methodd": 1}, {"method": ["ryser"]}]


class LongWayError(Exception):
    pass


def test_options_on_which_nothing_depends_leave_a_small_matrix_its_short_way(monkeypatch):
    def refuse(*_):
        raise LongWayError

    monkeypatch.setattr(countpm.counting, "_value", refuse)
    for options in IDLE:
        assert countpm.permanent(INTEGERS / 2, **options) == countpm.permanent(INTEGERS / 2)
    for options in IDLE + IDLE_OF_INTEGERS:
        assert countpm.permanent(INTEGERS, **options) == 55456
    for options in IDLE_OF_INTEGERS + NOT_IDLE:
        with pytest.raises(LongWayError):
            countpm.permanent(INTEGERS / 2, **options)
    for options in NOT_IDLE:
        with pytest.raises(LongWayError):
            countpm.permanent(INTEGERS, **options)


def test_the_long_way_has_the_same_numbers_and_refuses_what_is_wrong():
    for options in IDLE + IDLE_OF_INTEGERS:
        assert countpm.permanent(INTEGERS.tolist(), **options) == 55456
    for options in ({"threads": -1}, {"threads": "two"}, {"seed": -1}, {"arithmetic": 8}, {"precision": 100},
                    {"arithmetic": "exact"}, {"methodd": 1}):
        with pytest.raises(countpm.UsageError):
            countpm.permanent(INTEGERS, **options)


@pytest.mark.parametrize("kind", ["float", "complex"])
@pytest.mark.parametrize("n", [2, 5, 8, 10, 12, 14])
def test_errors_are_roundings(n, kind):
    random = np.random.default_rng(n)
    matrix = random.random((n, n)) + (1j * random.random((n, n)) if kind == "complex" else 0)
    for found in (countpm.permanent(matrix), countpm.permanent(matrix, method="ryser"), countpm.loop_hafnian(matrix + matrix.T)):
        assert 0 < found.error < 3e-16 * abs(found)


def test_what_is_not_for_the_short_way_goes_the_long_one():
    with pytest.raises(countpm.InputError, match="nan in row 0, column 1"):
        countpm.permanent(np.array([[1.0, np.nan], [1.0, 1.0]]))
    with pytest.raises(countpm.InputError, match="inf in row 1, column 0"):
        countpm.permanent(np.array([[1.0, 0.0], [np.inf, 1.0]]))
    for bad in (np.nan, np.inf):
        for n in (2, 3):
            matrix = np.ones((n, n))
            matrix[1, 1] = bad  # where the hafnian does not look
            for function in (countpm.hafnian, countpm.loop_hafnian):
                with pytest.raises(countpm.InputError, match="expected finite numbers, found (nan|inf) in row 1, column 1"):
                    function(matrix)
    with pytest.raises(countpm.InputError, match="without a mask"):
        countpm.permanent(np.ma.array([[1.0, 2.0], [3.0, 4.0]], mask=[[0, 1], [0, 0]]))
    assert countpm.permanent(np.array([[1.0, 1.0], [1.0, -1.0]])) == 0
    assert countpm.permanent(np.array([[0.0, 0.0], [1.0, 1.0]])) == 0
    assert countpm.permanent(np.zeros((0, 0))) == 1
    assert countpm.permanent(np.full((2, 2), 1e200)).text.endswith("e+400")
    assert countpm.permanent(np.full((2, 2), 5e-324)).text.startswith("4.88")  # 4.88e-647
    assert countpm.hafnian(np.ones((3, 3))) == 0
    assert type(countpm.permanent(np.array([[0.5, 1.0], [1.0, 0.5]]), exact=True)) is Fraction
    with pytest.raises(countpm.UsageError, match="there is no option 'methodd'"):
        countpm.permanent(np.eye(2), methodd="ryser")


def almost_symmetric(n, seed):
    """As matrices of Gaussian boson sampling are: U diag U^T."""
    random = np.random.default_rng(seed)
    unitary = np.linalg.qr(random.normal(size=(n, n)) + 1j * random.normal(size=(n, n)))[0]
    matrix = unitary @ np.diag(np.tanh(random.random(n))) @ unitary.T
    matrix[0, n - 1] += 1e-16  # whatever the multiplication does on this machine
    assert (matrix != matrix.T).any()
    return matrix


@pytest.mark.parametrize("function", [countpm.hafnian, countpm.loop_hafnian])
@pytest.mark.parametrize("form", [np.asarray, np.ndarray.tolist, scipy.sparse.csr_array, scipy.sparse.coo_array, pd.DataFrame])
def test_matrices_that_rounding_made_asymmetric(function, form, caplog):
    caplog.set_level(logging.INFO, "countpm")
    for matrix in (almost_symmetric(6, 1), almost_symmetric(6, 2).real):
        caplog.clear()
        found = function(form(matrix))
        means = (matrix + matrix.T) / 2
        assert abs(found - function(means)) < 1e-14
        assert "symmetric up to rounding: the entries in row" in caplog.text
        caplog.clear()
        function(form(means))
        assert "rounding" not in caplog.text


@pytest.mark.parametrize("function", [countpm.hafnian, countpm.loop_hafnian])
@pytest.mark.parametrize("form", [np.asarray, np.ndarray.tolist, scipy.sparse.csr_array])
def test_matrices_that_are_not_symmetric_are_refused_with_place_and_size(function, form):
    matrix = almost_symmetric(6, 3)
    matrix[1, 4] += 1e-9
    with pytest.raises(countpm.InputError) as caught:
        function(form(matrix))
    assert "(rounding may make a difference of 1e-12 times the largest entry)" in caught.value.expected
    assert "in row 1, column 4" in caught.value.found and "in row 4, column 1" in caught.value.found
    assert caught.value.found.endswith("a difference of 1e-09")
    with pytest.raises(countpm.InputError, match="exact=True takes no difference for rounding"):
        function(form(almost_symmetric(4, 1)), exact=True)


def test_the_tolerance_is_of_floats_that_count():
    for function in (countpm.hafnian, countpm.loop_hafnian):
        with pytest.raises(countpm.InputError, match="found 1000000000000000 in row 0, column 1 and 1000000000000001"):
            function(np.array([[0, 10**15], [10**15 + 1, 0]]))
    with pytest.raises(countpm.InputError, match="expected a symmetric matrix"):
        countpm.perfect_matchings(np.array([[0, 1.0], [1 + 1e-15, 0]]), kind="undirected")
    assert countpm.perfect_matchings(np.array([[0, 1.0], [1 + 1e-15, 0]]), kind="undirected", weight=True) == pytest.approx(1)
    # Of singles, singles' roundings.
    assert countpm.hafnian(np.array([[0, 1], [1 + 1e-6, 0]], dtype=np.float32)) == pytest.approx(1, rel=2e-6)
    with pytest.raises(countpm.InputError, match="a difference of 0.0001"):
        countpm.hafnian(np.array([[0, 1], [1 + 1e-4, 0]], dtype=np.float32))


def test_many_are_those_of_a_loop():
    random = np.random.default_rng(5)
    floats = [random.random((4, 4)) for _ in range(50)]
    mixed = [*floats[:5], random.integers(0, 9, (5, 5)), [[1, 2], [3, 4]], floats[6] + 1j, np.ones((3, 4)), np.array([[1.0, 1.0], [1.0, -1.0]])]
    for matrices in (floats, mixed):
        for options in ({}, {"jobs": 2}, {"method": "ryser"}, {"threads": 1}):
            loop = [countpm.permanent(matrix, **{k: v for k, v in options.items() if k != "jobs"}) for matrix in matrices]
            many = list(countpm.count_many(matrices, "permanent", **options))
            assert [type(one) for one in many] == [type(one) for one in loop]
            assert many == pytest.approx(loop, rel=1e-12)
    bad = list(countpm.count_many([floats[0], np.array([[np.nan]]), "no such file", floats[1]], "permanent", errors="return"))
    assert [type(one).__name__ for one in bad] == ["Real", "InputError", "InputError", "Real"]
    assert [r.value for r in countpm.count_many(floats[:3], "permanent", results=True)] == pytest.approx([countpm.permanent(a) for a in floats[:3]])


def test_many_small_graphs_are_not_counted_one_plan_each():
    """By the ways they go, not by a clock: whatever is counted at once needs no time that the limit could end."""
    import networkx as nx

    graphs = [nx.random_regular_graph(3, 10, seed=seed) for seed in range(20)]
    start = time.process_time()
    assert list(countpm.count_many(graphs)) == [countpm.perfect_matchings(graph) for graph in graphs]
    assert time.process_time() - start < 30


def test_tables_and_memory_and_arrays_of_others():
    frame = pd.DataFrame([[1, 2], [3, 4]], index=["a", "b"], columns=["x", "y"])
    assert countpm.permanent(frame) == 10
    assert countpm.permanent(frame / 2) == 2.5
    assert countpm.hafnian(pd.DataFrame([[0, 3], [3, 0]])) == 3
    with pytest.raises(countpm.InputError, match="found zz of type str in row 0, column 1"):
        countpm.permanent(pd.DataFrame([[1, "zz"], [3, 4]]))
    for dtype in (int, float, complex):
        matrix = np.array([[1, 2], [3, 4]], dtype=dtype)
        assert countpm.permanent(memoryview(matrix)) == 10

    class Tensor:
        def __init__(self, entries):
            self.entries = entries

        def __array__(self, dtype=None, copy=None):
            return np.array(self.entries, dtype=dtype)

    assert countpm.permanent(Tensor([[1, 2], [3, 4]])) == 10
    assert countpm.perfect_matchings(Tensor([[1, 1], [1, 1]])) == 2
    with pytest.raises(countpm.InputError, match=r"an array of shape \(2,\)"):
        countpm.permanent(Tensor([1, 2]))
    with pytest.raises(countpm.InputError, match="a matrix of two dimensions"):
        countpm.permanent(memoryview(b"ab"))


def test_seeds_of_numpy():
    ones = np.ones((5, 5))
    for make in (np.random.default_rng, np.random.RandomState):
        generator = make(3)
        first, second = (countpm.sample(ones, 20, seed=generator) for _ in range(2))
        np.testing.assert_array_equal(first, countpm.sample(ones, 20, seed=make(3)))
        assert (first != second).any()
    a = countpm.estimate("lattice:square:6x6", samples=1000, all_sampled=True, seed=np.random.default_rng(1))
    b = countpm.estimate("lattice:square:6x6", samples=1000, all_sampled=True, seed=np.random.default_rng(1))
    assert a.value == b.value
    assert countpm.permanent([[1, 2], [3, 4]], seed=np.random.default_rng(1)) == 10
    with pytest.raises(countpm.UsageError, match="seed: expected a whole number"):
        countpm.sample(ones, seed="three")


@pytest.mark.parametrize(
    ("value", "error", "shown", "text"),
    [
        (19507.822743625813, 3.5e-8, "Real(19507.822743626, error=3.6e-08)", "19507.822743626"),
        (2.718281828, 0.0003, "Real(2.71828, error=0.00031)", "2.71828"),
        (0.28125, 0.0, "Real(0.28125, error=0.0)", "0.28125"),
        (12.5, 1e-40, "Real(12.5, error=1.1e-40)", "12.5"),
        (0.004, 2.0, "Real(0.0, error=2.1)", "0.0"),
        (-1234.5, 3.0, "Real(-1234.5, error=3.1)", "-1234.5"),
        (float("inf"), float("inf"), "Real(float('inf'), error=float('inf'))", "inf"),
    ],
)
def test_a_real_shows_no_digits_beyond_its_error_and_is_a_literal(value, error, shown, text):
    number = countpm.Real(value, error)
    assert (repr(number), str(number)) == (shown, text)
    again = eval(shown, {"Real": countpm.Real})
    if np.isfinite(value):
        assert abs(Fraction(float(again)) - Fraction(value)) + Fraction(error) <= Fraction(again.error)
    assert number.error <= float(number.error_text)


def test_a_complex_number_likewise():
    number = countpm.Complex(1.23456789 - 2.3456789j, 1e-4)
    assert repr(number) == "Complex(1.23457-2.34568j, error=0.00011)"
    again = eval(repr(number), {"Complex": countpm.Complex})
    assert abs(again - number) + number.error <= again.error
    for found in (countpm.permanent(np.array([[1j, 2.5], [3, 1j]])), countpm.permanent(np.full((9, 9), 0.1 + 0.3j))):
        again = eval(repr(found), {"Complex": countpm.Complex})
        assert abs(again - found) <= again.error
        assert again.error >= found.error


def test_the_core_says_none_of_what_it_does_not_take():
    for thing in (None, 3, "text", [[1, 2], [3, 4]], np.ones(4), np.ones((13, 20)), np.ones((3, 65)), np.ones((2, 2, 2)), np.ones((40, 40)), np.zeros((0, 0))):
        assert _core.small_permanent(thing) is None
    for function in (countpm.permanent, countpm.hafnian, countpm.loop_hafnian):
        with pytest.raises(countpm.InputError, match="an object of type NoneType"):
            function(None)
