#!/usr/bin/env python3
"""What the program takes for other sums than perfect matchings: monomers, rings, polynomials, ground states, dense hafnians.

Each command runs --turns times (once, where it takes longer than 20 s); a cell is the median of the wall times, start of the program included.
Random inputs are drawn with fixed seeds and written to a folder that goes away. Goals: issue 24, on two cores.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
C60 = str(ROOT / "data/molecules/C60.edgelist")


def torus(side: int) -> str:
    """A square torus with random weights of 1 and -1."""
    draw = random.Random(3)
    lines = []
    for row in range(side):
        for column in range(side):
            here = row * side + column
            for there in ((row + 1) % side * side + column, row * side + (column + 1) % side):
                lines.append(f"{here} {there} {draw.choice([-1, 1])}")
    return "\n".join(lines) + "\n"


def rectangle(rows: int, columns: int) -> str:
    draw = random.Random(7)
    return "".join(" ".join(str(draw.randrange(2)) for _ in range(columns)) + "\n" for _ in range(rows))


def graph(vertices: int) -> str:
    """Every edge with probability 1/2."""
    draw = random.Random(vertices)
    return "".join(f"{u} {v}\n" for u in range(vertices) for v in range(u) if draw.random() < 0.5)


def cases(folder: Path, long: bool) -> list[tuple[str, str, list[str]]]:
    """What, its goal in seconds, and the arguments."""

    def file(name: str, text: str) -> str:
        (folder / name).write_text(text)
        return str(folder / name)

    rows = [
        ("matching polynomial, board 8x8", "0.05", ["lattice:square:8x8", "--monomers", "t"]),
        ("12x12", "2", ["lattice:square:12x12", "--monomers", "t"]),
        ("16x16", "120", ["lattice:square:16x16", "--monomers", "t"]),
        ("C60", "0.2", [C60, "--monomers", "t"]),
        ("Clar covering polynomial of C60", "1", [C60, "--rings", "6"]),
        ("strip 10 x 2000, monomers of weight 1/2", "5", ["lattice:square:10x2000", "--monomers", "1/2"]),
        ("ground states of a 100x100 torus, weights 1 and -1", "10", [file("torus.edgelist", torus(100)), "--ground-state", "min"]),
        ("permanent of 30 x 36, density 0.5", "20", [file("wide.dense", rectangle(30, 36)), "--maximum"]),
    ]
    for vertices, goal in ((30, "0.1"), (40, "5"), (46, "60")):
        rows.append((f"hafnian, random graph of {vertices} vertices", goal, [file(f"{vertices}.edgelist", graph(vertices))]))
    if long:
        for vertices, goal in ((50, "20 on an H200"), (56, "300 on an H200")):
            rows.append((f"hafnian, random graph of {vertices} vertices", goal, [file(f"{vertices}.edgelist", graph(vertices))]))
        rows.append(("polynomial of the 100x100 board by direction", "60", ["lattice:square:100x100:weights=x,1"]))
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "build/release/countpm"))
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--long", action="store_true", help="also what takes minutes on two cores")
    given = parser.parse_args()
    print("| what | seconds | goal | last line, from the left |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for what, goal, arguments in cases(Path(folder), given.long):
            seconds = []
            while len(seconds) < given.turns and (not seconds or seconds[-1] < 20):
                start = time.perf_counter()
                done = subprocess.run([given.program, *arguments], capture_output=True, text=True)
                seconds.append(time.perf_counter() - start)
            if done.returncode != 0:
                print(done.stderr, file=sys.stderr)
                return 1
            print(f"| {what} | {statistics.median(seconds):.3g} | {goal} | {done.stdout.splitlines()[-1][:24]} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
