"""Every mistake with its exception and the words that it is told in."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import pytest
import rustworkx as rx
import scipy.sparse

import countpm

NAN, INFINITY = float("nan"), float("inf")
FRAME = pd.DataFrame({"source": [0, 1], "target": [1, 2]})
RUST = rx.PyGraph()
RUST.add_nodes_from(range(2))
RUST.add_edge(0, 1, "heavy")
NAMELESS = igraph.Graph([(0, 1)])

MISTAKES = [
    # numbers that are none
    (countpm.permanent, [[1, NAN], [1, 1]], {}, "<matrix>", "finite numbers", "nan in row 0, column 1"),
    (countpm.permanent, np.array([[1, 1], [NAN, 1]]), {}, "<matrix>", "finite numbers", "nan in row 1, column 0"),
    (countpm.perfect_matchings, np.array([[1, 1], [NAN, 1]]), {}, "<matrix>", "finite numbers", "nan in row 1, column 0"),
    (countpm.perfect_matchings, [[1, 1], [NAN, 1]], {}, "<matrix>", "finite numbers", "nan in row 1, column 0"),
    (countpm.permanent, scipy.sparse.csr_array([[1, INFINITY], [1, 1]]), {}, "<sparse matrix>", "finite numbers", "inf in row 0, column 1"),
    (countpm.hafnian, np.array([[0, NAN], [NAN, 0]]), {}, "<matrix>", "finite numbers", "nan in row 0, column 1"),
    (countpm.permanent, [[complex(1, NAN)]], {}, "<matrix>", "finite numbers", "(1+nanj) in row 0, column 0"),
    (countpm.perfect_matchings, [("a", "b", NAN)], {"weight": True}, "<edges>", "finite numbers", "nan at the edge from 'a' to 'b'"),
    (countpm.permanent, [[1, "2"]], {}, "<matrix>", "a number", "2 of type str in row 0, column 1"),
    (countpm.permanent, np.array([[1, None]], dtype=object), {}, "<matrix>", "a number", "None of type NoneType in row 0, column 1"),
    (countpm.perfect_matchings, [(0, 1, "x+1")], {"weight": True}, "<edges>", "a number", "x+1 of type str at the edge from 0 to 1"),
    (countpm.perfect_matchings, RUST, {"weight": True}, "<rustworkx PyGraph>", "a number", "heavy of type str at the edge from 0 to 1"),
    (countpm.permanent, np.array([["a"]]), {}, "<matrix>", "numbers", "an array of dtype <U1"),
    (countpm.permanent, np.array([["2020-01-01"]], dtype="datetime64[D]"), {}, "<matrix>", "numbers", "an array of dtype datetime64[D]"),
    (countpm.permanent, np.ones((2, 2), dtype=np.longdouble), {}, "<matrix>", "float64, complex128 or exact numbers", f"an array of dtype {np.dtype(np.longdouble)}"),
    (countpm.permanent, [[2**60 + 1, 0.5], [1, 1]], {}, "<matrix>", "numbers of one kind, or exact=True", "floats, and 1152921504606846977 in row 0, column 0, which no float equals"),
    # shapes
    (countpm.permanent, [[1, 2], [3]], {}, "<matrix>", "2 numbers in every row", "1 in row 1"),
    (countpm.permanent, [1, 2], {}, "<matrix>", "rows of numbers", "an object of type int as row 0"),
    (countpm.permanent, ["12", "34"], {}, "<matrix>", "rows of numbers", "an object of type str as row 0"),
    (countpm.hafnian, np.ones((2, 3)), {}, "<matrix>", "a square matrix for an undirected graph", "2 rows and 3 columns"),
    (countpm.cycle_covers, np.ones((2, 3)), {}, "<matrix>", "a square matrix for a directed graph", "2 rows and 3 columns"),
    (countpm.permanent, np.ones(3), {}, "<matrix>", "a matrix of two dimensions", "an array of shape (3,)"),
    (countpm.permanent, np.ones((2, 2, 2)), {}, "<matrix>", "a matrix of two dimensions", "an array of shape (2, 2, 2)"),
    (countpm.permanent, np.ma.masked_array(np.ones((2, 2)), mask=np.eye(2)), {}, "<matrix>", "an array without a mask", "a masked one (filled() gives its entries values)"),
    # symmetry and loops
    (countpm.hafnian, [[0, 1], [2, 0]], {}, "<matrix>", "a symmetric matrix", "1 in row 0, column 1 and 2 in row 1, column 0"),
    (countpm.hafnian, np.array([[0, 1], [2, 0]]), {}, "<matrix>", "a symmetric matrix", "1 in row 0, column 1 and 2 in row 1, column 0"),
    (countpm.hafnian, np.array([[0, 1], [0, 0]]), {}, "<matrix>", "a symmetric matrix", "1 in row 0, column 1 and 0 in row 1, column 0"),
    (countpm.hafnian, scipy.sparse.csr_array([[0, 1], [2, 0]]), {}, "<sparse matrix>", "a symmetric matrix", "1 in row 0, column 1 and 2 in row 1, column 0"),
    (countpm.perfect_matchings, np.eye(2, dtype=int), {"kind": "undirected"}, "<matrix>", "zeros on the diagonal (loops='drop' leaves it out)", "an entry in row 0, column 0"),
    (countpm.perfect_matchings, scipy.sparse.csr_array([[0, 1], [1, 1]]), {"kind": "undirected"}, "<sparse matrix>", "zeros on the diagonal (loops='drop' leaves it out)", "an entry in row 1, column 1"),
    (countpm.perfect_matchings, [[0, 1], [1, 1]], {"kind": "undirected"}, "<matrix>", "zeros on the diagonal (loops='drop' leaves it out)", "an entry in row 1, column 1"),
    (countpm.perfect_matchings, [("a", "a")], {}, "<edges>", "no loops (loops='drop' leaves them out)", "an edge from 'a' to itself"),
    (countpm.perfect_matchings, nx.Graph([(1, 1)]), {}, "<networkx Graph>", "no loops (loops='drop' leaves them out)", "an edge from 1 to itself"),
    # parallel edges
    (countpm.perfect_matchings, [(0, 1), (1, 0)], {}, "<edges>", "no parallel edges (multi='sum' adds them up)", "a second edge from 1 to 0"),
    (countpm.perfect_matchings, nx.MultiGraph([("a", "b"), ("a", "b")]), {}, "<networkx MultiGraph>", "no parallel edges (multi='sum' adds them up)", "a second edge from 'a' to 'b'"),
    (countpm.perfect_matchings, igraph.Graph([(0, 1), (0, 1)]), {}, "<igraph Graph>", "no parallel edges (multi='sum' adds them up)", "a second edge from 0 to 1"),
    (countpm.perfect_matchings, {0: [1, 1]}, {}, "<dict>", "no parallel edges (multi='sum' adds them up)", "a second edge from 0 to 1"),
    (countpm.perfect_matchings, {0: {1: 2}, 1: {0: 3}}, {"weight": True}, "<dict>", "one weight of the edge between 0 and 1", "2 and 3"),
    # directed and undirected
    (countpm.perfect_matchings, nx.DiGraph([(0, 1)]), {}, "<DiGraph>", "an undirected or bipartite graph", "a directed one: cycle_covers() counts its cycle covers, and kind='undirected' or to_undirected() forgets directions"),
    (countpm.cycle_covers, nx.path_graph(3), {}, "<Graph>", "a directed graph", "an undirected one: kind='symmetric' makes each edge an arc both ways"),
    (countpm.cycle_covers, nx.path_graph(3), {"kind": "directed"}, "<networkx Graph>", "a directed graph", "an undirected one: kind='symmetric' makes each edge an arc both ways"),
    (countpm.cycle_covers, nx.DiGraph([(0, 1)]), {"kind": "symmetric"}, "<networkx DiGraph>", "an undirected graph for kind='symmetric'", "a directed one"),
    (countpm.cycle_covers, np.ones((2, 2)), {"kind": "symmetric"}, "<matrix>", "kind='directed' for a square matrix", "kind='symmetric', which is for undirected graphs"),
    (countpm.perfect_matchings, nx.path_graph(2), {"kind": "bipartite"}, "<networkx Graph>", "kind='undirected', or no kind (an undirected graph may well be bipartite)", "kind='bipartite'"),
    (countpm.permanent, nx.path_graph(2), {}, "<networkx Graph>", "a matrix: permanent() is of its values", "a graph; perfect_matchings() and cycle_covers() take those"),
    (countpm.determinant, nx.path_graph(2), {}, "<networkx Graph>", "a matrix: determinant() is of its values", "a graph; perfect_matchings() and cycle_covers() take those"),
    (countpm.pfaffian, nx.path_graph(2), {}, "<networkx Graph>", "a matrix: pfaffian() is of its values", "a graph; perfect_matchings() and cycle_covers() take those"),
    (countpm.hafnian, {0: [1]}, {}, "<dict>", "a matrix: hafnian() is of its values", "a graph; perfect_matchings() and cycle_covers() take those"),
    (countpm.permanent, countpm.Graph([(0, 1)]), {}, "<Graph>", "a matrix, rows by columns", "an undirected one: hafnian() is its count, and kind='bipartite' reads a file as a matrix"),
    (countpm.hafnian, countpm.Graph([[1]]), {}, "<Graph>", "a symmetric matrix", "a bipartite one: permanent() is its count"),
    (countpm.perfect_matchings, countpm.Graph([(0, 1)]), {"kind": "bipartite"}, "<Graph>", "kind='bipartite', or no kind", "a Graph that was read as undirected"),
    (countpm.perfect_matchings, countpm.Graph([(0, 1)]), {"weight": True}, "<Graph>", "no weight, or a Graph that was read with its weights", "a Graph without weights"),
    # vertices and edges that are none
    (countpm.perfect_matchings, [(None, 1)], {}, "<edges>", "vertices", "None in place of one"),
    (countpm.perfect_matchings, [(NAN, 1)], {}, "<edges>", "vertices", "nan in place of one"),
    (countpm.perfect_matchings, pd.DataFrame({"source": [0.0, None], "target": [1.0, 2.0]}), {}, "<DataFrame>", "vertices", "nan in place of one"),
    (countpm.perfect_matchings, [(0, 1), (2,)], {}, "<edges>", "pairs (u, v) or triples (u, v, weight)", "1 places as edge 1"),
    (countpm.perfect_matchings, [(0, 1), 2], {}, "<edges>", "pairs (u, v) or triples (u, v, weight)", "an object of type int as edge 1"),
    (countpm.perfect_matchings, [(0, 1)], {"weight": True}, "<edges>", "triples (u, v, weight)", "a pair as edge 0"),
    (countpm.perfect_matchings, [(0, 1, {"w": 1})], {"weight": True}, "<edges>", "a number in the third place (weight='NAME' looks into a dict)", "a dict as edge 0"),
    (countpm.perfect_matchings, [(0, 1, 2)], {"weight": "w"}, "<edges>", "a dict with 'w' in the third place (weight=True takes the place itself)", "2 as edge 0"),
    (countpm.perfect_matchings, {0: 1}, {}, "<dict>", "a list or dict of neighbours", "1 at 0"),
    (countpm.perfect_matchings, {0: [1]}, {"weight": True}, "<dict>", "numbers {u: {v: weight}} for weight=True", "none from 0 to 1"),
    # attributes and columns that are not there
    (countpm.perfect_matchings, nx.path_graph(2), {"weight": "w"}, "<networkx Graph>", "an edge attribute 'w'", "no edge that has it"),
    (countpm.perfect_matchings, nx.path_graph(2), {"weight": True}, "<networkx Graph>", "the name of an edge attribute as weight", "weight=True"),
    (countpm.perfect_matchings, NAMELESS, {"weight": "w"}, "<igraph Graph>", "an edge attribute 'w'", "attributes none"),
    (countpm.perfect_matchings, RUST, {"weight": "w"}, "<rustworkx PyGraph>", "True or a function of an edge's payload as weight", "weight='w'"),
    (countpm.perfect_matchings, FRAME, {"columns": ("from", "target")}, "<DataFrame>", "a column 'from'", "columns 'source', 'target'"),
    (countpm.perfect_matchings, FRAME, {"weight": True}, "<DataFrame>", "the name of a column as weight", "weight=True"),
    (countpm.perfect_matchings, FRAME["source"], {}, "<pandas>", "a DataFrame", "a Series"),
    (countpm.permanent, [[1]], {"weight": "w"}, "<matrix>", "weight=True, or no weight, of a matrix", "weight='w'"),
]


@pytest.mark.parametrize(("function", "given", "options", "where", "expected", "found"), MISTAKES)
def test_mistakes_are_told(function, given, options, where, expected, found):
    with pytest.raises(countpm.InputError) as caught:
        function(given, **options)
    error = caught.value
    assert str(error) == f"{where}: expected {expected}, found {found}"
    assert (error.file, error.line, error.expected, error.found) == (where, None, expected, found)
    assert isinstance(error, ValueError)
    assert isinstance(error, countpm.Error)


def test_vertices_must_be_hashable():
    with pytest.raises(countpm.InputError, match=r"<edges>: expected vertices that are hashable, found .*unhashable type: 'list'"):
        countpm.perfect_matchings([([], 1)])


@pytest.mark.parametrize("given", [5, None, 2.5, b"a b", object()])
def test_what_is_no_graph_is_refused(given):
    with pytest.raises(countpm.InputError, match=f"found an object of type {type(given).__name__}"):
        countpm.perfect_matchings(given)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"kind": "triangular"}, "kind is 'triangular'; it can be 'bipartite', 'directed', 'undirected', 'symmetric'"),
        ({"multi": "add"}, "multi is 'add'; it can be 'reject', 'sum'"),
        ({"loops": "keep"}, "loops is 'keep'; it can be 'reject', 'drop'"),
    ],
)
def test_options_of_reading_list_what_they_can_be(options, words):
    with pytest.raises(countpm.UsageError) as caught:
        countpm.perfect_matchings([(0, 1)], **options)
    assert str(caught.value) == words


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"methode": "ryser"}, "methode.*method"),
        ({"method": "magic"}, "magic.*ryser"),
        ({"device": "tpu"}, "tpu.*cpu"),
        ({"threads": -1}, "threads"),
        ({"threads": 5000}, "1024"),
        ({"time_limit": NAN}, "time_limit|time limit"),
        ({"time_limit": 0}, "time_limit|time limit"),
        ({"memory_limit": -5}, "memory_limit|memory limit"),
        ({"gpu_memory": 0}, "gpu_memory"),
        ({"precision": 100}, "arithmetic=BITS"),
        ({"arithmetic": 7}, "7 bits"),
        ({"arithmetic": 901}, "24 to 900"),
        ({"arithmetic": 1.5}, "a name or a number of bits"),
        ({"arithmetic": True}, "a name or a number of bits"),
        ({"arithmetic": "decimal"}, "decimal.*kahan"),
        ({"order": "random"}, "random.*greedy"),
        ({"rules": ["no-such"]}, "no-such.*single"),
        ({"set": {"no-such": 1}}, "no-such.*structure"),
        ({"set": "order=off"}, "set: expected a dict"),
        ({"set": {"steps": 1.5}, "method": "enumerate"}, "set: expected a dict"),
        ({"audit": 2.0}, "audit"),
        ({"modulo": 1}, "modulo 1: expected a number from 2"),
        ({"modulo": 2**64 + 1}, "modulo 18446744073709551617: expected"),
        ({"modulo": -5}, "modulo -5: expected"),
        ({"modulo": 2.5}, "modulo: expected a whole number"),
        ({"modulo": []}, "modulo: expected a whole number"),
    ],
)
def test_options_of_the_core_are_checked(options, words):
    for call in (countpm.perfect_matchings, countpm.count, countpm.explain):
        with pytest.raises(countpm.UsageError, match=f"(?s){words}"):
            call([(0, 1)], **options)


def test_other_options_are_checked():
    with pytest.raises(countpm.UsageError, match="problem is 'sum'; it can be 'perfect_matchings'"):
        countpm.count([(0, 1)], "sum")
    with pytest.raises(countpm.UsageError, match="sampler"):
        countpm.estimate("lattice:square:4x4", sampler="magic")
    with pytest.raises(countpm.UsageError, match=r"iter_matchings\(\) has no option 'threads'"):
        countpm.iter_matchings([(0, 1)], threads=2)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: countpm.sample([[1]], -1), "number: expected a whole number from 0 to 2**64 - 1, found -1"),
        (lambda: countpm.sample([[1]], 1.5), "number: expected a whole number from 0 to 2**64 - 1, found 1.5"),
        (lambda: countpm.iter_matchings([[1]], first=0), "first: expected a whole number from 1 to 2**64 - 1, found 0"),
        (lambda: countpm.iter_matchings([[1]], first=2**64), f"first: expected a whole number from 1 to 2**64 - 1, found {2**64}"),
        (lambda: countpm.iter_matchings([[1]], last="3"), "last: expected a whole number from 0 to 2**64 - 1, found '3'"),
        (lambda: countpm.count_many([[[1]]], jobs=True), "jobs: expected a whole number from 0 to 1024, found True"),
        (lambda: countpm.permanent([[1]], progress=5), "progress: expected True, False or a function, found 5"),
        (lambda: countpm.explain([[1]], assume="h200"), "assume: expected a dict such as {'gpu': 'h200', 'machines': 8}, found 'h200'"),
    ],
)
def test_arguments_beside_the_options_are_checked(call, words):
    with pytest.raises(countpm.UsageError) as caught:
        call()
    assert str(caught.value) == words


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: countpm.lattice(5), "<lattice>: expected a name such as 'square:8x8', found an object of type int"),
        (lambda: countpm.perfect_matchings(""), "<input>: expected a path in UTF-8, an open file or bytes, found the path ''"),
        (lambda: countpm.read(b"\xff".decode(errors="surrogateescape")), r"<input>: expected a path in UTF-8, an open file or bytes, found the path '\udcff'"),
        (lambda: countpm.pair_marginals([[1, 1], [1, 1]], [((0, 0), (5, 5))]), "<pairs>: expected edges of the graph, found (5, 5) in pair 0"),
        (lambda: countpm.pair_marginals([[1, 1], [1, 1]], [(0, 0)]), "<pairs>: expected pairs of edges ((u, v), (x, y)), found (0, 0) as pair 0"),
        (lambda: countpm.pair_marginals([[1, 1], [1, 1]], [((0, 0), (1, 1), (0, 1))]), "<pairs>: expected pairs of edges ((u, v), (x, y)), found ((0, 0), (1, 1), (0, 1)) as pair 0"),
    ],
)
def test_arguments_beside_the_graph_are_checked(call, words):
    with pytest.raises(countpm.InputError) as caught:
        call()
    assert str(caught.value) == words


def test_errors_of_files_have_a_line(tmp_path):
    path = tmp_path / "bad.edgelist"
    path.write_text("a b\nb c d e\n")
    with pytest.raises(countpm.InputError) as caught:
        countpm.read(path, format="edgelist")
    assert caught.value.file == str(path)
    assert caught.value.line == 2
    assert caught.value.expected
    assert caught.value.found
    with pytest.raises(countpm.InputError, match="no-such-file"):
        countpm.read(tmp_path / "no-such-file")
    with pytest.raises(countpm.InputError, match="a path, an open file or bytes, found an object of type int"):
        countpm.read(5)
    with pytest.raises(countpm.Error, match="triangular"):
        countpm.lattice("no-such-lattice:3x3")


def test_what_no_method_can_do_says_what_would_help():
    with pytest.raises(countpm.UnableError) as caught:
        countpm.permanent(np.random.default_rng(1).integers(-9, 9, (60, 60)), time_limit=1)
    assert caught.value.remedy
    assert isinstance(caught.value, RuntimeError)


@pytest.mark.parametrize(
    ("said", "in_python"),
    [
        ("a longer --time-limit gets further", "a longer time_limit gets further"),
        ("--time-limit 2h30m should suffice", "time_limit=9000 should suffice"),
        ("; --time-limit 5m should suffice.", "; time_limit=300 should suffice."),
        ("--memory-limit 4G may do, 4GB not", "memory_limit=4294967296 may do, 4GB not"),
        ("use --device cpu", "use device='cpu'"),
        ("--device and --gpus are for samples", "device and gpus are for samples"),
        ("another method: --method pruned", "another method: method='pruned'"),
        ("--method and --double-check are of counts", "method and double_check=True are of counts"),
        ("count again with --double-check", "count again with double_check=True"),
        ("no loops (--loops drop leaves them out)", "no loops (loops='drop' leaves them out)"),
        ("(--multi sum adds the weights)", "(multi='sum' adds the weights)"),
        ("without --weights every edge counts 1", "without weight=True every edge counts 1"),
        ("as --format says", "as format says"),
        ("(--format csv or --format edgelist chooses)", "(format='csv' or format='edgelist' chooses)"),
        ("(--kind bipartite reads a matrix)", "(kind='bipartite' reads a matrix)"),
        ("--maximum counts those", "maximum_matchings() counts those"),
        ("'countpm explain' shows how", "explain() shows how"),
        ("give --samples N, or --error 0.01", "give samples N, or error=0.01"),
        ("(--at x=1 gives the letter a number)", "(x = 1 gives the letter a number)"),
        ("8 cores would do (--threads 8), in 2 s", "8 cores would do (threads=8), in 2 s"),
        ("an H100 (without --device cpu) would do", "an H100 (without device='cpu') would do"),
        ("--on-limit estimate gives an estimate", "estimate() gives an estimate"),
        ("--on-limit bounds gives bounds", "count_or_bounds() gives bounds"),
        ("a --b- c -- d", "a --b- c -- d"),
    ],
)
def test_messages_name_keyword_arguments(said, in_python):
    assert countpm.errors.in_python(said) == in_python


def test_refusals_speak_python():
    with pytest.raises(countpm.UnableError) as caught:
        countpm.perfect_matchings("lattice:cubic:8x8x8", memory_limit=2**24, time_limit=2)
    assert "--" not in str(caught.value) and "--" not in caught.value.remedy
    with pytest.raises(countpm.InputError) as refused:
        countpm.perfect_matchings(countpm.read(b"a b\na b\n"))
    assert "multi='sum'" in refused.value.expected and "--" not in str(refused.value)


def test_refusals_say_what_an_estimate_takes(monkeypatch):
    monkeypatch.setattr(countpm.counting, "_MOST_TRIAL", 60.0)  # for machines with much to do
    for refused in (
        lambda: countpm.perfect_matchings("lattice:cubic:6x6x6", method="ryser", time_limit=60),
        lambda: countpm.count("lattice:cubic:6x6x6", method="ryser", time_limit=60),
    ):
        with pytest.raises(countpm.UnableError) as caught:
            refused()
        assert re.search(r"estimate\(\) gives an estimate: by a trial, an error of 1% at most in about [0-9.]+ (s|min|h|days)$", str(caught.value))
        assert str(caught.value).endswith(caught.value.remedy)
    # Where an estimate is refused as well, nothing is added.
    with pytest.raises(countpm.UnableError) as caught:
        countpm.perfect_matchings("lattice:cubic:6x6x6", method="ryser", memory_limit=2**14)
    assert "trial" not in str(caught.value)


def test_notes_speak_python(caplog):
    import logging

    caplog.set_level(logging.INFO, "countpm")
    with pytest.warns(countpm.CountpmWarning) as warned:
        result = countpm.count(countpm.read(b"a b 2\nb c 3\nc d 5\nd a 7\n"))
    assert result.value == 2
    assert any("weight=True" in str(warning.message) for warning in warned)
    assert not any("--" in str(warning.message) for warning in warned)
    assert not any("--" in note for note in result.notes)
    assert "--" not in caplog.text


def test_tables_are_read_as_one_says():
    stamped = b"a b 2 1700\nb c 3 1701\nc d 5 1702\nd a 7 1703\n"
    with pytest.warns(countpm.CountpmWarning, match="passed over"):
        countpm.read(stamped, format="edgelist", ends=("1", "2"))
    with pytest.warns(countpm.CountpmWarning, match="passed over"):
        countpm.read(stamped, format="edgelist", weight=3)
    # Nothing is said of what was asked for.
    with warnings.catch_warnings():
        warnings.simplefilter("error", countpm.CountpmWarning)
        graph = countpm.read(stamped, format="edgelist", weight=3, ends=("1", "2"))
        countpm.read(b"4,5\n1,2\n2,3\n3,4\n4,1\n1,3\n", first_line="header")
        countpm.read(b"u v\n1 2\n", first_line="header")
        countpm.read(b"a b\nb a\nc d\n", multi="first")
    assert countpm.perfect_matchings(graph) == 2 * 5 + 3 * 7
    named = b"from,to,n,m\na,b,2,9\nb,c,3,9\nc,d,5,9\nd,a,7,9\n"
    assert countpm.perfect_matchings(countpm.read(named, format="csv", weight="n", ends=("from", "to"))) == 31
    numbered = b"4,5\n1,2\n2,3\n3,4\n4,1\n1,3\n"
    with pytest.raises(countpm.InputError, match="first_line='header'"):
        countpm.read(numbered)
    assert countpm.perfect_matchings(countpm.read(numbered, first_line="header")) == 2
    assert countpm.perfect_matchings(countpm.read(numbered, first_line="edge")) == 0
    both = b"a b\nb a\nc d\n"
    assert countpm.perfect_matchings(countpm.read(both, multi="first", kind="undirected")) == 1
    assert [countpm.perfect_matchings(each) for each in countpm.read_many(stamped, weight=3, format="edgelist")] == [31]
    with pytest.raises(countpm.UsageError, match="edge, header"):
        countpm.read(both, first_line="none")


@pytest.mark.parametrize("given", [[[1.5, 2], [1, 1]], [(0, 1, 2.5), (2, 3, 1)]])
def test_values_that_are_not_used_are_warned_of(given):
    for ask in (countpm.perfect_matchings, countpm.estimate, countpm.marginals, countpm.bounds, countpm.maximum_matchings):
        with pytest.warns(countpm.CountpmWarning, match="not used as weights") as warned:
            ask(given)
        assert [Path(one.filename) for one in warned] == [Path(__file__)]
        with warnings.catch_warnings():
            warnings.simplefilter("error", countpm.CountpmWarning)
            ask(given, weight=True)
            ask(given, weight=False)
            ask(countpm.Graph(given))
    with warnings.catch_warnings():
        warnings.simplefilter("error", countpm.CountpmWarning)
        countpm.perfect_matchings([[1, 0], [0, True]])
        countpm.perfect_matchings([(0, 1, 1), (2, 3, {"weight": 2})])
        countpm.permanent([[1.5, 2], [1, 1]])


def test_warnings_of_files_are_at_the_line_that_reads():
    with pytest.warns(countpm.CountpmWarning) as warned:
        countpm.read(b"3 3\n1 3 4\n1 3 3\n1 2 8\n", weight=True)
    assert [Path(one.filename) for one in warned] == [Path(__file__)]
