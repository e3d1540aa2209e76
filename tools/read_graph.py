"""The fourth page of check_proof.py: the files with which check_graph.py compares.

They are plain lists of edges, dense matrices and Matrix Market files. Weights are integers, fractions and decimals, and
terms such as 1/2*x^2 in the first two. What is damaged, of another kind, or may as well mean something else ends with
Unread and the reason: that is no verdict, neither of the same graph nor of another one."""
import collections, fractions, functools, re

FRACTION = re.compile(r"([-+]?[0-9]{1,100000})/([0-9]{1,100000})")
DECIMAL = re.compile(r"([-+]?)(?=\.?[0-9])([0-9]{0,100000})((?:\.([0-9]{0,100000}))?(?:[eEdD]([-+]?[0-9]{1,9}))?)")
POWER = r"([a-df-hk-zA-DF-HJ-Z])(?:(?:\^|\*\*)\+?(-?[0-9]{1,7}))?"  # of letters that numbers do not have
TERM = re.compile(rf"(?:([-+]?)|([^*]*)\*)(?:{POWER}(?:\*(?!\Z)|\Z))+")
LABEL = re.compile(r"[0-9]+([,_][0-9]+)*|"  # 7 or 1,2 or Bern
                   r"(?![-+\"'(\[{*@&])(?!.*(?:[\"<>=|;→↔]|--|[,:]\Z)).*[^\W\d_].*")
SIZE = re.compile("nodes?|vert(ex|ices|s)?|nv|nnodes|order|points|edges?|arcs?|links?|ne|nedges|size|total|sum|count|"
                  "([nvmep])", re.I)
BESIDE = re.compile("number|num|of|the|graph|with|and|a|has|on|nr|no|undirected|[0-9]+", re.I)
LISTS, MATRICES, MARKETS = (".edgelist", ".edges", ".el", ".ncol"), (".dense", ".01"), (".mtx", ".mm")

class Unread(OSError): """The file is not compared."""
def plain(condition, reason, line=None):
    if not condition: raise Unread(f"line {line}: {reason}" if line else reason)
def words_of(line): return [word for word in re.split("[ \t]+", line) if word]
def is_whole(word): return word is not None and word.isascii() and word.isdigit()
def is_number(word): return FRACTION.fullmatch(word) or DECIMAL.fullmatch(word)

def number_of(word):
    """A fraction, or None."""
    fraction, decimal = FRACTION.fullmatch(word), DECIMAL.fullmatch(word)
    if fraction: return fractions.Fraction(int(fraction[1]), int(fraction[2])) if fraction[2].strip("0") else None
    if not decimal: return None
    sign, before, behind, digits, e = decimal.groups("")
    size, e = len((before + digits).lstrip("0")), int(e or 0) - len(digits)
    if size and behind and not -324 < size + e < 310: return None  # beyond the range of doubles
    return fractions.Fraction(int(sign + before + digits)) * (fractions.Fraction(10)**e if size and behind else 1)

@functools.lru_cache(1000)
def term_of(word, letters):
    """As terms_of has it: top, bottom and the powers of letters. Or None."""
    term, powers = letters and TERM.fullmatch(word), collections.Counter()
    value = number_of(word if not term else term[2] or term[1] + "1")
    if value is None: return None
    for letter, power in re.findall(POWER, word[len(term[2] or ""):]) if term else []: powers[letter] += int(power or 1)
    return value.numerator, value.denominator, tuple(sorted(x for x in powers.items() if value and x[1]))
def weight_of(word, line, letters=True):
    term = term_of(word, letters)
    return plain(term, f"{word[:60]!r} is no weight that is compared", line) or term

def rows_of_list(lines, named, matrix):
    """Rows (u, v, weight or None, line), and the vertices of the lines "#! vertex v", "#! left v" and "#! right v"."""
    rows, tabs, blanks, alone = [], 0, False, {"vertex": [], "empty": []}
    if matrix: alone.update({"left": [], "right": []})
    for k, line in lines:
        text, low = re.split("(?<=[ \t])[#%]", line)[0].strip(" \t"), line.lower()
        words = words_of(text)
        if line[0] not in "#%":
            plain(len(words) in (2, 3), "it is not two labels, or two and a weight", k)
            commas = [0 < x.find(",") < len(x) - 1 for x in words]
            plain(named or rows or len({*commas}) == 1, "commas and blanks, either of which may part labels", k)
            for x in words[:2]:
                plain(LABEL.fullmatch(x) and (is_whole(x) or not is_number(x)), f"{x[:60]!r} may be no label", k)
            rows.append((*words[:2], words[2] if words[2:] else None, k))
            tabs, blanks = tabs + ("\t" in text), blanks or {" ", "\t"} <= {*text}
        elif line.startswith("#!"):
            word, *labels = words_of(line[2:]) or [""]
            plain(word in alone and len(labels) == (word != "empty"), "another directive", k)
            alone[word] += labels or [""]
        else:
            plain(line != "#" or not rows, "it may be a comment, or the end of a list of vertices", k)
            market = not rows and ("matrixmarket" in low or "matrix" in low and ("coordinate" in low or "array" in low))
            plain(not market and not re.match(r"#\S+[ \t]+#\S", line), "it may be no comment", k)
    plain(rows or any(alone.values()), "it has no edges")
    plain(not blanks or tabs < len(rows), "blanks and tabs, either of which may part labels")
    return rows, alone

def look_twice(rows, weighted, named):
    """What may be another table than a list of edges is not read."""
    (a, b, _, top), below, numbers = rows[0], rows[1:], [is_whole(row[0]) and is_whole(row[1]) for row in rows]
    labels, thirds = collections.Counter(x for row in rows for x in row[:2]), [row[2] for row in rows if row[2]]
    plain(not below or labels[a] + labels[b] > 2 or is_whole(a) or is_whole(b), "an edge, or a header", top)
    for row in rows:
        words, some = [x for x in row[:3] if x and not BESIDE.fullmatch(x)], any(map(is_whole, row[:3]))
        sizes = [match for match in map(SIZE.fullmatch, words) if match]
        plain(not some or not sizes or len(sizes) < len(words) or sizes[0][2] and not any(numbers),
              "an edge, or a number of vertices or edges", row[3])
    if below and all(numbers) and is_whole(rows[0][2] or "1") and max(map(len, [*labels, rows[0][2] or ""])) < 20:
        sizes, last = [int(x) for x in rows[0][:3] if x], max(int(x) for row in below for x in row[:2])
        count = len(below) in (sizes if len(sizes) > 2 or len(below) > 1 else sizes[1:])
        plain(not count or sum(sizes) - len(below) < last, "an edge, or the numbers of vertices and edges", top)
    square = all(numbers) and all(map(is_number, thirds)) and (len(rows), len(thirds)) in ((2, 0), (3, 3))
    plain(named or not square, "edges, or a square matrix")
    table = [[x for x in row[:3] if x] for row in rows]
    named_lines = [line[0] for line in table] == table[0] and all(is_number(x) for line in table[1:] for x in line[1:])
    plain(all(numbers) or not below or not named_lines, "edges, or a matrix with names of its rows and columns")
    if not thirds: return
    marks = {row[0] for row in rows} in ({"e"}, {"a"}) and all(is_whole(x) for row in rows for x in row[1:3])
    firsts, every, other = {row[0] for row in rows}, {x for row in rows for x in row[:3] if x}, False
    if below and len(firsts) == len(rows):  # vertices and their neighbours, or numbers in front of edges
        whole = all(map(is_whole, every))
        if len(thirds) < len(rows): other = whole and not weighted or not any(map(is_number, every))
        elif every == firsts: other = True
        elif whole and not weighted: other = is_range(every) or is_range({x for row in rows for x in row[1:3]})
    plain(not marks and not other, "edges with weights, or three columns of another kind")
def is_range(words):
    numbers = {int(word[:20]) for word in words}
    return min(numbers) < 2 and max(numbers) - min(numbers) < len(numbers)

def edges_in(lines, weighted, named, matrix):
    """Weights {(u, v): weight}, and the names on the left, on the right, and of both, and whether the sides differ."""
    (rows, alone), given = rows_of_list(lines, named, matrix), {}
    if rows: look_twice(rows, weighted, named or any(alone.values()))
    for u, v, word, k in rows:
        plain((u, v) not in given, "an edge that is there twice", k)
        given[u, v] = weight_of(word or "1", k, weighted)
    if not matrix:
        opposite = {given.get((v, u)) == x for (u, v), x in given.items() if u != v}
        plain(len(opposite) < 2 and not any(u != v and given.get((v, u), x) != x for (u, v), x in given.items()),
              "it has some edges twice, or with two weights")
    lefts, rights = ({*alone.get(side, []), *(row[k] for row in rows)} for k, side in enumerate(["left", "right"]))
    return given, (lefts, rights, {*alone["vertex"]}, bool(alone.get("left") or alone.get("right")))

def market_entries(lines):
    """The numbers of rows and columns, and the weights by row and column, from 1 on."""
    (_, head), *lines = [(k, line) for k, line in lines if k == 1 or line[0] != "%"] or [(1, "")]
    kind = re.match("%?%matrixmarket matrix (?:(coordinate)|array) (?:(pattern)|((?:unsigned-)?integer)|real|double)"
                        " (?:general|(symmetric)|(skew-symmetric))$", " ".join(words_of(head)).lower())
    plain(kind, "no header of Matrix Market, or of a kind that is not compared", 1)
    sparse, pattern, integer, symmetric, skew = (x is not None for x in kind.groups())
    plain(lines and (not pattern or sparse and not skew), "it has no size, or no values where it must have some")
    (top, sizes), *table = ((k, words_of(line)) for k, line in lines)
    plain(all(re.fullmatch("[0-9]{1,10}", x) for x in sizes) and len(sizes) == 2 + sparse, "no size", top)
    m, n, below, entries = int(sizes[0]), int(sizes[1]), symmetric or skew, {}
    plain(not below or m == n, "a symmetric matrix that is not square", top)
    expected = int(sizes[2]) if sparse else m * n if not below else m * (m - 1) // 2 if skew else m * (m + 1) // 2
    plain(len(table) == expected, f"{len(table)} entries, where it says {expected}")
    places = ((i, j) for j in range(1, n + 1) for i in range(1 if not below else j + skew, m + 1))
    for k, words in table:
        plain(len(words) == 2 * sparse + (not pattern), "no entry", k)
        if sparse: plain(all(re.fullmatch("[0-9]{1,10}", x) for x in words[:2]), "no row or no column", k)
        i, j = (int(words[0]), int(words[1])) if sparse else next(places)
        plain(1 <= i <= m and 1 <= j <= n, "a row or a column that the matrix does not have", k)
        plain(not below or i >= j + skew, "an entry above the diagonal, or on that of a skew-symmetric matrix", k)
        plain((i, j) not in entries, "an entry that is there twice", k)
        value = "1" if pattern else words[-1]
        kept = "/" not in value and (not integer or re.fullmatch("[-+]?[0-9]+", value))
        plain(kept, "another value than the header says", k)
        number, *rest = entries[i, j] = weight_of(value, k, letters=False)
        if below: entries[j, i] = (-number if skew else number, *rest)
    return m, n, entries

def dense_entries(lines, weighted, named):
    """Likewise."""
    table = [(k, words_of(line)) for k, line in lines if line[0] not in "#%"]
    plain(table, "it has no rows")
    bits = all(not word.strip("01") for _, words in table for word in words)
    packed = bits and all(len(words) == 1 for _, words in table)
    if packed: table = [(k, [*words[0]]) for k, words in table]
    elif bits: plain(all(x == "0" or x[0] == "1" for _, words in table for x in words), "words of digits, or numbers")
    for k, words in table: plain(len(words) == len(table[0][1]), "a row of another length", k)
    names = {words[0] for _, words in table}
    lists = 1 < len(names) == len(table) and all(x in names for _, words in table for x in words)
    plain(named or packed or not lists, "a matrix, or vertices and their neighbours")
    entries = {}
    for i, (k, words) in enumerate(table, 1): entries.update(((i, j), weight_of(x, k)) for j, x in enumerate(words, 1))
    ones = {*entries.values()} <= {(0, 1, ()), (1, 1, ())}
    plain(weighted or ones, "it has other values than 0 and 1, and the proof has no weights")
    return len(table), len(table[0][1]), entries

def read(path, weighted, matrix):
    """What the file is, and what edges_in, market_entries or dense_entries say of it."""
    with open(path, "rb") as file: data = file.read()
    try: text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error: raise Unread(f"no text in UTF-8: {error}") from None
    plain(not re.search("[\0-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n|\\Z)", text), "it has control characters")
    lines = ((k, line.strip(" \t\r")) for k, line in enumerate(text.split("\n"), 1))
    lines = [(k, line) for k, line in lines if line]
    ending = re.search(r"(?<=[^/])\.(?=01\Z|[0-9]*[a-z])[a-z0-9]{1,8}\Z", str(path).lower())
    ending = ending[0] if ending and ending[0] not in (".txt", ".dat", ".data") else ""
    plain(ending in ("", *LISTS, *MATRICES, *MARKETS), f"files that end in {ending} are not compared")
    plain(lines, "it is empty")
    if text[:14].lower() == "%%matrixmarket" or ending in MARKETS: return "a Matrix Market file", *market_entries(lines)
    first = next((words_of(line) for _, line in lines if line[0] not in "#%"), [])
    numbers = all(map(is_number, first)) and len(first) > 3 or len(first) == 1 and not first[0].strip("01")
    numbers = numbers and not any(line.startswith("#!") for _, line in lines)  # else it is a list
    if ending in MATRICES or numbers and not ending: return "a dense matrix", *dense_entries(lines, weighted, ending)
    return "an edge list", None, None, edges_in(lines, weighted, ending, matrix)
