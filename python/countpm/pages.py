"""What Jupyter shows of graphs: a line of text and a picture, everything escaped, nothing loaded from elsewhere."""

from __future__ import annotations

import html

from . import _core
from .graphs import Graph
from .results import MOST_DRAWN, MOST_DRAWN_EDGES

__all__ = ["graph_page"]


def graph_page(graph: Graph) -> str:
    """A graph as a line of text and, where it is small, a picture."""
    words = repr(graph).strip("<>")
    return f"<div class='countpm'><p>{html.escape(words)}</p>{_picture(graph)}</div>"


def _picture(graph: Graph) -> str:
    if graph.number_of_vertices > MOST_DRAWN or not 0 < graph.number_of_edges <= MOST_DRAWN_EDGES:
        return ""
    svg = _core.picture(graph.core)
    start = svg.find("<svg")
    return f"<figure style='margin:0;max-width:32em'>{svg[start:]}</figure>" if start >= 0 else ""
