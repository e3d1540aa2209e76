"""Permanents, hafnians and matchings by their definitions."""

from __future__ import annotations

from itertools import permutations
from math import prod


def permanent(rows, columns=None):
    """The sum over all permutations; of m rows and more columns over the injections, else that of the transposed matrix."""
    m = len(rows)
    n = columns if columns is not None else len(rows[0]) if rows else 0
    if m > n:
        return permanent([[row[j] for row in rows] for j in range(n)], m)
    return sum((prod(rows[i][p[i]] for i in range(m)) for p in permutations(range(n), m)), 0)


def maximum_matchings(vertices, weights):
    """The number of edges of the largest matchings, and the sum over these; weights by frozensets of two vertices."""
    if not vertices:
        return 0, 1
    first, *others = vertices
    best, total = maximum_matchings(others, weights)
    for partner in others:
        weight = weights.get(frozenset((first, partner)))
        if weight is None:
            continue
        size, rest = maximum_matchings([v for v in others if v != partner], weights)
        if size + 1 > best:
            best, total = size + 1, 0
        if size + 1 == best:
            total += weight * rest
    return best, total


def pairings(vertices):
    """All ways to pair the vertices up: tuples of pairs, the first of each the smaller."""
    if not vertices:
        yield ()
        return
    first, *others = vertices
    for at, partner in enumerate(others):
        for rest in pairings(others[:at] + others[at + 1 :]):
            yield ((first, partner), *rest)


def hafnian(rows):
    """The sum over all pairings of the rows' numbers."""
    n = len(rows)
    if n % 2:
        return 0
    return sum((prod(rows[i][j] for i, j in pairing) for pairing in pairings(list(range(n)))), 0)


def loop_hafnian(rows):
    """The first row's vertex stays alone, or takes each of the others."""
    if not rows:
        return 1

    def without(*gone):
        kept = [i for i in range(len(rows)) if i not in gone]
        return [[rows[i][j] for j in kept] for i in kept]

    alone = rows[0][0] and rows[0][0] * loop_hafnian(without(0))
    return alone + sum(rows[0][j] * loop_hafnian(without(0, j)) for j in range(1, len(rows)) if rows[0][j])


def matchings_by_size(vertices, edges):
    """How many sets of edges without a common vertex there are, by their number of edges."""
    found = [0] * (len(vertices) // 2 + 1)

    def extend(first, used, size):
        found[size] += 1
        for at in range(first, len(edges)):
            u, v = edges[at]
            if u not in used and v not in used:
                extend(at + 1, used | {u, v}, size + 1)

    extend(0, frozenset(), 0)
    while len(found) > 1 and found[-1] == 0:
        found.pop()
    return found


def perfect_matchings(vertices, edges):
    """All sets of edges that touch every vertex once, as sets of frozensets."""
    present = {frozenset(edge) for edge in edges}
    if len(vertices) % 2:
        return []
    return [
        {frozenset(pair) for pair in pairing}
        for pairing in pairings(list(vertices))
        if all(frozenset(pair) in present for pair in pairing)
    ]
