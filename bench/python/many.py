#!/usr/bin/env python3
"""count_many beside a loop of permanent() or hafnian(): microseconds a matrix, n = 2 to 8, integers, floats and complex numbers.

Both take turns on the same matrices; CPU time, the best of the turns, so that it matters little what else the machine does. The goal: count_many is never slower.

    python bench/python/many.py [--turns 60] [--matrices 200] [--rows 2,3,4,5,6,7,8]
"""

from __future__ import annotations

import argparse
import time
from collections import deque

import numpy as np

import countpm


def matrices(n: int, kind: str, symmetric: bool, number: int) -> list[np.ndarray]:
    random = np.random.default_rng(n)
    entries = random.integers(1, 10, (number, n, n))
    if kind != "int":
        entries = random.random((number, n, n)) + (1j * random.random((number, n, n)) if kind == "complex" else 0)
    return [one + one.T if symmetric else one.copy() for one in entries]


def seconds(call) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=60)
    parser.add_argument("--matrices", type=int, default=200)
    parser.add_argument("--rows", default="2,3,4,5,6,7,8")
    arguments = parser.parse_args()
    print("| problem | n | int: loop | count_many | ratio | float: loop | count_many | ratio | complex: loop | count_many | ratio |")
    print("|" + "---|" * 11)
    for problem, function in (("permanent", countpm.permanent), ("hafnian", countpm.hafnian)):
        for n in map(int, arguments.rows.split(",")):
            if problem == "hafnian" and n % 2 == 1:
                continue
            row = f"| {problem} | {n} |"
            for kind in ("int", "float", "complex"):
                given = matrices(n, kind, problem == "hafnian", arguments.matrices)
                calls = (
                    lambda: deque((function(one) for one in given), maxlen=0),
                    lambda: deque(countpm.count_many(given, problem), maxlen=0),
                )
                assert [function(one) for one in given] == list(countpm.count_many(given, problem))
                turns = [[seconds(call) for call in calls] for _ in range(arguments.turns)]
                loop, many = (min(times) / len(given) * 1e6 for times in zip(*turns))
                row += f" {loop:.2f} | {many:.2f} | {many / loop:.2f} |"
            print(row, flush=True)


if __name__ == "__main__":
    main()
