"""Proofs of the planar form for graphs that are drawn with straight lines: the rotation by angles, the orientation by solving for it modulo 2, face by face."""
import heapq
import math

from reference_prover import count_of, statement


def rotation_of(vertices, edges, positions):
    around = [[] for _ in range(vertices)]
    for u, v, *_ in edges:
        around[u].append(v)
        around[v].append(u)
    for v, neighbours in enumerate(around):
        x, y = positions[v]
        neighbours.sort(key=lambda w: math.atan2(positions[w][1] - y, positions[w][0] - x))
    return around


def faces_of(rotation):
    """Lists of darts (u, v): behind u -> v comes v -> w, w the neighbour behind u in v's rotation."""
    after = {}
    for v, turn in enumerate(rotation):
        for k, u in enumerate(turn):
            after[u, v] = (v, turn[(k + 1) % len(turn)])
    faces = []
    while after:
        dart = next(iter(after))
        face = []
        while dart in after:
            face.append(dart)
            dart = after.pop(dart)
        faces.append(face)
    return faces


def orientation_of(edges, rotation):
    """A digit for every edge, all faces odd; None if there is none."""
    number = {(u, v): k for k, (u, v, *_) in enumerate(edges)}
    rows = []  # an equation each: the edges whose digits are added up, and the sum, at bit len(edges)
    for face in faces_of(rotation):
        equation = 1 << len(edges)
        for u, v in face:
            if u < v:  # counts if its digit is 0
                equation ^= 1 << number[u, v] ^ 1 << len(edges)
            else:
                equation ^= 1 << number[v, u]
        rows.append(equation)
    pivots = {}
    edge_bits = (1 << len(edges)) - 1
    for equation in rows:
        while equation & edge_bits:
            low = (equation & edge_bits & -(equation & edge_bits)).bit_length() - 1
            if low not in pivots:
                pivots[low] = equation
                break
            equation ^= pivots[low]
        else:
            if equation:
                return None
    digits = [0] * len(edges)
    for low in sorted(pivots, reverse=True):
        equation = pivots[low]
        digits[low] = (equation >> len(edges)) + sum(digits[k] for k in range(low + 1, len(edges)) if equation >> k & 1) & 1
    return "".join(map(str, digits))


def prove_planar(graph, positions, order, count=None):
    """None if a component has an odd number of vertices."""
    proof = statement(graph, order, count_of(graph) if count is None else count)
    proof.pop("monomers", None)
    rotation = rotation_of(graph["vertices"], proof["edges"], positions)
    orientation = orientation_of(proof["edges"], rotation)
    if orientation is None:
        return None
    proof["planar"] = {"rotation": rotation, "orientation": orientation}
    return proof


def planar_instance(rng, rows=3, columns=4, weights=("1",)):
    """Part of a grid with a diagonal in every cell: (graph, positions, order)."""
    place = lambda r, c: r * columns + c
    pairs = [(place(r, c), place(r, c + 1)) for r in range(rows) for c in range(columns - 1)]
    pairs += [(place(r, c), place(r + 1, c)) for r in range(rows - 1) for c in range(columns)]
    for r in range(rows - 1):
        for c in range(columns - 1):
            pairs.append(rng.choice([(place(r, c), place(r + 1, c + 1)), (place(r, c + 1), place(r + 1, c))]))
    density = rng.choice([0.4, 0.7, 0.9, 1])
    kept = [(u, v) for u, v in pairs if rng.random() < density]
    name = list(range(rows * columns))
    rng.shuffle(name)
    edges = []
    for u, v in kept:
        weight = rng.choice(weights)
        edges.append(sorted([name[u], name[v]]) + ([weight] if weight != "1" else []))
    positions = {name[place(r, c)]: (c, r) for r in range(rows) for c in range(columns)}
    order = list(range(rows * columns))
    rng.shuffle(order)
    return {"vertices": rows * columns, "edges": edges}, positions, order


def greedy_order(graph):
    """Partners behind each other: always a vertex of least degree, and of its neighbours one of least degree, with the edges that the elimination adds."""
    around = [set() for _ in range(graph["vertices"])]
    for u, v, *_ in graph["edges"]:
        around[u].add(v)
        around[v].add(u)
    heap, gone, order = [(len(near), v) for v, near in enumerate(around)], set(), []
    heapq.heapify(heap)
    while heap:
        degree, v = heapq.heappop(heap)
        if v in gone or degree != len(around[v]):
            continue
        gone.add(v)
        order.append(v)
        if not around[v]:
            continue
        w = min(around[v], key=lambda x: len(around[x]))
        gone.add(w)
        order.append(w)
        for u in (v, w):
            for x in around[u]:
                around[x].discard(u)
        ends_v, ends_w = around[v] - {w}, around[w] - {v}
        for x in ends_v:
            around[x] |= ends_w - {x}
        for x in ends_w:
            around[x] |= ends_v - {x}
        for x in ends_v | ends_w:
            heapq.heappush(heap, (len(around[x]), x))
    return order
