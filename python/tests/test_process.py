"""What counting does to a process: Ctrl-C, threads, forks, memory, and the command that the package brings."""

from __future__ import annotations

import gc
import io
import multiprocessing
import os
import pickle
import resource
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, redirect_stderr

import countpm
import networkx as nx
import numpy as np
import pytest

#: Takes minutes on any machine, and is not refused.
LONG = "countpm.permanent(np.random.default_rng(1).integers(1, 9, (38, 38)), method='ryser', time_limit=None, threads=1)"


def long_count(**options):
    """The same here."""
    return countpm.permanent(
        np.random.default_rng(1).integers(1, 9, (38, 38)), **{"method": "ryser", "time_limit": None, "threads": 1, **options}
    )


class Enough(Exception):
    pass


@contextmanager
def alarm(seconds):
    """Raises Enough in the main thread, as any handler of a signal may."""

    def ring(*_):
        raise Enough

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        with pytest.raises(Enough):
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def run(code, **options):
    """A program that says "begun" when it counts, and what became of it."""
    text = "import countpm, numpy as np, sys, time\n" + textwrap.dedent(code)
    return subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def cpu_seconds(process):
    """What its threads have had of the processors."""
    with open(f"/proc/{process}/stat") as file:
        user, system = file.read().rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="needs /proc")
@pytest.mark.parametrize(
    "call",
    [
        LONG,
        LONG.replace("permanent(", "count(", 1).replace("time_limit", "problem='permanent', time_limit"),
        LONG.replace(", threads=1", ", threads=1, progress=print"),
        "sum(1 for _ in countpm.iter_matchings(np.ones((40, 40))))",
    ],
    ids=["permanent", "count", "with progress", "iter_matchings"],
)
def test_interrupts_end_a_count_at_once(call):
    code = f"""
        countpm.permanent([[1, 2], [3, 4]])
        print("begun", flush=True)
        try:
            {call}
        except KeyboardInterrupt:
            sys.stdout.write(f"\\ninterrupted {{time.process_time()}}\\n")
        """
    process = run(code)
    assert process.stdout.readline() == "begun\n"
    time.sleep(0.6)
    assert process.poll() is None, process.stderr.read()
    before = cpu_seconds(process.pid)  # a busy machine may take long; that is no work of the count
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert float(out.split("interrupted ")[1]) - before < 1


def test_a_handler_of_the_callers_is_called():
    with alarm(0.3):
        long_count()


def test_time_limits():
    with pytest.raises(countpm.UnableError) as caught:
        long_count(time_limit=0.5)
    assert "limit" in str(caught.value)
    assert caught.value.remedy


def test_threads_count_at_once():
    random = np.random.default_rng(2)
    matrices = [random.integers(0, 2, (14, 14)) for _ in range(24)]
    expected = [countpm.permanent(matrix) for matrix in matrices]
    with ThreadPoolExecutor(6) as pool:
        for _ in range(5):
            assert list(pool.map(countpm.permanent, matrices)) == expected
    shared = countpm.Graph(nx.grid_2d_graph(6, 6))
    with ThreadPoolExecutor(6) as pool:
        assert set(pool.map(countpm.perfect_matchings, [shared] * 60)) == {6728}


def test_others_run_while_one_counts():
    """Python's lock is free: another thread makes steps during a count, and ends it by the last."""
    steps = 0

    def spin():
        nonlocal steps
        while steps < 200:
            time.sleep(0.001)
            steps += 1
        os.kill(os.getpid(), signal.SIGALRM)

    thread = threading.Thread(target=spin)
    with alarm(60):
        thread.start()
        long_count()
    during = steps
    thread.join()
    assert during == 200


def _permanent(matrix):
    return countpm.permanent(matrix)


def test_pools_of_processes():
    matrices = [np.random.default_rng(seed).integers(0, 2, (10, 10)) for seed in range(6)]
    expected = [countpm.permanent(matrix) for matrix in matrices]
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert list(pool.map(_permanent, matrices)) == expected


def test_a_fork_may_count_with_one_thread():
    """As docs/python.md has it: after a count that used threads, a forked child counts with threads=1."""
    countpm.permanent(np.random.default_rng(1).integers(1, 9, (20, 20)), threads=2, method="ryser")
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            signal.alarm(20)
            found = countpm.permanent(np.ones((10, 10), dtype=int), threads=1)
            os.write(writer, str(found).encode())
        finally:
            os._exit(0)
    os.close(writer)
    assert os.read(reader, 100) == b"3628800"
    os.waitpid(child, 0)


def test_exceptions_can_be_pickled():
    for call in (lambda: countpm.hafnian([[1, 2]]), lambda: countpm.permanent([[1]], method="magic")):
        with pytest.raises(countpm.Error) as caught:
            call()
        again = pickle.loads(pickle.dumps(caught.value))
        assert type(again) is type(caught.value)
        assert str(again) == str(caught.value)
        assert getattr(again, "found", None) == getattr(caught.value, "found", None)


def _resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


@pytest.mark.parametrize(
    ("times", "call"),
    [
        (10_000, lambda m, g: countpm.permanent(m)),
        (2_000, lambda m, g: countpm.permanent(0.1j * m)),
        (2_000, lambda m, g: countpm.perfect_matchings(g)),
        (1_000, lambda m, g: countpm.count(g).to_dict()),
        (1_000, lambda m, g: countpm.marginals(m, exact=True)),
        (300, lambda m, g: next(countpm.iter_matchings(m))),
        (1_000, lambda m, g: pytest.raises(countpm.InputError, countpm.hafnian, [[1, 2]])),
    ],
    ids=["permanent", "complex", "networkx", "count", "marginals", "iter_matchings", "errors"],
)
@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")
def test_memory_stays_constant(times, call):
    matrix = np.ones((4, 4), dtype=int)
    graph = nx.cycle_graph(6)
    for _ in range(times // 5):
        call(matrix, graph)
    gc.collect()
    before = _resident()
    for _ in range(times):
        call(matrix, graph)
    gc.collect()
    assert _resident() - before < 4 * 2**20


def test_progress_is_told_from_the_callers_thread():
    told, threads = [], set()

    def hear(progress):
        told.append(progress)
        threads.add(threading.get_ident())
        if len(told) == 3:
            raise Enough

    with pytest.raises(Enough):
        long_count(progress=hear)
    assert threads == {threading.get_ident()}
    assert all(isinstance(progress, countpm.Progress) and 0 <= progress.done <= 1 for progress in told)
    assert "count" in {progress.stage for progress in told}
    assert [progress.elapsed_seconds for progress in told] == sorted(progress.elapsed_seconds for progress in told)


@pytest.mark.parametrize("with_tqdm", [True, False])
def test_a_bar_with_and_without_tqdm(monkeypatch, with_tqdm):
    if with_tqdm:
        pytest.importorskip("tqdm.auto")
    else:
        monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    for seconds in (1.5, 6, 24):  # a busy machine begins later
        with redirect_stderr(io.StringIO()) as text, alarm(seconds):
            long_count(progress=True)
        if "%" in text.getvalue():
            break
    assert "count" in text.getvalue()
    assert "%" in text.getvalue()
    assert ("\r" in text.getvalue()) == with_tqdm  # a bar of our own is written anew on terminals alone


def test_nothing_is_printed():
    code = "countpm.count([[0.5, 1], [1, 1]], 'permanent'); countpm.estimate('lattice:square:4x4'); countpm.explain([[1]])"
    assert run(code).communicate(timeout=120) == ("", "")


def test_nothing_is_printed_of_what_is_still_held_when_python_ends():
    code = """
    import ctypes
    for held in (countpm.count("lattice:square:4x4"), countpm.iter_matchings([(0, 1)]), countpm.Graph([[1]])):
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(held))
    """
    assert run(code).communicate(timeout=120) == ("", "")


def test_notes_go_to_the_log(caplog):
    with caplog.at_level("INFO", logger="countpm"):
        countpm.count(np.ones((2, 3)))
    assert any("2 and 3" in record.message for record in caplog.records)


def command(*arguments):
    return subprocess.run([sys.executable, "-m", "countpm", *arguments], capture_output=True, text=True, check=False)


def test_the_command_comes_with_the_package():
    done = command("lattice:square:8x8", "--quiet")
    assert (done.returncode, done.stdout) == (0, "12988816\n")
    assert command("version").stdout.splitlines()[0] == f"countpm {countpm.__version__}"
    assert command("no-such-file").returncode == 2
    script = os.path.join(os.path.dirname(sys.executable), "countpm")
    if os.path.exists(script):
        assert subprocess.run([script, "lattice:square:4x4"], capture_output=True, text=True, check=True).stdout == "36\n"
        imports = subprocess.run([sys.executable, "-X", "importtime", script, "version"], capture_output=True, text=True, check=True)
        assert imports.stdout.startswith("countpm ")
        assert "countpm.counting" not in imports.stderr  # the command starts without the rest of the package
