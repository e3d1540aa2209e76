#!/usr/bin/env python3
"""The dimer constant of the cubic lattice: ln Z per vertex on growing tori, and its limit with an error.

    python examples/dimer_constant.py --sizes 6 8 10 --seconds 300

Each row is a torus of L x L x L vertices. Small ones are counted exactly; the others are estimated until --error or --seconds is reached.
A torus has no boundary, so that ln Z = h L^3 + b plus what falls faster, and h comes from a fit of h + b / L^3, by least squares with
the errors as weights. Its error is that of the samples alone: whether the form fits, the last column shows (deviations in errors).
"""

from __future__ import annotations

import argparse
import math

import countpm
import numpy as np

# Of h, in ln Z per vertex: A. Schrijver, J. Combin. Theory B 72 (1998) 118; I. Beichl, F. Sullivan, J. Comput. Phys. 149 (1999) 128.
LOWER_BOUND = (5 * math.log(5) - 4 * math.log(6)) / 2
PUBLISHED = "0.4466 +- 0.0006"


def ln_z(size: int, error: float, seconds: float, seed: int) -> tuple[float, float]:
    """ln Z of the torus, and its standard error; 0: counted."""
    found = countpm.estimate(f"lattice:cubic-torus:{size}x{size}x{size}", error=error, time_limit=seconds, seed=seed)
    if found.ln_z_error is None:
        raise SystemExit(f"L = {size}: no error can be given after {seconds:g} s ({found.doubt}); try more --seconds")
    return found.ln_z, found.ln_z_error


def limit(sizes: list[int], values: list[float], errors: list[float]) -> tuple[float, float, float]:
    """The fit h + b / L^3 of ln Z per vertex: h, its standard error, and b. Least squares by the errors."""
    inverse = np.array([1 / size**3 for size in sizes])
    # What is exact still has what the form leaves out: it is trusted as much as the best of the others.
    least = min((error for error in errors if error > 0), default=1.0)
    weights = 1 / np.array([max(error, least) for error in errors])
    design = np.column_stack([np.ones(len(sizes)), inverse]) * weights[:, None]
    (h, b), *_ = np.linalg.lstsq(design, np.array(values) * weights, rcond=None)
    return float(h), float(np.sqrt(np.linalg.inv(design.T @ design)[0, 0])), float(b)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[4, 6, 8], help="even, at least two of them (default: 4 6 8)")
    parser.add_argument("--error", type=float, default=0.002, help="of each count, relative, with 95 %% confidence (default: 0.002)")
    parser.add_argument("--seconds", type=float, default=60, help="for each torus at most (default: 60)")
    parser.add_argument("--seed", type=int, default=1, help="(default: 1)")
    options = parser.parse_args()
    sizes = sorted(set(options.sizes))
    if len(sizes) < 2 or any(size < 4 or size % 2 for size in sizes):
        parser.error("at least two sizes, even and from 4 on: a torus of odd sides has no perfect matching")
    values, errors = [], []
    for size in sizes:
        found, error = ln_z(size, options.error, options.seconds, options.seed)
        values.append(found / size**3)
        errors.append(error / size**3)
    h, h_error, b = limit(sizes, values, errors)
    print(" L  ln Z per vertex     error  deviation")
    for size, value, error in zip(sizes, values, errors):
        deviation = f"{(value - h - b / size**3) / error:9.1f}" if error > 0 else "    exact"
        print(f"{size:2}  {value:15.7f}  {error:8.1e}  {deviation}")
    print(f"h = {h:.6f} +- {h_error:.1e} (published: {PUBLISHED}; at least {LOWER_BOUND:.6f})")


if __name__ == "__main__":
    main()
