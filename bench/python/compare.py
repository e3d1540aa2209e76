#!/usr/bin/env python3
"""Permanents and hafnians by countpm and by other packages, in one run.

Each call runs in a process of its own, is warmed up there on a matrix of 8 rows (numba compiles), and is given --limit seconds. A cell is the
median of --turns calls in seconds; "-" stands for a package that is not installed or has no such function, "> LIMIT" for one that was ended.
Answers in floating point are compared to 8 digits where the exact one is below 2^53 times their unit; wrong ones are marked.

Goal (issue 22): countpm ahead in every row. The table goes into a page of bench/results with machine, date and commit.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import multiprocessing
import queue
import statistics
import sys
import time
from importlib import metadata

import numpy as np


def matrix(problem: str, n: int, density: float, seed: int) -> np.ndarray:
    """Whole numbers from 1 to 9 at random places, with a diagonal so that there is a matching; symmetric for hafnians.

    Complex: normally distributed, everywhere.
    """
    random = np.random.default_rng([seed, n, int(100 * density)])
    if problem.startswith("complex"):
        entries = random.normal(size=(n, n)) + 1j * random.normal(size=(n, n))
        return entries + entries.T
    entries = random.integers(1, 10, (n, n)) * (random.random((n, n)) < density)
    if problem == "permanent":
        return entries + np.diag(random.integers(1, 10, n) * (np.diag(entries) == 0))
    upper = np.triu(entries, 1)
    upper[np.arange(0, n, 2), np.arange(1, n, 2)] += upper[np.arange(0, n, 2), np.arange(1, n, 2)] == 0
    return upper + upper.T


def by_countpm(problem, a):
    import countpm

    if problem.endswith("loop hafnian"):
        return countpm.loop_hafnian(a)
    return countpm.permanent(a) if problem == "permanent" else countpm.hafnian(a)


def by_walrus(problem, a):
    import thewalrus

    if problem.startswith("complex"):
        return thewalrus.hafnian(a, loop=problem.endswith("loop hafnian"))
    a = a.astype(float)
    return thewalrus.perm(a) if problem == "permanent" else thewalrus.hafnian(a)


def by_walrus_sparse(problem, a):
    import thewalrus

    return thewalrus.hafnian_sparse(a) if problem == "hafnian" else None


def by_qc_permanent(problem, a):
    import permanent

    return permanent.opt(a.astype(float)) if problem == "permanent" else None


def by_piquasso(problem, a):
    import piquasso

    connector, ones = piquasso.NumpyConnector(), np.ones(len(a), dtype=int)
    if problem.endswith("loop hafnian"):
        return connector.loop_hafnian(a, np.diag(a).copy(), ones)
    if problem.startswith("complex"):
        return connector.hafnian(a, ones)
    a = a.astype(float)
    return connector.permanent(a, ones, ones) if problem == "permanent" else connector.hafnian(a, ones)


def by_flint(problem, a):
    import flint

    m = flint.fmpz_mat(a.tolist())
    return int(m.permanent()) if problem == "permanent" and hasattr(m, "permanent") else None


def by_sympy(problem, a):
    import sympy

    return int(sympy.Matrix(a.tolist()).per()) if problem == "permanent" else None


PACKAGES = {
    "countpm": ("countpm", by_countpm),
    "thewalrus": ("thewalrus", by_walrus),
    "thewalrus sparse": ("thewalrus", by_walrus_sparse),
    "qc-permanent": ("qc-permanent", by_qc_permanent),
    "piquasso": ("piquasso", by_piquasso),
    "python-flint": ("python-flint", by_flint),
    "sympy": ("sympy", by_sympy),
}


def worker(function, problem, a, small, turns, results):
    """Puts whether the package has such a function, then the value and the seconds of each turn."""
    there = function(problem, small) is not None
    results.put(there)
    for _ in range(turns if there else 0):
        start = time.perf_counter()
        value = function(problem, a)
        seconds = time.perf_counter() - start
        if problem.startswith("complex"):
            value = complex(value)
        results.put((value if isinstance(value, (int, complex)) else float(np.real(value)), seconds))


def measure(function, problem, a, turns, limit):
    """(value, median seconds), (None, None) where there is no such function, or (None, inf) where a call took too long."""
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    process = context.Process(target=worker, args=(function, problem, a, matrix(problem, 8, 1, 0), turns, results))
    process.start()
    try:
        if not results.get(timeout=120):
            return None, None
        found = [results.get(timeout=limit + 1) for _ in range(turns)]
    except queue.Empty:
        return None, math.inf
    finally:
        process.kill()
        process.join()
    seconds = statistics.median(each for _, each in found)
    return (None, math.inf) if seconds > limit else (found[0][0], seconds)


def installed(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        if package != "countpm" or importlib.util.find_spec("countpm") is None:
            return None
        import countpm  # of a build, by PYTHONPATH

        return countpm.__version__


def cell(seconds, value, exact, limit):
    if seconds is None:
        return "-"
    if seconds == math.inf:
        return f"> {limit:g}"
    wrong = exact is not None and value != exact and (isinstance(value, int) or abs(value - exact) > 1e-8 * abs(exact))
    return f"{seconds:.3g}{' (wrong)' if wrong else ''}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--limit", type=float, default=60, help="seconds for a call (default: 60)")
    parser.add_argument("--permanents", default="16,20,24,28", help="sizes (default: 16,20,24,28)")
    parser.add_argument("--hafnians", default="16,18,20,22,24,26,28,30", help="sizes (default: 16 to 30)")
    parser.add_argument("--complex-hafnians", default="24,30", help="sizes, with loops and without (default: 24,30)")
    parser.add_argument("--densities", default="0.2,0.5,0.9")
    parser.add_argument("--packages", default=",".join(PACKAGES))
    options = parser.parse_args()
    names = options.packages.split(",")
    unknown = set(names) - set(PACKAGES)
    if unknown:
        parser.error(f"no package {', '.join(sorted(unknown))}; there are {', '.join(PACKAGES)}")
    for name in names:
        print(f"{name}: {installed(PACKAGES[name][0]) or 'not installed'}")
    print(f"Python {sys.version.split()[0]}; seconds, median of {options.turns}; limit {options.limit:g} s\n")
    print(f"| problem | n | density | {' | '.join(names)} |\n|---|---|---|{'---|' * len(names)}", flush=True)
    behind = []
    problems = (
        ("permanent", options.permanents),
        ("hafnian", options.hafnians),
        ("complex hafnian", options.complex_hafnians),
        ("complex loop hafnian", options.complex_hafnians),
    )
    for problem, sizes in problems:
        for n in map(int, filter(None, sizes.split(","))):
            for density in (1.0,) if problem.startswith("complex") else map(float, options.densities.split(",")):
                a = matrix(problem, n, density, seed=1)
                found = {}
                for name in names:
                    package, function = PACKAGES[name]
                    if installed(package) is None:
                        found[name] = None, None
                        continue
                    found[name] = measure(function, problem, a, options.turns, options.limit)
                exact = found.get("countpm", (None, None))[0]
                cells = [cell(found[name][1], found[name][0], exact, options.limit) for name in names]
                print(f"| {problem} | {n} | {density:g} | {' | '.join(cells)} |", flush=True)
                ours = found.get("countpm", (None, None))[1]
                others = [found[name][1] for name in names if name != "countpm" and found[name][1] is not None]
                if ours is not None and others and ours > min(others):
                    behind.append(f"{problem} {n} {density:g}: {ours:.3g} s against {min(others):.3g} s")
    print(f"\ncountpm is behind in {len(behind)} rows" + "".join(f"\n- {row}" for row in behind))


if __name__ == "__main__":
    main()
