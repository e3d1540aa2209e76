"""Molecules: Kekulé structures and Pauling bond orders."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Unpack

from . import _core
from .convert import PERFECT_MATCHINGS, graph_of
from .errors import input_error
from .graphs import Graph
from .listing import EdgeValues
from .options import Options, part
from .progress import reporter

__all__ = ["Kekule", "from_smiles", "kekule"]


@dataclass(frozen=True)
class Kekule:
    """What :func:`countpm.kekule` knows of a molecule.

    Attributes:
        structures: how many Kekulé structures there are.
        orders: {(atom, atom): Fraction}, the Pauling bond orders: the share of the structures in which the bond is double.
            A bond is taken in either direction. Empty where there is no structure.
        unpaired: how many atoms of the pi system have no double bond, however the others are paired.
        clar_covering_polynomial: how many covers there are by 0, 1, 2, ... hexagons that share no atom and by double bonds for all
            other atoms (the Zhang-Zhang polynomial); None where there is no structure, and where it takes more than some seconds,
            as a note says (:func:`countpm.clar_covering_polynomial` takes its time).
        clar_number: the most hexagons of such a cover; or None, likewise.
        formula: "C24H12", of a molecule whose hydrogens are in the input; else None.
        notes: which atoms were left out of the pi system, and what else was assumed.
    """

    structures: int
    orders: EdgeValues
    unpaired: int
    formula: str | None
    notes: tuple[str, ...]
    clar_number: int | None
    clar_covering_polynomial: tuple[int, ...] | None
    json: dict[str, Any] = field(repr=False)


def kekule(molecule: object, **options: Unpack[Options]) -> Kekule:
    """A molecule's Kekulé structures, counted, and its Pauling bond orders.

    Args:
        molecule: an RDKit ``Mol``, whose atoms are then known by their indices; a mol, SDF or xyz file, ``"lattice:..."``
            or what :func:`countpm.read` gives, with labels such as "C1"; or any undirected graph that
            :class:`countpm.Graph` takes. Weights play no part.
        **options: :class:`countpm.Options`; above all ``time_limit``.

    Returns:
        A :class:`Kekule`. The structures themselves: :func:`countpm.iter_matchings`.

    Which atoms and bonds are the pi system: docs/formats-molecules.md. Time as of a count and of marginals, which is
    polynomial where the molecule is planar as a graph (Kasteleyn, J. Math. Phys. 4 (1963) 287).

    >>> import countpm
    >>> naphthalene = countpm.kekule("lattice:benzenoid:55")
    >>> naphthalene.structures, naphthalene.orders["C5", "C6"]
    (3, Fraction(1, 3))
    >>> naphthalene.clar_number, naphthalene.clar_covering_polynomial
    (1, (3, 2))
    """
    wanted: Any = options
    reading, core, progress = part(wanted)
    given = graph_of(molecule, PERFECT_MATCHINGS, reading)
    with reporter(progress) as report:
        raw = _core.kekule(given.core, core, report)
    known = json.loads(raw["json"])
    orders = EdgeValues(zip(given.edges(), (Fraction(*order) for order in raw["orders"])))
    covers = known["clar_covers"]
    return Kekule(
        raw["structures"],
        orders,
        known["unpaired"],
        known["formula"],
        tuple(known["notes"]),
        known["clar_number"],
        None if covers is None else tuple(map(int, covers)),
        known,
    )


def from_smiles(smiles: str, **reading: Any) -> Graph:
    """The pi system of a molecule that a SMILES spells, by RDKit, which must be installed.

    Args:
        smiles: "c1ccccc1".
        **reading: ``kind``, as for :class:`countpm.Graph`.

    Returns:
        A :class:`countpm.Graph`; its vertices are the places of the atoms in the SMILES, from 0.

    Raises:
        ImportError: without RDKit (``pip install rdkit``). InputError: where RDKit cannot read the SMILES.

    >>> import countpm
    >>> countpm.kekule(countpm.from_smiles("c1ccccc1")).structures
    2
    """
    try:
        from rdkit import Chem
    except ImportError as error:
        raise ImportError("countpm.from_smiles() reads SMILES by RDKit: pip install rdkit") from error
    molecule = Chem.MolFromSmiles(smiles)
    if molecule is None:
        raise input_error("<SMILES>", "a SMILES that RDKit can read", repr(smiles))
    return Graph(molecule, **reading)
