"""What count(), explain() and estimate() tell: read from the JSON that the command writes (docs/json.md)."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from typing import Any

from . import _core
from .answers import Answer, error_of, is_exact
from .errors import in_python
from .graphs import Graph
from .values import Number, short

__all__ = ["Block", "BlockForecast", "Check", "Estimate", "Explanation", "Forecast", "Result", "Violator"]

#: Graphs of more vertices or edges are not kept with their results, nor drawn.
MOST_DRAWN = 1000
MOST_DRAWN_EDGES = 5000


@dataclass(frozen=True)
class Check:
    """A test that a result passed. ``ok`` is None where it does not apply; ``detail`` says what was compared, or why."""

    name: str
    ok: bool | None
    detail: str


@dataclass(frozen=True)
class Block:
    """A part that one method counted.

    Attributes:
        rows: of its matrix; of a ``general`` block, one with odd cycles, its vertices.
        edges: its entries that are not 0.
        method: what counted it, ``"reductions"`` where nothing was left.
        count: in decimal.
        seconds, predicted_seconds: how long it took, and was to take.
        work: as predicted, in ``work_name``.
        plan: how the method cut its work up, in words; may be empty.
    """

    rows: int
    edges: int
    general: bool
    method: str
    count: str
    seconds: float
    predicted_seconds: float
    work: float
    work_name: str
    arithmetic: str
    kernel: str | None = None
    plan: str = ""


@dataclass(frozen=True)
class Violator:
    """Why a count is 0: vertices with too few neighbours (Hall); of a graph with odd cycles more odd components than
    neighbours (Tutte). All are vertices as the caller has them; of a matrix row and column numbers.

    Attributes:
        side: ``"left"``, ``"right"``, ``"rows"``, ``"columns"``, ``"tails"``, ``"heads"`` or ``"vertices"``.
    """

    side: str
    vertices: tuple[Any, ...]
    neighbours: tuple[Any, ...]
    odd_components: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class Forecast:
    """What a method would make of a block.

    Attributes:
        obstacle: why it cannot; None where it can.
        log10_seconds, log10_work: predicted; None where it cannot. Work is in ``work_name``.
        memory_bytes: predicted.
        measured: whether the rate was measured on this block; else it is nominal.
        device: ``"cpu"``, ``"gpu"`` or ``"gpu+cpu"``.
        chosen: whether a count would take it.
    """

    method: str
    obstacle: str | None
    log10_seconds: float | None
    log10_work: float | None
    work_name: str
    plan: str
    memory_bytes: int
    measured: bool
    device: str
    chosen: bool


@dataclass(frozen=True)
class BlockForecast:
    """A block that is left to count, and what every method would make of it."""

    rows: int
    edges: int
    general: bool
    log2_bound: float
    arithmetic: str
    methods: tuple[Forecast, ...]


def _as(kind: type[Any], entry: dict[str, Any]) -> Any:
    names = {field.name for field in fields(kind)}
    return kind(**{key: value for key, value in entry.items() if key in names})


def _shown(nodes: tuple[Any, ...]) -> list[str]:
    return [str(node).encode("utf-8", "backslashreplace").decode() for node in nodes]


class _Report:
    """The command's JSON object, the page, and the caller's names of vertices."""

    def __init__(self, found: dict[str, Any], graph: Graph, notes: tuple[str, ...] = ()) -> None:
        text: str = found["json"]
        self._text = text
        self._read_notes = (*graph.notes, *notes)
        self._report: _core.Report | str = found["report"]  # a page where it was pickled
        self._graph = graph.core if graph.number_of_vertices <= MOST_DRAWN and graph.number_of_edges <= MOST_DRAWN_EDGES else None
        if '"violator": null' not in text and '"violator":null' not in text:
            self._violator = self._named(self._json["violator"], graph)
        else:
            self._violator = None

    @cached_property
    def _json(self) -> dict[str, Any]:
        return json.loads(self._text)  # type: ignore[no-any-return]

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        state.pop("_json", None)
        state["_report"] = self._repr_html_()
        state["_graph"] = None
        return state

    @staticmethod
    def _named(entry: dict[str, Any] | None, graph: Graph) -> Violator | None:
        if entry is None:
            return None
        side = entry["side"]
        if graph._form == "file":
            own: dict[str, Any] = {}
            other = own
        else:
            left, right = graph.nodes, graph.right_nodes if graph.kind == "bipartite" else graph.nodes
            sides = {str(at): node for at, node in enumerate(left)}, {str(at): node for at, node in enumerate(right)}
            own, other = sides if side not in ("right", "columns", "heads") else sides[::-1]

        def names(labels: list[str], table: dict[str, Any]) -> tuple[Any, ...]:
            return tuple(table.get(label, label) for label in labels)

        return Violator(
            side,
            names(entry["vertices"], own),
            names(entry["neighbours"], other),
            tuple(names(component, own) for component in entry.get("odd_components") or ()),
        )

    @property
    def violator(self) -> Violator | None:
        """Why the count is 0; None where it is not."""
        return self._violator

    @property
    def notes(self) -> tuple[str, ...]:
        """What one should know: sides of different sizes, zeros left out, ..."""
        return (*self._read_notes, *map(in_python, self._json["notes"]))

    @property
    def problem(self) -> str:
        """``"perfect matchings"``, ``"cycle covers"``, ``"perfect matchings of a general graph"``, ``"maximum matchings"``, ..."""
        return str(self._json["problem"])

    @property
    def matching_size(self) -> int | None:
        """How many edges each of the matchings has that need not be perfect; None where perfect ones are counted."""
        found = self._json["maximum_matching"]
        return None if found is None else int(found["size"])

    @property
    def free_vertices(self) -> int | None:
        """How many vertices each of them leaves free; None where perfect ones are counted."""
        found = self._json["maximum_matching"]
        return None if found is None else int(found["free_vertices"])

    @property
    def settings(self) -> dict[str, str]:
        """What ``set`` set, by name (docs/settings.md); of an estimate nothing."""
        return dict(self._json.get("settings", {}))

    @property
    def reductions(self) -> dict[str, dict[str, int]]:
        """For every reduction rule how often it was applied, and how many lines it removed."""
        return self._json["reductions"] or {}

    def to_dict(self) -> dict[str, Any]:
        """The object that the command writes with ``--json``; docs/json.md has its keys."""
        return json.loads(self._text)  # type: ignore[no-any-return]

    def to_json(self) -> str:
        """The same as text."""
        return self._text

    def _repr_html_(self) -> str:
        """The page that the command writes with ``--html``, for Jupyter; with a picture of graphs up to 1000 vertices."""
        if isinstance(self._report, str):
            return self._report
        names = None
        if self._violator is not None:
            violator = self._violator
            odd = [_shown(component) for component in violator.odd_components]
            names = _shown(violator.vertices), _shown(violator.neighbours), odd
        return self._report.page(self._graph, names, list(self._read_notes))


class Result(_Report, Answer):
    """A count with all that is known of it; an :class:`countpm.Answer`.

    Attributes:
        value: ``int``, ``Fraction``, :class:`countpm.Real`, :class:`countpm.Complex` or :class:`countpm.ComplexFraction`; where
            weights have letters a :class:`countpm.Polynomial`.

    Results can be pickled, with the page that Jupyter shows.
    """

    value: Number

    def __init__(self, value: Number, found: dict[str, Any], graph: Graph, notes: tuple[str, ...] = ()) -> None:
        super().__init__(found, graph, notes)
        self.value = value
        self._proof: str | None = found.get("proof")

    @property
    def exact(self) -> bool:
        """False for floats and complex numbers as weights, unless there is no perfect matching."""
        return bool(self._json["exact"])

    @property
    def proved(self) -> bool:
        """Enough residues for the bound, every one computed (docs/checks.md)."""
        return bool(self._json["proved"])

    @property
    def residues(self) -> dict[int, int]:
        """With ``modulo``: the residue of the count modulo each of the numbers. Nothing else is known of the count then."""
        return {int(one["modulus"]): int(one["residue"]) for one in self._json["residues"]}

    @property
    def proof(self) -> str | None:
        """The proof that was asked for, as the text of its file (docs/proofs.md)."""
        return self._proof

    @property
    def log10(self) -> float:
        """Of the absolute value; -inf for 0, nan with ``modulo``."""
        value = self._json["log10"]
        if self._json["residues"]:
            return math.nan
        return -math.inf if value is None else float(value)

    @property
    def error(self) -> float:
        """How far the true value may be away: 0.0 where the value is exact."""
        return error_of(self.value)

    @property
    def entropy(self) -> dict[str, Any] | None:
        """Of perfect matchings: ``ln_z``, ``per_vertex``, ``per_dimer``, and of lattices the known ``limit``."""
        return self._json["entropy"]  # type: ignore[no-any-return]

    @property
    def method(self) -> str:
        """Of the block that took longest; ``"structure"`` or ``"reductions"`` where none was left for a method."""
        return str(self._json["method"])

    @property
    def device(self) -> str:
        """``"cpu"``, ``"gpu"`` or ``"gpu+cpu"``."""
        return str(self._json["device"])

    @property
    def threads(self) -> int:
        return int(self._json["threads"])

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        return tuple(_as(Block, block) for block in self._json["blocks"])

    @cached_property
    def checks(self) -> tuple[Check, ...]:
        """Those that were made; one that fails raises CheckError, and there is no result."""
        return tuple(_as(Check, check) for check in self._json["checks"])

    @property
    def seconds(self) -> float:
        """How long it took, from reading to the last check."""
        return float(self._json["seconds"]["total"])

    @property
    def stages(self) -> dict[str, float]:
        """The seconds of each stage: ``read``, ``structure``, ``reduce``, ``plan``, ``count``, ``verify`` and ``proof``."""
        return {name: seconds for name, seconds in self._json["seconds"].items() if name != "total"}

    def __repr__(self) -> str:
        if self._json["residues"]:
            return f"<Result {', '.join(f'{residue} modulo {modulus}' for modulus, residue in self.residues.items())}, method={self.method!r}>"
        return f"<Result {short(self.value, self.log10)}, method={self.method!r}, exact={self.exact}>"


class Explanation(_Report):
    """What a count would take."""

    @property
    def feasible(self) -> bool:
        """Within the limits."""
        return bool(self._json["feasible"])

    @property
    def log10_seconds(self) -> float:
        """Of all blocks together; inf where no method can, -inf where nothing is left to count."""
        value = self._json["log10_total_seconds"]
        if value is None:
            return -math.inf if self.feasible else math.inf
        return float(value)

    @property
    def seconds(self) -> float:
        """The same as a number of seconds; inf where it is too large for a float."""
        return _power_of_ten(self.log10_seconds)

    @property
    def methods(self) -> tuple[str | None, ...]:
        """For each block the method that would count it; None where none can."""
        return tuple(next((m.method for m in block.methods if m.chosen), None) for block in self.blocks)

    @cached_property
    def blocks(self) -> tuple[BlockForecast, ...]:
        """What is left to count, largest first."""
        found = []
        for block in self._json["blocks"]:
            found.append(_as(BlockForecast, {**block, "methods": tuple(_as(Forecast, m) for m in block["methods"])}))
        return tuple(found)

    @property
    def load(self) -> tuple[float, int] | None:
        """While rates were measured: how many of the machine's cores other programs kept busy, and of how many.

        None where nothing was measured, or not for long enough to know.
        """
        load = self._json["load"]
        return None if load is None else (float(load["busy_with_others"]), int(load["cores"]))

    @property
    def matching_size(self) -> int:
        """Edges of a largest matching."""
        return int(self._json["matching_size"])

    @property
    def factor(self) -> Fraction | None:
        """What the reductions factored out; None where it is no exact number, or there is no perfect matching."""
        try:
            return Fraction(self._json["factor"])
        except (TypeError, ValueError):
            return None

    def __repr__(self) -> str:
        if self.violator is not None:
            return "<Explanation: no perfect matching, the count is 0>"
        time = self.log10_seconds
        words = "nothing left to count" if time == -math.inf else f"log10_seconds={time:.2f}"
        return f"<Explanation {len(self.blocks)} block{'' if len(self.blocks) == 1 else 's'}, {words}, feasible={self.feasible}>"


class Estimate(_Report, Answer):
    """An estimate with its error; an :class:`countpm.Answer`.

    Attributes:
        value: a float, ``inf`` where it is too large for one (``log10`` is not). It is an ``int`` only where nothing was left to
            sample, so that it is a count.
        exact: whether it is such a count, of exact weights.
        counted: whether nothing was left to sample, whatever the weights.
        error: the standard error; ``inf`` with a doubt.
        method: the sampler, or ``"count"``.
        log10: of the value; -inf for 0.
        log10_interval: (low, high), log10 of the interval's ends.
        relative_error: the interval's farther end over the estimate, minus 1; None with a doubt.
        confidence: of the interval.
        doubt: why the interval may not be believed; None where nothing speaks against it.
        guarantee: (epsilon, delta) where one was asked for.
        goal_met: whether the relative error, or the samples, that were asked for were reached.
        goal_missed: why not, in a sentence; None where it was met.
        text: the value in decimal, with as many digits as its error leaves, whatever its size: ``"6.1241e+43"``.
        ln_z, ln_z_error: ln of the value and its standard error; the error is None with a doubt and of a guarantee.
        effective_samples: how many equal samples would say as much, of the block that has the fewest.
        pareto_k: how heavy the tail of the weights is: below 0.5 the variance is finite, above 0.7 no error can be
            trusted; None where there is no tail, or it is too thin to measure.
        replicates: with ``replicates=N`` a dict for each (docs/json.md); else empty.
        spread: how far these lie apart beside their errors; None where one of them is in doubt.
        ln_weights: with ``ln_weights=True`` ln of each sample's weight, by replicate and block.
    """

    value: float | Number

    def __init__(self, found: dict[str, Any], exact: Number | None, graph: Graph, notes: tuple[str, ...] = ()) -> None:
        super().__init__(found, graph, notes)
        self.counted = exact is not None
        self.ln_weights: list[list[list[float]]] | None = found.get("ln_weights")
        self.log10: float = found["log10"]
        self.value = _power_of_ten(self.log10) if exact is None else exact
        self.log10_interval: tuple[float, float] = (found["low_log10"], found["high_log10"])
        relative_error = found["relative_error"]
        self.relative_error: float | None = relative_error if math.isfinite(relative_error) else None
        self.confidence: float | None = found["confidence"]
        self.doubt: str | None = found["doubt"] or None
        self.guarantee: tuple[float, float] | None = found["guarantee"]

    @property
    def exact(self) -> bool:
        return self.counted and is_exact(self.value)

    @property
    def error(self) -> float:
        if self.counted:
            return error_of(self.value)
        value = float(self.value)
        if value == 0 or not math.isfinite(value):
            return math.inf
        of_ln_z = self.ln_z_error
        if of_ln_z is None:
            of_ln_z = self.relative_error if self.guarantee is not None else None
        return math.inf if of_ln_z is None else value * of_ln_z

    @property
    def seconds(self) -> float:
        """How long it took, exact blocks and samples together."""
        return float(self._json["seconds"]["total"])

    @property
    def stages(self) -> dict[str, float]:
        """As of a :class:`countpm.Result`."""
        return {name: seconds for name, seconds in self._json["seconds"].items() if name != "total"}

    @property
    def method(self) -> str:
        return "count" if self.counted else self.sampler

    @property
    def interval(self) -> tuple[float, float]:
        """The interval's ends; ``inf`` where they are too large for a float."""
        low, high = self.log10_interval
        return _power_of_ten(low), _power_of_ten(high)

    @property
    def sampler(self) -> str:
        return str(self._json["sampler"])

    @property
    def goal_met(self) -> bool:
        return bool(self._json["goal_met"])

    @property
    def goal_missed(self) -> str | None:
        missed = self._json["goal_missed"]
        return None if missed is None else str(missed["text"])

    @property
    def text(self) -> str:
        entry = self._json["estimate"]
        return str(self._json["exact_count"] if entry is None else entry["estimate"])

    @property
    def ln_z(self) -> float:
        value = self._json["entropy"]["ln_z"]
        return -math.inf if value is None else float(value)

    @property
    def ln_z_error(self) -> float | None:
        error = self._json["entropy"]["ln_z_standard_error"]
        return None if error is None else float(error)

    @property
    def effective_samples(self) -> float:
        entry = self._json["estimate"]
        return 0.0 if entry is None else float(entry["effective_samples"])

    @property
    def pareto_k(self) -> float | None:
        entry = self._json["estimate"]
        k = None if entry is None else entry["pareto_k"]
        return None if k is None else float(k)

    @property
    def replicates(self) -> tuple[dict[str, Any], ...]:
        return tuple(self._json["replicates"])

    @property
    def spread(self) -> dict[str, Any] | None:
        spread: dict[str, Any] | None = self._json["spread"]
        return spread

    @property
    def samples(self) -> int:
        """How many were drawn; 0 where all was counted."""
        entry = self._json["estimate"]
        return 0 if entry is None else int(entry["samples"])

    @cached_property
    def checks(self) -> tuple[Check, ...]:
        return tuple(_as(Check, check) for check in self._json["checks"])

    def __repr__(self) -> str:
        if self.counted:
            return f"<Estimate exactly {short(self.value, self.log10)}>"
        value = f"{self.value:.6g}" if math.isfinite(self.value) else f"10**{self.log10:.6f}"
        low, high = self.log10_interval
        doubt = ", in doubt" if self.doubt else ""
        return f"<Estimate {value}, log10 from {low:.6f} to {high:.6f}, confidence={self.confidence}{doubt}>"


def _power_of_ten(log10: float) -> float:
    try:
        return float(10.0**log10)
    except OverflowError:
        return math.inf
