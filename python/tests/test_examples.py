"""The programs of examples/ that no other test runs."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

PROGRAM = Path(__file__).parents[2] / "examples" / "dimer_constant.py"


@pytest.fixture(name="program")
def fixture_program() -> ModuleType:
    spec = importlib.util.spec_from_file_location("dimer_constant", PROGRAM)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_limit_of_tori_is_fitted(program: ModuleType) -> None:
    sizes = [4, 6, 8]
    h, error, b = program.limit(sizes, [0.45 + 1.5 / size**3 for size in sizes], [0.0, 1e-5, 2e-5])
    assert h == pytest.approx(0.45, abs=1e-9) and b == pytest.approx(1.5, abs=1e-6)
    assert 1e-6 < error < 1e-4


def test_the_dimer_constant_of_small_tori() -> None:
    done = subprocess.run([sys.executable, PROGRAM, "--sizes", "4", "6", "--error", "0.2"], capture_output=True, text=True, check=True)
    assert "exact" in done.stdout and " 4        0.4753777" in done.stdout
    found = re.search(r"h = (\d\.\d+) \+- (\S+)", done.stdout)
    assert found is not None and 0.44 < float(found[1]) < 0.46
    assert subprocess.run([sys.executable, PROGRAM, "--sizes", "4", "5"], capture_output=True, check=False).returncode == 2
