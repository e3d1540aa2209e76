"""Ratios of two sums over matchings, and sums with signs."""

from __future__ import annotations

import json
import logging
import math
import numbers
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Unpack

from . import _core
from .answers import Answer, error_of, is_exact, rounded
from .counting import prepared, told
from .errors import UnableError, input_error, of_the_same_call
from .graphs import Graph, ids_of
from .options import path_of
from .planning import SAMPLING, EstimateOptions
from .progress import reporter
from .values import Complex, ComplexFraction, Number, Real

__all__ = ["Ratio", "SignedSum", "integrate", "ratio", "signed_sum"]

_log = logging.getLogger("countpm")


@dataclass(frozen=True)
class Ratio(Answer):
    """Z(A) / Z(B) with its error; an :class:`countpm.Answer`.

    Attributes:
        value: a ``Fraction`` (or ``int``) where both were counted; else a float, ``inf`` where it is too large for one
            (``ln`` is not).
        exact: whether both were counted.
        error: the standard error of ``value``; ``inf`` with a doubt.
        ln: ln of the ratio; -inf for 0.
        ln_error: its standard error; 0 where both were counted.
        ln_interval: ln of the interval's ends.
        confidence: of the interval.
        doubt: why the error may not be believed; None where nothing speaks against it.
        samples: how many were drawn, of the piece that has the fewest; 0 where none was needed.
        effective_samples, pareto_k, sampler, seed: as of :class:`countpm.Estimate`.
        goal_missed: why the error that was asked for was not reached; None where it was.
        apart: whether each sum has samples of its own; else every sample is one of both.
        method: the sampler, or ``"count"``.
    """

    value: int | Fraction | float
    exact: bool
    error: float
    ln: float
    ln_error: float
    ln_interval: tuple[float, float]
    confidence: float
    doubt: str | None
    samples: int
    effective_samples: float
    pareto_k: float | None
    sampler: str | None
    seed: int
    goal_missed: str | None
    apart: bool = False
    seconds: float = field(default=0.0, compare=False)

    @property
    def method(self) -> str:
        return self.sampler or "count"

    @property
    def interval(self) -> tuple[float, float]:
        low, high = self.ln_interval
        return math.exp(min(low, 709.0)), math.exp(high) if high < 709.0 else math.inf

    def _facts(self) -> list[tuple[str, object]]:
        return [("ln", f"{self.ln:.6g} +- {self.ln_error:.2g}"), ("samples", self.samples or None), ("doubt", self.doubt)]


def ratio(
    a: object,
    b: object,
    problem: str | None = None,
    *,
    error: float | None = None,
    ln_error: float | None = None,
    confidence: float | None = None,
    **options: Unpack[EstimateOptions],
) -> Ratio:
    """The ratio of two sums over perfect matchings (cycle covers): of two graphs, or weights, on the same vertices.

    Args:
        a, b, problem: as for :func:`countpm.count`; b has the vertices of a. Weights must not be negative or complex.
        error, ln_error, confidence: as for :func:`countpm.estimate`; the error is that of the ratio.
        **options: :class:`countpm.EstimateOptions`, of which ``sampler`` is ``"boundary"``, ``"bethe"`` or ``"annealed"``.
            ``checkpoint`` is a file that keeps what is drawn, without an executor: where it is there, the same call goes on from it,
            to the same figures.

    Returns:
        A :class:`countpm.Ratio`, exact where both are easy to count. Otherwise every sample is one of both sums, so that
        what they have in common makes no error; or, where trial samples say more in that way, each sum has samples of its own.

    Raises:
        InputError: where the vertices are others. UnableError: where b has no perfect matching.

    Drawn from a mixture of both (Hesterberg, Technometrics 37 (1995) 185); the error is that of a quotient of means.

    >>> import countpm, networkx as nx
    >>> grid = nx.grid_2d_graph(8, 8)
    >>> less = grid.copy(); less.remove_edge((3, 3), (3, 4))
    >>> countpm.ratio(less, grid).value == 1 - countpm.marginals(grid, exact=True)[(3, 3), (3, 4)]
    True
    >>> r = countpm.ratio(less, grid, all_sampled=True, samples=1000)
    >>> abs(r.ln - countpm.ratio(less, grid).ln) < 4 * r.ln_error
    True
    """
    sampling = sampling_of(options, error=error, ln_error=ln_error, confidence=confidence)
    kept = _taken(options)
    first, core, progress = prepared(a, problem, options)
    second, _, _ = prepared(b, problem, options)
    with reporter(progress) as report, _heard() as notices:
        return _told(_core.ratio(first.core, beside(first, second), core, sampling, report, kept, notices))


def integrate(
    graph: object,
    letter: str,
    start: object,
    end: object,
    problem: str | None = None,
    *,
    error: float | None = None,
    ln_error: float | None = None,
    confidence: float | None = None,
    **options: Unpack[EstimateOptions],
) -> Ratio:
    """How much ln Z changes as a letter in weights goes from one positive number to another.

    Args:
        graph, problem: as for :func:`countpm.count`, with weights that have this letter and no other (:func:`countpm.letters`).
        letter, start, end: which letter, and from where to where: an int, a ``Fraction``, or a float as the fraction that it is.
        error, ln_error, confidence, **options: as for :func:`ratio`, ``checkpoint`` included.

    Returns:
        A :class:`countpm.Ratio` of Z(end) / Z(start), whose ``ln`` is the integral of the mean number of edges with the letter
        over its logarithm (thermodynamic integration): not by a quadrature, but as the ratio that it is.

    >>> import countpm
    >>> r = countpm.integrate("lattice:square:8x8:weights=x,1", "x", 1, 4)
    >>> r.value * 12988816 == countpm.perfect_matchings("lattice:square:8x8:weights=4,1")
    True
    >>> s = countpm.integrate("lattice:square:8x8:weights=x,1", "x", 1, 4, all_sampled=True)
    >>> abs(s.ln - r.ln) < 4 * s.ln_error
    True
    """
    sampling = sampling_of(options, error=error, ln_error=ln_error, confidence=confidence)
    kept = _taken(options)
    given, core, progress = prepared(graph, problem, options)
    with reporter(progress) as report, _heard() as notices:
        return _told(_core.integrate(given.core, letter_range(letter, start, end), core, sampling, report, kept, notices))


def beside(a: Graph, b: Graph) -> _core.Graph:
    """b with its vertices in the order of a's, where both have vertices of the caller's."""
    if a._nodes is None or b._nodes is None or a.kind != b.kind or a._form == "file" or b._form == "file":
        return b.core
    left = _places(a.nodes, b.nodes)
    right = _places(a.right_nodes, b.right_nodes) if a.kind == "bipartite" else left
    if left == list(range(len(left))) and right == list(range(len(right))):
        return b.core
    tails, heads = map(ids_of, b.core.edge_arrays())
    ends = array("I", (left[u] for u in tails)), array("I", (right[v] for v in heads))
    return _core.Graph.from_edges(b.kind, b.core.left, b.core.right, *ends, b.core.weights_list())


def _places(vertices: Sequence[Any], others: Sequence[Any]) -> list[int]:
    """Where the others are among the vertices."""
    known = {vertex: place for place, vertex in enumerate(vertices)}
    for other in others:
        if other not in known:
            raise input_error("b", "the vertices of a", f"{other!r}, which a does not have")
    if len(others) != len(known):
        raise input_error("b", f"the {len(known)} vertices of a", f"{len(others)} of them")
    return [known[other] for other in others]


def _taken(options: Any) -> str:
    """The checkpoint, which goes out of the options."""
    for name in ("executor", "worker_threads"):
        if options.pop(name, None) is not None:
            raise _core.UsageError(f"{name} is of counts and estimates: ratios are drawn here")
    return path_of(options.pop("checkpoint", None))


@contextmanager
def _heard() -> Iterator[list[str]]:
    """What befalls the checkpoint goes to the logger "countpm"."""
    notices: list[str] = []
    try:
        yield notices
    except UnableError as error:
        of_the_same_call(error)
        raise
    finally:
        for notice in notices:
            _log.warning("%s", notice)


@dataclass(frozen=True)
class SignedSum(Answer):
    """A sum with negative or complex weights, with its error and what cancels; an :class:`countpm.Answer`.

    Attributes:
        value: the sum as :func:`countpm.count` returns it, where it was counted; then nothing below is of samples. Else a float, or a
            complex number where weights are complex; ``inf`` where it is too large for one.
        exact: whether it was counted, and weights are exact.
        counted: whether it was counted, whatever the weights.
        error: its standard error; of a count of floats the bound; ``inf`` with a doubt.
        half_width: of the interval.
        mean_sign: the sum over that of the absolute values of all weights; ``mean_sign_error`` is its standard error.
        differs_from_zero: whether 0 is outside of the interval.
        ln_absolute, ln_absolute_error: ln of the sum of the absolute values, and its standard error.
        confidence, doubt, samples, effective_samples, pareto_k, sampler, seed, goal_missed, method: as of :class:`Ratio`.
    """

    value: Number
    exact: bool
    counted: bool
    error: float
    half_width: float
    mean_sign: float | complex
    mean_sign_error: float
    differs_from_zero: bool
    ln_absolute: float
    ln_absolute_error: float
    confidence: float
    doubt: str | None
    samples: int
    effective_samples: float
    pareto_k: float | None
    sampler: str | None
    seed: int
    goal_missed: str | None
    seconds: float = field(default=0.0, compare=False)

    @property
    def method(self) -> str:
        return self.sampler or "count"

    def _facts(self) -> list[tuple[str, object]]:
        return [("mean sign", None if self.counted else f"{self.mean_sign:.4g}"), ("samples", self.samples or None), ("doubt", self.doubt)]


def signed_sum(
    graph: object,
    problem: str | None = None,
    *,
    error: float | None = None,
    ln_error: float | None = None,
    confidence: float | None = None,
    **options: Unpack[EstimateOptions],
) -> SignedSum:
    """The sum over perfect matchings (cycle covers) with negative or complex weights, by samples of their absolute values.

    Args:
        graph, problem: as for :func:`countpm.count`.
        error, ln_error, confidence: as for :func:`countpm.estimate`; the error is that of the sum.
        **options: :class:`countpm.EstimateOptions`, of which ``sampler`` is ``"boundary"``, ``"bethe"`` or ``"annealed"``.

    Returns:
        A :class:`countpm.SignedSum`, exact where that is easy. ``mean_sign`` says how much cancels: the sum takes about
        one over its square times as many samples as the sum of the absolute values.

    What cancels mostly grows exponentially with the graph (the sign problem; Troyer and Wiese, Phys. Rev. Lett. 94 (2005) 170201).

    >>> import countpm
    >>> s = countpm.signed_sum([("a", "b", 2), ("b", "c", 3), ("c", "d", 5), ("d", "a", -7)], weight=True, samples=4000, all_sampled=True)
    >>> abs(s.value + 11) < 4 * s.error, abs(s.mean_sign + 11 / 31) < 4 * s.mean_sign_error
    (True, True)
    """
    sampling = sampling_of(options, error=error, ln_error=ln_error, confidence=confidence)
    given, core, progress = prepared(graph, problem, options)
    with reporter(progress) as report:
        found = _core.signed_sum(given.core, core, sampling, report)
    about = json.loads(found["json"])
    told(tuple(about["notes"]))
    return _signed(found, about)


def _signed(found: dict[str, Any], about: dict[str, Any]) -> SignedSum:
    def of(re: float, im: float) -> Any:
        return complex(re, im) if about["complex"] else re

    try:
        absolute = math.exp(found["ln_absolute"])
    except OverflowError:
        absolute = math.inf
    text = about["exact_sum"]
    counted = text is not None
    re, im = found["mean_sign"]
    value = _counted_value(text) if counted else of(absolute * re, absolute * im)
    return SignedSum(
        value=value,
        exact=counted and is_exact(value),
        counted=counted,
        error=error_of(value) if counted else math.inf if about["doubt"] else absolute * found["error"],
        half_width=0.0 if counted else absolute * found["half_width"],
        mean_sign=of(re, im),
        mean_sign_error=found["sign_error"],
        differs_from_zero=found["differs_from_zero"],
        ln_absolute=found["ln_absolute"],
        ln_absolute_error=found["absolute_error"],
        confidence=1.0 if counted else about["confidence"],
        doubt=about["doubt"],
        samples=about["samples"] or 0,
        effective_samples=about["effective_samples"] or 0.0,
        pareto_k=about["pareto_k"],
        sampler=about["sampler"],
        seed=about["seed"],
        goal_missed=about["goal_missed"],
        seconds=about["seconds"],
    )


def _counted_value(text: str) -> Number:
    """The number that a count is spelt as; one with decimals, or with an error, is of floating point."""
    digits, _, bound = text.partition(" +- ")
    parts = [Fraction(part) for part in digits.strip("()").split(",")]
    if not bound and not any(mark in digits for mark in ".e"):
        if len(parts) == 2:
            return ComplexFraction(*parts)
        return parts[0].numerator if parts[0].denominator == 1 else parts[0]
    floats = [rounded(part) for part in parts]
    radius = math.inf
    if all(map(math.isfinite, floats)):
        error = Fraction(bound or 0) + sum(abs(part - Fraction(near)) for part, near in zip(parts, floats))
        radius = math.nextafter(rounded(error), math.inf) if error else 0.0
    return Complex(complex(*floats), radius) if len(floats) == 2 else Real(floats[0], radius)


def letter_range(letter: str, start: object, end: object) -> str:
    """As ``--integrate`` has it."""
    return f"{letter}={_fraction(start)}:{_fraction(end)}"


def _fraction(value: object) -> str:
    if isinstance(value, numbers.Rational):
        return f"{int(value.numerator)}/{int(value.denominator)}"
    if isinstance(value, numbers.Real) and math.isfinite(value):
        return _fraction(Fraction(float(value)))
    raise _core.UsageError(f"integrate: expected two positive numbers, found {value!r}")


def sampling_of(options: Any, **goals: float | None) -> dict[str, Any]:
    """Takes from the options what is of samples, and adds the goals that are given."""
    if goals["error"] is not None and goals["ln_error"] is not None:
        raise _core.UsageError("error and ln_error exclude each other: each says when to stop")
    sampling: dict[str, Any] = {name: options.pop(name) for name in SAMPLING & options.keys()}
    sampling.update({name: value for name, value in goals.items() if value is not None})
    return sampling


def _told(found: dict[str, Any]) -> Ratio:
    about = json.loads(found["json"])
    told(tuple(about["notes"]))
    counted = found["exact"] is not None
    if counted:
        fraction = Fraction(*found["exact"])
        value: int | Fraction | float = fraction.numerator if fraction.denominator == 1 else fraction
    else:
        value = math.exp(found["ln"]) if found["ln"] < 709.0 else math.inf
    return Ratio(
        value=value,
        exact=counted,
        error=0.0 if counted else math.inf if about["doubt"] else value * found["ln_error"],
        ln=found["ln"],
        ln_error=found["ln_error"],
        ln_interval=(found["low"], found["high"]),
        confidence=about["confidence"],
        doubt=about["doubt"],
        samples=about["samples"] or 0,
        effective_samples=about["effective_samples"] or 0.0,
        pareto_k=about["pareto_k"],
        sampler=about["sampler"],
        seed=about["seed"],
        goal_missed=about["goal_missed"],
        apart=about["apart"],
        seconds=about["seconds"],
    )
