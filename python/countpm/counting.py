"""Counts: perfect matchings, permanents, hafnians, cycle covers."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, Unpack, cast, overload

from . import _core
from .convert import ANY, CYCLE_COVERS, HAFNIAN, MAXIMUM_MATCHINGS, PERFECT_MATCHINGS, PERMANENT, Problem, graph_of
from .convert.matrices import nearly_symmetric
from .errors import Error, UnableError, in_python
from .graphs import Graph
from .options import CountOptions, Options, choice, elsewhere, part, proof_of
from .polynomials import polynomial_of
from .progress import reporter
from .results import Result
from .values import Number, Real, at_once, number

if TYPE_CHECKING:
    from .kinds import IntMatrix

__all__ = [
    "count",
    "cycle_covers",
    "hafnian",
    "ln_z",
    "maximum_matchings",
    "perfect_matchings",
    "permanent",
    "prepared",
]

_log = logging.getLogger("countpm")
_PROBLEMS = {
    "perfect_matchings": PERFECT_MATCHINGS,
    "permanent": PERMANENT,
    "hafnian": HAFNIAN,
    "cycle_covers": CYCLE_COVERS,
    "maximum_matchings": MAXIMUM_MATCHINGS,
}


def prepared(graph: object, problem: str | None, options: Any) -> tuple[Graph, dict[str, Any], Any]:
    """The graph, the options of the core and the wish for progress."""
    if problem is not None:
        choice("problem", problem, tuple(_PROBLEMS))
    asked = ANY if problem is None else _PROBLEMS[problem]
    reading, core, progress = part(options)
    given = graph_of(graph, asked, reading)
    if reading.get("exact"):
        given = given._exactly()
    return given, core | {"matchings": asked.matchings}, progress


def _value(
    graph: object, problem: Problem, options: Any, rows: Sequence[int] | None = None, cols: Sequence[int] | None = None
) -> Number:
    options, others = elsewhere(options)
    reading, core, progress = part(options)
    given = graph_of(graph, problem, reading)
    if rows is not None or cols is not None:
        given = given.repeated(rows, cols)
    if reading.get("exact"):
        given = given._exactly()
    core["matchings"] = problem.matchings
    if given.notes:
        told(given.notes)
    if others is not None:
        return value_of(_by_others(given, core, progress, others)[0])
    several = _several(options)
    if not progress:
        return value_of(_counted(given, core, None, False), several)
    with reporter(progress) as report:
        return value_of(_counted(given, core, report, False), several)


def _several(options: dict[str, Any]) -> bool:
    """Whether residues are asked for modulo a list of numbers."""
    return hasattr(options.get("modulo"), "__iter__")


def _counted(given: Graph, core: dict[str, Any], report: Any, whole: bool) -> dict[str, Any]:
    """A count, or a refusal that says by a trial what an estimate would take, where that is advised."""
    try:
        found: dict[str, Any] = _core.count(given.core, core, report, whole)
    except UnableError as error:
        if error.remedy.endswith("estimate() gives an estimate"):
            trial = _trial(given, core)
            error.remedy += trial
            error.args = (str(error) + trial,)
        raise
    return found


# A trial has what the count's time limit is, between these.
_LEAST_TRIAL = 1.0
_MOST_TRIAL = 3.0


def _trial(given: Graph, core: dict[str, Any]) -> str:
    """": by a trial, an error of 1% at most in about 2.1 s"; empty where trial samples do not tell."""
    limit = core.get("time_limit", _MOST_TRIAL)
    seconds = _MOST_TRIAL if limit is None else min(max(limit, _LEAST_TRIAL), _MOST_TRIAL)
    options = {name: value for name, value in core.items() if name != "checkpoint"} | {"time_limit": seconds}
    try:
        forecast = json.loads(_core.explain_estimate(given.core, options, {"exact_below": 0.0}, None))
    except Error:
        return ""
    if forecast["counted"] or forecast["seconds"] is None:
        return ""
    return f": by a trial, {forecast['goal']} in about {_duration(forecast['seconds'])}"


def _duration(seconds: float) -> str:
    for size, unit in ((86400.0, "days"), (3600.0, "h"), (60.0, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.2g} {unit}" if seconds < 100 * size else f"{seconds / size:.0f} {unit}"
    return f"{seconds:.2g} s" if seconds < 100 else f"{seconds:.0f} s"


def _by_others(given: Graph, core: dict[str, Any], progress: Any, others: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """A count by an executor's workers, and what became of their tasks."""
    from .elsewhere import count_on

    found, tally = count_on(given.core, core, progress, **others)
    return found, tally.note() if tally.tasks else ""


def value_of(found: dict[str, Any], several: bool = False) -> Number:
    """The number; or what Number leaves out, since few have it: the polynomial where weights have letters, residues modulo several numbers."""
    polynomial = found.get("polynomial")
    residues = found.get("residues")
    if residues is not None and several:
        return cast(Number, tuple(residues))
    return number(found["value"]) if polynomial is None else cast(Number, polynomial_of(polynomial))


def told(notes: tuple[str, ...]) -> None:
    """Notes go to the logger "countpm"."""
    for note in notes:
        _log.info("%s", in_python(note))


def perfect_matchings(graph: object, **options: Unpack[CountOptions]) -> Number:
    """The number of perfect matchings of a graph, or with ``weight`` the sum over them of the products of their weights.

    Args:
        graph: whatever :class:`countpm.Graph` takes. A matrix of shape (rows, columns) is a biadjacency matrix, an entry
            that is not 0 an edge; with ``kind="undirected"`` a symmetric adjacency matrix.
        **options: :class:`countpm.Options`; above all ``weight``, ``kind``, ``method``, ``time_limit`` (seconds) and
            ``progress``.

    Returns:
        ``int``; where weights have letters (``"3*x*y^-1"``) a :class:`countpm.Polynomial`; with fractions ``Fraction``, with floats :class:`countpm.Real` and with complex numbers
        :class:`countpm.Complex`, which have an ``.error``. 0 where there is none: :func:`countpm.count` says why.

    Raises:
        InputError: where it is no such graph. UnableError: beyond the time or memory limit. UsageError: an option that
        does not fit. KeyboardInterrupt: Ctrl-C, within 0.2 s.

    The problem is #P-complete; planar graphs, tori and Klein bottles take polynomial time (Kasteleyn, J. Math. Phys. 4 (1963) 287),
    others what :func:`countpm.explain` predicts.

    >>> import countpm, networkx as nx
    >>> countpm.perfect_matchings(nx.grid_2d_graph(8, 8))          # domino tilings of a chessboard
    12988816
    >>> countpm.perfect_matchings([("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")])
    2
    >>> countpm.perfect_matchings({0: {1: 3}, 2: {3: 5}}, weight=True)
    15
    """
    return _value(graph, PERFECT_MATCHINGS, options)


def maximum_matchings(graph: object, **options: Unpack[CountOptions]) -> Number:
    """The number of matchings with the most edges, or with ``weight`` the sum over them of the products of their weights.

    Args:
        graph, **options: as for :func:`countpm.perfect_matchings`.

    Returns:
        As :func:`countpm.perfect_matchings`, which it equals where there is a perfect matching; never 0 without weights.
        ``countpm.count(graph, "maximum_matchings")`` tells how many edges they have (``matching_size``) and how many
        vertices they leave free (``free_vertices``).

    Vertices are added for those that are left free, by the decompositions of Dulmage and Mendelsohn and of Gallai and
    Edmonds (docs/maximum.md), and perfect matchings counted: its cost is theirs.

    >>> import countpm, networkx as nx
    >>> countpm.maximum_matchings(nx.cycle_graph(5))
    5
    >>> countpm.maximum_matchings(nx.grid_2d_graph(7, 7))
    2200776
    >>> countpm.count(nx.star_graph(4), "maximum_matchings").matching_size
    1
    """
    return _value(graph, MAXIMUM_MATCHINGS, options)


_RYSER = frozenset({"auto", "ryser"})
_HAFNIAN = frozenset({"auto", "hafnian"})
_MOST_SMALL = 1024  # entries


#: Options on which no sum of a small matrix depends, and the values that are sound for certain and no limit to one. The core looks at
#: others, and at what it refuses.
_IDLE: dict[str, Callable[[Any], bool]] = {
    "threads": lambda value: type(value) is int and 0 <= value <= 1024,
    "seed": lambda value: type(value) is int and 0 <= value < 2**64,
    "time_limit": lambda value: value is None or (type(value) in (int, float) and 1 <= value < 1e9),
    "memory_limit": lambda value: value is None or (type(value) is int and 2**26 <= value < 2**63),
    "device": lambda value: type(value) is str and value in ("auto", "cpu"),
    "arithmetic": lambda value: type(value) is str and value == "kahan",
    "progress": lambda value: value is None or value is False,
    "exact": lambda value: value is False,
    "double_check": lambda value: value is False,
}
#: The same of matrices of integers, which are exact in any case.
_IDLE_OF_INTEGERS: dict[str, Callable[[Any], bool]] = {
    "arithmetic": lambda value: value in ("plain", "double-double") if type(value) is str else type(value) is int and 24 <= value <= 900,
    "exact": lambda value: value is True,
}


def summed_at_once(methods: frozenset[str], options: Any) -> Literal["all", "integers", "none"]:
    """Of which small matrices the options leave it to the core how they are summed."""
    found: Literal["all", "integers"] = "all"
    for name, value in options.items():
        if name == "method":
            if type(value) is str and value in methods:
                continue
            return "none"
        if name in _IDLE and _IDLE[name](value):
            continue
        if name not in _IDLE_OF_INTEGERS or not _IDLE_OF_INTEGERS[name](value):
            return "none"
        found = "integers"
    return found


def small(core: Any, methods: frozenset[str], matrix: object, options: Any) -> Any:
    """The sum of a small array of numpy, without a graph or a plan; None where the core does not have it at once.

    Ryser's formula and hafnians in pairs of doubles are what the core counts such matrices by.
    """
    if options:
        which = summed_at_once(methods, options)
        if which == "none" or (which == "integers" and getattr(getattr(matrix, "dtype", None), "kind", "") != "i"):
            return None
    found = core(matrix)
    return None if found is None else at_once(found)


def small_symmetric(core: Any, methods: frozenset[str], matrix: object, options: Any) -> Any:
    """The same of a matrix that rounding may have made asymmetric."""
    found = small(core, methods, matrix, options)
    if found is not None or type(matrix).__module__ != "numpy" or getattr(matrix, "size", _MOST_SMALL) >= _MOST_SMALL:
        return found
    nearly = None if options and "exact" in options else nearly_symmetric(matrix)
    if nearly is not None:
        found = small(core, methods, nearly[0], options)
        if found is not None:
            told(nearly[1])
    return found


@overload
def permanent(
    matrix: IntMatrix, *, rows: Sequence[int] | None = None, cols: Sequence[int] | None = None, **options: Unpack[CountOptions]
) -> int: ...
@overload
def permanent(
    matrix: object, *, rows: Sequence[int] | None = None, cols: Sequence[int] | None = None, **options: Unpack[CountOptions]
) -> Number: ...
def permanent(
    matrix: object, *, rows: Sequence[int] | None = None, cols: Sequence[int] | None = None, **options: Unpack[CountOptions]
) -> Number:
    """The permanent of a matrix: the sum over all permutations p of the product of the entries (i, p(i)).

    Of a matrix with m rows and n > m columns the sum is over the injections p of the rows into the columns; with m > n it is
    the permanent of the transposed matrix. This is the convention of SymPy, Sage and Maple.

    Args:
        matrix: of shape (m, n): numpy, scipy.sparse, sympy, python-flint or a list of rows; also a bipartite
            :class:`countpm.Graph` or a file. Values always count.
        rows, cols: how often each row and each column stands in the matrix, 0 for not at all: the modes of photons. Repeated
            lines are counted together: m copies take m + 1 choices.
        **options: :class:`countpm.Options`; above all ``exact``, ``method``, ``time_limit`` (seconds), ``arithmetic``
            (bits) and ``progress``.

    Returns:
        ``int`` or ``Fraction`` where all entries are exact, else :class:`countpm.Real` or :class:`countpm.Complex` with a
        bound on the error; of complex numbers with ``exact=True`` :class:`countpm.ComplexFraction`.

    Raises:
        InputError: where an entry is no finite number. UsageError: where rows and cols add up to different sums.
        UnableError: beyond the limits.

    Between O(n^3) for planar and O(2^n n) for dense matrices (Ryser, Combinatorial Mathematics, 1963; Glynn, Eur. J.
    Combin. 31 (2010) 1887), by whatever method is predicted to be fastest.

    >>> import countpm, numpy as np
    >>> countpm.permanent([[1, 2], [3, 4]])
    10
    >>> countpm.permanent(np.eye(16, dtype=int))
    1
    >>> countpm.permanent([[1, 2, 3, 4], [5, 6, 7, 8]])
    190
    >>> countpm.permanent(np.ones((20, 20), dtype=int))           # 20!, exact beyond 2**61
    2432902008176640000
    >>> countpm.permanent([[1, 1], [1, -1]], rows=[1, 1], cols=[1, 1])    # two photons leave a beam splitter together
    0
    >>> countpm.permanent([[1, 1], [1, -1]], rows=[2, 0], cols=[1, 1])
    2
    >>> from fractions import Fraction
    >>> countpm.permanent(np.full((3, 3), 0.1), exact=True) == 6 * Fraction(0.1) ** 3
    True
    """
    if rows is None and cols is None:
        found = small(_core.small_permanent, _RYSER, matrix, options)
        if found is not None:
            return found
    return _value(matrix, PERMANENT, options, rows, cols)


@overload
def hafnian(matrix: IntMatrix, *, copies: Sequence[int] | None = None, **options: Unpack[CountOptions]) -> int: ...
@overload
def hafnian(matrix: object, *, copies: Sequence[int] | None = None, **options: Unpack[CountOptions]) -> Number: ...
def hafnian(matrix: object, *, copies: Sequence[int] | None = None, **options: Unpack[CountOptions]) -> Number:
    """The hafnian of a symmetric matrix: the sum over all perfect matchings of the products of their entries.

    Args:
        matrix: of shape (n, n), symmetric, of any kind that :func:`countpm.permanent` takes. The diagonal plays no part
            (The Walrus calls this the hafnian, and the sum with the diagonal the loop hafnian). Floats and complex numbers may
            differ from their mirror images by rounding, 1e-12 of the largest entry at most; then the mean of the two is taken,
            and a note goes to the logger. With ``exact=True`` they must be equal.
        copies: how often row and column i stand in the matrix, 0 for not at all: the photons of a mode. The entry i on the
            diagonal joins copies of i then. Copies are counted together.
        **options: :class:`countpm.Options`; with ``copies`` not ``executor``.

    Returns:
        As :func:`countpm.permanent`; 0 where n is odd, 1 where it is 0.

    Raises:
        InputError: where the matrix is not symmetric; the message names two entries that differ, and by how much.

    O(states of a frontier) or O(2^(n/2) n^2) for graphs with odd cycles, polynomial time for planar ones, that of the
    permanent for bipartite ones. The hafnian is due to Caianiello, Nuovo Cimento 10 (1953) 1634.

    >>> import countpm, numpy as np
    >>> countpm.hafnian(np.ones((6, 6), dtype=int))               # 5 * 3 * 1
    15
    >>> A = np.ones((8, 8), dtype=int); A[0, 1] = A[1, 0] = 10**6
    >>> countpm.hafnian(A)
    15000090
    >>> countpm.hafnian([[5, 2], [2, 7]], copies=[2, 2])          # 5 * 7 + 2 * 2 * 2
    43
    """
    if copies is not None:
        from .monomers import hafnian_of_copies

        return hafnian_of_copies(matrix, copies, options, alone=False)
    found = small_symmetric(_core.small_hafnian, _HAFNIAN, matrix, options)
    if found is not None:
        return found
    return _value(matrix, HAFNIAN, options)


def cycle_covers(graph: object, **options: Unpack[CountOptions]) -> Number:
    """The number of cycle covers of a directed graph: sets of cycles that pass through every vertex once.

    Args:
        graph: a directed graph of networkx, igraph or rustworkx, a square matrix (an entry that is not 0 is an arc from
            its row to its column), tuples (tail, head), a file. A loop is a cycle of length 1.
        **options: :class:`countpm.Options`; ``kind="symmetric"`` takes an undirected graph, each edge an arc both ways;
            ``weight`` sums the products of the arcs' weights.

    Returns:
        As :func:`countpm.perfect_matchings`.

    Raises:
        InputError: where the graph is undirected or bipartite.

    The permanent of the adjacency matrix, and its cost.

    >>> import countpm, networkx as nx
    >>> countpm.cycle_covers(nx.complete_graph(4, create_using=nx.DiGraph))    # permutations without a fixed point
    9
    >>> countpm.cycle_covers(nx.cycle_graph(6), kind="symmetric")              # two ways around, two matchings
    4
    """
    return _value(graph, CYCLE_COVERS, options)


def count(graph: object, problem: str | None = None, **options: Unpack[CountOptions]) -> Result:
    """Counts, and tells everything about it: how it was found, which checks it passed, and why it is 0.

    Args:
        graph: as for the function named by ``problem``.
        problem: ``"perfect_matchings"``, ``"maximum_matchings"``, ``"permanent"``, ``"hafnian"`` or ``"cycle_covers"``; unless given, cycle covers
            of a directed graph and perfect matchings of any other.
        **options: :class:`countpm.CountOptions`: those of :class:`countpm.Options`, and ``executor``, whose workers run the units.

    Returns:
        A :class:`countpm.Result`.

    >>> import countpm, networkx as nx
    >>> r = countpm.count(nx.grid_2d_graph(3, 3))
    >>> r.value, r.exact, r.proved
    (0, True, True)
    >>> len(r.violator.vertices), len(r.violator.neighbours)      # five squares have four neighbours
    (5, 4)
    """
    own, wanted, file = proof_of(dict(options))
    own, others = elsewhere(own)
    given, core, progress = prepared(graph, problem, own)
    core["proof"] = wanted
    if others is not None:
        found, note = _by_others(given, core, progress, others)
        result = Result(value_of(found), found, given, (note,) if note else ())
    else:
        with reporter(progress) as report:
            found = _counted(given, core, report, True)
        result = Result(value_of(found, _several(own)), found, given)
    told(result.notes)
    if file and result.proof is not None:
        with open(os.fsencode(file), "x", encoding="utf-8") as proof:
            proof.write(result.proof)
    return result


def ln_z(graph: object, problem: str | None = None, **options: Unpack[Options]) -> Real:
    """The natural logarithm of the number or weighted sum, in floating point: planar graphs and tori of any size.

    Args:
        graph, problem: as for :func:`countpm.count`.
        **options: :class:`countpm.Options`, above all ``weight``.

    Returns:
        A :class:`countpm.Real` whose ``.error`` bounds the absolute error (docs/methods/planar.md says what its one estimated
        part assumes); ``-inf`` where there is no perfect matching. With negative weights of the sum's absolute value.

    Raises:
        UnableError: where the graph is neither planar nor a lattice on another surface.

    O(n^1.5) time for n vertices of a planar graph, by nested dissection (Lipton, Rose, Tarjan, SIAM J. Numer. Anal. 16
    (1979) 346).

    >>> import countpm
    >>> z = countpm.ln_z("lattice:square:8x8")
    >>> round(z, 6), z.error < 1e-9
    (16.379599, True)
    """
    given, core, progress = prepared(graph, problem, options)
    with reporter(progress) as report:
        found = _core.ln_z(given.core, core, report)
    return Real(found["ln_z"], found["error"])
