"""Counts whose units run on workers that come, die and return: the same number every time, or a clear error."""

from __future__ import annotations

import math
import multiprocessing
import os
import random
import re
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction

import countpm
import networkx as nx
import numpy as np
import pytest
from countpm import distributed, elsewhere, pace

SPAWN = multiprocessing.get_context("spawn")


def dense(rows: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(1, 9, (rows, rows))


#: Some hundredths of a second of one core.
MATRIX = dense(26)
NUMBER = countpm.permanent(MATRIX, method="ryser")


def by_others(executor, matrix=MATRIX, **options):
    return countpm.count(matrix, "permanent", **{"method": "ryser", "executor": executor, **options})


def checks_of(result: countpm.Result) -> list[str]:
    """But for one that depends on how long a unit took."""
    return [check.name for check in result.checks if check.name != "unit run again"]


def tasks_of(result: countpm.Result) -> int:
    [note] = [note for note in result.notes if note.startswith("others ran the units")]
    return int(re.search(r"(\d+) tasks?", note)[1])


@pytest.fixture
def short_tasks(monkeypatch):
    """Many of them, however short the count is."""
    for name in ("TASK_SECONDS", "LONGEST_TASK_SECONDS", "SHORTEST_TASK_SECONDS"):
        monkeypatch.setattr(pace, name, 0.002)
    monkeypatch.setattr(elsewhere, "LEAST_SECONDS", 0.0)


class Fake(Executor):
    """Runs tasks at once, and does to their answers what it was made for."""

    def __init__(self, change: Callable[[elsewhere.Answer], elsewhere.Answer | BaseException | None], share: float = 1.0) -> None:
        self.change = change
        self.share = share
        self.random = random.Random(1)
        self.kept: list[tuple[Future, elsewhere.Answer, tuple[int, int, int]]] = []
        self.released = 0

    def submit(self, function, /, *arguments, **named):
        future: Future = Future()
        _, task, first, last, _ = arguments
        for entry in list(self.kept):
            late, answer, (of_task, begin, end) = entry
            if of_task == task and begin < last and first < end:  # its units are asked for again
                self.kept.remove(entry)
                late.set_result(answer)
                self.released += 1
        answer = function(*arguments, **named)
        if self.random.random() < self.share:
            changed = self.change(answer)
            if isinstance(changed, BaseException):
                future.set_exception(changed)
                return future
            if changed is None:
                self.kept.append((future, answer, (task, first, last)))
                return future
            answer = changed
        future.set_result(answer)
        return future


def test_the_number_is_that_of_threads(short_tasks):
    graph = nx.random_regular_graph(4, 36, seed=3)
    covers = [
        (dense(22) / 8, "permanent", {"method": "ryser"}),
        (dense(22) * Fraction(1, 3), "permanent", {"method": "ryser"}),
        (dense(20) * (1 + 2j), "permanent", {"method": "ryser"}),
        (dense(20) * (1 + 2j), "permanent", {"method": "ryser", "exact": True}),
        (graph, "perfect_matchings", {"double_check": True}),
        (dense(22), "cycle_covers", {"method": "ryser", "weight": True, "audit": 0.1}),
        ("lattice:square:9x9", "maximum_matchings", {"method": "frontier"}),
    ]
    with ThreadPoolExecutor(3) as pool:
        for given, problem, options in covers:
            here = countpm.count(given, problem, **options)
            there = countpm.count(given, problem, executor=pool, **options)
            assert there.value == here.value and there.error == here.error
            assert there.proved == here.proved
            assert tasks_of(there) > 0, problem
            assert checks_of(there) == checks_of(here)


def test_polynomials_are_those_of_one_process(tmp_path, short_tasks):
    x, y = countpm.letters("x y")
    across = [((r, c), (r, c + 1), -x / 2) for r in range(8) for c in range(7)]
    board = across + [((r, c), (r + 1, c), 3 * y) for r in range(7) for c in range(8)]
    journal = tmp_path / "board.journal"
    with ThreadPoolExecutor(2) as pool:
        here = countpm.perfect_matchings(board, weight=True)
        there = countpm.count(board, weight=True, executor=pool, checkpoint=journal)
        assert (there.value, tasks_of(there) > 0) == (here, True)
        assert countpm.perfect_matchings(board, weight=True, executor=pool, checkpoint=journal) == here
        small = [edge for edge in board if max(*edge[0], *edge[1]) < 5]
        assert countpm.number_of_matchings(small, weight=True, executor=pool) == countpm.number_of_matchings(small, weight=True)
        for graph in ("lattice:square:7x7", nx.petersen_graph()):
            assert countpm.matching_polynomial(graph, executor=pool) == countpm.matching_polynomial(graph)
            assert countpm.number_of_matchings(graph, 2, executor=pool) == countpm.number_of_matchings(graph, 2)


def test_values_reach_workers_exactly(tmp_path, short_tasks):
    """Decimals and fractions of a file that no double holds: else its blocks would be others there."""
    rows = "\n".join(" ".join(f"0.{7 * i + j + 1}" for j in range(16)) for i in range(16))
    path = tmp_path / "decimals.txt"
    path.write_text(rows + "\n")
    given = countpm.read(path, format="dense", weight=True)
    with ThreadPoolExecutor(2) as pool:
        options = {"method": "ryser", "arithmetic": 200}
        there = countpm.count(given, executor=pool, **options)
        assert (there.value, tasks_of(there) > 0) == (countpm.count(given, **options).value, True)


def test_small_counts_need_nobody():
    def nobody():
        raise AssertionError("nobody is to be asked")

    assert countpm.perfect_matchings("lattice:square:8x8", executor=nobody) == 12988816
    assert countpm.count(nx.star_graph(3), executor=nobody).violator is not None


def test_what_comes_twice_counts_once(short_tasks):
    result = by_others(Fake(lambda answer: answer._replace(records=2 * answer.records)))
    assert result.value == NUMBER
    assert "records that came twice" in "".join(result.notes)


def test_what_is_late_is_asked_for_again_and_counts_once(short_tasks, monkeypatch):
    monkeypatch.setattr(elsewhere, "LATE_SECONDS", 0.1)
    fake = Fake(lambda answer: None, share=0.2)
    result = by_others(fake)
    assert result.value == NUMBER and fake.released > 0
    assert "asked for again" in "".join(result.notes)


def damaged(answer):
    at = len(answer.records) // 2
    changed = b"0" if answer.records[at : at + 1] != b"0" else b"1"
    return answer._replace(records=answer.records[:at] + changed + answer.records[at + 1 :])


def foreign():
    """Records of a plan for the same units of another matrix, that claim to be of this one."""
    shared = countpm._core.SharedCount(countpm.Graph(dense(26, 2), weight=True).core, {"method": "ryser"}, "", 0.0)
    try:
        number, task, first, last, _ = next(filter(None, (shared.take(0.1, 1) for _ in iter(lambda: shared.wait(0.01), True))))
        state = countpm._core.graph_state(countpm.Graph(dense(26, 2), weight=True).core)
        return countpm._core.UnitWorker(state, shared.plan(number), {}).run(task, first, last)
    finally:
        shared.stop()


CHANGES = {
    "damaged": (damaged, countpm.CheckError),
    "torn": (lambda answer: answer._replace(records=answer.records[: len(answer.records) // 2]), countpm.CheckError),
    "none": (lambda answer: answer._replace(records=b""), None),
    "another plan": (lambda answer: answer._replace(key="another"), countpm.CheckError),
    "forged": (lambda answer: answer._replace(records=foreign_records()), countpm.CheckError),
    "lost": (lambda answer: ConnectionError("gone"), countpm.UnableError),
    "cancelled": (lambda answer: CancelledError(), countpm.UnableError),
    "nonsense": (lambda answer: 7, countpm.UnableError),
}
_foreign: list[bytes] = []


def foreign_records() -> bytes:
    if not _foreign:
        _foreign.append(foreign())
    return _foreign[0]


@pytest.mark.parametrize("name", CHANGES)
def test_what_is_lost_or_no_record_of_the_plan_is_asked_for_again(name, short_tasks, monkeypatch):
    monkeypatch.setattr(elsewhere, "MOST_LOSSES", 10)
    change, error = CHANGES[name]
    assert by_others(Fake(change, share=0.3)).value == NUMBER
    if error is not None:
        with pytest.raises(error):
            by_others(Fake(change))


def test_workers_of_another_version_or_graph_are_refused(short_tasks):
    class Changed(ThreadPoolExecutor):
        def submit(self, function, plan, *arguments):
            return super().submit(function, change(plan), *arguments)

    other = countpm._core.graph_state(countpm.Graph(dense(26, 2), weight=True).core)
    for change, error, words in (
        (lambda plan: plan._replace(version="0.0.1"), countpm.UsageError, "0.0.1"),
        (lambda plan: plan._replace(key="other", graph=elsewhere.zlib.compress(other)), countpm.InputError, "another matrix"),
        (lambda plan: plan._replace(key="torn", header=elsewhere.zlib.compress(b"countpm journal 1\n")), countpm.InputError, "the plan"),
    ):
        with Changed(2) as pool, pytest.raises(error, match=words):
            by_others(pool)


def test_tasks_are_shorter_where_workers_die():
    """Four workers, each of them another one after so many answers."""

    def paced(answers_of_one: int) -> pace.Pace:
        seen = pace.Pace()
        for k in range(400):
            seconds = seen.task_seconds()
            seen.see(f"{k % 4}-{k // 4 // answers_of_one}", 8, 2 * seconds, seconds, seconds)
        return seen

    steady = paced(1000)
    assert (steady.task_seconds(), steady.life_seconds()) == (pace.TASK_SECONDS, math.inf)
    dying = paced(10)
    assert pace.SHORTEST_TASK_SECONDS <= dying.task_seconds() < pace.TASK_SECONDS / 2
    # Those that came stay: the longer, the longer their tasks.
    for k in range(4000):
        dying.see(f"{k % 4}-9", 8, 1, 0.5, 0.5)
    assert dying.task_seconds() == pace.TASK_SECONDS


def test_options_that_do_not_fit(short_tasks):
    for executor in ("dask", 0, True, -1, 1.5):
        with pytest.raises(countpm.UsageError, match="executor"):
            by_others(executor)
    with pytest.raises(countpm.UsageError, match="executor"):
        countpm.permanent(MATRIX, checkpoint="x.journal")
    with pytest.raises(countpm.UsageError, match="worker_threads"):
        by_others(2, worker_threads=0)
    with pytest.raises(countpm.UsageError, match="no option 'executor'"):
        countpm.sample(nx.path_graph(2), executor=2)
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(countpm.UnableError, match="no more tasks"):
        by_others(pool)


def children() -> list[int]:
    """Processes of pools that this one started."""
    return [process.pid for process in multiprocessing.active_children()]


class Killer:
    """Told of progress, kills a worker whenever so much more is done."""

    def __init__(self, *shares: float) -> None:
        self.shares = list(shares)

    def __call__(self, progress: countpm.Progress) -> None:
        pids = children()
        if self.shares and pids and progress.stage == "count" and progress.done > self.shares[0]:
            self.shares.pop(0)
            os.kill(random.choice(pids), signal.SIGKILL)


LONG = dense(32)  # some four seconds of one core: reports of progress come in time for a Killer


@pytest.fixture(scope="module")
def long_number():
    return countpm.permanent(LONG, method="ryser")


def test_a_pool_that_is_killed_is_made_anew(long_number):
    killer = Killer(0.1, 0.4)
    result = by_others(2, LONG, progress=killer)
    assert result.value == long_number
    assert not killer.shares
    assert "pools made anew" in "".join(result.notes)
    until = time.monotonic() + 60
    while children() and time.monotonic() < until:
        time.sleep(0.05)
    assert not children()


def test_a_pool_of_the_callers_that_breaks_is_an_error_and_a_checkpoint_goes_on(tmp_path, long_number):
    path = tmp_path / "long.journal"
    with ProcessPoolExecutor(2, mp_context=SPAWN) as pool, pytest.raises(countpm.UnableError, match="executor=N"):
        by_others(pool, LONG, checkpoint=path, progress=Killer(0.3))
    told = []
    with ThreadPoolExecutor(2) as pool:
        result = by_others(pool, LONG, checkpoint=path, progress=told.append)
    assert result.value == long_number
    assert "checkpoint run again" in [check.name for check in result.checks]
    assert told and all(isinstance(progress, countpm.Progress) for progress in told)
    assert min(progress.done for progress in told if progress.stage == "count") > 0.02  # what was there before
    # Whoever comes later has the number at once, and another graph none.
    assert by_others(2, LONG, checkpoint=path).value == long_number
    with pytest.raises(countpm.InputError, match="another input"):
        by_others(2, MATRIX, checkpoint=path)


def test_limits_and_checkpoints(tmp_path):
    path = tmp_path / "limit.journal"
    for limit in (1, 4, 16, 64):  # a busy machine begins later
        with ThreadPoolExecutor(1) as pool, pytest.raises(countpm.UnableError) as caught:
            by_others(pool, dense(40), time_limit=limit, checkpoint=path)
        if path.exists():
            break
    assert "time limit" in str(caught.value)
    assert "the same call goes on" in caught.value.remedy
    status = subprocess.run([sys.executable, "-m", "countpm", "status", str(path)], capture_output=True, text=True, check=True)
    assert "ryser" in status.stdout


def test_interrupts_end_it_and_its_workers(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent("""
        import time
        import countpm, numpy as np

        if __name__ == "__main__":
            told = []
            def tell(progress):
                if progress.done > 0 and not told:
                    told.append(print("begun", flush=True))
            matrix = np.random.default_rng(1).integers(1, 9, (38, 38))
            try:
                countpm.permanent(matrix, method="ryser", executor=2, time_limit=None, progress=tell)
            except KeyboardInterrupt:
                print(f"interrupted {time.time()}", flush=True)
        """)
    )
    process = subprocess.Popen([sys.executable, str(program)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begun\n"
    sent = time.time()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert "interrupted" in out, err
    assert process.returncode == 0
    assert float(out.split()[-1]) - sent < 30


#: Some tenths of a second of one core, and a few rounds.
GRIDS = nx.disjoint_union(nx.grid_2d_graph(8, 8), nx.grid_2d_graph(6, 9))


def sampled(executor=None, graph=GRIDS, **options):
    return countpm.estimate(graph, **{"all_sampled": True, "error": 0.05, "seed": 5, "threads": 1, "executor": executor, **options})


def figures(result: countpm.Estimate):
    told = result.to_dict()
    blocks = [(block["log10"], block["samples"], block["second"] and block["second"]["log10"]) for block in told["blocks"]]
    return told["estimate"], blocks


def test_an_estimate_is_that_of_threads(short_tasks):
    expected = sampled()
    with ThreadPoolExecutor(3) as pool:
        for options in ({}, {"worker_threads": 2}):
            result = sampled(pool, **options)
            assert figures(result) == figures(expected)
            assert tasks_of(result) > 3
            assert "samples of others" in [check.name for check in result.checks]
        assert sampled(pool, "lattice:square:4x4", all_sampled=False).value == 36
        with pytest.raises(countpm.UsageError, match="CPUs"):
            sampled(pool, device="gpu")


CUBE = "lattice:cubic:4x3x3"


@pytest.mark.parametrize(
    ("graph", "options"),
    [
        (CUBE, {"guarantee": (0.05, 0.05)}),
        (GRIDS, {"replicates": 3}),
        (GRIDS, {"ln_weights": True, "samples": 300, "sampler": "rasmussen"}),
        (GRIDS, {"ln_weights": True, "samples": 100, "replicates": 2}),
        ("lattice:square:5x5", {"monomers": 2, "samples": 400}),
    ],
)
def test_guarantees_replicates_and_weights_are_those_of_threads(graph, options, short_tasks):
    options = {"error": None, **options}
    expected = sampled(None, graph, **options)
    with ThreadPoolExecutor(3) as pool:
        found = sampled(pool, graph, **options)
    assert figures(found) == figures(expected)
    assert tasks_of(found) > 0
    assert (found.guarantee, found.spread) == (expected.guarantee, expected.spread)
    told = [[{**one, "seconds": 0} for one in result.replicates] for result in (found, expected)]
    assert told[0] == told[1]
    assert found.ln_weights == expected.ln_weights and (found.ln_weights is None) == ("ln_weights" not in options)


def test_a_guarantee_goes_on_from_a_checkpoint_and_after_lost_tasks(tmp_path, short_tasks):
    options = {"guarantee": (0.05, 0.05), "error": None}
    expected = figures(sampled(None, CUBE, **options))
    path = tmp_path / "trials.journal"
    assert figures(sampled(Fake(lambda answer: ConnectionError("gone"), share=0.3), CUBE, checkpoint=path, **options)) == expected
    assert figures(sampled(Fake(damaged, share=0.3), CUBE, checkpoint=path, **options)) == expected
    with pytest.raises(countpm.UsageError, match="seed"):
        sampled(2, CUBE, checkpoint=tmp_path / "other.journal", replicates=2)


@pytest.mark.parametrize("change", [damaged, lambda answer: ConnectionError("gone"), lambda answer: answer._replace(records=2 * answer.records)])
def test_samples_that_are_lost_damaged_or_repeated_are_drawn_once(change, short_tasks):
    graph = "lattice:square:8x8"
    assert figures(sampled(Fake(change, share=0.3), graph)) == figures(sampled(None, graph))


def test_an_estimate_goes_on_after_killed_workers_and_an_interruption(tmp_path, short_tasks):
    graph = nx.grid_2d_graph(12, 12)
    options = {"sampler": "scaling+", "error": None, "samples": 1500}
    expected = figures(sampled(None, graph, **options))
    path = tmp_path / "samples.journal"

    def interrupt(progress):
        if progress.stage == "estimate" and progress.done > 0.1:
            raise KeyboardInterrupt

    with ThreadPoolExecutor(2) as pool:
        try:
            sampled(pool, graph, checkpoint=path, progress=interrupt, **options)
        except KeyboardInterrupt:
            pass
        assert figures(sampled(pool, graph, checkpoint=path, **options)) == expected
        with pytest.raises(countpm.InputError, match="another input"):
            sampled(pool, "lattice:square:8x8", checkpoint=path, **options)

    def kill(progress):
        if pids and progress.stage == "estimate" and progress.done > pids[0] and children():
            pids.pop(0)
            os.kill(random.choice(children()), signal.SIGKILL)

    pids = [0.2]
    assert figures(sampled(2, graph, progress=kill, **options)) == expected


def command(*arguments):
    return subprocess.run([sys.executable, "-m", "countpm.distributed", *arguments], capture_output=True, text=True, check=False)


def test_the_command(tmp_path):
    path = tmp_path / "matrix.txt"
    given = dense(28)
    path.write_text("\n".join(" ".join(map(str, row)) for row in given) + "\n")
    done = command(str(path), "--problem", "permanent", "--method", "ryser", "--workers", "2")
    assert (done.returncode, done.stdout) == (0, f"{countpm.permanent(given)}\n"), done.stderr
    assert "note: others ran the units" in done.stderr
    assert command("no-such-file", "--workers", "1").returncode == 2
    assert command(str(path), "--workers", "0").returncode == 2
    assert command("lattice:square:4x4").returncode == 2
    estimate = ("lattice:square:8x8", "--workers", "2", "--estimate", "--samples", "200", "--all-sampled", "--seed", "3")
    done = command(*estimate)
    alone = countpm.estimate("lattice:square:8x8", samples=200, all_sampled=True, seed=3)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{alone.text} +- ")
    assert distributed.main([*estimate, "--method", "ryser"]) == 2
    assert distributed.main(["lattice:square:4x4", "--workers", "1", "--samples", "5"]) == 2


@pytest.mark.skipif(not os.environ.get("COUNTPM_LONG"), reason="a cluster takes some seconds to start: COUNTPM_LONG=1")
def test_dask_with_a_worker_killed(long_number):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None, silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        pids = list(client.run(os.getpid).values())

        def kill(progress):
            if progress.stage == "count" and progress.done > 0.2 and len(pids) == 2:
                os.kill(pids.pop(), signal.SIGKILL)

        result = by_others(client.get_executor(), LONG, progress=kill)
        assert len(pids) == 1
        assert result.value == long_number
        assert tasks_of(result) > 3
