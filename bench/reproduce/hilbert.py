"""Rows of scripts/reproduce that are no command of countpm: Hilbert's matrices in floating point, and the order of listed permutations."""

import array
import decimal
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


class Doubles:
    """Numbers and rows of a precision; a product is kept as (mantissa, power of two), which does not underflow."""

    name = 'doubles'
    number = float

    @classmethod
    def matrix(cls, rows):
        return [cls.row(cls.number(1) / cls.number(i + j + 1) for j in range(rows)) for i in range(rows)]

    @staticmethod
    def row(values):
        return list(values)

    @classmethod
    def times(cls, product, factor):
        mantissa, exponent = product
        part, more = math.frexp(mantissa * factor)
        return part, exponent + more


class Singles(Doubles):
    """Each operation in doubles and then rounded, which is the same as in single precision."""

    name = 'single precision'

    @staticmethod
    def row(values):
        return array.array('f', values)

    @classmethod
    def times(cls, product, factor):
        mantissa, exponent = super().times(product, factor)
        return cls.row([mantissa])[0], exponent


class Digits(Doubles):
    """Decimals of so many digits, whose exponents are long enough; 34 are those of quadruple precision."""

    number = decimal.Decimal

    def __init__(self, digits):
        self.name, self.digits = f'{digits} digits', digits

    @classmethod
    def times(cls, product, factor):
        return product[0] * factor, 0


def less(kind, row, factor, other):
    """row - factor * other, with both operations rounded."""
    products = kind.row(factor * each for each in other)
    return kind.row(a - b for a, b in zip(row, products))


def by_elimination(rows, kind=Doubles):
    """Partial pivoting: (mantissa, exponent of two)."""
    a, product = kind.matrix(rows), (kind.number(1), 0)
    for k in range(rows):
        pivot = max(range(k, rows), key=lambda i: abs(a[i][k]))
        if a[pivot][k] == 0:
            return kind.number(0), 0
        if pivot != k:
            a[k], a[pivot], product = a[pivot], a[k], (-product[0], product[1])
        product = kind.times(product, a[k][k])
        below = a[k][k + 1:]
        for i in range(k + 1, rows):
            factor = kind.row([a[i][k] / a[k][k]])[0]
            a[i][k + 1:] = less(kind, a[i][k + 1:], factor, below)
    return product


def by_condensation(rows, kind=Doubles):
    """Salem and Said: the first row's entry nearest 1 is the pivot; each step divides its row by it and leaves a matrix of one row less."""
    a, product = kind.matrix(rows), (kind.number(1), 0)
    while len(a) > 1:
        pivot = min((j for j in range(len(a)) if a[0][j] != 0), key=lambda j: max(abs(a[0][j]), 1 / abs(a[0][j])), default=None)
        if pivot is None:
            return kind.number(0), 0
        value = a[0][pivot]
        product = kind.times(product, value if pivot % 2 == 0 else -value)
        first = kind.row(each / value for each in a[0])
        del first[pivot]
        a = [less(kind, row[:pivot] + row[pivot + 1:], row[pivot], first) for row in a[1:]]
    return kind.times(product, a[0][0])


def by_dodgson(rows, kind=Doubles):
    """C. L. Dodgson (1866): every 2 x 2 determinant of neighbours over the middle entry of two steps before; None where that is 0."""
    before, a = None, kind.matrix(rows)
    while len(a) > 1:
        smaller = []
        for i in range(len(a) - 1):
            row = kind.row(x - y for x, y in zip(kind.row(p * q for p, q in zip(a[i], a[i + 1][1:])), kind.row(p * q for p, q in zip(a[i][1:], a[i + 1]))))
            if before is not None:
                if any(each == 0 for each in before[i + 1][1:-1]):
                    return None
                row = kind.row(p / q for p, q in zip(row, before[i + 1][1:-1]))
            smaller.append(row)
        before, a = a, smaller
    return a[0][0], 0


WAYS = {'elimination': by_elimination, 'condensation': by_condensation, "Dodgson's condensation": by_dodgson}


def errors_of(rows, exact):
    """{way and precision: relative error}, in all precisions in which it takes seconds."""
    found = {}
    for kind in (Singles, Doubles, Digits(34), Digits(100)):
        for name, way in WAYS.items():
            if kind is Singles and name != 'elimination' or rows > 100 and name.startswith('Dodgson') and kind not in (Singles, Doubles):
                continue
            with decimal.localcontext(decimal.Context(prec=getattr(kind, 'digits', 34), Emin=-10 ** 9, Emax=10 ** 9)):
                value = way(rows, kind)
            found[f'{name} in {kind.name}'] = 'divides by zero' if value is None else relative_error(value, exact)
    return found


def relative_error(found, exact):
    """A float, or text where it is beyond floats."""
    mantissa, exponent = found
    error = abs(Fraction(mantissa) * Fraction(2) ** exponent - exact) / exact
    try:
        return float(error)
    except OverflowError:
        return f'1e+{len(str(int(error))) - 1}'


def hilbert(rows, tool, module_python):
    """{"answer", "error", "errors", "seconds"}: of floating point, and countpm's exact one where its Python module is there."""
    exact = exact_determinant(rows)
    errors = errors_of(rows, exact)
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
