"""Rows of scripts/reproduce that are calls of countpm's Python module: what permanents are used for, and a function of every permutation.

Each is worked out here in another way, too. `python uses.py NAME SIZE` prints {"answer", "oracle", "cpu"}; runs.py calls it so, with the module's path.
"""

import itertools
import json
import math
import random
import subprocess
import sys
import time
from fractions import Fraction


def draws(name, size):
    return random.Random(f'{name} {size}')


def order_statistics(size):
    """P(at least half of the independent X_i are below 1), X_i uniform up to c_i: permanents of the rows F and 1 - F, repeated."""
    import countpm

    draw = draws('order statistics', size)
    below = [Fraction(1, draw.randint(2, 9)) for _ in range(size)]
    rows = [below, [1 - each for each in below]]
    found = sum(countpm.permanent(rows, rows=[k, size - k], cols=[1] * size) / (math.factorial(k) * math.factorial(size - k))
                for k in range((size + 1) // 2, size + 1))
    chances = [Fraction(1)]  # of k below, one variable after another
    for each in below:
        chances = [(chances[k] if k < len(chances) else 0) * (1 - each) + (chances[k - 1] * each if k else 0) for k in range(len(chances) + 1)]
    return found, sum(chances[(size + 1) // 2:])


def dna(size):
    """The chance that the first remains belong to the first family, of likelihood ratios of all pairs, each assignment alike before."""
    import countpm

    draw = draws('dna', size)
    ratios = {(i, size + j): Fraction(draw.randint(1, 999), 10) for i in range(size) for j in range(size)}
    found = countpm.marginals({i: {j: ratios[i, j] for j in range(size, 2 * size)} for i in range(size)}, weight=True, exact=True)[0, size]
    weights = {True: Fraction(0), False: Fraction(0)}
    for order in itertools.permutations(range(size)):
        weights[order[0] == 0] += math.prod((ratios[i, size + j] for i, j in enumerate(order)), start=Fraction(1))
    return found, weights[True] / (weights[True] + weights[False])


def nash(size):
    """The most totally mixed Nash equilibria that a generic game of `size` players with three strategies each has (McKelvey, McLennan 1997)."""
    import countpm

    other = [[int(i != j) for j in range(size)] for i in range(size)]
    found = Fraction(countpm.permanent(other, rows=[2] * size, cols=[2] * size), math.factorial(2) ** size)
    terms = {(0,) * size: 1}  # the coefficient of all z_i^2 in the product over i of (sum of the z_j with j != i)^2
    for player in range(size):
        for _ in range(2):
            grown = {}
            for powers, count in terms.items():
                for j in range(size):
                    if j != player and powers[j] < 2:
                        more = (*powers[:j], powers[j] + 1, *powers[j + 1:])
                        grown[more] = grown.get(more, 0) + count
            terms = grown
    return found, Fraction(terms[(2,) * size])


def kernel(size):
    """A function of every permutation of `size`, called in Python: the sum of sign times product is a determinant."""
    import countpm

    draw = draws('kernel', size)
    matrix = [[draw.randint(1, 9) for _ in range(size)] for _ in range(size)]

    def value(order):
        inversions = sum(order[i] > order[j] for i in range(size) for j in range(i + 1, size))
        return (-1) ** inversions * math.prod(matrix[i][j] for i, j in enumerate(order))
    return Fraction(sum(map(value, countpm.iter_matchings(matrix)))), Fraction(countpm.determinant(matrix))


USES = {'order-statistics': order_statistics, 'dna': dna, 'nash': nash, 'kernel': kernel}


def use(name):
    """The call of a row: runs this file with the module's Python."""
    def call(size, tool, module_python):
        if module_python is None:
            return {'status': 'no input', 'reason': 'the Python module is not built'}
        started = time.perf_counter()
        done = subprocess.run([module_python[0], __file__, name, str(size)], env=module_python[1], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return {'status': 'failed', 'reason': done.stderr.strip().splitlines()[-1][:200]}
        found = json.loads(done.stdout)
        same = found['answer'] == found['oracle']
        return {'answer': found['answer'], 'whole': time.perf_counter() - started, 'kernel': None, 'cpu': found['cpu'], 'error': 0.0 if same else None, 'wrong': not same}
    return call


if __name__ == '__main__':
    answer, oracle = USES[sys.argv[1]](int(sys.argv[2]))
    print(json.dumps({'answer': str(answer), 'oracle': str(oracle), 'cpu': time.process_time()}))
