"""Proofs of the counts of matrices, as far as they are predicted to take little time.

    python3 bench/prove_matrices.py ../shared/matrices --below 20
    python3 bench/prove_matrices.py lattice:complete-bipartite:28x28 polbooks.mtx --results seen.json

Of every input, and of every Matrix Market file in a folder (values do not count): what `countpm explain --proof`
predicts for the count and its proof together; where that is below so many seconds, the count with its proof, which
tools/check_proof.py checks and compares with the file. The shortest come first, --jobs at a time, and none begins when
--within seconds are over. Prints a table in Markdown; with --results FILE what is done is kept there after each input,
and what stands there is not done again; with --known FILE (a TSV with `name` and `count`) the counts are compared."""
import argparse
import concurrent.futures
import csv
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))

import check_proof


def run(*command):
    """Its output, what it took (wall and CPU seconds, bytes at the peak), and why it failed: its last line on standard error."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        started = time.monotonic()
        process = subprocess.Popen([*map(str, command)], stdout=output, stderr=errors)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        took = {"wall": time.monotonic() - started, "cpu": used.ru_utime + used.ru_stime, "peak_bytes": 1024 * used.ru_maxrss}
        texts = []
        for file in (output, errors):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "replace").strip())
    reason = (texts[1].split("\n")[-1] or f"exit code {process.returncode}") if process.returncode else ""
    return texts[0], took, reason


class Matrices:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.limits = ["--memory-limit", options.memory_limit, "-j", options.threads]
        self.end = time.monotonic() + options.within
        self.known = {}
        if options.known:
            with open(options.known, encoding="utf-8") as file:
                self.known = {row["name"]: row["count"] for row in csv.DictReader(file, delimiter="\t") if row["count"] != "-"}
        self.rows = json.loads(options.results.read_text()) if options.results and options.results.exists() else {}

    def inputs(self):
        """By their names; files that are packed are unpacked, so that check_proof.py can compare with them."""
        found = {}
        for given in self.options.inputs:
            path = pathlib.Path(given)
            for file in sorted([*path.glob("*.mtx"), *path.glob("*.mtx.gz")]) if path.is_dir() else [path]:
                name = file.name.split(".mtx")[0] if file.exists() else given
                if file.suffix == ".gz":
                    plain = self.folder / file.stem
                    plain.write_bytes(gzip.decompress(file.read_bytes()))
                    file = plain
                found[name] = file if file.exists() else given
        return {name: found[name] for name in found if not self.options.only or name in self.options.only}

    def left(self):
        return self.end - time.monotonic()

    def predict(self, name, source):
        """Seconds of the count and of its proof, memory, states; or why there is no proof."""
        limit = min(self.options.explain_limit, self.left())
        if limit < 1:
            return {"reason": "no time was left"}
        output, _, reason = run(self.options.countpm, "explain", source, "--proof", "--json", "--time-limit", f"{limit:.0f}s", *self.limits)
        if reason:
            return {"reason": reason}
        explained = json.loads(output)
        proof = explained["proof"]
        if proof is None:
            notes = [note for note in explained["notes"] if "proof" in note]
            return {"reason": notes[-1] if notes else "no proof"}
        count = explained["log10_total_seconds"]
        return {"predicted": (0 if count is None else 10**count) + proof["seconds"], "proof_seconds": proof["seconds"],
                "states": proof["states"], "memory_bytes": proof["memory_bytes"]}

    def prove(self, name, source, row):
        """Adds N, what it took, kilobytes and milliseconds of the check; or why not."""
        if row["predicted"] >= self.options.below:
            return {**row, "reason": f"predicted to take {row['predicted']:.0f} s"}
        limit = min(self.options.time_limit, self.left())
        if limit < 1:
            return {**row, "reason": "no time was left"}
        file = self.folder / (name.replace("/", "-") + ".json")
        output, took, reason = run(self.options.countpm, source, "--proof", file, "--overwrite", "--time-limit", f"{limit:.0f}s", *self.limits)
        if reason:
            return {**row, **took, "reason": reason}
        started = time.process_time() if self.options.jobs == 1 else time.thread_time()
        count, _ = check_proof.check(file)
        check = (time.process_time() if self.options.jobs == 1 else time.thread_time()) - started
        if not isinstance(source, str):
            check_proof.check(file, source)
        if count != output.strip():
            raise SystemExit(f"{name}: counted {output.strip()}, proved {count}")
        if self.known.get(name, count) != count:
            raise SystemExit(f"{name}: known is {self.known[name]}, proved {count}")
        size = file.stat().st_size
        if not self.options.keep:
            file.unlink()
        return {**row, **took, "count": count, "bytes": size, "check": check}

    def keep(self, name, row):
        self.rows[name] = row
        print(f"{name}: {row.get('reason') or 'proved'}", file=sys.stderr, flush=True)
        if self.options.results:
            beside = self.options.results.with_suffix(".new")
            beside.write_text(json.dumps(self.rows, indent=1))
            beside.replace(self.options.results)

    def run(self):
        inputs = self.inputs()
        todo = {name: source for name, source in inputs.items() if not self.is_done(self.rows.get(name, {}))}
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            predicted = dict(zip(todo, pool.map(self.predict, todo, todo.values())))
            for name, row in predicted.items():
                if "reason" in row:
                    self.keep(name, row)
            able = sorted((name for name in todo if "reason" not in predicted[name]), key=lambda name: predicted[name]["predicted"])
            jobs = {pool.submit(self.prove, name, todo[name], predicted[name]): name for name in able}
            for job in concurrent.futures.as_completed(jobs):
                self.keep(jobs[job], job.result())
        return [*inputs]

    @staticmethod
    def is_done(row):
        return "count" in row or row.get("reason", "no time was left") != "no time was left"


def table(rows, names):
    print("| matrix | N | states | predicted, s | wall, s | CPU, s | GB | kB | check, ms |\n|---|---|---|---|---|---|---|---|---|")
    for name in names:
        row = rows[name]
        if "count" not in row:
            continue
        count = row["count"]
        short = count if len(count) <= 21 else f"{count[:10]}...{count[-6:]} ({len(count)} digits)"
        print(f"| {name} | {short} | {row['states']} | {row['predicted']:.2g} | {row['wall']:.2f} | {row['cpu']:.2f} | "
              f"{row['peak_bytes'] / 1e9:.2f} | {row['bytes'] / 1000:.1f} | {1000 * row['check']:.1f} |")
    done = [name for name in names if "count" in rows[name]]
    reasons = "; ".join(f"{name} ({rows[name]['reason']})" for name in names if name not in done)
    print(f"\n{len(done)} of {len(names)} proved" + (f"; not: {reasons}" if reasons else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("inputs", nargs="+", help="files, folders of Matrix Market files, lattices")
    parser.add_argument("--below", type=float, default=20, help="predicted seconds of the count and its proof")
    parser.add_argument("--only", nargs="*", default=[], help="names of matrices")
    parser.add_argument("--countpm", default=os.environ.get("COUNTPM", ROOT / "build" / "release" / "countpm"))
    parser.add_argument("--jobs", type=int, default=1, help="at a time")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="of each")
    parser.add_argument("--memory-limit", default="16G", help="of each")
    parser.add_argument("--explain-limit", type=float, default=60, help="seconds of each")
    parser.add_argument("--time-limit", type=float, default=300, help="seconds of each")
    parser.add_argument("--within", type=float, default=1e9, help="seconds of all")
    parser.add_argument("--results", type=pathlib.Path, help="a JSON file of what is done")
    parser.add_argument("--known", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the proofs")
    options = parser.parse_args()
    getattr(sys, "set_int_max_str_digits", int)(0)
    with tempfile.TemporaryDirectory() as folder:
        matrices = Matrices(options, options.keep or pathlib.Path(folder))
        table(matrices.rows, matrices.run())


if __name__ == "__main__":
    main()
