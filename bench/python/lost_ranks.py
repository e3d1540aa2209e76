"""Ranks of an Open MPI job with user-level failure mitigation, killed at random: the others bring the answer of one process.

Counts, estimates, guarantees, draws, marginals and a series take turns, each on four to six ranks that are killed (SIGKILL) or stopped and
continued. A job goes on as long as rank 0 lives; where rank 0 is killed it ends with exit code 3, and goes on from its checkpoint. Prints what
was done; ends with exit code 1 at the first other answer, or where a job hangs.

    python lost_ranks.py --kills 60 --countpm build/release/countpm --mpirun /path/to/open-mpi-5/bin/mpirun
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = {name: "1" for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "PRTE_ALLOW_RUN_AS_ROOT", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM")}
PATIENCE = 240  # seconds without an end are a hang: a job takes some 10 on two busy cores
NEVER_BEGUN = "MPI has not begun"


def matrix(rows: int) -> str:
    chance = random.Random(rows)
    lines = [" ".join("1" if i == j or chance.random() < 0.6 else "0" for j in range(rows)) for i in range(rows)]
    return "\n".join(lines) + "\n"


class Question:
    """What is asked, whether it can have a checkpoint, and what one process answers."""

    def __init__(self, program: str, arguments: list[str], keeps: bool = False) -> None:
        self.arguments = [*arguments, "--time-limit", "none", "--quiet"]
        self.keeps = keeps
        alone = [program, *self.arguments, *([] if arguments[0] == "many" else ["--threads", "1"])]
        self.answer = self.of_output(subprocess.run(alone, check=True, capture_output=True, text=True).stdout)

    def of_output(self, text: str) -> str:
        """Without what depends on the time."""
        if self.arguments[0] != "many":
            return text
        return repr([json.loads(line)["count"] for line in text.splitlines()])


def questions(program: str, folder: Path, rows: int) -> dict[str, Question]:
    files = []
    for size in (rows, rows - 1, rows - 2):
        files.append(folder / f"matrix{size}.dense")
        files[-1].write_text(matrix(size))
    dense, lattice, cube = str(files[0]), "lattice:square:12x12", "lattice:cubic:4x4x3"
    asked = {
        "count": (["count", dense, "--method", "sparyser"], True),
        "estimate": (["estimate", lattice, "--samples", "3000", "--sampler", "scaling+", "--all-sampled", "--seed", "3"], True),
        "guarantee": (["estimate", cube, "--guarantee", "0.02,0.05", "--all-sampled", "--seed", "3"], True),
        "draws": (["sample", "lattice:square:48x48", "--number", "120", "--seed", "3"], False),
        "marginals": (["marginals", "lattice:square:8x8", "--sampled", "--samples", "200000", "--seed", "3"], False),
        "series": (["many", *map(str, files), "--method", "sparyser", "--json"], False),
    }
    return {name: Question(program, arguments, keeps) for name, (arguments, keeps) in asked.items()}


def ranks_of(job: int) -> dict[int, int]:
    """The processes of the ranks that a job's mpirun has started, and that are not over."""
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            variables = dict(text.split("=", 1) for text in (entry / "environ").read_text(errors="replace").split("\0") if "=" in text)
        except OSError:
            continue
        if variables.get("LOST_RANKS_JOB") == str(job) and "OMPI_COMM_WORLD_RANK" in variables:
            found[int(variables["OMPI_COMM_WORLD_RANK"])] = int(entry.name)
    return found


class Jobs:
    def __init__(self, given: argparse.Namespace, folder: Path) -> None:
        self.given = given
        self.chance = random.Random(given.seed)
        self.tally: Counter[str] = Counter()
        self.journal = folder / "job.journal"
        self.number = 0

    def act(self, ranks: dict[int, int], killed: set[int]) -> None:
        """Kills a rank, or stops it for a while; rank 0 more seldom."""
        others = [rank for rank in ranks if rank != 0]
        leads = 0 in ranks and self.chance.random() < self.given.leaders
        if not leads and not others:
            return
        rank = 0 if leads else self.chance.choice(others)
        try:
            if self.chance.random() < 0.8:
                os.kill(ranks[rank], signal.SIGKILL)
                killed.add(rank)
                self.tally["rank 0 killed" if rank == 0 else "others killed"] += 1
            else:
                os.kill(ranks[rank], signal.SIGSTOP)
                time.sleep(self.chance.uniform(0.05, 1.5))
                os.kill(ranks[rank], signal.SIGCONT)
                self.tally["stopped and continued"] += 1
        except ProcessLookupError:
            pass  # it was through before

    def session(self, name: str, question: Question) -> tuple[str | None, bool]:
        """One job: its answer, if it has one, and whether another is to follow."""
        self.number += 1
        size = self.chance.randint(4, 6)
        arguments = question.arguments
        if question.keeps:
            resumes = self.journal.exists()
            arguments = ["resume", str(self.journal), *question.arguments[-3:]] if resumes else [*arguments, "--checkpoint", str(self.journal)]
        threads = [] if name == "many" else ["--threads", "1"]
        command = [self.given.mpirun, "--with-ft", "ulfm", "--oversubscribe", "--bind-to", "none", "-np", str(size), self.given.countpm]
        own = {"LOST_RANKS_JOB": str(self.number), "COUNTPM_MPI_START_SECONDS": "60"}
        environment = os.environ | dict(ROOT) | own
        killed: set[int] = set()
        with (
            tempfile.TemporaryFile("w+") as out,
            tempfile.TemporaryFile("w+") as err,
            subprocess.Popen([*command, *arguments, *threads], stdout=out, stderr=err, text=True, env=environment) as job,
        ):
            begun = time.monotonic()
            act_at = begun + self.chance.uniform(*self.given.first)
            alone_since = begun + PATIENCE
            while job.poll() is None and time.monotonic() < begun + PATIENCE:
                time.sleep(0.02)
                if killed and not ranks_of(self.number):
                    # All ranks are over, and mpirun has some time to end, too.
                    alone_since = min(alone_since, time.monotonic())
                    if time.monotonic() > alone_since + 30:
                        self.tally["mpirun did not end"] += 1
                        job.kill()
                    continue
                if time.monotonic() < act_at:
                    continue
                act_at = time.monotonic() + self.chance.uniform(0.1, 1.0)
                if ranks := ranks_of(self.number):
                    self.act(ranks, killed)
            if job.poll() is None:
                sys.exit(f"HANG: {name} on {size} ranks, killed {sorted(killed)}: ranks {ranks_of(self.number)}")
            out.seek(0)
            err.seek(0)
            return self.judge(name, size, killed, job.returncode, out.read(), err.read())

    def judge(self, name: str, ranks: int, killed: set[int], code: int, out: str, err: str) -> tuple[str | None, bool]:
        if NEVER_BEGUN in err:
            self.tally["jobs that never began"] += 1
            return None, True
        # By mpirun's code alone the job of a killed rank 0 may have gone well, where no other rank was left.
        if code == 0 and (out or 0 not in killed):
            self.tally["jobs done without some ranks" if killed else "jobs done with all ranks"] += 1
            return out, False
        if not killed:
            sys.exit(f"{name} on {ranks} ranks: exit code {code}, and nobody was killed: {err}")
        if 0 not in killed:
            self.tally["jobs that did not go on"] += 1
            print(f"{name} on {ranks} ranks did not go on without {sorted(killed)}: exit code {code}: {err}", flush=True)
        self.tally["jobs that ended with rank 0"] += 0 in killed
        return None, True

    def job(self, name: str, question: Question) -> None:
        self.journal.unlink(missing_ok=True)
        goes_on = True
        while goes_on:
            answer, goes_on = self.session(name, question)
        if answer is None or question.of_output(answer) != question.answer:
            sys.exit(f"WRONG: {name}: {str(answer)[:300]}, expected {question.answer[:300]}")
        self.tally["right answers"] += 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=1e9, help="no new job after so long")
    parser.add_argument("--countpm", default="countpm")
    parser.add_argument("--mpirun", default="mpirun")
    parser.add_argument("--rows", type=int, default=27)
    parser.add_argument("--leaders", type=float, default=0.05, help="share of the kills that are of rank 0")
    parser.add_argument("--first", type=float, nargs=2, default=(5.0, 9.0), help="the first kill is so many seconds after a job's start")
    parser.add_argument("--only", help="one kind of question")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="countpm-lost-") as folder:
        asked = questions(given.countpm, Path(folder), given.rows)
        jobs = Jobs(given, Path(folder))
        kinds = [given.only] if given.only else list(asked)
        while jobs.tally["others killed"] + jobs.tally["rank 0 killed"] < given.kills and time.monotonic() - start < given.seconds:
            name = jobs.chance.choice(kinds)
            jobs.job(name, asked[name])
            text = ", ".join(f"{number} {words}" for words, number in sorted(jobs.tally.items()))
            print(f"{time.monotonic() - start:.0f} s, {name}: {text}", flush=True)


if __name__ == "__main__":
    main()
