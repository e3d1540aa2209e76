"""Graphs as text that people write: edge lists, tables, neighbours. A writer and its second reader for each dialect."""

from __future__ import annotations

import csv
import io
import re
from random import Random
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd

from .drawn import Case, Drawn, drawn_graph
from .networks import Network, Refused, network, number

ANY = ("", "integer", "decimal", "fraction")


def _lines(text: str) -> list[str]:
    return text.split("\n")


def _rows_of_edges(graph: Drawn) -> list[list[str]]:
    return [[u, v, w] if graph.weighted else [u, v] for u, v, w in graph.edges]


def _joined(random: Random, rows: list[list[str]], separator: str, comment: str = "#") -> str:
    lines = [separator.join(row) for row in rows]
    if random.random() < 0.25:
        lines.insert(random.choice((0, 0, len(lines) // 2)), f"{comment} {random.choice(('edges', 'written by a program', 'u v', '2026'))}")
    return "\n".join(lines) + "\n"


def _no_lone_words(text: str) -> None:
    """networkx passes over lines of one word, a whole file in CSV as well, and takes a comment alone for a graph."""
    lengths = {len(line.partition("#")[0].split()) for line in _lines(text)}
    if 1 in lengths or not lengths - {0}:
        raise Refused("a line of one word, or none")


# networkx joins parallel edges and takes the last weight; countpm refuses them.
def _by_networkx(kind: str) -> Any:
    graph_type = nx.MultiDiGraph if kind == "directed" else nx.MultiGraph

    def read(text: str) -> Network:
        _no_lone_words(text)
        graph = nx.parse_edgelist(_lines(text), comments="#", nodetype=str, create_using=graph_type, data=(("weight", number),))
        return network(kind, [(u, v, data.get("weight", 1)) for u, v, data in graph.edges(data=True)], graph.nodes())

    return read


def _table(text: str, **options: Any) -> pd.DataFrame:
    text = "\n".join(line for line in _lines(text) if not line.startswith("#"))
    if options["sep"] != r"\s+":
        # Short lines, which pandas fills up; the first may be one shorter, and the others have names in front then.
        first, *lengths = [len(row) for row in csv.reader(filter(str.strip, _lines(text)), delimiter=options["sep"], skipinitialspace=True)] or [0]
        if len(set(lengths)) > 1 or (lengths and lengths[0] - first not in (0, 1)):
            raise Refused("short lines")
    frame = pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False, skipinitialspace=True, **options)
    if frame.isna().to_numpy().any():
        raise Refused("short lines")
    return frame


def _edges_of(frame: pd.DataFrame, ends: tuple[Any, Any], weight: Any, kind: str) -> Network:
    if not len(frame):
        raise Refused("a header alone")
    us, vs = frame[ends[0]].str.strip(), frame[ends[1]].str.strip()
    ws = [number(w) if w.strip() else 1 for w in frame[weight]] if weight is not None else [1] * len(us)
    if (us == "").any() or (vs == "").any() or us.str.contains('"').any() or vs.str.contains('"').any():
        raise Refused("an end without a name, or with quotation marks that pandas has left")
    return network(kind, list(zip(us, vs, ws)))


def edge_list(random: Random) -> Case:
    """u v [weight], networkx's own."""
    graph = drawn_graph(random, ANY)
    kind = "directed" if random.random() < 0.15 else "undirected"
    text = _joined(random, _rows_of_edges(graph), random.choice((" ", " ", "\t", "  ")))
    return Case(text, "edgelist", ".edgelist", _by_networkx(kind), graph.as_network(kind), graph.weighted, kind if kind == "directed" else None)


def edge_list_of_sides(random: Random) -> Case:
    """The same, left and right labels apart, read by pandas."""
    graph = drawn_graph(random, ANY, general=False)
    if random.random() < 0.5:  # both sides from 1
        place = {v: str(k + 1) for side in (graph.left, graph.right) for k, v in enumerate(side)}
        graph = Drawn(list(map(place.get, graph.left)), list(map(place.get, graph.right)), [(place[u], place[v], w) for u, v, w in graph.edges], graph.weighted)
    text = _joined(random, _rows_of_edges(graph), random.choice((" ", "\t")))

    def read(text: str) -> Network:
        text = "\n".join(line.strip() for line in _lines(text))
        # Lines of two words among those of three would be filled up; none has more than the first.
        frame = _table(text, sep=r"\s+", header=None, quoting=csv.QUOTE_NONE)
        if frame.shape[1] not in (2, 3):
            raise Refused("columns")
        return _edges_of(frame, (0, 1), 2 if frame.shape[1] == 3 else None, "bipartite")

    return Case(text, "edgelist", ".edgelist", read, graph.as_network("bipartite"), graph.weighted, "bipartite")


def networkx_data(random: Random) -> Case:
    """write_edgelist with its dictionaries."""
    graph = drawn_graph(random, ("", "integer", "decimal"))
    lines = [f"{u} {v} {{}}" if not graph.weighted else f"{u} {v} {{'weight': {w}}}" for u, v, w in graph.edges]

    def read(text: str) -> Network:
        _no_lone_words(text)
        found = nx.parse_edgelist(_lines(text), nodetype=str, data=True)
        for _, _, data in found.edges(data=True):
            if set(data) - {"weight"} or isinstance(data.get("weight", 1), (str, bytes, tuple, list, dict, set, bool, type(None))):
                raise Refused("other data")
        return network("undirected", [(u, v, data.get("weight", 1)) for u, v, data in found.edges(data=True)], found.nodes())

    return Case("\n".join(lines) + "\n", "edgelist", ".edgelist", read, graph.as_network(), graph.weighted)


def konect(random: Random) -> Case:
    """Comments with %, as KONECT and the network repository have them; numpy takes these."""
    graph = drawn_graph(random, ("", "integer"), numbers=True, first=1)
    text = "% sym unweighted\n" + _joined(random, _rows_of_edges(graph), random.choice((" ", "\t")), "%")

    def read(text: str) -> Network:
        rows = np.loadtxt(io.StringIO(text), comments="%", dtype=str, ndmin=2)
        if rows.size and rows.shape[1] not in (2, 3):
            raise Refused("columns")
        return network("undirected", [(row[0], row[1], number(row[2]) if len(row) > 2 else 1) for row in rows.tolist()])

    return Case(text, "edgelist", ".edges", read, graph.as_network(), graph.weighted)


_HEADS = (("source", "target"), ("from", "to"), ("src", "dst"), ("node1", "node2"), ("u", "v"), ("i", "j"), ("Source", "Target"), ("row", "col"))


def table(random: Random) -> Case:
    """Columns with a header, in any order, others beside them; pandas or Python's csv."""
    graph = drawn_graph(random, ANY)
    # Words that are vertices as well are vertices (docs/formats.md).
    ends = random.choice([heads for heads in _HEADS if not set(heads) & set(graph.vertices)])
    columns = {ends[0]: [u for u, _, _ in graph.edges], ends[1]: [v for _, v, _ in graph.edges]}
    if graph.weighted:
        columns["weight"] = [w for _, _, w in graph.edges]
    if random.random() < 0.2:
        columns[random.choice(("label", "kind", "time"))] = [random.choice("xyz") for _ in graph.edges]
    names = list(columns)
    if random.random() < 0.3:
        random.shuffle(names)
    if random.random() < 0.15:
        columns["id"] = [str(k + 1) for k in range(len(graph.edges))]
        names.insert(0, "id")
    separator = random.choice((",", ",", ";", "\t"))
    quote = '"' if random.random() < 0.15 else ""
    rows = [names] + [[quote + columns[name][k] + quote for name in names] for k in range(len(graph.edges))]
    text = "\n".join(map(separator.join, rows)) + "\n"

    def by_pandas(text: str) -> Network:
        frame = _table(text, sep=separator, header=0)
        return _edges_of(frame.rename(columns=str.strip), ends, "weight" if graph.weighted else None, "undirected")

    def by_csv(text: str) -> Network:
        lines = [line for line in _lines(text) if line.strip() and not line.startswith("#")]
        reader = csv.DictReader(lines, delimiter=separator, skipinitialspace=True, strict=True)
        records = [{name.strip(): value for name, value in record.items() if name is not None} for record in reader if not (None in record or None in record.values())]
        if not records or len(records) != len(lines) - 1 or len(set(reader.fieldnames or ())) != len(reader.fieldnames or ()):
            raise Refused("short, long or continued lines, or a name twice")
        return network("undirected", [_edge(record[ends[0]], record[ends[1]], record["weight"] if graph.weighted else "") for record in records])

    return Case(text, "csv", ".tsv" if separator == "\t" else ".csv", random.choice((by_pandas, by_csv)), graph.as_network(), graph.weighted)


def _edge(u: str, v: str, weight: str) -> tuple[str, str, Any]:
    if not u.strip() or not v.strip():
        raise Refused("an end without a name")
    return u.strip(), v.strip(), number(weight) if weight.strip() else 1


def bare_table(random: Random) -> Case:
    """Two or three columns without a header."""
    graph = drawn_graph(random, ANY)
    separator = random.choice((",", ",", ";", "\t", ", "))
    text = "\n".join(separator.join(row) for row in _rows_of_edges(graph)) + "\n"

    def by_pandas(text: str) -> Network:
        frame = _table(text, sep=separator.strip(" "), header=None, index_col=False)
        if frame.shape[1] not in (2, 3):
            raise Refused("columns")
        return _edges_of(frame, (0, 1), 2 if frame.shape[1] == 3 else None, "undirected")

    def by_csv(text: str) -> Network:
        lines = [line for line in _lines(text) if line.strip() and not line.startswith("#")]
        rows = list(csv.reader(lines, delimiter=separator.strip(" "), skipinitialspace=True, strict=True))
        if len({len(row) for row in rows}) != 1 or len(rows) != len(lines) or len(rows[0]) not in (2, 3):
            raise Refused("columns")
        return network("undirected", [_edge(row[0], row[1], row[2] if len(row) > 2 else "") for row in rows])

    return Case(text, "csv", ".csv", random.choice((by_pandas, by_csv)), graph.as_network(), graph.weighted)


def r_table(random: Random) -> Case:
    """R's write.table: names of rows, one field less above."""
    graph = drawn_graph(random, ("", "integer"))
    quote = random.choice(('"', ""))
    names = [*random.choice((("from", "to"), ("V1", "V2"), ("source", "target"))), *(["weight"] if graph.weighted else [])]
    lines = [" ".join(quote + name + quote for name in names)]
    lines += [" ".join([quote + str(k + 1) + quote, quote + u + quote, quote + v + quote, *([w] if graph.weighted else [])]) for k, (u, v, w) in enumerate(graph.edges)]

    def read(text: str) -> Network:
        frame = _table(text, sep=r"\s+", header=0, quotechar='"')
        return _edges_of(frame, (names[0], names[1]), "weight" if graph.weighted else None, "undirected")

    return Case("\n".join(lines) + "\n", "edgelist", ".txt", read, graph.as_network(), graph.weighted, by=("content", "ending"))


_ARROWS = ("--", "->", "<->", "=>", "-->", ":", "|", ";", "=", "to", "~")


def arrows(random: Random) -> Case:
    """a -- b, as igraph and Mathematica print edges."""
    graph = drawn_graph(random, ("", "integer"))
    arrow = random.choice(_ARROWS)
    text = _joined(random, [[u, arrow, v, *([w] if graph.weighted else [])] for u, v, w in graph.edges], " ")

    def read(text: str) -> Network:
        edges = []
        for line in _lines(text):
            words = line.partition("#")[0].split()
            if not words:
                continue
            if len(words) not in (3, 4) or words[1] != arrow:
                raise Refused(line)
            edges.append((words[0], words[2], number(words[3]) if len(words) == 4 else 1))
        if not edges:
            raise Refused("no edge")
        return network("undirected", edges)

    return Case(text, "edgelist", ".txt", read, graph.as_network(), graph.weighted, by=("content", "ending"))


def counted(random: Random) -> Case:
    """n m, and m edges, as in programming contests."""
    graph = drawn_graph(random, ("", "integer"), numbers=True, general=True)
    text = f"{len(graph.left)} {len(graph.edges)}\n" + "\n".join(map(" ".join, _rows_of_edges(graph))) + "\n"

    def read(text: str) -> Network:
        rows = [line.split() for line in _lines(text) if line.strip() and line[0] not in "#%"]
        (n, m), edges = map(int, rows[0]), [_edge(row[0], row[1], *row[2:] or [""]) for row in rows[1:]]
        numbers = [int(end) for edge in edges for end in edge[:2]]
        first = 0 if 0 in numbers else 1
        # "+1" is the vertex 1 by its number, and another one by its name.
        if len(edges) != m or n > 30 or any(not first <= end < n + first for end in numbers) or any("+" in end for edge in edges for end in edge[:2]):
            raise Refused("other numbers")
        return network("undirected", edges, [str(first + k) for k in range(n)])

    first = "0" in graph.left
    truth = graph.as_network(lone=True) if not first or any("0" in edge[:2] for edge in graph.edges) else read(text)
    return Case(text, "edgelist", ".txt", read, truth, graph.weighted, by=("content",), first_line="header" if random.random() < 0.3 else None)


def metis(random: Random) -> Case:
    """After METIS's manual: n m [fmt [ncon]], and a line of neighbours a vertex; % begins a comment."""
    graph = drawn_graph(random, ("", "", "integer"), numbers=True, first=1)
    beside: dict[str, list[tuple[str, str]]] = {v: [] for v in graph.vertices}
    for u, v, w in graph.edges:
        beside[u].append((v, w))
        beside[v].append((u, w))
    own = random.random() < 0.15
    code = ("1" if own else "") + ("1" if graph.weighted else "0" if own else "")
    code = code if not code or len(code) == 2 or random.random() < 0.5 else "00" + code
    lines = [f"{len(beside)} {len(graph.edges)} {code}".strip()]
    lines += [" ".join([*(["1"] if own else []), *(part for pair in near for part in pair if part)]) for near in beside.values()]
    if random.random() < 0.2:
        lines.insert(random.randint(0, len(lines)), "% of a mesh")
    return Case("\n".join(lines) + "\n", "metis", random.choice((".graph", ".metis")), read_metis, graph.as_network(lone=True), graph.weighted)


def read_metis(text: str) -> Network:
    lines = [line.split() for line in _lines(text) if not line.lstrip().startswith("%")]
    while lines and not lines[0]:
        del lines[0]
    n, m = int(lines[0][0]), int(lines[0][1])
    code = f"{lines[0][2]:0>3}" if len(lines[0]) > 2 else "000"
    own = int(lines[0][3]) if len(lines[0]) > 3 else 1
    skip = (code[0] == "1") + (own if code[1] == "1" else 0)
    step = 2 if code[2] == "1" else 1
    if n > 30 or set(code) - set("01") or len(code) > 3 or len(lines[0]) > 4 or any(lines[n + 1 :]) or len(lines) <= n:
        raise Refused("sizes")
    arcs: dict[tuple[int, int], Any] = {}
    for v, line in enumerate(lines[1 : n + 1], 1):
        near = line[skip:]
        if len(line) < skip or len(near) % step:
            raise Refused("odd numbers")
        for at in range(0, len(near), step):
            u = int(near[at])
            if not 1 <= u <= n or u == v or (v, u) in arcs:
                raise Refused(near[at])
            arcs[v, u] = number(near[at + 1]) if step == 2 else 1
    if len(arcs) != 2 * m or any(arcs.get((u, v)) != w for (v, u), w in arcs.items()):
        raise Refused("not from both ends")
    return network("undirected", [(str(v), str(u), w) for (v, u), w in arcs.items()], [str(k + 1) for k in range(n)])


def dimacs(random: Random) -> Case:
    """Colouring, shortest paths, maximum flow."""
    graph = drawn_graph(random, ("", "integer"), numbers=True, first=1)
    problem = random.choice(("edge", "col", "edge", "sp", "max"))
    letter = "a" if problem in ("sp", "max") else "e"
    lines = [f"c {random.choice(('a graph', 'FILE: x.col', 'p edge 9 9'))}"] if random.random() < 0.3 else []
    lines.append(f"p {problem} {len(graph.vertices)} {len(graph.edges)}")
    lines += [" ".join([letter, u, v, w or ("1" if problem in ("sp", "max") else "")]).strip() for u, v, w in graph.edges]
    kind = "directed" if letter == "a" else "undirected"
    return Case("\n".join(lines) + "\n", "dimacs", random.choice((".col", ".dimacs") if letter == "e" else (".gr", ".max")), read_dimacs, graph.as_network(kind, lone=True), True)


def read_dimacs(text: str) -> Network:
    sizes, letter, edges = None, "", []
    for line in _lines(text):
        words = line.split()
        if not words or words[0] == "c" or (words[0] == "n" and sizes):
            continue
        if words[0] == "p" and sizes is None and words[1] in ("edge", "col", "sp", "max"):
            letter = "a" if words[1] in ("sp", "max") else "e"
            sizes = [int(word) for word in words[2:]]
        elif words[0] == letter and len(words) in (3, 4):
            if not all(1 <= int(word) <= sizes[0] for word in words[1:3]):
                raise Refused(line)
            edges.append((str(int(words[1])), str(int(words[2])), number(words[3]) if len(words) == 4 else 1))
        else:
            raise Refused(line)
    if sizes is None or len(sizes) != 2 or sizes[0] > 30 or len(edges) != sizes[1]:
        raise Refused("sizes")
    return network("directed" if letter == "a" else "undirected", edges, [str(k + 1) for k in range(sizes[0])])


def letters(random: Random) -> Case:
    """DIMACS without its line p."""
    graph = drawn_graph(random, numbers=True)
    text = "\n".join(f"e {u} {v}" for u, v, _ in graph.edges) + "\n"

    def read(text: str) -> Network:
        rows = [line.split() for line in _lines(text) if line.strip() and line.split()[0] != "c"]
        if any(len(row) not in (3, 4) or row[0] != "e" for row in rows):
            raise Refused("another line")
        return network("undirected", [(str(int(row[1])), str(int(row[2])), 1) for row in rows])

    return Case(text, "edgelist", ".txt", read, graph.as_network(), by=("content",))


def adjacency_list(random: Random) -> Case:
    """networkx's: a vertex, and neighbours that were not in front before."""
    graph = drawn_graph(random)
    made = nx.Graph()
    made.add_nodes_from(graph.vertices)
    made.add_edges_from((u, v) for u, v, _ in graph.edges)
    lines = list(nx.generate_adjlist(made)) if random.random() < 0.5 else [" ".join([u, *made[u]]) for u in made]
    text = _joined(random, [line.split() for line in lines], " ")

    def read(text: str) -> Network:
        rows = [line.partition("#")[0].split() for line in _lines(text)]
        if len({row[0] for row in rows if row}) != sum(map(bool, rows)):
            raise Refused("a vertex twice in front")  # which networkx takes
        found = nx.parse_adjlist(_lines(text), nodetype=str)
        if not found.number_of_edges():
            raise Refused("no edge, which may be anything")
        return network("undirected", [(u, v, 1) for u, v in found.edges()], found.nodes())

    return Case(text, "adjlist", ".adjlist", read, graph.as_network(lone=True))


def tgf(random: Random) -> Case:
    """Trivial Graph Format, as yEd writes it."""
    graph = drawn_graph(random, ("", "", "integer"))
    named = random.random() < 0.6
    lines = [f"{v} {v if named else ''}".strip() for v in graph.vertices] + ["#"] + [" ".join([u, v, w]).strip() for u, v, w in graph.edges]

    def read(text: str) -> Network:
        heads, found, tails = text.partition("\n#\n")
        if not found:
            raise Refused("no line #")
        vertices = [line.split()[0] for line in _lines(heads) if line.strip()]
        edges = [line.split(None, 2) for line in _lines(tails) if line.strip()]
        if any(len(edge) < 2 for edge in edges) or len(set(vertices)) != len(vertices):
            raise Refused("short lines, or a vertex twice")
        if any(word[0] in "#%" for word in [*vertices, *(word for edge in edges for word in edge[:2])]):
            raise Refused("a name that begins with # or %")  # a comment elsewhere; the format has none
        return network("undirected", [(edge[0], edge[1], _label(edge[2:])) for edge in edges], vertices)

    return Case("\n".join(lines) + "\n", "tgf", ".tgf", read, graph.as_network(lone=True), graph.weighted)


def _label(words: list[str]) -> Any:
    try:
        return number(words[0]) if words else 1
    except (ValueError, Refused):
        if words[0][0] in "0123456789.+-(":
            raise Refused("a number that Python does not take") from None
        return 1


def comma_neighbours(random: Random) -> Case:
    """Gephi's adjacency lists in CSV: 1;2;4."""
    graph = drawn_graph(random)
    beside = {u: [v for u2, v, _ in graph.edges if u2 == u] for u in graph.vertices}
    separator = random.choice(";,")
    text = "\n".join(separator.join([u, *near]) for u, near in beside.items() if near) + "\n"

    def read(text: str) -> Network:
        lines = [line for line in _lines(text) if line.strip() and not line.startswith("#")]
        rows = [[word.strip() for word in row] for row in csv.reader(lines, delimiter=separator, strict=True, skipinitialspace=True)]
        if not all(all(row) for row in rows) or len({row[0] for row in rows}) != len(rows):
            raise Refused("empty fields, or a vertex twice")
        if all(len(row) == 1 for row in rows) or any(len(row) == 1 and re.search(r"[\s,;]", row[0]) for row in rows):
            raise Refused("another separator, which csv takes for a part of names")
        return network("undirected", [(row[0], v, 1) for row in rows for v in row[1:]], [row[0] for row in rows])

    return Case(text, "adjlist", ".adj", read, graph.as_network(), by=("option", "content"))


_PAIR = re.compile(r"\(\s*([^(),]+?)\s*,\s*([^(),]+?)\s*\)")


def pairs(random: Random) -> Case:
    """[(1, 2), (2, 3)], as Python prints edges."""
    graph = drawn_graph(random, numbers=True)
    text = "[" + ", ".join(f"({u}, {v})" for u, v, _ in graph.edges) + "]\n"

    def read(text: str) -> Network:
        rest = _PAIR.sub("", text).replace(",", "").split()
        if "".join(rest) not in ("[]", ""):
            raise Refused("another text")
        return network("undirected", [(u.strip("'\""), v.strip("'\""), 1) for u, v in _PAIR.findall(text)])

    return Case(text, "edgelist", ".txt", read, graph.as_network(), by=("content",))
