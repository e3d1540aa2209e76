"""A graph or a matrix that has been read and checked, and whose vertices are the caller's."""

from __future__ import annotations

import io
import os
from array import array
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from . import _core
from .errors import InputError, input_error
from .methods import Methods
from .options import Kind, Weight, copies
from .smiles import is_smiles_file, on_line, smiles_lines

__all__ = ["Graph", "ids_of", "input_of", "lattice", "read"]


def ids_of(raw: bytes) -> Sequence[int]:
    """Ids as the core hands them over: the bytes of 32-bit numbers."""
    return memoryview(raw).cast("I")


class Graph(Methods):
    """A graph or a matrix, read and checked once, to be counted as often as you like.

    All functions take what this takes; making a ``Graph`` first saves reading it again. The functions are its methods, too.

    Args:
        graph: one of

            * a networkx ``Graph`` or ``DiGraph``, an igraph or rustworkx graph;
            * an RDKit ``Mol``: its pi system (docs/formats-molecules.md), atoms by their indices;
            * a numpy array, a scipy.sparse matrix or array, a sympy or python-flint matrix, or a list of lists: a
              biadjacency matrix (rows on the left, columns on the right) unless ``kind`` says otherwise;
            * a list of tuples ``(u, v)`` or ``(u, v, weight)``: edges between any hashable objects;
            * a dict of neighbours, ``{u: [v, ...]}``, ``{u: {v: weight}}`` or networkx' ``{u: {v: {name: weight}}}``;
            * a pandas ``DataFrame``, an edge a line, in ``columns``;
            * a path or ``"lattice:..."``, as the command takes them (docs/formats.md, docs/lattices.md);
            * a ``Graph``.

        kind: ``"bipartite"``, ``"directed"``, ``"undirected"``, or ``"symmetric"``: an undirected graph as a directed
            one, each edge an arc both ways. Unless given: what the object itself says; edges are undirected, a
            matrix bipartite.
        weight: the name of an edge attribute (networkx: edges without it count 1) or column; True for the values of a
            matrix, a file, or the third places of triples; for rustworkx a function of an edge's payload. None: every
            edge counts 1, whatever its value, and a value of 0 is no edge.
        exact: take floats as the fractions that they are, and count exactly.
        multi: parallel edges are an error (``"reject"``), or their weights are added up (``"sum"``).
        loops: loops of an undirected graph are an error (``"reject"``), or left out (``"drop"``).
        columns: of a DataFrame, where an edge's ends are.

    Integers of any size, ``bool``, ``Fraction``, ``Decimal`` and the exact numbers of sympy, gmpy2 and python-flint
    are counted exactly; floats and complex numbers with a bound on the error.

    Raises:
        InputError: where it is no such graph: NaN or infinity, ragged rows, parallel edges, ...

    Time and memory: O(vertices + edges); the arrays of numpy and scipy are read where they lie.

    >>> import countpm
    >>> square = countpm.Graph([("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")])
    >>> square
    <Graph undirected, 4 vertices, 4 edges>
    >>> square.perfect_matchings()
    2
    >>> countpm.perfect_matchings(square)
    2
    """

    __slots__ = ("_form", "_lattice", "_nodes", "_right_nodes", "_values_left_out", "core", "notes", "shift")
    core: _core.Graph
    notes: tuple[str, ...]
    shift: Fraction | int
    _form: str
    _lattice: tuple[str, dict[str, Any]] | None
    _nodes: Sequence[Any] | None
    _right_nodes: Sequence[Any] | None
    _values_left_out: bool

    def __new__(
        cls,
        graph: object,
        *,
        kind: Kind | None = None,
        weight: Weight = None,
        exact: bool = False,
        multi: str = "reject",
        loops: str = "reject",
        columns: tuple[str, str] = ("source", "target"),
    ) -> Graph:
        from .convert import ANY, graph_of
        from .convert.matrices import has_values

        reading = {"kind": kind, "weight": weight, "exact": exact, "multi": multi, "loops": loops, "columns": columns}
        made = graph_of(graph, ANY, reading, asked=False)
        if weight is None and made is not graph and made.is_matrix:
            made._values_left_out = has_values(graph)
        return made

    @classmethod
    def _of(
        cls,
        core: _core.Graph,
        nodes: Sequence[Any] | None = None,
        right_nodes: Sequence[Any] | None = None,
        form: str = "network",
        notes: tuple[str, ...] = (),
    ) -> Graph:
        self = object.__new__(cls)
        self.core = core
        self._nodes = nodes
        self._right_nodes = right_nodes
        self._form = form
        self._lattice = None
        self._values_left_out = False
        self.notes = notes
        self.shift = 0  # that ground_state() has added to every weight, so that none is 0
        return self

    @property
    def kind(self) -> str:
        """``"bipartite"``, ``"directed"`` or ``"undirected"``."""
        return self.core.kind

    def repeated(self, rows: Sequence[int] | None = None, cols: Sequence[int] | None = None) -> Graph:
        """The matrix of which row i stands rows[i] times and column j cols[j] times; None: each once, 0: not at all.

        Raises:
            UsageError: where the numbers are not beside the lines, their sums differ, or the graph is undirected.

        >>> import countpm
        >>> countpm.permanent(countpm.Graph([[1, 2], [3, 4]], weight=True).repeated([2, 0], [1, 1]))    # 1 * 2 + 2 * 1
        4
        """
        made = Graph._of(self.core.repeated(copies("rows", rows), copies("cols", cols)), form=self._form, notes=self.notes)
        made._values_left_out = self._values_left_out
        return made

    def _exactly(self) -> Graph:
        """With complex weights that are summed exactly."""
        if not self.core.complex:
            return self
        exact = Graph._of(self.core.exactly(), self._nodes, self._right_nodes, self._form, self.notes)
        exact._lattice = self._lattice
        return exact

    @property
    def weighted(self) -> bool:
        """Whether edges have weights; else each counts 1."""
        return self.core.weighted

    @property
    def number_of_vertices(self) -> int:
        """Of both sides together."""
        return self.core.left + self.core.right

    @property
    def number_of_edges(self) -> int:
        return self.core.edges

    @property
    def nodes(self) -> Sequence[Any]:
        """The vertices as the caller has them (of a bipartite graph: of the left side), in the order of their ids."""
        if self._nodes is None:
            named = self._form == "file"
            self._nodes = self.core.left_labels() if named else range(self.core.left)
        return self._nodes

    @property
    def right_nodes(self) -> Sequence[Any]:
        """The right side of a bipartite graph; else empty."""
        if self._right_nodes is None:
            named = self._form == "file"
            self._right_nodes = self.core.right_labels() if named else range(self.core.right)
        return self._right_nodes

    @property
    def is_matrix(self) -> bool:
        """Whether it was given as a matrix, so that results are by rows and columns."""
        return self._form in ("numpy", "scipy", "rows")

    def edges(self) -> list[tuple[Any, Any]]:
        """The edges as pairs of the caller's vertices; of a matrix: (row, column)."""
        tails, heads = map(ids_of, self.core.edge_arrays())
        left = self.nodes
        right = self.right_nodes if self.kind == "bipartite" else left
        return [(left[u], right[v]) for u, v in zip(tails, heads)]

    def weights(self) -> list[Any] | None:
        """The weights beside :meth:`edges`; None where every edge counts 1."""
        values = self.core.weights_list()
        if values is None:
            return None
        return [Fraction(*value) if isinstance(value, tuple) else value for value in values]

    def __repr__(self) -> str:
        sides = f"{self.core.left} + {self.core.right}" if self.kind == "bipartite" else f"{self.core.left}"
        return f"<Graph {self.kind}, {sides} vertices, {self.core.edges} edges{', weighted' if self.weighted else ''}>"

    def __reduce__(self) -> tuple[Any, ...]:
        if self._lattice is not None:  # a torus counts, and a lattice is drawn, by what it is
            return _named_lattice, self._lattice
        tails, heads = self.core.edge_arrays()
        named = self._form == "file"
        nodes = self.nodes if named or self._nodes is not None else None
        right = self.right_nodes if named or self._right_nodes is not None else None
        sides = self.core.left, self.core.right
        return _graph_again, (self.kind, sides, tails, heads, self.core.weights_list(), nodes, right,
                              "network" if named else self._form, self.notes, self._values_left_out)

    def _repr_html_(self) -> str:
        from .pages import graph_page

        return graph_page(self)


def _graph_again(kind: str, sides: tuple[int, int], tails: bytes, heads: bytes, weights: Any, nodes: Any, right: Any,
                 form: str, notes: tuple[str, ...], values_left_out: bool = False) -> Graph:
    """A graph that was pickled."""
    ends = array("I", tails), array("I", heads)
    made = Graph._of(_core.Graph.from_edges(kind, *sides, *ends, weights), nodes, right, form, notes)
    made._values_left_out = values_left_out
    return made


def _named_lattice(argument: str, options: dict[str, Any]) -> Graph:
    """A lattice, which is pickled by its name."""
    graph = Graph._of(_core.Graph.read(argument, **options), form="file")
    graph._lattice = argument, options
    return graph


def read(
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
    embedding: str | os.PathLike[str] | None = None,
) -> Graph:
    """Reads a graph from a file, as the command does.

    Args:
        source: a path, ``"lattice:..."``, an open file, or the file's bytes. Formats: edge lists, Matrix Market, dense
            text, DIMACS, graph6, digraph6, sparse6, GraphML, DOT, GML, GEXF, Pajek, node-link JSON, molecules (mol, SDF,
            xyz), planar_code, VAX pictures and boards, each also compressed by gzip (docs/formats.md).
        format: a name that ``countpm formats`` lists; unless given, the file's ending and content tell. ``"smiles"``, or the
            ending .smi: a SMILES a line, which RDKit reads; vertices are then the places of the atoms in it, from 0.
        kind: ``"bipartite"``, ``"directed"``, ``"undirected"`` or ``"symmetric"``; unless given, what the format says.
        weight: whether the values count; of a table also the column that holds them, by name or by number from 1, and of
            GML, GEXF, Pajek and JSON the attribute of edges.
        multi: as for :class:`countpm.Graph`, or ``"first"``: an edge that is listed again, with the same weight, is one edge.
        loops: as for :class:`countpm.Graph`.
        remove: labels of vertices that are taken away with their edges.
        first_line: of a table: ``"edge"``, or ``"header"`` (names of columns, or numbers of vertices and edges). Unless
            given, the other lines tell, or there is an InputError that asks for it.
        ends: of a table: the columns that hold the ends of edges, by name or by number from 1; 1: both in the first word (1-2).
        embedding: a file that says how the graph is drawn on a surface, a line per vertex with its neighbours in clockwise order
            (docs/surfaces.md).

    Returns:
        A :class:`Graph`; its vertices are the file's labels, as text.

    Raises:
        InputError: with ``.file``, ``.line``, ``.expected`` and ``.found``.

    Warns:
        CountpmWarning: where another reading of the file would make the number another one.

    O(bytes) time, O(edges) memory.

    >>> import countpm
    >>> countpm.read(b"C1 C2\\nC2 C3\\nC3 C4\\n").nodes
    ['C1', 'C2', 'C3', 'C4']
    """
    symmetric = kind == "symmetric"
    options: dict[str, Any] = {
        "format": format,
        "kind": "directed" if symmetric else kind,
        "symmetric": symmetric,
        "multi": multi,
        "loops": loops,
        "remove": tuple(remove),
        **columns_of(weight, first_line, ends),
    }
    argument, data = input_of(source)
    drawing: dict[str, Any] = {} if embedding is None else {"embedding": os.fsdecode(embedding)}
    if is_smiles_file(argument, format):
        if drawing:
            raise input_error(argument, "no embedding: SMILES have none", repr(embedding))
        molecules = list(graphs_of_smiles(argument, data, options))
        if len(molecules) != 1:
            raise input_error(argument, "one molecule (read_many() and kekule_many() take several)", f"{len(molecules)} SMILES")
        if isinstance(molecules[0], InputError):
            raise molecules[0]
        return molecules[0]
    if data is not None:
        return Graph._of(_core.Graph.from_bytes(data, argument, **options, **drawing), form="file")
    if argument.startswith("lattice:"):
        return _named_lattice(argument, {**options, **drawing})
    return Graph._of(_core.Graph.read(argument, **options, **drawing), form="file")


def graphs_of_smiles(argument: str, data: bytes | None, options: dict[str, Any]) -> Iterator[Graph | InputError]:
    """The molecules of a file of SMILES, by RDKit; an InputError in place of a line that is none, or that has no pi system."""
    for option, unless in (("weights", False), ("remove", ()), ("first_line", None), ("ends", "")):
        if (options[option] or unless) != unless:
            raise input_error(argument, f"no {'weight' if option == 'weights' else option}: SMILES have none", repr(options[option]))
    kind: Kind | None = "symmetric" if options["symmetric"] else options["kind"]
    for number, molecule in smiles_lines(argument, data):
        if isinstance(molecule, InputError):
            yield molecule
            continue
        try:
            yield Graph(molecule, kind=kind, multi=options["multi"], loops=options["loops"])
        except InputError as error:
            yield on_line(number, argument, error)


def columns_of(weight: bool | str | int, first_line: str | None, ends: tuple[str | int, str | int] | str | int | None) -> dict[str, Any]:
    """What the core is told of a table: whether values count, and which columns hold what."""
    named = isinstance(weight, (str, int)) and not isinstance(weight, bool) and bool(weight)
    return {
        "weights": bool(weight),
        "first_line": first_line,
        "ends": "" if ends is None else str(ends) if isinstance(ends, (str, int)) else ",".join(str(column) for column in ends),
        "weight_column": str(weight) if named else "",
    }


def input_of(source: Any) -> tuple[str, bytes | None]:
    """What is read: a path or a lattice, or bytes and what errors call them."""
    if isinstance(source, (str, os.PathLike)):
        path = os.fsdecode(source)
        if not path or any("\udc80" <= letter <= "\udcff" for letter in path):
            raise input_error("<input>", "a path in UTF-8, an open file or bytes", f"the path {path!r}")
        return path, None
    name = "<bytes>"
    if hasattr(source, "read"):
        name = str(getattr(source, "name", "<file>"))
        source = source.read()
    if isinstance(source, str):
        source = source.encode()
    if not isinstance(source, (bytes, bytearray, memoryview)):
        raise input_error("<input>", "a path, an open file or bytes", f"an object of type {type(source).__name__}")
    return name, bytes(source)


def lattice(spec: str, *, weight: bool = False, kind: Kind | None = None, remove: Iterable[str] = ()) -> Graph:
    """A lattice by its name, such as ``"square:8x8"``, ``"hexagon:3x3x3"`` or ``"aztec:10"`` (docs/lattices.md).

    Args:
        spec: what stands after ``lattice:`` on the command line.
        weight: whether the weights of the specification count (``"square:4x4:weights=1,1/2"``).
        kind: unless given, what the lattice is; ``"symmetric"`` for its cycle covers.
        remove: labels of vertices that are taken away (monomers).

    Raises:
        UsageError, InputError: where there is no such lattice; the message lists those that there are.

    >>> import countpm
    >>> countpm.perfect_matchings(countpm.lattice("square:8x8"))
    12988816
    """
    if not isinstance(spec, str):
        raise input_error("<lattice>", "a name such as 'square:8x8'", f"an object of type {type(spec).__name__}")
    return read(spec if spec.startswith("lattice:") else f"lattice:{spec}", weight=weight, kind=kind, remove=remove)
