#!/usr/bin/env python3
"""Permanents of boson sampling by countpm, The Walrus and piquasso, in one run.

Complex normal matrices of --sizes rows, and of 10 rows and columns of which each stands four times: 40 photons. Each call runs in a process
of its own, is warmed up there on a matrix of 6 rows (numba compiles), and is given --limit seconds. A cell is the median of --turns calls in
seconds, with the error that countpm states relative to the value; "-" stands for a package that is not installed, "> LIMIT" for one that was
ended. Answers are compared with countpm's, within 1e-6 of it; others are marked.

Goal (issue 24): countpm ten times faster than the others at 24 and 30 rows, and at 40 with repeated ones, on two cores. The table goes into a page
of bench/results with machine, date and commit.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import queue
import statistics
import sys
import time

import numpy as np

from compare import installed


def problem(n: int, times: int) -> tuple[np.ndarray, list[int]]:
    """A matrix, and how often each of its rows and columns stands."""
    random = np.random.default_rng([1, n, times])
    return random.normal(size=(n, n)) + 1j * random.normal(size=(n, n)), [times] * n


def by_countpm(a, times):
    import countpm

    return countpm.permanent(a, rows=times, cols=times)


def by_walrus(a, times):
    import thewalrus

    return thewalrus.perm(a) if set(times) == {1} else thewalrus.permanent_repeated(a, times)


def by_piquasso(a, times):
    import piquasso

    return piquasso.NumpyConnector().permanent(a, np.array(times), np.array(times))


PACKAGES = {"countpm": by_countpm, "thewalrus": by_walrus, "piquasso": by_piquasso}


def worker(name, n, times, turns, results):
    call = PACKAGES[name]
    call(*problem(6, 1))
    call(*problem(3, 2))
    results.put(None)
    a, copies = problem(n, times)
    for _ in range(turns):
        start = time.perf_counter()
        value = call(a, copies)
        results.put((complex(value), getattr(value, "error", math.nan), time.perf_counter() - start))


def measure(name, n, times, turns, limit):
    """(value, error, median seconds), or None where a call took too long."""
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    process = context.Process(target=worker, args=(name, n, times, turns, results))
    process.start()
    try:
        results.get(timeout=180)
        found = [results.get(timeout=limit + 1) for _ in range(turns)]
    except queue.Empty:
        return None
    finally:
        process.kill()
        process.join()
    return (*found[0][:2], statistics.median(seconds for *_, seconds in found))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--limit", type=float, default=120, help="seconds for a call (default: 120)")
    parser.add_argument("--sizes", default="16,20,24,30", help="of matrices without equal lines (default: 16,20,24,30)")
    options = parser.parse_args()
    names = [name for name in PACKAGES if installed(name) is not None]
    for name in PACKAGES:
        print(f"{name}: {installed(name) or 'not installed'}")
    print(f"Python {sys.version.split()[0]}; seconds, median of {options.turns}; limit {options.limit:g} s\n")
    print(f"| rows | each stands | {' | '.join(names)} | error of countpm |\n|---|---|{'---|' * (len(names) + 1)}", flush=True)
    for n, times in [(int(size), 1) for size in options.sizes.split(",")] + [(10, 4)]:
        found = {name: measure(name, n, times, options.turns, options.limit) for name in names}
        ours = found.get("countpm")
        cells = []
        for name in names:
            if found[name] is None:
                cells.append(f"> {options.limit:g}")
                continue
            value, _, seconds = found[name]
            wrong = ours is not None and abs(value - ours[0]) > 1e-6 * abs(ours[0])
            cells.append(f"{seconds:.3g}{' (differs)' if wrong else ''}")
        error = "-" if ours is None else f"{ours[1] / abs(ours[0]):.1g}"
        print(f"| {n * times} | {times} | {' | '.join(cells)} | {error} |", flush=True)


if __name__ == "__main__":
    main()
