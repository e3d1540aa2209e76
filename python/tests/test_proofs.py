"""Counts that carry a proof (docs/proofs.md)."""

import json

import pytest

import countpm


def test_a_count_has_the_proof_that_was_asked_for():
    result = countpm.count("lattice:square:4x4", proof=True)
    proof = json.loads(result.proof)
    assert proof["format"] == "countpm-proof 2"
    assert proof["count"] == str(result.value) == "36"
    assert proof["vertices"] == 16
    assert len(proof["rounds"]) == 16
    assert countpm.count("lattice:square:4x4").proof is None
    assert countpm.count("lattice:square:4x4", proof=False).proof is None


def test_a_proof_is_written_into_a_new_file(tmp_path):
    file = tmp_path / "proof.json"
    result = countpm.count([[1, 2], [3, 4]], "permanent", proof=file)
    assert file.read_text() == result.proof
    assert json.loads(result.proof)["count"] == "10"
    with pytest.raises(countpm.UsageError, match="is there already"):
        countpm.count([[1, 2], [3, 4]], "permanent", proof=file)


def test_what_has_no_proof_is_refused(tmp_path):
    file = tmp_path / "proof.json"
    with pytest.raises(countpm.UnableError, match="there is no proof of this"):
        countpm.count([[0.5, 1.5], [2.5, 1.0]], "permanent", proof=file)
    assert not file.exists()
    with pytest.raises(countpm.UsageError, match="proof: expected"):
        countpm.count("lattice:square:4x4", proof=7)
    with pytest.raises(countpm.UsageError, match="count\\(\\) makes proofs"):
        countpm.perfect_matchings("lattice:square:4x4", proof=True)
