"""Proofs of the counts of matrices in a folder, as far as they are predicted to take little time.

    python3 bench/prove_matrices.py ../shared/matrices --below 20

Of every Matrix Market file (values do not count): what `countpm explain --proof` predicts for the count and its proof
together; where that is below so many seconds, the count with its proof, which tools/check_proof.py checks and compares
with the file. Writes a table in Markdown, and with --known FILE (a TSV with `name` and `count`) compares the counts."""
import argparse
import csv
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))

import check_proof


def run(*command):
    """Its output, its CPU seconds of user and system, and its last line on standard error where it failed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([*map(str, command)], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    reason = done.stderr.strip().split("\n")[-1] if done.returncode else ""
    return done.stdout, seconds, reason


def predicted_seconds(options, matrix):
    """Of the count and of its proof; or why there is none."""
    output, _, reason = run(options.countpm, "explain", matrix, "--proof", "--json", "--time-limit", options.explain_limit,
                            "--memory-limit", options.memory_limit)
    if reason:
        return None, reason
    explained = json.loads(output)
    if explained["proof"] is None:
        notes = [note for note in explained["notes"] if "proof" in note]
        return None, notes[-1] if notes else "no proof"
    count = explained["log10_total_seconds"]
    return (0 if count is None else 10**count) + explained["proof"]["seconds"], ""


def proved(options, matrix, folder):
    """A row: N, states of the tables, CPU seconds of all, kilobytes, milliseconds of the check; or why not."""
    file = pathlib.Path(folder) / (matrix.stem + ".json")
    output, seconds, reason = run(options.countpm, matrix, "--proof", file, "--overwrite", "--memory-limit", options.memory_limit,
                                  "--time-limit", options.time_limit)
    if reason:
        return None, reason
    started = time.process_time()
    count, _ = check_proof.check(file)
    check = time.process_time() - started
    check_proof.check(file, matrix)
    if count != output.strip():
        raise SystemExit(f"{matrix.name}: counted {output.strip()}, proved {count}")
    size = file.stat().st_size
    if not options.keep:
        file.unlink()
    return (count, seconds, size, check), ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--below", type=float, default=20, help="predicted seconds of the count and its proof")
    parser.add_argument("--only", nargs="*", default=[], help="names of matrices")
    parser.add_argument("--countpm", default=os.environ.get("COUNTPM", ROOT / "build" / "release" / "countpm"))
    parser.add_argument("--memory-limit", default="16G")
    parser.add_argument("--explain-limit", default="60s")
    parser.add_argument("--time-limit", default="5m")
    parser.add_argument("--known", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the proofs")
    options = parser.parse_args()
    known = {}
    if options.known:
        with open(options.known, encoding="utf-8") as file:
            known = {row["name"]: row["count"] for row in csv.DictReader(file, delimiter="\t") if row["count"] != "-"}
    getattr(sys, "set_int_max_str_digits", int)(0)
    matrices = [m for m in sorted(options.folder.glob("*.mtx")) if not options.only or m.stem in options.only]
    done, not_done = 0, []
    print("| matrix | N | predicted, s | CPU, s | kB | check, ms |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for matrix in matrices:
            predicted, reason = predicted_seconds(options, matrix)
            if predicted is not None and predicted >= options.below:
                reason = f"predicted to take {predicted:.0f} s"
            row, reason = (None, reason) if reason else proved(options, matrix, options.keep or folder)
            if row is None:
                not_done.append((matrix.stem, reason))
                print(f"{matrix.stem}: {reason}", file=sys.stderr, flush=True)
                continue
            count, seconds, size, check = row
            if known.get(matrix.stem, count) != count:
                raise SystemExit(f"{matrix.stem}: known is {known[matrix.stem]}, proved {count}")
            done += 1
            short = count if len(count) <= 21 else f"{count[:10]}...{count[-6:]} ({len(count)} digits)"
            print(f"| {matrix.stem} | {short} | {predicted:.2g} | {seconds:.2f} | {size / 1000:.1f} | {1000 * check:.1f} |", flush=True)
    print(f"\n{done} of {len(matrices)} proved; not: " + "; ".join(f"{name} ({reason})" for name, reason in not_done))


if __name__ == "__main__":
    main()
