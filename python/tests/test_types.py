"""What editors and type checkers are told of the module."""

from __future__ import annotations

import ast
import doctest
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import countpm
from countpm import _core

STUB = Path(_core.__file__).with_name("_core.pyi")


def public(names):
    return {name for name in names if not name.startswith("_")}


def declared():
    """The functions and classes that the stub declares."""
    return {part.name: part for part in ast.parse(STUB.read_text()).body if isinstance(part, (ast.FunctionDef, ast.ClassDef))}


def test_the_stub_declares_what_the_extension_has():
    assert set(declared()) == public(vars(_core))


def test_the_stub_declares_the_exceptions_as_they_are():
    errors = [thing for thing in vars(_core).values() if isinstance(thing, type) and issubclass(thing, Exception)]
    assert len(errors) == 6
    for error in errors:
        stub = declared()[error.__name__]
        assert [base.id for base in stub.bases] == [base.__name__ for base in error.__bases__]
        assert ast.get_docstring(stub) == error.__doc__
        attributes = {part.target.id for part in stub.body if isinstance(part, ast.AnnAssign)}
        assert public(attributes) == public(set(vars(error)))


def test_the_package_says_that_it_is_typed():
    assert Path(countpm.__file__).with_name("py.typed").is_file()


PROGRAM = """
import numpy as np
import numpy.typing as npt

import countpm

integers: npt.NDArray[np.int64] = np.ones((3, 3), dtype=np.int64)
six: int = countpm.permanent(integers)
rows: int = countpm.permanent([[1, 2], [3, 4]], method="ryser") + countpm.hafnian([[0, 1], [1, 0]])
loops: int = countpm.loop_hafnian(np.ones((3, 3), dtype=int)) + countpm.hafnian(np.eye(2, dtype=bool))
n: int | object = countpm.perfect_matchings([(0, 1)])
try:
    countpm.permanent([[1]], time_limit=1.0)
except countpm.InputError as error:
    line: int | None = error.line
    found: str = error.found
except countpm.UnableError as error:
    remedy: str = error.remedy
"""


@pytest.fixture(name="mypy", scope="module")
def fixture_mypy(tmp_path_factory):
    """mypy in a folder with a cache that its runs share."""
    folder = tmp_path_factory.mktemp("mypy")

    def mypy(*arguments, cwd=folder):
        command = [sys.executable, "-m", "mypy", "--cache-dir", str(folder / "cache"), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)

    return mypy


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="needs mypy")
def test_mypy_accepts_the_package(project, mypy):
    done = mypy("--config-file", str(project / "pyproject.toml"), "-p", "countpm")
    assert done.returncode == 0, done.stdout


@pytest.mark.skipif(not os.environ.get("COUNTPM_LONG"), reason="two runs of mypy: COUNTPM_LONG=1")
@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="needs mypy")
def test_mypy_accepts_a_program_that_uses_the_package(mypy, tmp_path):
    (tmp_path / "quiet.ini").write_text("[mypy]\n[mypy-countpm.*]\nignore_errors = True\n")  # as of a package in site-packages
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    done = mypy("--strict", "--config-file", "quiet.ini", "program.py", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    program.write_text(PROGRAM.replace("error.remedy", "error.remedi").replace("time_limit", "time_limitt").replace("six: int", "six: str"))
    done = mypy("--strict", "--config-file", "quiet.ini", "program.py", cwd=tmp_path)
    assert '"UnableError" has no attribute "remedi"' in done.stdout
    assert '"time_limitt"' in done.stdout
    assert 'expression has type "int", variable has type "str"' in done.stdout


#: Packages of the guides that have no types; what comes from them is Any.
UNTYPED = ("networkx", "scipy", "sympy", "pandas", "thewalrus", "rdkit", "igraph", "rustworkx", "flint", "matplotlib", "dask", "distributed", "mpi4py", "tqdm")


def programs_of(page):
    """The Python of a page: each block of python, and what stands behind the prompts of its sessions, in their order."""
    sources = []
    for kind, block in re.findall(r"^```(python|pycon)\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL):
        sources += [block] if kind == "python" else [example.source for example in doctest.DocTestParser().get_examples(block)]
    return "".join(source if source.endswith("\n") else source + "\n" for source in sources)


@pytest.mark.skipif(not os.environ.get("COUNTPM_LONG"), reason="a run of mypy: COUNTPM_LONG=1")
@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="needs mypy")
def test_mypy_accepts_the_python_of_the_guides(project, tmp_path):
    docs = project / "docs"
    pages = [docs / "python.md", docs / "executors.md", docs / "polynomial-weights.md", *sorted((docs / "guides").glob("*.md"))]
    files = []
    for page in pages:
        program = programs_of(page)
        if program:
            files.append(f"{page.parent.name}_{page.stem}".replace("-", "_") + ".py")
            (tmp_path / files[-1]).write_text(program)
    assert {"docs_python.py", "guides_boson_sampling.py"} <= set(files)
    settings = "[mypy]\nstrict = True\nallow_redefinition = True\n[mypy-countpm.*]\nignore_errors = True\n"
    settings += "".join(f"[mypy-{name}.*]\nignore_missing_imports = True\n" for name in UNTYPED)
    (tmp_path / "mypy.ini").write_text(settings)
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path / "cache"), "--config-file", "mypy.ini", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
