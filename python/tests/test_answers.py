"""What all answers have in common: user code may treat them alike."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction

import countpm
import networkx as nx
import numpy as np
import pytest
from test_results import Page

SQUARE = "lattice:square:6x6"
TRUE = 6728
SIGNS = [("a", "b", 2), ("b", "c", 3), ("c", "d", 5), ("d", "a", -7)]

ANSWERS = {
    "count": (lambda: countpm.count(SQUARE), TRUE),
    "count of floats": (lambda: countpm.count([[0.1, 0.2], [0.3, 0.4]], "permanent"), Fraction(0.1) * Fraction(0.4) + Fraction(0.2) * Fraction(0.3)),
    "count of letters": (lambda: countpm.count("lattice:square:2x2:weights=x,1"), None),
    "estimate": (lambda: countpm.estimate(SQUARE, samples=4000, seed=5, all_sampled=True), TRUE),
    "guaranteed estimate": (lambda: countpm.estimate(np.ones((4, 4)), guarantee=(0.3, 0.1), all_sampled=True), 24),
    "counted estimate": (lambda: countpm.estimate(SQUARE), TRUE),
    "counted estimate of floats": (lambda: countpm.estimate([[0.1, 0.2], [0.3, 0.4]], "permanent"), Fraction(0.1) * Fraction(0.4) + Fraction(0.2) * Fraction(0.3)),
    "ratio": (lambda: countpm.ratio(SQUARE, SQUARE, all_sampled=True), 1),
    "counted ratio": (lambda: countpm.integrate("lattice:square:4x4:weights=x,1", "x", 1, 2), None),
    "signed sum": (lambda: countpm.signed_sum(SIGNS, weight=True, samples=4000, all_sampled=True), -11),
    "counted signed sum": (lambda: countpm.signed_sum(SIGNS, weight=True), -11),
    "bounds": (lambda: countpm.bounds(SQUARE), TRUE),
    "bounded count": (lambda: countpm.count_or_bounds("lattice:square:12x12", method="ryser", time_limit=5), 53060477521960000),
    "orbits": (lambda: countpm.count_orbits(SQUARE), 930),
    "recurrence": (lambda: countpm.recurrence("lattice:square:4xN"), 4),
    "residue": (lambda: countpm.count(SQUARE, modulo=1000), 728),
    "molecule": (lambda: countpm.kekule("lattice:benzenoid:4343"), 6),
    "ground state": (lambda: countpm.ground_state([[4, 1, 3], [2, 5, 5], [3, 2, 2]], "max"), 3),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_every_answer_is_asked_alike(name):
    make, true = ANSWERS[name]
    answer = make()
    assert isinstance(answer, countpm.Answer)
    assert type(answer.exact) is bool
    assert type(answer.error) is float and answer.error >= 0
    assert type(answer.seconds) is float and 0 < answer.seconds < 60
    assert type(answer.method) is str and answer.method
    if answer.exact:
        assert answer.error == 0
        assert isinstance(answer.value, (int, Fraction, countpm.Polynomial))
    if true is not None:
        close = abs(Fraction(answer.value) - true) if math.isfinite(answer.error) else 0
        assert close <= (5 * Fraction(answer.error) if "estimate" in name or "sum" in name else Fraction(answer.error))
    page = answer._repr_html_()
    Page(page)
    assert "<script" not in page
    again = pickle.loads(pickle.dumps(answer))
    assert (again.value, again.exact, again.error, again.method, again.seconds) == (
        answer.value, answer.exact, answer.error, answer.method, answer.seconds)


def test_all_classes_of_answers_are_known():
    classes = {thing for name in countpm.__all__ if isinstance(thing := getattr(countpm, name), type) and issubclass(thing, countpm.Answer)}
    assert {type(make()) for make, _ in ANSWERS.values()} == classes - {countpm.Answer}


def test_a_doubt_leaves_no_error():
    doubtful = countpm.estimate("lattice:square:6x6", samples=1, all_sampled=True)
    assert doubtful.doubt
    assert doubtful.error == math.inf
    assert doubtful._repr_html_()


@pytest.mark.parametrize(
    ("text", "value", "error"),
    [
        ("-11", -11, 0),
        ("2/3", Fraction(2, 3), 0),
        ("(1,-2/3)", countpm.ComplexFraction(1, Fraction(-2, 3)), 0),
        ("-0.5", -0.5, 0),
        ("0.1", 0.1, 5e-18),
        ("1.25e+1000", math.inf, math.inf),
        ("0.30000 +- 0.00002", 0.3, 0.00002),
        ("(0.5,2.5e-1) +- 1e-9", 0.5 + 0.25j, 1e-9),
    ],
)
def test_sums_as_they_are_spelt(text, value, error):
    from countpm.ratios import _counted_value

    found = _counted_value(text)
    assert found == value
    assert isinstance(found, (int, Fraction, countpm.ComplexFraction)) == ("." not in text)
    assert error <= getattr(found, "error", 0.0) <= 1.0001 * error + 1e-17


def test_what_is_no_answer_is_shown_as_a_table():
    graph = nx.grid_2d_graph(4, 4)
    marked = nx.relabel_nodes(nx.path_graph(2), {0: "<b>", 1: "&"})
    for thing in (
        countpm.explain(graph),
        countpm.explain_estimate("lattice:cubic:4x4x4", all_sampled=True),
        countpm.explain_sample(graph, 10),
        countpm.explain_minors(np.ones((4, 4)), 0),
        countpm.marginals(graph),
        countpm.marginals(marked, exact=True),
        countpm.Graph(graph),
    ):
        page = thing._repr_html_()
        Page(page)
        assert "<b>" not in page
    assert countpm.explain(graph).seconds < 1
