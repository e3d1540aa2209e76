"""Every example of the docstrings, README and the pages of docs/ runs and prints what it says."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re

import countpm
import pytest

MODULES = [
    name
    for _, name, _ in pkgutil.walk_packages(countpm.__path__, "countpm.")
    if not name.endswith(("__main__", "_core"))
]


@pytest.mark.parametrize("name", ["countpm", *MODULES])
def test_docstrings(name):
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.failed == 0


def test_every_function_has_an_example_and_says_what_it_raises():
    for name in countpm.__all__:
        thing = getattr(countpm, name)
        text = getattr(thing, "__doc__", None)
        if name == "Number":
            continue
        assert text, name
        if callable(thing) and not isinstance(thing, type):
            assert ">>>" in text, name
            assert "Args:" in text, name


def test_guides(project, monkeypatch):
    pages = ["README.md", *sorted(str(page.relative_to(project)) for page in (project / "docs").rglob("*.md"))]
    pages = [page for page in pages if "```pycon\n" in (project / page).read_text()]
    assert {"README.md", "docs/python.md", "docs/guides/boson-sampling.md"} <= set(pages)
    for page in pages:
        run_sessions(project, page, monkeypatch)


def run_sessions(project, name, monkeypatch):
    monkeypatch.chdir(project)
    text = (project / name).read_text()
    sessions = re.findall(r"^```pycon\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert sessions, f"{name} has no example"
    names: dict[str, object] = {}
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    for number, session in enumerate(sessions):
        test = doctest.DocTestParser().get_doctest(session, names, f"{name}[{number}]", name, 0)
        assert test.examples, f"{name}: a session without a prompt"
        runner.run(test, clear_globs=False)
        names.update(test.globs)
    assert runner.summarize(verbose=False).failed == 0
