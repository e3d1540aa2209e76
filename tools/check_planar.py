"""The second page of check_proof.py: proofs of planar graphs too wide for rounds, by an embedding and an orientation.

P. W. Kasteleyn: if every face of a plane graph has an odd number of its edges directed along it, the Pfaffian of the
graph's skew matrix is the sum over all perfect matchings, or less it. Neither N nor that sum is negative, and both were
fixed before the prime p was drawn: if they differ, p divides their difference or sum with probability below 2^-100."""
import heapq, re

from check_proof import list_of, need

def check(proof, edges, claim, p):
    planar, order, texts = proof["planar"], proof["order"], [proof["count"], *(e[2] for e in proof["edges"] if e[2:])]
    need(not proof.get("sets") and {*proof.get("monomers", [])} <= {"0"}, "a planar proof has no sets and monomers")
    need(not re.search("[-*]", "".join(texts)), "a weight or N is negative or has a letter")
    need(type(planar) is dict and type(planar.get("orientation")) is str, "planar has no orientation")
    rotation, digits = list_of(planar, "rotation", list, len(order)), planar["orientation"]
    need(len(digits) == len(edges) and {*digits} <= {*"01"}, "orientation is not a digit for every edge")
    arcs = {(s if digit == "0" else s[::-1]): weight for (s, weight), digit in zip(edges, digits)}
    rows, after, seen, euler = [{} for _ in order], {}, set(), len(order) - len(edges)
    for (u, v), weight in arcs.items(): rows[u][v], rows[v][u] = weight, -weight % p
    for v, turn in enumerate(rotation):
        need(all(type(w) is int for w in turn) and sorted(turn) == sorted(rows[v]), "rotation has other neighbours")
        after.update(((u, v), (v, w)) for u, w in zip(turn, turn[1:] + turn[:1]))
    for v in order:  # Euler's formula: two less for every component, one more for every face
        component, euler = ([], euler) if v in seen else ([v], euler - 2 + (not rows[v]))
        for u in component:
            component += [w for w in rows[u] if w not in seen]
            seen.update([u, *rows[u]])
    while after:
        start, dart = after.popitem()
        odd, euler = start in arcs, euler + 1
        while dart != start: odd, dart = odd ^ (dart in arcs), after.pop(dart)
        need(odd, "a face is oriented evenly")
    need(euler == 0, "rotation is not that of a plane graph")
    heap, pfaffian = [(len(row), v) for v, row in enumerate(rows)], 1
    heapq.heapify(heap)
    while heap and pfaffian:  # one with the fewest neighbours: an order of the proof's own might fill the matrix
        size, v = heapq.heappop(heap)
        if rows[v] is None or size != len(rows[v]): continue  # it was the partner of another, or is in the heap again
        w = min((w for w, a in rows[v].items() if a), key=lambda w: len(rows[w]), default=None)
        pfaffian = pfaffian * rows[v].get(w, 0) % p
        if w is None: break
        inverse = pow(rows[v][w], -1, p)
        row, other = ({i: a for i, a in rows[u].items() if i not in (v, w)} for u in (v, w))
        for u in (v, w):
            for i in rows[u]: del rows[i][u]
        rows[v] = rows[w] = None
        for i, j in ((i, j) for i in row if row[i] for j in other if i != j and other[j]):
            rows[i][j] = (rows[i].get(j, 0) - row[i] * inverse % p * other[j]) % p
            rows[j][i] = -rows[i][j] % p
        for u in {*row, *other}: heapq.heappush(heap, (len(rows[u]), u))
    need(claim in (pfaffian, -pfaffian % p), "the count is not the Pfaffian")
