"""``python -m countpm.distributed``: a count by the workers of a Dask cluster, or by processes of this machine.

    python -m countpm.distributed INPUT --scheduler tcp://host:8786
    python -m countpm.distributed INPUT --workers 4 --checkpoint big.journal

It prints the number; docs/executors.md is the guide, and :func:`countpm.count` with ``executor`` the same for programs.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence
from typing import Any

from .counting import count
from .elsewhere import ExecutorWanted
from .errors import CheckError, Error, InputError, UnableError, UsageError

__all__ = ["main"]

_PROBLEMS = ("perfect_matchings", "maximum_matchings", "permanent", "hafnian", "cycle_covers")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m countpm.distributed",
        description="Counts by the workers of a Dask cluster, or by processes of this machine. Workers may come, die and return.",
    )
    parser.add_argument("input", help="a file or lattice:..., as the command takes them")
    by = parser.add_mutually_exclusive_group(required=True)
    by.add_argument("--scheduler", metavar="ADDRESS", help="of dask.distributed, tcp://host:8786")
    by.add_argument("--workers", metavar="N", type=int, help="so many processes of this machine")
    parser.add_argument("--problem", choices=_PROBLEMS, help="unless given: cycle covers of a directed graph, else perfect matchings")
    parser.add_argument("--kind", choices=("bipartite", "directed", "undirected", "symmetric"), help="unless given, what the format says")
    parser.add_argument("--weights", action="store_true", help="values count")
    parser.add_argument("--method", default="auto", help="a name that 'countpm methods' lists")
    parser.add_argument("--checkpoint", metavar="FILE", help="keep what is done there; where it is there, go on with it")
    parser.add_argument("--time-limit", metavar="SECONDS", type=float, help="unless given, none")
    parser.add_argument("--worker-threads", metavar="N", type=int, default=1, help="threads of a task on a worker, 1 unless given")
    parser.add_argument("--double-check", action="store_true", help="count again by another method, and compare")
    parser.add_argument("--json", action="store_true", help="print the result as the command does with --json")
    parser.add_argument("--quiet", action="store_true", help="print the number alone, and no progress")
    return parser


def _client(address: str) -> Any:
    """Of the scheduler."""
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError as error:
        raise UsageError("--scheduler needs dask.distributed: pip install distributed") from error
    try:
        return distributed.Client(address, timeout="10s")
    except (OSError, ValueError) as error:
        raise UnableError(f"no scheduler of Dask answers at {address}: {error}") from error


def _count(arguments: argparse.Namespace, executor: ExecutorWanted) -> None:
    result = count(
        arguments.input,
        arguments.problem,
        kind=arguments.kind,
        weight=arguments.weights,
        method=arguments.method,
        time_limit=arguments.time_limit,
        double_check=arguments.double_check,
        progress=not arguments.quiet,
        executor=executor,
        checkpoint=arguments.checkpoint,
        worker_threads=arguments.worker_threads,
    )
    if arguments.json:
        print(result.to_json())
        return
    print(result.to_dict()["count"])
    if not arguments.quiet:
        for note in result.notes:
            print(f"note: {note}", file=sys.stderr)


def main(given: Sequence[str] | None = None) -> int:
    """Runs the command, and returns its exit code, as docs/exit-codes.md has it."""
    arguments = _parser().parse_args(given)
    try:
        if arguments.scheduler is None:
            _count(arguments, arguments.workers)
        else:
            with _client(arguments.scheduler) as client:
                _count(arguments, client.get_executor())
    except KeyboardInterrupt:
        kept = f"; {arguments.checkpoint} keeps what is done: the same command goes on" if arguments.checkpoint else ""
        print(f"interrupted{kept}", file=sys.stderr)
        return 130
    except Error as error:
        print(f"error: {error}", file=sys.stderr)
        remedy = getattr(error, "remedy", "")
        if remedy:
            print(f"hint: {remedy}", file=sys.stderr)
        for kind, code in ((InputError, 2), (UsageError, 2), (UnableError, 3), (CheckError, 4)):
            if isinstance(error, kind):
                return code
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
