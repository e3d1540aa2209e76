"""Edges and neighbours as programs print them: 1-2 7, (1,2): 7, 1: [2, 4], dictionaries. A writer and its second reader for each."""

from __future__ import annotations

import ast
import re
from random import Random
from typing import Any

from .drawn import Case, Drawn, drawn_graph
from .networks import Network, Refused, network, number

_FORMS = ("{}-{} {}", "({},{}): {}", "{}:{} {}", "{}->{} [{}]", "({},{}) {}", "{} -- {}: {}", "{}_{} {}", "{}..{} {}", "{}|{} {}", "{}~{} {}", "{}--{}: {}")
_EDGE = re.compile(r"\(?\s*(\d+)\s*(?:->|--|\.\.|[-:_|~,])\s*(\d+)\s*\)?\s*:?\s*\[?\s*([-+./\de]+)\s*\]?")


def joined_edges(random: Random) -> Case:
    """Both ends in one word or in parentheses, and a value behind."""
    graph = drawn_graph(random, ("integer", "integer", "fraction"), numbers=True)
    form = random.choice(_FORMS)
    text = "\n".join(form.format(u, v, w or "1") for u, v, w in graph.edges) + "\n"

    def read(text: str) -> Network:
        lines = [line.strip() for line in text.split("\n") if line.strip() and line.strip()[0] not in "#%"]
        found = [_EDGE.fullmatch(line) for line in lines]
        if not found or not all(found):
            raise Refused("another line")
        return network("undirected", [(m[1], m[2], number(m[3])) for m in found if m])

    return Case(text, "edgelist", ".edges", read, graph.as_network(), weight=True, by=("content",))


def neighbour_lists(random: Random) -> Case:
    """A vertex and its neighbours in a list: 1: [2, 4], 1 -> 2,4."""
    graph = drawn_graph(random, numbers=True)
    beside: dict[str, list[str]] = {v: [] for v in graph.vertices}
    for u, v, _ in graph.edges:
        beside[u].append(v)
        beside[v].append(u)
    form = random.choice(("{}: [{}]", "{} -> {{{}}}", "{}: {}", "{} => [{}]", "{} [{}]"))
    comma = random.choice((",", ", "))
    text = "\n".join(form.format(v, comma.join(near)) for v, near in beside.items()) + "\n"

    def read(text: str) -> Network:
        edges, heads = [], []
        for line in text.split("\n"):
            if not line.strip() or line.strip()[0] in "#%":
                continue
            found = re.fullmatch(r"\s*(\d+)\s*(?::|->|=>|)\s*[\[{]?\s*((?:\d+\s*,\s*)*\d+)?\s*,?\s*[\]}]?\s*", line)
            if not found:
                raise Refused(line)
            heads.append(found[1])
            edges += [(found[1], v.strip(), 1) for v in (found[2] or "").split(",") if v.strip()]
        if len(set(heads)) != len(heads) or len({(u, v) for u, v, _ in edges}) != len(edges):
            raise Refused("a vertex or a neighbour twice")
        if not edges:
            raise Refused("no edge, which may be anything")
        return network("undirected", edges, heads)

    return Case(text, "adjlist", ".adjlist", read, graph.as_network(lone=True), by=("content", "option"))


def dictionary(random: Random) -> Case:
    """networkx's dictionaries of lists and of dictionaries, and edges with values."""
    sort = random.randrange(3)
    graph = drawn_graph(random, ("", "integer") if sort else ("",), numbers=True)
    beside: dict[int, Any] = {int(v): [] if sort == 0 else {} for v in graph.vertices}
    for u, v, w in graph.edges:
        for a, b in ((int(u), int(v)), (int(v), int(u))):
            if sort == 0:
                beside[a].append(b)
            else:
                beside[a][b] = {"weight": int(w)} if graph.weighted else {}
    value = {(int(u), int(v)): int(w or 1) for u, v, w in graph.edges} if sort == 2 else beside
    text = f"{random.choice(('', 'G = '))}{value}\n"

    def read(text: str) -> Network:
        found = ast.literal_eval(text.partition("=")[2].strip() if text.startswith("G =") else text.strip())
        if not isinstance(found, dict) or not found:
            raise Refused("no dictionary")
        edges, heads = [], []
        for key, near in found.items():
            if isinstance(key, tuple):
                u, v = key
                edges.append((str(u), str(v), number(str(near))))
                continue
            heads.append(str(key))
            if not isinstance(near, (list, tuple, set, dict)):
                raise Refused("no neighbours")
            for v in near:
                data = near[v] if isinstance(near, dict) else {}
                if not isinstance(data, dict) or set(data) - {"weight"}:
                    raise Refused("other data")
                edges.append((str(key), str(v), data.get("weight", 1)))
        weights = {}
        for u, v, w in edges:
            if weights.setdefault(frozenset((u, v)), w) != w:
                raise Refused("two weights of an edge")
        return network("undirected", edges, heads)

    return Case(text, "adjlist", ".txt", read, graph.as_network(lone=sort != 2), weight=graph.weighted and sort > 0, by=("content",))


def numbered_lines(random: Random) -> Case:
    """Neighbours of vertices 1, 2, 3, ..., a line each."""
    drawn = drawn_graph(random, numbers=True, each_has_edge=True)
    place = {v: str(k + 1) for k, v in enumerate(drawn.vertices)}
    graph = Drawn([place[v] for v in drawn.left], [place[v] for v in drawn.right], [(place[u], place[v], w) for u, v, w in drawn.edges], False)
    beside: dict[int, list[int]] = {int(v): [] for v in graph.vertices}
    for u, v, _ in graph.edges:
        beside[int(u)].append(int(v))
        beside[int(v)].append(int(u))
    text = "\n".join(" ".join(map(str, sorted(near))) for near in beside.values()) + "\n"

    def read(text: str) -> Network:
        rows = [[int(word) for word in line.split()] for line in text.split("\n") if line.strip() and line.strip()[0] not in "#%"]
        arcs = {(v, u) for v, row in enumerate(rows, 1) for u in row}
        if not all((u, v) in arcs and u != v for v, u in arcs) or len(arcs) != sum(map(len, rows)) or not arcs:
            raise Refused("not from both ends")
        return network("undirected", [(str(v), str(u), 1) for v, u in arcs], [str(k + 1) for k in range(len(rows))])

    return Case(text, "metis", ".txt", read, graph.as_network(lone=True), by=("content",))
