"""How far a count is: a bar, or the caller's own function."""

from __future__ import annotations

import html
import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, Union

__all__ = ["Progress", "ProgressWanted", "reporter"]


@dataclass(frozen=True)
class Progress:
    """What a function that is given as ``progress`` gets.

    Attributes:
        stage: ``"plan"``, ``"count"``, ``"double-check"``, ...
        method: what counts the block.
        block: which block, from 1, of ``blocks``.
        done: the share of the stage's predicted work, 0 to 1.
        rate: that share a second; 0 where it is not known yet.
        elapsed_seconds: since the beginning.
        remaining_seconds: of the stage, with its likely range ``remaining_low`` to ``remaining_high``; None where it
            is not known yet.
    """

    stage: str = ""
    method: str = ""
    block: int = 0
    blocks: int = 0
    done: float = 0.0
    rate: float = 0.0
    elapsed_seconds: float = 0.0
    remaining_seconds: float | None = None
    remaining_low: float | None = None
    remaining_high: float | None = None


ProgressWanted = Union[bool, Callable[[Progress], object]]
_Report = Union[Callable[[dict[str, Any]], None], None]

#: Of a bar in a file or a pipe.
_SECONDS_BETWEEN_LINES = 10.0


@contextmanager
def reporter(wanted: ProgressWanted) -> Iterator[_Report]:
    """What the core calls with each report; None where nobody wants to know."""
    if not wanted:
        yield None
    elif callable(wanted):
        yield lambda report: wanted(Progress(**report))  # type: ignore[misc]
    else:
        bar = _Bar()
        try:
            yield bar
        finally:
            bar.close()


class _Bar:
    """A bar for each stage: of tqdm where it is installed, else a notebook's own, or a line on standard error."""

    def __init__(self) -> None:
        self._tqdm = _tqdm()
        self._plain = _notebook_bar() if self._tqdm is None else None
        if self._tqdm is None and self._plain is None:
            self._plain = _Line()
        self._bar: Any = None
        self._stage = ""

    def __call__(self, report: dict[str, Any]) -> None:
        now = Progress(**report)
        name = f"{now.stage} ({now.method})" if now.method else now.stage
        if self._plain is not None:
            self._plain.show(name, now)
            return
        if self._bar is None or name != self._stage:
            if self._bar is not None:
                self._bar.close()
            self._bar = self._tqdm(total=100, desc=name, unit="%", leave=False, bar_format="{l_bar}{bar}| {elapsed}<{remaining}")
            self._stage = name
        self._bar.update(max(0.0, 100 * now.done - self._bar.n))

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        if self._plain is not None:
            self._plain.close()


def _in_notebook() -> bool:
    """Whether a kernel of IPython runs this: Jupyter's, Colab's, VS Code's."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and "IPKernelApp" in getattr(shell, "config", {})


def _tqdm() -> Any:
    """tqdm's bar for this place; None without tqdm, and in a notebook without widgets, where it would only warn."""
    if _in_notebook() and importlib.util.find_spec("ipywidgets") is None:
        return None
    try:
        return importlib.import_module("tqdm.auto").tqdm
    except ImportError:
        return None


class _Shown(Protocol):
    def show(self, name: str, now: Progress) -> None: ...
    def close(self) -> None: ...


def _left(now: Progress) -> str:
    return "" if now.remaining_seconds is None else f", {now.remaining_seconds:.0f} s left"


class _Line:
    """A line on standard error that is written anew; where that is no terminal, a line every ten seconds."""

    def __init__(self) -> None:
        self._anew = sys.stderr.isatty()
        self._next = 0.0
        self._written = False

    def show(self, name: str, now: Progress) -> None:
        text = f"{name}: {100 * now.done:.1f} %{_left(now)}"
        if self._anew:
            print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)
            self._written = True
        elif now.elapsed_seconds >= self._next:
            print(text, file=sys.stderr, flush=True)
            self._next = now.elapsed_seconds + _SECONDS_BETWEEN_LINES

    def close(self) -> None:
        if self._written:
            print(file=sys.stderr)


class _Page:
    """A bar of HTML in a notebook, which needs nothing but IPython."""

    def __init__(self, display: Any, html_of: Any) -> None:
        self._html = html_of
        self._handle = display(html_of(""), display_id=True)

    def show(self, name: str, now: Progress) -> None:
        self._handle.update(
            self._html(
                f"<div>{html.escape(name)} <progress max='1' value='{now.done:.4f}'></progress> {100 * now.done:.1f} %{_left(now)}</div>"
            )
        )

    def close(self) -> None:
        self._handle.update(self._html(""))


def _notebook_bar() -> _Shown | None:
    if not _in_notebook():
        return None
    shown = importlib.import_module("IPython.display")
    return _Page(shown.display, shown.HTML)
