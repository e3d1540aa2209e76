"""Random graphs of all kinds that proofs know, small enough for the reference prover: (graph, order, keys), where keys are what the file has beside the statement."""

ONE = ["1"]
WEIGHTS = {
    "ones": ONE,
    "integers": ["1", "2", "3", "7", "123456789012345678901234567890"],
    "signed": ["1", "-1", "2", "-3"],
    "fractions": ["1", "1/2", "-2/3", "5/7", "12345678901234567890123/10000000000000000000000"],
    "letters": ["1", "1*x", "2*x", "-1/2*x*y^-1", "3*y^2"],
}


def edge(u, v, weight):
    return [u, v] if weight == "1" else [u, v, weight]


def random_edges(rng, pairs, density, weights):
    return [edge(u, v, rng.choice(weights)) for u, v in pairs if rng.random() < density]


def instance(rng, largest=8):
    weights = WEIGHTS[rng.choice(list(WEIGHTS))]
    kind = rng.choice(["graph", "graph", "matrix", "rectangle", "sets", "monomers", "matching polynomial", "sparse"])
    n = rng.randint(0, largest) if kind != "matching polynomial" else rng.randint(0, 6)
    graph, keys = {"vertices": n}, {}
    pairs = [(u, v) for u in range(n) for v in range(u + 1, n)]
    density = rng.choice([0.2, 0.5, 0.8, 1])
    if kind in ("matrix", "rectangle"):
        m = n // 2 if kind == "matrix" else rng.randint(0, n)
        pairs = [(u, v) for u in range(m) for v in range(m, n)]
        keys["rows"] = m
        if kind == "rectangle" and 2 * m != n:
            graph["monomers"] = ["1" if (v < m) == (m > n - m) else "0" for v in range(n)]
    if kind == "sparse":
        density = 1.5 / max(n, 1)
    graph["edges"] = random_edges(rng, pairs, density, weights)
    if kind == "sets":
        chosen = {tuple(sorted(rng.sample(range(n), rng.randint(3, min(n, 5))))) for _ in range(rng.randint(1, 6)) if n >= 3}
        graph["sets"] = [[*s, weight] if weight != "1" else list(s) for s in chosen for weight in [rng.choice(weights)]]
    if kind == "monomers" or (kind == "sets" and rng.random() < 0.5):
        graph["monomers"] = [rng.choice(weights + ["0"]) for _ in range(n)]
    if kind == "matching polynomial":
        graph["edges"] = random_edges(rng, pairs, density, ONE)
        graph["monomers"] = ["1*t"] * n
    order = list(range(n))
    rng.shuffle(order)
    return graph, order, keys
