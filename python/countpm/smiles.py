"""SMILES: molecules as text, which RDKit reads."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from typing import Any

from .errors import InputError, input_error

__all__ = ["is_smiles_file", "on_line", "smiles_lines", "smiles_molecule"]

_ENDINGS = (".smi", ".smiles")
_GZIP = b"\x1f\x8b"


def is_smiles_file(argument: str, format: str | None) -> bool:
    """Whether lines of SMILES are meant: by the format, or by the ending of the file's name."""
    if format is not None:
        return format == "smiles"
    return argument.lower().removesuffix(".gz").endswith(_ENDINGS)


def smiles_molecule(smiles: str, where: str, what: str) -> Any:
    """RDKit's molecule."""
    try:
        from rdkit import Chem
    except ImportError as error:
        raise ImportError(f"{what} reads SMILES by RDKit, which is not installed: pip install rdkit") from error
    molecule = Chem.MolFromSmiles(smiles)
    if molecule is None:
        raise input_error(where, "a SMILES that RDKit can read", repr(smiles))
    return molecule


def _bytes_of(path: str) -> bytes:
    try:
        with open(os.fsencode(path), "rb") as file:
            return file.read()
    except OSError as error:
        raise input_error(path, "a readable file", error.strerror or str(error)) from error


def smiles_lines(argument: str, data: bytes | None) -> Iterator[tuple[int, Any]]:
    """RDKit's molecules with their lines, and an InputError in place of one that RDKit cannot read.

    A line is a SMILES, then blanks and a name, which plays no part. Blank lines are passed over, and so is a header, whose first word
    is SMILES.
    """
    if data is None:
        data = _bytes_of(argument)
    if data.startswith(_GZIP):
        data = gzip.decompress(data)
    for number, line in enumerate(data.decode("utf-8-sig", "replace").splitlines(), 1):
        words = line.split()
        if not words or (number == 1 and words[0].lower() in ("smiles", "canonical_smiles")):
            continue
        try:
            yield number, smiles_molecule(words[0], argument, argument)
        except InputError as error:
            yield number, on_line(number, argument, error)


def on_line(number: int, file: str, error: InputError) -> InputError:
    """The error of a molecule that stands there."""
    placed = input_error(f"{file}:{number}", error.expected, error.found)
    placed.file, placed.line, placed._kekule = file, number, error._kekule
    return placed
