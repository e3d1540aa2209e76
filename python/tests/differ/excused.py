"""Where a second reader takes a file otherwise than its format, or its own description, says: narrow, each with its reason."""

from __future__ import annotations

import re
from collections.abc import Callable

_EDGES = ("edge list (networkx)", "edge list with data (networkx)")
_ADJACENCY = ("adjacency list (networkx)",)
_MATRICES = ("matrix (numpy)", "savetxt (numpy)", "spreadsheet (pandas)")
_ALL = ("",)


def _may_be_edges(text: str) -> bool:
    lines = [re.sub(r"\s#.*", "", line).replace('"', "").strip() for line in text.split("\n")]
    rows = [re.split(r"[,;\s]+", line) for line in lines if line and line[0] not in "#%"]
    return bool(rows) and {len(row) for row in rows} in ({2}, {3}) and len(rows) != len(rows[0]) and all(row[0].isdecimal() and row[1].isdecimal() for row in rows)


def _is_packed(text: str) -> bool:
    return all(set(line.strip()) <= {"0", "1"} for line in text.split("\n"))


def _is_one_labelled_entry(text: str) -> bool:
    lines = [line for line in text.split("\n") if line.strip()]
    return len(lines) == 2 and all(len(re.findall(r"[,;\t]", line)) == 1 for line in lines)


def _has_cumulated_bonds(text: str) -> bool:
    """Whether an atom of a molfile (V2000 or V3000) has two double bonds."""
    lines = [[line[at : at + 3].strip() for at in (0, 3, 6)] for line in text.split("\n") if re.match(r"[ \d]{9}", line)]
    bonds = [(a, b) for a, b, kind in lines if kind == "2" and a and b] + re.findall(r"(?m)^M  V30 \d+ 2 (\d+) (\d+)", text)
    ends = [end for bond in bonds for end in bond]
    return len(set(ends)) < len(ends)


# Dialects whose name has one of these texts, what the file has (a pattern, or a function), and why the reading is the second reader's own.
_RULES: tuple[tuple[tuple[str, ...], str | Callable[[str], bool], str], ...] = (
    (_ALL, r"(?m)^\s*#!", "a directive '#! vertex LABEL' is countpm's own, and a comment to others"),
    (("edge list, % (numpy)",), r"[^\s%]%", "numpy cuts words at %, where KONECT has comments of whole lines"),
    (("edge list, % (numpy)",), r"(?m)^\s*#", "numpy was told of comments with % alone"),
    ((*_EDGES, *_ADJACENCY, "two sides (pandas)"), r"(?m)(^|\s)%", "networkx, and pandas as it was told, know comments with # alone"),
    (_ADJACENCY, r"[,;\"]", "networkx keeps commas, semicolons and quotation marks as parts of labels"),
    (_EDGES, r",[ \t]|[ \t],", "networkx keeps commas as parts of labels"),
    (("adjacency list",), r"\A\s*\S+[ \t;,]+\S+[ \t;,]+\S+\s*\Z", "one line of three words is an edge with a weight, where nothing says otherwise"),
    (_ADJACENCY, r"(?m)^\s*\S+\s*:", "networkx takes the colon behind a vertex for a part of its label, or for one"),
    (("adjacency list, ; (csv)",), r":", "a colon parts a vertex from its neighbours, which csv does not know"),
    (("n m and edges",), r"\b0\d", "04 is the vertex 4 that the first line counts, and another one to the second reader"),
    (("csv)",), r"\(\S*,\S*\)", "a comma within parentheses is part of a complex number, which csv does not know"),
    (("adjacency list, ; (csv)",), r"(?i)\A\W*(id\W+)?source\W+target\b", "source and target head columns, with id in front too, and are vertices to csv"),
    (("Pajek",), r"(?m)^%", "a line of % is a comment, and a vertex to networkx"),
    (("DOT",), r"\"\s*:", "pydot makes one name of a vertex and its port"),
    (("Pajek",), r"(?m)^\s*0\d", "02 is the vertex 2, and no vertex to networkx"),
    (("TGF",), r"\"", "quotation marks around a word are no part of it"),
    (("table (pandas, csv)",), r"(?i)\A\W*(source|from)\b.*\b(target|to)\b", "pandas and csv were told that there is no header"),
    (("table (pandas, csv)",), r"(?m)\s[%#]", "a comment behind words parted by tabs, which pandas and csv do not know"),
    (_MATRICES, _may_be_edges,
     "two whole numbers in every line, or three numbers, and not as many lines, are edges (docs/formats.md); the second reader was told of a matrix"),
    (("molfile (RDKit)",), _has_cumulated_bonds,
     "the ends of cumulated bonds, as in allene, are no pi system of their own (docs/formats-molecules.md); the second reader takes them for one without edges"),
    (("spreadsheet (pandas)",), _is_one_labelled_entry, "two lines of two words are edges; pandas was told that they are a matrix of one entry and its labels"),
    (_MATRICES, _is_packed, "rows of one word of 0 and 1 are 0-1 matrices (docs/formats.md), and numbers to numpy"),
)


def excuse(dialect: str, text: str | bytes) -> str | None:
    """Why the difference is the second reader's, or None."""
    if isinstance(text, bytes):
        try:
            text = text.decode()
        except UnicodeDecodeError:
            return None
    for names, sign, why in _RULES:
        if any(name in dialect for name in names) and (sign(text) if callable(sign) else re.search(sign, text)):
            return why
    return None
