"""Permanents, hafnians and matchings by their definitions."""

from __future__ import annotations

from itertools import permutations
from math import prod


def permanent(rows):
    """The sum over all permutations."""
    n = len(rows)
    return sum((prod(rows[i][p[i]] for i in range(n)) for p in permutations(range(n))), 0)


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
