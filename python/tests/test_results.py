"""Results, explanations, estimates and bounds: what they say, and that they travel."""

from __future__ import annotations

import copy
import math
import pickle
import re
from fractions import Fraction
from html.parser import HTMLParser
from xml.etree import ElementTree

import countpm
import networkx as nx
import numpy as np
import pytest
from countpm.values import short


def test_a_result_tells_how_it_was_found():
    result = countpm.count(nx.grid_2d_graph(8, 8))
    assert result.value == 12988816
    assert type(result.value) is int
    assert (result.exact, result.proved, result.error, result.problem) == (True, True, 0.0, "perfect matchings")
    assert result.log10 == pytest.approx(math.log10(12988816))
    assert result.entropy["ln_z"] == pytest.approx(math.log(12988816))
    assert result.violator is None
    assert result.method in {block.method for block in result.blocks}
    assert result.device == "cpu"
    assert result.threads >= 1
    assert result.reductions["double"]["applied"] > 0
    assert {check.name for check in result.checks} >= {"parity", "upper bound"}
    assert all(check.ok in (True, None) and check.detail for check in result.checks)
    assert result.seconds > 0
    assert set(result.stages) == {"read", "structure", "reduce", "plan", "count", "verify", "proof"}
    assert sum(result.stages.values()) <= result.seconds * 1.01
    assert repr(result) == f"<Result 12988816, method='{result.method}', exact=True>"


def test_hall_violators_name_the_callers_vertices():
    star = nx.relabel_nodes(nx.star_graph(3), {0: "centre", 1: ("leaf", 1)})
    violator = countpm.count(star).violator
    assert set(violator.neighbours) == {"centre"}
    assert set(violator.vertices) <= {("leaf", 1), 2, 3}
    assert len(violator.vertices) > 1
    rows = countpm.count(np.array([[1, 0, 0], [1, 0, 0], [1, 1, 1]])).violator
    assert (rows.side, rows.vertices, rows.neighbours) in [
        ("rows", (0, 1), (0,)),
        ("left", (0, 1), (0,)),
        ("columns", (1, 2), (2,)),
        ("right", (1, 2), (2,)),
    ]


def test_tutte_violators_name_components():
    graph = nx.Graph([("c", 0), ("c", 3), ("c", 6)])
    for first in (0, 3, 6):
        graph.add_edges_from([(first, first + 1), (first + 1, first + 2), (first + 2, first)])
    violator = countpm.count(graph).violator
    assert violator.side == "vertices"
    assert violator.neighbours == ("c",)
    components = {frozenset(component) for component in violator.odd_components}
    assert len(components) == len(violator.odd_components) > 1
    assert components <= {frozenset({0, 1, 2}), frozenset({3, 4, 5}), frozenset({6, 7, 8})}
    assert set(violator.vertices) == frozenset().union(*components)


@pytest.mark.parametrize(
    "result",
    [
        countpm.count(nx.grid_2d_graph(4, 4)),
        countpm.count(nx.star_graph(3)),
        countpm.count([[Fraction(1, 3)]], "permanent"),
        countpm.count([[0.5]], "permanent"),
        countpm.count([[0.5j]], "permanent"),
        countpm.explain(nx.grid_2d_graph(4, 4)),
        countpm.estimate("lattice:square:4x4", samples=100, all_sampled=True),
        countpm.bounds("lattice:square:4x4"),
        countpm.count_or_bounds("lattice:square:12x12", method="ryser", time_limit=5),
    ],
    ids=repr,
)
def test_results_can_be_pickled_and_copied(result):
    for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert type(again) is type(result)
        assert repr(again) == repr(result)
        if isinstance(result, countpm.Bounds):
            assert (again, again.lower_by, again.lower, again.upper) == (result, result.lower_by, result.lower, result.upper)
            continue
        assert again.to_dict() == result.to_dict()
        assert again.violator == result.violator
        assert again._repr_html_() == result._repr_html_()
        if isinstance(result, countpm.Result):
            assert again.value == result.value
            assert type(again.value) is type(result.value)
            assert again.error == result.error


def test_real_and_complex_values():
    real = countpm.permanent([[0.5, 0.25], [0.125, 0.5]])
    assert isinstance(real, countpm.Real)
    assert isinstance(real, float)
    assert (real, float(real), f"{real:.3f}", str(real)) == (0.28125, 0.28125, "0.281", "0.28125")
    assert 0 <= real.error < 1e-14
    inexact = countpm.permanent([[0.1, 0.2, 0.3], [0.3, 0.4, 0.7], [0.1, 0.9, 0.3]])
    assert 0 < inexact.error < 1e-13
    assert re.fullmatch(r"Real\(0\.\d*, error=\d\.\de-1\d\)", repr(inexact))
    assert type(real + 1) is float
    value = countpm.permanent([[1j, 2], [3, 1j]])
    assert isinstance(value, countpm.Complex)
    assert isinstance(value, complex)
    assert (value.real, value.imag) == (5.0, 0.0)
    assert value.error < 1e-13
    for number in (real, inexact, value):
        assert number.error >= float(number.error_text)
        assert (number.error == 0) == (number.error_text == "0") == (number is real)
        again = pickle.loads(pickle.dumps(number))
        assert (again, again.error, again.text, again.error_text) == (number, number.error, number.text, number.error_text)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (-12, "-12"),
        (10**59, "1" + 59 * "0"),
        (10**60, "1e+60 (61 digits)"),
        (10**60 - 1, 60 * "9"),
        (-(7**100), "-3.2345e+84 (85 digits)"),
        (10**5000, "1e+5000 (5001 digits)"),
        (10**5000 - 1, "1e+5000 (5000 digits)"),
        (Fraction(1, 3), "1/3"),
        (Fraction(10**70, 3), "1e+70 (71 digits) / 3"),
        (0.5, "0.5"),
    ],
    ids=range(11),
)
def test_long_numbers_are_shortened_for_people(number, text):
    assert short(number) == text


def test_results_of_many_digits_can_be_shown():
    result = countpm.count(np.diag([2**40 + 1] * 600), "permanent")
    assert "(7225 digits)" in repr(result)
    assert "all 7,225 digits" in result._repr_html_()


class Page(HTMLParser):
    """The texts of a page; every tag must be closed, and none may run or load anything."""

    void = frozenset({"path", "line", "circle", "rect", "use", "polygon", "polyline", "ellipse", "meta", "br"})

    def __init__(self, page):
        super().__init__()
        self.open, self.texts = [], []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        assert tag not in ("script", "link", "img", "iframe", "object")
        assert not any(name.startswith("on") or name in ("src", "href") for name, _ in attributes)
        if tag not in self.void:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in self.void:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        (countpm.count(nx.grid_2d_graph(4, 4)), ["36", "perfect matchings", "Checks", "in some perfect matchings (24)"]),
        (countpm.count(nx.grid_2d_graph(3, 3)), ["Why there is none", "only 4 neighbours", "(0, 0)"]),
        (countpm.count([[0.5]], "permanent"), ["0.5"]),
        (countpm.explain(nx.petersen_graph()), ["frontier", "method", "within the time limit of 1 h"]),
        (countpm.estimate("lattice:square:6x6", samples=100, all_sampled=True), ["an estimate, not an exact count", "on the lattice"]),
        (countpm.Graph(nx.petersen_graph()), ["Graph undirected, 10 vertices, 15 edges"]),
        (countpm.Graph(np.ones((3, 3))), ["Graph bipartite, 3 + 3 vertices, 9 edges"]),
    ],
    ids=repr,
)
def test_pages_for_jupyter(shown, words):
    page = shown._repr_html_()
    text = " ".join(Page(page).texts)
    for word in words:
        assert word in text
    svg = page[page.index("<svg") : page.index("</svg>") + 6]
    assert len(list(ElementTree.fromstring(svg).iter())) > 5


def test_pages_escape_what_callers_name():
    evil = "<script>alert(1)</script>"
    page = countpm.count([(evil, "a"), (evil, "b"), (evil, "c")])._repr_html_()
    assert evil in "".join(Page(page).texts)
    path_page = countpm.read(f"{evil} b\n".replace(" alert", "alert").encode())._repr_html_()
    Page(path_page)


def test_large_graphs_are_not_kept_nor_drawn():
    result = countpm.count(nx.path_graph(2000))
    assert "<svg" not in result._repr_html_()
    assert len(pickle.dumps(result)) < 30_000


def test_explanations():
    explanation = countpm.explain("lattice:square:40x40")
    assert explanation.feasible
    assert explanation.methods == ("planar",)
    assert explanation.matching_size == 800
    assert explanation.log10_seconds < 2
    [block] = explanation.blocks
    forecasts = {forecast.method: forecast for forecast in block.methods}
    assert forecasts["planar"].chosen
    assert forecasts["ryser"].obstacle or forecasts["ryser"].log10_seconds > 100
    assert explanation.factor == 1
    hopeless = countpm.explain(np.random.default_rng(1).integers(1, 9, (60, 60)), "permanent")
    assert not hopeless.feasible
    assert hopeless.log10_seconds > 5
    none = countpm.explain(nx.path_graph(4))
    assert none.feasible
    assert none.log10_seconds == -math.inf
    assert none.methods == ()
    assert repr(countpm.explain(nx.path_graph(3))) == "<Explanation: no perfect matching, the count is 0>"


def test_bounds_hold():
    low, high = bounds = countpm.bounds("lattice:square:8x8")
    assert low <= math.log10(12988816) <= high
    assert (bounds.low, bounds.high) == (low, high)
    assert int(bounds.lower) == math.ceil(10**low) <= 12988816 <= math.floor(10**high) == int(bounds.upper)
    assert repr(bounds) == f"<Bounds {bounds.lower} by {bounds.lower_by}, {bounds.upper} by {bounds.upper_by}>"
    tenths = countpm.bounds(np.full((3, 3), 0.1), "permanent")
    assert 0.001 < float(tenths.lower) <= 0.006 <= float(tenths.upper) < 0.01
    zero = countpm.bounds(nx.path_graph(3))
    assert (zero.lower, zero.upper) == ("0", "0")
    assert bounds.lower_by
    assert bounds.upper_by
    for seed in range(10):
        graph = nx.gnp_random_graph(10, 0.6, seed=seed)
        count = countpm.perfect_matchings(graph)
        low, high = countpm.bounds(graph)
        assert low <= (math.log10(count) if count else -math.inf) + 1e-9
        assert count == 0 or math.log10(count) <= high + 1e-9


def test_logarithms():
    z = countpm.ln_z(nx.grid_2d_graph(8, 8))
    assert abs(z - math.log(12988816)) <= z.error < 1e-9
    weighted = nx.grid_2d_graph(4, 4)
    for u, v in weighted.edges:
        weighted[u][v]["w"] = 2.0
    doubled = countpm.ln_z(weighted, weight="w")
    assert doubled == pytest.approx(math.log(36) + 8 * math.log(2))
    assert countpm.ln_z(nx.path_graph(3)) == -math.inf
    with pytest.raises(countpm.UnableError):
        countpm.ln_z(nx.complete_graph(10))


def test_estimates():
    exact = 6728
    estimate = countpm.estimate("lattice:square:6x6", error=0.02, seed=3, all_sampled=True)
    assert type(estimate.value) is float
    assert not estimate.exact and not estimate.counted
    low, high = estimate.interval
    assert low <= estimate.value <= high
    assert low * 0.9 <= exact <= high * 1.1
    assert estimate.confidence == 0.95
    assert estimate.samples > 0
    assert estimate.sampler
    assert estimate.log10 == pytest.approx(math.log10(estimate.value))
    again = countpm.estimate("lattice:square:6x6", error=0.02, seed=3, all_sampled=True)
    assert again.value == estimate.value
    counted = countpm.estimate(nx.grid_2d_graph(4, 4))
    assert (counted.value, type(counted.value), counted.exact, counted.counted) == (36, int, True, True)
    assert repr(counted) == "<Estimate exactly 36>"
    guaranteed = countpm.estimate(np.ones((6, 6)), guarantee=(0.2, 0.1), all_sampled=True)
    assert guaranteed.guarantee == (0.2, 0.1) or (guaranteed.exact and guaranteed.value == 720)
    assert guaranteed.value == pytest.approx(720, rel=0.5)


def test_estimates_by_annealing():
    exact = 6728
    estimate = countpm.estimate("lattice:square:6x6", samples=1000, all_sampled=True, sampler="annealed")
    assert estimate.sampler == "annealed"
    assert estimate.value == pytest.approx(exact, rel=0.3)
    checked = countpm.estimate(
        "lattice:square:6x6", samples=100, all_sampled=True, sampler="bethe", exact_tail=0, second="annealed"
    )
    assert checked.to_dict()["blocks"][0]["second"]["sampler"] == "annealed"
    with pytest.raises(countpm.UsageError):
        countpm.estimate("lattice:square:6x6", second="magic")


def test_estimates_of_all_matchings():
    petersen = nx.petersen_graph()
    estimate = countpm.estimate(petersen, monomers=1, samples=300, all_sampled=True)
    assert estimate.interval[0] < countpm.number_of_matchings(petersen) < estimate.interval[1]
    assert estimate.sampler == "boundary"
    with pytest.raises(countpm.UsageError):
        countpm.estimate(petersen, "perfect_matchings", monomers=1)


def test_estimates_beyond_all_floats():
    estimate = countpm.estimate(np.ones((180, 180), dtype=int), samples=10, all_sampled=True)
    assert estimate.value == math.inf
    assert estimate.log10 == pytest.approx(math.lgamma(181) / math.log(10), rel=0.01)


def test_what_is_certain_of_a_count_beyond_its_limits():
    found = countpm.count_or_bounds("lattice:square:12x12", method="ryser", time_limit=5)
    assert isinstance(found, countpm.BoundedCount)
    low, high = found
    assert low < countpm.count("lattice:square:12x12").log10 < high
    assert float(found.lower) < 53060477521960000 < float(found.upper)
    assert "predicted" in found.reason
    assert found.counted == 0
    assert found.blocks[0].bounds.lower_by == found.lower_by
    within = countpm.count_or_bounds("lattice:square:8x8")
    assert isinstance(within, countpm.Result)
    assert within.value == 12988816
    with pytest.raises(countpm.UnableError, match="negative"):
        countpm.count_or_bounds([[1, -1], [1, 1]], "permanent")


def test_reprs_are_python_or_say_that_they_are_not():
    a = np.array([[0.25, 0.5], [1 / 3, 1.0]])
    known = vars(countpm) | {"Fraction": Fraction}
    for literal in (
        countpm.permanent(a), countpm.permanent(a + 0.5j, exact=True), countpm.permanent([[Fraction(1, 3), 1], [1, 2]]),
        countpm.kekule("lattice:benzenoid:55"), countpm.count(nx.star_graph(3)).violator, countpm.count(nx.cycle_graph(6)).checks[0],
        countpm.marginals(nx.cycle_graph(6)), countpm.count_orbits(nx.cycle_graph(6)), countpm.explain_minors(np.ones((3, 2), int)),
    ):
        assert eval(repr(literal), dict(known)) == literal
    for other in (
        countpm.count(nx.cycle_graph(6)), countpm.explain(nx.cycle_graph(6)), countpm.bounds(nx.cycle_graph(6)), countpm.Graph(nx.cycle_graph(6)),
        countpm.permanent([[countpm.letters("x")[0], 1], [1, 1]]), countpm.iter_matchings(nx.cycle_graph(6)),
        countpm.estimate("lattice:square:6x6", samples=100, all_sampled=True),
    ):
        assert repr(other).startswith("<") and repr(other).endswith(">")


def test_every_attribute_can_be_read() -> None:
    board = "lattice:square:4x4"
    answers: list[object] = [
        countpm.count(board),
        countpm.count(board, modulo=7),
        countpm.count(board, "maximum_matchings"),
        countpm.estimate(board),
        countpm.estimate(board, samples=100, all_sampled=True),
        countpm.explain(board),
        countpm.marginals(board),
        countpm.bounds(board),
        countpm.ratio(board, board),
        countpm.recurrence("lattice:square:4xN"),
        countpm.count_orbits(board),
        countpm.ground_state(board),
        countpm.ln_z(board),
    ]
    for answer in answers:
        names = [name for name in dir(answer) if not name.startswith("_")]
        assert names, answer
        for name in names:
            getattr(answer, name)
