#!/usr/bin/env python3
"""Samples of boson sampling: where photons leave a random interferometer.

    python examples/boson_sampling.py --photons 12 --modes 30 --samples 10

Each line is an outcome, the number of photons in each mode that is not empty. The algorithm is B of P. Clifford and R. Clifford, The
classical complexity of boson sampling (SODA 2018): photons get their modes one after another, and the next one's probabilities come
from the permanents of the matrix so far without each of its columns, all of which countpm.minors() finds in one pass. A sample of n
photons takes O(n 2^n + m n^2) time, m the number of modes. Exact, but for the rounding of doubles.
"""

from __future__ import annotations

import argparse
from collections import Counter

import countpm
import numpy as np


def random_interferometer(modes: int, random: np.random.Generator) -> np.ndarray:
    """A unitary matrix, drawn by Haar's measure."""
    q, r = np.linalg.qr(random.normal(size=(modes, modes)) + 1j * random.normal(size=(modes, modes)))
    return q * (np.diag(r) / abs(np.diag(r)))


def sample(unitary: np.ndarray, inputs: list[int], random: np.random.Generator) -> list[int]:
    """Draws an outcome: how many photons leave each mode (row), where inputs[j] of them enter mode (column) j."""
    columns = random.permutation(np.repeat(np.arange(len(inputs)), inputs))
    rows: list[int] = []
    for photons in range(1, len(columns) + 1):
        amplitudes = unitary[:, columns[:photons]]
        minors = countpm.minors(amplitudes[rows]) if rows else [1]
        weights = abs(amplitudes @ np.array(minors, dtype=complex)) ** 2
        rows.append(int(random.choice(len(unitary), p=weights / weights.sum())))
    return np.bincount(rows, minlength=len(unitary)).tolist()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photons", type=int, default=8, help="one each in the first modes (default: 8)")
    parser.add_argument("--modes", type=int, default=20, help="of the interferometer (default: 20)")
    parser.add_argument("--samples", type=int, default=5, help="(default: 5)")
    parser.add_argument("--seed", type=int, default=1, help="(default: 1)")
    options = parser.parse_args()
    if not 0 < options.photons <= options.modes:
        parser.error("at least one photon, and no more of them than modes")
    random = np.random.default_rng(options.seed)
    unitary = random_interferometer(options.modes, random)
    inputs = [1] * options.photons + [0] * (options.modes - options.photons)
    for _ in range(options.samples):
        outcome = sample(unitary, inputs, random)
        probability = countpm.outcome_probability(unitary, inputs, outcome)
        modes = " ".join(f"{mode}:{photons}" for mode, photons in enumerate(outcome) if photons)
        shared = Counter(outcome)
        print(f"{modes}   probability {probability:.3g}, {sum(n for photons, n in shared.items() if photons > 1)} modes shared")


if __name__ == "__main__":
    main()
