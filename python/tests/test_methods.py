"""The functions as methods of a Graph, and the options that help() lists."""

from __future__ import annotations

import ast
import inspect
import pickle
import pydoc
import re
from types import FunctionType

import countpm
import networkx as nx
import numpy as np
import pytest
import scipy.sparse
import sympy
from countpm.option_table import TABLE, methods_of
from countpm.options import CountOptions, Options
from countpm.planning import EstimateOptions

SQUARE = [("a", "b", 2), ("b", "c", 3), ("c", "d", 5), ("d", "a", 7)]
MATRIX = [[1, 2], [3, 4]]

METHODS = {thing.__name__: thing for thing in methods_of(countpm.Graph) if "options" in thing.__annotations__}
#: What takes no graph, or more than one, and so is no method.
NO_METHODS = {
    "lattice", "read", "read_many", "count_many", "kekule_many", "letters", "exact_covers", "from_smiles", "integrate", "outcome_probability",
    "permanent_gradient", "ring_covers", "clar_covering_polynomial", "explain_estimate", "explain_integral", "explain_marginals",
    "explain_minors", "explain_ratio", "explain_sample", "loop_hafnians", "recurrence",
}


def functions():
    return {name: getattr(countpm, name) for name in countpm.__all__ if isinstance(getattr(countpm, name), FunctionType)}


def test_every_function_of_one_graph_is_a_method():
    assert set(METHODS) == set(functions()) - NO_METHODS


@pytest.mark.parametrize("name", METHODS)
def test_a_method_has_the_arguments_of_its_function(name):
    def arguments(function):
        found = [parameter.replace(annotation=str(parameter.annotation)) for parameter in inspect.signature(function).parameters.values()]
        return [str(parameter) for parameter in found[1:]]

    function = getattr(countpm, name)
    assert arguments(METHODS[name]) == [re.sub("^b:", "other:", part) for part in arguments(function)]
    assert METHODS[name].__annotations__["return"] == function.__annotations__["return"]


@pytest.mark.parametrize(
    ("name", "graph", "arguments"),
    [
        ("perfect_matchings", SQUARE, {}),
        ("maximum_matchings", [("a", "b", 2), ("b", "c", 3)], {}),
        ("number_of_matchings", SQUARE, {"k": 1}),
        ("matching_polynomial", SQUARE, {}),
        ("number_of_factors", SQUARE, {"degree": 2}),
        ("ground_state", SQUARE, {"which": "max"}),
        ("ln_z", SQUARE, {}),
        ("marginals", SQUARE, {"exact": True}),
        ("pair_marginals", SQUARE, {"pairs": [(("a", "b"), ("c", "d"))], "exact": True}),
        ("sample", SQUARE, {"number": 3, "seed": 2}),
        ("bounds", SQUARE, {}),
        ("signed_sum", SQUARE, {}),
        ("ratio", SQUARE, {"b": SQUARE}),
        ("permanent", MATRIX, {"rows": [2, 0], "cols": [1, 1]}),
        ("determinant", MATRIX, {}),
        ("minors", MATRIX, {"column": 1}),
        ("loop_hafnian", [[5, 2], [2, 7]], {}),
        ("hafnian", [[0, 2], [2, 0]], {"kind": "undirected"}),
        ("pfaffian", [[0, 2], [-2, 0]], {}),
        ("cycle_covers", MATRIX, {"kind": "directed"}),
        ("kekule", [(0, 1), (1, 2), (2, 3)], {}),
    ],
)
def test_methods_answer_as_functions(name, graph, arguments):
    arguments = dict(arguments)
    reading = {"weight": True} if name != "kekule" else {}
    if "kind" in arguments:
        reading["kind"] = arguments.pop("kind")
    given = countpm.Graph(graph, **reading)
    expected = getattr(countpm, name)(given, **arguments)
    if name == "ratio":
        arguments["other"] = arguments.pop("b")
    for one in (given, pickle.loads(pickle.dumps(given))):
        assert getattr(one, name)(**arguments) == expected


def test_counts_and_explanations_of_a_graph():
    graph = countpm.lattice("square:6x6")
    assert graph.count().value == graph.perfect_matchings(method="frontier") == 6728
    assert graph.count_or_bounds().value == 6728
    assert graph.explain().methods
    assert graph.estimate().value == 6728
    assert graph.count_orbits().value == 930
    assert len(list(graph.iter_matchings(last=7))) == 7
    with pytest.raises(countpm.UsageError, match="there is no option 'nothing'"):
        graph.count(nothing=1)


@pytest.mark.parametrize("kind", [np.array, scipy.sparse.csr_array, scipy.sparse.lil_array, scipy.sparse.dok_array, sympy.Matrix, list])
def test_values_that_were_left_out_are_missed(kind):
    """A permanent of the pattern, where that of the values was meant, would be a wrong number."""
    for entries, fits in ((MATRIX, False), ([[1, 0], [1, 1]], True), ([[0.5, 1], [1, 1]], False), ([[1.0, 1.0], [1.0, 1.0]], True)):
        if not fits:
            plain = countpm.Graph(kind(entries))
            for one in (plain, pickle.loads(pickle.dumps(plain)), plain.repeated([1, 1], [1, 1])):
                with pytest.raises(countpm.InputError, match=r"expected a Graph that was read with weight=True: permanent\(\) is of the values"):
                    one.permanent()
                with pytest.raises(countpm.InputError, match="determinant"):
                    one.determinant()
                assert one.perfect_matchings() == 2
        assert countpm.Graph(kind(entries), weight=True).permanent() == countpm.permanent(kind(entries))
        if fits:
            assert countpm.Graph(kind(entries)).permanent() == countpm.permanent(kind(entries))


# The options ------------------------------------------------------------------------------------------------------


def test_the_table_has_the_options_of_the_types():
    assert set(TABLE) == set(EstimateOptions.__annotations__)
    assert set(TABLE) - {name for name, row in TABLE.items() if row.group == "samples"} == set(CountOptions.__annotations__)
    assert {name for name, row in TABLE.items() if row.group in ("graph", "count")} == set(Options.__annotations__)


def test_the_table_has_the_options_of_the_core():
    with pytest.raises(countpm.UsageError) as refused:
        countpm.count(SQUARE, nothing=1)
    of_core = set(str(refused.value).split("the options are: ")[1].split(", "))
    assert of_core == {name for name, row in TABLE.items() if row.group in ("count", "proof")} - {"progress"}


def test_help_lists_every_option():
    text = pydoc.plain(pydoc.render_doc(countpm.count))
    for name, row in TABLE.items():
        assert (f"\n        {name}: " in text) == (row.group != "samples"), name
    for name, function in functions().items():
        text = pydoc.plain(pydoc.render_doc(function))
        if "**options" not in text:
            continue
        assert ("\n        time_limit: seconds or None. Default: 3600." in text) == (name != "iter_matchings"), name
        assert ("\n        weight: None, True" in text) == (name != "exact_covers"), name
        assert ("\n        executor: " in text) == (re.search("Unpack.(Count|Estimate)Options", text) is not None), name
        assert ("\n        proof: " in text) == (name == "count"), name
    for name, method in METHODS.items():
        assert "\n    weight: None, True" in (method.__doc__ or ""), name


def test_defaults_and_choices_are_those_of_the_command(project):
    rows = {}
    for line in (project / "docs" / "options.md").read_text().splitlines():
        found = re.match(r"\| `(?:-\w, )?--([\w-]+)[^`]*` \| (.*?) \| ", line)
        if found:
            takes, _, default = found[2].rpartition("default ") if "default " in found[2] else (found[2], "", "")
            rows.setdefault(found[1], (takes, default.strip("`")))
    same = {"3600": "1h", "1": "1", "0": "0", "False": "", "None": ""}
    for row in TABLE.values():
        if not row.command:
            continue
        takes, default = rows[row.command]
        ours = row.default.strip("'")
        if default == "auto" and ours == "None":
            continue  # prune: None, for the command's auto
        if row.name == "exact_below":
            assert (ours, default) == ("1", "1s")
        elif default or ours in ("auto", "reject"):
            assert default == same.get(ours, ours), row.name
        choices = set(re.findall(r"'([a-z-]+)'", row.takes))
        if len(choices) > 1:
            assert choices - {"symmetric"} <= set(re.findall("`([a-z-]+)`", takes)), row.name


def test_the_choices_of_the_table_are_those_of_the_types():
    for name, annotation in Options.__annotations__.items():
        spelt = getattr(annotation, "__forward_arg__", str(annotation))
        found = re.search(r"Literal\[(.*?)\]", spelt)
        if found:
            assert set(ast.literal_eval(f"[{found[1]}]")) == set(re.findall(r"'([a-z-]+)'", TABLE[name].takes)) - {"auto"} | (
                {"auto"} if "'auto'" in TABLE[name].takes else set()
            )


def test_graphs_of_networkx_are_asked_too():
    grid = countpm.Graph(nx.grid_2d_graph(4, 4))
    assert (grid.perfect_matchings(), grid.marginals(exact=True)[(0, 0), (0, 1)]) == (36, countpm.marginals(grid, exact=True)[(0, 0), (0, 1)])
