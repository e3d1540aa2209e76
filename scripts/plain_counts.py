"""Perfect matchings and cycle covers of small graphs, counted slowly in several unrelated ways; for scripts/make-data.

A graph is a list of vertices and a list of pairs. Nothing here knows countpm.
"""
import sys
from collections import defaultdict
from fractions import Fraction


def adjacency(edges, vertices):
    neighbours = {v: [] for v in vertices}
    for a, b in edges:
        neighbours[a].append(b)
        neighbours[b].append(a)
    return neighbours


def matchings_by_frontier(vertices, edges):
    """Vertices in order, each matched to a later one; a state is the set of later vertices already matched."""
    number = {v: i for i, v in enumerate(vertices)}
    later = [[] for _ in vertices]
    for a, b in edges:
        i, j = sorted((number[a], number[b]))
        later[i].append(j)
    states = {0: 1}  # bit j: vertex j is matched; bits below the current vertex are cleared
    for i in range(len(vertices)):
        following = defaultdict(int)
        for used, ways in states.items():
            if used >> i & 1:
                following[used & ~(1 << i)] += ways
                continue
            for j in later[i]:
                if not used >> j & 1:
                    following[used | 1 << j] += ways
        states = following
    return states.get(0, 0)


def matchings_by_enumeration(vertices, edges):
    """Finds each one: matches the free vertex with the fewest free neighbours in every possible way."""
    neighbours = {v: set(w) for v, w in adjacency(edges, vertices).items()}
    free = set(vertices)

    def count():
        if not free:
            return 1
        v = min(free, key=lambda u: (len(neighbours[u] & free), str(u)))
        free.remove(v)
        total = 0
        for w in sorted(neighbours[v] & free, key=str):
            free.remove(w)
            total += count()
            free.add(w)
        free.add(v)
        return total

    return count()


def two_colouring(vertices, edges):
    """(left, right), or None where there is an odd cycle."""
    neighbours = adjacency(edges, vertices)
    colour = {}
    for start in vertices:
        if start in colour:
            continue
        colour[start] = 0
        stack = [start]
        while stack:
            v = stack.pop()
            for w in neighbours[v]:
                if w not in colour:
                    colour[w] = 1 - colour[v]
                    stack.append(w)
                elif colour[w] == colour[v]:
                    return None
    return [v for v in vertices if colour[v] == 0], [v for v in vertices if colour[v] == 1]


def determinant(matrix):
    matrix = [[Fraction(x) for x in row] for row in matrix]
    result = Fraction(1)
    for k in range(len(matrix)):
        pivot = next((i for i in range(k, len(matrix)) if matrix[i][k]), None)
        if pivot is None:
            return 0
        if pivot != k:
            matrix[k], matrix[pivot] = matrix[pivot], matrix[k]
            result = -result
        result *= matrix[k][k]
        for i in range(k + 1, len(matrix)):
            if matrix[i][k]:
                factor = matrix[i][k] / matrix[k][k]
                matrix[i] = [x - factor * y for x, y in zip(matrix[i], matrix[k])]
    return int(result)


def matchings_by_determinant(vertices, edges, sign):
    """|det| of the signed biadjacency matrix; exact where `sign` is a Kasteleyn signing."""
    left, right = two_colouring(vertices, edges)
    if len(left) != len(right):
        return 0
    column = {v: j for j, v in enumerate(right)}
    row = {v: i for i, v in enumerate(left)}
    matrix = [[0] * len(right) for _ in left]
    for a, b in edges:
        if a in column:
            a, b = b, a
        matrix[row[a]][column[b]] = sign(a, b)
    return abs(determinant(matrix))


def covers_by_rows(vertices, arcs):
    """Rows in order, a state is the set of columns used; columns whose last row has passed must be in it."""
    number = {v: i for i, v in enumerate(vertices)}
    rows = [[] for _ in vertices]
    last = {}
    for a, b in arcs:
        rows[number[a]].append(number[b])
        last[number[b]] = max(last.get(number[b], -1), number[a])
    states = {0: 1}
    for i, row in enumerate(rows):
        done = sum(1 << j for j in last if last[j] == i)
        following = defaultdict(int)
        for used, ways in states.items():
            for j in row:
                if used >> j & 1:
                    continue
                now = used | 1 << j
                if now & done == done:
                    following[now & ~done] += ways
        states = following
    return states.get(0, 0) if len(last) == len(vertices) else 0


def covers_by_enumeration(vertices, arcs):
    """Every permutation, one by one."""
    heads = {v: [] for v in vertices}
    for a, b in arcs:
        heads[a].append(b)
    used = set()

    def count(k):
        if k == len(vertices):
            return 1
        total = 0
        for head in heads[vertices[k]]:
            if head not in used:
                used.add(head)
                total += count(k + 1)
                used.remove(head)
        return total

    return count(0)


def covers_by_cycles(vertices, edges):
    """Cycle covers of an undirected graph (an arc each way): spanning subgraphs whose components are single edges and
    cycles, each cycle counted twice. Edge by edge; a state says for each vertex on the frontier whether it is untouched,
    done, or the end of a path, and of which (its other end)."""
    number = {v: i for i, v in enumerate(vertices)}
    pairs = sorted(tuple(sorted((number[a], number[b]))) for a, b in edges)
    last = {}
    for k, (i, j) in enumerate(pairs):
        last[i] = last[j] = k
    DONE = -1
    # mate[v]: v itself (untouched), DONE, or the other end of its path. Only vertices seen and not finished are kept.
    states = {(): 1}
    seen = set()
    for k, (i, j) in enumerate(pairs):
        fresh = [v for v in (i, j) if v not in seen]
        seen.update(fresh)
        leaving = [v for v in (i, j) if last[v] == k]
        following = defaultdict(int)
        for state, ways in states.items():
            base = dict(state)
            for v in fresh:
                base[v] = v
            options = [(base, 1)]
            if base[i] != DONE and base[j] != DONE:
                if base[i] == i and base[j] == j:  # both untouched: a component of one edge
                    single = dict(base)
                    single[i] = single[j] = DONE
                    options.append((single, 1))
                if base[i] == j and base[j] == i:  # closes a cycle (i != j, and the path i..j has two edges or more)
                    closed = dict(base)
                    closed[i] = closed[j] = DONE
                    options.append((closed, 2))
                else:
                    joined = dict(base)
                    p, q = base[i], base[j]
                    joined[i] = joined[j] = DONE
                    joined[p], joined[q] = q, p
                    options.append((joined, 1))
            for mate, factor in options:
                if any(mate[v] != DONE for v in leaving):
                    continue
                for v in leaving:
                    del mate[v]
                following[tuple(sorted(mate.items()))] += ways * factor
        states = following
    return states.get((), 0) if len(seen) == len(vertices) else 0


def agreed(name, *counts):
    """The one value of all counts."""
    if len(set(counts)) != 1:
        sys.exit(f"make-data: {name}: the counts disagree: {counts}")
    return counts[0]
