"""Proofs and files of graphs that claim much more than they have, or that a careless checker takes the square of their length for."""
import base64
import json
import random

ZERO = base64.b64encode(bytes(16)).decode()
SMALL = {"format": "countpm-proof 2", "vertices": 2, "edges": [[0, 1]], "order": [0, 1], "count": "1", "rounds": [ZERO, ZERO]}


def proof(**keys):
    return json.dumps({**SMALL, **keys})


def beside(value):
    """A proof that has it under a key that nobody reads."""
    return proof()[:-1] + f', "input": {value}' + "}"


def numbers(n):
    rng = random.Random(n)
    return [base64.b64encode(rng.randrange(2**126).to_bytes(16, "big")).decode() for _ in range(n)]


def set_of(n):
    """Of all vertices, which the last round comes to with a number for each."""
    return proof(vertices=n, edges=[], sets=[[*range(n)]], order=[*range(n)], rounds=[*numbers(n), ZERO])


def star(n):
    return proof(vertices=n, edges=[[0, v] for v in range(1, n)], order=[*range(n)], rounds=[*numbers(n - 1), ZERO])


def sets_alike(n):
    """That differ in their last vertex alone."""
    return proof(vertices=2000, edges=[], sets=[[*range(200), 200 + k] for k in range(n)], order=[*range(2000)], rounds=[ZERO] * (2000 + n))


def planar(n, edges, rotation, order):
    keys = {key: value for key, value in SMALL.items() if key != "rounds"}
    return json.dumps({**keys, "vertices": n, "edges": edges, "order": order, "planar": {"rotation": rotation, "orientation": "0" * len(edges)}})


def planar_star(n):
    return planar(n, [[0, v] for v in range(1, n)], [[*range(1, n)]] + [[0]] * (n - 1), [*range(n)])


def planar_grid(side, order):
    """All faces of which are oriented oddly, with a count that is wrong."""
    edges = [[v, v + 1] for v in range(side * side) if (v + 1) % side] + [[v, v + side] for v in range(side * (side - 1))]
    rotation = []
    for v in range(side * side):
        x, y = v % side, v // side
        rotation.append([w for w, there in ((v - side, y), (v + 1, x < side - 1), (v + side, y < side - 1), (v - 1, x)) if there])
    edges.sort()
    keys = {key: value for key, value in SMALL.items() if key != "rounds"}
    digits = "".join("0" if w == v + 1 else str(v % side % 2) for v, w in edges)
    return json.dumps({**keys, "vertices": side * side, "edges": edges, "order": order, "planar": {"rotation": rotation, "orientation": digits}})


PROOFS = {
    "a set": (set_of, 10_000),
    "a star": (star, 10_000),
    "sets alike": (sets_alike, 400),
    "a planar star": (planar_star, 10_000),
    "terms": (lambda n: proof(count="+".join(f"1*a^-{k + 10**8}" for k in range(n))), 5_000),
    "letters": (lambda n: proof(count="1" + "*a" * n), 100_000),
    "plus": (lambda n: proof(count="1+" * n), 100_000),
    "integers": (lambda n: proof(vertices=2 * n, edges=[[2 * k, 2 * k + 1, str(k + 1) + "7" * 99_000] for k in range(n)], order=[*range(2 * n)]), 3),
    "monomers": (lambda n: proof(vertices=n, edges=[], monomers=["1"] * n, order=[*range(n)], rounds=[ZERO] * n), 20_000),
    "digits of a float": (lambda n: beside("0." + "3" * n), 1_000_000),
    "digits of an integer": (lambda n: beside("3" * n), 1_000_000),
    "keys": (lambda n: beside("{" + ",".join(f'"{k}": 0' for k in range(n)) + "}"), 50_000),
    "objects": (lambda n: beside("[" + ",".join(['{"a": {}}'] * n) + "]"), 50_000),
}

CLAIMS = {
    "vertices": proof(vertices=10**9),
    "a million vertices": proof(vertices=10**6),
    "vertices by an exponent": proof().replace('"vertices": 2', '"vertices": 1e999999999'),
    "vertices of many digits": proof().replace('"vertices": 2', '"vertices": ' + "9" * 10**7),
    "a count of many digits": proof(count="7" * 10**7),
    "a weight of many digits": proof(edges=[[0, 1, "7" * 10**7]]),
    "lists in lists": beside("[" * 10**6 + "]" * 10**6),
    "objects in objects": beside('{"a":' * 10**6 + "0" + "}" * 10**6),
    "lists without their ends": "[" * 10**6,
    "blanks": " " * 10**7,
    "zeros": "\0" * 10**7,
    "nothing": "",
}

MARKET = "%%MatrixMarket matrix "
FILES = {
    "a label of digits": (lambda n: ("g.edges", "9" * n + " 1\n1 2\n2 3\n"), 300_000),
    "a label": (lambda n: ("g.edges", "a" * n + " b\n"), 1_000_000),
    "commas": (lambda n: ("g.edges", "1" + ",1" * n + " 2,2\n"), 200_000),
    "a weight": (lambda n: ("g.edges", "a b " + "7" * n + "\n"), 1_000_000),
    "an exponent": (lambda n: ("g.edges", "a b 1e" + "9" * n + "\n"), 1_000_000),
    "exponents": (lambda n: ("g.edges", "".join(f"a{k} a{k + 1} 1e{9999 + k}\n" for k in range(n))), 5_000),
    "large weights": (lambda n: ("g.edges", "".join(f"{k} {k + 1} {k}e300\n" for k in range(3, n))), 5_000),
    "letters": (lambda n: ("g.edges", "a b x" + "*x" * n + "\n"), 100_000),
    "stars": (lambda n: ("g.edges", "a b " + "*" * n + "\n"), 1_000_000),
    "blanks": (lambda n: ("g.edges", " " * n), 1_000_000),
    "lines": (lambda n: ("g.edges", "\n" * n), 200_000),
    "comments": (lambda n: ("g.edges", "# # " * n), 200_000),
    "edges": (lambda n: ("g.edges", "".join(f"{k} {k + 1}\n" for k in range(3, n))), 5_000),
    "a row": (lambda n: ("g.dense", "1 0 " * n), 20_000),
    "a column": (lambda n: ("g.dense", "1\n" * n), 20_000),
    "rows of digits": (lambda n: ("g.01", ("01" * 100 + "\n") * n), 100),
    "a matrix": (lambda n: ("g.mtx", MARKET + "coordinate real general\n1000000000 1000000000 1\n1 1 1\n" + "%\n" * n), 20_000),
    "an array": (lambda n: ("g.mtx", MARKET + "array real general\n1000000000 1000000000\n" + "1\n" * n), 20_000),
    "entries": (lambda n: ("g.mtx", MARKET + "coordinate real general\n2 2 1000000000\n" + "1 1 1\n" * n), 20_000),
    "a size": (lambda n: ("g.mtx", MARKET + "coordinate real general\n" + "9" * n + " 2 1\n1 1 1\n"), 1_000_000),
    "an index": (lambda n: ("g.mtx", MARKET + "coordinate real general\n2 2 1\n" + "9" * n + " 1 1\n"), 1_000_000),
    "a value": (lambda n: ("g.mtx", MARKET + "coordinate real general\n2 2 1\n1 1 " + "9" * n + "\n"), 1_000_000),
}
