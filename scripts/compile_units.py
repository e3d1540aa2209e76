"""Compiles a part of a build's units, making no code that is kept; scripts/other-compilers calls it.

compile_units.py BUILD SHARE TURN [--no-code]: every SHARE-th unit of BUILD/compile_commands.json, from the one that TURN says; --no-code: reads and
checks them only. Prints which, what the compiler says, and exits with 1 where one fails. What a build generates is no unit.
"""
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys


def name_of(entry):
    """As short as it can be told from others: folder and number, or folder and file."""
    target, unit = re.search(r"([^/ ]*)\.dir/(\S*)\.o$", entry["output"]).groups()
    return target + " " + re.sub(r"^Unity/unity_(.*)_cxx.cxx$", r"\1", unit)


def compile_unit(entry, no_code):
    command = shlex.split(entry["command"])
    at = command.index("-o")
    command[at : at + 2] = ["-fsyntax-only"] if no_code else ["-o", "/dev/null"]
    done = subprocess.run(command, cwd=entry["directory"], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def main():
    build, share, turn = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    no_code = "--no-code" in sys.argv[4:]
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        entries = [entry for entry in json.load(file) if os.path.exists(entry["file"])]
    ours = [entry for entry in entries if "/site-packages/" not in entry["file"]]
    chosen = sorted(ours, key=lambda entry: entry["output"])[turn % share :: share]
    if not chosen:
        sys.exit(f"{build} has no units")
    print(f"{len(chosen)} of {len(ours)} units: {', '.join(map(name_of, chosen))}", flush=True)
    failed = []
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for entry, (code, said) in zip(chosen, pool.map(lambda each: compile_unit(each, no_code), chosen)):
            print(said, end="", flush=True)
            if code != 0:
                failed.append(name_of(entry))
    if failed:
        sys.exit(f"FAILED: {', '.join(failed)}")


main()
