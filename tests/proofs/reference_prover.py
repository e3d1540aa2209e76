"""A slow prover, straight from docs/internals/proof-format.md: tables are dictionaries, sums are sums. It shares no code with the checkers and with countpm.

graph = {"vertices": 4, "edges": [[0, 1], [0, 2, "1/2"]], "sets": [..], "monomers": [..]}, as in a proof, in any order; prove(graph, order) is the proof, by rounds."""
import base64
import functools
import hashlib
from fractions import Fraction


# Polynomials: {((letter, exponent), ..): coefficient}, without coefficients 0.
def polynomial(text):
    terms = {}
    for part in text.split("+") if text != "0" else []:
        coefficient, *letters = part.split("*")
        terms[tuple((x[0], int(x[2:] or 1)) for x in letters)] = Fraction(coefficient)
    return terms


def times(a, b):
    product = {}
    for x, c in a.items():
        for y, d in b.items():
            powers = dict(x)
            for letter, exponent in y:
                powers[letter] = powers.get(letter, 0) + exponent
            key = tuple(sorted((letter, exponent) for letter, exponent in powers.items() if exponent))
            product[key] = product.get(key, 0) + c * d
    return {key: c for key, c in product.items() if c}


def plus(a, b):
    total = dict(a)
    for key, c in b.items():
        total[key] = total.get(key, 0) + c
    return {key: c for key, c in total.items() if c}


def text_of(terms):
    def term(powers, coefficient):
        return str(coefficient) + "".join(f"*{x}" if e == 1 else f"*{x}^{e}" for x, e in powers)
    return "+".join(term(*item) for item in sorted(terms.items())) or "0"


def pieces_of(graph):
    """Edges and sets: [(vertices, weight as text)]."""
    items = graph.get("edges", []) + graph.get("sets", [])
    return [(tuple(s[:-1]), s[-1]) if isinstance(s[-1], str) else (tuple(s), "1") for s in items]


def count_of(graph):
    """The sum over all covers, by trying everything at the first vertex that is not covered."""
    n = graph["vertices"]
    monomers = [polynomial(w) for w in graph.get("monomers", ["0"] * n)]
    pieces = [(s, polynomial(w)) for s, w in pieces_of(graph)]

    def rest(covered):
        if len(covered) == n:
            return {(): Fraction(1)}
        v = min(set(range(n)) - covered)
        total = times(monomers[v], rest(covered | {v})) if monomers[v] else {}
        for s, weight in pieces:
            if v in s and not covered & set(s):
                total = plus(total, times(weight, rest(covered | set(s))))
        return total

    return text_of(rest(frozenset()))


def hash_of(proof):
    n = proof["vertices"]
    lines = ["countpm-proof 2", "vertices %d edges %d" % (n, len(proof["edges"]))]
    for item in proof["edges"]:
        lines.append(" ".join(str(x) for x in item) + ("" if isinstance(item[-1], str) else " 1"))
    if proof.get("sets"):
        lines.append("sets %d" % len(proof["sets"]))
        for s, weight in pieces_of({"sets": proof["sets"]}):
            lines.append(" ".join([str(len(s))] + [str(v) for v in s] + [weight]))
    if any(w != "0" for w in proof.get("monomers", [])):
        lines.append("monomers " + " ".join(proof["monomers"]))
    lines.append(" ".join(["order"] + [str(v) for v in proof["order"]]))
    lines.append("count " + proof["count"])
    return hashlib.sha256(("\n".join(lines) + "\n").encode("ascii")).digest()


def is_prime(p):
    """Miller and Rabin."""
    small = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71]
    if any(p % a == 0 for a in small):
        return p in small
    odd, twos = p - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for a in small:
        x = pow(a, odd, p)
        if x in (1, p - 1):
            continue
        for _ in range(twos - 1):
            x = x * x % p
            if x == p - 1:
                break
        else:
            return False
    return True


@functools.lru_cache(maxsize=1024)
def prime_of(h):
    p = 2**126 + int.from_bytes(hashlib.sha256(h + b"prime").digest()[:16], "big") % 2**126
    while not is_prime(p):
        p += 1
    return p


def residue(text, h, p):
    value = 0
    for powers, coefficient in polynomial(text).items():
        term = coefficient.numerator * pow(coefficient.denominator, -1, p)
        for letter, exponent in powers:
            at = int.from_bytes(hashlib.sha256(h + b"letter " + letter.encode()).digest(), "big") % p
            term = term * pow(at, exponent, p) % p
        value += term
    return value % p


def line_times(q, start, way, p):
    """The polynomial q, from its constant on, times start + way t."""
    product = [start * c for c in q] + [0]
    for i, c in enumerate(q):
        product[i + 1] += way * c
    return [c % p for c in product]


def statement(graph, order, count):
    """The proof without its rounds, everything in the order that the format wants."""
    proof = {"format": "countpm-proof 2", "vertices": graph["vertices"],
             "edges": sorted(graph["edges"], key=lambda e: e[:2]), "order": list(order), "count": count}
    if graph.get("sets"):
        proof["sets"] = sorted(graph["sets"], key=lambda s: [v for v in s if not isinstance(v, str)])
    if any(w != "0" for w in graph.get("monomers", [])):
        proof["monomers"] = list(graph["monomers"])
    return proof


def prove(graph, order, count=None, as_given=False):
    """The proof of a count; of a wrong one, a proof that keeps to the protocol. as_given: nothing is sorted, so that all but the form may be right."""
    n = graph["vertices"]
    proof = statement(graph, order, count_of(graph) if count is None else count)
    if as_given:
        proof.update(graph)
    h = hash_of(proof)
    p = prime_of(h)
    place = {v: k for k, v in enumerate(order)}
    monomers = [residue(w, h, p) for w in proof.get("monomers", ["0"] * n)]
    edges, sets = [[] for _ in order], [[] for _ in order]  # by the place of their first vertex
    for s, weight in pieces_of(proof):
        k = min(place[v] for v in s)
        kind = edges if len(s) == 2 else sets
        kind[k].append((frozenset(s), residue(weight, h, p)))

    # Forward: (vertex or None, sets with their weights, coordinates of the table before, the table).
    steps, touched, table = [], set(), {frozenset(): 1}
    for k, v in enumerate(order):
        for own in [(None, [piece]) for piece in sets[k]] + [(v, edges[k])]:
            steps.append((*own, touched - set(order[:k]), table))
            after = {}
            for used, value in table.items():
                moves = [(used, value)] if own[0] is None else [(used - {v}, value)] if v in used else [(used | {v}, monomers[v] * value)]
                moves += [(used | s, a * value) for s, a in own[1] if not used & s]
                for state, x in moves:
                    state -= {own[0]}
                    after[state] = (after.get(state, 0) + x) % p
            table = after
            touched |= set().union(*[s for s, _ in own[1]])

    # Backward.
    rounds, point = [], {}
    for v, own, live, table in reversed(steps):
        line = {u: (point[u], 0) for u in live if u != v}  # x_u = start + way t
        if v is None:
            line.update((u, (point[u], -point[u])) for u in own[0][0] & live)
        else:
            line.update((w, (point[w], -a * point[w]**2)) for s, a in own for w in (s - {v}) & live)
            if v in live:
                line[v] = (0, 1)
        moving = own[0][0] & live if v is None else set().union({v}, *[s for s, _ in own]) & live
        q = [0] * (len(moving) + 1)
        for used, value in table.items():
            term, fixed = [value], 1
            for u, (start, way) in line.items():
                if u not in moving:
                    fixed = fixed * (start if u in used else 1 - start) % p
                else:
                    term = line_times(term, *((start, way) if u in used else (1 - start, -way)), p)
            q = [(a + b * fixed) % p for a, b in zip(q, term)]
        sent = b"".join(c.to_bytes(16, "big") for c in q[:1] + q[2:])
        rounds.append(base64.b64encode(sent).decode())
        h = hashlib.sha256(h + sent).digest()
        t = int.from_bytes(h, "big") % p
        point = {u: (start + way * t) % p for u, (start, way) in line.items()}
    proof["rounds"] = rounds
    return proof
