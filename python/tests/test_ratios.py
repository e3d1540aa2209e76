"""Ratios and integrals that are kept in a file: the same call goes on with it, to the same figures."""

from __future__ import annotations

import logging

import countpm
import networkx as nx
import pytest

GRID = nx.grid_2d_graph(8, 8)
OPTIONS = {"all_sampled": True, "sampler": "bethe", "second": "none", "seed": 3, "time_limit": None}


def less(graph: nx.Graph) -> nx.Graph:
    fewer = graph.copy()
    fewer.remove_edge((3, 3), (3, 4))
    return fewer


def integral(letter="x", end=4, **options):
    return countpm.integrate("lattice:square:8x8:weights=x,1", letter, 1, end, **OPTIONS, **options)


def ratio(a=None, b=GRID, **options):
    return countpm.ratio(less(GRID) if a is None else a, b, **OPTIONS, **options)


@pytest.mark.parametrize(("asked", "goal"), [(ratio, 0.004), (integral, 0.03)])
def test_what_is_interrupted_goes_on_to_the_same_figures(tmp_path, asked, goal):
    expected = asked(ln_error=goal)
    path = tmp_path / "kept.journal"
    seen = []

    def interrupt(progress):
        seen.append(progress)
        if path.exists():
            raise KeyboardInterrupt

    try:
        asked(ln_error=goal, checkpoint=path, progress=interrupt)
    except KeyboardInterrupt:
        pass
    assert path.exists()
    assert asked(ln_error=goal, checkpoint=path) == expected
    text = path.read_bytes()
    assert asked(ln_error=goal, checkpoint=str(path)) == expected
    assert path.read_bytes() == text


def test_what_is_counted_is_kept_too(tmp_path):
    path = tmp_path / "kept.journal"
    options = {"checkpoint": path, "exact_below": 60}
    r = countpm.integrate("lattice:square:6x6:weights=x,1", "x", 1, 2, **options)
    assert r.exact and r.value == countpm.integrate("lattice:square:6x6:weights=x,1", "x", 1, 2, **options).value
    assert path.exists()


def test_a_time_limit_says_that_the_same_call_goes_on(tmp_path):
    path = tmp_path / "kept.journal"
    options = {**OPTIONS, "ln_error": 1e-5, "checkpoint": path}
    r = countpm.ratio(less(GRID), GRID, **{**options, "time_limit": 0.5})
    assert r.goal_missed
    before = r.samples
    r = countpm.ratio(less(GRID), GRID, **{**options, "time_limit": 0.5})
    assert r.samples > before


def test_a_file_of_another_question_is_refused(tmp_path, caplog):
    path = tmp_path / "kept.journal"
    ratio(samples=400, checkpoint=path)
    with pytest.raises(countpm.InputError, match="another input"):
        ratio(nx.grid_2d_graph(8, 8), samples=400, checkpoint=path)
    with pytest.raises(countpm.InputError, match="another input"):
        integral(samples=400, checkpoint=path)
    # The labels say which vertices of both are the same.
    renamed = nx.relabel_nodes(less(GRID), {(0, 0): (0, 1), (0, 1): (0, 0)})
    with pytest.raises(countpm.InputError, match="another input"):
        ratio(renamed, samples=400, checkpoint=path)
    with pytest.raises(countpm.InputError, match="400 samples"):
        ratio(samples=401, checkpoint=path)
    path.write_bytes(path.read_bytes()[:-40] + b"\n")
    with caplog.at_level(logging.WARNING, "countpm"):
        ratio(samples=400, checkpoint=path)
    assert "left out" in caplog.text
    path = tmp_path / "integral.journal"
    integral(samples=400, checkpoint=path)
    with pytest.raises(countpm.InputError, match="x=1:4"):
        integral(end=5, samples=400, checkpoint=path)


def test_vertices_are_the_same_by_name_whatever_their_order():
    nodes = list(GRID)[::-1]
    other = nx.Graph()
    other.add_nodes_from(nodes)
    other.add_edges_from((v, u) for u, v in GRID.edges)
    assert ratio(samples=400) == ratio(b=other, samples=400)
    assert ratio(samples=400) == ratio(b=list(other.edges), samples=400)
    left = nx.Graph([("a", 1), ("a", 2), ("b", 1), ("b", 2)])
    with pytest.raises(countpm.InputError, match="'c', which a does not have"):
        countpm.ratio(left, nx.relabel_nodes(left, {"a": "c"}))
    with pytest.raises(countpm.InputError, match="4 vertices of a, found 2"):
        countpm.ratio(left, [("a", 1)])


def test_signed_sums():
    signs = [("a", "b", 2), ("b", "c", 3), ("c", "d", 5), ("d", "a", -7)]
    s = countpm.signed_sum(signs, weight=True)
    assert (s.exact, s.value, type(s.value), s.error, s.samples, s.method) == (True, -11, int, 0, 0, "count")
    s = countpm.signed_sum(signs, weight=True, samples=4000, all_sampled=True)
    assert not s.exact and abs(s.value + 11) < 4 * s.error and s.differs_from_zero
    assert abs(s.mean_sign + 11 / 31) < 4 * s.mean_sign_error
    complex_weights = [(u, v, w * 1j) for u, v, w in signs]
    s = countpm.signed_sum(complex_weights, weight=True, samples=4000, all_sampled=True)
    assert isinstance(s.value, complex) and abs(s.value - 11) < 4 * s.error
    for options in ({"sampler": "population"}, {"guarantee": (0.1, 0.1)}, {"executor": 2}):
        with pytest.raises((countpm.UsageError, TypeError)):
            countpm.signed_sum(signs, weight=True, **options)


def test_options_that_ratios_do_not_have(tmp_path):
    for options in ({"executor": 2}, {"worker_threads": 2}, {"checkpoint": 7}, {"checkpoint": ""}):
        with pytest.raises(countpm.UsageError):
            ratio(**options)
    with pytest.raises(countpm.UsageError):
        countpm.explain_ratio(GRID, GRID, checkpoint=tmp_path / "x")
