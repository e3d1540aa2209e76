"""The third page of check_proof.py: the graph of a proof is that of a file (read_graph.py says of which)."""
from check_proof import list_of, need, terms_of
from read_graph import Unread, read

def compare(path, proof, edges, monomers):
    """Refuses a file with another graph, by the names of vertices; its values count if the proof has others than 1."""
    n, m, sets, matrix = proof["vertices"], proof.get("rows", proof["vertices"]), proof.get("sets", []), "rows" in proof
    weighted = (any(x != "1" for _, x in edges) or any(type(s[-1]) is str and s[-1] != "1" for s in sets)
                or not {*monomers} <= {"0", "1"})
    try: form, rows, columns, given = read(path, weighted, matrix)
    except Unread as error: raise Unread(f"the count is proved, but {path} is not compared: {error}") from None
    need(type(m) is int and 0 <= m <= n and (not matrix or not sets and all(u < m <= v for (u, v), _ in edges)),
         "rows is wrong")
    longer = [*"10"] if 2 * m > n else [*"01"]  # of a rectangle: whose lines may stay alone
    need(not matrix or 2 * m == n or monomers == longer[:1] * m + longer[1:] * (n - m), "no rectangle's sum")
    names = list_of({"labels": [*map(str, [*range(1, m + 1), *range(1, n - m + 1)])], **proof}, "labels", str, n)
    left, right = {x: v for v, x in enumerate(names[:m])}, {x: v for v, x in enumerate(names[m:], m)}
    need(len(left) + len(right) == n, "labels has a name twice")
    right = right if matrix else left
    if rows is not None:
        need((rows, columns) == (len(left), len(right)), "the file has a matrix of another size")
        given = {(f"{i}", f"{j}"): x for (i, j), x in given.items()}
    else:
        given, (lefts, rights, both, apart) = given
        for a in [*lefts, *both]: need(a in left, f"the proof has no vertex {a[:60]}")
        for b in [*rights, *both]: need(b in right, f"the proof has no vertex {b[:60]}")
        sides = not both and lefts == left.keys() and rights == right.keys()
        all_of = not apart and lefts.union(rights, both)  # of a directed graph: on both sides
        need(sides or all_of == left.keys() == right.keys(), "the file has fewer vertices")
    need(all(a in left and b in right for a, b in given), "the proof has other names of rows or columns")
    others = not weighted and any(x not in ((0, 1, ()), (1, 1, ())) for x in given.values())
    given = {(left[a], right[b]): (1, 1, ()) if others else x for (a, b), x in given.items() if x[0]}
    loops = {u: x for (u, v), x in given.items() if u == v}  # a matrix has none: u < m <= v
    if not matrix:
        given = {pair: x for pair, x in given.items() if pair[0] != pair[1]}
        half = len({u < v for u, v in given}) == 1 or rows is None
        need(half or all(given.get((v, u)) == x for (u, v), x in given.items()), "the file has no graph's matrix")
        given = {(min(pair), max(pair)): x for pair, x in given.items()}
    terms = {text: terms_of(text) for text in {*monomers, *(x for _, x in edges)}}
    need({s: terms[x][0] for s, x in edges} == given, "the file has another graph")
    single = {v: terms[x][0] for v, x in enumerate(monomers) if x != "0"}
    need(not loops or loops == single, "the file has loops, and the proof no monomers that are the same")
    alone = sets or single and not loops and (not matrix or 2 * m == n)  # a rectangle says its monomers
    notes = ", but for its values" * others + ", which has no sets and monomers" * bool(alone)
    return f"; compared with {path} ({form}{notes})"
