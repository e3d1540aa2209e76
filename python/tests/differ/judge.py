"""Reads a file both ways, and says whether they agree."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import countpm

from . import arrays, dialects, exchange, printed
from .drawn import Case
from .excused import excuse
from .mutations import mutated_bytes, mutated_text
from .networks import Network, Refused, is_near, is_same, of_countpm, sums

# A name, how often it is drawn, and how.
DIALECTS: dict[str, tuple[int, Callable[[Random], Case]]] = {
    "edge list (networkx)": (16, dialects.edge_list),
    "edge list, two sides (pandas)": (6, dialects.edge_list_of_sides),
    "edge list with data (networkx)": (3, dialects.networkx_data),
    "edge list, % (numpy)": (4, dialects.konect),
    "table with a header (pandas, csv)": (12, dialects.table),
    "table (pandas, csv)": (8, dialects.bare_table),
    "R's table (pandas)": (3, dialects.r_table),
    "arrows": (5, dialects.arrows),
    "n m and edges": (5, dialects.counted),
    "METIS": (8, dialects.metis),
    "DIMACS": (8, dialects.dimacs),
    "e u v": (2, dialects.letters),
    "adjacency list (networkx)": (6, dialects.adjacency_list),
    "adjacency list, ; (csv)": (3, dialects.comma_neighbours),
    "TGF": (5, dialects.tgf),
    "list of pairs": (3, dialects.pairs),
    "an edge and its value": (4, printed.joined_edges),
    "lists of neighbours": (4, printed.neighbour_lists),
    "dictionary (Python)": (3, printed.dictionary),
    "neighbours of numbered lines": (3, printed.numbered_lines),
    "matrix (numpy)": (10, arrays.dense_text),
    "savetxt (numpy)": (6, arrays.savetxt),
    "0110": (3, arrays.packed_rows),
    "spreadsheet (pandas)": (6, arrays.spreadsheet),
    "names above a matrix (csv)": (3, arrays.headed_matrix),
    "literal": (5, arrays.literal),
    "printed matrix": (4, arrays.printed),
    "n and a matrix": (3, arrays.sized_matrix),
    "Matrix Market (SciPy)": (8, arrays.matrix_market),
    "npy (numpy)": (5, arrays.npy),
    "npz (numpy)": (3, arrays.npz),
    "npz (SciPy)": (4, arrays.sparse_npz),
    "board": (4, arrays.board),
    "graph6, sparse6 (networkx)": (5, exchange.graph6),
    "GraphML (networkx)": (5, exchange.graphml),
    "DOT (pydot)": (2, exchange.dot),
    "GML (networkx)": (4, exchange.gml),
    "GEXF (networkx)": (4, exchange.gexf),
    "Pajek (networkx)": (4, exchange.pajek),
    "node-link JSON (networkx)": (4, exchange.node_link),
    "molfile (RDKit)": (5, exchange.molfile),
}
# Of formats that a countpm may not have, and of packages that may not be there.
FORMATS = {"GML (networkx)": "gml", "GEXF (networkx)": "gexf", "Pajek (networkx)": "pajek", "node-link JSON (networkx)": "json"}
PACKAGES = {"DOT (pydot)": "pydot", "molfile (RDKit)": "rdkit"}


def dialects_here() -> dict[str, tuple[int, Callable[[Random], Case]]]:
    """Those whose format countpm knows and whose second reader is installed."""
    return {name: entry for name, entry in DIALECTS.items() if _is_known(FORMATS.get(name)) and _is_there(PACKAGES.get(name))}


def _is_known(name: str | None) -> bool:
    try:
        if name:
            countpm.read(b"?", format=name)
    except countpm.UsageError:
        return False
    except countpm.InputError:
        pass
    return True


def _is_there(package: str | None) -> bool:
    try:
        if package:
            __import__(package)
    except ImportError:
        return False
    return True


class Named(io.BytesIO):
    """An open file of that name."""

    name = ""


def named(data: bytes, name: str) -> Named:
    file = Named(data)
    file.name = name
    return file


@dataclass
class Verdict:
    """outcome: same, second alone, countpm alone, both refuse, warned, excused, relabelled, or FOUND."""

    outcome: str
    dialect: str
    case: Case
    data: bytes
    by: str
    detail: str = ""
    warnings: list[str] = field(default_factory=list)
    ours: Network | None = None
    theirs: Network | None = None

    @property
    def found(self) -> bool:
        return self.outcome == "FOUND"

    def __str__(self) -> str:
        lines = [f"{self.outcome}: {self.dialect}, format by {self.by} ({self.case.format}, {self.case.ending}; weight={self.case.weight}, kind={self.case.kind}): {self.detail}",
                 f"    file: {self.data!r}"]
        lines += [f"    {who}: {what.kind} {what.left} {what.right} {what.weights}" for who, what in (("countpm", self.ours), ("second", self.theirs)) if what is not None]
        return "\n".join([*lines, *(f"    warning: {text}" for text in self.warnings)])


def decoded(data: bytes) -> str:
    """As Python's open() has text, with the byte order marks that spreadsheets write."""
    text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    return re.sub("\r*\n|\r", "\n", text)  # several CR in front of LF end one line, as countpm has it


def read_by_countpm(case: Case, data: bytes, by: str) -> tuple[Any, list[str], str]:
    """The graph (None where it is refused), warnings, and the refusal."""
    options: dict[str, Any] = {"weight": case.weight, "kind": case.kind, "first_line": case.first_line}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            if by == "option":
                graph = countpm.read(data, format=case.format, **options)
            else:
                graph = countpm.read(named(data, "graph" + case.ending) if by == "ending" else data, **options)
        except (countpm.InputError, countpm.UsageError) as error:
            return None, [], str(error)
    return graph, [str(warning.message) for warning in caught], ""


def read_by_second(case: Case, data: bytes) -> Network | None:
    """Whatever the second reader raises, it does not take the file; nor where it needs more than SECONDS, as some of them never end."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        before = signal.signal(signal.SIGALRM, _too_long)
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        try:
            return case.second(data if isinstance(case.file, bytes) else decoded(data))
        except Exception:  # noqa: BLE001: readers raise all there is
            return None
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


SECONDS = 10


def _too_long(signum: int, frame: Any) -> None:
    raise Refused("too long")


def counted(graph: Any) -> Any:
    """None where countpm refuses the count: rounding leaves no digit."""
    try:
        return countpm.cycle_covers(graph) if graph.kind == "directed" else countpm.perfect_matchings(graph)
    except countpm.UnableError:
        return None


MOST_VERTICES = 24  # of what is counted by definition


def judged(dialect: str, case: Case, data: bytes, by: str) -> Verdict:
    graph, said, refusal = read_by_countpm(case, data, by)
    theirs = read_by_second(case, data)
    verdict = Verdict("", dialect, case, data, by, refusal, said, None, theirs)
    if graph is None or theirs is None:
        verdict.outcome = "both refuse" if graph is None and theirs is None else "second alone" if graph is None else "countpm alone"
        return verdict
    verdict.ours = ours = of_countpm(graph)
    small = len(ours.left) + len(ours.right) <= MOST_VERTICES and len(theirs.left) + len(theirs.right) <= MOST_VERTICES
    if is_same(ours, theirs):
        verdict.outcome = "same"
        if small:
            value, (right, _) = counted(graph), _sums(theirs)
            # Beyond all doubles there is nothing to compare.
            if value is not None and right is not None and right - right == 0 and not is_near(value, right, sums(theirs, absolute=True)[0] if value != right else 0.0):
                verdict.outcome, verdict.detail = "FOUND", f"counted {value}, by definition {right}"
        return verdict
    if small:
        a, b = _sums(ours), _sums(theirs)
        if None not in a + b and all(map(is_near, a, b)) and len(ours.left) + len(ours.right) == len(theirs.left) + len(theirs.right):
            verdict.outcome = "relabelled"
            return verdict
        verdict.detail = f"sums over perfect and all matchings {a[0]}, {a[1]}, by the second reader {b[0]}, {b[1]}"
    if said:
        verdict.outcome = "warned"
        return verdict
    reason = excuse(dialect, data if isinstance(case.file, bytes) else decoded(data))
    verdict.outcome = "excused" if reason else "FOUND"
    verdict.detail = reason or verdict.detail
    return verdict


def _sums(of: Network) -> tuple[Any, Any]:
    try:
        return sums(of)
    except (Refused, OverflowError, TypeError):  # loops, floats beyond all, weights with letters
        return None, None


def drawn_case(random: Random, here: dict[str, tuple[int, Callable[[Random], Case]]]) -> tuple[str, Case, bytes, str]:
    """A dialect by its share, a file of it, mutated most times, and what says its format."""
    dialect = random.choices(list(here), [share for share, _ in here.values()])[0]
    case = here[dialect][1](random)
    times = random.choices((0, 1, 2, 3), (6, 64, 22, 8))[0]
    data = mutated_bytes(random, case.file, times) if isinstance(case.file, bytes) else mutated_text(random, case.file, times)
    return dialect, case, data, random.choice(case.by)


def judged_by_command(command: str, verdict: Verdict) -> Verdict | None:
    """The same file by the command, as a file or by a pipe: as much refused, the same warnings, the same number; None where it is so."""
    case = verdict.case
    graph, said, refusal = read_by_countpm(case, verdict.data, verdict.by)
    options = ["--json", "--threads", "1"]
    options += ["--weights"] if case.weight else []
    options += ["--kind", case.kind] if case.kind else []
    options += ["--first-line", case.first_line] if case.first_line else []
    options += ["--format", case.format] if verdict.by == "option" else []
    with tempfile.TemporaryDirectory() as folder:
        pipe = verdict.by != "ending" and len(verdict.data) % 2 == 1
        path = os.path.join(folder, "graph" + (case.ending if verdict.by == "ending" else ""))
        with open(path, "wb") as file:
            file.write(verdict.data)
        done = subprocess.run([command, "-" if pipe else path, *options], input=verdict.data if pipe else b"", capture_output=True, check=False)
    answer = json.loads(done.stdout) if done.stdout else {}
    problem = ""
    value = counted(graph) if graph is not None else None
    if graph is not None and value is None and done.returncode == 3:
        return None
    if (done.returncode == 2) != (graph is None) or done.returncode not in (0, 2):
        problem = f"exit code {done.returncode}, {answer.get('error')}; in process: {refusal or 'read'}"
    elif graph is not None and len([text for text in answer["warnings"] if "has no perfect matching" not in text]) != len(said):
        # That one is of the question, which reading alone does not know.
        problem = f"warnings {answer['warnings']}"
    elif graph is not None and not is_near(_value(answer["count"]), value(*[1] * len(value.variables)) if isinstance(value, countpm.Polynomial) else value, 1.0):
        problem = f"counted {answer['count']}, in process {value}"
    return Verdict("FOUND", verdict.dialect, case, verdict.data, verdict.by, "the command: " + problem, said) if problem else None


def _value(text: str) -> Any:
    from .networks import number

    if text.startswith("("):
        re, im = text[1:-1].split(",")
        return complex(float(number(re)), float(number(im)))
    return number(text)
