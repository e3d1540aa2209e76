#!/usr/bin/env python3
"""How often the intervals of `countpm estimate` hold the count, over many seeds and kinds of inputs.

    bench/python/coverage.py build/release/countpm [--runs 1000] [--processes N] [--only WORD] [--options "--sampler boundary"]

Each run is one process on one thread with a seed of its own and the defaults, second sampler included, so that every block is sampled
(--all-sampled) to 5 % at 95 %. A row says how many runs showed an interval (no doubt), and how many of these held the count.

Goal (issue 26): at least 93 % of the shown intervals of each kind hold the count. The table goes into bench/results/estimates.md with machine,
date and commit.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TRAPS = Path(__file__).resolve().parents[2] / "data" / "traps"


def permutations(rows: int, number: int, seed: int) -> list[tuple[int, int, int]]:
    """The sum of random permutations, with 1 at every entry."""
    draw = random.Random(seed)
    entries = {(i, j) for _ in range(number) for i, j in enumerate(draw.sample(range(rows), rows))}
    return [(i, j, 1) for i, j in sorted(entries)]


def blocks(size: int, number: int, seed: int) -> list[tuple[int, int, int]]:
    """Dense blocks on the diagonal, a few entries from each to the next one."""
    draw = random.Random(seed)
    n = size * number
    entries = {(i, j) for i in range(n) for j in range(n) if i // size == j // size and draw.random() < 0.7}
    entries |= {(i, i) for i in range(n)}
    entries |= {(draw.randrange(size) + k * size, (draw.randrange(size) + (k + 1) * size) % n) for k in range(number) for _ in range(4)}
    return [(i, j, 1) for i, j in sorted(entries)]


def banded(rows: int, width: int, seed: int) -> list[tuple[int, int, int]]:
    draw = random.Random(seed)
    return [(i, j, 1) for i in range(rows) for j in range(max(0, i - width), min(rows, i + width + 1)) if i == j or draw.random() < 0.7]


def weighted(rows: int, seed: int) -> list[tuple[int, int, int]]:
    """Weights from 1 to 1000, evenly by their logarithms."""
    draw = random.Random(seed)
    return [(i, j, round(1000 ** draw.random())) for i in range(rows) for j in range(rows) if i == j or draw.random() < 0.3]


def write(folder: Path, name: str, entries: list[tuple[int, int, int]]) -> str:
    n = 1 + max(max(i, j) for i, j, _ in entries)
    path = folder / name
    lines = [f"{i + 1} {j + 1} {w}" for i, j, w in entries]
    path.write_text("\n".join(["%%MatrixMarket matrix coordinate integer general", f"{n} {n} {len(lines)}", *lines]) + "\n")
    return str(path)


def kinds(folder: Path) -> dict[str, list[str]]:
    """The arguments of every kind."""
    matrices = {
        "permutations, 60 rows": ("r3.mtx", permutations(60, 3, 1), []),
        "dense blocks, 8 of 10": ("blocks.mtx", blocks(10, 8, 1), []),
        "banded, 60 rows": ("banded.mtx", banded(60, 5, 1), []),
        "weights 1 to 1000, 28 rows": ("weighted.mtx", weighted(28, 1), ["--weights"]),
    }
    return {
        "square 16x16": ["lattice:square:16x16"],
        "cubic 4x4x6": ["lattice:cubic:4x4x6"],
        "triangular 12x12": ["lattice:triangular:12x12"],
        "honeycomb torus 8x8": ["lattice:honeycomb-torus:8x8"],
        "square 12x12, monomers": ["lattice:square:12x12", "--monomers", "1/2"],
        **{name: [write(folder, file, entries), *options] for name, (file, entries, options) in matrices.items()},
        **{f"trap {name}": [str(TRAPS / f"{name}.edgelist"), "--kind", "directed"] for name in ("ring-of-cores", "ring-of-four", "two-clusters")},
    }


def output(arguments: list[str]) -> dict:
    environment = {**os.environ, "LC_ALL": "C", "OMP_NUM_THREADS": "1"}
    result = subprocess.run([*arguments, "--json"], capture_output=True, text=True, env=environment)
    if result.returncode not in (0, 3):
        sys.exit(f"coverage: {' '.join(arguments)}: {result.stderr}")
    return json.loads(result.stdout)


def true_log10(program: str, arguments: list[str]) -> float:
    exact = output([program, *arguments, "--time-limit", "none"])["count"]
    numerator, _, denominator = exact.partition("/")

    def log10(digits: str) -> float:
        return math.log10(int(digits[:17])) + len(digits[17:])

    return log10(numerator) - (log10(denominator) if denominator else 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="")
    parser.add_argument("--options", default="--error 5% --time-limit 60s")
    chosen = parser.parse_args()
    print("| kind | ln Z | samplers | shown | held | share held | mean error | seconds a run |\n|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(chosen.processes) as pool:
        for name, arguments in kinds(Path(folder)).items():
            if chosen.only not in name:
                continue
            truth = true_log10(chosen.program, arguments)

            def one(seed: int, arguments: list[str] = arguments) -> tuple[dict, float]:
                began = time.monotonic()
                made = output([chosen.program, "estimate", *arguments, "--all-sampled", "--threads", "1", "--device", "cpu",
                               "--seed", str(seed), *chosen.options.split()])
                return made, time.monotonic() - began

            results = list(pool.map(one, range(1, chosen.runs + 1)))
            shown = [made["estimate"] for made, _ in results if made["estimate"]["doubt"] is None]
            held = [e for e in shown if e["log10_interval"][0] <= truth <= e["log10_interval"][1]]
            used: dict[str, int] = {}
            for made, _ in results:
                for sampler in {block["method"] for block in made["blocks"]}:
                    used[sampler] = used.get(sampler, 0) + 1
            errors = [math.expm1(math.log(10) * (e["log10"] - truth)) for e in shown]
            seconds = sum(s for _, s in results) / len(results)
            print(f"| {name} | {truth * math.log(10):.2f} | {', '.join(f'{s} {k}' for s, k in sorted(used.items()))} | {len(shown)} of {len(results)} | {len(held)} | "
                  f"{len(held) / max(len(shown), 1):.3f} | {100 * sum(errors) / max(len(errors), 1):+.2f} % | {seconds:.2f} |", flush=True)


if __name__ == "__main__":
    main()
