"""Molecules: Kekulé structures, bond orders, and what RDKit hands over."""

from __future__ import annotations

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


def test_allene_is_told_that_its_bonds_stay():
    chem = pytest.importorskip("rdkit.Chem")
    for smiles, where in (("C=C=C", "an atom"), ("C=C=C=C", "2 atoms")):
        with pytest.raises(countpm.InputError, match=f"double and triple bonds all stay where they are, at {where} with two of them") as caught:
            countpm.kekule(chem.MolFromSmiles(smiles))
        assert "single bonds alone" not in str(caught.value)
    with pytest.raises(countpm.InputError, match="a molecule with single bonds alone"):
        countpm.kekule(chem.MolFromSmiles("CCO"))


def test_smiles():
    pytest.importorskip("rdkit")
    for smiles, structures in [
        ("c1ccccc1", 2), ("c1cc[nH]c1", 1), ("c1ccc2[nH]ccc2c1", 2), ("c1ccc(cc1)-c1ccccc1", 4), ("O=C1C=CC(=O)C=C1", 1),
        ("c1cc2ccc3ccc4ccc5ccc6ccc1c7c2c3c4c5c67", 20),
    ]:
        assert countpm.kekule(countpm.from_smiles(smiles)).structures == structures
    with pytest.raises(countpm.InputError, match="SMILES"):
        countpm.from_smiles("c1ccc")
