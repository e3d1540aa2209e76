"""The programs that race, and how each is called: countpm, its Python module, and the peers.

A Program says which package it needs and which problems it answers; `prepare(instance, data, files)` makes its input, which is not
timed, and returns a call without arguments, which is. A call's answer is an integer, a float, a complex number, a list (polynomials from 0
edges on; probabilities in the order of the edges), or for samples a list of lists of edges. Packages are imported when they are first needed.
"""

import ctypes
import json
import os
import resource
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import encodings_of_matchings as encodings

PROGRAMS = {}


class Program:
    def __init__(self, name, package, problems, prepare, exact, note='', once=False):
        self.name, self.package, self.problems, self.prepare, self.exact, self.note = name, package, problems, prepare, exact, note
        self.once = once  # a process makes one call only


def program(name, package, *problems, exact=True, note='', once=False):
    def enter(prepare):
        PROGRAMS[name] = Program(name, package, problems, prepare, exact, note, once)
        return prepare
    return enter


class CannotDo(Exception):
    """This program has no answer to this instance."""


MATRICES = ('permanent', 'hafnian', 'loop hafnian')
GRAPHS = ('perfect matchings', 'planar')


def entries(data):
    """Rows of int, float or complex."""
    return [[complex(*value) if isinstance(value, (list, tuple)) else value for value in row] for row in data['matrix']]


def array(data, whole=False):
    import numpy

    a = numpy.array(entries(data))
    return a if whole or a.dtype.kind == 'c' else a.astype(float)


def is_square(data):
    return len(data['matrix']) == len(data['matrix'][0])


def whole_numbers(data):
    return all(isinstance(value, int) for row in data['matrix'] for value in row)


# ------------------------------------------------------------------------------------------------------------- countpm


OPTIONS = {
    'permanent': ['--weights'], 'hafnian': ['--weights'], 'loop hafnian': ['--weights', '--loops', 'monomer'], 'perfect matchings': [], 'planar': [],
    'matching polynomial': ['--monomers', 't'], 'maximum matchings': ['--maximum'],
}


def command_of(instance, files, exact=False):
    """countpm's command line for an instance."""
    tool, file, problem = files['countpm'], files['input'], instance['problem']
    common = ['-q', '--threads', str(instance['threads']), '--device', 'cpu', '--time-limit', 'none']
    if problem == 'marginals':
        return [tool, 'marginals', file, *common[:3], '--digits', '17']
    if problem == 'samples':
        return [tool, 'sample', file, *common[:3], '--number', str(instance['settings']['samples']), '--seed', '1']
    if problem == 'matching size':
        return [tool, 'explain', file, '--json', '--method', 'definition']  # without a search for orders
    options = list(OPTIONS[problem])
    rectangular = problem == 'permanent' and not instance['square']
    if rectangular:
        options.append('--maximum')
    if exact and problem in MATRICES:
        options.append('--exact')
    return [tool, file, *options, *common]


def number(text):
    text = text.strip()
    if text.startswith('('):
        real, imaginary = (float(Fraction(part)) for part in text[1:-1].split(','))
        return complex(real, imaginary)
    value = Fraction(text)
    if '/' in text or '.' in text or 'e' in text:
        return float(value)
    return int(value)


def parse_answer(instance, text):
    problem = instance['problem']
    if problem == 'matching polynomial':
        return [int(line.split()[-1]) for line in text.splitlines() if line.strip()]
    if problem == 'marginals':
        return [float(line.split()[-1]) for line in text.splitlines()]
    if problem == 'samples':
        return [[[int(end) for end in pair.split()] for pair in line.split('\t')] for line in text.splitlines()]
    if problem == 'matching size':
        return int(json.loads(text)['matching_size'])
    return number(text)


@program('countpm', 'countpm', *MATRICES, *GRAPHS, 'matching polynomial', 'marginals', 'matching size', 'maximum matchings', 'samples',
         note='the whole program, from its start to the printed answer')
def prepare_countpm(instance, data, files):
    command = command_of(instance, files)

    def call():
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, close_fds=False)
        if done.returncode != 0:
            raise CannotDo((done.stderr.strip().splitlines() or [f'exit code {done.returncode}'])[-1])
        return done.stdout
    call.finish = lambda text: parse_answer(instance, text)
    return call


@program('countpm-module', 'countpm-module', *MATRICES, *GRAPHS, 'matching polynomial', 'marginals', 'maximum matchings', 'matching size', 'samples',
         note='the same by a call of its Python module')
def prepare_module(instance, data, files):
    import countpm

    problem = instance['problem']  # as many threads as OMP_NUM_THREADS says
    if problem in MATRICES:
        a = array(data, whole=True)
        function = {'permanent': countpm.permanent, 'hafnian': countpm.hafnian, 'loop hafnian': countpm.loop_hafnian}[problem]
        call = lambda: function(a)  # noqa: E731
        call.finish = lambda value: int(value) if isinstance(value, int) else (complex(value) if isinstance(value, complex) else float(value))
        return call
    edges = [tuple(edge) for edge in data['edges']]
    if problem == 'marginals':
        call = lambda: countpm.marginals(edges)  # noqa: E731
        call.finish = lambda found: [float(value) for value in (found.values() if hasattr(found, 'values') else found)]
        return call
    if problem == 'samples':
        call = lambda: list(countpm.sample(edges, instance['settings']['samples'], seed=1))  # noqa: E731
        call.finish = lambda found: [[list(map(int, edge)) for edge in matching] for matching in found]
        return call
    if problem == 'matching size':
        call = lambda: countpm.explain(edges, method='definition').matching_size  # noqa: E731
        return call
    function = {'matching polynomial': countpm.matching_polynomial, 'maximum matchings': countpm.maximum_matchings}.get(problem, countpm.perfect_matchings)
    return lambda: function(edges)


# --------------------------------------------------------------------------------------------- permanents and hafnians


@program('walrus', 'thewalrus', *MATRICES, exact=False, note='`perm` (Glynn), `hafnian` (loop=True)')
def prepare_walrus(instance, data, files):
    import thewalrus

    a, problem = array(data), instance['problem']
    if problem == 'permanent':
        if not is_square(data):
            raise CannotDo('square matrices only')
        return lambda: thewalrus.perm(a, method='glynn')
    loop = problem == 'loop hafnian'
    return lambda: thewalrus.hafnian(a, loop=loop)


@program('walrus-ryser', 'thewalrus', 'permanent', exact=False, note='`perm(method="ryser")`')
def prepare_walrus_ryser(instance, data, files):
    import thewalrus

    a = array(data)
    if not is_square(data):
        raise CannotDo('square matrices only')
    return lambda: thewalrus.perm(a, method='ryser')


@program('walrus-sparse', 'thewalrus', 'hafnian', 'perfect matchings', exact=False, note='`hafnian_sparse`')
def prepare_walrus_sparse(instance, data, files):
    import thewalrus

    a = array(data) if 'matrix' in data else adjacency(data)
    return lambda: thewalrus.hafnian_sparse(a)


def adjacency(data):
    import numpy

    a = numpy.zeros((data['vertices'],) * 2)
    for u, v in data['edges']:
        a[u, v] = a[v, u] = 1
    return a


@program('qc-permanent', 'qc-permanent', 'permanent', exact=False, note='`permanent.opt`')
def prepare_qc_permanent(instance, data, files):
    import permanent

    a = array(data)
    return lambda: permanent.opt(a)


@program('piquasso', 'piquasso', *MATRICES, exact=False, note='`NumpyConnector().permanent`, `.hafnian`, `.loop_hafnian`')
def prepare_piquasso(instance, data, files):
    import numpy
    import piquasso

    a, connector, problem = array(data), piquasso.NumpyConnector(), instance['problem']
    ones = numpy.ones(len(a), dtype=int)
    if problem == 'permanent':
        if not is_square(data):
            raise CannotDo('square matrices only')
        return lambda: connector.permanent(a, ones, ones)
    if problem == 'hafnian':
        return lambda: connector.hafnian(a, ones)
    diagonal = numpy.diag(a).copy()
    return lambda: connector.loop_hafnian(a, diagonal, ones)


def flint_library():
    """The library inside python-flint's wheel."""
    import flint

    found = sorted(Path(flint.__file__).resolve().parent.parent.glob('python_flint.libs/libflint*.so*'))
    if not found:
        raise CannotDo('no libflint in the wheel')
    return ctypes.CDLL(str(found[0]))


class Matrix(ctypes.Structure):
    _fields_ = [('entries', ctypes.c_void_p), ('rows', ctypes.c_long), ('columns', ctypes.c_long), ('more', ctypes.c_long * 8)]


def flint_matrix(library, rows):
    """An fmpz_mat_t: its entries are consecutive words in FLINT 2 and 3, and small integers are stored as they are."""
    matrix, columns = Matrix(), len(rows[0])
    library.fmpz_mat_init(ctypes.byref(matrix), ctypes.c_long(len(rows)), ctypes.c_long(columns))
    words = (ctypes.c_long * (len(rows) * columns)).from_address(matrix.entries)
    for i, row in enumerate(rows):
        words[i * columns:(i + 1) * columns] = row
    return matrix


def flint_call(library, function, matrix):
    """The decimal digits of function(matrix)."""
    library.fmpz_get_str.restype = ctypes.c_char_p

    def call():
        result = ctypes.c_long(0)
        function(ctypes.byref(result), ctypes.byref(matrix))
        return library.fmpz_get_str(None, 10, ctypes.byref(result))
    call.finish = lambda text: abs(int(text))
    return call


@program('flint', 'python-flint', 'permanent', note='`fmpz_mat_permanent` of the library in the wheel of python-flint, by ctypes')
def prepare_flint(instance, data, files):
    if not whole_numbers(data) or not is_square(data):
        raise CannotDo('square matrices of integers only')
    library = flint_library()
    if not hasattr(library, 'fmpz_mat_permanent'):
        raise CannotDo('no fmpz_mat_permanent in this FLINT')
    return flint_call(library, library.fmpz_mat_permanent, flint_matrix(library, data['matrix']))


@program('sympy', 'sympy', 'permanent', note='`Matrix.per`')
def prepare_sympy(instance, data, files):
    import sympy

    if not whole_numbers(data):
        raise CannotDo('run on integers only')
    matrix = sympy.Matrix(data['matrix'])
    call = lambda: matrix.per()  # noqa: E731
    call.finish = int
    return call


def sage_matrix(rows):
    from sage.all__sagemath_modules import ZZ
    from sage.matrix.constructor import Matrix as SageMatrix

    return SageMatrix(ZZ, rows)


@program('sage-ryser', 'passagemath-modules', 'permanent', note='`Matrix.permanent` of passagemath (Ryser)')
def prepare_sage_ryser(instance, data, files):
    if not whole_numbers(data):
        raise CannotDo('run on integers only')
    matrix = sage_matrix(data['matrix'])
    if matrix.nrows() > matrix.ncols():
        raise CannotDo('more rows than columns')
    call = lambda: matrix.permanent()  # noqa: E731
    call.finish = int
    return call


@program('sage-butera-pernici', 'passagemath-modules', 'permanent', 'perfect matchings', note='`Matrix.permanent(algorithm="ButeraPernici")`, of the biadjacency matrix')
def prepare_sage_butera(instance, data, files):
    if 'matrix' in data:
        if not whole_numbers(data):
            raise CannotDo('run on integers only')
        rows = data['matrix']
    else:
        rows = biadjacency(data)
    matrix = sage_matrix(rows)
    call = lambda: matrix.permanent(algorithm='ButeraPernici')  # noqa: E731
    call.finish = int
    return call


def sides(data):
    """0 or 1 for each vertex; raises where the graph has an odd cycle."""
    if 'left' in data:
        return [int(v >= data['left']) for v in range(data['vertices'])]
    neighbours = [[] for _ in range(data['vertices'])]
    for u, v in data['edges']:
        neighbours[u].append(v)
        neighbours[v].append(u)
    side = [None] * data['vertices']
    for start in range(data['vertices']):
        if side[start] is not None:
            continue
        side[start], stack = 0, [start]
        while stack:
            v = stack.pop()
            for w in neighbours[v]:
                if side[w] is None:
                    side[w] = 1 - side[v]
                    stack.append(w)
                elif side[w] == side[v]:
                    raise CannotDo('the graph is not bipartite')
    return side


def biadjacency(data):
    side = sides(data)
    place, counts = [], [0, 0]
    for v in range(data['vertices']):
        place.append(counts[side[v]])
        counts[side[v]] += 1
    if counts[0] != counts[1]:
        raise CannotDo('sides of different sizes')
    rows = [[0] * counts[1] for _ in range(counts[0])]
    for u, v in data['edges']:
        a, b = (u, v) if side[u] == 0 else (v, u)
        rows[place[a]][place[b]] = 1
    return rows


# ------------------------------------------------------------------------------------------------------ sparse graphs


@program('walrus-permanent', 'thewalrus', 'perfect matchings', exact=False, note='`perm` of the biadjacency matrix')
def prepare_walrus_biadjacency(instance, data, files):
    import numpy
    import thewalrus

    a = numpy.array(biadjacency(data), dtype=float)
    return lambda: thewalrus.perm(a)


@program('qc-permanent-graph', 'qc-permanent', 'perfect matchings', exact=False, note='`permanent.opt` of the biadjacency matrix')
def prepare_qc_biadjacency(instance, data, files):
    import numpy
    import permanent

    a = numpy.array(biadjacency(data), dtype=float)
    return lambda: permanent.opt(a)


@program('piquasso-hafnian', 'piquasso', 'perfect matchings', exact=False, note='`hafnian` of the adjacency matrix')
def prepare_piquasso_hafnian(instance, data, files):
    import numpy
    import piquasso

    a, connector = adjacency(data), piquasso.NumpyConnector()
    ones = numpy.ones(len(a), dtype=int)
    return lambda: connector.hafnian(a, ones)


def graphillion_universe(data, order=None):
    """The edges in their own order or another one, numbered from 1."""
    from graphillion import GraphSet

    edges = [(u + 1, v + 1) for u, v in data['edges']]
    GraphSet.set_universe([edges[e] for e in order] if order else edges, traversal='as-is')
    return GraphSet


def graphillion_answer(instance, data, order):
    problem = instance['problem']
    edges = [(u + 1, v + 1) for u, v in data['edges']]
    if max(sum(v in edge for edge in data['edges']) for v in range(data['vertices'])) > 62:
        raise CannotDo('degree above 62')

    def call():
        sets = graphillion_universe(data, order)
        if problem == 'matching polynomial':
            found = sets.matchings()
            return [sized(found, k) for k in range(data['vertices'] // 2 + 1)]
        if problem == 'maximum matchings':
            found = sets.matchings()
            for size in range(data['vertices'] // 2, 0, -1):
                larger = found.larger(size - 1).len()
                if larger:
                    return larger
            return 1
        found = sets.perfect_matchings()
        if problem == 'marginals':
            total = found.len()
            return [found.including(edge).len() / total for edge in edges]
        if problem == 'samples':
            several = []  # rand_iter never draws a set twice, so each draw has its own
            for _ in range(instance['settings']['samples']):
                several.append([(u - 1, v - 1) for u, v in next(found.rand_iter())])
            return several
        return found.len()
    return call


def sized(found, size):
    """Matchings with `size` edges; the empty one is missing in GraphSet.matchings() and is added by hand."""
    if size == 0:
        return 1
    return found.larger(size - 1).smaller(size + 1).len()


@program('graphillion', 'graphillion', 'perfect matchings', 'planar', 'matching polynomial', 'marginals', 'maximum matchings', 'samples',
         note='`GraphSet.perfect_matchings`, edges as listed')
def prepare_graphillion(instance, data, files):
    return graphillion_answer(instance, data, None)


@program('graphillion-rcm', 'graphillion', 'perfect matchings', 'planar', 'matching polynomial', 'marginals', 'maximum matchings', 'samples',
         note='the same, edges in the order of a Cuthill-McKee numbering, which is not timed')
def prepare_graphillion_rcm(instance, data, files):
    return graphillion_answer(instance, data, encodings.cuthill_mckee(data))


@program('ganak', 'pyganak', 'perfect matchings', 'planar', note='`Counter.count`, CNF')
def prepare_ganak(instance, data, files):
    return ganak_counter(*encodings.cnf(data), len(data['edges']))


@program('ganak-seq', 'pyganak', 'perfect matchings', note='the same, sequential CNF, edges as sampling set')
def prepare_ganak_sequential(instance, data, files):
    return ganak_counter(*sequential(data), len(data['edges']))


def sequential(data):
    clauses, variables = encodings.cnf(data, sequential=True)
    if variables == len(data['edges']):
        raise CannotDo('no vertex of degree 5 or more: the same CNF')
    return clauses, variables


def ganak_counter(clauses, variables, sampled):
    import pyganak

    def call():
        counter = pyganak.Counter()
        counter.new_vars(variables)
        for clause in clauses:
            counter.add_clause(clause)
        if variables > sampled:
            counter.set_sampling_set(range(1, sampled + 1))
        return counter.count()
    return call


@program('d4', 'd4Solver', 'perfect matchings', 'planar', note='`Solver.count`, CNF; a process for each call, because it keeps its memory', once=True)
def prepare_d4(instance, data, files):
    return d4_counter(*encodings.cnf(data))


@program('d4-seq', 'd4Solver', 'perfect matchings', note='the same, sequential CNF', once=True)
def prepare_d4_sequential(instance, data, files):
    return d4_counter(*sequential(data))


def d4_counter(clauses, variables):
    import py_d4

    call = lambda: py_d4.Solver(clauses, variables).count()  # noqa: E731
    call.finish = lambda found: int(found.getIntResult())
    return call


@program('tididi', 'tididi-cnf', 'perfect matchings', note='`count`, CNF')
def prepare_tididi(instance, data, files):
    import tididi_cnf

    clauses, variables = encodings.cnf(data)
    call = lambda: tididi_cnf.count(clauses, num_vars=variables)  # noqa: E731
    call.finish = lambda found: int(found if isinstance(found, (int, str)) else getattr(found, 'value', getattr(found, 'count', found)))
    return call


@program('pysdd', 'PySDD', 'perfect matchings', 'marginals', note='`from_cnf_file`, weighted model count')
def prepare_pysdd(instance, data, files):
    from pysdd.sdd import SddManager

    clauses, variables = encodings.cnf(data)
    file = Path(files['folder']) / f'pysdd-{os.getpid()}.cnf'
    file.write_text(encodings.dimacs(clauses, variables), encoding='ascii')

    def call():
        manager, node = SddManager.from_cnf_file(bytes(file))
        if instance['problem'] == 'perfect matchings':
            return manager.global_model_count(node)
        counter = node.wmc(log_mode=False)
        counter.propagate()
        return [counter.literal_pr(k + 1) for k in range(len(data['edges']))]
    return call


@program('approxmc', 'pyapproxmc', 'perfect matchings', exact=False, note='`Counter(seed=1).count`, epsilon 0.8, delta 0.2, CNF: approximate')
def prepare_approxmc(instance, data, files):
    import pyapproxmc

    clauses, _ = encodings.cnf(data)

    def call():
        counter = pyapproxmc.Counter(seed=1)
        for clause in clauses:
            counter.add_clause(clause)
        cells, hashes = counter.count()
        return cells * 2 ** hashes
    return call


@program('unigen', 'pyunigen', 'samples', note='`Sampler(seed=1).sample`, CNF: almost uniform')
def prepare_unigen(instance, data, files):
    import pyunigen

    clauses, _ = encodings.cnf(data)
    number_of_edges = len(data['edges'])

    def call():
        sampler = pyunigen.Sampler(seed=1)
        for clause in clauses:
            sampler.add_clause(clause)
        return sampler.sample(num=instance['settings']['samples'], sampling_set=list(range(1, number_of_edges + 1)))[2]
    call.finish = lambda found: [[data['edges'][abs(literal) - 1] for literal in model if literal > 0] for model in found]
    return call


@program('cotengra', 'cotengra', 'perfect matchings', 'planar', exact=False, note='tensor network, search by greedy and kahypar (`max_time="rate:1e8"`) included')
def prepare_cotengra(instance, data, files):
    import cotengra
    import numpy

    inputs, arrays = encodings.tensors(data, numpy)
    inputs = [tuple(map(cotengra.get_symbol, indices)) for indices in inputs]
    sizes = {index: 2 for indices in inputs for index in indices}

    def call():
        search = cotengra.HyperOptimizer(methods=['greedy', 'kahypar'], max_time='rate:1e8', parallel=False, progbar=False)
        tree = search.search(inputs, (), sizes)
        return float(tree.contract(arrays))
    return call


@program('quimb', 'quimb', 'perfect matchings', exact=False, note='`TensorNetwork.contract(optimize="auto-hq")`')
def prepare_quimb(instance, data, files):
    import numpy
    import quimb.tensor

    inputs, arrays = encodings.tensors(data, numpy)

    def call():
        network = quimb.tensor.TensorNetwork([quimb.tensor.Tensor(a, [f'i{index}' for index in indices]) for indices, a in zip(inputs, arrays)])
        return float(network.contract(output_inds=(), optimize='auto-hq'))
    return call


def sage_graph(data):
    from sage.graphs.graph import Graph

    return Graph([list(range(data['vertices'])), [tuple(edge) for edge in data['edges']]], format='vertices_and_edges')


@program('sage', 'passagemath-graphs', 'matching polynomial', 'matching size', 'perfect matchings',
         note='`Graph.matching_polynomial`, `.matching(value_only=True)`, and the `perfect_matchings` iterator')
def prepare_sage(instance, data, files):
    graph, problem = sage_graph(data), instance['problem']
    if problem == 'matching size':
        return lambda: int(graph.matching(value_only=True, algorithm='Edmonds'))
    if problem == 'perfect matchings':
        return lambda: sum(1 for _ in graph.perfect_matchings())

    def finish(polynomial):
        n = data['vertices']
        return [abs(int(polynomial[n - 2 * k])) for k in range(n // 2 + 1)]
    call = lambda: graph.matching_polynomial()  # noqa: E731
    call.finish = finish
    return call


# ---------------------------------------------------------------------------------------------------- planar lattices


@program('flint-det', 'python-flint', 'planar', note="`fmpz_mat.det` of Kasteleyn's matrix, which is given and not timed")
def prepare_flint_det(instance, data, files):
    import flint

    matrix = flint.fmpz_mat(data['kasteleyn'])
    call = lambda: matrix.det()  # noqa: E731
    call.finish = lambda value: abs(int(value))
    return call


@program('debian-flint-det', 'libflint-dev', 'planar', note='the same by Debian\'s library, by ctypes')
def prepare_debian_flint(instance, data, files):
    library = [ctypes.CDLL(path, ctypes.RTLD_GLOBAL) for path in files['flint']][-1]
    return flint_call(library, library.fmpz_mat_det, flint_matrix(library, data['kasteleyn']))


@program('numpy-slogdet', 'numpy', 'planar', exact=False, note="`linalg.slogdet` of Kasteleyn's matrix: a logarithm in doubles")
def prepare_slogdet(instance, data, files):
    import numpy

    matrix = numpy.array(data['kasteleyn'], dtype=float)
    call = lambda: numpy.linalg.slogdet(matrix)[1]  # noqa: E731
    call.finish = lambda value: {'logarithm': float(value)}
    return call


@program('sympy-det', 'sympy', 'planar', note="`DomainMatrix.det` of Kasteleyn's matrix")
def prepare_sympy_det(instance, data, files):
    from sympy import ZZ
    from sympy.polys.matrices import DomainMatrix

    n = len(data['kasteleyn'])
    matrix = DomainMatrix([[ZZ(value) for value in row] for row in data['kasteleyn']], (n, n), ZZ)
    call = lambda: matrix.det()  # noqa: E731
    call.finish = lambda value: abs(int(value))
    return call


@program('flint-inverse', 'python-flint', 'marginals', note="`fmpz_mat.solve` of Kasteleyn's matrix, which is given and not timed: planar lattices only")
def prepare_flint_inverse(instance, data, files):
    import flint

    if 'kasteleyn' not in data:
        raise CannotDo("no Kasteleyn matrix is given")
    matrix = flint.fmpz_mat(data['kasteleyn'])
    row = {v: k for k, v in enumerate(data['white'])}
    column = {v: k for k, v in enumerate(data['black'])}
    places = [(row[u], column[v]) if u in row else (row[v], column[u]) for u, v in data['edges']]

    def call():
        inverse = matrix.inv()
        return [float((inverse[j, i] * matrix[i, j]).p) / float((inverse[j, i] * matrix[i, j]).q) for i, j in places]
    return call


@program('numpy-inverse', 'numpy', 'marginals', exact=False, note="`linalg.inv` of Kasteleyn's matrix in doubles: planar lattices only")
def prepare_numpy_inverse(instance, data, files):
    import numpy

    if 'kasteleyn' not in data:
        raise CannotDo("no Kasteleyn matrix is given")
    matrix = numpy.array(data['kasteleyn'], dtype=float)
    row = {v: k for k, v in enumerate(data['white'])}
    column = {v: k for k, v in enumerate(data['black'])}
    i, j = zip(*[(row[u], column[v]) if u in row else (row[v], column[u]) for u, v in data['edges']])

    def call():
        inverse = numpy.linalg.inv(matrix)
        return inverse[list(j), list(i)] * matrix[list(i), list(j)]
    call.finish = lambda values: [float(value) for value in values]
    return call


# --------------------------------------------------------------------------------------------------- maximum matchings


@program('networkx', 'networkx', 'matching size', note='`bipartite.hopcroft_karp_matching` or `max_weight_matching(maxcardinality=True)`')
def prepare_networkx(instance, data, files):
    import networkx

    graph = networkx.Graph()
    graph.add_nodes_from(range(data['vertices']))
    graph.add_edges_from(data['edges'])
    if 'left' in data:
        return lambda: len(networkx.bipartite.hopcroft_karp_matching(graph, range(data['left']))) // 2
    return lambda: len(networkx.max_weight_matching(graph, maxcardinality=True))


@program('rustworkx', 'rustworkx', 'matching size', note='`max_weight_matching(max_cardinality=True)`')
def prepare_rustworkx(instance, data, files):
    import rustworkx

    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(data['vertices']))
    graph.add_edges_from([(u, v, 1) for u, v in data['edges']])
    return lambda: len(rustworkx.max_weight_matching(graph, max_cardinality=True))


@program('igraph', 'igraph', 'matching size', note='`maximum_bipartite_matching`')
def prepare_igraph(instance, data, files):
    import igraph

    if 'left' not in data:
        raise CannotDo('bipartite graphs only')
    graph = igraph.Graph.Bipartite([int(v >= data['left']) for v in range(data['vertices'])], data['edges'])
    return lambda: len(graph.maximum_bipartite_matching())


@program('scipy', 'scipy', 'matching size', note='`sparse.csgraph.maximum_bipartite_matching`')
def prepare_scipy(instance, data, files):
    import numpy
    from scipy import sparse
    from scipy.sparse.csgraph import maximum_bipartite_matching

    if 'left' not in data:
        raise CannotDo('bipartite graphs only')
    left = data['left']
    u, v = numpy.array(data['edges']).T
    matrix = sparse.csr_array((numpy.ones(len(u), dtype=numpy.int8), (u, v - left)), shape=(left, data['vertices'] - left))
    call = lambda: maximum_bipartite_matching(matrix, perm_type='column')  # noqa: E731
    call.finish = lambda found: int((found >= 0).sum())
    return call


@program('lemon', 'liblemon-dev', 'matching size', note='`MaxMatching`, in a program of its own that reports the CPU time of the matching alone')
def prepare_lemon(instance, data, files):
    text = f"{data['vertices']} {len(data['edges'])}\n" + ''.join(f'{u} {v}\n' for u, v in data['edges'])
    file = Path(files['folder']) / f'lemon-{os.getpid()}.txt'
    file.write_text(text, encoding='ascii')

    def call():
        done = subprocess.run([files['lemon'], str(file)], capture_output=True, text=True, check=True, close_fds=False)
        size, seconds = done.stdout.split()
        call.seconds = float(seconds)
        return int(size)
    call.seconds = None
    return call


def child_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


if __name__ == '__main__':
    sys.exit('this is a module: scripts/peers runs it')
