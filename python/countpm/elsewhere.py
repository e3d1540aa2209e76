"""Counts and estimates whose units run on workers that come and go: any executor of ``concurrent.futures``.

``countpm.count(graph, executor=E)`` and ``countpm.estimate(graph, executor=E)`` come here; so does the command
``python -m countpm.distributed``. The caller plans, hands out ranges of the plan's units (of an estimate: samples) as tasks, and takes in their records. Whom a task goes to, and what becomes of it when a worker dies, is
the executor's business: what it loses is asked for again, and what comes twice counts once. docs/executors.md is the guide.
"""

from __future__ import annotations

import logging
import math
import os
import queue
import socket
import threading
import time
import zlib
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import Any, NamedTuple, Union

from . import _core
from .errors import CheckError, Error, UnableError, UsageError, of_the_same_call
from .pace import Pace
from .progress import ProgressWanted, reporter

__all__ = ["ExecutorWanted", "Tally", "count_on", "count_units", "estimate_on"]

#: An executor; how many processes of this machine; or a function that makes an executor, which is called again when one breaks.
ExecutorWanted = Union[Executor, int, Callable[[], Executor]]

_log = logging.getLogger("countpm")

#: What is predicted to take less is counted by the caller.
LEAST_SECONDS = 0.05
#: Tasks that were lost, pools that broke, and records that were refused, one after another without a single unit in between.
MOST_LOSSES = 24
MOST_BROKEN_POOLS = 10
#: A task is handed out a second time, where nothing else is left to do, once it is late by this much and by so many times what others took:
#: the others are idle by then, and a worker that died with it, or starts under load, may keep it for long.
LATE_SECONDS = 2.0
TIMES_LATE = 3
SILENCE_SECONDS = 30.0


class Plan(NamedTuple):
    """What every task brings along, so that any worker can run it."""

    key: str
    version: str
    graph: bytes
    header: bytes
    options: dict[str, Any]
    sampling: dict[str, Any] | None  # None: a count's
    ln_weights: bool = False  # of samples, are wanted


class Answer(NamedTuple):
    """What a task comes back with."""

    key: str
    records: bytes
    seconds: float
    worker: str


_known: OrderedDict[str, _core.UnitWorker | _core.SampleWorker] = OrderedDict()
_known_lock = threading.Lock()
_KNOWN_PLANS = 4


def _worker_of(plan: Plan) -> _core.UnitWorker | _core.SampleWorker:
    """The plan made again, once in a process."""
    with _known_lock:
        known = _known.get(plan.key)
        if known is None:
            graph, header = zlib.decompress(plan.graph), zlib.decompress(plan.header)
            if plan.sampling is None:
                known = _core.UnitWorker(graph, header, plan.options)
            else:
                known = _core.SampleWorker(graph, header, plan.options, plan.sampling, plan.ln_weights)
            _known[plan.key] = known
            while len(_known) > _KNOWN_PLANS:
                _known.popitem(last=False)
        else:
            _known.move_to_end(plan.key)
        return known


def count_units(plan: Plan, task: int, first: int, last: int, number: int) -> Answer:
    """What a worker does: runs units of a plan, or draws its samples, and returns their records.

    Args:
        plan: of the caller.
        task, first, last: the units; of an estimate the number of a sampler and its samples.
        number: of the task; engines that keep results by their arguments know it by that from one that was lost.
    """
    worker = f"{socket.gethostname()}:{os.getpid()}"
    if plan.version != _core.version():
        raise UsageError(f"worker {worker} has countpm {_core.version()}, and the caller has {plan.version}")
    try:
        known = _worker_of(plan)
        start = time.monotonic()
        records = known.run(task, first, last)
    except Error as error:
        error.add_note(f"on worker {worker}")
        raise
    return Answer(plan.key, records, time.monotonic() - start, worker)


@dataclass
class Tally:
    """What became of the tasks.

    Attributes:
        tasks: that were handed out.
        lost: of them, those that were asked for again, for whatever reason.
        repeated, refused: records that somebody had brought before; that were damaged or of another plan.
        pools: executors that broke and were made anew.
        workers: who answered.
        seconds: of work on units, all workers together.
    """

    tasks: int = 0
    lost: int = 0
    repeated: int = 0
    refused: int = 0
    pools: int = 0
    workers: set[str] = field(default_factory=set)
    seconds: float = 0.0

    def note(self) -> str:
        """As a sentence."""
        text = f"others ran the units: {len(self.workers)} worker{'s' * (len(self.workers) != 1)}, {self.tasks} task{'s' * (self.tasks != 1)}"
        for number, words in (
            (self.lost, "asked for again"),
            (self.repeated, "records that came twice"),
            (self.refused, "records refused"),
            (self.pools, "pools made anew"),
        ):
            text += f", {number} {words}" if number else ""
        return text


class _Pool:
    """The executor, and another one where it breaks."""

    def __init__(self, wanted: ExecutorWanted) -> None:
        self._make: Callable[[], Executor] | None = None
        self._executor: Executor | None = None
        self._own = False
        self.generation = 0
        if isinstance(wanted, int) and not isinstance(wanted, bool) and wanted > 0:
            self._make = lambda: ProcessPoolExecutor(wanted, mp_context=get_context("spawn"))
            self._own = True
        elif hasattr(wanted, "submit") and not isinstance(wanted, type):
            self._executor = wanted  # type: ignore[assignment]
        elif callable(wanted):
            self._make = wanted
            self._own = True
        else:
            raise UsageError(f"executor: expected an executor, a number of processes or a function that makes an executor, found {wanted!r}")

    @property
    def can_renew(self) -> bool:
        return self._make is not None

    def submit(self, *call: Any) -> Future[Answer]:
        if self._executor is None:
            assert self._make is not None
            self._executor = self._make()
        return self._executor.submit(*call)

    def renew(self) -> None:
        """The next task goes to a new one."""
        self.close()
        self.generation += 1

    def close(self) -> None:
        """Ends what was made here; whatever still runs in it is not wanted any more."""
        if not self._own or self._executor is None:
            return
        executor, self._executor = self._executor, None
        processes = list((getattr(executor, "_processes", None) or {}).values()) if isinstance(executor, ProcessPoolExecutor) else []
        try:
            executor.shutdown(wait=False, cancel_futures=True)
        except TypeError:  # some know no cancel_futures
            executor.shutdown(wait=False)
        for process in processes:
            process.terminate()


@dataclass
class _Sent:
    """A task that is under way."""

    order: tuple[int, int, int, int, float]  # number of the plan, task, first, last, predicted seconds
    key: str  # of the plan
    at: float
    beside: int
    generation: int
    wanted: bool = True  # False: its units were given to others


class _Run:
    """One count or estimate, from the caller's side."""

    def __init__(
        self,
        shared: _core.SharedCount | _core.SharedEstimate,
        pool: _Pool,
        graph: bytes,
        options: dict[str, Any],
        sampling: dict[str, Any] | None,
        worker_threads: int,
        ln_weights: bool,
    ) -> None:
        self.tally = Tally()
        self._sampling = sampling
        self._ln_weights = ln_weights
        self._shared = shared
        self._pool = pool
        self._graph = graph
        self._options = {key: value for key, value in options.items() if key != "time_limit"} | {"threads": worker_threads}
        self._plan: Plan | None = None
        self._plan_number = 0
        self._pace = Pace()
        self._under_way: dict[Future[Answer], _Sent] = {}
        self._answers: queue.SimpleQueue[Future[Answer]] = queue.SimpleQueue()
        self._losses = 0
        self._broken = 0
        self._reason: BaseException | None = None
        self._heard = time.monotonic()
        self._told_silence = False
        self._nothing_free = False

    def run(self, report: Callable[[dict[str, Any]], None] | None) -> None:
        told = looked = time.monotonic()
        while not self._shared.wait(0.0 if self._under_way else 0.05):
            self._hand_out()
            self._take_in()
            now = time.monotonic()
            if now - told > 0.1:
                told = now
                self._tell(report)
            if now - looked > 1:
                looked = now
                self._look_for_late(now)

    def cancel(self) -> None:
        for future in self._under_way:
            future.cancel()

    def _hand_out(self) -> None:
        while len(self._under_way) < self._pace.window:
            order = self._shared.take(self._pace.task_seconds(), math.ceil(self._pace.at_work))
            self._nothing_free = order is None
            if order is None:
                return
            plan = self._plan_of(order[0])
            if plan is not None:
                self._submit(plan, order)

    def _plan_of(self, number: int) -> Plan | None:
        """Replicates have one after another; None: the one of that number is over."""
        if self._plan is None or self._plan_number != number:
            header = self._shared.plan(number)
            if not header:
                return None
            key = f"{zlib.crc32(header):08x}-{os.getpid()}-{id(self):x}-{time.time_ns():x}"
            self._plan_number = number
            self._plan = Plan(
                key, _core.version(), zlib.compress(self._graph), zlib.compress(header), self._options, self._sampling, self._ln_weights
            )
        return self._plan

    def _submit(self, plan: Plan, order: tuple[int, int, int, int, float]) -> None:
        _, task, first, last, _ = order
        sent = _Sent(order, plan.key, time.monotonic(), len(self._under_way) + 1, self._pool.generation)
        self.tally.tasks += 1
        try:
            future = self._pool.submit(count_units, plan, task, first, last, self.tally.tasks)
        except BrokenExecutor as error:
            self._shared.give_back(*order[:4])
            self._pool_broke(sent, error)
            return
        except Exception as error:  # shut down, for one
            raise UnableError(f"the executor takes no more tasks: {error}") from error
        self._under_way[future] = sent
        future.add_done_callback(self._answers.put)

    def _take_in(self) -> None:
        if not self._under_way:
            return
        try:
            future = self._answers.get(timeout=0.05)
            while True:
                self._hear(future)
                future = self._answers.get_nowait()
        except queue.Empty:
            pass

    def _hear(self, future: Future[Answer]) -> None:
        sent = self._under_way.pop(future, None)
        if sent is None:
            return
        try:
            answer = future.result()
            if not (isinstance(answer, Answer) and isinstance(answer.records, bytes) and isinstance(answer.seconds, float)):
                raise TypeError(f"a worker answers with {answer!r:.80}")
        except BrokenExecutor as error:
            self._ask_again(sent)
            self._pool_broke(sent, error)
        except (ImportError, AttributeError) as error:
            raise UnableError(f"a worker has no countpm as the caller has it: {error}") from error
        except Error:
            raise
        except (CancelledError, Exception) as error:
            self._ask_again(sent)
            self._lost(error)
        else:
            self._deliver(sent, answer)

    def _deliver(self, sent: _Sent, answer: Answer) -> None:
        now = time.monotonic()
        self._heard = now
        if answer.key != sent.key:
            self.tally.refused += 1
            self._ask_again(sent)
            self._lost(CheckError("a worker answers with records of another plan"))
            return
        units, repeated, refused, seconds = self._shared.deliver(*sent.order[:4], answer.records)
        self.tally.repeated += repeated
        self.tally.refused += refused
        self.tally.seconds += seconds
        if refused:
            self.tally.lost += 1
            self._lost(CheckError("a worker answers with records whose checksums are wrong, or of other units"))
        if units:
            self.tally.workers.add(answer.worker)
            self._losses = self._broken = 0 if not refused else self._losses
            self._pace.see(answer.worker, sent.beside, now - sent.at, answer.seconds, seconds / max(1, self._options["threads"]))

    def _ask_again(self, sent: _Sent) -> None:
        if sent.wanted:
            sent.wanted = False
            self.tally.lost += 1
            self._shared.give_back(*sent.order[:4])

    def _lost(self, reason: BaseException) -> None:
        _log.info("a task is asked for again: %s: %s", type(reason).__name__, reason)
        self._losses += 1
        if self._losses <= MOST_LOSSES + 2 * self._pace.window:
            return
        if isinstance(reason, Error):
            raise reason
        raise UnableError(f"{self._losses} tasks in a row were lost, the last one by {type(reason).__name__}: {reason}") from reason

    def _pool_broke(self, sent: _Sent, reason: BaseException) -> None:
        if sent.generation != self._pool.generation:
            return
        if not self._pool.can_renew:
            raise UnableError(
                f"the executor is broken, a worker may have been killed: {reason} (executor=N, or a function that makes an executor, goes on "
                "with a new one)"
            ) from reason
        self._broken += 1
        if self._broken > MOST_BROKEN_POOLS:
            raise UnableError(f"{self._broken} pools of workers in a row broke before a single unit was counted: {reason}") from reason
        _log.info("a pool of workers broke, and another one is made: %s", reason)
        self.tally.pools += 1
        self._pool.renew()
        for old in self._under_way.values():
            self._ask_again(old)
        self._under_way.clear()

    def _look_for_late(self, now: float) -> None:
        if self._under_way and now - self._heard > SILENCE_SECONDS and not self._told_silence:
            self._told_silence = True
            _log.warning("no worker has answered for %.0f s", now - self._heard)
        if not self._nothing_free:
            return
        for sent in self._under_way.values():
            late = LATE_SECONDS + TIMES_LATE * max(self._pace.turnaround, sent.order[4])
            if sent.wanted and now - sent.at > late and self._pace.turnaround > 0:
                self._ask_again(sent)

    def _tell(self, report: Callable[[dict[str, Any]], None] | None) -> None:
        for notice in self._shared.notices():
            _log.warning("%s", notice)
        progress = self._shared.progress()
        if report is not None and progress is not None:
            report(progress)


def count_on(
    graph: _core.Graph,
    options: dict[str, Any],
    progress: ProgressWanted,
    executor: ExecutorWanted,
    checkpoint: str | os.PathLike[str] | None,
    worker_threads: int,
) -> tuple[dict[str, Any], Tally]:
    """What ``_core.count`` returns, by an executor's workers, and what became of their tasks."""

    def share(path: str) -> _core.SharedCount:
        return _core.SharedCount(graph, options, path, LEAST_SECONDS)

    return _carried_out(share, graph, options, None, progress, executor, checkpoint, worker_threads, False)


def estimate_on(
    graph: _core.Graph,
    options: dict[str, Any],
    sampling: dict[str, Any],
    progress: ProgressWanted,
    executor: ExecutorWanted,
    checkpoint: str | os.PathLike[str] | None,
    worker_threads: int,
    ln_weights: bool = False,
) -> tuple[dict[str, Any], Tally]:
    """What ``_core.estimate`` returns, by an executor's workers, and what became of their tasks."""

    def share(path: str) -> _core.SharedEstimate:
        return _core.SharedEstimate(graph, options, sampling, path, LEAST_SECONDS, ln_weights)

    return _carried_out(share, graph, options, sampling, progress, executor, checkpoint, worker_threads, ln_weights)


def _carried_out(
    share: Callable[[str], _core.SharedCount | _core.SharedEstimate],
    graph: _core.Graph,
    options: dict[str, Any],
    sampling: dict[str, Any] | None,
    progress: ProgressWanted,
    executor: ExecutorWanted,
    checkpoint: str | os.PathLike[str] | None,
    worker_threads: int,
    ln_weights: bool,
) -> tuple[dict[str, Any], Tally]:
    pool = _Pool(executor)
    shared = share("" if checkpoint is None else os.fsdecode(checkpoint))
    run = _Run(shared, pool, _core.graph_state(graph), options, sampling, worker_threads, ln_weights)
    try:
        with reporter(progress) as report:
            run.run(report)
            return shared.answer(), run.tally
    except BaseException as error:
        shared.stop()
        of_the_same_call(error)
        raise
    finally:
        for notice in shared.notices():
            _log.warning("%s", notice)
        run.cancel()
        pool.close()
