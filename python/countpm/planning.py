"""Before and instead of a count: predictions, estimates, certain bounds."""

from __future__ import annotations

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
    """Keyword arguments of :func:`countpm.estimate`: :class:`countpm.CountOptions`, and how samples are drawn.

    ``sampler`` and its settings have the meaning of the command's options (docs/estimate.md); ``samples`` draws exactly
    so many of every block; ``second``: what checks them (``"auto"``, ``"none"`` or ``"annealed"``); ``exact_below``
    (seconds): blocks predicted to take less are counted; ``all_sampled``: none is.
    """


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


def _all_matchings(graph: object, problem: str | None, monomer: object, options: Any) -> tuple[Graph, dict[str, Any], Any, str]:
    """As prepared(), and the weight of a vertex that stays alone as text."""
    if problem is not None:
        raise _core.UsageError(f"estimate(monomer=...) is of all matchings; problem={problem!r} asks for others")
    reading, core, progress = part(options)
    given = graph_of(graph, MATCHINGS, reading)
    if given.notes:
        told(given.notes)
    return given, core, progress, weight_text(monomer, "monomer", bool(options.get("exact")))


def estimate(
    graph: object,
    problem: str | None = None,
    *,
    rel_error: float | None = None,
    log_error: float | None = None,
    confidence: float | None = None,
    guarantee: tuple[float, float] | None = None,
    monomer: object = None,
    replicates: int = 1,
    log_weights: bool = False,
    **options: Unpack[EstimateOptions],
) -> Estimate:
    """An estimate with its error, for what is beyond exact counting.

    Args:
        graph, problem: as for :func:`countpm.count`; weights must not be negative or complex.
        rel_error: sample until the interval reaches no farther from the estimate, 0.01 unless given.
        log_error: in place of ``rel_error``: sample until the standard error of ln Z is at most this, up to 0.35.
        confidence: of the interval, 0.95 unless given.
        guarantee: (epsilon, delta): within a factor 1 +- epsilon but for a probability of delta, whatever the matrix;
            refused where that is predicted to take longer than ``time_limit``.
        monomer: the weight of a vertex that stays alone: all matchings are estimated, perfect or not
            (:func:`countpm.number_of_matchings`).
        replicates: so many independent estimates, by seeds derived from ``seed``, and one of them all: ``spread`` says
            whether they lie as far apart as their errors say.
        log_weights: keep ln of every sample's weight: ``log_weights[replicate][block]`` is a list.
        **options: :class:`countpm.EstimateOptions`; ``seed`` fixes the samples, ``time_limit`` is 60 s unless given.

    With ``executor`` the executor's workers draw the samples (docs/executors.md), the same ones.

    Returns:
        A :class:`countpm.Estimate`, whose ``value`` is a float and never an ``int``. Blocks that are easy are counted
        exactly; ``exact`` is the count where nothing was left to sample.

    Sources are in docs/estimate.md, sampler by sampler.

    >>> import countpm
    >>> s = countpm.estimate("lattice:square:6x6", samples=1000, all_sampled=True)
    >>> low, high = s.interval
    >>> low < s.value < high and s.exact is None
    True
    >>> s = countpm.estimate("lattice:square:6x6", monomer=1, samples=1000, all_sampled=True)
    >>> s.interval[0] < countpm.number_of_matchings("lattice:square:6x6") < s.interval[1]
    True
    >>> s = countpm.estimate("lattice:square:6x6", log_error=0.02, replicates=4, all_sampled=True)
    >>> len(s.replicates), s.spread["contradicts"], s.ln_z_error < 0.02
    (4, False, True)
    """
    if rel_error is not None and log_error is not None:
        raise _core.UsageError("rel_error and log_error exclude each other: each says when to stop")
    options, others = elsewhere(options)  # type: ignore[assignment,arg-type]
    sampling: dict[str, Any] = {name: options.pop(name) for name in SAMPLING & options.keys()}  # type: ignore[misc]
    for name, value in (("rel_error", rel_error), ("log_error", log_error), ("confidence", confidence), ("guarantee", guarantee), ("replicates", replicates)):
        if value is not None:
            sampling[name] = value
    text = ""
    if monomer is None:
        given, core, progress = prepared(graph, problem, options)
    else:
        given, core, progress, text = _all_matchings(graph, problem, monomer, options)
    notes: tuple[str, ...] = ()
    if others is None:
        with reporter(progress) as report:
            found = _core.estimate(given.core, core, sampling, report, text, bool(log_weights))
    else:
        from .elsewhere import estimate_on

        drawn = _core.with_monomers(given.core, text) if text else given.core
        found, tally = estimate_on(drawn, core, sampling, progress, **others, log_weights=bool(log_weights))
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
        A :class:`countpm.Bounds`: a pair (low, high) of log10, rounded outwards; -inf where the count may be 0.

    The theorems are named in ``lower_by`` and ``upper_by``: Bethe (Gurvits, arXiv:1106.2844), Gurvits (Electron. J. Combin.
    15 (2008) R66), Bregman-Minc (Soviet Math. Dokl. 14 (1973) 945), Alon-Friedland (Electron. J. Combin. 15 (2008) N13).

    >>> import countpm
    >>> low, high = countpm.bounds("lattice:square:8x8")
    >>> 10**low < 12988816 < 10**high
    True
    """
    given, core, _ = prepared(graph, problem, options)
    return Bounds(*_core.bounds(given.core, core))


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
