#!/usr/bin/env python3
"""Writes bench/results/widths.md: how wide the sparse graphs of the race are, as countpm eliminates them.

    python3 bench/peers/widths.py [COUNTPM]     the program, build/release/countpm unless told

The width is the most vertices that the frontier has at a time, in the order that `countpm explain` finds for the graph as it was read, without reductions.
No figure is a time. tools/draw_docs.py plots the times of the race over these widths.
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
from instances import GROUPS, TOP, text_for_countpm

OPTIONS = '--method frontier --no-rule all --time-limit none'


def width_of(program, path):
    command = [program, 'explain', str(path), *OPTIONS.split(), '--json']
    answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    plans = [method['plan'] for block in answer['blocks'] for method in block['methods']]
    return answer['input']['vertices'], answer['input']['edges'], max(int(re.search(r'a frontier of (\d+)', plan)[1]) for plan in plans) if plans else None


def main(arguments):
    program = arguments[0] if arguments else str(TOP / 'build' / 'release' / 'countpm')
    version = subprocess.run([program, '--version'], capture_output=True, text=True, check=True).stdout.split('\n')[0]
    commit = subprocess.run(['git', '-C', str(TOP), 'rev-parse', '--short=8', 'HEAD'], capture_output=True, text=True, check=True).stdout.strip()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for instance in GROUPS['sparse']:
            ending, text = text_for_countpm(instance, instance.make())
            path = Path(folder) / f'{instance.name}.{ending}'
            path.write_text(text, encoding='utf-8')
            vertices, edges, width = width_of(program, path)
            if width is not None:
                rows.append(f'| {instance.name} | {vertices} | {edges} | {width} |')
    page = f"""# Widths of the graphs of the race

Made by `python3 bench/peers/widths.py` with {version}, commit {commit}.
The width is the most vertices that the frontier has at a time, in the order that `countpm explain INPUT {OPTIONS}` finds.
Graphs without a perfect matching have none.
The plot of [time against width](../../docs/coming-from.md#how-fast-beside-them) has its times from [peers.md](peers.md).

| instance | vertices | edges | width |
|---|---|---|---|
"""
    (TOP / 'bench' / 'results' / 'widths.md').write_text(page + '\n'.join(rows) + '\n', encoding='utf-8')
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
