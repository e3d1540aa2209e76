"""Counts perfect matchings of graphs and cycle covers of digraphs (permanents, hafnians): exactly, and approximately.

>>> import countpm, networkx as nx
>>> countpm.perfect_matchings(nx.grid_2d_graph(8, 8))
12988816
>>> countpm.permanent([[1, 2], [3, 4]])
10

- Perfect matchings: :func:`perfect_matchings`, :func:`count` with everything known about one, :func:`maximum_matchings`, :func:`cycle_covers`.
- Matrices: :func:`permanent`, :func:`hafnian`, :func:`loop_hafnian`, :func:`determinant`, :func:`pfaffian`.
- All matchings: :func:`number_of_matchings`, :func:`matching_polynomial`.
- Other counts: :func:`ground_state`, :func:`number_of_factors`, :func:`count_orbits`, :func:`ln_z`, :func:`clar_covering_polynomial`,
  :func:`ring_covers`, :func:`exact_covers`, and of growing lattices :func:`recurrence`.
- Matchings themselves: :func:`iter_matchings`, :func:`sample`, :func:`marginals`, :func:`pair_marginals`.
- Boson sampling: :func:`permanent` with ``rows`` and ``cols``, :func:`outcome_probability`, :func:`minors`, :func:`permanent_gradient`.
- If counting takes too long: :func:`estimate`, :func:`ratio`, :func:`integrate`, :func:`signed_sum`, :func:`bounds`, :func:`count_or_bounds`.
- How long it takes: :func:`explain`, :func:`explain_estimate`, :func:`explain_ratio`, :func:`explain_integral`, :func:`explain_marginals`,
  :func:`explain_sample`, :func:`explain_minors`.
- Input: :class:`Graph` says what all of them take; :func:`read`, :func:`lattice`, :func:`letters`; many graphs :func:`read_many`, :func:`count_many`;
  molecules :func:`kekule`, :func:`kekule_many`, :func:`from_smiles`.
- Options: :class:`Options`, :class:`CountOptions`. Errors: :class:`Error` and its subclasses.

Answers are ``int``, ``Fraction``, :class:`ComplexFraction`, :class:`Real` or :class:`Complex` with ``.error``, or where weights have letters a
:class:`Polynomial`; estimates are never ints. Several threads may count at once: the work is done without Python's lock. The guide is docs/python.md.
"""

from __future__ import annotations

from ._core import version as _version
from .answers import Answer
from .certain import BoundedBlock, BoundedCount, Bounds
from .chemistry import Kekule, from_smiles, kekule, kekule_many
from .counting import count, cycle_covers, hafnian, ln_z, maximum_matchings, perfect_matchings, permanent
from .covers import clar_covering_polynomial, exact_covers, ring_covers
from .determinants import determinant, pfaffian
from .errors import CheckError, CountpmWarning, Error, InputError, UnableError, UsageError
from .graphs import Graph, lattice, read
from .many import count_many, read_many
from .ground_states import GroundState, ground_state, number_of_factors
from .monomers import loop_hafnian, loop_hafnians, matching_polynomial, number_of_matchings
from .listing import EdgeValues, Matchings, iter_matchings, pair_marginals, marginals, sample
from .option_table import complete_all as _complete
from .options import CountOptions, Options
from .polynomials import Polynomial, letters
from .photons import MinorsForecast, explain_minors, minors, outcome_probability, permanent_gradient
from .forecasts import (
    DrawForecast,
    DrawMethod,
    DrawPiece,
    PieceForecast,
    SamplingForecast,
    explain_estimate,
    explain_integral,
    explain_marginals,
    explain_ratio,
    explain_sample,
)
from .planning import EstimateOptions, bounds, count_or_bounds, estimate, explain
from .progress import Progress
from .ratios import Ratio, SignedSum, integrate, ratio, signed_sum
from .results import Block, BlockForecast, Check, Estimate, Explanation, Forecast, Result, Violator
from .recurrences import Recurrence, recurrence
from .symmetry import Orbits, count_orbits
from .values import Complex, ComplexFraction, Number, Real

__version__ = _version()
_complete(globals())

__all__ = [
    "Answer",
    "Block",
    "BlockForecast",
    "BoundedBlock",
    "BoundedCount",
    "Bounds",
    "Check",
    "CheckError",
    "CountpmWarning",
    "Complex",
    "ComplexFraction",
    "CountOptions",
    "DrawForecast",
    "DrawMethod",
    "DrawPiece",
    "EdgeValues",
    "Error",
    "Estimate",
    "EstimateOptions",
    "Explanation",
    "Forecast",
    "Graph",
    "GroundState",
    "InputError",
    "Kekule",
    "Matchings",
    "MinorsForecast",
    "Number",
    "Options",
    "Orbits",
    "PieceForecast",
    "Polynomial",
    "Progress",
    "Ratio",
    "Real",
    "Recurrence",
    "Result",
    "SamplingForecast",
    "SignedSum",
    "UnableError",
    "UsageError",
    "Violator",
    "bounds",
    "clar_covering_polynomial",
    "count",
    "count_many",
    "count_or_bounds",
    "count_orbits",
    "cycle_covers",
    "determinant",
    "estimate",
    "exact_covers",
    "explain",
    "explain_estimate",
    "explain_integral",
    "explain_marginals",
    "explain_minors",
    "explain_ratio",
    "explain_sample",
    "from_smiles",
    "ground_state",
    "hafnian",
    "integrate",
    "iter_matchings",
    "kekule",
    "kekule_many",
    "lattice",
    "letters",
    "ln_z",
    "pair_marginals",
    "loop_hafnian",
    "loop_hafnians",
    "marginals",
    "maximum_matchings",
    "matching_polynomial",
    "number_of_factors",
    "minors",
    "number_of_matchings",
    "outcome_probability",
    "perfect_matchings",
    "permanent",
    "permanent_gradient",
    "pfaffian",
    "ratio",
    "read",
    "read_many",
    "recurrence",
    "ring_covers",
    "sample",
    "signed_sum",
]
