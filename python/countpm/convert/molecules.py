"""Molecules of RDKit, by way of the molfile that RDKit writes."""

from __future__ import annotations

import re
import sys
from typing import Any

from .. import _core
from ..errors import input_error
from ..graphs import Graph
from .request import Request

__all__ = ["from_rdkit"]

_MOST_V2000 = 999  # atoms or bonds


def from_rdkit(given: Any, request: Request) -> Graph:
    """The pi system of a molecule (docs/formats-molecules.md); vertices are RDKit's indices of its atoms."""
    where = f"<rdkit {type(given).__name__}>"
    if not hasattr(given, "GetAtoms") or not hasattr(given, "GetBonds"):
        raise input_error(where, "an RDKit Mol", f"a {type(given).__name__}")
    kind = request.network_kind(where, False)
    if request.weight not in (None, False):
        raise input_error(where, "no weight: bonds have none", f"weight={request.weight!r}")
    chem: Any = sys.modules["rdkit.Chem"]
    large = max(given.GetNumAtoms(), given.GetNumBonds()) > _MOST_V2000
    text = chem.MolToMolBlock(given, forceV3000=large)
    options: dict[str, Any] = {
        "format": "mol",
        "kind": "directed" if kind == "symmetric" else kind,
        "symmetric": kind == "symmetric",
        "weights": False,
        "multi": request.multi,
        "loops": request.loops,
        "remove": (),
    }
    core = _core.Graph.from_bytes(text.encode(), where, **options)
    # Labels are the element and the number from 1.
    numbers = [int(re.sub(r"\D", "", label)) - 1 for label in core.left_labels()]
    return Graph._of(core, numbers)
