#!/usr/bin/env python3
"""check_proof.py PROOF [GRAPH]: checks a count that carries a proof, without the program that made it.
A proof (docs/internals/proof-format.md) states that N is the sum, over all ways to cover every vertex of a graph just
once by edges, larger sets and monomers (single vertices), of the products of their weights. A wrong N is accepted with
a probability below 2^-100. GRAPH, a list of edges or a matrix (read_graph.py), is compared with that of the proof."""
import binascii, functools, hashlib, json, math, os, re, sys
TERM = re.compile(r"(-?[1-9][0-9]{0,99999})(?:/(?!1(?![0-9]))([1-9][0-9]{0,99999}))?"  # a number: 1/2
                  r"((?:\*[a-zA-Z](?:\^(?!1(?![0-9]))-?[1-9][0-9]{0,8})?)*)")          # and letters: *x^2*y
def need(condition, reason):
    if not condition: raise ValueError(reason)
def draw(h, word): return int.from_bytes(hashlib.sha256(h + word).digest(), "big")
def product(factors, p): return functools.reduce(lambda a, b: a * b % p, factors, 1)
def ascending(items): return all(a < b for a, b in zip(items, items[1:]))
def list_of(owner, key, kind, length=None):
    items = owner.get(key)
    fits = type(items) is list and length in (None, len(items)) and all(type(x) is kind for x in items)
    return need(fits, f"{key} is missing, or no list of what it must have, or has a wrong length") or items

def terms_of(text):
    """1/2+-3*x^2*y as [(1, 2, ()), (-3, 1, (("x", 2), ("y", 1)))], and 0 as []."""
    need(type(text) is str, "a weight or the count is no string")
    terms = []
    for part in text.split("+") if text != "0" else []:
        match = TERM.fullmatch(part)
        need(match, f"{part[:60]!r} is no number or term in the form that proofs have")
        powers = tuple((x[0], int(x[2:] or 1)) for x in match[3].split("*")[1:])
        terms.append((int(match[1]), int(match[2] or 1), powers))
        need(math.gcd(*terms[-1][:2]) == 1, f"{part[:60]!r} is not in lowest terms")
        need(ascending([letter for letter, _ in powers]), f"the letters of {part[:60]!r} are not in order")
    need(len({powers for _, _, powers in terms}) == len(terms), "two terms have the same letters")
    return terms
def sets_of(proof, key, n, sizes):
    sets = [(tuple(s[:-1]), s[-1]) if s and type(s[-1]) is str else (tuple(s), "1") for s in list_of(proof, key, list)]
    fit = (len(s) in sizes and all(type(v) is int and 0 <= v < n for v in s) and ascending(s) for s, _ in sets)
    need(all(fit), f"{key} has what is not as many vertices as there must be, from 0 to {n - 1}, ascending")
    need(all(len(terms_of(weight)) == 1 for weight in {weight for _, weight in sets}), f"{key} has a weight 0 or a sum")
    need(ascending([s for s, _ in sets]), f"{key} is not in increasing order")
    return sets

def statement_of(proof):
    """What a proof states, read strictly, and the hash of it."""
    need(type(proof) is dict and proof.get("format") == "countpm-proof 2", "it is no proof of format countpm-proof 2")
    n, count = proof.get("vertices"), proof.get("count")
    need(type(n) is int and 0 <= n <= 10**6, "vertices is no number from 0 to 1000000")
    edges, sets = sets_of(proof, "edges", n, [2]), sets_of({"sets": [], **proof}, "sets", n, range(3, n + 1))
    order, monomers = list_of(proof, "order", int, n), list_of({"monomers": ["0"] * n, **proof}, "monomers", str, n)
    need(sorted(order) == [*range(n)], "order is no order of the vertices")
    need(terms_of(count) is not None and all(len(terms_of(weight)) < 2 for weight in {*monomers}), "monomers has a sum")
    lines = ["countpm-proof 2", f"vertices {n} edges {len(edges)}", *(f"{u} {v} {weight}" for (u, v), weight in edges)]
    lines += [f"sets {len(sets)}", *(" ".join(map(str, [len(s), *s, weight])) for s, weight in sets)] if sets else []
    lines += [" ".join(["monomers", *monomers])] if {*monomers} - {"0"} else []
    lines += [" ".join(map(str, ["order", *order])), "count " + count, ""]
    return edges, sets, monomers, order, count, hashlib.sha256("\n".join(lines).encode()).digest()

def prime_of(h):
    """The least prime from a point on that is drawn when N is fixed, by Miller and Rabin's test with twenty bases."""
    bases = [a for a in range(2, 72) if all(a % b for b in range(2, a))]
    for p in range(2**126 + (draw(h, b"prime") >> 128) % 2**126, 2**127):
        halves = [(p - 1) >> k for k in range(1, ((p - 1) & (1 - p)).bit_length())]
        powers = ([pow(a, e, p) for e in halves] for a in bases)
        if math.gcd(p, 6469693230) == 1 and all(p - 1 in row or row[-1] == 1 for row in powers): return p
def value_of(text, h, p):
    """A sum modulo p, every letter at a point that the hash of the statement draws."""
    value = 0
    for top, bottom, powers in terms_of(text):
        points = [draw(h, b"letter " + letter.encode()) % p for letter, _ in powers]
        need(bottom % p and all(points), "a denominator or a letter is 0 modulo the prime")
        value += top * pow(bottom, -1, p) * product((pow(x, e, p) for x, (_, e) in zip(points, powers)), p)
    return value % p

def steps_of(sets, monomers, order):
    """Step by step all sets and vertices change a table f of partial sums, which begins as f() = 1 and ends as f() = N.
    Step of a vertex: (v, m_v, [(w, a_vw), ..], new, old); before it (None, a_T, T, new, old) for each larger set whose
    first vertex it is. The table before the step has the coordinates `old`; those of `new` come with the step."""
    place, at, steps, touched = {v: k for k, v in enumerate(order)}, {v: ([], []) for v in order}, [], set()
    for s, weight in sets: at[min(s, key=place.get)][len(s) == 2].append((s, weight))
    for v in order:
        edges = [(s[s[0] == v], weight) for s, weight in at[v][1]]
        own = [(None, weight, s, {*s}) for s, weight in at[v][0]] + [(v, monomers[v], edges, {v, *dict(edges)})]
        for vertex, weight, around, members in own:
            steps.append((vertex, weight, around, members - touched, members & touched))
            touched |= members
    return steps

def line_of(step, r, p):
    """What is claimed of the table f' after a step is true if something is of the table f before it, on a line through
    r: with q(t) its values there, f'(r) = A q(0) + B q'(0) + C (q(1) - q(0) - q'(0)). And the line, by coordinates."""
    v, weight, around, new, old = step
    if v is None:  # f'(r) = f(r) + a r_u .. r_w f(r but u = .. = w = 0)
        free, b = product((1 - r[u] for u in new), p), weight * product((r[u] for u in around), p)
        return free + b, b, b, {u: (r[u], -r[u]) for u in old}
    # f'(r) = f(r, v = 1) + m f(r, v = 0) + sum of a_w r_w f(r but w = 0, v = 0); f = 0 where one of `new` is used
    free, used, stay = 1, 0, weight + (v in old)
    for w, a in around:
        if w in old: stay += a * r[w]
        else: free, used = free * (1 - r[w]) % p, (used * (1 - r[w]) + free * a * r[w]) % p
    line = {w: (r[w], -a * r[w] * r[w]) for w, a in around if w in old}
    return free * stay + used, free, 0, {**line, v: (0, 1)} if v in old else line

def check_rounds(sets, monomers, order, claim, h, p, rounds):
    """Backwards, each round is a q(t), which is believed if it is right at a random t: the claim about f there."""
    need(len(rounds) == len(order) + sum(len(s) > 2 for s, _ in sets), "the number of rounds is wrong")
    steps, r, scale = steps_of(sets, monomers, order), {}, 1
    for step, text in zip(reversed(steps), rounds):  # claim = scale f'(r)
        A, B, C, line = line_of(step, r, p)
        data = binascii.a2b_base64(text)
        fits = len(data) == 16 * max(len(line), 1) and binascii.b2a_base64(data, newline=False) == text.encode()
        need(fits, "a round is not in base64, or has a wrong length")
        q0, *others = numbers = [int.from_bytes(data[k:k + 16], "big") for k in range(0, len(data), 16)]
        need(max(numbers) < p, "a number of a round is not below the prime")
        q1 = (claim - scale * (A * q0 + C * sum(others))) % p  # q(t) = q0 + q1 t + q2 t^2 + ..; q1 is not sent: the
        need(line or q1 == 0, "a table does not agree with the next one")    # claim says it, here times scale B
        h, q = hashlib.sha256(h + data).digest(), 0
        t, scale = int.from_bytes(h, "big") % p, scale * B % p
        for number in reversed(others): q = (q + number) * t % p
        claim = (scale * (q0 + q * t) + q1 * t) % p
        for w in step[3]: r.pop(w, None)
        r.update((w, (start + t * way) % p) for w, (start, way) in line.items())
    need(scale and claim == scale, "the last claim is not 1")
def object_of(pairs): return need(len(dict(pairs)) == len(pairs), "a key stands twice in an object") or dict(pairs)
def integer_of(digits): return int(digits) if len(digits) < 9 and digits != "-0" else None
def depth(value):
    within = value if type(value) is list else value.values() if type(value) is dict else None
    return 0 if within is None else 1 + max(map(depth, within), default=-1)
def check(path, graph=None):
    with open(path, encoding="utf-8") as file: text = file.read()
    proof = json.loads(text, object_pairs_hook=object_of, parse_int=integer_of, parse_constant=int)  # int refuses NaN
    need(depth(proof) <= 32, "it is nested too deep")
    edges, sets, monomers, order, count, h = statement_of(proof)
    p = prime_of(h)
    value = {text: value_of(text, h, p) for text in {count, *monomers, *(weight for _, weight in edges + sets)}}
    weights, alone = [(s, value[weight]) for s, weight in edges + sets], [value[weight] for weight in monomers]
    need(("rounds" in proof) != ("planar" in proof), "there is not just one of rounds and planar")
    sys.path.append(os.path.dirname(os.path.abspath(__file__)))  # where the other pages are
    if "rounds" in proof: check_rounds(weights, alone, order, value[count], h, p, list_of(proof, "rounds", str))
    else: __import__("check_planar").check(proof, weights, value[count], p)
    n, m = len(order), proof.get("rows")
    matrix = type(m) is int and 0 <= m <= n and not sets and all(u < m <= v for (u, v), _ in edges)
    words = f"a {m} x {n - m} matrix with {len(edges)} entries" if matrix else f"{n} vertices and {len(edges)} edges"
    words += ", weights" * any(x != "1" for _, x in edges + sets) + f", {len(sets)} sets" * bool(sets)
    words += ", monomers" * bool({*monomers} - {"0"})
    return count, words if graph is None else words + __import__("check_graph").compare(graph, proof, edges, monomers)
def main(arguments):
    if len(arguments) not in (1, 2): return print(__doc__) or 2
    getattr(sys, "set_int_max_str_digits", int)(0)  # else Python reads no numbers of more than 4300 digits
    try: return print("proved: {}\nof {}".format(*check(*arguments))) or 0
    except RecursionError: return print("refused: it is nested too deep") or 1
    except ValueError as reason: return print("refused:", reason) or 1
    except OSError as error: return print(error, file=sys.stderr) or 2
if __name__ == "__main__": sys.exit(main(sys.argv[1:]))
