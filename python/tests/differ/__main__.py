"""python -m differ --cases 1000000 --seed 1 [--command build/release/countpm] [--time-limit 3000]: many files, and what became of them."""

from __future__ import annotations

import argparse
import collections
import sys
import time
from random import Random

from .judge import Verdict, dialects_here, drawn_case, judged, judged_by_command
from .variants import Dialects, judged_variant, variants

OUTCOMES = ("same", "relabelled", "warned", "excused", "second alone", "countpm alone", "both refuse", "FOUND")


def run_variants(count: int, seed: int, command: str | None, here: Dialects) -> int:
    found: collections.Counter[str] = collections.Counter()
    for variant in variants(count, seed, here):
        verdict = judged_variant(*variant)
        if command and not verdict.found:
            verdict = judged_by_command(command, verdict) or verdict
        found[verdict.outcome] += 1
        if verdict.found:
            print(verdict, flush=True)
    print(f"{count} variants: {dict(found)}")
    return 1 if found["FOUND"] else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=10000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dialect", help="only those whose name has this text")
    parser.add_argument("--command", help="a built countpm, for one file in --command-every")
    parser.add_argument("--command-every", type=int, default=500)
    parser.add_argument("--variants", type=int, help="so many unharmed files in their place, all by the command too")
    parser.add_argument("--time-limit", type=float, default=1e9, help="seconds, after which no new case begins")
    parser.add_argument("--show", default="FOUND", help="outcomes to print, separated by commas")
    parser.add_argument("--most", type=int, default=20, help="how many of them to print, of each dialect")
    given = parser.parse_args()
    here = {name: entry for name, entry in dialects_here().items() if not given.dialect or given.dialect in name}
    counts: dict[str, collections.Counter[str]] = {name: collections.Counter() for name in here}
    reasons: collections.Counter[str] = collections.Counter()
    shown: collections.Counter[str] = collections.Counter()
    if given.variants:
        return run_variants(given.variants, given.seed, given.command, here)
    start = time.monotonic()
    commands = done = 0
    try:
        for at in range(given.first, given.first + given.cases):
            if time.monotonic() - start > given.time_limit:
                break
            verdict: Verdict | None = judged(*drawn_case(Random(f"{given.seed} {at}"), here))
            assert verdict is not None
            if given.command and at % given.command_every == 0 and not verdict.found:
                commands += 1
                verdict = judged_by_command(given.command, verdict) or verdict
            done += 1
            counts[verdict.dialect][verdict.outcome] += 1
            if verdict.outcome == "excused":
                reasons[verdict.detail] += 1
            if verdict.outcome in given.show.split(",") and shown[verdict.dialect] < given.most:
                shown[verdict.dialect] += 1
                print(f"case {at}: {verdict}", flush=True)
    finally:  # what there is, also after Ctrl-C
        seconds = time.monotonic() - start
        total = sum(counts.values(), collections.Counter())
        width = max(map(len, counts))
        print(f"{'dialect':{width}}" + "".join(f"{name:>15}" for name in OUTCOMES))
        for name, found in [*counts.items(), ("all", total)]:
            print(f"{name:{width}}" + "".join(f"{found[outcome]:15}" for outcome in OUTCOMES))
        for reason, times in reasons.most_common():
            print(f"excused {times} times: {reason}")
        print(f"{done} files, {commands} by the command too, in {seconds:.1f} s ({done / seconds:.0f} a second)")
    return 1 if total["FOUND"] else 0


if __name__ == "__main__":
    sys.exit(main())
