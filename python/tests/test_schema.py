"""What commands write with --json is what docs/schema.json says: checked by jsonschema, which shares nothing with the program."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from pathlib import Path

import networkx as nx
import pytest

import countpm

jsonschema = pytest.importorskip("jsonschema")

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "docs/schema.json").read_text())
BOARD = "data/boards/4x4.edgelist"
MOLECULE = "data/molecules/naphthalene.edgelist"
SAMPLED = "--all-sampled --samples 200"

FILES = {
    "weights.txt": "a x 1\na y 2\nb x 3\nb y 5\n",
    "others.txt": "a x 2\na y 2\nb x 3\nb y 4\n",
    "signs.txt": "a x -1\na y 2\nb x 3\nb y 4\n",
    "phases.txt": "a x 1+i\na y 2\nb x 3\nb y -1i\n",
    "odd.txt": "a b\nb c\nc a\nc d\nc e\n",
    "sets.txt": "1 2 3\n4 5 6\n1 4\n2 5\n3 6\n",
    "two.dense": "1 2\n3 4\n",
    "splitter.dense": "0.6 0.8\n-0.8 0.6\n",
    "three.dense": "1 2 3\n4 5 6\n7 8 10\n",
    "half.dense": "0 2\n0 0\n",
    "pairs.txt": "a x b y\n",
    "letters.txt": "a b x\nb c 1\nc d x\nd a y\n",
    "half.txt": "a x\nb\n",
}

COMMANDS = {
    "count": [
        BOARD,
        "data/boards/mutilated-8x8.edgelist",
        "odd.txt",
        "lattice:square:8x8 --double-check --audit 100%",
        "weights.txt --weights --kind bipartite",
        "phases.txt --weights --kind bipartite",
        "phases.txt --weights --kind bipartite --exact",
        "letters.txt --weights",
        f"{BOARD} --monomers t --power 2",
        f"{BOARD} --degree 2",
        f"{BOARD} --maximum",
        "weights.txt --kind bipartite --ground-state min",
        f"{MOLECULE} --rings 6",
        "two.dense --weights --rows 2,1 --cols 1,2",
        "sets.txt --kind hyper",
        "data/digraphs/menage-8.edgelist --kind directed",
    ],
    "bounds": ["lattice:cubic:6x6x6 --on-limit bounds --time-limit 1"],
    "orbits": [f"{BOARD} --up-to-symmetry"],
    "ln-z": ["lattice:square:8x8 --ln-z", "lattice:square:3x3 --ln-z"],
    "explain": [f"explain {BOARD}", "explain data/boards/mutilated-8x8.edgelist", f"explain {BOARD} --assume gpu=h200,threads=8"],
    "estimate": [
        f"estimate {BOARD}",
        f"estimate {BOARD} {SAMPLED}",
        f"estimate {BOARD} {SAMPLED} --replicates 3",
        "estimate lattice:cubic:2x2x4 --all-sampled --guarantee 0.5,0.1",
        "estimate data/boards/6x6.edgelist --all-sampled --sampler population --samples 300",
    ],
    "ratio": ["estimate weights.txt --ratio-to others.txt --weights --kind bipartite", f"estimate {BOARD} --ratio-to {BOARD} {SAMPLED}"],
    "signed-sum": [
        f"estimate signs.txt --weights --kind bipartite --signed {SAMPLED}",
        f"estimate phases.txt --weights --kind bipartite --signed {SAMPLED}",
        "estimate signs.txt --weights --kind bipartite --signed",
    ],
    "sampling-forecast": [f"estimate {BOARD} --explain --all-sampled", f"marginals {BOARD} --sampled --explain"],
    "marginals": [
        f"marginals {BOARD}",
        f"marginals {BOARD} --exact",
        "marginals lattice:square:4x4",
        f"marginals {BOARD} --sampled --samples 100",
        "marginals weights.txt --weights --kind bipartite --given a,x",
        "marginals weights.txt --weights --kind bipartite --pairs pairs.txt",
        "marginals weights.txt --weights --kind bipartite --pairs pairs.txt --sampled --samples 100",
        "marginals data/boards/mutilated-8x8.edgelist",
    ],
    "drawing-forecast": [f"sample {BOARD} --explain", f"sample {BOARD} --sampler annealed --explain"],
    "molecule": [f"chem {MOLECULE}"],
    "determinant": ["determinant three.dense", "determinant splitter.dense --ln-only", "pfaffian half.dense", "determinant lattice:square:3x3"],
    "minors": ["minors three.dense --column 2", "minors splitter.dense --column 1"],
    "minors-forecast": ["minors three.dense --column 2 --explain"],
    "probability": ["probability splitter.dense --in 1,1 --out 2,0"],
    "many-row": ["many lattice:square:4x1..4x4 --ratio-to-first", "many missing.txt lattice:square:2x2", "many lattice:square:4x2..4x4 --ln-z"],
    "comparison": [f"compare {BOARD} --samplers scaling+ --sizes 50"],
    "certain-bounds": [f"bounds {BOARD}"],
    "split": [f"split {BOARD} --method ryser --no-rule double -o counted", f"split {BOARD} --estimate {SAMPLED} -o drawn"],
    "lattice": ["lattice square:2x3", "lattice square:2x3:weights=2,1/3"],
    "lattices": ["lattice"],
    "formats": ["formats"],
    "methods": ["methods"],
    "version": ["version"],
    "error": ["missing.txt", "half.txt", f"{BOARD} --method nothing", "data/molecules/C20.edgelist --method ryser"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("schema")
    for name, text in FILES.items():
        (made / name).write_text(text)
    (made / "data").symlink_to(ROOT / "data")
    return made


def objects(folder: Path, command: str) -> list[dict[str, object]]:
    words = [os.environ["COUNTPM"], *shlex.split(command), "--json"]
    out = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=120, check=False).stdout
    try:
        return [json.loads(out)]
    except json.JSONDecodeError:
        return [json.loads(line) for line in out.splitlines()]


def validate(found: dict[str, object], name: str) -> None:
    assert found["object"] == name
    jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]}).validate(found)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(("name", "command"), [(name, command) for name, commands in COMMANDS.items() for command in commands])
def test_commands_write_what_it_says(folder: Path, name: str, command: str) -> None:
    if "COUNTPM" not in os.environ:
        pytest.skip("no program to run: COUNTPM names it")
    found = objects(folder, command)
    assert found
    for one in found:
        validate(one, name)


def test_lines_of_other_kinds(folder: Path) -> None:
    if "COUNTPM" not in os.environ:
        pytest.skip("no program to run: COUNTPM names it")
    validate(objects(folder, f"compare {BOARD} --samplers scaling+ --sizes 50 --seeds 2")[-1], "coverage")
    subprocess.run([os.environ["COUNTPM"], BOARD, "--checkpoint", "board.run", "-q"], cwd=folder, check=True, capture_output=True)
    validate(objects(folder, "status board.run")[0], "status")
    validate(objects(folder, f"verify board.run {BOARD}")[0], "verified")
    validate(objects(folder, f"prove board.run {BOARD}")[0], "proof")
    *matchings, last = objects(folder, f"sample {BOARD} --sampler annealed --number 2")
    assert len(matchings) == 2
    validate(last, "draws")


def test_what_is_not_of_the_object_is_refused(folder: Path) -> None:
    if "COUNTPM" not in os.environ:
        pytest.skip("no program to run: COUNTPM names it")
    (found,) = objects(folder, BOARD)
    for wrong in ({**found, "more": 1}, {**found, "count": 36}, {key: value for key, value in found.items() if key != "checks"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.Draft202012Validator(SCHEMA).validate(wrong)


def test_results_in_python_are_the_same_objects() -> None:
    validate(countpm.count(nx.cycle_graph(6)).to_dict(), "count")
    validate(countpm.explain(nx.cycle_graph(6)).to_dict(), "explain")
    validate(countpm.estimate("lattice:square:4x4", samples=100, all_sampled=True).to_dict(), "estimate")
