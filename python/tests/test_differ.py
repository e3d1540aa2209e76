"""Files of other programs' dialects, read by countpm and by a second reader (differ/README.md); long runs are python -m differ."""

import warnings
from random import Random

import countpm
import pytest
from differ.judge import DIALECTS, FORMATS, PACKAGES, dialects_here, drawn_case, judged, read_by_second
from differ.networks import Network, Refused, network, number, sums
from differ.variants import judged_variant, variants

HERE = dialects_here()


@pytest.mark.parametrize("seed", range(4))
def test_mutated_files_agree_or_are_warned_of(seed):
    found = [str(verdict) for at in range(750) for verdict in [judged(*drawn_case(Random(f"ci {seed} {at}"), HERE))] if verdict.found]
    assert not found, "\n".join(found)


def test_unharmed_files_are_right_or_refused_with_their_readings():
    found = [str(verdict) for verdict in (judged_variant(*variant) for variant in variants(300, 1, HERE)) if verdict.found]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", HERE)
def test_second_readers_read_what_was_written(name):
    for at in range(5):
        case = HERE[name][1](Random(f"written {at}"))
        data = case.file if isinstance(case.file, bytes) else case.file.encode()
        second = read_by_second(case, data)
        assert second is not None
        assert sums(second) == pytest.approx(sums(case.truth))


def test_only_what_is_not_there_is_left_out():
    assert set(DIALECTS) - set(HERE) <= set(FORMATS) | set(PACKAGES)


def test_a_reader_that_takes_another_graph_is_found(monkeypatch):
    name = "edge list (networkx)"
    case = HERE[name][1](Random("found"))
    other = countpm.read(b"#! vertex lone\n" + case.file.encode(), weight=case.weight, kind=case.kind, format="edgelist")
    monkeypatch.setattr(countpm, "read", lambda *given, **options: other)
    assert judged(name, case, case.file.encode(), "option").found
    monkeypatch.setattr(countpm, "read", lambda *given, **options: warnings.warn("so", countpm.CountpmWarning, stacklevel=1) or other)
    assert judged(name, case, case.file.encode(), "option").outcome == "warned"


def test_sums_are_those_of_the_definition():
    square = network("undirected", [("a", "b", 2), ("b", "c", 3), ("c", "d", 5), ("d", "a", 7)])
    assert sums(square) == (2 * 5 + 3 * 7, 1 + 17 + 31)
    assert sums(network("bipartite", [(0, 0, 1), (0, 1, 2), (1, 0, 3), (1, 1, 4)])) == (10, 1 + 10 + 10)
    assert sums(network("directed", [("a", "b", 2), ("b", "a", 3), ("a", "a", 4), ("b", "b", 5)]))[0] == 26
    assert sums(Network("bipartite", ("a",), ("b", "c"), {("a", "b"): 1}))[0] == 0


def test_numbers_are_what_formats_have():
    assert (number("3"), number("1/2") * 2, number("1+2j")) == (3, 1, 1 + 2j)
    for text in ("1_000", "nan", "inf", "1/0", "j"):
        with pytest.raises(Refused):
            number(text)
