"""What Jupyter shows of results and graphs: small tables and a picture, everything escaped, nothing loaded from elsewhere."""

from __future__ import annotations

import html
import math
from typing import Any

from . import _core
from .graphs import Graph
from .results import MOST_DRAWN, Estimate, Explanation, Result, Violator
from .values import short

__all__ = ["graph_page", "page_of"]

_MOST_ROWS = 12


def page_of(report: Any) -> str:
    """A result, an explanation or an estimate as HTML."""
    if isinstance(report, Result):
        parts = _result(report)
    elif isinstance(report, Explanation):
        parts = _explanation(report)
    else:
        parts = _estimate(report)
    if report.violator is not None:
        parts.append(_violator(report.violator))
    parts += [f"<p>{_text(note)}</p>" for note in report.notes]
    if report._graph is not None:
        parts.append(_picture(report._graph))
    return f"<div class='countpm'>{''.join(parts)}</div>"


def graph_page(graph: Graph) -> str:
    """A graph as a line of text and, where it is small, a picture."""
    return f"<div class='countpm'><p>{_text(repr(graph))}</p>{_picture(graph)}</div>"


def _text(value: object) -> str:
    return html.escape(str(value))


def _table(head: tuple[str, ...], rows: list[tuple[object, ...]]) -> str:
    if not rows:
        return ""
    shown = [f"<tr>{''.join(f'<th>{_text(cell)}</th>' for cell in head)}</tr>"]
    shown += [f"<tr>{''.join(f'<td>{_text(cell)}</td>' for cell in row)}</tr>" for row in rows[:_MOST_ROWS]]
    if len(rows) > _MOST_ROWS:
        shown.append(f"<tr><td colspan='{len(head)}'>{len(rows) - _MOST_ROWS} more</td></tr>")
    return f"<table>{''.join(shown)}</table>"


def _details(title: str, body: str) -> str:
    return f"<details><summary>{_text(title)}</summary>{body}</details>" if body else ""


def _result(result: Result) -> list[str]:
    how = f"{result.method} on the {result.device}, {result.seconds['total']:.3g} s"
    sure = "exact" if result.exact else f"at most {result.error:.3g} away from the true value"
    return [
        f"<p><b style='overflow-wrap:anywhere'>{_text(short(result.value, result.log10))}</b> {_text(result.problem)}</p>",
        f"<p>{_text(how)}; {_text(sure)}{', proved' if result.proved else ''}</p>",
        _details(
            "Blocks",
            _table(
                ("rows", "edges", "method", "seconds", "predicted"),
                [(b.rows, b.edges, b.method, f"{b.seconds:.3g}", f"{b.predicted_seconds:.3g}") for b in result.blocks],
            ),
        ),
        _details(
            "Checks",
            _table(
                ("check", "", "what was compared"),
                [(c.name, "does not apply" if c.ok is None else "passed", c.detail) for c in result.checks],
            ),
        ),
    ]


def _explanation(explanation: Explanation) -> list[str]:
    parts = [f"<p>{_text(explanation)}</p>"]
    for number, block in enumerate(explanation.blocks[:3], 1):
        rows: list[tuple[object, ...]] = []
        for m in sorted(block.methods, key=lambda m: math.inf if m.log10_seconds is None else m.log10_seconds):
            time = m.obstacle if m.log10_seconds is None or m.obstacle else f"10^{m.log10_seconds:.1f} s"
            rows.append(("*" if m.chosen else "", m.method, time))
        parts.append(_details(f"Block {number}: {block.rows} rows, {block.edges} edges", _table(("", "method", "time"), rows)))
    return parts


def _estimate(estimate: Estimate) -> list[str]:
    parts = [f"<p><b>{_text(estimate)}</b></p>"]
    if estimate.doubt:
        parts.append(f"<p>In doubt: {_text(estimate.doubt)}</p>")
    parts.append(f"<p>{estimate.samples} samples by {_text(estimate.sampler)}</p>")
    return parts


def _violator(violator: Violator) -> str:
    def names(nodes: tuple[Any, ...]) -> str:
        shown = ", ".join(_text(node) for node in nodes[:_MOST_ROWS])
        return shown + (f", ... {len(nodes) - _MOST_ROWS} more" if len(nodes) > _MOST_ROWS else "")

    if violator.odd_components:
        return (
            f"<p>0 since without {names(violator.neighbours)} there are {len(violator.odd_components)} components of an odd "
            f"number of vertices, more than the {len(violator.neighbours)} vertices taken away</p>"
        )
    return (
        f"<p>0 since {_text(violator.side)} {names(violator.vertices)} have only the neighbours {names(violator.neighbours)} "
        f"({len(violator.neighbours)} against {len(violator.vertices)})</p>"
    )


def _picture(graph: Graph) -> str:
    if graph.number_of_vertices > MOST_DRAWN or graph.number_of_edges == 0:
        return ""
    svg = _core.picture(graph.core)
    start = svg.find("<svg")
    return f"<figure style='margin:0;max-width:32em'>{svg[start:]}</figure>" if start >= 0 else ""
