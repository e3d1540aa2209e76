"""Many graphs: read from one file, and counted some at a time."""

from __future__ import annotations

import io
import os
import time
from collections.abc import Iterable, Iterator, Sized
from itertools import chain, islice
from typing import Any, Literal, Unpack

from . import _core
from .counting import _HAFNIAN, _PROBLEMS, _RYSER, summed_at_once, told
from .convert import ANY, graph_of
from .graphs import Graph, columns_of, graphs_of_smiles, input_of
from .smiles import is_smiles_file
from .options import Kind, Options, choice, part, whole
from .progress import reporter
from .results import Result
from .values import Number, at_once, number

__all__ = ["count_many", "read_many"]

Errors = Literal["raise", "return"]

_AT_ONCE = {"permanent": (_core.small_permanent, _RYSER), "hafnian": (_core.small_hafnian, _HAFNIAN)}
_MOST_AT_A_TIME = 4096
_SECONDS_AT_A_TIME = 0.2
_SECONDS_BETWEEN_REPORTS = 0.2


def _sizes() -> Iterator[int]:
    """How many to take at a time: more and more, until that takes a while."""
    size = 1
    while True:
        start = time.monotonic()
        yield size
        if time.monotonic() - start < _SECONDS_AT_A_TIME:
            size = min(2 * size, _MOST_AT_A_TIME)


def read_many(
    source: str | os.PathLike[str] | io.BufferedIOBase | io.TextIOBase | bytes,
    *,
    format: str | None = None,
    kind: Kind | None = None,
    weight: bool | str | int = False,
    multi: str = "reject",
    loops: str = "reject",
    remove: Iterable[str] = (),
    first_line: str | None = None,
    ends: tuple[str | int, str | int] | str | int | None = None,
    errors: Errors = "raise",
) -> Iterator[Any]:
    """Reads the graphs of a file that holds several, one after another: graph6, sparse6 and digraph6 have one per line, SDF and SMILES
    (by RDKit) many molecules.

    Args:
        source, format, kind, weight, multi, loops, remove, first_line, ends: as for :func:`countpm.read`.
        errors: a graph that cannot be read is an InputError that ends the reading (``"raise"``), or that is handed out in
            its place (``"return"``).

    Returns:
        An iterator over :class:`Graph` objects; of a file that holds one graph, over that.

    O(bytes) time; memory of a few graphs at a time.

    >>> import countpm
    >>> [g.number_of_edges for g in countpm.read_many(b"C~\\nCr\\n")]
    [6, 4]
    """
    choice("errors", errors, ("raise", "return"))
    argument, data = input_of(source)
    symmetric = kind == "symmetric"
    if is_smiles_file(argument, format):
        options = {"kind": kind, "symmetric": symmetric, "multi": multi, "loops": loops, "remove": tuple(remove),
                   **columns_of(weight, first_line, ends)}
        return _or_raise(graphs_of_smiles(argument, data, options), errors)
    reader = _core.GraphReader(
        argument, data, format=format, kind="directed" if symmetric else kind, symmetric=symmetric,
        multi=multi, loops=loops, remove=list(remove), **columns_of(weight, first_line, ends)
    )
    return _read(reader, errors)


def _or_raise(graphs: Iterator[Any], errors: Errors) -> Iterator[Any]:
    for graph in graphs:
        if isinstance(graph, Exception) and errors == "raise":
            raise graph
        yield graph


def _read(reader: Any, errors: Errors) -> Iterator[Any]:
    for size in _sizes():
        some = reader.take(size)
        if not some:
            return
        for graph in some:
            if isinstance(graph, Exception):
                if errors == "raise":
                    raise graph
                yield graph
            else:
                yield Graph._of(graph, form="file")


def count_many(
    graphs: Iterable[object],
    problem: str | None = None,
    *,
    jobs: int = 0,
    results: bool = False,
    errors: Errors = "raise",
    **options: Unpack[Options],
) -> Iterator[Any]:
    """Counts many graphs, some at a time, and hands out the numbers in the order of the graphs.

    Args:
        graphs: any iterable of what :func:`countpm.count` takes; read as it goes, a few at a time.
        problem: as for :func:`countpm.count`.
        jobs: how many to count at a time, each with its share of the threads and the memory. 0: small graphs as many as
            there are threads, each on one; others one by one with all of them.
        results: hand out a :class:`countpm.Result` for each, not the number alone.
        errors: an exception ends it (``"raise"``), or is handed out in place of the number (``"return"``), and the rest
            goes on; so are exceptions among ``graphs``, as ``read_many(errors="return")`` has them.
        **options: :class:`countpm.Options`; limits hold for each count by itself. ``progress`` is how many of the graphs are done;
            of an iterator, whose length is not known, a :class:`countpm.Progress` has their number as ``block``.

    Returns:
        An iterator over numbers as :func:`countpm.perfect_matchings` returns them.

    >>> import countpm, networkx as nx
    >>> list(countpm.count_many(nx.grid_2d_graph(2, n) for n in range(1, 8)))
    [1, 2, 3, 5, 8, 13, 21]
    >>> list(countpm.count_many(countpm.read_many(b"C~\\nCr\\n")))
    [3, 2]
    """
    if problem is not None:
        choice("problem", problem, tuple(_PROBLEMS))
    choice("errors", errors, ("raise", "return"))
    jobs = whole("jobs", jobs, 0, 1024)
    given: Any = {name: value for name, value in options.items() if name != "progress"}
    counted = _answers(graphs, problem, jobs, results, errors, given)
    progress = part({"progress": options.get("progress", False)})[2]
    return _reported(counted, len(graphs) if isinstance(graphs, Sized) else 0, progress) if progress else counted


def _answers(graphs: Iterable[object], problem: str | None, jobs: int, results: bool, errors: Errors, given: Any) -> Iterator[Any]:
    direct = None if results or problem is None else _AT_ONCE.get(problem)
    reading, core, _ = part(given)
    asked = ANY if problem is None else _PROBLEMS[problem]
    core["matchings"] = asked.matchings
    if direct is not None and summed_at_once(direct[1], given) == "all":
        return _sum(iter(graphs), direct[0], (asked, jobs, results, errors, reading, core))
    return _count(iter(graphs), asked, jobs, results, errors, reading, core)


def _reported(answers: Iterator[Any], total: int, progress: Any) -> Iterator[Any]:
    """The answers; how many there were goes to the bar or the function a few times a second."""
    start = last = time.monotonic()
    with reporter(progress) as report:
        for number, answer in enumerate(answers, 1):
            now = time.monotonic()
            if report is not None and (now - last > _SECONDS_BETWEEN_REPORTS or number == total):
                last = now
                done = number / total if total else 0.0
                left = (now - start) * (total - number) / number if total else None
                report({"stage": "count", "block": number, "blocks": total, "done": done, "rate": done / max(now - start, 1e-9),
                        "elapsed_seconds": now - start, "remaining_seconds": left, "remaining_low": left, "remaining_high": left})
            yield answer


class _Sum:
    """Of a matrix that was summed at once."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


def _sum(matrices: Iterator[object], core: Any, asked: tuple[Any, ...]) -> Iterator[Any]:
    """Small matrices one by one, as fast as that goes; from the first other one on some at a time."""
    for matrix in matrices:
        try:
            found = core(matrix)
        except _core.Error as error:
            rest: list[object] = [error]
            break
        if found is None:
            rest = [matrix]
            break
        yield at_once(found)
    else:
        return
    yield from _count(chain(rest, (_or_its_sum(one, core) for one in matrices)), *asked)


def _or_its_sum(matrix: object, core: Any) -> object:
    try:
        found = core(matrix)
    except _core.Error as error:
        return error
    return matrix if found is None else _Sum(at_once(found))


def _count(
    graphs: Iterator[object], problem: Any, jobs: int, results: bool, errors: Errors, reading: dict[str, Any], core: dict[str, Any]
) -> Iterator[Any]:
    for size in _sizes():
        some = list(islice(graphs, size))
        if not some:
            return
        given = [one if type(one) is _Sum else _graph(one, problem, errors, reading) for one in some]
        known = [one for one in given if type(one) is Graph]
        if reading.get("exact") and any(one.core.complex for one in known):
            raise _core.UsageError("exact=True: count_many() sums complex weights in floating point; count() is exact")
        for one in known:
            if one.notes:
                told(one.notes)
        found = iter(_core.count_many([one.core for one in known], core, jobs, results))
        graph: Any
        for graph in given:
            if type(graph) is _Sum:
                yield graph.value
                continue
            answer: Any = next(found) if type(graph) is Graph else graph
            if not isinstance(answer, Exception):
                yield _result(graph, answer) if results else number(answer)
            elif errors == "raise":
                raise answer
            else:
                yield answer


def _graph(given: object, problem: Any, errors: Errors, reading: dict[str, Any]) -> Any:
    """The graph, or the exception in its place."""
    if isinstance(given, Exception):
        return given
    try:
        return graph_of(given, problem, reading)
    except _core.Error as error:
        return error


def _result(graph: Graph, answer: Any) -> Result:
    result = Result(number(answer["value"]), answer, graph)
    told(result.notes)
    return result
