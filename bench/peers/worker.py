"""One program of the race in a process of its own: answers questions that come as lines of JSON on standard input, one line each on the
file that standard output was, and nothing else there. Run by race.py with the Python of the peers' environment.

    {"load": FILE}      read the instance, prepare its input and make a small call of the same kind before: {"ready": true}
    {"run": SECONDS}    call at least once, again while less than SECONDS of CPU are spent: {"cpu": [...], "wall": [...], "answer": ...}
"""

import json
import os
import resource
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import programs


def plain(value):
    """An answer as JSON: integers and floats as strings, so that no digit is lost."""
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if hasattr(value, 'item'):
        value = value.item()
    if isinstance(value, complex):
        return f'({value.real!r},{value.imag!r})'
    return repr(value) if isinstance(value, float) else str(value)


def cpu_seconds():
    return time.process_time() + programs.child_seconds()


def main():
    name, memory, small_file, files = sys.argv[1], int(sys.argv[2]), sys.argv[3], json.loads(sys.argv[4])
    answers = os.fdopen(os.dup(1), 'w', encoding='utf-8')
    os.dup2(2, 1)  # what a library prints is no answer
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    program = programs.PROGRAMS[name]
    call, warm = None, set()

    def reply(**found):
        answers.write(json.dumps(found) + '\n')
        answers.flush()

    for line in sys.stdin:
        question = json.loads(line)
        try:
            if 'load' in question:
                instance = json.load(open(question['load'], encoding='utf-8'))
                kind = (instance['problem'], instance['kind'])
                if kind not in warm and not program.once:
                    with open(small_file, encoding='utf-8') as file:
                        small = json.load(file).get(f"{instance['problem']} {instance['kind']}")
                    if small is not None:
                        try:
                            program.prepare(small, small['data'], {**files, 'input': small['input']})()
                        except programs.CannotDo:
                            pass
                    warm.add(kind)
                call = program.prepare(instance, instance['data'], {**files, 'input': instance['input']})
                reply(ready=True)
                continue
            finish = getattr(call, 'finish', lambda value: value)
            cpu, wall = [], []
            while not cpu or (sum(cpu) < question['run'] and len(cpu) < 50 and not program.once):
                started, before = time.perf_counter(), cpu_seconds()
                value = call()
                seconds = getattr(call, 'seconds', None)
                cpu.append(cpu_seconds() - before if seconds is None else seconds)
                wall.append(time.perf_counter() - started if seconds is None else seconds)
            reply(cpu=cpu, wall=wall, answer=plain(finish(value)))
        except programs.CannotDo as why:
            reply(cannot=str(why))
        except MemoryError:
            reply(failed='out of memory')
        except Exception as error:  # whatever a package throws
            reply(failed=f'{type(error).__name__}: {error}'[:300])


if __name__ == '__main__':
    main()
