"""The race: every instance by all programs that can do it, in turns, and what came of it as JSON, a file for each group.

A program is a process of its own (worker.py) that stays from instance to instance; it is ended where a call takes more CPU than the limit, and is then
not run on larger instances of that family. Reading and imports are not timed, nor a small first call, in which some packages compile.
"""

import contextlib
import datetime
import json
import math
import os
import resource
import select
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path

import packages
import programs
from instances import GROUPS, TITLES, text_for_countpm

TOP = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
FORMAT = 'countpm-peers 1'
TICKS = os.sysconf('SC_CLK_TCK')


def say(text):
    print(f'countpm: {text}', file=sys.stderr, flush=True)


def is_approximate(name):
    return name == 'approxmc'


# ------------------------------------------------------------------------------------------------------------- workers


class Ended(Exception):
    """The program was ended, with the reason; at the limit with the seconds of CPU that it had used."""

    def __init__(self, reason, spent=0.0):
        super().__init__(reason)
        self.spent = spent


class Worker:
    def __init__(self, name, setting):
        self.name, self.setting, self.process = name, setting, None

    def start(self):
        setting = self.setting
        environment = {**os.environ, 'OMP_WAIT_POLICY': 'passive', 'LC_ALL': 'C', 'PYTHONDONTWRITEBYTECODE': '1', 'PYTHONWARNINGS': 'ignore'}
        for variable in ('OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'NUMBA_NUM_THREADS', 'MKL_NUM_THREADS'):
            environment[variable] = str(setting.threads)
        # Those that this workplace sets for old OpenBLAS slow a current one.
        for variable in ('OPENBLAS_CORETYPE', 'OPENBLAS_L2_SIZE', 'PYTHONHOME'):
            environment.pop(variable, None)
        if setting.module:
            environment['PYTHONPATH'] = str(setting.module)
        self.process = subprocess.Popen([str(setting.python), str(HERE / 'worker.py'), self.name, str(setting.memory), str(setting.folder / 'small.json'),
                                         json.dumps(setting.files())], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        env=environment, start_new_session=True)

    def cpu(self):
        """Seconds of the process and of what it has started."""
        def seconds_of(pid, waited):
            try:
                words = Path(f'/proc/{pid}/stat').read_text(encoding='ascii').rsplit(')', 1)[1].split()
                children = Path(f'/proc/{pid}/task/{pid}/children').read_text(encoding='ascii').split()
            except OSError:
                return 0.0
            own = sum(map(int, words[11:15 if waited else 13])) / TICKS
            return own + sum(seconds_of(child, True) for child in children)
        return seconds_of(self.process.pid, True)

    def ask(self, question, limit):
        """The answer. Ended beyond `limit` seconds of CPU, or where it has none in 60 times as many of wall time."""
        if self.process is not None and self.process.poll() is not None:
            self.left()
        if self.process is None:
            self.start()
        started, before = time.monotonic(), self.cpu()
        try:
            self.process.stdin.write((json.dumps(question) + '\n').encode())
            self.process.stdin.flush()
            while not select.select([self.process.stdout], [], [], 0.2)[0]:
                spent = self.cpu() - before
                if spent > limit or time.monotonic() - started > 60 * limit:
                    self.end()
                    raise Ended('limit', spent)
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = b''
        if not line:
            code = self.left()
            raise Ended(f'ended by signal {-code}' if code < 0 else f'ended with exit code {code}')
        return json.loads(line)

    def end(self):
        """With all that it has started."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.left()

    def left(self):
        """Its exit code, once it has ended."""
        code = self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            try:
                pipe.close()
            except BrokenPipeError:
                pass
        self.process = None
        return code


class Setting:
    """What all programs of a race have in common."""

    def __init__(self, python, tool, module, folder, found, limit, turns, threads, memory):
        self.python, self.tool, self.module, self.folder, self.found = python, tool, module, Path(folder), found
        self.limit, self.turns, self.threads, self.memory = limit, turns, threads, memory
        self.repeat = 0.02

    def files(self):
        return {**self.found['paths'], 'countpm': str(self.tool), 'folder': str(self.folder)}

    def available(self, name):
        package = programs.PROGRAMS[name].package
        if package == 'countpm':
            return True
        if package == 'countpm-module':
            return self.module is not None
        return package in self.found['versions']


def module_of(python, folder):
    """A folder for PYTHONPATH with the Python module, as scripts/test has it in a build; None where this Python cannot import it."""
    folder = Path(folder).absolute()
    done = subprocess.run([str(python), '-c', 'import countpm'], env={**os.environ, 'PYTHONPATH': str(folder)}, capture_output=True, check=False)
    return folder if done.returncode == 0 else None


# ------------------------------------------------------------------------------------------------------------- answers


def kind_of(data):
    """What a package may compile for anew."""
    if 'matrix' not in data:
        return 'graph'
    value = data['matrix'][0][0]
    return 'complex' if isinstance(value, (list, tuple)) else type(value).__name__


def described(instance, data, setting, name):
    """What a worker reads, and its file."""
    ending, text = text_for_countpm(instance, data)
    input_file = setting.folder / f'{name}.{ending}'
    input_file.write_text(text, encoding='ascii')
    matrix = data.get('matrix')
    return {'problem': instance.problem, 'kind': kind_of(data), 'settings': instance.settings, 'threads': setting.threads,
            'square': matrix is None or len(matrix) == len(matrix[0]), 'input': str(input_file), 'data': data}


def small_ones(setting):
    """For each problem and kind of numbers its smallest instance, with which workers warm up."""
    found = {}
    for instances in GROUPS.values():
        for instance in instances:
            if instance.tiny:
                data = instance.make()
                found.setdefault(f'{instance.problem} {kind_of(data)}', described(instance, data, setting, f'small-{len(found)}'))
    (setting.folder / 'small.json').write_text(json.dumps(found), encoding='ascii')


def exact_number(text):
    """A Fraction, or a pair of them, from text of countpm or of a peer."""
    if text.startswith('('):
        return tuple(Fraction(part) for part in text[1:-1].split(','))
    return Fraction(text)


def distance(found, exact):
    """The relative error, as a double."""
    if isinstance(found, tuple) or isinstance(exact, tuple):
        found, exact = ((value if isinstance(value, tuple) else (value, Fraction(0))) for value in (found, exact))
        size = sum(part * part for part in exact)
        return math.sqrt(sum((a - b) ** 2 for a, b in zip(found, exact)) / size) if size else float(any(found))
    if exact == 0:
        return 0.0 if found == 0 else math.inf
    return float(abs(found - exact) / abs(exact))


def digits_of(exact):
    """Decimal digits of the exact answer: of an integer all, of others 16, as many as a double has."""
    if isinstance(exact, Fraction) and exact.denominator == 1:
        return len(str(abs(exact.numerator)))
    return 16


def wrong_digits(error, digits):
    """How many of the last digits are not to be trusted: all from the first that the relative error reaches."""
    if error == 0:
        return 0
    right = max(0, math.floor(-math.log10(error))) if error < 1 else 0
    return max(0, digits - right)


def natural_logarithm(number):
    """Of a positive integer beyond doubles, too."""
    shift = max(0, number.bit_length() - 60)
    return math.log(number >> shift) + shift * math.log(2)


def check_samples(matchings, data):
    """Why they are no perfect matchings, or None."""
    edges = {frozenset(edge) for edge in data['edges']}
    for matching in matchings:
        if sorted(v for edge in matching for v in edge) != list(range(data['vertices'])) or any(frozenset(edge) not in edges for edge in matching):
            return 'no perfect matching'
    return None


def judged(instance, data, answer, reference, approximate):
    """What is recorded of an answer: relative error, wrong digits, or that it is wrong."""
    problem = instance.problem
    if problem == 'samples':
        matchings = [[[int(end) for end in edge] for edge in matching] for matching in answer]
        wrong = check_samples(matchings, data)
        if wrong is None and len(matchings) < instance.settings['samples']:
            wrong = f'{len(matchings)} samples'
        return {'wrong': wrong} if wrong else {'error': 0.0, 'wrong_digits': 0}
    if problem == 'matching polynomial':
        return {'error': 0.0, 'wrong_digits': 0} if answer == reference else {'wrong': 'other coefficients'}
    if problem == 'marginals':
        if len(answer) != len(reference):
            return {'wrong': f'{len(answer)} probabilities'}
        error = max(abs(float(a) - float(b)) for a, b in zip(answer, reference))
        return {'error': error, 'wrong_digits': wrong_digits(error, 16)} if error < 1e-6 else {'wrong': f'off by {error:.1g}'}
    exact = exact_number(reference)
    if isinstance(answer, dict):
        error = abs(math.expm1(float(answer['logarithm']) - natural_logarithm(exact.numerator)))
    else:
        try:
            error = distance(exact_number(answer), exact)
        except ValueError:
            return {'wrong': f'the answer is {answer}'[:60]}
    if approximate:
        return {'error': float((exact_number(answer) - exact) / exact) if exact else float(answer != '0'), 'approximate': True}
    if error > 1e-3 or ('.' not in str(answer) and 'e' not in str(answer) and error > 0):
        return {'wrong': f'{answer} and not {reference}'[:100]}
    rounded = 'matrix' in data and kind_of(data) != 'int'
    found = {'error': error, 'wrong_digits': wrong_digits(error, 16 if rounded else digits_of(exact))}
    if isinstance(answer, dict):
        return {**found, 'logarithm': True}
    return {**found, 'printed': answer} if error and not rounded else found


def reference_answer(description, setting):
    """countpm's own answer: exact, of floats as the fractions that they are, or where that takes too long in double-doubles, with more digits than
    any peer has. Text, or a list of them; None where it has none in ten times the limit."""
    problem = description['problem']
    files = {**setting.files(), 'input': description['input']}
    if problem == 'samples':
        return []
    ways = [programs.command_of(description, files, exact=True)]
    if description['kind'] in ('float', 'complex'):
        ways.append(programs.command_of(description, files) + ['--arithmetic', 'double-double'])
    seconds = math.ceil(10 * setting.limit)
    for command in ways:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds)))
        if done.returncode == 0:
            break
    else:
        say(f"countpm: {done.stderr.strip()[:200] or f'no reference within {seconds} s'}")
        return None
    if problem in ('matching polynomial', 'marginals'):
        return [str(value) if isinstance(value, int) else repr(value) for value in programs.parse_answer(description, done.stdout)]
    if problem == 'matching size':
        return str(programs.parse_answer(description, done.stdout))
    return done.stdout.strip()


# ---------------------------------------------------------------------------------------------------------- the race


def race_on(instance, data, description, reference, names, workers, setting, given_up):
    """What each program needed: medians over the turns, its answer judged; `given_up` has who is not run on this family any more, and why."""
    runs = {}
    running = []
    question_file = setting.folder / 'question.json'
    question_file.write_text(json.dumps(description), encoding='ascii')
    for name in names:
        if (name, instance.family) in given_up:
            runs[name] = {'status': 'not run', 'reason': given_up[name, instance.family]}
            continue
        if programs.PROGRAMS[name].once:
            workers[name].end()
        try:
            loaded = workers[name].ask({'load': str(question_file)}, max(60.0, 3 * setting.limit))
        except Ended as why:
            loaded = {'failed': 'no preparation in time' if str(why) == 'limit' else f'{why} while it prepared'}
        if loaded.get('ready'):
            running.append(name)
            runs[name] = {'status': 'ok', 'cpu': [], 'wall': [], 'calls': 0}
        elif 'cannot' not in loaded:
            runs[name] = {'status': 'failed', 'reason': loaded['failed']}
            given_up[name, instance.family] = f"failed on {instance.name}"
    for turn in range(setting.turns):
        for name in list(running):
            run = runs[name]
            # What takes long is not run so often.
            if turn > 0 and (turn >= 3 and run['cpu'][0] > 1 or run['cpu'][0] > setting.limit / 4):
                continue
            try:
                if programs.PROGRAMS[name].once and turn > 0:
                    workers[name].end()
                    workers[name].ask({'load': str(question_file)}, max(60.0, 3 * setting.limit))
                answer = workers[name].ask({'run': setting.repeat}, setting.limit)
            except Ended as why:
                answer = {'limit': min(why.spent, setting.limit)} if str(why) == 'limit' else {'failed': str(why)}
            if 'cpu' in answer:
                run['cpu'].append(statistics.median(answer['cpu']))
                run['wall'].append(statistics.median(answer['wall']))
                run['calls'] += len(answer['cpu'])
                if turn == 0:
                    run.update(judged(instance, data, answer['answer'], reference, is_approximate(name)))
                continue
            running.remove(name)
            if 'cannot' in answer and turn == 0:
                runs[name] = {'status': 'refused', 'reason': answer['cannot'][:200]}
            elif 'limit' in answer:
                runs[name] = {'status': 'limit', 'more_than': round(answer['limit'], 2)}
                given_up[name, instance.family] = f'over the limit on {instance.name}'
            else:
                runs[name] = {'status': 'failed', 'reason': answer.get('failed', answer.get('cannot', ''))[:200]}
                given_up[name, instance.family] = f'failed on {instance.name}'
    for run in runs.values():
        if run['status'] == 'ok':
            run['cpu_median'], run['wall_median'] = statistics.median(run['cpu']), statistics.median(run['wall'])
    return runs


def shortened(answer):
    """As tables show it: of fractions a decimal of 17 digits, of long numbers both ends."""
    if isinstance(answer, list):
        return f'{len(answer)} coefficients' if answer else ''
    if answer is None or len(answer) <= 30 and '/' not in answer:
        return answer
    value = exact_number(answer)
    if isinstance(value, tuple):
        return '(' + ', '.join(f'{float(part):.6g}' for part in value) + ')'
    if value.denominator != 1:
        return f'{float(value):.17g}'
    return f'{answer[:8]}...{answer[-6:]} ({len(answer)} digits)'


def machine():
    model = next((line.split(':', 1)[1].strip() for line in Path('/proc/cpuinfo').read_text(encoding='utf-8').splitlines()
                  if line.startswith('model name')), os.uname().machine)
    memory = os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2 ** 30
    return {'cpu': model, 'cores': len(os.sched_getaffinity(0)), 'memory_gib': round(memory, 1), 'system': f'{os.uname().sysname} {os.uname().release}',
            'python': sys.version.split()[0]}


def commit():
    """COUNTPM_COMMIT where it is set, or the last commit that changed countpm itself; None where there is no git, or no commit."""
    if os.environ.get('COUNTPM_COMMIT'):
        return os.environ['COUNTPM_COMMIT']
    if shutil.which('git') is None:
        return None
    done = subprocess.run(['git', '-C', str(TOP), 'log', '-1', '--format=%h', '--', 'graph', 'matching', 'kernels', 'src', 'apps', 'python'],
                          capture_output=True, text=True, check=False)
    return done.stdout.strip() or None


def written(path, value):
    """In one step, so that a race that ends leaves a whole file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile('w', dir=path.parent, delete=False, encoding='utf-8') as file:
        json.dump(value, file, indent=1)
        file.write('\n')
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


def run(groups, setting, results, only=None, tiny=False, afresh=False, names=None):
    """Writes RESULTS/GROUP.json after each instance; those that are there are kept, unless `afresh`."""
    version = subprocess.run([str(setting.tool), 'version'], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    setting.folder.mkdir(parents=True, exist_ok=True)
    small_ones(setting)
    workers = {name: Worker(name, setting) for name in programs.PROGRAMS if setting.available(name) and (names is None or name in names)}
    try:
        for group in groups:
            path = Path(results) / f'{group}.json'
            kept = json.loads(path.read_text(encoding='utf-8'))['rows'] if path.exists() and not afresh else []
            rows = {row['instance']: row for row in kept}
            given_up = {}
            for instance in GROUPS[group]:
                if (tiny and not instance.tiny) or (only and not only.search(f'{group}/{instance.name}')):
                    continue
                old = rows.get(instance.name)
                if old and not afresh:
                    for name, each in old['runs'].items():
                        if each['status'] in ('limit', 'failed'):
                            given_up[name, instance.family] = f"{'over the limit' if each['status'] == 'limit' else 'failed'} on {instance.name}"
                    continue
                data = instance.make()
                if data is None:
                    say(f'{group}/{instance.name}: left out: its file is not in ../shared/matrices')
                    continue
                data = json.loads(json.dumps(data))  # as workers read it
                description = described(instance, data, setting, 'instance')
                able = [name for name in workers if instance.problem in programs.PROGRAMS[name].problems]
                reference = reference_answer(description, setting)
                if reference is None:
                    say(f'{group}/{instance.name}: left out: countpm itself has no answer in the time')
                    continue
                load = [round(os.getloadavg()[0], 2)]
                runs = race_on(instance, data, description, reference, able, workers, setting, given_up)
                load.append(round(os.getloadavg()[0], 2))
                rows[instance.name] = {
                    'instance': instance.name, 'family': instance.family, 'problem': instance.problem, 'about': instance.about, 'answer': shortened(reference),
                    **({'exact': reference} if any('printed' in each for each in runs.values()) else {}), **({'proof': instance.proof} if instance.proof else {}),
                    'digits': digits_of(exact_number(reference)) if isinstance(reference, str) and description['kind'] not in ('float', 'complex') else None,
                    'date': f'{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}', 'commit': commit(), 'load': load, 'limit': setting.limit, 'runs': runs}
                best = min((each['cpu_median'] for name, each in runs.items() if each['status'] == 'ok' and not name.startswith('countpm')), default=None)
                ours = runs.get('countpm', {}).get('cpu_median')
                say(f"{group}/{instance.name}: countpm {'-' if ours is None else f'{ours:.4f}'}, best peer {'-' if best is None else f'{best:.4f}'} s, load {load[1]}")
                order = [each.name for each in GROUPS[group]]
                written(path, {
                    'format': FORMAT, 'group': group, 'title': TITLES[group], 'countpm': version, 'commit': commit(), 'machine': machine(),
                    'threads': setting.threads, 'turns': setting.turns, 'memory_gib': round(setting.memory / 2 ** 30, 1),
                    'versions': {name: value for name, value in setting.found['versions'].items()},
                    'missing': {**setting.found['missing'], **packages.NOT_THERE},
                    'programs': {name: {'package': each.package, 'exact': each.exact, 'note': each.note} for name, each in programs.PROGRAMS.items()
                                 if any(name in row['runs'] for row in rows.values())},
                    'rows': sorted(rows.values(), key=lambda row: order.index(row['instance']))})
    finally:
        for worker in workers.values():
            worker.end()
