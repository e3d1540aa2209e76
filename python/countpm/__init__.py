"""Counts perfect matchings of graphs and cycle covers of digraphs (permanents, hafnians): exactly, and approximately.

>>> import countpm, networkx as nx
>>> countpm.perfect_matchings(nx.grid_2d_graph(8, 8))
12988816
>>> countpm.permanent([[1, 2], [3, 4]])
10

Counts: :func:`perfect_matchings`, :func:`permanent`, :func:`hafnian`, :func:`cycle_covers`, and :func:`count` with all
that is known of one; :func:`log_partition_function`. Beyond counting: :func:`explain`, :func:`estimate`, :func:`bounds`.
Matchings: :func:`iter_matchings`, :func:`sample`, :func:`marginals`. Input: :class:`Graph` says what all of them take;
:func:`read`, :func:`lattice`. Options: :class:`Options`. Errors: :class:`Error` and what is derived from it.

Answers are ``int``, ``Fraction``, :class:`Real` or :class:`Complex` with ``.error``; estimates are never ints. Several
threads may count at once: the work is done without Python's lock. The guide is docs/python.md.
"""

from __future__ import annotations

from ._core import version as _version
from .counting import count, cycle_covers, hafnian, log_partition_function, perfect_matchings, permanent
from .errors import CheckError, Error, InputError, UnableError, UsageError
from .graphs import Graph, lattice, read
from .listing import EdgeValues, Matchings, iter_matchings, marginals, sample
from .options import Options
from .planning import EstimateOptions, bounds, estimate, explain
from .progress import Progress
from .results import Block, BlockForecast, Bounds, Check, Estimate, Explanation, Forecast, Result, Violator
from .values import Complex, Number, Real

__version__ = _version()

__all__ = [
    "Block",
    "BlockForecast",
    "Bounds",
    "Check",
    "CheckError",
    "Complex",
    "EdgeValues",
    "Error",
    "Estimate",
    "EstimateOptions",
    "Explanation",
    "Forecast",
    "Graph",
    "InputError",
    "Matchings",
    "Number",
    "Options",
    "Progress",
    "Real",
    "Result",
    "UnableError",
    "UsageError",
    "Violator",
    "bounds",
    "count",
    "cycle_covers",
    "estimate",
    "explain",
    "hafnian",
    "iter_matchings",
    "lattice",
    "log_partition_function",
    "marginals",
    "perfect_matchings",
    "permanent",
    "read",
    "sample",
]
