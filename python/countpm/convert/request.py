"""What is asked of a converter: the problem, and how the caller wants the graph to be read."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from .. import options
from ..errors import input_error, warn
from ..options import Weight

__all__ = [
    "ANY",
    "CYCLE_COVERS",
    "FACTORS",
    "GROUND_STATES",
    "HAFNIAN",
    "LOOP_HAFNIAN",
    "MATCHINGS",
    "MAXIMUM_MATCHINGS",
    "PERFECT_MATCHINGS",
    "PERMANENT",
    "Problem",
    "Request",
]

_KINDS = ("bipartite", "directed", "undirected", "symmetric")


@dataclass(frozen=True)
class Problem:
    """What is counted, and of what.

    Attributes:
        kinds: of graphs that it can be counted of.
        wants: those in words.
        matrix_kind: what a matrix is.
        edge_kind: what edges without a direction of their own are.
        file_kind: what a file is read as; None: what its format says.
        values: whether the values count without being asked for.
        matchings: which are counted, as the core calls them.
        matrices_only: whether an object that is no matrix is a mistake.
        advice: by the kind of a graph that does not fit, what to call instead.
    """

    name: str
    kinds: frozenset[str]
    wants: str
    matrix_kind: str
    edge_kind: str
    file_kind: str | None = None
    values: bool = False
    matchings: str = "perfect"
    matrices_only: bool = False
    advice: dict[str, str] = field(default_factory=dict)


ANY = Problem("graph", frozenset(_KINDS), "a graph", "bipartite", "undirected")
PERFECT_MATCHINGS = Problem(
    "perfect_matchings",
    frozenset({"bipartite", "undirected"}),
    "an undirected or bipartite graph",
    "bipartite",
    "undirected",
    advice={"directed": ": cycle_covers() counts its cycle covers, and kind='undirected' or to_undirected() forgets directions"},
)
MATCHINGS = Problem(
    "number_of_matchings",
    frozenset({"bipartite", "undirected"}),
    "an undirected or bipartite graph",
    "bipartite",
    "undirected",
    advice={"directed": ": kind='undirected' or to_undirected() forgets directions"},
)
MAXIMUM_MATCHINGS = replace(MATCHINGS, name="maximum_matchings", matchings="maximum")
FACTORS = replace(MATCHINGS, name="number_of_factors")
GROUND_STATES = Problem(
    "ground_state", frozenset({"bipartite", "directed", "undirected"}), "a graph or a matrix", "bipartite", "undirected"
)
PERMANENT = Problem(
    "permanent",
    frozenset({"bipartite", "directed"}),
    "a matrix, rows by columns",
    "bipartite",
    "bipartite",
    file_kind="bipartite",
    values=True,
    matchings="smaller_side",
    matrices_only=True,
    advice={"undirected": ": hafnian() is its count, and kind='bipartite' reads a file as a matrix"},
)
DETERMINANT = replace(PERMANENT, name="determinant", advice={"undirected": ": kind='bipartite' reads a file as a matrix"})
PFAFFIAN = replace(DETERMINANT, name="pfaffian")
HAFNIAN = Problem(
    "hafnian",
    frozenset({"undirected"}),
    "a symmetric matrix",
    "undirected",
    "undirected",
    file_kind="undirected",
    values=True,
    matrices_only=True,
    advice={"bipartite": ": permanent() is its count", "directed": ": permanent() is its count"},
)
LOOP_HAFNIAN = Problem(  # the core looks whether the matrix is symmetric
    "loop_hafnian",
    frozenset({"bipartite"}),
    "a symmetric matrix, its diagonal included",
    "bipartite",
    "bipartite",
    file_kind="bipartite",
    values=True,
    matrices_only=True,
    advice={
        "undirected": ": of a graph number_of_matchings() adds up all matchings",
        "directed": ": give it as a matrix",
    },
)
CYCLE_COVERS = Problem(
    "cycle_covers",
    frozenset({"directed"}),
    "a directed graph",
    "directed",
    "directed",
    file_kind="directed",
    advice={
        "undirected": ": kind='symmetric' makes each edge an arc both ways",
        "bipartite": ": permanent() or perfect_matchings() is its count",
    },
)


@dataclass(frozen=True)
class Request:
    """The problem and the options of countpm.Graph."""

    problem: Problem
    kind: str | None = None
    weight: Weight = None
    exact: bool = False
    multi: str = "reject"
    loops: str = "reject"
    columns: tuple[str, str] = ("source", "target")
    asked: bool = True  # else for a Graph, of which something is asked later

    def __post_init__(self) -> None:
        if self.kind is not None:
            options.choice("kind", self.kind, _KINDS)
        if self.multi != "reject":
            options.choice("multi", self.multi, ("reject", "sum"))
        if self.loops != "reject":
            options.choice("loops", self.loops, ("reject", "drop"))

    @property
    def values(self) -> bool:
        """Whether the values of a matrix count."""
        return self.problem.values or self.weight is True

    @property
    def symmetric(self) -> bool:
        """Whether the values are those of a symmetric matrix, which rounding may have made less so."""
        return self.values and (self.problem is LOOP_HAFNIAN or (self.kind or self.problem.matrix_kind) == "undirected")

    @property
    def drops_loops(self) -> bool:
        """Whether a diagonal of a symmetric matrix means nothing: to the hafnian it does not."""
        return self.loops == "drop" or self.problem is HAFNIAN

    def matrix_kind(self, where: str) -> str:
        """What a matrix is, and a clear error where it can be no such thing."""
        if self.kind == "symmetric":
            raise input_error(where, "kind='directed' for a square matrix", "kind='symmetric', which is for undirected graphs")
        if self.weight not in (None, True, False):
            raise input_error(where, "weight=True, or no weight, of a matrix", f"weight={self.weight!r}")
        return self.kind or self.problem.matrix_kind

    def network_kind(self, where: str, directed: bool) -> str:
        """What a graph object is: its own word, or an undirected graph made symmetric."""
        self.refuse_network(where)
        if self.kind == "bipartite":
            raise input_error(
                where, "kind='undirected', or no kind (an undirected graph may well be bipartite)", "kind='bipartite'"
            )
        if not directed:
            if self.kind == "directed":
                raise input_error(where, "a directed graph", "an undirected one: kind='symmetric' makes each edge an arc both ways")
            return self.kind or "undirected"
        if self.kind == "symmetric":
            raise input_error(where, "an undirected graph for kind='symmetric'", "a directed one")
        return self.kind or "directed"

    def refuse_network(self, where: str) -> None:
        if self.problem.matrices_only:
            raise input_error(
                where, f"a matrix: {self.problem.name}() is of its values", "a graph; perfect_matchings() and cycle_covers() take those"
            )


def weight_is_open(request: Request) -> bool:
    """Whether a question is asked, and nobody said that values count, or that they do not."""
    return request.asked and request.weight is None and not request.values


def warn_of_values(where: str, what: str) -> None:
    """That what might be weights is not used."""
    warn(f"{where}: {what} are not used as weights: weight=True uses them, weight=False says that each counts 1")
