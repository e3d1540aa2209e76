"""The notebooks of examples/ run from their first cell to their last, and print what they show."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

NOTEBOOKS = ("boson_sampling", "dimers", "exact_and_approximate", "kekule")


def texts(cell):
    """What a cell prints and what its last line is, as text.

    Left out are pictures, pages, and what other packages warn of: numba warns where it cannot keep what it compiled.
    """
    found = []
    for output in cell.outputs:
        if output.output_type == "stream":
            if output.name == "stdout":
                found.append(output.text)
        elif "text/html" not in output.data:
            found.append(output.data["text/plain"])
    return "".join(found).strip()


def test_all_are_known(project):
    assert sorted(path.stem for path in (project / "examples" / "notebooks").glob("*.ipynb")) == sorted(NOTEBOOKS)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebook(project, name):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    if name == "boson_sampling":
        if not os.environ.get("COUNTPM_LONG"):
            pytest.skip("The Walrus compiles itself for half a minute: COUNTPM_LONG=1")
        pytest.importorskip("thewalrus")
    path: Path = project / "examples" / "notebooks" / f"{name}.ipynb"
    shown = nbformat.read(path, as_version=4)
    again = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(
        again, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}}
    ).execute()
    cells = [(a, b) for a, b in zip(shown.cells, again.cells, strict=True) if a.cell_type == "code"]
    assert cells
    for number, (before, after) in enumerate(cells, 1):
        assert before.execution_count == number, f"{name} is stored without its outputs"
        assert all(output.get("name") != "stderr" for output in before.outputs), f"{name} is stored with warnings"
        assert texts(after) == texts(before), f"{name}, cell {number}"
