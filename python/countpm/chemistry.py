"""Molecules: Kekulé structures and Pauling bond orders."""

from __future__ import annotations

import io
import json
import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Unpack

from . import _core
from .answers import Answer
from .convert import PERFECT_MATCHINGS, graph_of
from .errors import Error, InputError, input_error
from .graphs import Graph
from .listing import EdgeValues
from .many import Errors, read_many
from .options import Options, choice, part
from .progress import reporter
from .smiles import smiles_molecule

__all__ = ["Kekule", "from_smiles", "kekule", "kekule_many"]


@dataclass(frozen=True)
class Kekule(Answer):
    """What :func:`countpm.kekule` knows of a molecule; an :class:`countpm.Answer`, always exact, whose ``value`` is ``structures``.

    Attributes:
        structures: how many Kekulé structures there are; None where the molecule has no pi system, as :attr:`no_pi_system` says.
        orders: {(atom, atom): Fraction}, the Pauling bond orders: the share of the structures in which the bond is double.
            A bond is taken in either direction. Empty where there is no structure.
        unpaired: how many atoms of the pi system have no double bond, however the others are paired.
        clar_covering_polynomial: how many covers there are by 0, 1, 2, ... hexagons that share no atom and by double bonds for all
            other atoms (the Zhang-Zhang polynomial); None where there is no structure, and where it takes more than some seconds,
            as a note says (:func:`countpm.clar_covering_polynomial` takes its time).
        clar_number: the most hexagons of such a cover; or None, likewise.
        formula: "C24H12", of a molecule whose hydrogens are in the input; else None.
        notes: which atoms were left out of the pi system, and what else was assumed.
        no_pi_system: why there is none, "it has only single bonds", where no atom brings an electron; else None.
    """

    structures: int | None
    orders: EdgeValues
    unpaired: int
    formula: str | None
    notes: tuple[str, ...]
    clar_number: int | None
    clar_covering_polynomial: tuple[int, ...] | None
    no_pi_system: str | None
    json: dict[str, Any] = field(repr=False, compare=False, default_factory=dict)
    seconds: float = field(default=0.0, compare=False, repr=False)

    @property
    def value(self) -> int | None:
        return self.structures

    @property
    def exact(self) -> bool:
        return True

    @property
    def error(self) -> float:
        return 0.0

    @property
    def method(self) -> str:
        return "kekule"

    def _facts(self) -> list[tuple[str, object]]:
        largest = max(self.orders.values(), default=None)
        return [
            ("formula", self.formula),
            ("no pi system", self.no_pi_system),
            ("atoms without a double bond", self.unpaired),
            ("Clar number", self.clar_number),
            ("largest bond order", largest),
        ]


def kekule(molecule: object, **options: Unpack[Options]) -> Kekule:
    """A molecule's Kekulé structures, counted, and its Pauling bond orders.

    Args:
        molecule: an RDKit ``Mol``, whose atoms are then known by their indices; a mol, SDF or xyz file, ``"lattice:..."``
            or what :func:`countpm.read` gives, with labels such as "C1"; or any undirected graph that
            :class:`countpm.Graph` takes. Weights play no part. A file of one molecule: of several, :func:`kekule_many`.
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
    start = time.monotonic()
    wanted: Any = options
    reading, core, progress = part(wanted)
    try:
        given = graph_of(molecule, PERFECT_MATCHINGS, reading)
    except InputError as error:
        if isinstance(molecule, str) and error.found == "No such file or directory":
            raise input_error(molecule, "a file, or lattice:...", f"no file of that name (a SMILES: from_smiles({molecule!r}))") from error
        return _of_error(error)
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
        None,
        known,
        time.monotonic() - start,
    )


def _of_error(error: InputError) -> Kekule:
    """Of a molecule that was read, and that has no pi system; any other error is raised."""
    if error._kekule is None:
        raise error
    known = json.loads(error._kekule)
    return Kekule(None, EdgeValues(), 0, known["formula"], tuple(known["notes"]), None, None, known["no_pi_system"], known)


def kekule_many(
    molecules: str | os.PathLike[str] | io.BufferedIOBase | io.TextIOBase | bytes | Iterable[object],
    *,
    errors: Errors = "raise",
    **options: Unpack[Options],
) -> Iterator[Any]:
    """The Kekulé structures of many molecules, one after another: of all in an SDF, say, or in a file of SMILES.

    Args:
        molecules: a file, or bytes, with one molecule or several (SDF, SMILES by RDKit, planar_code, graph6: what
            :func:`countpm.read_many` reads), or any iterable of what :func:`countpm.kekule` takes: RDKit's suppliers, for instance.
        errors: a molecule that cannot be read or counted is an exception that ends it (``"raise"``), or that is handed out in its
            place (``"return"``).
        **options: as for :func:`countpm.kekule`; limits hold for each molecule by itself.

    Returns:
        An iterator over :class:`Kekule`. A molecule without a pi system is one whose ``structures`` is None, and no error.

    >>> import countpm
    >>> [known.structures for known in countpm.kekule_many(["lattice:benzenoid:6", "lattice:benzenoid:55"])]
    [2, 3]
    """
    choice("errors", errors, ("raise", "return"))
    wanted: Any = options
    reading, _, _ = part(wanted)  # what is wrong with the options is wrong with all molecules
    if isinstance(molecules, (str, os.PathLike, bytes)) or hasattr(molecules, "read"):
        known = {name: value for name, value in reading.items() if name in ("kind", "multi", "loops")}
        source: Any = molecules
        molecules = read_many(source, errors="return", **known)
        wanted = {name: value for name, value in wanted.items() if name not in known}
    return _kekule_each(iter(molecules), errors, wanted)


def _kekule_each(molecules: Iterator[object], errors: Errors, options: Any) -> Iterator[Any]:
    for molecule in molecules:
        try:
            if isinstance(molecule, InputError):
                yield _of_error(molecule)
                continue
            if molecule is None:
                raise input_error("<molecule>", "a molecule", "None, which RDKit hands out for what it cannot read")
            if isinstance(molecule, Exception):
                raise molecule
            yield kekule(molecule, **options)
        except Error as error:
            if errors == "raise":
                raise
            yield error


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
    return Graph(smiles_molecule(smiles, "<SMILES>", "countpm.from_smiles()"), **reading)
