"""The rows of scripts/reproduce: for each paper its tables, and for each table what countpm is asked, what was published, or why there is no such row.

Figures of others are those that the project has a source for; where the paper has one that is not at hand here, the row says so. A row is one of

    run       a command of countpm (`short`: on two cores in minutes; `gpu`: with an NVIDIA GPU), with what the answer must be where that is known
    python    a function of this file's neighbours hilbert.py and uses.py, for what is no command
    elsewhere what another page or command answers
    missing   what countpm cannot vary or do today, with the reason

Python's standard library only.
"""

import math
import os
import random
from fractions import Fraction
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get('COUNTPM_SHARED', TOP / '../shared')).resolve()

SUPERMAN = 'SUperman, arXiv:2502.16577'
CODEGEN = 'code generation, arXiv:2501.15126'
NOT_AT_HAND = 'not at hand'


class Published:
    """A figure of a paper: seconds unless `text` says what it is."""

    def __init__(self, seconds=None, machine='', source='', text=''):
        self.seconds, self.machine, self.source, self.text = seconds, machine, source, text

    def as_json(self):
        return {'seconds': self.seconds, 'machine': self.machine, 'source': self.source, 'text': self.text}


class Row:
    def __init__(self, name, about, arguments=None, published=None, make=None, gpu=False, expected=None, missing='', elsewhere='', call=None, long=False):
        self.name, self.about, self.arguments, self.published, self.make, self.gpu = name, about, arguments, published, make, gpu
        self.expected, self.missing, self.elsewhere, self.call, self.long = expected, missing, elsewhere, call, long


class Table:
    def __init__(self, name, title, rows, intro=''):
        self.name, self.title, self.rows, self.intro = name, title, rows, intro


class Paper:
    def __init__(self, name, title, source, tables):
        self.name, self.title, self.source, self.tables = name, title, source, tables


# -------------------------------------------------------------------------------------------------------------- inputs


def constant(rows):
    """(name of the file, its text): all entries 0.91."""
    return f'constant-{rows}.dense', '\n'.join(' '.join(['0.91'] * rows) for _ in range(rows)) + '\n'


def random_matrix(rows, density, kind):
    """0 and 1, or reals of four decimals between 0 and 1; a full diagonal, so that there is a matching."""
    draw = random.Random(f'{kind} {rows} {density}')

    def entry():
        return '1' if kind == 'binary' else f'{draw.randint(1, 9999) / 10000:.4f}'
    text = '\n'.join(' '.join(entry() if i == j or draw.random() < density else '0' for j in range(rows)) for i in range(rows))
    return f'{kind}-{rows}-{round(100 * density)}.dense', text + '\n'


def random_complex(rows):
    draw = random.Random(f'complex {rows}')
    text = '\n'.join(' '.join(f'{draw.randint(-5000, 5000) / 10000:.4f}{draw.randint(-5000, 5000) / 10000:+.4f}i' for _ in range(rows)) for _ in range(rows))
    return f'complex-{rows}.dense', text + '\n'


def tridiagonal(rows):
    return f'tridiagonal-{rows}.dense', '\n'.join(' '.join(str(int(abs(i - j) < 2)) for j in range(rows)) for i in range(rows)) + '\n'


def fibonacci(number):
    before, last = 0, 1
    for _ in range(number - 1):
        before, last = last, before + last
    return last


def sparse_rows(rows, entries):
    """A diagonal and as many more ones in each row, as Matrix Market."""
    draw = random.Random(f'sparse {rows} {entries}')
    found = sorted({(i, i) for i in range(rows)} | {(i, j) for i in range(rows) for j in draw.sample(range(rows), entries - 1)})
    return f'sparse-{rows}-{entries}.mtx', (f'%%MatrixMarket matrix coordinate pattern general\n{rows} {rows} {len(found)}\n'
                                            + ''.join(f'{i + 1} {j + 1}\n' for i, j in found))


def made(maker, *values):
    return lambda: maker(*values)


def suitesparse(name):
    """The path of a SuiteSparse matrix, or None: in ../shared/matrices, or the folder that --matrices names."""
    def find(folder=None):
        path = Path(folder or SHARED / 'matrices') / f'{name}.mtx'
        return path if path.exists() else None
    find.is_file = True
    find.name = name
    return find


def shared_random(name):
    def find(folder=None):
        path = SHARED / 'random' / f'{name}.mtx'
        return path if path.exists() else None
    find.is_file = True
    find.name = name
    return find


def constant_permanent(rows):
    return str(Fraction(91, 100) ** rows * math.factorial(rows))


ALL_SUBSETS = ['--no-rule', 'twins', '--no-rule', 'single', '--no-rule', 'double', '--no-rule', 'forbert-marx-3', '--no-rule', 'forbert-marx-4']
ARITHMETICS = [('plain', 'doubles', ['--arithmetic', 'plain']), ('kahan', 'products in doubles, their sum in a pair of doubles', ['--arithmetic', 'kahan']),
               ('double-double', 'double-doubles', ['--arithmetic', 'double-double']), ('113-bits', '113 bits (MPFR)', ['--arithmetic', '113'])]


def varied(name, about, source, method, *values, gpu=False, more=(), **settings):
    """A count by a method of which `countpm methods --settings` lists what is varied."""
    words = [word for value in values for word in ('--set', value)]
    return Row(name, about, ['INPUT', '--method', method, *more, *words], None, source, gpu=gpu, **settings)


# ------------------------------------------------------------------------------------------------------------ SUperman


def superman():
    error = [Row(f'{name}-{n}', f'n = {n}, all entries 0.91, {words}', ['INPUT', '--weights', '--method', 'ryser', *ALL_SUBSETS, *options], Published(text=NOT_AT_HAND),
                 made(constant, n), gpu=n > 24, expected=constant_permanent(n), long=n == 24 and name in ('113-bits', 'double-double'))
             for n in (16, 20, 24, 35, 40, 45) for name, words, options in ARITHMETICS if n < 40 or name == 'kahan' or n == 40 and name == 'plain']
    error += [Row(f'{bits}-bits-{n}', f'n = {n}, all entries 0.91, {bits} bits', ['INPUT', '--weights', '--method', 'ryser', *ALL_SUBSETS, '--arithmetic', str(bits)],
                  None, made(constant, n), gpu=n > 24, expected=constant_permanent(n)) for n, bits in ((16, 300), (16, 900), (35, 150))]
    error.append(Row('constant-50', 'n = 50, all entries 0.91', missing='2^49 subsets take most of an hour on one H200: not run'))
    error += [Row(f'single-{n}', f'n = {n}, all entries 0.91, single precision (24 bits, by MPFR)', ['INPUT', '--weights', '--method', 'ryser', *ALL_SUBSETS, '--arithmetic', '24'],
                  Published(text=NOT_AT_HAND), made(constant, n), expected=constant_permanent(n), long=n == 20) for n in (16, 20)]
    error += [Row('quad-sum', 'products in doubles, sums in quadruple precision', elsewhere='the rows with Kahan sums: their products are doubles, their sum is a pair of doubles, 106 bits'),
              Row('constant-62', '62 x 62, all entries 0.91, the published record; countpm sees one class of equal columns', ['INPUT', '--weights'],
                  Published(140989, '192 H200', SUPERMAN), made(constant, 62), expected=constant_permanent(62)),
              Row('record-62', '62 x 62 without equal columns', missing='takes days: docs/scaling.md and bench/results/checkpoints-and-ranks.md extrapolate it')]
    dense = [Row(f'real-{n}', f'n = {n}, real numbers, ryser', ['INPUT', '--weights', '--method', 'ryser'],
                 Published(14.2, 'one GV100', SUPERMAN) if n == 40 else Published(text=NOT_AT_HAND), made(random_matrix, n, 1.0, 'real'), gpu=n > 28)
             for n in (20, 24, 28, 30, 36, 40, 45)]
    dense += [Row(f'real-{n}-codegen', f'n = {n}, real numbers, by generated code', ['INPUT', '--weights', '--method', 'codegen'], Published(text=NOT_AT_HAND),
                  made(random_matrix, n, 1.0, 'real'), gpu=True) for n in (36, 40)]
    dense += [Row(f'threads-{threads}', f'n = 26, real numbers, ryser, {threads} thread(s)', ['INPUT', '--weights', '--method', 'ryser', '--threads', str(threads)], None,
                  made(random_matrix, 26, 1.0, 'real')) for threads in (1, 2)]
    dense += [Row(f'complex-{n}', f'n = {n}, complex numbers, ryser', ['INPUT', '--weights', '--method', 'ryser'], None, made(random_complex, n), gpu=n > 24)
              for n in (20, 24, 30, 36, 40)]
    real = made(random_matrix, 34, 1.0, 'real')
    dense += [varied(f'kernel-{name}', f'n = 34, real numbers, the kernel with {words}', real, 'ryser', *values, gpu=True, more=['--weights']) for name, words, values in (
        ('registers', 'row sums in registers', ['row-sums=registers']), ('shared', 'row sums in shared memory', ['row-sums=shared']),
        ('global', 'row sums in global memory', ['row-sums=global']), ('matrix-shared', 'the matrix in shared memory', ['row-sums=shared-matrix']),
        ('plain-chunks', 'plain chunks instead of CEG, row sums in shared memory', ['row-sums=shared', 'chunks=plain']))]
    dense.append(Row('real-48', 'n = 48, real numbers', missing='2^47 subsets of doubles take some ten minutes on one H200: not run'))
    dense.append(Row('exact-rows', 'a kernel compiled for exactly n rows', elsewhere='every dense kernel is compiled for its n when it is first needed, and kept (docs/gpu.md)'))
    dense.append(Row('modes', 'the modes cpu, single_gpu, multi_gpu, multi_gpu_mpi', elsewhere='`--device cpu`, `--gpus 1`, `--gpus N`, and `--gpus` under `mpirun` (docs/scaling.md)'))
    dense.append(varied('device-by-number', 'n = 34, real numbers, on the GPU of number 0', real, 'ryser', 'gpu-number=0', gpu=True, more=['--weights']))
    generated = [Row(name, f'the 0-1 matrix {name}, {method}', ['INPUT', '--method', method], figure, shared_random(name), gpu=gpu, long=method == 'auto' and name.endswith('p50'))
                 for name, figure in (('er_n40_p30', Published(2.98, 'one H200, and 30 s to compile', SUPERMAN)), ('er_n40_p50', Published(3.18, 'one H200, and 30 s to compile', SUPERMAN)))
                 for method, gpu in (('auto', False),)]
    generated += [Row(f'{name}-codegen', f'the 0-1 matrix {name}, by generated code', ['INPUT', '--method', 'codegen'], figure, shared_random(name), gpu=True)
                  for name, figure in (('er_n40_p30', Published(2.98, 'one H200, and 30 s to compile', SUPERMAN)), ('er_n40_p50', Published(3.18, 'one H200, and 30 s to compile', SUPERMAN)))]
    generated += [Row(f'{name}-gpu', f'the 0-1 matrix {name}, auto, with a GPU', ['INPUT'], Published(seconds, 'one H200, and 30 s to compile', SUPERMAN), shared_random(name), gpu=True)
                  for name, seconds in (('er_n40_p30', 2.98), ('er_n40_p50', 3.18))]
    names = ('bcspwr02', 'd_ss', 'curtis54', 'will57', 'impcol_b', 'dwt_59', 'bfwb62', 'ww_36_pmec_36', 'west0067', 'CAG_mat72', 'steam3')
    sparse = [Row(name, f'{name}, entries as ones', ['INPUT'], Published(25093, 'one H200', SUPERMAN) if name == 'west0067' else Published(text=NOT_AT_HAND),
                  suitesparse(name)) for name in names]
    rules = ['--no-rule', 'forbert-marx-3', '--no-rule', 'forbert-marx-4']
    sparse += [Row(f'{name}-no-fm', f'{name}, without the expansion of Forbert and Marx', ['INPUT', *rules], Published(text=NOT_AT_HAND), suitesparse(name)) for name in names]
    sparse += [Row('beyond-63', 'more than 63 rows, which the paper leaves out', elsewhere='CAG_mat72 and steam3 of this table have 72 and 80'),
               Row('switch', 'sparse kernels below a density of 30 %, dense ones above', elsewhere='the planner takes the method with the least predicted time (docs/internals/planner.md)')]
    small = made(random_matrix, 24, 0.1, 'binary')
    sparse += [varied('ablation-none', 'n = 24, density 0.1, no preprocessing: the whole matrix by sparyser', small, 'sparyser', 'structure=off', more=['--no-rule', 'all']),
               varied('ablation-dm', 'the same, Dulmage-Mendelsohn blocks alone', small, 'sparyser', more=['--no-rule', 'all']),
               Row('ablation-both', 'the same, with the expansion of Forbert and Marx, too', ['INPUT', '--method', 'forbert-marx'], None, small),
               Row('ablation-fm', 'Forbert-Marx without the Dulmage-Mendelsohn decomposition', missing='the expansion splits each term into its blocks, and finds by that which rows have few entries')]
    nodes = [Row(f'gpus-{gpus}', f'{name} on {gpus} GPU(s) of one host', ['INPUT', '--gpus', str(gpus)], Published(text=NOT_AT_HAND),
                 shared_random(name), gpu=True) for name, gpus in (('er_n48_p20', 1), ('er_n48_p20', 2))]
    nodes += [Row('mpi', 'several processes, by MPI', elsewhere='docs/scaling.md; `scripts/mpi-bench` measures, bench/results/checkpoints-and-ranks.md has its figures')]
    nodes += [Row('nodes', '1, 2, 4 and 8 nodes', missing='no cluster was at hand; rank 0 of 10,000 GPUs is simulated: bench/results/checkpoints-and-ranks.md')]
    uses = [Row('fibonacci', 'Fibonacci number 61 as the permanent of a tridiagonal matrix of 60 rows', ['INPUT'], None, made(tridiagonal, 60), expected=str(fibonacci(61))),
            Row('hessenberg', 'a Hessenberg matrix of 10 rows, permanent 2^9', ['--kind', 'directed', str(TOP / 'data/digraphs/hessenberg-10.edgelist')], None,
                expected=(TOP / 'data/digraphs/hessenberg-10.expect').read_text(encoding='ascii').split()[1]),
            Row('order-statistics', 'order statistics: the chance that at least 6 of 12 independent variables, each with a distribution of its own, are below 1', call=('order-statistics', 12)),
            Row('dna', 'identification by DNA: the chance that given remains belong to a given family, from the likelihood ratios of 8 remains and 8 families', call=('dna', 8)),
            Row('nash', 'the most totally mixed Nash equilibria of a generic game of 3 players with 3 strategies each', call=('nash', 3)),
            Row('nash-5', 'the same of 5 players with 3 strategies each', call=('nash', 5)),
            Row('boson-sampling', 'boson sampling', elsewhere='docs/guides/boson-sampling.md, with examples that run'),
            Row('approximation', 'approximation and mixed precision, named as next', elsewhere='estimates: docs/estimate.md; precisions: Table 3 above'),
            Row('python', 'a wrapper for Python, named as next', elsewhere='docs/python.md')]
    return Paper('superman', 'SUperman: permanents on GPUs', f'D. Elbek, F. Taşyaran, B. Uçar, K. Kaya, Computer Physics Communications 321 (2026) 110027; {SUPERMAN}', [
        Table('error', 'Relative error by arithmetic (Table 3)', error,
              'A matrix of equal entries a has the permanent a^n n!.\nAll 2^(n-1) subsets are summed, without the merging of equal columns.\n'
              'countpm prints the digits that are certain and no more, so the error is that of the printed answer.'),
        Table('dense', 'Six kernels on dense matrices (Table 4)', dense),
        Table('generated', 'Generated kernels', generated),
        Table('sparse', 'Sparse matrices, and what preprocessing gains (Table 5)', sparse),
        Table('nodes', 'Several GPUs and nodes (Figure 8)', nodes),
        Table('uses', 'Uses that the paper names', uses)])


# ----------------------------------------------------------------------------------------------------- code generation


def code_generation():
    published = {'curtis54': 47841, 'd_ss': 21448, 'bcspwr02': 1317, 'bcsstk01': 883, 'mesh1e1': 860, 'mycielskian6': 478}
    real = [Row(f'{name}-{seconds}', f'{name}, entries as ones', ['INPUT'], Published(seconds, 'one A100', CODEGEN), suitesparse(name))
            for name, seconds in published.items()]
    real += [Row('speedup', 'generated code against 112 cores, and against a GPU without it', missing='published as 24.9 and 4.9 times; their code for 112 cores '
                 'is not at hand')]
    synthetic = [Row(f'n{n}-p{round(100 * p)}-{method}', f'n = {n}, density {p}, real numbers, {method}', ['INPUT', '--weights', '--method', method], Published(text=NOT_AT_HAND)
                     if n >= 40 else None, made(random_matrix, n, p, 'real'), gpu=n > 24, long=n == 24 and method == 'codegen')
                 for n in (20, 24, 40, 45) for p in (0.1, 0.2, 0.3, 0.4, 0.5) for method in (('codegen', 'sparyser', 'auto') if n <= 24 else ('codegen',))
                 if n <= 40 or p <= 0.3]
    synthetic += [Row('n48', 'n = 48', missing='2^47 subsets by generated code take minutes to an hour for each density on one H200: not run'),
                  Row('n45-denser', 'n = 45, densities 0.4 and 0.5', missing='2^44 subsets take minutes for each density on one H200: not run')]
    skipped = [Row(f'{name}-visited', f'{name}: subsets that skipper visits', ['explain', 'INPUT', '--method', 'skipper', '--json'],
                   Published(text='up to 99 % of the products are zero'), suitesparse(name)) for name in ('bcspwr02', 'curtis54', 'mesh1e1')]
    plans = [('ordered', 'with the permanent ordering', ['form=hybrid']), ('unordered', 'without it (Figure 5)', ['form=hybrid', 'order=off']),
             ('pure', 'PureReg', ['form=pure']), ('ratio-16', 'Hybrid, GRratio 16 instead of 4', ['form=hybrid', 'ratio=16']), ('block-64', 'blocks of 64 threads', ['block=64'])]
    ways = []
    for name, words, values in plans:
        asked = [word for value in values for word in ('--set', value)]
        if name != 'block-64':
            ways.append(Row(f'{name}-registers', f'n = 36, density 0.2, real numbers, {words}: row sums in registers', ['explain', 'INPUT', '--weights', '--method', 'codegen', *asked, '--json'],
                            None, made(random_matrix, 36, 0.2, 'real')))
        ways.append(varied(name, f'n = 36, density 0.2, real numbers, {words}', made(random_matrix, 36, 0.2, 'real'), 'codegen', *values, gpu=True, more=['--weights']))
    ways += [Row('spill', 'row sums spilled into shared memory', missing='products of the rows that a flip leaves alone are kept in registers instead, which needs no row sums there'),
             Row('sameness', 'equal values shared in generated code', missing='the methods grouped and pruned make use of equal values, for all matrices')]
    ways += [Row('launches', 'the signed sequence of changed bits, and launches of descending powers of two (Algorithm 2)', elsewhere='`codegen` does so: kernels/published/codegen'),
             Row('partition', 'permanent ordering and partitioning (Algorithms 3 and 4)', elsewhere='`codegen` does so; docs/methods/subsets.md'),
             Row('sparse-perman', 'CPU-SparsePerman and GPU-SparsePerman', elsewhere='they are the method `sparyser`, in the tables above'),
             Row('several-gpus', 'several GPUs, named as next', elsewhere='`--gpus N` (docs/gpu.md)')]
    return Paper('code-generation', 'Code generation for sparse permanents', f'D. Elbek, K. Kaya, arXiv:2501.15126 (2025)', [
        Table('real', 'Six SuiteSparse matrices', real),
        Table('synthetic', 'Synthetic matrices', synthetic),
        Table('skipped', 'Products that are zero', skipped),
        Table('varied', 'What the paper varies', ways)])


# -------------------------------------------------------------------------------------------------------------- thesis


def thesis():
    exact = [Row(f'{method}-n{n}-p{round(100 * p)}', f'n = {n}, density {p}, {method}', ['INPUT', '--method', method, '--no-rule', 'twins'], None,
                 made(random_matrix, n, p, 'binary')) for n in (20, 24) for p in (0.1, 0.3, 0.5) for method in ('ryser', 'sparyser', 'skipper')]
    exact += [varied(f'{method}-unordered-n24-p{round(100 * p)}', f'n = 24, density {p}, {method}, without its order of columns', made(random_matrix, 24, p, 'binary'), method, 'order=off',
                     more=['--no-rule', 'twins']) for p in (0.1, 0.3) for method in ('sparyser', 'skipper')]
    binary = made(random_matrix, 36, 0.3, 'binary')
    exact += [varied(f'ryser-{name}', f'n = 36, density 0.3, Ryser-{name}', binary, 'ryser', f'row-sums={value}', gpu=True, more=['--no-rule', 'twins']) for name, value in (
        ('Gx', 'global'), ('Rx', 'registers'), ('Sx', 'shared-apart'), ('SxC', 'shared'), ('SxC-Sm', 'shared-matrix'))]
    exact += [varied('static', 'n = 40, density 0.3, two GPUs, divided evenly beforehand (MG)', made(random_matrix, 40, 0.3, 'binary'), 'ryser', 'division=static', gpu=True,
                     more=['--gpus', '2', '--no-rule', 'twins']),
              varied('dynamic', 'the same, divided as they get through (MG+)', made(random_matrix, 40, 0.3, 'binary'), 'ryser', gpu=True, more=['--gpus', '2', '--no-rule', 'twins'])]
    exact += [varied(f'grid-{blocks}', f'n = 36, density 0.3, ryser in {blocks} blocks (GridDim)', binary, 'ryser', f'grid={blocks}', gpu=True, more=['--no-rule', 'twins']) for blocks in (132, 264, 528)]
    exact += [varied(f'block-{threads}', f'n = 36, density 0.3, generated code in blocks of {threads} threads (BlockDim)', binary, 'codegen', f'block={threads}', gpu=True, more=['--no-rule', 'twins'])
              for threads in (64, 128, 256)]
    exact += [Row('float', 'n = 20, real numbers, single precision (24 bits, by MPFR)', ['INPUT', '--weights', '--method', 'ryser', '--arithmetic', '24'], None, made(random_matrix, 20, 1.0, 'real'), long=True),
              Row('division', 'products kept by dividing', missing='left out on purpose: it drifts, and is wrong modulo primes')]

    def sampled(name, about, source, sampler, samples, more=(), **settings):
        return Row(name, about, ['estimate', 'INPUT' if callable(source) else source, '--all-sampled', '--sampler', sampler, '--samples', str(samples), '--exact-tail', '0',
                                 *ALL_SUBSETS, '--seed', '1', *more], make=source if callable(source) else None, **settings)

    # OEIS A004003
    tilings = {6: 6728, 8: 12988816, 10: 258584046368, 12: 53060477521960000, 16: 2444888770250892795802079170816,
               20: 1269984011256235834242602753102293934298576249856}
    variants = [('rasmussen', 'rasmussen', ()), ('rasmussen+', 'rasmussen+', ()), ('scaling', 'scaling', ('--scale-steps', '1')),
                ('scaling+', 'scaling+', ('--scale-steps', '1')), ('scaling+5', 'scaling+', ('--scale-steps', '5', '--scale-interval', '5'))]
    grids = [sampled(f'{name}-{n}x{n}'.replace('+', '-plus-').replace('--', '-'), f'{n} x {n} board, {sampler} {" ".join(more)}'.strip(), f'lattice:square:{n}x{n}', sampler, 20000, more,
                     expected=str(count), published=Published(text=NOT_AT_HAND))
             for n, count in tilings.items() if n <= 12 for name, sampler, more in variants]
    grids += [sampled(f'{name}-{n}x{n}-million'.replace('+', '-plus-').replace('--', '-'), f'{n} x {n} board, 10^6 samples, {sampler}', f'lattice:square:{n}x{n}', sampler, 1000000, more, gpu=True,
                      expected=str(tilings[n]) if n in tilings else None, published=Published(text=NOT_AT_HAND)) for n in (6, 10, 16, 20, 24) for name, sampler, more in variants[1:4:2]]
    random_rows = [sampled('rasmussen-plus-time', 'n = 40, density 0.8, rasmussen+, 10^5 samples (published: 10^7)', made(random_matrix, 40, 0.8, 'binary'), 'rasmussen+', 100000,
                           published=Published(text='1.4 s for 10^7 samples, one TITAN X (thesis)')),
                   sampled('scaling-plus-time', 'n = 40, density 0.8, scaling+, 10^4 samples (published: 10^6)', made(random_matrix, 40, 0.8, 'binary'), 'scaling+', 10000,
                           ('--scale-steps', '1'), published=Published(text='13 s for 10^6 samples, one TITAN X (thesis)')),
                   sampled('rasmussen-plus-time-gpu', 'n = 40, density 0.8, rasmussen+, 10^7 samples', made(random_matrix, 40, 0.8, 'binary'), 'rasmussen+', 10000000,
                           published=Published(1.4, 'one TITAN X', 'thesis'), gpu=True),
                   sampled('scaling-plus-time-gpu', 'n = 40, density 0.8, scaling+, 10^6 samples', made(random_matrix, 40, 0.8, 'binary'), 'scaling+', 1000000,
                           ('--scale-steps', '1'), published=Published(13, 'one TITAN X', 'thesis'), gpu=True)]
    random_rows += [sampled(f'{name}-p{round(100 * p)}'.replace('+', '-plus'), f'n = 40, density {p}, {sampler}', made(random_matrix, 40, p, 'binary'), sampler, 20000, more)
                    for p in (0.2, 0.4, 0.8) for name, sampler, more in variants[:4]]
    random_rows += [sampled('large', '1,280 rows with 4 ones each, scaling+, 500 samples (published: up to 1,280 rows of sparse matrices)', made(sparse_rows, 1280, 4), 'scaling+', 500,
                            ('--scale-steps', '1')),
                    Row('guarantee', 'a Markov chain with a guarantee, named as next: n = 40, density 0.5, within 10 % with probability 0.95',
                        ['estimate', 'INPUT', '--all-sampled', '--guarantee', '0.1,0.05', '--seed', '1'], make=made(random_matrix, 40, 0.5, 'binary')),
                    Row('several-gpus', 'samplers on several GPUs and the CPU together', elsewhere='`--gpus`, with all threads beside them (docs/gpu.md, bench/results/estimates.md)')]
    sizes = [Row('accuracy', 'accuracy against the number of samples (Figures 6.18 to 6.20)', ['compare', 'lattice:square:8x8', '--sizes', '100,1000,10000', '--seed', '1', '--time-limit', '60s'],
                 Published(text=NOT_AT_HAND))]
    return Paper('thesis', 'A thesis on permanents and matchings on GPUs', 'A thesis of 2021, whose samplers and exact methods countpm has under their names', [
        Table('exact', 'Exact permanents', exact),
        Table('grids', 'Samplers on grid graphs (Table 6.16)', grids, 'Without reductions, pruning and an exact tail, as published; 20,000 samples where the table has 10^6.'),
        Table('random', 'Samplers on random matrices', random_rows),
        Table('sizes', 'Accuracy by samples', sizes)])


# -------------------------------------------------------------------------------------------------------- condensation


def condensation():
    modular = [Row(f'board-{n}', f'{n} x {n} board: a determinant of {n * n // 2} rows modulo primes', [f'lattice:square:{n}x{n}', '--method', 'condensation'],
                   Published(text=NOT_AT_HAND), expected=f'board {n}', gpu=n > 30) for n in (6, 10, 16, 20, 24, 30, 40, 64, 90)]
    modular += [Row('any-matrix', 'the determinant of any matrix on a GPU', missing="only Kasteleyn's matrices are eliminated on GPUs; countpm.determinant runs on CPUs"),
                Row('dodgson', "Dodgson's own condensation", missing="it divides by interior minors, and most of those of Kasteleyn's sparse matrices are 0; in doubles it is in the table of Hilbert's matrices"),
                Row('copy-cpu', 'a copy of 256 MiB by one thread of the CPU', call=('copy-cpu', 2 ** 28)),
                Row('copy-gpu', "a copy of 4 GiB within the GPU's memory", call=('copy-gpu', 2 ** 32), gpu=True),
                Row('maple-ntl', 'beside Maple, NTL and MATLAB', missing='not to be had here; beside FLINT: bench/results/peers.md, planar lattices')]
    floating = [Row(f'log-{n}', f'ln Z of the {n} x {n} board in doubles by condensation', [f'lattice:square:{n}x{n}', '--method', 'condensation', '--ln-z'], None, expected=f'ln {n}')
                for n in (10, 20, 30, 40)]
    floating += [Row('pivot', 'the pivot nearest 1, and pivots multiplied large against small', missing="of a board all weights are 1, so there is nothing to choose; Hilbert's matrices below "
                     'take it, and their products have exponents of their own')]
    hilbert = [Row(f'hilbert-{n}', f"Hilbert's matrix of {n} rows", call=('hilbert', n),
                   published=Published(text=NOT_AT_HAND)) for n in (5, 10, 15, 20, 40, 60, 100, 200)]
    return Paper('condensation', 'Determinants by condensation on GPUs', 'S.A. Haque, M. Moreno Maza, Determinant computation on the GPU using the condensation method (2011)', [
        Table('modular', 'Condensation modulo primes', modular, 'GB/s are an effective bandwidth, as the paper has it: the bytes that each step of condensation would read and write, by the seconds of counting.\n'
              'On a GPU countpm makes 16 steps at once, so that it reads and writes less.\nA copy is there to compare.'),
        Table('floating', 'Condensation in floating point', floating),
        Table('hilbert', "Hilbert's matrices", hilbert, 'The exact determinant is c(n)^4 / c(2n), where c(n) is the product of k! over all k < n.\n34 digits are those of quadruple precision.\nCondensation takes the pivot nearest 1.\nThe function countpm.determinant is asked for it where its module is there.')])


# -------------------------------------------------------------------------------------------------------- permutations


def permutations():
    counted = [Row(f'count-{n}', f'all {n}! permutations, visited one by one (enumerate)', [f'lattice:complete-bipartite:{n}x{n}', '--method', 'enumerate', '--no-rule', 'twins'], figure,
                   expected=str(math.factorial(n)), gpu=n > 11) for n, figure in (
        (8, None), (9, None), (10, None), (11, Published(text='0.32 s with the list, which is made on the GPU (CodeProject)')),
        (12, Published(text='0.9 s with the list, which is made on the GPU (CodeProject)')), (13, None), (14, None))]
    counted += [Row(f'steps-{steps}-n{n}', f'all {n}! permutations, {words}', [f'lattice:complete-bipartite:{n}x{n}', '--method', 'enumerate', '--no-rule', 'twins', '--set', f'steps={steps}'],
                    None, expected=str(math.factorial(n)), gpu=n > 11)
                for n in (9, 12) for steps, words in ((0, 'each from its number (Version 1)'), (1, 'one next_permutation for each that comes from its number (Version 2)'),
                                                     (9, 'nine for each (Version 3)'))]
    listed = [Row(f'list-{n}', f'the list of all {n}! permutations, written by the CPU', ['list', f'lattice:complete-bipartite:{n}x{n}', '-q'], None, expected=f'lines {math.factorial(n)}')
              for n in (7, 8, 9)]
    listed.append(Row('list-11', 'the list of all 11! permutations', missing='40 million lines of text take minutes on the CPU: not run'))
    listed += [Row('range', 'permutations number 1001 to 2000 of 9! alone', ['list', 'lattice:complete-bipartite:9x9', '--range', '1001..2000', '-q'], None, expected='lines 1000'),
               Row('range-20', 'permutations number 10^18 + 1 to 10^18 + 1000 of 20!, the most that the articles have',
                   ['list', 'lattice:complete-bipartite:20x20', '--range', f'{10 ** 18 + 1}..{10 ** 18 + 1000}', '-q'], None, expected='lines 1000', long=True),
               Row('range-30', 'permutations number 10^30 + 1 to 10^30 + 1000 of 30!', missing='`--range` takes numbers below 2^64; counts and draws have no such limit'),
               Row('function', "a user's function for every permutation of 8, called in Python: the sum of sign times product against a determinant", call=('kernel', 8)),
               Row('order', 'the list of 7! against the lexicographic order', call=('order', 7)),
               Row('gpu-list', 'the list made on the GPU', missing='GPUs count only; list is a command for CPUs'),
               Row('kernel', "a user's function for every permutation on the GPU", missing='no such interface'),
               Row('opencl', 'OpenCL', missing='CUDA only')]
    return Paper('permutations', 'Permutations on GPUs', 'Wong Shao Voon, articles at CodeProject, 2012 to 2016', [
        Table('count', 'Counting by enumeration', counted),
        Table('list', 'Lists', listed)])


PAPERS = [superman(), code_generation(), thesis(), condensation(), permutations()]


def chosen(paper=None, table=None):
    """[(paper, table, row)]; LookupError names what there is."""
    papers = [each for each in PAPERS if paper in (None, each.name)]
    if not papers:
        raise LookupError(f"no paper '{paper}'; there are {', '.join(each.name for each in PAPERS)}")
    tables = [(each, one) for each in papers for one in each.tables if table in (None, one.name)]
    if not tables:
        raise LookupError(f"no table '{table}' of {paper}; there are {', '.join(one.name for one in papers[0].tables)}")
    return [(each, one, row) for each, one in tables for row in one.rows]
