"""Ranks of mpirun and Dask workers killed, or stopped and continued, at random: the number of one process every time.

A cycle is one such act on a process that is at work. Of ranks a kill ends the job: then it goes on from its checkpoint, on another number of
ranks. Counts, estimates and guarantees take turns. Prints what was done, and ends with exit code 1 at the first other number.

    python kill_cycles.py --cycles 200 --countpm build/release/apps/countpm
    python kill_cycles.py --cycles 20 --only dask
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import countpm
import numpy as np

ESTIMATE = {"samples": 6000, "sampler": "scaling+", "all_sampled": True, "seed": 3}
GUARANTEE = {"guarantee": (0.02, 0.05), "all_sampled": True, "seed": 3}
LATTICE = "lattice:square:12x12"
CUBE = "lattice:cubic:4x4x3"


def matrix(rows: int) -> np.ndarray:
    return np.random.default_rng(rows).integers(1, 9, (rows, rows))


class Questions:
    """What is asked, by whom, and the answers of one process."""

    def __init__(self, rows: int, folder: Path) -> None:
        self.folder = folder
        self.matrix = matrix(rows)
        self.file = folder / "matrix.txt"
        self.file.write_text("\n".join(" ".join(map(str, row)) for row in self.matrix) + "\n")
        alone: dict[str, Any] = {"time_limit": None}
        self.answers = {
            "count": str(countpm.permanent(self.matrix, method="ryser", **alone)),
            "estimate": self.digits(countpm.estimate(LATTICE, **ESTIMATE, **alone).to_dict()),
            "guarantee": self.digits(countpm.estimate(CUBE, **GUARANTEE, **alone).to_dict()),
        }

    @staticmethod
    def digits(told: dict[str, Any]) -> str:
        return repr((told["estimate"]["log10"], [block["samples"] for block in told["blocks"]]))

    def by_executor(self, what: str, executor: Any, checkpoint: Path | None) -> str:
        options: dict[str, Any] = {"executor": executor, "checkpoint": checkpoint, "time_limit": None}
        if what == "count":
            return str(countpm.count(self.matrix, "permanent", method="ryser", **options).value)
        if what == "estimate":
            return self.digits(countpm.estimate(LATTICE, **ESTIMATE, **options).to_dict())
        return self.digits(countpm.estimate(CUBE, **GUARANTEE, **options).to_dict())

    def command(self, what: str) -> list[str]:
        common = ["--time-limit", "none", "--threads", "1"]
        if what == "count":
            return [str(self.file), "--format", "dense", "--weights", "--method", "ryser", *common]
        sampling = ["--all-sampled", "--seed", "3", *common]
        if what == "estimate":
            return ["estimate", LATTICE, "--samples", "6000", "--sampler", "scaling+", *sampling]
        return ["estimate", CUBE, "--guarantee", "0.02,0.05", *sampling]

    def of_json(self, what: str, text: str) -> str:
        told = json.loads(text)
        return str(told["count"]) if what == "count" else self.digits(told)


class Acts:
    """One after another, on processes that `alive` lists, until it is ended."""

    def __init__(self, chance: random.Random, alive: Callable[[], list[int]], longest: float) -> None:
        self.done: Counter[str] = Counter()
        self._over = threading.Event()
        self._chance = chance
        self._alive = alive
        self._longest = longest
        self._thread = threading.Thread(target=self._act)

    def __enter__(self) -> Acts:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _act(self) -> None:
        while not self._over.wait(self._chance.uniform(0.1, self._longest)):
            pids = self._alive()
            if not pids:
                continue
            pid = self._chance.choice(pids)
            try:
                if self._chance.random() < 0.5:
                    os.kill(pid, signal.SIGKILL)
                    self.done["killed"] += 1
                else:
                    os.kill(pid, signal.SIGSTOP)
                    self._over.wait(self._chance.uniform(0.05, 1.5))
                    os.kill(pid, signal.SIGCONT)
                    self.done["stopped and continued"] += 1
            except ProcessLookupError:
                pass  # it was through before


def descendants(pid: int, name: str) -> list[int]:
    """Processes of that name that this one started, or those did, and that are not over."""
    parents: dict[int, list[tuple[int, str]]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                text = (entry / "stat").read_text()
            except OSError:
                continue
            command, rest = text[text.index("(") + 1 :].rsplit(")", 1)
            state, parent = rest.split()[:2]
            parents.setdefault(int(parent), []).append((int(entry.name), command if state != "Z" else ""))
    found, left = [], [pid]
    while left:
        for child, command in parents.get(left.pop(), []):
            left.append(child)
            if command == name:
                found.append(child)
    return found


class Ranks:
    """Those of a job, once all are there and have had a second to begin: where one dies before, Open MPI's mpirun may wait for ever."""

    def __init__(self, number: int, mpirun: int) -> None:
        self._number = number
        self._mpirun = mpirun
        self._all_there = 0.0
        self._heard = time.monotonic()

    def alive(self) -> list[int]:
        pids = descendants(self._mpirun, "countpm")
        now = time.monotonic()
        if pids:
            self._heard = now
        elif now - self._heard > 60:
            os.kill(self._mpirun, signal.SIGKILL)
        if len(pids) < self._number:
            return []
        self._all_there = self._all_there or now
        return pids if now - self._all_there > 1 else []


def job_of_ranks(questions: Questions, what: str, program: str, chance: random.Random, tally: Counter[str]) -> None:
    journal = questions.folder / "ranks.journal"
    journal.unlink(missing_ok=True)
    for session in range(1000):
        ranks = chance.randint(1, 3)
        begun = journal.exists()
        arguments = ["resume", str(journal)] if begun else [*questions.command(what), "--checkpoint", str(journal)]
        environment = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        with subprocess.Popen(
            ["mpirun", "--oversubscribe", "--bind-to", "none", "-np", str(ranks), program, *arguments, "--json", "--quiet"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        ) as job:
            with Acts(chance, Ranks(ranks, job.pid).alive, 3 if session < 3 else 6) as acts:
                out, err = job.communicate()
        tally.update(acts.done)
        if job.returncode == 0:
            compare(f"{what} on {ranks} ranks, session {session + 1}", questions.of_json(what, out), questions.answers[what])
            tally["right numbers"] += 1
            return
        if acts.done["killed"]:
            tally["jobs that a kill ended"] += 1
        elif job.returncode == -signal.SIGKILL:
            tally["jobs that mpirun never began"] += 1
        else:
            sys.exit(f"{what}: the job ended with {job.returncode}, and nobody was killed: {err}")
    sys.exit(f"{what} on ranks never ended")


def job_of_dask(questions: Questions, what: str, cluster: Any, client: Any, chance: random.Random, tally: Counter[str]) -> None:
    journal = questions.folder / "dask.journal" if chance.random() < 0.5 else None
    if journal is not None:
        journal.unlink(missing_ok=True)

    def alive() -> list[int]:
        # Not those that are starting: where one of them dies, its nanny gives up.
        return [nanny.pid for nanny in cluster.workers.values() if nanny.pid and nanny.status.name == "running"]

    with Acts(chance, alive, 2) as acts:
        found = questions.by_executor(what, client.get_executor(), journal)
    tally.update(acts.done)
    compare(f"{what} by Dask", found, questions.answers[what])
    tally["right numbers"] += 1


def compare(who: str, found: str, expected: str) -> None:
    if found != expected:
        sys.exit(f"WRONG: {who}: {found}, expected {expected}")


def show(name: str, tally: Counter[str], start: float) -> None:
    cycles = tally["killed"] + tally["stopped and continued"]
    text = ", ".join(f"{number} {words}" for words, number in sorted(tally.items()))
    print(f"{name}: {cycles} cycles in {time.monotonic() - start:.0f} s: {text}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cycles", type=int, default=200, help="of ranks and of Dask each half, unless --only")
    parser.add_argument("--only", choices=("ranks", "dask"))
    parser.add_argument("--seconds", type=float, default=1e9, help="no new job after so long")
    parser.add_argument("--countpm", default="countpm", help="the program")
    parser.add_argument("--rows", type=int, default=31)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    logging.getLogger("countpm").setLevel(logging.CRITICAL)
    start = time.monotonic()

    def cycles_left(tally: Counter[str]) -> bool:
        wanted = given.cycles if given.only else given.cycles // 2
        return tally["killed"] + tally["stopped and continued"] < wanted and time.monotonic() - start < given.seconds

    with tempfile.TemporaryDirectory(prefix="countpm-cycles-") as folder:
        questions = Questions(given.rows, Path(folder))
        kinds = list(questions.answers)
        if given.only != "dask":
            tally: Counter[str] = Counter()
            while cycles_left(tally):
                job_of_ranks(questions, chance.choice(kinds), given.countpm, chance, tally)
                show("ranks", tally, start)
        if given.only != "ranks":
            import dask
            import distributed

            # Else a LocalCluster gives up a worker for good which is not there 15 s after its last death.
            dask.config.set({"distributed.deploy.lost-worker-timeout": "1h"})
            tally = Counter()
            options = {"n_workers": 3, "threads_per_worker": 1, "processes": True, "host": "127.0.0.1", "dashboard_address": None}
            with distributed.LocalCluster(**options, silence_logs=logging.CRITICAL) as cluster, distributed.Client(cluster) as client:
                while cycles_left(tally):
                    job_of_dask(questions, chance.choice(kinds), cluster, client, chance, tally)
                    show("Dask", tally, start)


if __name__ == "__main__":
    main()
