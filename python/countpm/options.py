"""The options that every function takes: how the graph is read, and how it is counted."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from typing import Any, Literal, TypedDict, Union

from . import _core
from .progress import ProgressWanted

__all__ = ["CountOptions", "Kind", "Options", "Weight", "choice", "copies", "elsewhere", "part", "path_of", "whole"]

Kind = Literal["bipartite", "directed", "undirected", "symmetric"]
#: An attribute's or column's name, True (the values of a matrix or of triples), a function of an edge's payload
#: (rustworkx), or None: every edge counts 1.
Weight = Union[None, bool, str, Callable[[Any], Any]]


class Reading(TypedDict, total=False):
    kind: Kind | None
    weight: Weight
    exact: bool
    multi: Literal["reject", "sum"]
    loops: Literal["reject", "drop"]
    columns: tuple[str, str]


class Options(Reading, total=False):
    """Keyword arguments of all functions; each has the meaning of the command line's option of its name.

    Of the graph (see :class:`countpm.Graph`): ``kind``, ``weight``, ``exact``, ``multi``, ``loops``, ``columns``.

    Of the count:

    * ``method``: ``"auto"`` or a name that ``countpm methods`` lists.
    * ``device``: ``"auto"``, ``"cpu"`` or ``"gpu"``; ``gpus``: how many, 0 for all.
    * ``gpu_memory``: in bytes, of each GPU; ``None``: what it has.
    * ``threads``: 0 for all that OpenMP gives. The count never depends on it.
    * ``time_limit``: in seconds, 3600 unless given; ``None`` for no limit. What is predicted to take longer is not
      begun, and what does is stopped: UnableError.
    * ``memory_limit``: in bytes; ``None``: what the machine leaves.
    * ``double_check``: count again by another method on the transpose, and compare.
    * ``precision``: bits of real and complex weights, counted in MPFR; ``arithmetic``: ``"plain"``, ``"kahan"`` or
      ``"double-double"``.
    * ``seed``: of samples, from 0 to 2**64 - 1, or a ``numpy.random.Generator`` (``RandomState``), which one is drawn from; a count never
      depends on it.
    * ``order``, ``rules``, ``audit``: as docs/options.md has them; ``rules`` names the reduction rules that are on.
    * ``progress``: True for a bar (tqdm where it is installed), or a function that is called with a
      :class:`countpm.Progress` a few times a second, from the thread that called.
    """

    method: str
    device: Literal["auto", "cpu", "gpu"]
    gpus: int
    gpu_memory: int | None
    threads: int
    time_limit: float | None
    memory_limit: int | None
    double_check: bool
    precision: int
    arithmetic: Literal["plain", "kahan", "double-double"]
    seed: Any
    order: str
    rules: Iterable[str] | None
    audit: float
    progress: ProgressWanted


class CountOptions(Options, total=False):
    """Keyword arguments of counts: :class:`countpm.Options`, and who runs the units (docs/executors.md).

    * ``executor``: any executor of ``concurrent.futures``, of dask.distributed (``client.get_executor()``) or mpi4py, whose workers
      run the units; or how many processes of this machine are to be started for it; or a function that makes an executor. With the
      last two a pool that breaks is made anew. What workers lose is asked for again, and what comes twice counts once.
    * ``checkpoint``: with an executor, a file that keeps what is done. Where it is there, the count goes on from it.
    * ``worker_threads``: of one task on a worker, 1 unless given. ``threads`` are those of the caller, who plans and checks.
    """

    executor: Executor | int | Callable[[], Executor] | None
    checkpoint: str | os.PathLike[str] | None
    worker_threads: int


_READING = frozenset(Reading.__annotations__)
_OTHERS = {"progress"}


def part(options: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any], ProgressWanted]:
    """The options of reading, those of the core, and what progress is wanted."""
    if not options:
        return {}, {}, False
    if "matchings" in options:
        raise _core.UsageError("there is no option 'matchings': maximum_matchings(), or problem='maximum_matchings', counts others")
    reading = {name: value for name, value in options.items() if name in _READING}
    core = {name: value for name, value in options.items() if name not in _READING and name not in _OTHERS}
    if "seed" in core:
        core["seed"] = seed_of(core["seed"])
    if core.get("rules") is not None:
        core["rules"] = [core["rules"]] if isinstance(core["rules"], str) else list(core["rules"])
    progress = options.get("progress", False)
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        raise _core.UsageError(f"progress: expected True, False or a function, found {progress!r}")
    return reading, core, progress


def seed_of(seed: Any) -> Any:
    """A whole number: of numpy's generators the next that they draw."""
    if type(seed).__module__.partition(".")[0] == "numpy":
        if hasattr(seed, "integers"):  # Generator
            return int(seed.integers(2**63))
        if hasattr(seed, "randint"):  # RandomState
            return int(seed.randint(2**31)) << 31 | int(seed.randint(2**31))
    return seed


def elsewhere(options: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The other options, and those of an executor, where there is one."""
    if not options:
        return options, None
    names = [name for name in ("executor", "checkpoint", "worker_threads") if name in options]
    if not names:
        return options, None
    others = {name: value for name, value in options.items() if name not in names}
    executor = options.get("executor")
    if executor is None:
        for name in names:
            if options[name] is not None:
                raise _core.UsageError(f"{name} is of counts with an executor, and there is none")
        return others, None
    checkpoint = options.get("checkpoint")
    path_of(checkpoint)
    threads = whole("worker_threads", options.get("worker_threads", 1), 1, 2**20)
    return others, {"executor": executor, "checkpoint": checkpoint, "worker_threads": threads}


def path_of(checkpoint: object) -> str:
    """Where it is to be; empty: nowhere. Raises UsageError for what is no path."""
    if checkpoint is None:
        return ""
    if not (isinstance(checkpoint, (str, os.PathLike)) and os.fspath(checkpoint)):
        raise _core.UsageError(f"checkpoint: expected a path, found {checkpoint!r}")
    return os.fsdecode(checkpoint)


def choice(name: str, value: object, choices: tuple[str, ...]) -> None:
    """Raises UsageError where the value is none of the choices."""
    if value not in choices:
        raise _core.UsageError(f"{name} is {value!r}; it can be {', '.join(map(repr, choices))}")


def whole(name: str, value: Any, least: int, most: int = 2**64 - 1) -> int:
    """The value as an int; raises UsageError where it is none from least to most."""
    try:
        number = -1 if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = -1
    if not least <= number <= most:
        raise _core.UsageError(f"{name}: expected a whole number from {least} to {'2**64 - 1' if most == 2**64 - 1 else most}, found {value!r}")
    return number


def copies(name: str, numbers: Sequence[int] | None) -> list[int] | None:
    """How often each line of a matrix stands in it, checked."""
    if numbers is None:
        return None
    if isinstance(numbers, (str, bytes)) or not hasattr(numbers, "__iter__"):
        raise _core.UsageError(f"{name}: expected a list of whole numbers, found {numbers!r}")
    return [whole(name, number, 0, 2**32 - 2) for number in numbers]
