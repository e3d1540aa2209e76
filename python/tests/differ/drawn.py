"""Small graphs by chance, a perfect matching in most of them, and what a case of a dialect is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from .networks import Network, network, number

Edge = tuple[str, str, str]  # two labels, and a weight as text ("" for none)


@dataclass(frozen=True)
class Case:
    """A file of a dialect. `second` reads its text (with line ends as \\n), or bytes where it is of bytes; `truth` is what was written."""

    file: str | bytes
    format: str  # countpm's name
    ending: str
    second: Callable[[Any], Network]
    truth: Network
    weight: bool = False
    kind: str | None = None
    by: tuple[str, ...] = ("content", "ending", "option")  # what says the format
    first_line: str | None = None


@dataclass(frozen=True)
class Drawn:
    """Edges from left to right, or among all vertices where right is empty."""

    left: list[str]
    right: list[str]
    edges: list[Edge]
    weighted: bool

    @property
    def vertices(self) -> list[str]:
        return self.left + self.right

    def as_network(self, kind: str = "undirected", lone: bool = False) -> Network:
        """lone: the format names vertices without an edge as well."""
        edges = [(u, v, number(w) if w else 1) for u, v, w in self.edges]
        if kind == "bipartite":
            return network(kind, edges, self.left if lone else (), self.right if lone else ())
        return network(kind, edges, self.vertices if lone else ())


def drawn_weight(random: Random, sort: str) -> str:
    if sort == "integer":
        return str(random.randint(1, 9))
    if sort == "signed":
        return str(random.choice((-3, -2, -1, 1, 2, 5)))
    if sort == "decimal":
        return random.choice((f"{random.uniform(0.1, 3):.3g}", f"{random.uniform(0.1, 3):.6f}", f"{random.uniform(1, 9):.4e}", str(float(random.randint(1, 4)))))
    if sort == "fraction":
        return f"{random.randint(1, 5)}/{random.randint(1, 5)}"
    return f"{random.randint(-3, 3)}{random.choice(('+', '-'))}{random.randint(1, 3)}j"


def drawn_labels(random: Random, count: int, first: int | None = None) -> list[str]:
    """first: numbers from it on."""
    if first is not None:
        return [str(first + k) for k in range(count)]
    style = random.randrange(6)
    if style == 0:
        names = ["Ann", "Bob", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal", "Ida", "Jo", "Kim", "Lee", "Mo", "Ned", "Ora", "Pat", "Quin", "Ron", "Sue", "Tom"]
        return random.sample(names, count)
    if style == 1:
        return [f"v{k}" for k in range(1, count + 1)]
    if style == 2:
        return ["abcdefghijklmnopqrstuvwxyz"[k] for k in range(count)]
    if style == 3:
        return [f"n{k:03d}" for k in range(count)]
    if style == 4:
        return [f"{letter}{k}" for k in range(count) for letter in ("C" if k % 2 else "N",)]
    return random.sample(["Zürich", "Bern", "Genf", "Basel", "Łódź", "São_Paulo", "Kyōto", "Nice", "Rom", "Oslo", "Ulm", "Wien", "Graz", "Linz", "Köln", "Bonn",
                          "Gent", "Lyon", "Metz", "Turin"], count)


def drawn_graph(random: Random, weights: tuple[str, ...] = ("",), numbers: bool | None = None, general: bool | None = None, first: int | None = None,
                each_has_edge: bool = False) -> Drawn:
    """weights: one sort for the graph ("": none). Most have 2 to 5 vertices a side, some up to 8."""
    general = random.random() < 0.4 if general is None else general
    numbers = random.random() < 0.6 if numbers is None else numbers
    if numbers and first is None:
        first = random.choice((0, 1))
    largest = 8 if random.random() < 0.04 else 4
    if general:
        count = 2 * random.randint(2, largest) - (random.random() < 0.1)
        left, right = drawn_labels(random, count, first if numbers else None), []
        pairs = [(u, v) for k, u in enumerate(left) for v in left[k + 1 :]]
        order = random.sample(left, count)
        planted = [(u, v) for u, v in zip(order[::2], order[1::2])]
    else:
        m = random.randint(2, largest)
        n = m if random.random() < 0.85 else random.randint(2, largest)
        labels = drawn_labels(random, m + n, first if numbers else None)
        left, right = labels[:m], labels[m:]
        pairs = [(u, v) for u in left for v in right]
        planted = list(zip(left, random.sample(right, n)))
    chance = random.choice((0.3, 0.5, 0.8))
    planted = planted if random.random() < 0.9 else []
    chosen = {frozenset(pair) for pair in planted} | {frozenset(pair) for pair in pairs if random.random() < chance}
    edges = [pair for pair in pairs if frozenset(pair) in chosen] or pairs[:1]
    if general:
        edges = [pair if random.random() < 0.7 else pair[::-1] for pair in edges]
    if random.random() < 0.5:
        random.shuffle(edges)
    if each_has_edge:
        ends = {vertex for edge in edges for vertex in edge}
        left, right = [u for u in left if u in ends], [v for v in right if v in ends]
    sort = random.choice(weights)
    return Drawn(left, right, [(u, v, drawn_weight(random, sort) if sort else "") for u, v in edges], bool(sort))


def drawn_rows(random: Random, weights: tuple[str, ...] = ("",), square: float = 0.85) -> list[list[str]]:
    """A matrix as text."""
    graph = drawn_graph(random, weights, numbers=True, general=False)
    if len(graph.left) != len(graph.right) and random.random() < square:
        return drawn_rows(random, weights, square)
    weight = {(u, v): w or "1" for u, v, w in graph.edges}
    return [[weight.get((u, v), "0") for v in graph.right] for u in graph.left]
