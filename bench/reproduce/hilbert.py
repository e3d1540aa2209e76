"""Rows of scripts/reproduce that are no command of countpm: Hilbert's matrices in doubles, and the order of listed permutations."""

import itertools
import math
import subprocess
import sys
import time
from fractions import Fraction

if hasattr(sys, 'set_int_max_str_digits'):
    sys.set_int_max_str_digits(0)  # a determinant may have 24,000 digits


def exact_determinant(rows):
    """Of Hilbert's matrix: c(n)^4 / c(2 n), c(n) the product of i! for i below n."""
    def c(n):
        return math.prod(math.factorial(i) for i in range(n))
    return Fraction(c(rows) ** 4, c(2 * rows))


def matrix(rows):
    return [[1.0 / (i + j + 1) for j in range(rows)] for i in range(rows)]


def times(mantissa, exponent, factor):
    """A product of doubles that does not underflow."""
    part, more = math.frexp(mantissa * factor)
    return part, exponent + more


def by_elimination(rows):
    """Partial pivoting: (mantissa, exponent of two)."""
    a, mantissa, exponent = matrix(rows), 1.0, 0
    for k in range(rows):
        pivot = max(range(k, rows), key=lambda i: abs(a[i][k]))
        if a[pivot][k] == 0:
            return 0.0, 0
        if pivot != k:
            a[k], a[pivot], mantissa = a[pivot], a[k], -mantissa
        mantissa, exponent = times(mantissa, exponent, a[k][k])
        for i in range(k + 1, rows):
            factor = a[i][k] / a[k][k]
            for j in range(k + 1, rows):
                a[i][j] -= factor * a[k][j]
    return mantissa, exponent


def by_condensation(rows):
    """Salem and Said: the first row's entry nearest 1 is the pivot; each step divides its row by it and leaves a matrix of one row less."""
    a, mantissa, exponent = matrix(rows), 1.0, 0
    while len(a) > 1:
        pivot = min((j for j in range(len(a)) if a[0][j] != 0), key=lambda j: abs(math.log2(abs(a[0][j]))), default=None)
        if pivot is None:
            return 0.0, 0
        value = a[0][pivot]
        mantissa, exponent = times(mantissa, exponent, value if pivot % 2 == 0 else -value)
        first = [each / value for each in a[0]]
        a = [[row[j] - row[pivot] * first[j] for j in range(len(a)) if j != pivot] for row in a[1:]]
    return times(mantissa, exponent, a[0][0])


def relative_error(found, exact):
    """A float, or text where it is beyond floats."""
    mantissa, exponent = found
    error = abs(Fraction(mantissa) * Fraction(2) ** exponent - exact) / exact
    try:
        return float(error)
    except OverflowError:
        return f'1e+{len(str(int(error))) - 1}'


def hilbert(rows, tool, module_python):
    """{"answer", "error", "errors", "seconds"}: the two in doubles, and countpm's exact one where its Python module is there."""
    exact = exact_determinant(rows)
    errors = {'elimination in doubles': relative_error(by_elimination(rows), exact), 'condensation in doubles': relative_error(by_condensation(rows), exact)}
    found = {'answer': f'1/{exact.denominator}' if len(str(exact.denominator)) < 40 else f'1/(a number of {len(str(exact.denominator))} digits)', 'errors': errors,
             'whole': None, 'kernel': None, 'cpu': None, 'error': None}
    if module_python is None:
        found['note'] = 'the Python module is not built'
        return found
    code = ('import countpm, time, sys\nsys.set_int_max_str_digits(0)\nfrom fractions import Fraction\n'
            f'a = [[Fraction(1, i + j + 1) for j in range({rows})] for i in range({rows})]\n'
            'started = time.process_time()\nd = countpm.determinant(a)\nprint(time.process_time() - started, d)')
    started = time.perf_counter()
    done = subprocess.run([module_python[0], '-c', code], env=module_python[1], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        found['note'] = f'countpm.determinant: {done.stderr.strip().splitlines()[-1][:120]}'
        return found
    found['whole'] = time.perf_counter() - started
    seconds, value = done.stdout.split()
    found['kernel'] = found['cpu'] = float(seconds)
    found['error'] = 0.0 if Fraction(value) == exact else float(abs(Fraction(value) - exact) / exact)
    return found


def order(size, tool, module_python):
    """Whether countpm lists permutations as std::next_permutation and itertools go through them."""
    started = time.perf_counter()
    text = subprocess.run([str(tool), 'list', f'lattice:complete-bipartite:{size}x{size}', '-q'], capture_output=True, text=True, check=True).stdout
    whole = time.perf_counter() - started
    found = [tuple(int(pair.split()[1][1:]) for pair in line.split('\t')) for line in text.splitlines()]
    same = found == list(itertools.permutations(range(size)))
    return {'answer': 'the same order' if same else 'ANOTHER ORDER', 'whole': whole, 'kernel': None, 'cpu': None, 'error': None, 'wrong': not same}


CALLS = {'hilbert': hilbert, 'order': order}
