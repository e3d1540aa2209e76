"""Random files of graphs as people write them: plain ones, each with the options that count it, and ones that may mean something else."""

WEIGHTS = {
    "ones": ["1"],
    "integers": ["2", "1", "-3", "12345678901234567890", "+4", "0"],
    "fractions": ["1/2", "-2/3", "4/6", "7", "22/7"],
    "decimals": ["0.5", ".25", "-1.5", "2.", "1e-3", "3E+2", "1.0D0"],
    "letters": ["x", "3*x^2", "-y", "-1/2*x*y^-1", "2", "1/3"],
}


def numbered(values):
    return [f"{value} {'1' if value == '1' else 'x'}" for value in values]


def edge_list(rng, weights):
    """Of an undirected graph, a directed one (--kind directed), or a bipartite one."""
    kind = rng.choice(["undirected", "undirected", "directed", "bipartite"])
    n = rng.randint(2, 7)
    names = rng.choice([[str(v) for v in range(1, n + 1)], [str(v) for v in range(n)], [f"v{v}" for v in range(n)],
                        ["Zürich", "Bern", "Genf", "Basel", "a,b", "x-y", "Ö"][:n], [f"{v // 3},{v % 3}" for v in range(n)]])
    right = [name + "'" if rng.random() < 0.5 and not name[0].isdigit() else name for name in names]
    pairs = [(u, v) for u in range(n) for v in range(n) if u < v or (kind != "undirected" and (u != v or rng.random() < 0.5))]
    pairs = [pair for pair in pairs if rng.random() < 0.6] or pairs[:1]
    rng.shuffle(pairs)
    twice, lines = kind == "undirected" and rng.random() < 0.2, []
    weighted = len(weights) > 1
    for u, v in pairs:
        blank = rng.choice([" ", " ", "\t", "  "])
        weight = blank + rng.choice(weights) if weighted and rng.random() < 0.8 else ""
        ends = names[u], (right if kind == "bipartite" else names)[v]
        for a, b in [ends, ends[::-1]][:1 + twice]:
            lines.append(rng.choice(["", "", " "]) + a + blank + b + weight + rng.choice(["", "", "", " # a comment", " "]))
    touched = {v for pair in pairs for v in pair}
    for v in range(n):
        if kind != "bipartite" and v not in touched and rng.random() < 0.3:
            lines.insert(rng.randint(0, len(lines)), "#! vertex " + names[v])
        if kind == "bipartite" and v not in {p[0] for p in pairs}:
            lines.append("#! left " + names[v])
        if kind == "bipartite" and v not in {p[1] for p in pairs}:
            lines.append("#! right " + right[v])
    for _ in range(rng.randint(0, 2)):
        lines.insert(rng.randint(0, len(lines)), rng.choice(["", "# a comment", "% one more", "  "]))
    return rng.choice([".edges", ".edgelist", ".el", ".txt", ""]), lines, ["--kind", kind] if kind != "undirected" else []


def entries(rng, m, n, weights):
    density = rng.choice([0.4, 0.7, 1])
    return [[rng.choice(weights) if rng.random() < density else "0" for _ in range(n)] for _ in range(m)]


def dense(rng, weights):
    m = rng.randint(1, 5)
    rows = entries(rng, m, rng.choice([m, m, rng.randint(1, 6)]), weights)
    packed = len(weights) == 1 and rng.random() < 0.5
    return rng.choice([".dense", ".01", ".dense", ".txt"]), [("" if packed else " ").join(row) for row in rows], []


def market(rng, weights):
    m = rng.randint(1, 5)
    symmetry = rng.choice(["general", "general", "symmetric", "skew-symmetric"])
    rows = entries(rng, m, m if symmetry != "general" else rng.choice([m, m, rng.randint(1, 5)]), weights)
    real = any(set(w) - set("+-0123456789") for w in weights)
    fields = ["real", "double"] if real else ["integer", "unsigned-integer", "real"]
    array = rng.random() < 0.4
    if len(weights) == 1 and not array and symmetry != "skew-symmetric" and rng.random() < 0.7:
        fields = ["pattern"]
    field = rng.choice(fields)
    places = [(i, j) for j in range(len(rows[0])) for i in range(m) if symmetry == "general" or i >= j + (symmetry[1] == "k")]
    if not array:
        places = [(i, j) for i, j in places if rows[i][j] != "0" or (field != "pattern" and rng.random() < 0.2)]
        rng.shuffle(places)
    lines = [rng.choice(["%%MatrixMarket", "%%matrixmarket"]) + f" matrix {'array' if array else 'coordinate'} {field} {symmetry}"]
    lines += ["% a comment"] * rng.randint(0, 1) + [f"{m} {len(rows[0])}" + f" {len(places)}" * (not array)]
    for i, j in places:
        lines.append(" ".join([f"{i + 1}", f"{j + 1}"] * (not array) + [rows[i][j]] * (field != "pattern")))
    square = len(rows) == len(rows[0])
    return rng.choice([".mtx", ".mtx", ".mm", ""]), lines, rng.choice([[], [], ["--kind", "directed"]]) if square else []


def plain(rng):
    """(ending, text, options of countpm count)."""
    kind, form = rng.choice(list(WEIGHTS)), rng.choice([edge_list, dense, market])
    if form is market and kind in ("letters", "fractions"):
        kind = "decimals"
    ending, lines, options = form(rng, WEIGHTS[kind])
    options = options + (["--weights", "--exact"] if kind != "ones" and rng.random() < 0.8 else [])
    text = rng.choice(["\n", "\n", "\r\n"]).join(lines) + rng.choice(["", "\n", "\n"])
    return ending, text, options


def changed(rng, text):
    """Something else, mostly: a word, a line or a byte changed."""
    lines = text.split("\n")
    k = rng.randrange(len(lines))
    words = lines[k].split(" ")
    j = rng.randrange(len(words))
    what = rng.randrange(8)
    if what == 0:
        words[j] = rng.choice(["a", "b", "1", "2", "3", "0", "1.0", "-", "->", "--", "#", "%", "x", "e", "n", "nodes", "Total", "p", "u", "v", "1e400",
                               "source", "\u00a0", "1,5", "1/0", "nan", "2i", "(1,2)", "{}", "4 5", "1\u00a02", "\u0661", "\u2003", "5 4 3", "x^0", "0*x"])
    elif what == 1:
        words.insert(j, rng.choice(["1", "2", "x", "#", "a", "->", "1/2", "0", "%", "3"]))
    elif what == 2:
        del words[j]
    lines[k] = " ".join(words)
    if what == 3:
        del lines[k]
    elif what == 4:
        lines.insert(k, lines[rng.randrange(len(lines))])
    elif what == 5:
        lines.insert(rng.choice([0, k]), rng.choice(["#", "#! vertex z", "#! left z", "#! right 1", "#! empty", "#1 #2", "# 1 2", "%1 2", "u v", "source target", "4 4",
                                                     "3 3 3", f"{len(lines)} {len(lines)}", f"9 {len(lines)}", f"{len(lines) - 1} 7", "a", "1", "nodes 4", "6 edges", "p 4 6",
                                                     "Total 6", "gene1 gene2", "n 4", "1 1", "1 2", "%%MatrixMarket matrix coordinate pattern general", "", "*Vertices 4",
                                                     "id1 id2 weight", "u v w"]))
    elif what == 6:
        byte = rng.randrange(len(text) + 1)
        return text[:byte] + rng.choice([" ", "\t", "\n", "\r", "\v", "\u00a0", "\u2028", "1", "0", "#", "-", ",", ";", ":", "'", '"', "\ufeff", "/", "."]) + text[byte + rng.randint(0, 1):]
    elif what == 7:
        rng.shuffle(lines)
    return "\n".join(lines)
