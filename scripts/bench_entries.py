"""What scripts/bench-check measures: its inputs, made anew from seeds, and its commands. Python's standard library only."""
import os
import random
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get('COUNTPM_SHARED', TOP / '../shared')).resolve()

# What a method, an option or a command is called now, and what it was called before: a program is given the first that it knows.
NAMES = {'pruned': ('pruned', 'shift'), 'grouped': ('grouped', 'merged'), 'rook': ('rook', 'complement')}

# ------------------------------------------------------------------------------------------------------------- inputs


def dense(rows, density, seed, value=lambda draw: '1'):
    """rows x rows with a full diagonal, the other entries there with probability `density`."""
    draw = random.Random(seed)
    return ''.join(' '.join(value(draw) if i == j or draw.random() < density else '0' for j in range(rows)) + '\n'
                   for i in range(rows))


def decimals(draw):
    return f'{0.5 + draw.random():.3f}'


def permutations(rows, degree, seed):
    """The sum of `degree` permutation matrices, as Matrix Market."""
    draw = random.Random(seed)
    entries = set()
    for _ in range(degree):
        order = list(range(rows))
        draw.shuffle(order)
        entries.update(enumerate(order))
    return matrix_market(rows, sorted(entries))


def matrix_market(rows, entries):
    return (f'%%MatrixMarket matrix coordinate pattern general\n{rows} {rows} {len(entries)}\n'
            + ''.join(f'{i + 1} {j + 1}\n' for i, j in entries))


def graph(vertices, density, seed):
    """A path through all vertices, and other edges with probability `density`: odd cycles."""
    draw = random.Random(seed)
    return ''.join(f'{j} {i}\n' for i in range(vertices) for j in range(i) if i == j + 1 or draw.random() < density)


INPUTS = {
    'dense28.dense': lambda: dense(28, 0.5, 1),
    'dense30.dense': lambda: dense(30, 0.5, 1),
    'dense32.dense': lambda: dense(32, 0.5, 1),
    'dense40-90.dense': lambda: dense(40, 0.9, 2),
    'dense40-20.dense': lambda: dense(40, 0.2, 3),
    'dense32-20.dense': lambda: dense(32, 0.2, 3),
    'dense28-20.dense': lambda: dense(28, 0.2, 3),
    'dense26-20.dense': lambda: dense(26, 0.2, 3),
    'reals25.dense': lambda: dense(25, 0.7, 4, decimals),
    'sparse60.mtx': lambda: permutations(60, 3, 5),
    'sparse90.mtx': lambda: permutations(90, 3, 8),
    'sparse300.mtx': lambda: permutations(300, 4, 6),
    'graph50.edgelist': lambda: graph(50, 0.13, 7),
    'graph36.edgelist': lambda: graph(36, 0.5, 7),
    'path.edgelist': lambda: ''.join(f'atom{i} atom{i + 1}\n' for i in range(599999)),
    'band.mtx': lambda: matrix_market(400000, [(i, i + k) for i in range(400000) for k in range(3) if i + k < 400000]),
}

# ------------------------------------------------------------------------------------------------------------ entries


class Entry:
    """A row of the table: one or several calls of countpm. An argument INPUT that is in INPUTS, or begins with data/ or
    shared/, becomes that file. exact: both programs must print the same; threads: how many it is measured on."""

    def __init__(self, name, *calls, exact=True, threads=(1,), repeat=1):
        self.name, self.calls, self.exact, self.threads, self.repeat = name, [call.split() for call in calls], exact, threads, repeat


BOTH = (1, 2)
SMALL = sorted(str(path.relative_to(TOP)) for path in (TOP / 'data').glob('*/*.edgelist'))


def counted(path):
    return f'{path} --kind directed' if path.startswith('data/digraphs/') else path


ENTRIES = [
    Entry('ryser', 'dense30.dense --method ryser --device cpu', threads=BOTH),
    Entry('grouped', 'dense30.dense --method grouped --device cpu', threads=BOTH),
    Entry('pruned', 'dense32.dense --method pruned --device cpu', threads=BOTH),
    Entry('rook', 'dense40-90.dense --method rook --device cpu', threads=BOTH),
    Entry('skipper', 'dense32-20.dense --method skipper --device cpu', threads=BOTH),
    Entry('sparyser', 'dense28-20.dense --method sparyser --device cpu', threads=BOTH),
    Entry('codegen', 'dense26-20.dense --method codegen --device cpu', threads=BOTH),
    Entry('codegen, floating', 'reals25.dense --weights --method codegen --device cpu', threads=BOTH),
    Entry('ryser, floating', 'reals25.dense --weights --method ryser --device cpu', threads=BOTH),
    Entry('forbert-marx', 'sparse60.mtx --method forbert-marx --device cpu', threads=BOTH),
    Entry('frontier, sparse', 'sparse90.mtx --method frontier --device cpu', threads=BOTH),
    Entry('frontier, dense rows', 'lattice:cubic:5x5x6 --method frontier --device cpu', threads=BOTH),
    Entry('frontier, odd cycles', 'graph50.edgelist --method frontier --device cpu', threads=BOTH),
    Entry('frontier, dense with odd cycles', 'graph36.edgelist --method frontier --device cpu'),
    Entry('planar, square', 'lattice:square:140x140 --method planar --device cpu', threads=BOTH),
    Entry('planar, torus', 'lattice:torus:90x90 --method planar --device cpu', threads=BOTH),
    Entry('planar, hafnian', 'lattice:triangular:100x100 --method planar --device cpu', threads=BOTH),
    Entry('planar, logarithm', 'lattice:square:250x250 --ln-z'),
    Entry('condensation', 'lattice:square:34x34 --method condensation --device cpu', threads=BOTH),
    Entry('estimate', 'estimate sparse300.mtx --samples 30 --device cpu', exact=False, threads=BOTH),
    Entry('estimate, dense', 'estimate dense40-20.dense --all-sampled --samples 1000 --device cpu', exact=False),
    Entry('estimate, rasmussen+', 'estimate sparse300.mtx --sampler rasmussen+ --samples 2500 --device cpu', exact=False),
    Entry('estimate, scaling+', 'estimate sparse300.mtx --sampler scaling+ --samples 30 --device cpu', exact=False),
    Entry('estimate, guarantee', 'estimate dense40-20.dense --all-sampled --guarantee 0.02,0.02 --device cpu', exact=False,
          threads=BOTH),
    Entry('marginals', 'marginals lattice:square:90x90', threads=BOTH),
    Entry('sample', 'sample lattice:square:30x30 --number 40', exact=False, threads=BOTH),
    Entry('list', 'list lattice:square:8x8 --number 60000'),
    Entry('reading an edge list', 'path.edgelist'),
    Entry('reading Matrix Market', 'band.mtx'),
    Entry('planning', 'explain dense40-20.dense', exact=False),
    Entry('planning, sparse', 'explain shared/matrices/494_bus.mtx', exact=False),
    Entry('many small counts', *(counted(path) for path in SMALL)),
    Entry('a series of small counts', 'many lattice:square:2x2..64x64 --csv --device cpu', exact=False)  # its table has seconds,
]


def options(call, threads):
    """What else goes with a call: no report where there would be one, and threads where they are an option."""
    return ([] if call[0] == 'explain' else ['--quiet']) + ([] if call[0] == 'list' else ['--threads', str(threads)])
