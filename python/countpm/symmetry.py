"""Matchings up to the symmetries of their graph."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Unpack, cast

from . import _core
from .answers import Answer
from .counting import prepared, told
from .options import Options
from .progress import reporter
from .values import number, short

__all__ = ["Orbits", "count_orbits"]


@dataclass(frozen=True)
class Orbits(Answer):
    """Matchings up to symmetry; an :class:`countpm.Answer`, always exact.

    Attributes:
        value: how many there are; with weights the sum over them of the weight that all matchings of an orbit have.
        matchings: how many there are when each counts by itself.
        symmetries: of the graph.
        counts: how many counts it took.
    """

    value: int | Fraction
    matchings: int | Fraction
    symmetries: int
    counts: int
    seconds: float = field(default=0.0, compare=False, repr=False)

    @property
    def exact(self) -> bool:
        return True

    @property
    def error(self) -> float:
        return 0.0

    @property
    def method(self) -> str:
        """``"orbits"``: a count for each class of symmetries."""
        return "orbits"

    def _facts(self) -> list[tuple[str, object]]:
        return [("all matchings", short(self.matchings)), ("symmetries", self.symmetries), ("counts", self.counts)]


def count_orbits(graph: object, problem: str | None = None, **options: Unpack[Options]) -> Orbits:
    """The number of perfect matchings (cycle covers) up to symmetry: those that a symmetry takes to each other are one.

    Args:
        graph, problem: as for :func:`countpm.count`; weights, which symmetries keep, are integers or fractions.
        **options: :class:`countpm.Options`.

    Returns:
        An :class:`countpm.Orbits`.

    Raises:
        UnableError: where there are more than 100,000 symmetries, or the limits do not allow it.

    As many counts as there are classes of symmetries, each of a smaller graph (Cauchy and Frobenius; docs/symmetry.md).

    >>> import countpm, networkx as nx
    >>> countpm.count_orbits(nx.cycle_graph(6))
    Orbits(value=1, matchings=2, symmetries=12, counts=6)
    >>> countpm.count_orbits("lattice:square:4x4").value          # domino tilings, up to turns and reflections
    9
    """
    start = time.monotonic()
    given, core, progress = prepared(graph, problem, options)
    with reporter(progress) as report:
        found = _core.count_orbits(given.core, core, report)
    told(tuple(found["notes"]))
    value = cast("int | Fraction", number(found["value"]))
    matchings = Fraction(found["matchings"])
    return Orbits(
        value,
        matchings.numerator if matchings.denominator == 1 else matchings,
        found["symmetries"],
        found["counts"],
        time.monotonic() - start,
    )
