"""Covers by edges and rings, and by sets of any size."""

from __future__ import annotations

import numbers
from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from typing import Any, Unpack

from . import _core
from .convert import MATCHINGS, graph_of
from .counting import told
from .monomers import exact_pair, weight_text
from .options import Options, part
from .progress import reporter
from .values import Number, number

__all__ = ["clar_covering_polynomial", "exact_covers", "ring_covers"]

_LETTER = "x"


def _ask(graph: object, lengths: Iterable[int], weight: str, options: Any) -> dict[str, Any]:
    rings = list(lengths)
    for length in rings:
        if isinstance(length, bool) or not isinstance(length, numbers.Integral) or not 3 <= length <= 64:
            raise _core.UsageError(f"rings={rings!r}: expected lengths from 3 to 64")
    if not rings:
        raise _core.UsageError("rings=[]: expected a length or more")
    reading, core, progress = part(options)
    given = graph_of(graph, MATCHINGS, reading)
    if given.notes:
        told(given.notes)
    with reporter(progress) as report:
        return _core.ring_covers(given.core, [int(length) for length in rings], weight, core, report)


def clar_covering_polynomial(molecule: object, *, rings: Iterable[int] = (6,), **options: Unpack[Options]) -> list[int | Fraction]:
    """The Clar covering (Zhang-Zhang) polynomial: covers of all atoms by 0, 1, 2, ... hexagons and by double bonds.

    Args:
        molecule: as for :func:`countpm.kekule`, or any graph as for :func:`countpm.number_of_matchings`.
        rings: the lengths of the rings: chordless cycles of the graph.
        **options: :class:`countpm.Options`; with ``weight`` the edges' weights count, too, and must be exact.

    Returns:
        A list z: z[k] covers have k rings, up to the most that a cover has (the Clar number). z[0] is the number of Kekulé
        structures, z[-1] that of Clar formulas, and sum(z) that of all covers.

    Zhang, Zhang, Discrete Appl. Math. 69 (1996) 147. #P-complete in general; the work grows with the width of the graph, not with
    its size.

    >>> import countpm
    >>> countpm.clar_covering_polynomial("lattice:fullerene:60:1,7,9,11,13,15,18,20,22,24,26,32")
    [12500, 41580, 67650, 66900, 42000, 16352, 3620, 360, 5]
    """
    return [exact_pair(pair) for pair in _ask(molecule, rings, _LETTER, options)["coefficients"]]


def ring_covers(graph: object, *, rings: Iterable[int] = (6,), ring_weight: object = 1, **options: Unpack[Options]) -> Number:
    """The number of covers of all vertices by edges and rings, or the sum over them by weight.

    Args:
        graph, rings, **options: as for :func:`clar_covering_polynomial`.
        ring_weight: what a ring counts; an int or Fraction is exact, a float or complex number has an error.

    Returns:
        As :func:`countpm.perfect_matchings`.

    >>> import countpm
    >>> countpm.ring_covers("lattice:square:4x4", rings=[4])     # dominoes and squares of four
    165
    """
    weight = weight_text(ring_weight, "ring_weight", bool(options.get("exact")))
    return number(_ask(graph, rings, weight, options)["value"])


def exact_covers(
    sets: Iterable[Iterable[Hashable]],
    weights: Sequence[object] | None = None,
    *,
    elements: Iterable[Hashable] | None = None,
    **options: Unpack[Options],
) -> Number:
    """The number of exact covers: choices of sets in which every element is in just one.

    Args:
        sets: of elements of any kind that can be hashed; equal sets are different ones.
        weights: an int or Fraction for each set; then the sum over the covers of the products of their weights. None: all 1.
        elements: all that is to be covered, where it is more than the sets have.
        **options: :class:`countpm.Options` of counts: ``time_limit``, ``memory_limit``, ``threads``, ``method``, ...

    Returns:
        An ``int``, or a ``Fraction`` where weights are.

    #P-complete. Elements are decided one after the other, and the work grows with how many are in reach of both sides, not with
    how many there are.

    >>> import countpm
    >>> cells = [(r, c) for r in range(3) for c in range(4)]
    >>> trominoes = [[(r, c + i) for i in range(3)] for r in range(3) for c in range(2)]
    >>> trominoes += [[(r + i, c) for i in range(3)] for r in range(1) for c in range(4)]
    >>> countpm.exact_covers(trominoes)
    3
    """
    wanted: Any = options
    reading, core, progress = part(wanted)
    if reading:
        raise _core.UsageError(f"{', '.join(reading)}: of graphs, and exact_covers() takes sets")
    number_of: dict[Hashable, int] = {}
    for element in elements or ():
        number_of.setdefault(element, len(number_of))
    closed = elements is not None
    numbered: list[list[int]] = []
    for one in sets:
        members = list(one)
        if closed and not all(member in number_of for member in members):
            raise _core.UsageError(f"sets[{len(numbered)}] = {members!r}: expected members of elements=")
        numbered.append([number_of.setdefault(member, len(number_of)) for member in members])
    texts: list[str] = []
    if weights is not None:
        for weight in weights:
            if isinstance(weight, bool) or not isinstance(weight, numbers.Rational):
                raise _core.UsageError(f"weights: expected ints and Fractions, found {weight!r}")
            texts.append(str(Fraction(weight)))
        if len(texts) != len(numbered):
            raise _core.UsageError(f"weights: expected one for each of {len(numbered)} sets, found {len(texts)}")
    with reporter(progress) as report:
        return number(_core.exact_covers(len(number_of), numbered, texts, core, report))
