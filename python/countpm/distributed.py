"""``python -m countpm.distributed``: a count or an estimate by the workers of a Dask cluster, or by processes of this machine.

    python -m countpm.distributed INPUT --scheduler tcp://host:8786
    python -m countpm.distributed INPUT --workers 4 --checkpoint big.journal
    python -m countpm.distributed INPUT --workers 4 --estimate --error 0.01

It prints the number; docs/executors.md is the guide, and :func:`countpm.count` and :func:`countpm.estimate` with ``executor`` the same
for programs.
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
from .planning import estimate
from .results import Estimate, Result

__all__ = ["main"]

_PROBLEMS = ("perfect_matchings", "maximum_matchings", "permanent", "hafnian", "cycle_covers")


def _pair(text: str) -> tuple[float, float]:
    try:
        first, second = (float(one[:-1]) / 100 if one.endswith("%") else float(one) for one in text.split(","))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"expected EPS,DELTA such as 0.1,0.05 or 10%,5%, found {text!r}") from error
    return first, second


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m countpm.distributed",
        description="Counts, or estimates, by the workers of a Dask cluster, or by processes of this machine. Workers may come, die and return.",
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
    parser.add_argument("--estimate", action="store_true", help="estimate instead of counting")
    sampling = parser.add_argument_group("estimates", "as 'countpm estimate' takes them; with --estimate only")
    sampling.add_argument("--error", metavar="R", type=float, help="until the interval is at most this far from the estimate, 0.01 unless given")
    sampling.add_argument("--ln-error", metavar="E", type=float, help="until the standard error of ln Z is at most this")
    sampling.add_argument("--confidence", metavar="C", type=float, help="of the interval, 0.95 unless given")
    sampling.add_argument("--samples", metavar="N", type=int, help="exactly so many of every block")
    sampling.add_argument("--sampler", metavar="NAME", help="how samples are drawn")
    sampling.add_argument("--guarantee", metavar="EPS,DELTA", type=_pair, help="within a factor 1 +- EPS but for a probability of DELTA")
    sampling.add_argument("--replicates", metavar="N", type=int, help="so many independent estimates, and one of them all")
    sampling.add_argument("--seed", metavar="N", type=int, help="of the samples, 1 unless given")
    sampling.add_argument("--all-sampled", action="store_true", default=None, help="count no block exactly")
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


_SAMPLING = ("error", "ln_error", "confidence", "samples", "sampler", "guarantee", "replicates", "seed", "all_sampled")


def _given(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options of sampling that were given."""
    return {name: getattr(arguments, name) for name in _SAMPLING if getattr(arguments, name) is not None}


def _found(arguments: argparse.Namespace, executor: ExecutorWanted) -> Result | Estimate:
    shared: dict[str, Any] = {
        "kind": arguments.kind,
        "weight": arguments.weights,
        "progress": not arguments.quiet,
        "executor": executor,
        "checkpoint": arguments.checkpoint,
        "worker_threads": arguments.worker_threads,
        "time_limit": arguments.time_limit,
    }
    sampling = _given(arguments)
    if arguments.estimate:
        if arguments.double_check or arguments.method != "auto":
            raise UsageError("--method and --double-check are of counts; --estimate has --sampler and --seed")
        return estimate(arguments.input, arguments.problem, **shared, **sampling)
    if sampling:
        raise UsageError(f"--{next(iter(sampling)).replace('_', '-')} is of estimates: --estimate makes one")
    return count(arguments.input, arguments.problem, method=arguments.method, double_check=arguments.double_check, **shared)


def _line(result: Result | Estimate) -> str:
    """The number, and with an estimate how far it may be off."""
    if isinstance(result, Result):
        return str(result.to_dict()["count"])
    if result.counted:
        return result.text
    if result.relative_error is None:
        return f"{result.text} (in doubt: {result.doubt})"
    return f"{result.text} +- {100 * result.relative_error:.2g}% ({100 * (result.confidence or 0):g}% confidence)"


def _tell(arguments: argparse.Namespace, executor: ExecutorWanted) -> None:
    result = _found(arguments, executor)
    if arguments.json:
        print(result.to_json())
        return
    print(_line(result))
    if not arguments.quiet:
        for note in result.notes:
            print(f"note: {note}", file=sys.stderr)


def main(given: Sequence[str] | None = None) -> int:
    """Runs the command, and returns its exit code, as docs/exit-codes.md has it."""
    arguments = _parser().parse_args(given)
    try:
        if arguments.scheduler is None:
            _tell(arguments, arguments.workers)
        else:
            with _client(arguments.scheduler) as client:
                _tell(arguments, client.get_executor())
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
