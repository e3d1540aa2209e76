"""Changes of a proof after which nobody may accept it."""
import base64
import copy
import json

from reference_prover import hash_of, prime_of


DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def changed_digit(rng, text):
    """Of base64; the last one has bits that nobody reads, and that must be 0."""
    k = rng.randrange(len(text.rstrip("=")))
    return text[:k] + rng.choice([c for c in DIGITS if c != text[k]]) + text[k + 1:]


def every_number(proof):
    """Each number of a proof changed, one by one: (what, proof)."""
    def change(what, do):
        forged = copy.deepcopy(proof)
        do(forged)
        return what, json.dumps(forged)

    def put(owner, key, value):
        owner[key] = value

    yield change("vertices", lambda f: put(f, "vertices", f["vertices"] + 1))
    yield change("vertices", lambda f: put(f, "vertices", f["vertices"] - 1))
    for key in ("edges", "sets"):
        for k, item in enumerate(proof.get(key, [])):
            for place, member in enumerate(item):
                if type(member) is int:
                    yield change(key, lambda f: put(f[key][k], place, member + 1))
                    yield change(key, lambda f: put(f[key][k], place, member - 1))
                else:
                    yield change(key, lambda f: put(f[key][k], place, member + "1"))
            if type(item[-1]) is int:
                yield change(key, lambda f: f[key][k].append("2"))
                yield change(key, lambda f: f[key][k].append("-1"))
            yield change(key, lambda f: f[key].pop(k))
    for k, weight in enumerate(proof.get("monomers", [])):
        yield change("monomers", lambda f: put(f["monomers"], k, weight + "1"))
        yield change("monomers", lambda f: put(f["monomers"], k, "1" if weight == "0" else "0"))
    for k, vertex in enumerate(proof["order"]):
        yield change("order", lambda f: put(f["order"], k, vertex + 1))
        if k:
            yield change("order", lambda f: put(f["order"], slice(k - 1, k + 1), [f["order"][k], f["order"][k - 1]]))
    p = prime_of(hash_of(proof))
    for k, sent in enumerate(proof.get("rounds", [])):
        data = base64.b64decode(sent)
        for at in range(0, len(data), 16):
            value = int.from_bytes(data[at:at + 16], "big")
            for other in ((value + 1) % p, (value - 1) % p, p - value, value + p, p, 2**128 - 1):
                if other != value and other < 2**128:
                    changed = data[:at] + other.to_bytes(16, "big") + data[at + 16:]
                    yield change("round", lambda f: put(f["rounds"], k, base64.b64encode(changed).decode()))
    if "planar" in proof:
        digits = proof["planar"]["orientation"]
        for k, digit in enumerate(digits):
            yield change("orientation", lambda f: put(f["planar"], "orientation", digits[:k] + "10"[int(digit)] + digits[k + 1:]))
        for v, turn in enumerate(proof["planar"]["rotation"]):
            for k, w in enumerate(turn):
                yield change("rotation", lambda f: put(f["planar"]["rotation"][v], k, w + 1))
            yield change("rotation", lambda f: f["planar"]["rotation"][v].append(0))
    yield from counts(proof, p)


def counts(proof, p):
    count = proof["count"]
    first, plus, rest = count.partition("+")
    coefficient, star, letters = first.partition("*")
    top, slash, bottom = coefficient.partition("/")
    n = int(top)
    for other in (n + 1, n - 1, n + p, n - p, n + 2**64, n - 2**64, n + 2**32, -n, 2 * n, 10 * n, n + 10**30):
        if other != n:
            yield "count", json.dumps({**proof, "count": str(other) + slash + bottom + star + letters + plus + rest})
    for other in ("", "-0", "+" + count, "0" + count, " " + count, count + " ", count + ".0", count + "e0", "0x1", "1/0", "2/2", "0/1", count + "+1*z",
                  count + "*x", count + "+0", "1*x^0", "1*x^1", "1*X^01", "x", "1*x+1*x", "1*y*x", "1*x*x", "1*x^1000000000", "1*é", count + "\n", "١"):
        yield "text of the count", json.dumps({**proof, "count": other})
    for other in ([], {}, None, True, False, n if abs(n) < 10**7 else 1, 1.5, [count]):
        yield "kind of the count", json.dumps({**proof, "count": other})


def texts(proof, rng):
    """The file changed where it is no longer what the format says."""
    text = json.dumps(proof)
    yield "empty", ""
    yield "truncated", text[:rng.randrange(len(text))]
    yield "over-long", text + rng.choice(["x", "{}", "]", "\x00", ",", text])
    yield "byte order mark", "\ufeff" + text
    for key in proof:
        value = json.dumps(proof[key])
        yield "key twice", text[:-1] + f', "{key}": {value}' + "}"
        yield "key missing", json.dumps({k: v for k, v in proof.items() if k != key}) if key not in ("rows", "labels", "sets", "monomers") else ""
        for other in ("null", "true", "0", "-0", "1.0", "[]", "{}", '""', "[[]]", "[[0]]", "[0.0]", '["0"]'):
            if key not in ("rows", "labels") and json.loads(other) != proof[key] and not (key == "sets" and other == "[]"):
                yield "value of another kind", json.dumps({**proof, key: "@"}).replace('"@"', other)
    yield "key twice within", text[:-1] + ', "input": {"a": 1, "a": 1}}'
    yield "no number", text[:-1] + ', "input": NaN}'
    yield "no number", text[:-1] + ', "input": 01}'
    yield "no number", text[:-1] + ', "input": -Infinity}'
    yield "comma", text[:-1] + ",}"
    yield "quotes", text.replace('"', "'")
    yield "control character", text.replace("countpm-proof 2", "countpm-proof 2\n")
    yield "format", text.replace("countpm-proof 2", "countpm-proof 1")
    yield "both forms", json.dumps({"rounds": [], "planar": {}, **proof})
    if proof["vertices"]:
        first = f'"order": [{proof["order"][0]}'
        for other in ("-0", str(proof["order"][0]) + ".0", str(proof["order"][0]) + "e0", "true", "false", '"0"', "null", "00", "1000000000000000000000"):
            if not (other == "-0" and proof["order"][0] != 0):
                yield "integer " + other, text.replace(first, '"order": [' + other)
    for key in ("edges", "sets"):
        if proof.get(key):
            u = proof[key][0][0]
            for other in (f"{u}.0", "true", f'"{u}"', "-1", f"{u}e0", "null", "[0]"):
                yield "vertex " + other, text.replace(f'"{key}": [[{u},', f'"{key}": [[{other},')
            weight = proof[key][0][-1]
            for other in ("0", "1.0", "-0", "+1", "01", "2/2", "1/1", "1e0", "x", "1*x+1", "", "1*x^1", "1*x^0", "1 ", "1/0", "1/-2", "--1", "1//2", "1/2/3", "1*", "*x",
                          "1*x^", "1*x^-", "1*xy", "1*x^+2", "1*y*x", "1*x*x"):
                if other != weight:
                    forged = copy.deepcopy(proof)
                    forged[key][0] = [v for v in forged[key][0] if type(v) is int] + [other]
                    yield "weight " + other, json.dumps(forged)
            yield "loop", json.dumps({**proof, key: [[u, u] + proof[key][0][2:]] + proof[key][1:]})
            yield "twice", json.dumps({**proof, key: [proof[key][0]] + proof[key]})
            yield "ends swapped", json.dumps({**proof, key: [[proof[key][0][1], u] + proof[key][0][2:]] + proof[key][1:]})
            yield "nothing", json.dumps({**proof, key: [[]] + proof[key]})
            if len(proof[key]) > 1:
                yield "order of " + key, json.dumps({**proof, key: proof[key][1:] + proof[key][:1]})
    rounds = proof.get("rounds")
    if rounds:
        sent = rng.choice(rounds)
        data = [base64.b64decode(r) for r in rounds]
        yield "rounds truncated", json.dumps({**proof, "rounds": rounds[:-1]})
        yield "rounds over-long", json.dumps({**proof, "rounds": rounds + [sent]})
        yield "rounds missing", json.dumps({**proof, "rounds": []})
        for what, forged in (("truncated", [r[:-1] for r in rounds]), ("over-long", [r + "A" for r in rounds]), ("padded", [r + "=" for r in rounds]),
                             ("without padding", [r.rstrip("=") if r.endswith("=") else "" for r in rounds]),
                             ("with a line's end", [r + "\n" for r in rounds]), ("with a blank", [r[:5] + " " + r[5:] for r in rounds]),
                             ("with an underscore", [r[:5] + "_" + r[6:] for r in rounds]), ("with padding within", [r[:4] + "==" + r[4:] for r in rounds]),
                             ("in another alphabet", [r[:4] + "-_" + r[6:] for r in rounds]), ("with other digits", ["٣" + r[1:] for r in rounds]),
                             ("in hexadecimal", [r.hex() for r in data]), ("with a number missing", [base64.b64encode(r[16:]).decode() for r in data]),
                             ("with a number too many", [base64.b64encode(r + bytes(16)).decode() for r in data]),
                             ("with half a number too many", [base64.b64encode(r + bytes(8)).decode() for r in data]), ("of a list", [[r] for r in rounds])):
            if forged != rounds:
                yield "round " + what, json.dumps({**proof, "rounds": forged})
        last = [r.rstrip("=") for r in rounds]  # the bits behind the last byte are not 0
        spare = [DIGITS[DIGITS.index(r[-1]) + 1] + "=" * (len(sent) - len(r)) if len(sent) > len(r) else "" for r, sent in zip(last, rounds)]
        if any(spare):
            yield "round with bits too many", json.dumps({**proof, "rounds": [r[:-1] + x if x else sent for r, x, sent in zip(last, spare, rounds)]})
        if rounds != rounds[::-1]:
            yield "rounds reversed", json.dumps({**proof, "rounds": rounds[::-1]})
        swapped = [base64.b64encode(r[16:] + r[:16]).decode() for r in data]
        if swapped != rounds:
            yield "numbers swapped", json.dumps({**proof, "rounds": swapped})


def one(proof, rng, others):
    """One forgery, drawn at random, of a proof by rounds; `others` are proofs of other graphs."""
    forged = copy.deepcopy(proof)
    kind = rng.randrange(8)
    if kind == 0 and forged["rounds"]:
        k = rng.randrange(len(forged["rounds"]))
        forged["rounds"][k] = changed_digit(rng, forged["rounds"][k])
        return "digit of a round", json.dumps(forged)
    if kind == 1:
        other = rng.choice(others)
        if other["rounds"] != forged["rounds"]:
            return "rounds of another graph", json.dumps({**forged, "rounds": other["rounds"]})
    if kind == 2 and len(forged["edges"]) > 1:
        k = rng.randrange(len(forged["edges"]))
        forged["edges"].pop(k)
        return "edge dropped", json.dumps(forged)
    if kind == 3 and forged["vertices"] > 1:
        u, v = sorted(rng.sample(range(forged["vertices"]), 2))
        if [u, v] not in [e[:2] for e in forged["edges"]]:
            forged["edges"] = sorted(forged["edges"] + [[u, v]], key=lambda e: e[:2])
            return "edge added", json.dumps(forged)
    if kind == 4 and forged["vertices"] > 1:
        i, j = rng.sample(range(forged["vertices"]), 2)
        forged["order"][i], forged["order"][j] = forged["order"][j], forged["order"][i]
        return "order", json.dumps(forged)
    if kind == 5 and forged["edges"]:
        k = rng.randrange(len(forged["edges"]))
        weight = rng.choice(["2", "-1", "3/2", "5*x"])
        if forged["edges"][k][2:] != [weight]:
            forged["edges"][k] = forged["edges"][k][:2] + [weight]
            return "weight", json.dumps(forged)
    if kind == 6 and forged["vertices"]:
        monomers = forged.get("monomers", ["0"] * forged["vertices"])
        v = rng.randrange(forged["vertices"])
        monomers[v] = "1" if monomers[v] != "1" else "2"
        return "monomer", json.dumps({**forged, "monomers": monomers})
    return rng.choice(list(counts(forged, prime_of(hash_of(forged)))))
