"""What estimates, ratios and sampled probabilities would draw, and how long that is predicted to take."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import Any, Unpack

from . import _core
from .answers import table
from .counting import prepared, told
from .listing import with_monomers
from .options import Options, whole
from .planning import SAMPLING, EstimateOptions
from .progress import reporter
from .ratios import beside, letter_range, sampling_of

__all__ = [
    "DrawForecast",
    "DrawMethod",
    "DrawPiece",
    "PieceForecast",
    "SamplingForecast",
    "explain_estimate",
    "explain_integral",
    "explain_marginals",
    "explain_ratio",
    "explain_sample",
]


@dataclass(frozen=True)
class PieceForecast:
    """A piece of the graph that would be sampled.

    Attributes:
        of: which graph's, where a ratio draws each sum for itself; else None.
        rows, edges: of its matrix; of a ``general`` one, with odd cycles, its vertices and edges.
        sampler: what would draw.
        samples, seconds: predicted to reach the goal; None where the trials do not tell.
        second: the sampler that would check these; None: none would.
        trials: samples that this rests on, of the effective size ``effective_trials``; ``pareto_k`` is of their tail.
        doubt: that the trials by themselves would leave; None: none.
        population: of that sampler: ``states`` at a time, and ``guess``, what was fitted (docs/json.md).
    """

    rows: int
    edges: int
    general: bool
    sampler: str
    samples: int | None
    seconds: float | None
    second: str | None
    trials: int
    effective_trials: float
    pareto_k: float | None
    doubt: str | None
    of: str | None = None
    population: dict[str, Any] | None = None


@dataclass(frozen=True)
class SamplingForecast:
    """What would be drawn; the number itself is not told.

    Attributes:
        goal: in words.
        counted: whether all is counted exactly, so that nothing is drawn.
        pieces: what would be sampled.
        seconds: of all together; None where that is not known.
        feasible: within the time limit, which else ends the samples before the goal.
        doubt_means: what a doubt would mean, in words.
    """

    goal: str | None
    counted: bool
    pieces: tuple[PieceForecast, ...]
    seconds: float | None
    feasible: bool
    doubt_means: str
    notes: tuple[str, ...]

    def _repr_html_(self) -> str:
        rows: list[tuple[str, object]] = [("goal", self.goal), ("all is counted", self.counted), ("seconds, predicted", _seconds(self.seconds))]
        rows += [("feasible", self.feasible)]
        rows += [
            (f"piece {number}", f"{piece.rows} {'vertices' if piece.general else 'rows'}, {piece.sampler}, {piece.samples or 'unknown'} samples")
            for number, piece in enumerate(self.pieces, 1)
        ]
        return table("SamplingForecast", rows)


def _forecast(text: str) -> SamplingForecast:
    found = json.loads(text)
    names = {field.name for field in fields(PieceForecast)}
    pieces = []
    for entry in found["pieces"]:
        kept = {key: value for key, value in entry.items() if key in names}
        kept["second"] = entry["second"] and entry["second"]["sampler"]
        pieces.append(PieceForecast(**kept))
    names = {field.name for field in fields(SamplingForecast)}
    kept = {key: value for key, value in found.items() if key in names}
    kept.update(pieces=tuple(pieces), notes=tuple(found["notes"]))
    forecast = SamplingForecast(**kept)
    told(forecast.notes)
    return forecast


def explain_estimate(
    graph: object,
    problem: str | None = None,
    *,
    error: float | None = None,
    ln_error: float | None = None,
    confidence: float | None = None,
    **options: Unpack[EstimateOptions],
) -> SamplingForecast:
    """What :func:`countpm.estimate` would draw with these arguments, by trial samples.

    Args:
        graph, problem: the input, as everywhere.
        error, ln_error, confidence, **options: as :func:`countpm.estimate` takes them.

    Returns:
        A :class:`countpm.SamplingForecast`.

    >>> import countpm
    >>> f = countpm.explain_estimate("lattice:cubic:4x4x4", all_sampled=True)
    >>> f.counted, f.feasible, f.pieces[0].samples > 0
    (False, True, True)
    """
    sampling = sampling_of(options, error=error, ln_error=ln_error, confidence=confidence)
    given, core, progress = prepared(graph, problem, options)
    with reporter(progress) as report:
        return _forecast(_core.explain_estimate(given.core, core, sampling, report))


def explain_ratio(
    a: object,
    b: object,
    problem: str | None = None,
    *,
    error: float | None = None,
    ln_error: float | None = None,
    confidence: float | None = None,
    **options: Unpack[EstimateOptions],
) -> SamplingForecast:
    """What :func:`countpm.ratio` would draw with these arguments, by trial samples.

    Args:
        a, b, problem: two inputs on the same vertices.
        error, ln_error, confidence, **options: as :func:`countpm.ratio` takes them.

    Returns:
        A :class:`countpm.SamplingForecast`.

    >>> import countpm
    >>> countpm.explain_ratio("lattice:square:4x4", "lattice:square:4x4").counted
    True
    """
    sampling = sampling_of(options, error=error, ln_error=ln_error, confidence=confidence)
    first, core, progress = prepared(a, problem, options)
    second, _, _ = prepared(b, problem, options)
    with reporter(progress) as report:
        return _forecast(_core.explain_ratio(first.core, beside(first, second), core, sampling, report))


def explain_integral(
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
) -> SamplingForecast:
    """What :func:`countpm.integrate` would draw with these arguments, by trial samples.

    Args:
        graph, problem: an input whose weights have the letter.
        letter, start, end: which letter, and the two numbers that it goes from and to.
        error, ln_error, confidence, **options: as :func:`countpm.integrate` takes them.

    Returns:
        A :class:`countpm.SamplingForecast`.

    >>> import countpm
    >>> f = countpm.explain_integral("lattice:square:12x12:weights=x,1", "x", 1, 4, all_sampled=True)
    >>> len(f.pieces), f.feasible
    (2, True)
    """
    sampling = sampling_of(options, error=error, ln_error=ln_error, confidence=confidence)
    given, core, progress = prepared(graph, problem, options)
    with reporter(progress) as report:
        return _forecast(_core.explain_integral(given.core, letter_range(letter, start, end), core, sampling, report))


def explain_marginals(
    graph: object, problem: str | None = None, *, error: float = 0.01, **options: Unpack[EstimateOptions]
) -> SamplingForecast:
    """What :func:`countpm.marginals` would draw with ``sampled=True`` and these arguments, by trial samples.

    Args:
        graph, problem: the input, as everywhere.
        error: the standard error that each probability is to have, at most.
        **options: as :func:`countpm.marginals` takes them.

    Returns:
        A :class:`countpm.SamplingForecast`.

    >>> import countpm
    >>> f = countpm.explain_marginals("lattice:cubic:4x4x4", error=0.02)
    >>> f.feasible, f.pieces[0].second is not None
    (True, True)
    """
    others = sorted(SAMPLING.intersection(options) - {"samples", "sampler"})
    if others:
        raise _core.UsageError(f"explain_marginals({others[0]}=...) is of estimates: sampled probabilities know samples and sampler")
    sampling = sampling_of(options, error=None, ln_error=None)
    given, core, progress = prepared(graph, problem, options)
    with reporter(progress) as report:
        return _forecast(_core.explain_sampled_marginals(given.core, core, sampling, float(error), report))


@dataclass(frozen=True)
class DrawMethod:
    """A method that could draw a piece's matchings.

    Attributes:
        chosen: whether it would.
        seconds: predicted for all draws; None where it cannot. ``measured``: by a trial here, else by what another machine took.
        memory_bytes: for what is kept; None where that is not known.
        obstacle: why it cannot; None: it can.
    """

    method: str
    chosen: bool
    seconds: float | None
    memory_bytes: float | None
    measured: bool
    obstacle: str | None


@dataclass(frozen=True)
class DrawPiece:
    """A part of the graph whose matchings are drawn for themselves.

    Attributes:
        rows, edges: of its matrix; of a ``general`` one, with odd cycles, its vertices and edges.
        methods: all that could draw them.
    """

    rows: int
    edges: int
    general: bool
    methods: tuple[DrawMethod, ...]


@dataclass(frozen=True)
class DrawForecast:
    """What random matchings would take.

    Attributes:
        draws: how many.
        exact: whether they would be drawn exactly, without a ``sampler``.
        pieces: what would be drawn by itself; empty with a ``sampler``.
        approximate: where exact draws take long or cannot be made, or a ``sampler`` is named, a dict of what draws by
            weighted samples would take, after some of them: ``sampler``, ``seconds``, ``total_variation`` (how far chances are off),
            ``trials``, ``doubt``, ``obstacle``; else None.
        seconds, memory_bytes: of all together.
        feasible: within the limits of time and memory.
    """

    draws: int
    exact: bool
    pieces: tuple[DrawPiece, ...]
    approximate: dict[str, Any] | None
    seconds: float | None
    memory_bytes: float | None
    feasible: bool
    notes: tuple[str, ...]

    def _repr_html_(self) -> str:
        rows: list[tuple[str, object]] = [("draws", self.draws), ("exact", self.exact), ("seconds, predicted", _seconds(self.seconds))]
        rows += [("memory, bytes", None if self.memory_bytes is None else f"{self.memory_bytes:.3g}"), ("feasible", self.feasible)]
        for number, piece in enumerate(self.pieces, 1):
            chosen = next((method.method for method in piece.methods if method.chosen), "no method")
            rows.append((f"piece {number}", f"{piece.rows} {'vertices' if piece.general else 'rows'}, {chosen}"))
        return table("DrawForecast", rows)


def _seconds(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.3g}"


def explain_sample(
    graph: object, number: int = 1, problem: str | None = None, *, monomers: object = None, sampler: str = "auto", **options: Unpack[Options]
) -> DrawForecast:
    """What :func:`countpm.sample` would take with these arguments; some seconds of trials at most.

    Args:
        graph, number, problem, monomers, sampler, **options: as :func:`countpm.sample` takes them.

    Returns:
        A :class:`countpm.DrawForecast`.

    >>> import countpm
    >>> f = countpm.explain_sample("lattice:square:8x8", 100)
    >>> f.feasible, [method.method for method in f.pieces[0].methods if method.chosen]
    (True, ['frontier'])
    >>> countpm.explain_sample("lattice:cubic:8x8x8", time_limit=60).feasible
    False
    """
    number = whole("number", number, 0)
    if monomers is not None:
        given, core, progress, text = with_monomers("explain_sample", graph, problem, monomers, options)
    else:
        given, core, progress = prepared(graph, problem, options)
        text = ""
    with reporter(progress) as report:
        found = json.loads(_core.explain_sample(given.core, number, "" if sampler == "auto" else sampler, core, report, text))
    pieces = tuple(
        DrawPiece(piece["rows"], piece["edges"], piece["general"], tuple(DrawMethod(**method) for method in piece["methods"]))
        for piece in found["pieces"]
    )
    names = {field.name for field in fields(DrawForecast)}
    kept = {key: value for key, value in found.items() if key in names}
    kept.update(pieces=pieces, notes=tuple(found["notes"]))
    forecast = DrawForecast(**kept)
    told(forecast.notes)
    return forecast
