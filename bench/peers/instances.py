"""What the programs race on: matrices and graphs, made from seeds or read from files. Python's standard library only.

GROUPS has the instances of each group in order of size within a family; a program that fails on one is not run on the larger ones.
"""

import os
import json
import random
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get('COUNTPM_SHARED', TOP / '../shared')).resolve()

TITLES = {
    'permanents': 'Permanents',
    'hafnians': 'Hafnians',
    'loop-hafnians': 'Loop hafnians',
    'sparse': 'Perfect matchings of sparse graphs',
    'planar': 'Perfect matchings of planar lattices',
    'polynomials': 'Matching polynomials',
    'marginals': 'Probabilities of edges',
    'maximum': 'Maximum matchings',
    'samples': 'Random perfect matchings',
    'proved': 'Numbers with a proof',
}


class Instance:
    """A question: `problem` names it, `make()` gives its data.

    Data of matrices: {"matrix": rows}, entries int, float or (re, im). Of graphs: {"vertices": n, "edges": [[u, v], ...]},
    bipartite ones with "left", the number of vertices of the first side, which come first. Planar lattices have
    "kasteleyn", a matrix whose determinant is the count up to its sign. `proof` is a file of data/proofs that proves the answer.
    """

    def __init__(self, family, name, problem, make, about, tiny=False, proof='', **settings):
        self.family, self.name, self.problem, self.make, self.about, self.tiny, self.proof = family, name, problem, make, about, tiny, proof
        self.settings = settings


# ------------------------------------------------------------------------------------------------------------ matrices


def zero_one(rows, density, columns=None):
    def make():
        draw = random.Random(f'0/1 {rows} {density}')
        return {'matrix': [[int(i == j or draw.random() < density) for j in range(columns or rows)] for i in range(rows)]}
    return make


def integers(rows, columns=None):
    def make():
        draw = random.Random(f'1..9 {rows} {columns}')
        return {'matrix': [[draw.randint(1, 9) for _ in range(columns or rows)] for _ in range(rows)]}
    return make


def part(draw):
    """A multiple of 1/1024 between 0 and 1: decimals and doubles are equal."""
    return draw.randint(1, 1023) / 1024


def floats(rows):
    def make():
        draw = random.Random(f'floats {rows}')
        return {'matrix': [[part(draw) for _ in range(rows)] for _ in range(rows)]}
    return make


def complexes(rows):
    def make():
        draw = random.Random(f'complex {rows}')
        return {'matrix': [[(part(draw) - 0.5, part(draw) - 0.5) for _ in range(rows)] for _ in range(rows)]}
    return make


def symmetric(make_matrix):
    def make():
        matrix = make_matrix()['matrix']
        return {'matrix': [[matrix[min(i, j)][max(i, j)] for j in range(len(matrix))] for i in range(len(matrix))]}
    return make


# -------------------------------------------------------------------------------------------------------------- graphs


def graph(vertices, edges, **more):
    return {'vertices': vertices, 'edges': [list(edge) for edge in edges], **more}


def boards(rows, columns, steps):
    """Cells of a board, joined where one of the steps leads from one to another."""
    def make():
        return graph(rows * columns, [(r * columns + c, (r + dr) * columns + c + dc) for r in range(rows) for c in range(columns)
                                      for dr, dc in steps if 0 <= r + dr < rows and 0 <= c + dc < columns])
    return make


def square(rows, columns):
    return boards(rows, columns, [(0, 1), (1, 0)])


def king(size):
    return boards(size, size, [(0, 1), (1, -1), (1, 0), (1, 1)])


def queen(size):
    return boards(size, size, [(a * k, b * k) for k in range(1, size) for a, b in ((0, 1), (1, -1), (1, 0), (1, 1))])


def cubic(size):
    def make():
        def at(x, y, z):
            return (x * size + y) * size + z
        cells = [(x, y, z) for x in range(size) for y in range(size) for z in range(size)]
        return graph(size ** 3, [(at(*cell), at(*other)) for cell in cells for axis in range(3)
                                 for other in [tuple(c + (k == axis) for k, c in enumerate(cell))] if max(other) < size])
    return make


def hypercube(dimension):
    def make():
        return graph(2 ** dimension, [(v, v | 1 << k) for v in range(2 ** dimension) for k in range(dimension) if not v >> k & 1])
    return make


def cycle(length):
    return lambda: graph(length, [(v, (v + 1) % length) for v in range(length)])


def petersen():
    return graph(10, [(v, (v + 1) % 5) for v in range(5)] + [(v, v + 5) for v in range(5)] + [(5 + v, 5 + (v + 2) % 5) for v in range(5)])


def regular3(vertices):
    """A Hamiltonian cycle and a random perfect matching beside it."""
    def make():
        draw = random.Random(f'3-regular {vertices}')
        ring = [(v, (v + 1) % vertices) for v in range(vertices)]
        while True:
            order = list(range(vertices))
            draw.shuffle(order)
            chords = [tuple(sorted(order[k:k + 2])) for k in range(0, vertices, 2)]
            if not any(b - a in (1, vertices - 1) for a, b in chords):
                break
        names = list(range(vertices))
        draw.shuffle(names)
        return graph(vertices, [(names[a], names[b]) for a, b in ring + chords])
    return make


def bipartite(rows, density):
    def make():
        draw = random.Random(f'bipartite {rows} {density}')
        return graph(2 * rows, [(i, rows + j) for i in range(rows) for j in range(rows) if i == j or draw.random() < density], left=rows)
    return make


def sparse_bipartite(rows, edges):
    def make():
        draw = random.Random(f'sparse bipartite {rows} {edges}')
        found = {(i, rows + i) for i in range(rows)}
        while len(found) < edges:
            found.add((draw.randrange(rows), rows + draw.randrange(rows)))
        left, right = list(range(rows)), list(range(rows))
        draw.shuffle(left)
        draw.shuffle(right)
        return graph(2 * rows, sorted((left[i], rows + right[j - rows]) for i, j in found), left=rows)
    return make


def random_graph(vertices, edges):
    def make():
        draw = random.Random(f'graph {vertices} {edges}')
        found = set()
        while len(found) < edges:
            a, b = draw.randrange(vertices), draw.randrange(vertices)
            if a != b:
                found.add((min(a, b), max(a, b)))
        return graph(vertices, sorted(found))
    return make


def of_molecule(name):
    """Of data/molecules, vertices numbered as the file names them."""
    def make():
        number = {}
        edges = []
        for line in (TOP / 'data' / 'molecules' / f'{name}.edgelist').read_text(encoding='utf-8').splitlines():
            words = line.split('#')[0].split()
            if words and not words[0].startswith('%'):
                edges.append(tuple(number.setdefault(word, len(number)) for word in words[:2]))
        return graph(len(number), edges)
    return make


def of_matrix(name):
    """A matrix of ../shared/matrices, rows against columns, stored entries as edges; None where that is not there."""
    path = SHARED / 'matrices' / f'{name}.mtx'

    def make():
        if not path.exists():
            return None
        lines = [line for line in path.read_text(encoding='utf-8').splitlines() if line.strip()]
        both = 'symmetric' in lines[0]
        lines = [line.split() for line in lines if not line.startswith('%')]
        rows, columns = int(lines[0][0]), int(lines[0][1])
        entries = {(int(words[0]) - 1, int(words[1]) - 1) for words in lines[1:]}
        if both:
            entries |= {(j, i) for i, j in entries}
        return graph(rows + columns, sorted((i, rows + j) for i, j in entries), left=rows)
    return make


def of_proof(name):
    """The matrix of a file of data/proofs: rows against columns, or of a graph's vertices, symmetric."""
    def make():
        proof = json.loads((TOP / 'data' / 'proofs' / f'{name}.json').read_text(encoding='utf-8'))
        size, rows = proof['vertices'], proof.get('rows', 0)
        full = [[0] * size for _ in range(size)]
        for u, v, *weight in proof['edges']:
            full[u][v] = full[v][u] = int(weight[0]) if weight else 1
        return {'matrix': [row[rows:] for row in full[:rows]] if rows else full}
    return make


# ------------------------------------------------------------------------------------------------------ planar lattices


def with_kasteleyn(make_graph, colour, sign):
    """A bipartite planar graph and the matrix of its white against its black vertices with Kasteleyn's signs."""
    def make():
        data = make_graph()
        white = [v for v in range(data['vertices']) if colour(v) == 0]
        black = [v for v in range(data['vertices']) if colour(v) == 1]
        row, column = {v: i for i, v in enumerate(white)}, {v: i for i, v in enumerate(black)}
        matrix = [[0] * len(black) for _ in white]
        for u, v in data['edges']:
            a, b = (u, v) if colour(u) == 0 else (v, u)
            matrix[row[a]][column[b]] = sign(u, v)
        return {**data, 'kasteleyn': matrix, 'white': white, 'black': black}
    return make


def planar_square(size):
    """Edges up and down have the sign -1 in every second column."""
    return with_kasteleyn(square(size, size), lambda v: (v // size + v % size) % 2, lambda u, v: -1 if v - u == size and u % size % 2 else 1)


def brick_wall(size):
    """A honeycomb of size x size bricks, drawn as a board with every second edge between its lines left out: no sign is needed."""
    width = 2 * size + 2

    def make():
        cells = [(r, c) for r in range(size + 1) for c in range(width) if not (r == 0 and c == width - 1) and not (r == size and c == (width - 1 if size % 2 else 0))]
        number = {cell: k for k, cell in enumerate(cells)}
        edges = [(number[r, c], number[r, c + 1]) for r, c in cells if (r, c + 1) in number]
        edges += [(number[r, c], number[r + 1, c]) for r, c in cells if (r + c) % 2 == 0 and (r + 1, c) in number]
        return graph(len(cells), edges)
    return make


# ----------------------------------------------------------------------------------------------------------- the groups


def groups():
    several = {
        'permanents': [
            *(Instance('0/1, density 0.5', f'zero-one-{n}', 'permanent', zero_one(n, 0.5), f'{n} x {n}, 0 and 1, density 0.5', tiny=n == 12)
              for n in (12, 16, 20, 24, 28)),
            *(Instance('1 to 9', f'integers-{n}', 'permanent', integers(n), f'{n} x {n}, integers from 1 to 9', tiny=n == 8)
              for n in (8, 12, 16, 20, 24, 28)),
            *(Instance('floats', f'floats-{n}', 'permanent', floats(n), f'{n} x {n}, floats between 0 and 1', tiny=n == 8) for n in (8, 16, 20, 24, 28)),
            *(Instance('complex', f'complex-{n}', 'permanent', complexes(n), f'{n} x {n}, complex numbers', tiny=n == 8) for n in (8, 16, 20, 24)),
            *(Instance('rectangular', f'rectangular-{m}x{n}', 'permanent', integers(m, n), f'{m} x {n}, integers from 1 to 9', tiny=m == 4)
              for m, n in ((4, 8), (8, 12), (12, 16), (14, 20))),
        ],
        'hafnians': [
            *(Instance('0/1, density 0.5', f'zero-one-{n}', 'hafnian', symmetric(zero_one(n, 0.5)), f'{n} x {n}, 0 and 1, density 0.5', tiny=n == 12)
              for n in (12, 20, 24, 28)),
            *(Instance('1 to 9', f'integers-{n}', 'hafnian', symmetric(integers(n)), f'{n} x {n}, integers from 1 to 9', tiny=n == 8)
              for n in (8, 12, 16, 20, 24, 28)),
            *(Instance('floats', f'floats-{n}', 'hafnian', symmetric(floats(n)), f'{n} x {n}, floats between 0 and 1', tiny=n == 8)
              for n in (8, 16, 20, 24, 28)),
            *(Instance('complex', f'complex-{n}', 'hafnian', symmetric(complexes(n)), f'{n} x {n}, complex numbers', tiny=n == 8) for n in (8, 16, 20, 24, 28)),
        ],
        'loop-hafnians': [
            *(Instance('1 to 9', f'integers-{n}', 'loop hafnian', symmetric(integers(n)), f'{n} x {n}, integers from 1 to 9', tiny=n == 8)
              for n in (8, 12, 16, 20, 24)),
            *(Instance('floats', f'floats-{n}', 'loop hafnian', symmetric(floats(n)), f'{n} x {n}, floats between 0 and 1', tiny=n == 8)
              for n in (8, 16, 20, 24)),
            *(Instance('complex', f'complex-{n}', 'loop hafnian', symmetric(complexes(n)), f'{n} x {n}, complex numbers', tiny=n == 8) for n in (8, 16, 20, 24)),
        ],
        'sparse': [
            *(Instance('square', f'square-{n}x{n}', 'perfect matchings', square(n, n), f'{n} x {n} board', tiny=n == 4) for n in (4, 6, 8, 10, 12)),
            *(Instance('cubic', f'cubic-{n}', 'perfect matchings', cubic(n), f'{n} x {n} x {n} cells of the cubic lattice', tiny=n == 2) for n in (2, 4)),
            *(Instance('hypercube', f'hypercube-{n}', 'perfect matchings', hypercube(n), f'hypercube of {n} dimensions', tiny=n == 3) for n in (3, 4, 5, 6)),
            *(Instance('king', f'king-{n}x{n}', 'perfect matchings', king(n), f"king's graph, {n} x {n}", tiny=n == 4) for n in (4, 6, 8)),
            *(Instance('queen', f'queen-{n}x{n}', 'perfect matchings', queen(n), f"queen's graph, {n} x {n}") for n in (4, 6)),
            *(Instance('fullerene', name, 'perfect matchings', of_molecule(name), f'the fullerene {name}', tiny=name == 'C20') for name in ('C20', 'C60', 'C70')),
            *(Instance('3-regular', f'regular3-{n}', 'perfect matchings', regular3(n), f'random 3-regular graph, {n} vertices', tiny=n == 20)
              for n in (20, 40, 60, 80, 100)),
            *(Instance('bipartite', f'bipartite-{n}', 'perfect matchings', bipartite(n, 0.5), f'random bipartite graph, {n} + {n}, density 0.5', tiny=n == 8)
              for n in (8, 16, 20, 24)),
            *(Instance(f'matrix {name}', name, 'perfect matchings', of_matrix(name), f'the matrix {name}')
              for name in ('ibm32', 'karate', 'chesapeake', 'bcspwr02', 'curtis54', 'will57', 'dwt_59', 'GD96_c', 'west0067', 'bcsstk01')),
        ],
        'planar': [
            *(Instance('square', f'square-{n}x{n}', 'planar', planar_square(n), f'{n} x {n} board', tiny=n == 6) for n in (6, 10, 16, 20, 30, 40)),
            *(Instance('honeycomb', f'honeycomb-{n}x{n}', 'planar', brick_colours(n), f'{n} x {n} hexagons', tiny=n == 3) for n in (3, 6, 12, 20)),
        ],
        'polynomials': [
            Instance('small', 'petersen', 'matching polynomial', petersen, "Petersen's graph", tiny=True),
            Instance('small', 'cycle-20', 'matching polynomial', cycle(20), 'a cycle of 20 vertices', tiny=True),
            Instance('fullerene', 'C20', 'matching polynomial', of_molecule('C20'), 'the fullerene C20'),
            Instance('fullerene', 'C60', 'matching polynomial', of_molecule('C60'), 'the fullerene C60'),
            *(Instance('square', f'square-{n}x{n}', 'matching polynomial', square(n, n), f'{n} x {n} board') for n in (4, 6, 8, 10)),
            Instance('3-regular', 'regular3-40', 'matching polynomial', regular3(40), 'random 3-regular graph, 40 vertices'),
        ],
        'marginals': [
            *(Instance('square', f'square-{n}x{n}', 'marginals', planar_square(n), f'{n} x {n} board', tiny=n == 4) for n in (4, 6, 8, 10, 20)),
            *(Instance('molecules', name, 'marginals', of_molecule(name), name, tiny=name == 'naphthalene') for name in ('naphthalene', 'coronene', 'C60')),
            *(Instance('king', f'king-{n}x{n}', 'marginals', king(n), f"king's graph, {n} x {n}") for n in (4, 6)),
            *(Instance('3-regular', f'regular3-{n}', 'marginals', regular3(n), f'random 3-regular graph, {n} vertices') for n in (20, 40, 60)),
        ],
        'maximum': [
            *(Instance('size, bipartite', f'size-bipartite-{n}', 'matching size', sparse_bipartite(n, 5 * n), f'size; random bipartite, {n} + {n} vertices, {5 * n} edges',
                       tiny=n == 100) for n in (100, 10000, 100000)),
            *(Instance('size, general', f'size-general-{n}', 'matching size', random_graph(n, 2 * n), f'size; random graph, {n} vertices, {2 * n} edges', tiny=n == 100)
              for n in (100, 2000, 20000)),
            *(Instance('number', f'number-square-{n}x{n}', 'maximum matchings', square(n, n), f'number; {n} x {n} board', tiny=n == 3) for n in (3, 5, 7, 9)),
            *(Instance('number, random', f'number-general-{n}', 'maximum matchings', random_graph(n, 3 * n // 2), f'number; random graph, {n} vertices, {3 * n // 2} edges')
              for n in (20, 30, 40)),
        ],
        'proved': [
            *(Instance(name, name, 'permanent', of_proof(name), about, proof=name, tiny=name == 'signs-12') for name, about in (
                ('signs-12', 'a matrix of 12 rows of 1 and -1'), ('rectangle-8x12', 'a matrix of 8 rows and 12 columns of 0 and 1'),
                ('menage-16', 'the matrix of the ménage number of 16'), ('derangements-16', 'the matrix of the derangements of 16'),
                ('latin-extension-16', 'the matrix of the fifth rows of a 4 x 16 Latin rectangle'))),
            *(Instance(name, name, 'hafnian', of_proof(name), about, proof=name, tiny=name == 'complete-14') for name, about in (
                ('complete-14', 'the complete graph of 14 vertices'), ('C20', 'the fullerene C20'), ('cube-4', 'the 4-cube'), ('cube-5', 'the 5-cube'))),
            Instance('board', 'board-6x6', 'hafnian', of_proof('matching-polynomial-6x6'), '6 x 6 board', proof='matching-polynomial-6x6'),
        ],
        'samples': [
            *(Instance('square', f'square-{n}x{n}', 'samples', square(n, n), f'{n} x {n} board', tiny=n == 4) for n in (4, 6, 8, 10, 20)),
            *(Instance('king', f'king-{n}x{n}', 'samples', king(n), f"king's graph, {n} x {n}") for n in (4, 6)),
            Instance('fullerene', 'C60', 'samples', of_molecule('C60'), 'the fullerene C60'),
            *(Instance('3-regular', f'regular3-{n}', 'samples', regular3(n), f'random 3-regular graph, {n} vertices') for n in (20, 40, 60)),
        ],
    }
    for name, instances in several.items():
        for instance in instances:
            if instance.problem == 'samples':
                instance.settings['samples'] = 100
    return several


def brick_colours(size):
    """The bricks' graph, coloured by a search, with all signs 1."""
    def make():
        data = brick_wall(size)()
        neighbours = [[] for _ in range(data['vertices'])]
        for u, v in data['edges']:
            neighbours[u].append(v)
            neighbours[v].append(u)
        colours = {0: 0}
        stack = [0]
        while stack:
            v = stack.pop()
            for w in neighbours[v]:
                if w not in colours:
                    colours[w] = 1 - colours[v]
                    stack.append(w)
        return with_kasteleyn(lambda: data, colours.__getitem__, lambda u, v: 1)()
    return make


GROUPS = groups()


# --------------------------------------------------------------------------------------------------- files for countpm


def number_text(value):
    if isinstance(value, (list, tuple)):
        return f'{value[0]!r}{value[1]:+}i'
    return repr(value)


def text_for_countpm(instance, data):
    """The ending of a file's name, and its text."""
    if 'matrix' in data:
        matrix = data['matrix']
        if instance.problem == 'permanent':
            return 'dense', ''.join(' '.join(map(number_text, row)) + '\n' for row in matrix)
        rows = range(len(matrix))
        loops = instance.problem == 'loop hafnian'
        return 'edgelist', ''.join(f'{i} {j} {number_text(matrix[i][j])}\n' for i in rows for j in rows
                                   if (i < j or (loops and i == j)) and matrix[i][j] != 0)
    if 'left' in data:
        sizes = f"{data['left']} {data['vertices'] - data['left']} {len(data['edges'])}"
        return 'mtx', (f'%%MatrixMarket matrix coordinate pattern general\n{sizes}\n'
                       + ''.join(f"{u + 1} {v - data['left'] + 1}\n" for u, v in data['edges']))
    return 'edgelist', ''.join(f'{u} {v}\n' for u, v in data['edges'])
