"""Ratios of two sums over matchings, and sums with signs."""

from __future__ import annotations

import json
import logging
import math
import numbers
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Unpack

from . import _core
from .counting import prepared, told
from .errors import UnableError, input_error, of_the_same_call
from .graphs import Graph, ids_of
from .options import path_of
from .planning import SAMPLING, EstimateOptions
from .progress import reporter

__all__ = ["Ratio", "SignedSum", "integrate", "ratio", "signed_sum"]

_log = logging.getLogger("countpm")


@dataclass(frozen=True)
class Ratio:
    """Z(A) / Z(B) with its error.

    Attributes:
        exact: a ``Fraction`` where both were counted, else None.
        log: ln of the ratio; -inf for 0.
        log_error: its standard error; 0 where both were counted.
        log_interval: ln of the interval's ends.
        confidence: of the interval.
        doubt: why the error may not be believed; None where nothing speaks against it.
        samples: how many were drawn, of the piece that has the fewest; 0 where none was needed.
        effective_samples, pareto_k, sampler, seed: as of :class:`countpm.Estimate`.
        goal_missed: why the error that was asked for was not reached; None where it was.
        apart: whether each sum has samples of its own; else every sample is one of both.
    """

    exact: Fraction | None
    log: float
    log_error: float
    log_interval: tuple[float, float]
    confidence: float
    doubt: str | None
    samples: int
    effective_samples: float
    pareto_k: float | None
    sampler: str | None
    seed: int
    goal_missed: str | None
    apart: bool = False

    @property
    def value(self) -> float:
        """A float; ``inf`` where it is too large for one (``log`` is not)."""
        try:
            return float(self.exact) if self.exact is not None else math.exp(self.log)
        except OverflowError:
            return math.inf

    @property
    def interval(self) -> tuple[float, float]:
        low, high = self.log_interval
        return math.exp(min(low, 709.0)), math.exp(high) if high < 709.0 else math.inf


def ratio(
    a: object,
    b: object,
    problem: str | None = None,
    *,
    rel_error: float | None = None,
    log_error: float | None = None,
    confidence: float | None = None,
    **options: Unpack[EstimateOptions],
) -> Ratio:
    """The ratio of two sums over perfect matchings (cycle covers): of two graphs, or weights, on the same vertices.

    Args:
        a, b, problem: as for :func:`countpm.count`; b has the vertices of a. Weights must not be negative or complex.
        rel_error, log_error, confidence: as for :func:`countpm.estimate`; the error is that of the ratio.
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
    >>> countpm.ratio(less, grid).exact == 1 - countpm.marginals(grid, exact=True)[(3, 3), (3, 4)]
    True
    >>> r = countpm.ratio(less, grid, all_sampled=True, samples=1000)
    >>> abs(r.log - countpm.ratio(less, grid).log) < 4 * r.log_error
    True
    """
    sampling = sampling_of(options, rel_error=rel_error, log_error=log_error, confidence=confidence)
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
    rel_error: float | None = None,
    log_error: float | None = None,
    confidence: float | None = None,
    **options: Unpack[EstimateOptions],
) -> Ratio:
    """How much ln Z changes as a letter in weights goes from one positive number to another.

    Args:
        graph, problem: as for :func:`countpm.count`, with weights that have this letter and no other (:func:`countpm.letters`).
        letter, start, end: which letter, and from where to where: an int, a ``Fraction``, or a float as the fraction that it is.
        rel_error, log_error, confidence, **options: as for :func:`ratio`, ``checkpoint`` included.

    Returns:
        A :class:`countpm.Ratio` of Z(end) / Z(start), whose ``log`` is the integral of the mean number of edges with the letter
        over its logarithm (thermodynamic integration): not by a quadrature, but as the ratio that it is.

    >>> import countpm
    >>> r = countpm.integrate("lattice:square:8x8:weights=x,1", "x", 1, 4)
    >>> r.exact * 12988816 == countpm.perfect_matchings("lattice:square:8x8:weights=4,1")
    True
    >>> s = countpm.integrate("lattice:square:8x8:weights=x,1", "x", 1, 4, all_sampled=True)
    >>> abs(s.log - r.log) < 4 * s.log_error
    True
    """
    sampling = sampling_of(options, rel_error=rel_error, log_error=log_error, confidence=confidence)
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
class SignedSum:
    """A sum with negative or complex weights, with its error and what cancels.

    Attributes:
        exact: the count as :func:`countpm.count` spells it, where it was counted, else None; then nothing below is of samples.
        value: a float, or a complex number where weights are complex; ``inf`` where it is too large for one.
        error: its standard error; 0 where it was counted. ``reach``: of the interval, on either side.
        mean_sign: the sum over that of the absolute values of all weights; ``mean_sign_error`` is its standard error.
        told: whether the sum is told from 0.
        log_absolute, log_absolute_error: ln of the sum of the absolute values, and its standard error.
        confidence, doubt, samples, effective_samples, pareto_k, sampler, seed, goal_missed: as of :class:`Ratio`.
    """

    exact: str | None
    value: float | complex
    error: float
    reach: float
    mean_sign: float | complex
    mean_sign_error: float
    told: bool
    log_absolute: float
    log_absolute_error: float
    confidence: float
    doubt: str | None
    samples: int
    effective_samples: float
    pareto_k: float | None
    sampler: str | None
    seed: int
    goal_missed: str | None


def signed_sum(
    graph: object,
    problem: str | None = None,
    *,
    rel_error: float | None = None,
    log_error: float | None = None,
    confidence: float | None = None,
    **options: Unpack[EstimateOptions],
) -> SignedSum:
    """The sum over perfect matchings (cycle covers) with negative or complex weights, by samples of their absolute values.

    Args:
        graph, problem: as for :func:`countpm.count`.
        rel_error, log_error, confidence: as for :func:`countpm.estimate`; the error is that of the sum.
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
    sampling = sampling_of(options, rel_error=rel_error, log_error=log_error, confidence=confidence)
    given, core, progress = prepared(graph, problem, options)
    with reporter(progress) as report:
        found = _core.signed_sum(given.core, core, sampling, report)
    about = json.loads(found["json"])
    told(tuple(about["notes"]))
    return _signed(found, about)


def _signed(found: dict[str, Any], about: dict[str, Any]) -> SignedSum:
    def number(re: float, im: float) -> float | complex:
        return complex(re, im) if about["complex"] else re

    try:
        absolute = math.exp(found["log_absolute"])
    except OverflowError:
        absolute = math.inf
    exact = about["exact"]
    re, im = found["mean_sign"]
    return SignedSum(
        exact=exact,
        value=_spelt(exact) if exact is not None else number(absolute * re, absolute * im),
        error=absolute * found["error"] if exact is None else 0.0,
        reach=absolute * found["reach"] if exact is None else 0.0,
        mean_sign=number(re, im),
        mean_sign_error=found["sign_error"],
        told=found["told"],
        log_absolute=found["log_absolute"],
        log_absolute_error=found["absolute_error"],
        confidence=1.0 if exact is not None else about["confidence"],
        doubt=about["doubt"],
        samples=about["samples"] or 0,
        effective_samples=about["effective_samples"] or 0.0,
        pareto_k=about["pareto_k"],
        sampler=about["sampler"],
        seed=about["seed"],
        goal_missed=about["goal_missed"],
    )


def _spelt(text: str) -> float | complex:
    """What a count is spelt as, as a float."""
    text = text.split(" +- ")[0]
    if text.startswith("("):
        re, im = text[1:-1].split(",")
        return complex(float(Fraction(re)), float(Fraction(im)))
    try:
        return float(Fraction(text))
    except OverflowError:
        return math.inf


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
    if goals["rel_error"] is not None and goals["log_error"] is not None:
        raise _core.UsageError("rel_error and log_error exclude each other: each says when to stop")
    sampling: dict[str, Any] = {name: options.pop(name) for name in SAMPLING & options.keys()}
    sampling.update({name: value for name, value in goals.items() if value is not None})
    return sampling


def _told(found: dict[str, Any]) -> Ratio:
    about = json.loads(found["json"])
    told(tuple(about["notes"]))
    return Ratio(
        exact=None if found["exact"] is None else Fraction(*found["exact"]),
        log=found["log"],
        log_error=found["log_error"],
        log_interval=(found["low"], found["high"]),
        confidence=about["confidence"],
        doubt=about["doubt"],
        samples=about["samples"] or 0,
        effective_samples=about["effective_samples"] or 0.0,
        pareto_k=about["pareto_k"],
        sampler=about["sampler"],
        seed=about["seed"],
        goal_missed=about["goal_missed"],
        apart=about["apart"],
    )
