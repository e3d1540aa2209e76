"""Every option once: what it takes, in which unit, what it is unless given, and what it does.

The docstrings of the functions and of their ``TypedDict`` are completed from this table when the package is imported, so that
``help(countpm.count)`` lists every option. A test compares it with what the core takes, with the types in options.py and planning.py,
and with the command's own table (docs/options.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from inspect import cleandoc
from textwrap import fill
from types import FunctionType
from typing import Any, NamedTuple

__all__ = ["TABLE", "Option", "complete_all", "listing", "methods_of"]


class Option(NamedTuple):
    """A keyword argument of countpm's functions.

    Attributes:
        group: ``"graph"``, ``"count"``, ``"workers"``, ``"proof"`` or ``"samples"``.
        takes: its values, with their unit.
        default: what it is unless given, as Python has it.
        does: in a sentence or two.
        command: the command's option of the same meaning; empty where it has another form there.
    """

    name: str
    group: str
    takes: str
    default: str
    does: str
    command: str = ""


_ROWS = [
    # The graph.
    Option("kind", "graph", "'bipartite', 'directed', 'undirected', 'symmetric' or None", "None",
           "What the graph is. None: what the object itself says; edges are undirected, a matrix bipartite. 'symmetric': an undirected "
           "graph as a directed one, each edge an arc both ways.", "kind"),
    Option("weight", "graph", "None, True, the name of an edge attribute or column, or a function of an edge's payload", "None",
           "Where the weights are. True: the values of a matrix or file, or the third places of triples. None: every edge counts 1, but "
           "for functions that say that values always count.", "weights"),
    Option("exact", "graph", "True or False", "False", "Take floats and complex numbers as the fractions that they are, and answer exactly."),
    Option("multi", "graph", "'reject' or 'sum'", "'reject'", "Parallel edges: an error, or one edge with the sum of their weights.", "multi"),
    Option("loops", "graph", "'reject' or 'drop'", "'reject'", "Loops of an undirected graph: an error, or left out.", "loops"),
    Option("columns", "graph", "a pair of names", "('source', 'target')", "The columns of a pandas DataFrame that hold the ends of the edges."),
    # The count.
    Option("method", "count", "a name that the command 'countpm methods' lists", "'auto'",
           "Count by this method, or raise UnableError. 'auto': by the one predicted to be fastest.", "method"),
    Option("device", "count", "'auto', 'cpu' or 'gpu'", "'auto'", "Where to count. 'auto': where it is predicted to be faster.", "device"),
    Option("gpus", "count", "a whole number", "0", "How many GPUs; 0: all.", "gpus"),
    Option("gpu_memory", "count", "bytes or None", "None", "How much memory of each GPU to use. None: what it has.", "gpu-memory"),
    Option("threads", "count", "a whole number", "0", "How many threads; 0: all that OpenMP gives. No answer depends on it.", "threads"),
    Option("time_limit", "count", "seconds or None", "3600",
           "Raise UnableError where the time is predicted to be longer, or becomes so; samples end there (60 unless given). None: no limit.",
           "time-limit"),
    Option("memory_limit", "count", "bytes or None", "None", "The same for memory. None: what the machine leaves.", "memory-limit"),
    Option("double_check", "count", "True or False", "False", "Count again by another method, on the transposed matrix, and compare.",
           "double-check"),
    Option("arithmetic", "count", "'plain', 'kahan', 'double-double', or a number of bits from 24 to 900", "'kahan'",
           "Floating point for decimal and complex weights: doubles, pairs of doubles, or MPFR with this many bits, which computes more digits.",
           "arithmetic"),
    Option("seed", "count", "0 to 2**64 - 1, or a Generator or RandomState of numpy", "1", "Fixes the samples. A count does not depend on it.", "seed"),
    Option("order", "count", "'auto', 'greedy', 'rows', 'columns', 'nested-dissection', 'annealing' or 'tree'", "'auto'",
           "In which order the frontier method eliminates vertices. The count does not depend on it.", "order"),
    Option("rules", "count", "a list of names that the command 'countpm methods' lists, or None", "None",
           "The reduction rules that are on. None: all.", "no-rule"),
    Option("set", "count", "a dict of names and values that the command 'countpm methods --settings' lists", "{}",
           "For study: what published papers vary about the method (docs/settings.md); counts and explain() take it. No count depends on it.", "set"),
    Option("modulo", "count", "a whole number from 2 to 2**64, a list of them, or None", "None",
           "Only the residue of the count modulo this; modulo several a tuple of residues (docs/modulo.md); counts and explain() take it.", "modulo"),
    Option("audit", "count", "a fraction from 0 to 1", "0",
           "Run this fraction of the units of work again, by other code or on another device; raise CheckError where one differs.", "audit"),
    Option("progress", "count", "True, False or a function", "False",
           "True: a bar, in notebooks and terminals (of tqdm, where it is installed). A function is called with a countpm.Progress a few times "
           "a second, in the thread that called.", "progress"),
    # Who does the work.
    Option("executor", "workers", "an executor, a number of processes, a function that makes an executor, or None", "None",
           "Whose workers do the work: of concurrent.futures, dask.distributed or mpi4py (docs/executors.md)."),
    Option("checkpoint", "workers", "a path or None", "None", "With an executor, or for ratio() and integrate(): a file that keeps what is done. "
           "Where it exists, the call goes on from it.", "checkpoint"),
    Option("worker_threads", "workers", "a whole number from 1 on", "1", "How many threads one task has on a worker."),
    Option("proof", "proof", "True, False or the path of a new file", "False",
           "Make a proof that anybody can check without countpm (docs/proofs.md): it is Result.proof.", "proof"),
    # Samples.
    Option("sampler", "samples", "'auto' or a name that docs/estimate.md lists", "'auto'", "How samples are drawn.", "sampler"),
    Option("samples", "samples", "a whole number from 1 on", "none: until the goal is met", "Draw exactly this many samples of every block.", "samples"),
    Option("prune", "samples", "True, False or None", "None", "Drop edges without a perfect matching at every step. None: where that is cheap.", "prune"),
    Option("scale_interval", "samples", "rows, from 1 on", "1, and one more per 512 rows", "'scaling': how many rows to draw before scaling again.",
           "scale-interval"),
    Option("scale_steps", "samples", "a whole number from 1 on", "4", "'scaling': how many sweeps of Sinkhorn's iteration each time.", "scale-steps"),
    Option("exact_tail", "samples", "rows", "as many as are cheap", "Count the last rows of every sample exactly; 0: none.", "exact-tail"),
    Option("strata", "samples", "a whole number from 1 on", "1", "Make each sample the mean of this many walks, whose first choices are stratified.",
           "strata"),
    Option("population", "samples", "a whole number from 1 on", "as many as make samples steady", "'population': how many states to keep alive.",
           "population"),
    Option("second", "samples", "'auto', 'none' or 'annealed'", "'auto'", "Which other sampler checks the samples.", "second"),
    Option("exact_below", "samples", "seconds", "1", "Count blocks exactly that are predicted to take less.", "exact-below"),
    Option("all_sampled", "samples", "True or False", "False", "Sample every block, the easy ones too.", "all-sampled"),
]

#: By name.
TABLE: dict[str, Option] = {row.name: row for row in _ROWS}

_HEADS = {
    "graph": "Options of the graph",
    "count": "Options of the count",
    "workers": "Options of who does the work",
    "proof": "Option of the proof",
    "samples": "Options of samples",
}


def listing(names: Iterable[str]) -> str:
    """The options of these names, by group, as lines of a docstring."""
    wanted = set(names)
    parts = []
    for group, head in _HEADS.items():
        rows = [row for row in _ROWS if row.group == group and row.name in wanted]
        if rows:
            parts.append("\n".join([f"{head}:", *map(_entry, rows)]))
    return "\n\n".join(parts)


@cache
def _entry(row: Option) -> str:
    head = f"    {row.name}: {row.takes}. Default: {row.default}."
    return "\n".join(fill(text, 100, initial_indent=indent, subsequent_indent="        ", break_on_hyphens=False)
                     for text, indent in ((head.strip(), "    "), (row.does, "        ")))


#: Where a function takes fewer than its type says: those, or those that it does not.
_ONLY_READING = frozenset(name for name, row in TABLE.items() if row.group != "graph")
_NO_READING = frozenset(name for name, row in TABLE.items() if row.group == "graph")
_LEFT_OUT: Mapping[str, frozenset[str]] = {
    "iter_matchings": _ONLY_READING,
    "exact_covers": _NO_READING,
}


def complete_all(package: Mapping[str, Any]) -> None:
    """Adds the list of options to the docstrings of a package's functions, of the methods of its Graph, and of the types of options."""
    types = {name: thing for name, thing in package.items() if hasattr(thing, "__total__")}
    for thing in types.values():
        thing.__doc__ = f"{cleandoc(thing.__doc__ or '')}\n\n{listing(thing.__annotations__)}\n"
    functions = [thing for name, thing in package.items() if isinstance(thing, FunctionType) and not name.startswith("_")]
    for thing in [*functions, *methods_of(package["Graph"])]:
        _complete(thing, types)


def methods_of(kind: type[Any]) -> list[FunctionType]:
    """The public methods of a class, those of its bases included."""
    found = {name: thing for base in reversed(kind.__mro__) for name, thing in vars(base).items()}
    return [thing for name, thing in found.items() if isinstance(thing, FunctionType) and not name.startswith("_")]


def _complete(thing: FunctionType, types: Mapping[str, Any]) -> None:
    wanted = types.get(str(thing.__annotations__.get("options", "")).removeprefix("Unpack[").removesuffix("]"))
    if wanted is None or not thing.__doc__:
        return
    names = set(wanted.__annotations__) - _LEFT_OUT.get(thing.__name__, frozenset())
    if thing.__name__ != "count":
        names.discard("proof")
    # Python has taken the margin away from 3.13 on.
    thing.__doc__ = f"{cleandoc(thing.__doc__)}\n\n{listing(names)}\n"
