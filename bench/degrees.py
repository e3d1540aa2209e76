"""Goal: --degree within 0.05 s for K(10,10) and K_12, 1 s for K(30,30) and K_40, and 10 s for random 0-1 matrices of 14 rows; whole programs.

    python3 bench/degrees.py [PROGRAM] [TURNS]

Prints for each input the count's digits, the method, and the medians of seconds and of CPU seconds.
"""
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time


def random_matrix(folder, seed, density):
    """A 14 x 14 matrix in a file, each entry 1 with that probability."""
    numbers = random.Random(seed)
    path = os.path.join(folder, f'random-{density}-{seed}.dense')
    with open(path, 'w', encoding='ascii') as out:
        for _ in range(14):
            out.write(' '.join('1' if numbers.random() < density else '0' for _ in range(14)) + '\n')
    return path


def measure(program, arguments, turns):
    seconds, processor = [], []
    for _ in range(turns):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        answer = subprocess.run([program, *arguments, '--json'], check=True, capture_output=True, text=True).stdout
        seconds.append(time.perf_counter() - start)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processor.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    result = json.loads(answer)
    return result['count'], result['method'], statistics.median(seconds), statistics.median(processor)


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else 'build/release/countpm'
    turns = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    with tempfile.TemporaryDirectory() as folder:
        inputs = [(f'lattice:{name}', degree) for name in ('complete-bipartite:10x10', 'complete-bipartite:30x30', 'complete:12', 'complete:40')
                  for degree in (2, 3)]
        inputs += [(random_matrix(folder, seed, density), degree) for density in (0.5, 0.9) for seed in (1, 2, 3) for degree in (2, 3)]
        print('| input | degree | digits | method | s | CPU s |')
        print('|---|---|---|---|---|---|')
        for graph, degree in inputs:
            count, method, seconds, processor = measure(program, [graph, '--degree', str(degree)], turns)
            name = os.path.splitext(os.path.basename(graph))[0].removeprefix('lattice:')
            print(f'| {name} | {degree} | {len(count)} | {method} | {seconds:.3f} | {processor:.3f} |', flush=True)


if __name__ == '__main__':
    main()
