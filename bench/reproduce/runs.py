"""Runs the rows of papers.py and keeps what came of each in bench/results/reproduce/PAPER.json, row by row, so that a run can go on later."""

import datetime
import json
import math
import os
import shutil
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import copies
import hilbert
import papers
import race
import uses

TOP = papers.TOP
FORMAT = 'countpm-reproduce 2'
MEASURED = ('ok', 'wrong', 'too long', 'refused', 'failed')
CALLS = {**hilbert.CALLS, **copies.CALLS, **{name: uses.use(name) for name in uses.USES}}
INPUTS = TOP / 'build' / 'reproduce' / 'inputs'


def say(text):
    print(f'countpm: {text}', file=sys.stderr, flush=True)


class Setting:
    def __init__(self, tool, results, limit, gpu, matrices=None, module_python=None, threads=None, gpu_only=False):
        self.gpu_only = gpu_only
        self.tool, self.results, self.limit, self.gpu, self.matrices, self.module_python = Path(tool).absolute(), Path(results), limit, gpu, matrices, module_python
        self.threads = threads or len(os.sched_getaffinity(0))


def module_python(folder):
    """(program, environment) of this Python if it imports the module there, or None."""
    folder = race.module_of(sys.executable, folder)
    return (sys.executable, {**os.environ, 'PYTHONPATH': str(folder)}) if folder else None


def gpus():
    if shutil.which('nvidia-smi') is None:
        return []
    done = subprocess.run(['nvidia-smi', '--query-gpu=name,driver_version', '--format=csv,noheader'], capture_output=True, text=True, check=False)
    return [line.strip() for line in done.stdout.splitlines()] if done.returncode == 0 else []


def input_file(row, setting):
    """The path of the row's input, '' where it needs none, None where it is not there."""
    if row.make is None:
        return ''
    if getattr(row.make, 'is_file', False):
        return row.make(setting.matrices)
    name, text = row.make()
    path = INPUTS / name
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding='ascii')
    return path


def command_of(row, path, setting):
    """What is called; every count by --json, for the seconds of its parts."""
    arguments = [str(path) if word == 'INPUT' else word for word in row.arguments]
    first = arguments[0]
    if first in ('list', 'compare'):
        return [str(setting.tool), *arguments]
    more = [] if '--json' in arguments else ['--json']
    if first != 'explain':
        # By default countpm refuses what is predicted to take more than an hour, and an estimate ends after a minute.
        more += [] if '--threads' in arguments else ['--threads', str(setting.threads)]
        more += ['--device', 'gpu' if row.gpu else 'cpu', '--time-limit', f'{setting.limit:g}s', '-q']
    return [str(setting.tool), *arguments, *more]


def called(command, limit):
    """(exit code, output, error output, wall seconds, CPU seconds); exit code None: it was ended at the limit."""
    started = time.perf_counter()
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, 'LC_ALL': 'C'})
    before = race.programs.child_seconds()
    try:
        out, err = child.communicate(timeout=limit)
        code = child.returncode
    except subprocess.TimeoutExpired:
        child.kill()
        out, err = child.communicate()
        code = None
    return code, out.decode(errors='replace'), err.decode(errors='replace'), time.perf_counter() - started, race.programs.child_seconds() - before


def known_count(row, path):
    """Of a file that comes with known.tsv: name, ..., count; '-' where that is too long for a table."""
    table = Path(path).parent / 'known.tsv'
    if not getattr(row.make, 'is_file', False) or not table.exists() or '--weights' in row.arguments or row.arguments[0] == 'explain':
        return None
    lines = [line.split('\t') for line in table.read_text(encoding='utf-8').splitlines()]
    column = lines[0].index('count')
    return next((line[column] for line in lines if line[0] == row.make.name and line[column] != '-'), None)


def number(text):
    """A Fraction, or a pair of them."""
    return race.exact_number(text)


def compared(answer, expected):
    """(relative error, wrong): how far the answer is from the known one. Exact answers must be equal."""
    if expected is None or answer is None:
        return None, False
    if expected.startswith('lines '):
        return None, answer != expected
    if expected.startswith('ln '):
        size = int(expected[3:])
        return abs(float(answer) - log_of_board(size)) / log_of_board(size), False
    if expected.startswith('board '):
        return (0.0, False) if is_board(int(answer), int(expected[6:])) else (None, True)
    error = race.distance(number(answer), number(expected))
    exact = not any(mark in answer for mark in '.e')  # an integer or a fraction
    return error, error > 0 if exact else error > 0.01


def log_of_board(size):
    """Kasteleyn's product for the domino tilings of a board of even size, as a sum of logarithms."""
    half = size // 2
    return math.fsum(math.log(4 * math.cos(math.pi * j / (size + 1)) ** 2 + 4 * math.cos(math.pi * k / (size + 1)) ** 2)
                     for j in range(1, half + 1) for k in range(1, half + 1))


def is_board(count, size):
    """Whether this can be the tilings of a board of even size: 2^(size / 2) times a square (W. Jockusch), and Kasteleyn's product as far as doubles go."""
    root = math.isqrt(count >> size // 2)
    return root * root << size // 2 == count and abs(race.natural_logarithm(count) - log_of_board(size)) < 1e-12 * log_of_board(size)


def read_answer(row, output):
    """{"answer", "kernel", ...} from what the command printed."""
    first = row.arguments[0]
    if first == 'list':
        return {'answer': f'lines {output.count(chr(10))}', 'kernel': None}
    if first == 'compare':
        lines = [line.split() for line in output.splitlines() if line and not line.startswith(('#', 'sampler'))]
        held = sum('yes' in line for line in lines)
        return {'answer': f'{len(lines)} estimates, {held} of their intervals hold', 'kernel': None}
    value = json.loads(output)
    kind = value['object']
    if kind == 'explain':
        methods = [method for block in value['blocks'] for method in block['methods'] if method['log10_work'] is not None]
        rows = sum(block['rows'] - 1 for block in value['blocks'])
        if not methods:
            return {'answer': 'nothing is left to visit', 'kernel': None}
        if 'codegen' in row.arguments:
            return {'answer': '; '.join(method['plan'] for method in methods), 'kernel': None}
        share = sum(10 ** method['log10_work'] for method in methods) / sum(2.0 ** (block['rows'] - 1) for block in value['blocks'])
        return {'answer': f'{100 * share:.2g} % of 2^{rows} subsets (predicted)', 'kernel': None}
    seconds = value['seconds']
    kernel = seconds['count'] if isinstance(seconds, dict) else None
    if kind == 'ln-z':
        return {'answer': repr(value['ln_z']), 'kernel': kernel, 'claimed': value['ln_z_error']}
    found = {'kernel': kernel, 'device': value.get('device')}
    if kind == 'estimate':
        estimate = value['estimate']
        if estimate is None:
            return {**found, 'answer': value['exact_count'], 'doubt': None}
        sampled = [block for block in value['blocks'] if not block['exact']]
        return {**found, 'answer': estimate['estimate'], 'compared': repr(10 ** estimate['log10']) if estimate['log10'] is not None else '0', 'claimed': estimate['relative_error'],
                'doubt': next((block['doubt'] for block in sampled if block['doubt']), None), 'samples': sum(block['samples'] or 0 for block in sampled)}
    found.update(answer=value['count'], method=value['method'])
    if value['method'] == 'condensation' and kernel:
        # A step multiplies twice for each entry of 4 bytes that it reads and writes.
        found['note'] = f"condensation, {sum(4 * block['work'] for block in value['blocks'] if block['work']) / kernel / 1e9:.2g} GB/s"
    if value.get('error_bound'):
        found['claimed'] = float(value['error_bound']) / abs(complex(*map(float, number(value['count']))) if value['count'].startswith('(') else float(number(value['count'])))
    return found


def run_row(row, setting):
    """What is recorded of a row."""
    found = {'row': row.name, 'about': row.about, 'published': row.published.as_json() if row.published else None, 'gpu': row.gpu,
             'date': f'{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}', 'load': [round(os.getloadavg()[0], 2)]}
    if row.missing:
        return {**found, 'status': 'missing', 'reason': row.missing}
    if row.elsewhere:
        return {**found, 'status': 'elsewhere', 'reason': row.elsewhere}
    if row.call:
        name, size = row.call
        result = CALLS[name](size, setting.tool, setting.module_python)
        status = 'wrong' if result.pop('wrong', False) else result.pop('status', 'ok')
        return {**found, 'status': status, **result, 'load': found['load'] + [round(os.getloadavg()[0], 2)]}
    path = input_file(row, setting)
    if path is None:
        return {**found, 'status': 'no input', 'reason': f'{row.make.name}.mtx is not there'}
    command = command_of(row, path, setting)
    code, output, errors, wall, cpu = called(command, 2 * setting.limit + 20)
    found['command'] = ' '.join(['countpm', *(os.path.relpath(word, TOP) if word.startswith('/') else word for word in command[1:])])
    found['load'].append(round(os.getloadavg()[0], 2))
    if code is None or code == 3:
        reason = f'no answer within {2 * setting.limit + 20:g} s' if code is None else message_of(output, errors)
        return {**found, 'status': 'too long' if code is None or 'time limit' in reason or 'time-limit' in reason else 'refused', 'reason': reason}
    if code != 0:
        return {**found, 'status': 'failed', 'reason': message_of(output, errors)}
    found.update(read_answer(row, output))
    error, wrong = compared(found.pop('compared', found['answer']), row.expected or known_count(row, path))
    estimate = row.arguments[0] == 'estimate'
    if estimate and found.get('samples') is not None:
        asked = int(row.arguments[row.arguments.index('--samples') + 1]) if '--samples' in row.arguments else 0
        found['note'] = f"{found['samples']:,} samples" + ('' if found['samples'] >= asked else f' of {asked:,}: the time was over')
    found.update(status='wrong' if wrong and not estimate else 'ok', whole=wall, cpu=cpu, error=error)
    return found


def message_of(output, errors):
    try:
        return json.loads(output)['error']['message'][:200]
    except (ValueError, KeyError, TypeError):
        return (errors.strip().splitlines() or ['no message'])[-1][:200]


def file_of(paper, setting):
    return setting.results / f'{paper.name}.json'


def kept_of(path):
    """(rows, machines) of a file, empty where it is not there."""
    if not path.exists():
        return {}, {}
    value = json.loads(path.read_text(encoding='utf-8'))
    if value.get('format') != FORMAT:
        raise ValueError(f"{path}: format {value.get('format')!r}")
    return value['rows'], value['machines']


def kept_rows(paper, setting):
    return kept_of(file_of(paper, setting))[0]


def words_of(row):
    """What papers.py says of a row today."""
    return {'about': row.about, 'published': row.published.as_json() if row.published else None}


def is_said(row):
    return row.missing or row.elsewhere


def wanted_now(row, old, setting, short, afresh):
    """Whether a row is to be run: not again where it has an answer, on GPUs only if they are asked for, the long ones not in the short form."""
    if is_said(row):
        return old is None or old['status'] not in ('missing', 'elsewhere') or old.get('reason') != is_said(row) or afresh
    if row.gpu and not setting.gpu or setting.gpu_only and not row.gpu or short and row.long:
        return False
    return afresh or old is None or old['status'] not in ('ok', 'wrong')


def run(rows, setting, short=False, afresh=False, minutes=None):
    """Runs what is wanted of [(paper, table, row)]; how many were not reached in `minutes`."""
    started, here = time.monotonic(), None
    left = 0
    for paper, table, row in rows:
        kept, machines = kept_of(file_of(paper, setting))
        key = f'{table.name}/{row.name}'
        here = here or machine_of(setting)
        if not wanted_now(row, kept.get(key), setting, short, afresh):
            if key in kept and any(kept[key].get(name) != value for name, value in words_of(row).items()):
                kept[key].update(words_of(row))
                save(paper, kept, machines, setting)
            if key not in kept and not is_said(row):
                reason = 'needs a GPU: scripts/reproduce --gpu' if row.gpu and not setting.gpu else 'not in the short form' if short else 'not run'
                kept[key] = {'row': row.name, **words_of(row), 'gpu': row.gpu, 'status': 'not run', 'reason': reason}
                save(paper, kept, machines, setting)
            continue
        if minutes is not None and time.monotonic() - started > 60 * minutes:
            left += 1
            continue
        found = run_row(row, setting)
        if not is_said(row):
            found['machine'], machines[here[0]] = here
        kept[key] = found
        save(paper, kept, machines, setting)
        if not is_said(row):
            whole, error = found.get('whole'), found.get('error')
            say(f"{paper.name} {key}: {found['status']}{'' if whole is None else f', {whole:.3f} s'}{'' if error is None else f', error {error:.1e}'}"
                f"{'' if 'reason' not in found else ': ' + found['reason']}")
    return left


def machine_of(setting):
    """(a name for it and for the commit, what is recorded)."""
    version = subprocess.run([str(setting.tool), 'version'], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    machine, cards, commit = race.machine(), gpus(), race.commit()
    name = cards[0].split(',')[0].removeprefix('NVIDIA ') if cards else f"{machine['cores']} cores"
    return f'{name}, {commit}', {**machine, 'name': name, 'gpus': cards, 'threads': setting.threads, 'countpm': version, 'commit': commit}


def save(paper, kept, machines, setting):
    order = [f'{table.name}/{row.name}' for table in paper.tables for row in table.rows]
    rows = {key: kept[key] for key in order if key in kept}
    used = {row['machine'] for row in rows.values() if 'machine' in row}
    race.written(file_of(paper, setting), {'format': FORMAT, 'paper': paper.name, 'machines': {name: value for name, value in machines.items() if name in used}, 'rows': rows})


def newer(row, old):
    """Whether a row of another run replaces ours: one that was measured, and where ours has an answer, one that has one as well and is no older."""
    if 'machine' not in row:
        return False
    if old is None or old['status'] not in ('ok', 'wrong'):
        return row['status'] in MEASURED
    return row['status'] in ('ok', 'wrong') and row['machine'] != old.get('machine') and row['date'] >= old['date']


def merge(folder, setting):
    """Rows that were measured elsewhere (on a GPU, say) into our files; how many."""
    taken = 0
    for paper in papers.PAPERS:
        rows, machines = kept_of(Path(folder) / f'{paper.name}.json')
        kept, ours = kept_of(file_of(paper, setting))
        for key, row in rows.items():
            if newer(row, kept.get(key)):
                kept[key] = row
                ours[row['machine']] = machines[row['machine']]
                taken += 1
        if rows:
            save(paper, kept, ours, setting)
    return taken
