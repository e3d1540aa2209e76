"""Perfect matchings of least or largest weight, and sets of edges that meet every vertex more than once."""

from __future__ import annotations

import numbers
import time
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal, Unpack

from . import _core
from .answers import Answer
from .convert import FACTORS, GROUND_STATES, graph_of
from .counting import told
from .options import Options, choice, part
from .progress import reporter
from .values import Number, number, short

__all__ = ["GroundState", "ground_state", "number_of_factors"]


class GroundState(tuple["int | Fraction | None", int], Answer):
    """A pair (weight, number); an :class:`countpm.Answer`, always exact, whose ``value`` is the number.

    Attributes:
        weight: the least or largest weight; None without a perfect matching.
        number: how many have it.
    """

    seconds: float

    def __new__(cls, weight: int | Fraction | None, number: int, seconds: float = 0.0) -> GroundState:
        self = super().__new__(cls, (weight, number))
        self.seconds = seconds
        return self

    def __getnewargs__(self) -> tuple[int | Fraction | None, int, float]:
        return self[0], self[1], self.seconds

    @property
    def weight(self) -> int | Fraction | None:
        return self[0]

    @property
    def number(self) -> int:
        return self[1]

    @property
    def value(self) -> int:
        return self[1]

    @property
    def exact(self) -> bool:
        return True

    @property
    def error(self) -> float:
        return 0.0

    @property
    def method(self) -> str:
        return "ground state"

    def _facts(self) -> list[tuple[str, object]]:
        return [("weight", None if self.weight is None else short(self.weight))]


def ground_state(
    graph: object, which: Literal["min", "max"] = "min", **options: Unpack[Options]
) -> GroundState:
    """The least (or largest) weight of a perfect matching, the sum of its edges' weights, and how many have it.

    Args:
        graph: undirected or bipartite; a matrix, whose entries that are not 0 are the edges between rows and columns; or
            directed, whose cycle covers are meant.
        which: ``"min"`` or ``"max"``.
        **options: :class:`countpm.Options`; ``weight`` says where a graph has its weights. Unless given: the edge
            attribute ``"weight"``, the values of a matrix or a file, the third places of triples. 0 is a weight, but no
            entry of a matrix. Floats are taken as the fractions that they are.

    Returns:
        A :class:`countpm.GroundState`: the weight and the number. The weight is exact, an ``int`` or a ``Fraction``; ``float(weight)``
        rounds it. Without a perfect matching: ``(None, 0)``.

    Raises:
        InputError: where it is no such graph. UnableError: complex weights; beyond the time or memory limit.

    >>> import countpm
    >>> countpm.ground_state([("a", "b", 1), ("b", "c", 2), ("c", "d", 1), ("d", "a", 0)])
    (2, 2)
    >>> countpm.ground_state([[4, 1, 3], [2, 5, 5], [3, 2, 2]])         # the assignment problem
    (5, 1)
    >>> countpm.ground_state([[4, 1, 3], [2, 5, 5], [3, 2, 2]], "max")
    (11, 3)
    """
    choice("which", which, ("min", "max"))
    start = time.monotonic()
    asked: dict[str, Any] = {"weight": _weight_of(graph), **options}
    reading, core, progress = part(asked)
    given = graph_of(graph, GROUND_STATES, reading)
    if given.notes:
        told(given.notes)
    with reporter(progress) as report:
        answer = _core.ground_state(given.core, which == "max", core, report)
    if answer["weight"] is None:
        return GroundState(None, 0, time.monotonic() - start)
    vertices = given.number_of_vertices if given.kind != "directed" else 2 * given.number_of_vertices
    weight = Fraction(*answer["weight"]) - given.shift * Fraction(vertices, 2)
    exact = weight.numerator if weight.denominator == 1 else weight
    return GroundState(exact, answer["value"], time.monotonic() - start)


def _weight_of(graph: object) -> bool | str:
    """Where an object of this kind has its weights."""
    return "weight" if hasattr(graph, "adjacency") or hasattr(graph, "get_edgelist") or hasattr(graph, "columns") else True


def number_of_factors(graph: object, degree: int | Mapping[Any, int] = 2, **options: Unpack[Options]) -> Number:
    """The number of sets of edges of which every vertex has ``degree``: of 2-factors, unless another degree is given.

    Args:
        graph: as for :func:`countpm.perfect_matchings`.
        degree: how many edges of the set every vertex has; 1 counts perfect matchings. Or a dict that says it of every
            vertex of an undirected graph.
        **options: :class:`countpm.Options`; with ``weight`` the products of the edges' weights are added up.

    Returns:
        As :func:`countpm.perfect_matchings`.

    Raises:
        InputError: where it is no such graph. UnableError: beyond the time or memory limit.

    By Tutte's gadget (docs/degrees.md); the work grows with the width of the graph.

    >>> import countpm, networkx as nx
    >>> countpm.number_of_factors(nx.grid_2d_graph(6, 6))
    13903
    >>> countpm.number_of_factors(nx.complete_graph(6), 2)
    70
    >>> countpm.number_of_factors(nx.path_graph(3), {0: 1, 1: 2, 2: 1})
    1
    """
    reading, core, progress = part(dict(options))
    given = graph_of(graph, FACTORS, reading)
    if given.notes:
        told(given.notes)
    named: list[tuple[int, int]] = []
    each: object = degree
    if isinstance(degree, Mapping):
        if given.kind != "undirected":
            raise _core.UsageError("degree: a dict is for the vertices of an undirected graph, a number for any")
        missing = [node for node in given.nodes if node not in degree]
        if missing:
            raise _core.UsageError(f"degree: expected every vertex of the graph, found none for {missing[0]!r}")
        if len(degree) != len(given.nodes):
            raise _core.UsageError(f"degree: expected the {len(given.nodes)} vertices of the graph, found {len(degree)}")
        named = [(place, _degree(degree[node])) for place, node in enumerate(given.nodes)]
        each = 1
    with reporter(progress) as report:
        return number(_core.factors(given.core, _degree(each), named, core, report))


def _degree(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or not 0 <= int(value) <= 1_000_000:
        raise _core.UsageError(f"degree={value!r}: expected a number from 0 to 1000000")
    return int(value)
