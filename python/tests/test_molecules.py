"""Molecules: Kekulé structures, bond orders, and what RDKit hands over."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
from fractions import Fraction

import countpm
import pytest


def test_naphthalene_by_its_boundary():
    known = countpm.kekule("lattice:benzenoid:55")
    assert (known.structures, known.unpaired, known.formula) == (3, 0, None)
    assert known.orders["C5", "C6"] == known.orders["C6", "C5"] == Fraction(1, 3)
    assert sum(known.orders.values()) == 5
    assert (known.clar_number, known.clar_covering_polynomial) == (1, (3, 2))


def test_buckminsterfullerene():
    known = countpm.kekule("lattice:fullerene:60:1,7,9,11,13,15,18,20,22,24,26,32")
    assert known.structures == 12500
    assert sorted(set(known.orders.values())) == [Fraction(7, 25), Fraction(11, 25)]


def test_no_structure():
    known = countpm.kekule("lattice:benzenoid:424242")
    assert (known.structures, known.unpaired, known.orders) == (0, 2, {})


def test_a_file_of_xyz(tmp_path):
    path = tmp_path / "ethene.xyz"
    path.write_text("2\nethene without its hydrogens\nC 0 0 0\nC 1.33 0 0\n")
    known = countpm.kekule(path)
    assert known.orders == {("C1", "C2"): 1}
    assert known.formula is None
    assert any("covalent radii" in note for note in known.notes)


def test_directed_graphs_are_refused():
    with pytest.raises(countpm.InputError, match="undirected"):
        countpm.kekule(countpm.Graph([(0, 1), (1, 0)], kind="directed"))


def test_molecules_of_rdkit():
    chem = pytest.importorskip("rdkit.Chem")
    naphthalene = chem.MolFromSmiles("c1ccc2ccccc2c1")
    known = countpm.kekule(naphthalene)
    assert known.structures == 3
    assert known.orders[0, 1] == Fraction(1, 3)  # RDKit's own numbers of atoms
    assert countpm.perfect_matchings(naphthalene) == 3
    assert len(list(countpm.iter_matchings(naphthalene))) == 3
    phenol = countpm.Graph(chem.MolFromSmiles("Oc1ccccc1"))
    assert list(phenol.nodes) == [1, 2, 3, 4, 5, 6]
    with pytest.raises(countpm.InputError, match="bonds have none"):
        countpm.perfect_matchings(naphthalene, weight="order")


def test_cumulenes_have_the_structure_that_is_drawn():
    chem = pytest.importorskip("rdkit.Chem")
    for smiles, structures in (("C=C=C", 1), ("C=C=C=C", 1), ("O=C=O", 1), ("C=C=Cc1ccccc1", 2), ("C=CC=C=C", 1)):
        molecule = chem.MolFromSmiles(smiles)
        known = countpm.kekule(molecule)
        assert (known.structures, known.no_pi_system) == (structures, None), smiles
        assert any("two double bonds" in note for note in known.notes)
        assert len(chem.ResonanceMolSupplier(molecule, chem.KEKULE_ALL)) == structures  # RDKit's own


def test_a_molecule_without_a_pi_system_is_no_error():
    chem = pytest.importorskip("rdkit.Chem")
    known = countpm.kekule(chem.MolFromSmiles("CCO"))
    assert known.structures is None
    assert known.no_pi_system is not None and "only single bonds" in known.no_pi_system
    assert known.orders == {}
    with pytest.raises(countpm.InputError, match="a molecule with only single bonds"):
        countpm.perfect_matchings(chem.MolFromSmiles("CCO"))


def _library(chem, damaged: bool) -> str:
    blocks = [chem.MolToMolBlock(chem.MolFromSmiles(smiles)) for smiles in ("c1ccccc1", "C=C=C", "CCO", "C1=CC=C2C=CC=CC2=C1")]
    if damaged:
        blocks[1] = blocks[1].replace("  1  2  2", "  1  9  2")
    return "".join(block + "$$$$\n" for block in blocks)


def test_the_molecules_of_an_sdf(tmp_path):
    chem = pytest.importorskip("rdkit.Chem")
    path = tmp_path / "library.sdf"
    path.write_text(_library(chem, False))
    assert [known.structures for known in countpm.kekule_many(path)] == [2, 1, None, 3]
    assert [known.structures for known in countpm.kekule_many(path.read_bytes())] == [2, 1, None, 3]
    assert [known.structures for known in countpm.kekule_many(chem.SDMolSupplier(str(path)))] == [2, 1, None, 3]
    assert [known.structures for known in countpm.kekule_many(countpm.read_many(path, errors="return"))] == [2, 1, None, 3]
    path.write_text(_library(chem, True))
    found = list(countpm.kekule_many(path, errors="return"))
    assert isinstance(found[1], countpm.InputError) and found[1].line is not None and found[1].file == str(path)
    assert [known.structures for known in (found[0], found[2], found[3])] == [2, None, 3]
    with pytest.raises(countpm.InputError, match="expected an atom from 1 to 3, found 9"):
        list(countpm.kekule_many(path))
    with pytest.raises(countpm.InputError, match="None, which RDKit hands out"):
        list(countpm.kekule_many([None]))
    with pytest.raises(countpm.InputError, match="read_many"):
        countpm.kekule(path)


def test_files_of_smiles(tmp_path):
    chem = pytest.importorskip("rdkit.Chem")
    path = tmp_path / "some.smi"
    path.write_text("smiles name\nc1ccccc1 benzene\n\nC1=CC=C2C=CC=CC2=C1\tnaphthalene\nCCO\n[nH]1cccc1\n")
    assert [known.structures for known in countpm.kekule_many(path)] == [2, 3, None, 1]
    data = gzip.compress(path.read_bytes())
    assert [known.structures for known in countpm.kekule_many(countpm.read_many(data, format="smiles", errors="return"))] == [2, 3, None, 1]
    with pytest.raises(countpm.InputError, match="one molecule .*found 4 SMILES"):
        countpm.read(path)
    with pytest.raises(countpm.InputError, match="no weight: SMILES have none"):
        countpm.read(path, weight=True)
    path.write_text("c1ccccc1 benzene\n")
    assert countpm.read(path).nodes == [0, 1, 2, 3, 4, 5]
    assert countpm.perfect_matchings(path) == 2
    path.write_text("c1ccccc1\n\nC1CC\nCC\n")
    found = list(countpm.read_many(path, errors="return"))
    assert [getattr(one, "line", None) for one in found] == [None, 3, 4]
    assert str(found[1]).startswith(f"{path}:3: expected a SMILES that RDKit can read")
    with pytest.raises(countpm.InputError, match="No such file"):
        countpm.read(tmp_path / "none.smi")
    with pytest.raises(countpm.InputError, match=r"a SMILES: from_smiles\('c1ccccc1'\)"):
        countpm.kekule("c1ccccc1")
    assert chem is not None


def test_without_rdkit_smiles_say_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "rdkit", None)
    path = tmp_path / "benzene.smi"
    path.write_text("c1ccccc1\n")
    with pytest.raises(ImportError, match="RDKit, which is not installed: pip install rdkit"):
        countpm.read(path)
    with pytest.raises(ImportError, match="RDKit, which is not installed: pip install rdkit"):
        countpm.from_smiles("c1ccccc1")


@pytest.mark.parametrize("smiles", ["c1ccccc1", "C/C=C\\C", "C=C=C", "[nH]1cccc1"])
def test_the_line_that_the_command_shows_for_smiles(tmp_path, smiles):
    pytest.importorskip("rdkit")
    path = tmp_path / "one.smi"
    path.write_text(smiles + "\n")
    for given in (smiles, str(path)):
        command = subprocess.run([sys.executable, "-m", "countpm", "chem", given], capture_output=True, text=True)
        assert command.returncode == 2
        shown = re.search(r'python3 -c "[^"]*"', command.stderr)
        assert shown is not None, command.stderr
        answer = subprocess.run(shown[0].replace("python3", sys.executable, 1), shell=True, capture_output=True, text=True)
        assert answer.stdout == f"{countpm.kekule(countpm.from_smiles(smiles)).structures}\n", answer.stderr


def test_smiles():
    pytest.importorskip("rdkit")
    for smiles, structures in [
        ("c1ccccc1", 2), ("c1cc[nH]c1", 1), ("c1ccc2[nH]ccc2c1", 2), ("c1ccc(cc1)-c1ccccc1", 4), ("O=C1C=CC(=O)C=C1", 1),
        ("c1cc2ccc3ccc4ccc5ccc6ccc1c7c2c3c4c5c67", 20),
    ]:
        assert countpm.kekule(countpm.from_smiles(smiles)).structures == structures
    with pytest.raises(countpm.InputError, match="SMILES"):
        countpm.from_smiles("c1ccc")
