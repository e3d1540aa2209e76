#!/usr/bin/env python3
"""Small permanents and hafnians beside The Walrus: n = 2 to 20, integers, floats and complex numbers, in microseconds a call.

Both take turns on the same matrices, so that what else the machine does is no advantage of either; medians of the turns. The answers are compared.
The goal is to be within twice The Walrus' time below 8 rows, where a call into C++ and back is what there is to measure, and ahead from 10 rows on.

    python bench/python/small.py [--turns 25] [--rows 2,4,8,12] [--cpu]
    python bench/python/small.py --short-way

--cpu measures the CPU time of all threads, on a machine that has other things to do.
The second compares the short way of small matrices with the long one, by a graph, which they went before: with options on which nothing depends, and
rectangles, these beside qc-permanent where it is installed.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

# numba, which The Walrus needs, would take coverage.py here for the package of that name.
sys.path[:] = [folder for folder in sys.path if folder != str(Path(__file__).resolve().parent)]

import numpy as np
import thewalrus

import countpm

SECONDS_OF_A_TURN = 0.0005  # short, so that few turns are interrupted


def matrix(n: int, kind: str, symmetric: bool) -> np.ndarray:
    random = np.random.default_rng(n)
    entries = random.integers(1, 10, (n, n))
    if kind != "int":
        entries = random.random((n, n)) + (1j * random.random((n, n)) if kind == "complex" else 0)
    return entries + entries.T if symmetric else entries


clock = time.perf_counter


def seconds(call, repeat: int) -> float:
    start = clock()
    for _ in range(repeat):
        call()
    return (clock() - start) / repeat


def medians(calls: list, turns: int) -> list[float]:
    repeat = [max(1, int(SECONDS_OF_A_TURN / max(seconds(call, 1), 1e-7))) for call in calls]
    times = [[seconds(call, times) for call, times in zip(calls, repeat)] for _ in range(turns)]
    return [statistics.median(of_one) for of_one in zip(*times)]


def long_way(a: np.ndarray, **options: object) -> object:
    return countpm.counting._value(a, countpm.counting.PERMANENT, options)


def by_qc_permanent(a: np.ndarray) -> float | None:
    try:
        import permanent
    except ImportError:
        return None
    return permanent.opt(a.astype(float)) if a.dtype.kind != "c" else None


def short_way(turns: int) -> None:
    print("| matrix | options | long way | short way | qc-permanent |\n|---|---|---|---|---|")
    cases = [((8, 8), kind, options) for kind in ("int", "float", "complex") for options in ({}, {"threads": 1}, {"time_limit": 60, "seed": 7})]
    cases += [((8, 8), "int", options) for options in ({"arithmetic": "double-double"}, {"arithmetic": 100}, {"exact": True})]
    cases += [(shape, kind, {}) for shape in ((2, 3), (4, 6), (3, 20), (8, 12), (12, 8), (10, 14), (8, 16)) for kind in ("int", "float", "complex")]
    for shape, kind, options in cases:
        random = np.random.default_rng(shape)
        a = random.integers(1, 10, shape)
        if kind != "int":
            a = random.random(shape) + (1j * random.random(shape) if kind == "complex" else 0)
        calls = [lambda: long_way(a, **options), lambda: countpm.permanent(a, **options)]
        found, other = (complex(call()) for call in calls)
        if abs(found - other) > 1e-12 * abs(found):
            raise SystemExit(f"{shape}, {kind}: {found} and {other}")
        if shape[0] != shape[1] and by_qc_permanent(a) is not None:
            calls.append(lambda: by_qc_permanent(a))
        cells = [f"{one * 1e6:.1f}" for one in medians(calls, turns)] + ["-"]
        print(f"| {shape[0]} x {shape[1]}, {kind} | {', '.join(f'{name}={value}' for name, value in options.items()) or '-'} | {' | '.join(cells[:3])} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=25)
    parser.add_argument("--rows", default=",".join(map(str, range(2, 21))))
    parser.add_argument("--cpu", action="store_true")
    parser.add_argument("--short-way", action="store_true")
    options = parser.parse_args()
    if options.cpu:
        global clock
        clock = time.process_time
    if options.short_way:
        short_way(options.turns)
        return
    problems = {
        "permanent": (countpm.permanent, thewalrus.perm),
        "hafnian": (countpm.hafnian, thewalrus.hafnian),
        "loop hafnian": (countpm.loop_hafnian, lambda a: thewalrus.hafnian(a, loop=True)),
    }
    print("| problem | n | " + " | ".join(f"{kind}: countpm | thewalrus | ratio" for kind in ("int", "float", "complex")) + " |")
    print("|---" * 11 + "|")
    missed = []
    for problem, (ours, theirs) in problems.items():
        for n in map(int, options.rows.split(",")):
            if problem != "permanent" and n % 2 != 0:
                continue
            cells = []
            for kind in ("int", "float", "complex"):
                a = matrix(n, kind, problem != "permanent")
                found, other = complex(ours(a)), complex(theirs(a))
                # The Walrus' integers overflow, or are rounded.
                if kind != "int" and abs(found - other) > 1e-6 * abs(found):
                    raise SystemExit(f"{problem} of {n} rows, {kind}: {found} and {other}")
                mine, its = medians([lambda: ours(a), lambda: theirs(a)], options.turns)
                cells.append(f"{mine * 1e6:.1f} | {its * 1e6:.1f} | {mine / its:.2f}")
                if mine > its * (2 if n < 8 else 1) and n not in (8, 9):
                    missed.append(f"{problem} of {n} rows, {kind}")
            print(f"| {problem} | {n} | " + " | ".join(cells) + " |", flush=True)
    print(f"goal missed by: {', '.join(missed) or 'none'}")


if __name__ == "__main__":
    main()
