#!/usr/bin/env python3
"""What a call costs beside the counting.

Goals (issue 22): a 4x4 matrix of numpy below 50 us; 10^6 edges of scipy.sparse to the answer that there is no perfect matching below 1 s, and
below 3 times reading the same .mtx; the 126,494 digits of the 1000x1000 board to a Python int below 0.1 s beyond counting (--long).
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np

import countpm


def median(call, turns: int = 7, repeat: int = 1) -> float:
    seconds = []
    for _ in range(turns):
        start = time.perf_counter()
        for _ in range(repeat):
            call()
        seconds.append((time.perf_counter() - start) / repeat)
    return statistics.median(seconds)


def small() -> None:
    for n in (2, 4, 8):
        for dtype in (int, float, complex):
            a = np.random.default_rng(1).integers(1, 9, (n, n)).astype(dtype)
            symmetric = a + a.T
            row = [f"{n}x{n} {np.dtype(dtype).name}:"]
            row.append(f"countpm.permanent {1e6 * median(lambda: countpm.permanent(a), repeat=1000):.1f} us")
            row.append(f"hafnian {1e6 * median(lambda: countpm.hafnian(symmetric), repeat=1000):.1f} us")
            try:
                import thewalrus
            except ImportError:
                row.append("(thewalrus is not installed)")
            else:
                b, c = (x if dtype is not int else x.astype(float) for x in (a, symmetric))
                thewalrus.perm(b), thewalrus.hafnian(c)
                row.append(f"thewalrus.perm {1e6 * median(lambda: thewalrus.perm(b), repeat=1000):.1f} us")
                row.append(f"hafnian {1e6 * median(lambda: thewalrus.hafnian(c), repeat=1000):.1f} us")
            print(", ".join(row).replace(":,", ":"), flush=True)


def sparse() -> None:
    import scipy.io
    import scipy.sparse

    random = np.random.default_rng(1)
    n, edges = 200_000, 1_000_000
    rows, columns = random.integers(0, n, edges), random.integers(1, n, edges)  # nothing in column 0
    a = scipy.sparse.coo_array((np.ones(edges, dtype=np.int64), (rows, columns)), shape=(n, n)).tocsr()
    assert countpm.perfect_matchings(a) == 0
    ours = median(lambda: countpm.perfect_matchings(a), turns=5)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.mtx"
        scipy.io.mmwrite(path, a)
        file = median(lambda: countpm.perfect_matchings(path), turns=5)
        reading = median(lambda: countpm.read(path), turns=5)
    print(f"{a.nnz} edges of scipy.sparse to 0: {ours:.3f} s; the same .mtx: {file:.3f} s, of which reading {reading:.3f} s", flush=True)


def digits(side: int) -> None:
    result = countpm.count(f"lattice:square:{side}x{side}", threads=0)
    start = time.perf_counter()
    value = countpm.perfect_matchings(f"lattice:square:{side}x{side}")
    whole = time.perf_counter() - start
    assert value == result.value
    print(f"{side}x{side}: an int of {value.bit_length()} bits; whole call {whole:.2f} s, counting {result.seconds:.2f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--long", action="store_true", help="the 1000x1000 board too (minutes)")
    options = parser.parse_args()
    small()
    sparse()
    digits(200)
    if options.long:
        digits(1000)


if __name__ == "__main__":
    main()
