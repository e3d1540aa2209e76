"""The functions as methods of a Graph: ``graph.count()`` is ``countpm.count(graph)``, with the same options and the same answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Unpack

if TYPE_CHECKING:
    from fractions import Fraction

    from .certain import BoundedCount, Bounds
    from .chemistry import Kekule
    from .ground_states import GroundState
    from .listing import Matchings
    from .options import CountOptions, Options
    from .planning import EstimateOptions
    from .ratios import Ratio, SignedSum
    from .results import Estimate, Explanation, Result
    from .symmetry import Orbits
    from .values import Number, Real

__all__ = ["Methods"]


class Methods:
    """What a :class:`countpm.Graph` is asked. The functions' modules import graphs.py, so that they are imported when they are called."""

    __slots__ = ()

    def count(self, problem: str | None = None, **options: Unpack[CountOptions]) -> Result:
        """The count with all that is known of it, as :func:`countpm.count`.

        >>> import countpm
        >>> countpm.lattice("square:8x8").count().value
        12988816
        """
        from .counting import count

        return count(self, problem, **options)

    def perfect_matchings(self, **options: Unpack[CountOptions]) -> Number:
        """The number of perfect matchings, as :func:`countpm.perfect_matchings`."""
        from .counting import perfect_matchings

        return perfect_matchings(self, **options)

    def maximum_matchings(self, **options: Unpack[CountOptions]) -> Number:
        """The number of matchings with the most edges, as :func:`countpm.maximum_matchings`."""
        from .counting import maximum_matchings

        return maximum_matchings(self, **options)

    def permanent(
        self,
        *,
        rows: Sequence[int] | None = None,
        cols: Sequence[int] | None = None,
        **options: Unpack[CountOptions],
    ) -> Number:
        """The permanent of the matrix, as :func:`countpm.permanent`.

        >>> import countpm
        >>> countpm.Graph([[1, 2], [3, 4]], weight=True).permanent()
        10
        """
        from .counting import permanent

        return permanent(self, rows=rows, cols=cols, **options)

    def hafnian(self, *, copies: Sequence[int] | None = None, **options: Unpack[CountOptions]) -> Number:
        """The hafnian of the matrix, as :func:`countpm.hafnian`; for ``copies`` it was read without ``kind="undirected"``."""
        from .counting import hafnian

        return hafnian(self, copies=copies, **options)

    def cycle_covers(self, **options: Unpack[CountOptions]) -> Number:
        """The number of cycle covers of the directed graph, as :func:`countpm.cycle_covers`."""
        from .counting import cycle_covers

        return cycle_covers(self, **options)

    def ln_z(self, problem: str | None = None, **options: Unpack[Options]) -> Real:
        """The natural logarithm of the count, as :func:`countpm.ln_z`."""
        from .counting import ln_z

        return ln_z(self, problem, **options)

    def number_of_matchings(self, k: int | None = None, *, monomers: object = 1, **options: Unpack[CountOptions]) -> Number:
        """The number of all matchings, perfect or not, as :func:`countpm.number_of_matchings`."""
        from .monomers import number_of_matchings

        return number_of_matchings(self, k, monomers=monomers, **options)

    def matching_polynomial(self, **options: Unpack[CountOptions]) -> list[int | Fraction]:
        """The numbers of matchings with 0, 1, 2, ... edges, as :func:`countpm.matching_polynomial`."""
        from .monomers import matching_polynomial

        return matching_polynomial(self, **options)

    def loop_hafnian(self, *, copies: Sequence[int] | None = None, **options: Unpack[Options]) -> Number:
        """The loop hafnian of the matrix, as :func:`countpm.loop_hafnian`; the matrix was read without ``kind="undirected"``."""
        from .monomers import loop_hafnian

        return loop_hafnian(self, copies=copies, **options)

    def number_of_factors(self, degree: int | Mapping[Any, int] = 2, **options: Unpack[Options]) -> Number:
        """The number of sets of edges that have ``degree`` edges at every vertex, as :func:`countpm.number_of_factors`."""
        from .ground_states import number_of_factors

        return number_of_factors(self, degree, **options)

    def ground_state(self, which: Literal["min", "max"] = "min", **options: Unpack[Options]) -> GroundState:
        """The least or largest weight and how many have it, as :func:`countpm.ground_state`; the graph was read with its weights."""
        from .ground_states import ground_state

        return ground_state(self, which, **options)

    def count_orbits(self, problem: str | None = None, **options: Unpack[Options]) -> Orbits:
        """The number of matchings up to symmetry, as :func:`countpm.count_orbits`."""
        from .symmetry import count_orbits

        return count_orbits(self, problem, **options)

    def determinant(self, **options: Unpack[Options]) -> Number:
        """The determinant of the matrix, as :func:`countpm.determinant`."""
        from .determinants import determinant

        return determinant(self, **options)

    def pfaffian(self, **options: Unpack[Options]) -> Number:
        """The Pfaffian of the skew-symmetric matrix, as :func:`countpm.pfaffian`."""
        from .determinants import pfaffian

        return pfaffian(self, **options)

    def minors(
        self,
        column: int | None = None,
        *,
        rows: Sequence[int] | None = None,
        cols: Sequence[int] | None = None,
        **options: Unpack[Options],
    ) -> list[Number]:
        """The permanents without a column and each row in turn, as :func:`countpm.minors`."""
        from .photons import minors

        return minors(self, column, rows=rows, cols=cols, **options)

    def explain(
        self,
        problem: str | None = None,
        *,
        assume: Mapping[str, str | int] | None = None,
        **options: Unpack[Options],
    ) -> Explanation:
        """What a count would take by every method, as :func:`countpm.explain`."""
        from .planning import explain

        return explain(self, problem, assume=assume, **options)

    def estimate(
        self,
        problem: str | None = None,
        *,
        error: float | None = None,
        ln_error: float | None = None,
        confidence: float | None = None,
        guarantee: tuple[float, float] | None = None,
        monomers: object = None,
        replicates: int = 1,
        ln_weights: bool = False,
        **options: Unpack[EstimateOptions],
    ) -> Estimate:
        """An estimate with its error, as :func:`countpm.estimate`."""
        from .planning import estimate

        return estimate(
            self,
            problem,
            error=error,
            ln_error=ln_error,
            confidence=confidence,
            guarantee=guarantee,
            monomers=monomers,
            replicates=replicates,
            ln_weights=ln_weights,
            **options,
        )

    def bounds(self, problem: str | None = None, **options: Unpack[Options]) -> Bounds:
        """Between which numbers the count lies for certain, as :func:`countpm.bounds`."""
        from .planning import bounds

        return bounds(self, problem, **options)

    def count_or_bounds(self, problem: str | None = None, **options: Unpack[Options]) -> Result | BoundedCount:
        """The count, or what is certain of it beyond the limits, as :func:`countpm.count_or_bounds`."""
        from .planning import count_or_bounds

        return count_or_bounds(self, problem, **options)

    def signed_sum(
        self,
        problem: str | None = None,
        *,
        error: float | None = None,
        ln_error: float | None = None,
        confidence: float | None = None,
        **options: Unpack[EstimateOptions],
    ) -> SignedSum:
        """The sum of negative or complex weights by samples, as :func:`countpm.signed_sum`."""
        from .ratios import signed_sum

        return signed_sum(self, problem, error=error, ln_error=ln_error, confidence=confidence, **options)

    def ratio(
        self,
        other: object,
        problem: str | None = None,
        *,
        error: float | None = None,
        ln_error: float | None = None,
        confidence: float | None = None,
        **options: Unpack[EstimateOptions],
    ) -> Ratio:
        """The sum of this graph over that of another on the same vertices, as :func:`countpm.ratio`."""
        from .ratios import ratio

        return ratio(self, other, problem, error=error, ln_error=ln_error, confidence=confidence, **options)

    def iter_matchings(
        self,
        problem: str | None = None,
        *,
        first: int = 1,
        last: int | None = None,
        monomers: bool = False,
        up_to_symmetry: bool = False,
        **options: Unpack[Options],
    ) -> Matchings:
        """All matchings one by one, as :func:`countpm.iter_matchings`."""
        from .listing import iter_matchings

        return iter_matchings(self, problem, first=first, last=last, monomers=monomers, up_to_symmetry=up_to_symmetry, **options)

    def sample(
        self,
        number: int = 1,
        problem: str | None = None,
        *,
        monomers: object = None,
        sampler: str = "auto",
        **options: Unpack[Options],
    ) -> Any:
        """Matchings drawn at random, as :func:`countpm.sample`."""
        from .listing import sample

        return sample(self, number, problem, monomers=monomers, sampler=sampler, **options)

    def marginals(
        self,
        problem: str | None = None,
        *,
        monomers: object = None,
        sampled: bool = False,
        error: float = 0.01,
        samples: int | None = None,
        sampler: str | None = None,
        **options: Unpack[Options],
    ) -> Any:
        """How likely each edge is, as :func:`countpm.marginals`.

        >>> import countpm
        >>> countpm.Graph([("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]).marginals()["a", "b"]
        0.5
        """
        from .listing import marginals

        return marginals(
            self,
            problem,
            monomers=monomers,
            sampled=sampled,
            error=error,
            samples=samples,
            sampler=sampler,
            **options,
        )

    def pair_marginals(
        self,
        pairs: Sequence[tuple[Any, Any]],
        problem: str | None = None,
        *,
        monomers: object = None,
        sampled: bool = False,
        error: float = 0.01,
        samples: int | None = None,
        sampler: str | None = None,
        **options: Unpack[Options],
    ) -> Any:
        """How likely two edges are together, as :func:`countpm.pair_marginals`."""
        from .listing import pair_marginals

        return pair_marginals(
            self,
            pairs,
            problem,
            monomers=monomers,
            sampled=sampled,
            error=error,
            samples=samples,
            sampler=sampler,
            **options,
        )

    def kekule(self, **options: Unpack[Options]) -> Kekule:
        """The Kekulé structures and bond orders of the molecule, as :func:`countpm.kekule`."""
        from .chemistry import kekule

        return kekule(self, **options)
