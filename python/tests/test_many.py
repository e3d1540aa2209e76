"""Many graphs: read from one file, counted some at a time, in order."""

from __future__ import annotations

import countpm
import networkx as nx
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
        countpm.count_many([], progress=True)
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
