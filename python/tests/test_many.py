"""Many graphs: read from one file, counted some at a time, in order."""

from __future__ import annotations

import countpm
import networkx as nx
import numpy as np
import pytest

LINES = b"C~\nC~~\nCr\nIsP@OkWHG\n"


def test_reads_each_line():
    good = LINES.replace(b"C~~\n", b"")
    graphs = list(countpm.read_many(good))
    assert [graph.number_of_edges for graph in graphs] == [6, 4, 15]
    assert [graph.nodes[0] for graph in graphs] == ["0", "0", "0"]
    assert len(list(countpm.read_many("lattice:square:2x2"))) == 1
    assert len(list(countpm.read_many(b"a b\nc d\n"))) == 1


def test_an_error_has_the_line_of_the_file():
    with pytest.raises(countpm.InputError) as caught:
        list(countpm.read_many(LINES))
    assert caught.value.line == 2
    found = list(countpm.read_many(LINES, errors="return"))
    assert [type(one).__name__ for one in found] == ["Graph", "InputError", "Graph", "Graph"]
    with pytest.raises(countpm.UsageError):
        countpm.read_many(LINES, errors="ignore")


@pytest.mark.parametrize("jobs", [0, 1, 3])
def test_counts_in_order(jobs):
    grids = [nx.grid_2d_graph(2, n) for n in range(1, 60)] + [nx.grid_2d_graph(6, 15)]
    numbers = list(countpm.count_many(grids, jobs=jobs))
    assert numbers[:4] == [1, 2, 3, 5]
    assert numbers == [countpm.perfect_matchings(grid) for grid in grids]


def test_errors_in_their_places():
    found = list(countpm.count_many(countpm.read_many(LINES, errors="return"), errors="return"))
    assert [found[0], found[2], found[3]] == [3, 2, 6]
    assert isinstance(found[1], countpm.InputError)
    with pytest.raises(countpm.InputError):
        list(countpm.count_many([[("a", "a")]]))
    hard = nx.random_regular_graph(5, 300, seed=1)
    refused = list(countpm.count_many([hard, nx.path_graph(2)], errors="return", time_limit=1))
    assert isinstance(refused[0], countpm.UnableError) and refused[1] == 1


def test_results_and_problems():
    results = list(countpm.count_many([nx.star_graph(3), nx.path_graph(4)], results=True))
    assert results[0].violator is not None and results[1].value == 1
    assert list(countpm.count_many([[[1, 2], [3, 4]]], "permanent", weight=True)) == [10]
    with pytest.raises(countpm.UsageError):
        list(countpm.count_many([nx.path_graph(2)], jobs=-1))


def test_takes_no_more_than_it_needs():
    taken = []

    def endless():
        while True:
            taken.append(1)
            yield nx.path_graph(2)

    numbers = countpm.count_many(endless())
    assert [next(numbers) for _ in range(5)] == [1] * 5
    assert len(taken) < 20


@pytest.mark.parametrize("problem", ["permanent", "hafnian"])
def test_small_matrices_among_others(problem):
    random = np.random.default_rng(3)
    function = getattr(countpm, problem)

    def symmetric(n, kind):
        entries = random.integers(0, 5, (n, n)) if kind == "int" else random.random((n, n)) + (1j * random.random((n, n)) if kind == "complex" else 0)
        return entries + entries.T

    matrices = [symmetric(n, kind) for n in (2, 4, 6, 8) for kind in ("int", "float", "complex")]
    matrices += [symmetric(26, "int"), symmetric(2, "float").tolist(), symmetric(4, "float"), symmetric(2, "int").tolist()]
    wanted = [function(one) for one in matrices]
    for order in (range(len(matrices)), range(len(matrices) - 1, -1, -1)):
        found = list(countpm.count_many((matrices[k] for k in order), problem))
        assert [(type(one), one) for one in found] == [(type(wanted[k]), wanted[k]) for k in order]
    assert list(countpm.count_many(matrices[:3], problem, results=True))[0].value == wanted[0]
    bad = np.array([[1.0, np.nan], [np.nan, 1.0]])
    found = list(countpm.count_many([matrices[0], bad, matrices[1]], problem, errors="return"))
    assert (found[0], type(found[1]), found[2]) == (wanted[0], countpm.InputError, wanted[1])
    numbers = countpm.count_many([matrices[0], bad], problem)
    assert next(numbers) == wanted[0]
    with pytest.raises(countpm.InputError):
        next(numbers)
