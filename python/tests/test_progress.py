"""Bars: of tqdm, of a notebook, of a terminal, and in a file; none of them is required."""

from __future__ import annotations

import importlib
import io
import sys
import types

import countpm
import pytest
from countpm import progress


def report(done, stage="count", elapsed=1.0, left=3.0):
    return {"stage": stage, "method": "ryser", "block": 1, "blocks": 1, "done": done, "rate": 0.1, "elapsed_seconds": elapsed,
            "remaining_seconds": left, "remaining_low": left, "remaining_high": left}


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def no_tqdm(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)


def shown(reports):
    with progress.reporter(True) as tell:
        for one in reports:
            tell(one)


def test_a_terminal_without_tqdm_has_a_line_that_is_written_anew(no_tqdm, monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    shown([report(0.25), report(0.5, left=None)])
    assert sys.stderr.getvalue() == "\rcount (ryser): 25.0 %, 3 s left\x1b[K\rcount (ryser): 50.0 %\x1b[K\n"


def test_a_file_has_few_lines_and_no_escapes(no_tqdm, monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    shown([report(number / 100, elapsed=number / 5) for number in range(100)])
    lines = sys.stderr.getvalue().splitlines()
    assert lines == ["count (ryser): 0.0 %, 3 s left", "count (ryser): 50.0 %, 3 s left"]


def test_nothing_is_written_where_nothing_is_reported(no_tqdm, monkeypatch):
    for place in (Terminal(), io.StringIO()):
        monkeypatch.setattr(sys, "stderr", place)
        shown([])
        assert place.getvalue() == ""


def test_tqdm_has_a_bar_for_each_stage(monkeypatch):
    bars = []

    class Bar:
        def __init__(self, **settings):
            self.name, self.n, self.closed = settings["desc"], 0.0, False
            bars.append(self)

        def update(self, more):
            assert more >= 0
            self.n += more

        def close(self):
            self.closed = True

    monkeypatch.setitem(sys.modules, "tqdm.auto", types.SimpleNamespace(tqdm=Bar))
    shown([report(0.25), report(0.5), report(0.4), report(1.0, stage="double-check")])
    assert [(bar.name, bar.n, bar.closed) for bar in bars] == [("count (ryser)", 50.0, True), ("double-check (ryser)", 100.0, True)]


@pytest.mark.parametrize("widgets", [False, True])
def test_a_notebook_without_widgets_has_a_bar_of_its_own(monkeypatch, widgets):
    """tqdm would only warn there."""
    pages = []
    handle = types.SimpleNamespace(update=pages.append)
    shell = types.SimpleNamespace(config={"IPKernelApp": {}})
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setitem(sys.modules, "IPython.display", types.SimpleNamespace(display=lambda page, display_id: handle, HTML=str))
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: (widgets or None) if name == "ipywidgets" else found(name))
    if widgets:
        monkeypatch.setitem(sys.modules, "tqdm.auto", types.SimpleNamespace(tqdm="tqdm's"))
        assert progress._tqdm() == "tqdm's"
        return
    shown([report(0.25, stage="<b>"), report(0.5)])
    assert "<progress max='1' value='0.2500'>" in pages[0] and "&lt;b&gt; (ryser)" in pages[0]
    assert "50.0 %, 3 s left" in pages[1]
    assert pages[2] == ""


def test_a_kernel_shows_a_bar_and_warns_of_nothing():
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    cell = "from countpm import progress\nfrom test_progress import report, shown\nshown([report(0.25), report(0.5)])\nprogress._in_notebook()"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell)])
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(__file__).rpartition("/")[0]}}).execute()
    outputs = notebook.cells[0].outputs
    if importlib.util.find_spec("ipywidgets") is None:
        assert all(output.get("name") != "stderr" for output in outputs), outputs
    assert outputs[-1].data["text/plain"] == "True"


def test_many_graphs_report_how_many_are_done():
    told = []
    graphs = ["lattice:square:2x2"] * 7
    assert list(countpm.count_many(graphs, progress=told.append)) == [2] * 7
    assert (told[-1].stage, told[-1].block, told[-1].blocks, told[-1].done, told[-1].remaining_seconds) == ("count", 7, 7, 1.0, 0.0)
    assert list(countpm.count_many(iter(graphs), progress=told.append)) == [2] * 7
    with pytest.raises(countpm.UsageError, match="progress: expected True, False or a function, found 5"):
        countpm.count_many(graphs, progress=5)
