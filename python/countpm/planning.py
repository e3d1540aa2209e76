"""Before and instead of a count: predictions, estimates, certain bounds."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, TypedDict, Unpack

from . import _core
from .certain import BoundedCount, Bounds
from .convert import MATCHINGS, graph_of
from .counting import prepared, told, value_of
from .graphs import Graph
from .monomers import weight_text
from .options import CountOptions, Options, elsewhere, part
from .progress import reporter
from .results import Estimate, Explanation, Result
from .values import number

__all__ = ["EstimateOptions", "bounds", "count_or_bounds", "estimate", "explain"]


class Sampling(TypedDict, total=False):
    sampler: str
    samples: int
    prune: bool | None
    scale_interval: int
    scale_steps: int
    exact_tail: int
    strata: int
    population: int
    second: str
    exact_below: float
    all_sampled: bool


class EstimateOptions(CountOptions, Sampling, total=False):
    """Keyword arguments of :func:`countpm.estimate`: :class:`countpm.CountOptions`, and how samples are drawn (docs/estimate.md)."""


SAMPLING = frozenset(Sampling.__annotations__)


def explain(
    graph: object,
    problem: str | None = None,
    *,
    assume: Mapping[str, str | int] | None = None,
    **options: Unpack[Options],
) -> Explanation:
    """What a count would take, by every method; counts nothing.

    Args:
        graph, problem: as for :func:`countpm.count`.
        assume: another machine than this one, as ``--assume`` has it: some of ``gpu`` (``"h100"`` or ``"h200"``), ``gpus``,
            ``machines`` and ``threads``.
        **options: :class:`countpm.Options`; the limits decide what is feasible.

    Returns:
        A :class:`countpm.Explanation`: structure, reductions, and for each block what every method would cost.

    O(vertices + edges) for the structure, and a time that does not grow with the prediction for the rest.

    >>> import countpm
    >>> e = countpm.explain("lattice:square:40x40")
    >>> e.feasible, e.methods
    (True, ('planar',))
    """
    given, core, _ = prepared(graph, problem, options)
    if not (assume is None or isinstance(assume, Mapping)):
        raise _core.UsageError(f"assume: expected a dict such as {{'gpu': 'h200', 'machines': 8}}, found {assume!r}")
    assumed = ",".join(f"{key}={value}" for key, value in (assume or {}).items())
    explanation = Explanation(_core.explain(given.core, core, assumed), given)
    told(explanation.notes)
    return explanation


def _all_matchings(graph: object, problem: str | None, monomers: object, options: Any) -> tuple[Graph, dict[str, Any], Any, str]:
    """As prepared(), and the weight of a vertex that stays alone as text."""
    if problem is not None:
        raise _core.UsageError(f"estimate(monomers=...) is of all matchings; problem={problem!r} asks for others")
    reading, core, progress = part(options)
    given = graph_of(graph, MATCHINGS, reading)
    if given.notes:
        told(given.notes)
    return given, core, progress, weight_text(monomers, "monomers", bool(options.get("exact")))


def estimate(
    graph: object,
    problem: str | None = None,
    *,
    error: float | None = None,
    ln_error: float | None = None,
    confidence: float | None = None,
    guarantee: tuple[float, float] | None = None,
    monomers: object = None,
    replicates: int = 1,
    ln_weights: bool = False,
    **options: Unpack[EstimateOptions],
) -> Estimate:
    """An estimate with its error, for what is beyond exact counting.

    Args:
        graph, problem: as for :func:`countpm.count`; weights must not be negative or complex.
        error: sample until the interval reaches no farther from the estimate, 0.01 unless given.
        ln_error: in place of ``error``: sample until the standard error of ln Z is at most this, up to 0.35.
        confidence: of the interval, 0.95 unless given.
        guarantee: (epsilon, delta): within a factor 1 +- epsilon but for a probability of delta, whatever the matrix;
            refused where that is predicted to take longer than ``time_limit``.
        monomers: the weight of a vertex that stays alone: all matchings are estimated, perfect or not
            (:func:`countpm.number_of_matchings`).
        replicates: so many independent estimates, by seeds derived from ``seed``, and one of them all: ``spread`` says
            whether they lie as far apart as their errors say.
        ln_weights: keep ln of every sample's weight: ``ln_weights[replicate][block]`` is a list.
        **options: :class:`countpm.EstimateOptions`; ``seed`` fixes the samples, ``time_limit`` is 60 s unless given.

    With ``executor`` the executor's workers draw the samples (docs/executors.md), the same ones.

    Returns:
        A :class:`countpm.Estimate`, whose ``value`` is a float. Blocks that are easy are counted exactly; where nothing is left to
        sample ``value`` is the count, and ``exact`` says so.

    Sources are in docs/estimate-methods.md, sampler by sampler.

    >>> import countpm
    >>> s = countpm.estimate("lattice:square:6x6", samples=1000, all_sampled=True)
    >>> low, high = s.interval
    >>> low < s.value < high and not s.exact
    True
    >>> s = countpm.estimate("lattice:square:6x6", monomers=1, samples=1000, all_sampled=True)
    >>> s.interval[0] < countpm.number_of_matchings("lattice:square:6x6") < s.interval[1]
    True
    >>> s = countpm.estimate("lattice:square:6x6", ln_error=0.02, replicates=4, all_sampled=True)
    >>> len(s.replicates), s.spread["contradicts"], s.ln_z_error < 0.02
    (4, False, True)
    """
    if error is not None and ln_error is not None:
        raise _core.UsageError("error and ln_error exclude each other: each says when to stop")
    options, others = elsewhere(options)  # type: ignore[assignment,arg-type]
    sampling: dict[str, Any] = {name: options.pop(name) for name in SAMPLING & options.keys()}  # type: ignore[misc]
    for name, value in (("error", error), ("ln_error", ln_error), ("confidence", confidence), ("guarantee", guarantee), ("replicates", replicates)):
        if value is not None:
            sampling[name] = value
    text = ""
    if monomers is None:
        given, core, progress = prepared(graph, problem, options)
    else:
        given, core, progress, text = _all_matchings(graph, problem, monomers, options)
    notes: tuple[str, ...] = ()
    if others is None:
        with reporter(progress) as report:
            found = _core.estimate(given.core, core, sampling, report, text, bool(ln_weights))
    else:
        from .elsewhere import estimate_on

        drawn = _core.with_monomers(given.core, text) if text else given.core
        found, tally = estimate_on(drawn, core, sampling, progress, **others, ln_weights=bool(ln_weights))
        notes = (tally.note(),) if tally.tasks else ()
    exact = None if found["value"] is None else number(found["value"])
    result = Estimate(found, exact, given, notes)
    told(result.notes)
    return result


def bounds(graph: object, problem: str | None = None, **options: Unpack[Options]) -> Bounds:
    """Between which numbers the count lies for certain, as decimal logarithms.

    Args:
        graph, problem: as for :func:`countpm.count`; weights must not be negative or complex.
        **options: :class:`countpm.Options`.

    Returns:
        A :class:`countpm.Bounds`: a pair (low, high) of log10, rounded outwards; -inf where the count may be 0. ``lower`` and
        ``upper`` are the two numbers as text.

    The theorems are named in ``lower_by`` and ``upper_by``: Bethe (Gurvits, arXiv:1106.2844), Gurvits (Electron. J. Combin.
    15 (2008) R66), Bregman-Minc (Soviet Math. Dokl. 14 (1973) 945), Alon-Friedland (Electron. J. Combin. 15 (2008) N13).

    >>> import countpm
    >>> low, high = countpm.bounds("lattice:square:8x8")
    >>> 10**low < 12988816 < 10**high
    True
    >>> countpm.bounds("lattice:hypercube:4").lower
    '195'
    """
    start = time.monotonic()
    given, core, _ = prepared(graph, problem, options)
    low, high, lower_by, upper_by, lower, upper = _core.bounds(given.core, core)
    return Bounds(low, high, lower_by, upper_by, time.monotonic() - start, lower, upper)


def count_or_bounds(graph: object, problem: str | None = None, **options: Unpack[Options]) -> Result | BoundedCount:
    """The count, or, where its limits do not allow it, what is certain of it.

    Args:
        graph, problem: as for :func:`countpm.count`; weights must not be negative or complex.
        **options: :class:`countpm.Options`, above all ``time_limit`` and ``memory_limit``.

    Returns:
        A :class:`countpm.Result`; or a :class:`countpm.BoundedCount`, where :func:`countpm.count` would raise UnableError:
        blocks that were counted by then exactly, the others between certified bounds.

    Raises:
        UnableError: where the limit is met before the structure is known, and for weights that have no bounds.

    >>> import countpm
    >>> found = countpm.count_or_bounds("lattice:square:12x12", method="ryser", time_limit=10)
    >>> isinstance(found, countpm.BoundedCount), found.counted, len(found.blocks)
    (True, 0, 1)
    >>> found.low < countpm.count("lattice:square:12x12").log10 < found.high
    True
    """
    given, core, progress = prepared(graph, problem, options)
    with reporter(progress) as report:
        found = _core.count_or_bounds(given.core, core, report)
    if "bounded" in found:
        bounded = BoundedCount.from_json(found["bounded"])
        told(bounded.notes)
        return bounded
    result = Result(value_of(found), found, given)
    told(result.notes)
    return result
