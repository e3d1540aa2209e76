"""The options that every function takes, as types, and how they are handed on; option_table.py says what each does."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from typing import Any, Literal, TypedDict, Union

from . import _core
from .progress import ProgressWanted

__all__ = ["CountOptions", "Kind", "Options", "Weight", "choice", "copies", "elsewhere", "part", "path_of", "proof_of", "whole"]

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
    """Keyword arguments of all functions; each has the meaning of the command line's option of its name."""

    method: str
    device: Literal["auto", "cpu", "gpu"]
    gpus: int
    gpu_memory: int | None
    threads: int
    time_limit: float | None
    memory_limit: int | None
    double_check: bool
    arithmetic: Literal["plain", "kahan", "double-double"] | int
    seed: Any
    order: str
    rules: Iterable[str] | None
    set: Mapping[str, str | int]
    modulo: int | Sequence[int] | None
    audit: float
    progress: ProgressWanted


class CountOptions(Options, total=False):
    """Keyword arguments of counts: :class:`countpm.Options`, and who does the work (docs/executors.md).

    With a number of processes, or a function that makes an executor, a pool that breaks is made anew. What workers lose is asked for
    again, and what comes twice counts once. ``threads`` are those of the caller, who plans and checks. ``proof`` is for
    :func:`countpm.count` alone; what has no proof raises UnableError before it is counted.
    """

    executor: Executor | int | Callable[[], Executor] | None
    checkpoint: str | os.PathLike[str] | None
    worker_threads: int
    proof: bool | str | os.PathLike[str]


_READING = frozenset(Reading.__annotations__)
_OTHERS = {"progress"}


def part(options: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any], ProgressWanted]:
    """The options of reading, those of the core, and what progress is wanted."""
    if not options:
        return {}, {}, False
    if "matchings" in options:
        raise _core.UsageError("there is no option 'matchings': maximum_matchings(), or problem='maximum_matchings', counts others")
    if "proof" in options:
        raise _core.UsageError("there is no option 'proof' here: count() makes proofs")
    reading = {name: value for name, value in options.items() if name in _READING}
    core = {name: value for name, value in options.items() if name not in _READING and name not in _OTHERS}
    if "seed" in core:
        core["seed"] = seed_of(core["seed"])
    if isinstance(core.get("set"), Mapping):
        core["set"] = dict(core["set"])
    if "modulo" in core:
        core["modulo"] = moduli_of(core["modulo"])
    if core.get("rules") is not None:
        core["rules"] = [core["rules"]] if isinstance(core["rules"], str) else list(core["rules"])
    progress = options.get("progress", False)
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        raise _core.UsageError(f"progress: expected True, False or a function, found {progress!r}")
    return reading, core, progress


def moduli_of(modulo: Any) -> list[Any]:
    """As the core takes them: a list, empty where the count itself is wanted."""
    if modulo is None:
        return []
    if isinstance(modulo, (str, bytes)) or not hasattr(modulo, "__iter__"):
        return [modulo]
    moduli = list(modulo)
    if not moduli:
        raise _core.UsageError("modulo: expected a whole number from 2 to 2**64, or several of them, found none")
    return moduli


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


def proof_of(options: dict[str, Any]) -> tuple[dict[str, Any], bool, str]:
    """The other options, whether there is to be a proof, and in which file; empty: in none."""
    if "proof" not in options:
        return options, False, ""
    others = {name: value for name, value in options.items() if name != "proof"}
    wanted = options["proof"]
    if wanted is None or isinstance(wanted, bool):
        return others, bool(wanted), ""
    if not (isinstance(wanted, (str, os.PathLike)) and os.fspath(wanted)):
        raise _core.UsageError(f"proof: expected True, False or a path, found {wanted!r}")
    path = os.fsdecode(wanted)
    if os.path.lexists(path):
        raise _core.UsageError(f"proof: {path} is there already")
    return others, True, path


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
