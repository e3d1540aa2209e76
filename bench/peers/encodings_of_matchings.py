"""Perfect matchings in the words of other fields: as models of a CNF, as a tensor network, and orders of edges.

CNF: a variable for each edge; for each vertex a clause of its edges, and no two of them. `sequential`: vertices of degree 5 and
more exclude pairs by carry variables, defined both ways, so that the number of models is the same.
Tensors: for each vertex one that is 1 where exactly one of its edges is chosen; above degree 4 a chain of tensors of three indices.
"""


def incident(data):
    """The edges of each vertex, as numbers from 0."""
    edges = [[] for _ in range(data['vertices'])]
    for number, (u, v) in enumerate(data['edges']):
        edges[u].append(number)
        edges[v].append(number)
    return edges


def cnf(data, sequential=False):
    """(clauses, number of variables); the edges have the first variables."""
    clauses, variables = [], len(data['edges'])
    for edges in incident(data):
        literals = [number + 1 for number in edges]
        clauses.append(literals)
        if not sequential or len(literals) < 5:
            clauses += [[-a, -b] for k, a in enumerate(literals) for b in literals[:k]]
            continue
        # carry: one of the edges so far is chosen.
        carry = literals[0]
        for literal in literals[1:]:
            clauses.append([-carry, -literal])
            if literal == literals[-1]:
                break
            variables += 1
            clauses += [[-variables, carry, literal], [variables, -carry], [variables, -literal]]
            carry = variables
    return clauses, variables


def dimacs(clauses, variables):
    return f'p cnf {variables} {len(clauses)}\n' + ''.join(' '.join(map(str, clause)) + ' 0\n' for clause in clauses)


def tensors(data, numpy):
    """(index tuples, arrays): exactly one index of each vertex is 1."""
    inputs, arrays, fresh = [], [], len(data['edges'])

    def exactly_one(size):
        array = numpy.zeros((2,) * size)
        for k in range(size):
            array[tuple(int(k == j) for j in range(size))] = 1
        return array

    # in, edge, out: how many were chosen so far, 0 or 1.
    step = numpy.zeros((2, 2, 2))
    for before, edge in ((0, 0), (0, 1), (1, 0)):
        step[before, edge, before + edge] = 1
    for edges in incident(data):
        if len(edges) <= 4:
            inputs.append(tuple(edges))
            arrays.append(exactly_one(len(edges)))
            continue
        before = edges[0]
        for edge in edges[1:-2]:
            inputs.append((before, edge, fresh))
            arrays.append(step)
            before, fresh = fresh, fresh + 1
        inputs.append((before, *edges[-2:]))
        arrays.append(exactly_one(3))
    return inputs, arrays


def cuthill_mckee(data):
    """The edges in the order of a breadth-first numbering from a vertex at the rim, smaller degrees first."""
    neighbours = [set() for _ in range(data['vertices'])]
    for u, v in data['edges']:
        neighbours[u].add(v)
        neighbours[v].add(u)

    def numbering(start):
        place, order = {start: 0}, [start]
        for vertex in order:
            for other in sorted(neighbours[vertex] - place.keys(), key=lambda w: (len(neighbours[w]), w)):
                place[other] = len(order)
                order.append(other)
        return place, order

    place = {}
    for vertex in sorted(range(data['vertices']), key=lambda w: len(neighbours[w])):
        if vertex in place:
            continue
        last = vertex
        for _ in range(3):
            last = numbering(last)[1][-1]
        for other in numbering(last)[1]:
            place[other] = len(place)
    return sorted(range(len(data['edges'])), key=lambda e: sorted((place[v] for v in data['edges'][e]), reverse=True))
