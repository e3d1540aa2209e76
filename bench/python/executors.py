"""Counts on executors: what the executor path costs beside threads, and what killed workers cost.

Goals: less than 3 % more CPU time than threads on a count of 20 to 60 s; with two of four Dask workers killed every 5 s the right number every
time, and at most 5 % of the workers' time lost beyond the time that they were away.

    python executors.py overhead --rows 30 --turns 5
    python executors.py kills --rows 31 --seconds 300
"""

from __future__ import annotations

import argparse
import logging
import os
import random
import resource
import signal
import statistics
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import countpm
import numpy as np


def matrix(rows: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(1, 9, (rows, rows))


def cpu_seconds() -> float:
    """User time of this process and of those that have ended."""
    return sum(resource.getrusage(who).ru_utime for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def on_threads(given: np.ndarray, workers: int) -> int:
    return countpm.permanent(given, method="ryser", threads=workers, time_limit=None)


def on_processes(given: np.ndarray, workers: int) -> int:
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        return countpm.permanent(given, method="ryser", executor=pool, time_limit=None)


def overhead(rows: int, workers: int, turns: int) -> None:
    """Both in turns; the pool's start and end, and the plan in every process, belong to the count."""
    given = matrix(rows)
    number = on_threads(given, workers)
    shares = []
    for turn in range(turns):
        seconds = {}
        for way in (on_threads, on_processes) if turn % 2 == 0 else (on_processes, on_threads):
            wall, cpu = time.monotonic(), cpu_seconds()
            assert way(given, workers) == number
            seconds[way] = cpu_seconds() - cpu
            print(f"turn {turn}: {way.__name__:12} CPU {seconds[way]:.2f} s, wall {time.monotonic() - wall:.2f} s", flush=True)
        shares.append(seconds[on_processes] / seconds[on_threads] - 1)
    print(f"the executor's path takes {100 * statistics.median(shares):+.2f} % CPU time ({turns} turns, median)")


def kills(rows: int, workers: int, seconds: float, every: float, at_a_time: int) -> None:
    import dask
    import distributed
    from countpm import elsewhere

    # Else a LocalCluster gives up a worker for good which is not there 15 s after its last death, for it may have died again.
    dask.config.set({"distributed.deploy.lost-worker-timeout": "1h"})
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    given = matrix(rows)
    number = on_threads(given, 2)
    with (
        distributed.LocalCluster(
            n_workers=workers, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None, silence_logs=logging.CRITICAL
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        core = countpm.Graph(given, weight=True).core
        for killing in (False, True):
            over = threading.Event()
            killed, present = [], [0.0]

            def watch() -> None:
                last, next_kill = time.monotonic(), time.monotonic() + every
                while not over.wait(0.05):
                    now = time.monotonic()
                    present[0] += len(cluster.scheduler.workers) * (now - last)
                    last = now
                    if killing and now >= next_kill:
                        next_kill = now + every
                        # Not those that are starting: where one of them dies, its nanny gives up.
                        alive = [nanny.pid for nanny in cluster.workers.values() if nanny.pid and nanny.status.name == "running"]
                        for pid in random.sample(alive, min(at_a_time, len(alive))):
                            os.kill(pid, signal.SIGKILL)
                            killed.append(pid)

            watcher = threading.Thread(target=watch)
            watcher.start()
            start, counts, useful, lost, tasks = time.monotonic(), 0, 0.0, 0, 0
            until = start + (seconds if killing else seconds / 5)
            while time.monotonic() < until:
                options = {"method": "ryser", "matchings": "smaller_side", "time_limit": None}
                found, tally = elsewhere.count_on(core, options, False, client.get_executor(), None, 1)
                assert found["value"] == number
                counts, useful, lost, tasks = counts + 1, useful + tally.seconds, lost + tally.lost, tasks + tally.tasks
            wall = time.monotonic() - start
            over.set()
            watcher.join()
            print(
                f"{'with' if killing else 'without'} kills: {counts} counts in {wall:.0f} s, all right; {len(killed)} workers killed, {tasks} tasks, "
                f"{lost} asked for again; workers were there {present[0]:.0f} s, of which {100 * useful / present[0]:.1f} % went into units that count",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("overhead", "kills"))
    parser.add_argument("--rows", type=int, default=30)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--every", type=float, default=5)
    parser.add_argument("--at-a-time", type=int, default=2)
    given = parser.parse_args()
    if given.what == "overhead":
        overhead(given.rows, given.workers or 2, given.turns)
    else:
        kills(given.rows, given.workers or 4, given.seconds, given.every, given.at_a_time)


if __name__ == "__main__":
    main()
