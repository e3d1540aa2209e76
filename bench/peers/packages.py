"""The peers' packages, and how they come into an environment of their own: build/peers. Python's standard library only.

Packages of PyPI go into a virtual environment there, one after another, so that one that is not to be had leaves the others; Debian's are
unpacked beside it. build/peers/installed.json has the version of each, or why it is missing.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ.get('COUNTPM_PEERS', TOP / 'build' / 'peers')).absolute()
PYTHON = FOLDER / 'env' / 'bin' / 'python'
RECORD = FOLDER / 'installed.json'

# Name at PyPI, version, and what it is called when imported. The others need numpy first.
PYPI = [
    ('numpy', '2.4.6', 'numpy'),
    ('scipy', '1.17.1', 'scipy'),
    ('networkx', '3.6.1', 'networkx'),
    ('thewalrus', '0.22.0', 'thewalrus'),
    ('piquasso', '8.0.2', 'piquasso'),
    ('qc-permanent', '0.0.2', 'permanent'),
    ('python-flint', '0.9.0', 'flint'),
    ('sympy', '1.14.0', 'sympy'),
    ('graphillion', '2.1', 'graphillion'),
    ('pyganak', '2.9.0', 'pyganak'),
    ('pyapproxmc', '4.4.0', 'pyapproxmc'),
    ('pyunigen', '2.5.8', 'pyunigen'),
    ('d4Solver', '1.0.0', 'py_d4'),
    ('tididi-cnf', '0.1.2', 'tididi_cnf'),
    ('PySDD', '1.0.6', 'pysdd'),
    ('cotengra', '0.8.3', 'cotengra'),
    ('cotengrust', '0.2.1', 'cotengrust'),
    ('kahypar', '1.3.7', 'kahypar'),
    ('quimb', '1.16.0', 'quimb'),
    ('rustworkx', '0.18.1', 'rustworkx'),
    ('igraph', '1.0.0', 'igraph'),
    ('passagemath-modules', '10.8.13', 'sage.matrix.constructor'),
    ('passagemath-flint', '10.8.13', 'sage.libs.flint'),
    ('passagemath-graphs', '10.8.13', 'sage.graphs.graph'),
]
DEBIAN = ['liblemon-dev', 'libflint-dev']

# Looked for and not there, so that nobody looks again.
NOT_THERE = {
    'kompyle': 'does not build from PyPI (2026-11-28)',
    'sharpSAT-TD': 'not at PyPI by itself; the one inside aspmc 1.1.1 was run in a first race (2026-11-28), not here',
    'Ganak, the program': 'no package of Debian; pyganak is its library',
    'nesting (Harviainen and Koivisto)': 'at no registry; its published figures are in bench/results/guarantees.md',
    'SUperman': 'at no registry; its published figures are in docs/reproduce',
}

LEMON_PROGRAM = r'''
#include <lemon/matching.h>
#include <lemon/smart_graph.h>
#include <cstdio>
#include <ctime>
int main(int, char** arguments) {
  std::FILE* file = std::fopen(arguments[1], "r");
  int vertices = 0, edges = 0, u = 0, v = 0;
  if (file == nullptr || std::fscanf(file, "%d %d", &vertices, &edges) != 2) return 1;
  lemon::SmartGraph graph;
  for (int i = 0; i < vertices; ++i) graph.addNode();
  while (std::fscanf(file, "%d %d", &u, &v) == 2)
    graph.addEdge(lemon::SmartGraph::nodeFromId(u), lemon::SmartGraph::nodeFromId(v));
  const std::clock_t start = std::clock();
  lemon::MaxMatching<lemon::SmartGraph> matching(graph);
  matching.run();
  std::printf("%d %.6f\n", matching.matchingSize(), double(std::clock() - start) / CLOCKS_PER_SEC);
}
'''


def say(text):
    print(f'countpm: {text}', file=sys.stderr, flush=True)


def record():
    """{"versions": {name: version}, "missing": {name: reason}, "paths": {...}}, as far as anything is installed."""
    return json.loads(RECORD.read_text(encoding='utf-8')) if RECORD.exists() else {'versions': {}, 'missing': {}, 'paths': {}}


def run(command, **options):
    """(exit code, what it printed)."""
    try:
        done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False, **options)
    except subprocess.TimeoutExpired as error:
        return 1, f'no end within {error.timeout:g} s'
    except OSError as error:
        return 1, str(error)
    return done.returncode, done.stdout.strip()


def last_line(text):
    lines = [line for line in text.splitlines() if line.strip() and 'notice' not in line.lower()]
    return (lines[-1] if lines else 'no output').strip()[:200]


def install_pypi(found):
    if not PYTHON.exists():
        code, output = run([sys.executable, '-m', 'venv', FOLDER / 'env'])
        if code:
            for name, _, _ in PYPI:
                found['missing'][name] = f'no virtual environment: {last_line(output)}'
            return
    for name, version, module in PYPI:
        say(f'{name} {version}')
        code, output = run([PYTHON, '-m', 'pip', 'install', '-q', '--disable-pip-version-check', f'{name}=={version}'], timeout=1800)
        if code:
            found['missing'][name] = f'pip: {last_line(output)}'
            continue
        code, output = run([PYTHON, '-c', f'import {module}'], timeout=600)
        if code:
            found['missing'][name] = f'import: {last_line(output)}'
            continue
        found['versions'][name] = version


def install_debian(found):
    """Unpacked into build/peers/debian: nothing of the system changes."""
    root = FOLDER / 'debian'
    root.mkdir(exist_ok=True)
    for package in DEBIAN:
        say(package)
        code, output = run(['apt-get', 'download', *needed(package)], cwd=root) if shutil.which('apt-get') else (1, 'no apt-get')
        if code:
            found['missing'][package] = f'apt-get: {last_line(output)}'
            continue
        for file in sorted(root.glob('*.deb')):
            run(['dpkg', '-x', file, root])
            if file.name.startswith(package):
                found['versions'][package] = file.name.split('_')[1].replace('%2b', '+')
            file.unlink()
    check_lemon(found, root)
    check_flint(found, root)


def needed(package):
    """The package, and what of its needs is not installed: libraries only, without alternatives."""
    several, later = [], [package]
    while later:
        name = later.pop()
        several.append(name)
        _, output = run(['apt-cache', 'depends', '--important', name])
        needs = [line.split()[-1] for line in output.splitlines() if line.strip().startswith('Depends:')]
        later += [need for need in needs if need.startswith('lib') and need not in several + later and run(['dpkg-query', '-W', need])[0]]
    return several


def check_lemon(found, root):
    if 'liblemon-dev' not in found['versions']:
        return
    source, program = FOLDER / 'lemon_matching_of_file.cpp', FOLDER / 'lemon_matching_of_file'
    source.write_text(LEMON_PROGRAM, encoding='ascii')
    code, output = run(['c++', '-O2', '-std=c++17', '-w', f'-I{root}/usr/include', source, '-o', program])
    if code:
        found['missing']['liblemon-dev'] = f'c++: {last_line(output)}'
        del found['versions']['liblemon-dev']
    else:
        found['paths']['lemon'] = str(program)


def check_flint(found, root):
    """paths['flint'] has the libraries in the order in which they load."""
    if 'libflint-dev' not in found['versions']:
        return
    libraries = sorted({path.resolve() for stem in ('libgf2x', 'libntl', 'libflint') for path in root.rglob(f'{stem}.so.*') if path.exists()},
                       key=lambda path: ('gf2x' not in path.name, 'ntl' not in path.name))
    code, output = run([sys.executable, '-c', f'import ctypes\nfor path in {[str(path) for path in libraries]!r}: ctypes.CDLL(path, ctypes.RTLD_GLOBAL)'])
    if code or not libraries:
        found['missing']['libflint-dev'] = f'loading it: {last_line(output)}'
        del found['versions']['libflint-dev']
    else:
        found['paths']['flint'] = [str(path) for path in libraries]


def install():
    FOLDER.mkdir(parents=True, exist_ok=True)
    found = {'versions': {}, 'missing': {}, 'paths': {}}
    install_pypi(found)
    install_debian(found)
    RECORD.write_text(json.dumps(found, indent=1) + '\n', encoding='utf-8')
    for name, reason in found['missing'].items():
        say(f'missing: {name}: {reason}')
    return found


def importable():
    """What this Python imports without any installation: for a race in a test."""
    import importlib.metadata
    import importlib.util

    found = {'versions': {}, 'missing': {}, 'paths': {}}
    for name, _, module in PYPI:
        try:
            there = importlib.util.find_spec(module) is not None
            found['versions' if there else 'missing'][name] = importlib.metadata.version(name) if there else 'not installed'
        except (ImportError, ValueError):
            found['missing'][name] = 'not installed'
    for package in DEBIAN:
        found['missing'][package] = 'not installed'
    return found
