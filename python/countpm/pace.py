"""How many tasks an executor has under way, and how long each is to take (:mod:`countpm.elsewhere`)."""

from __future__ import annotations

import math

__all__ = ["Pace"]

#: A task is to take so long: what a lost worker had is worth no more, and the rest costs little beside it.
TASK_SECONDS = 0.5
#: But so many times what it takes a worker beside its units (a GPU's start), up to the longest.
TIMES_OVERHEAD = 50
LONGEST_TASK_SECONDS = 20.0
#: The caller takes in no more than so many tasks a second.
TASKS_A_SECOND = 500
#: Where workers die, shorter ones: what a task costs an engine before a worker begins it, and the shortest.
#: 2026-11-27, Dask on loopback, two cores that eleven processes wanted: a task of no units took 16 to 30 ms.
MESSAGE_SECONDS = 0.005
SHORTEST_TASK_SECONDS = 0.05
#: Whoever is first heard of after so many times as many answers as there are workers, and some, was not there at the start.
ANSWERS_AT_FIRST = 4


class Pace:
    """By what is seen, whatever the executor is."""

    def __init__(self) -> None:
        self.window = 4.0
        self.at_work = 1.0  # how many tasks are run at a time
        self.turnaround = 0.0
        self._overhead = 0.0
        self._answers = 0
        self._workers: set[str] = set()
        self._settled = False
        self._came_late = 0
        self._worker_seconds = 0.0

    def see(self, worker: str, under_way: int, since: float, seconds: float, of_units: float) -> None:
        """An answer, so many seconds after its task was handed out with so many others, of which a worker took `seconds`."""
        share = min(1.0, seconds / max(since, 1e-9))
        new = 0.2 if self._answers else 1.0
        self._answers += 1
        self.at_work += new * (max(1.0, under_way * share) - self.at_work)
        self.turnaround += new * (since - self.turnaround)
        self._overhead += new * (max(0.0, seconds - of_units) - self._overhead)
        self._worker_seconds += seconds
        self._came_late += self._settled and worker not in self._workers
        self._workers.add(worker)
        self._settled = self._settled or self._answers > ANSWERS_AT_FIRST * (len(self._workers) + 2)
        # Each has its next task at hand. Where all are at work there may be more workers: one more an answer doubles them a round.
        wanted = 2 * self.at_work + 2
        if wanted > self.window:
            self.window += 1
        elif wanted < self.window / 2:
            self.window -= 1

    def life_seconds(self) -> float:
        """How long a worker is at work before it is gone, if every one that came late took the place of one that had died; a
        cluster that only grows has shorter tasks for a while, too."""
        return self._worker_seconds / self._came_late if self._came_late else math.inf

    def task_seconds(self) -> float:
        """Of a worker that lives M seconds a task of T loses T / 2, which is T / 2 M of the time, and what a task costs beside
        its units, c, is c / T: both together are least with T = sqrt(2 c M)."""
        fewest = self.at_work / TASKS_A_SECOND
        longest = max(TASK_SECONDS, fewest, min(TIMES_OVERHEAD * self._overhead, LONGEST_TASK_SECONDS))
        best = math.sqrt(2 * (self._overhead + MESSAGE_SECONDS) * self.life_seconds())
        return min(longest, max(best, fewest, SHORTEST_TASK_SECONDS))
