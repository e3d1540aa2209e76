"""Unharmed files: every dialect with every line end and encoding, comments, and all that may say the format. Each is read as what was written, or refused
with the options that choose between its readings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random

from .drawn import Case
from .judge import Verdict, counted, read_by_countpm
from .networks import is_near, is_same, of_countpm, sums

Dialects = dict[str, tuple[int, Callable[[Random], Case]]]

_ENCODINGS: tuple[Callable[[str], bytes], ...] = (
    lambda text: text.encode(),
    lambda text: text.replace("\n", "\r\n").encode(),
    lambda text: text.replace("\n", "\r").encode(),
    lambda text: b"\xef\xbb\xbf" + text.encode(),
    lambda text: text.replace("\n", "\r\n").encode("utf-16"),
    lambda text: text.removesuffix("\n").encode(),
    lambda text: (text + "\n").encode(),
)
_OPTION = re.compile(r"\b(format|kind|first_line|ends|weight|multi|loops)=")


def variants(count: int, seed: int, here: Dialects) -> Iterator[tuple[str, Case, bytes, str]]:
    """Every dialect in turn, and with it every encoding and every way to say the format."""
    for at in range(count):
        name = list(here)[at % len(here)]
        turn = at // len(here)
        case = here[name][1](Random(f"variant {seed} {at}"))
        data = case.file if isinstance(case.file, bytes) else _ENCODINGS[turn % len(_ENCODINGS)](case.file)
        yield name, case, data, case.by[turn % len(case.by)]


def judged_variant(dialect: str, case: Case, data: bytes, by: str) -> Verdict:
    """outcome: right, refused (with options that choose), or FOUND."""
    graph, said, refusal = read_by_countpm(case, data, by)
    if graph is None:
        asked = " or " in refusal and _OPTION.search(refusal)
        return Verdict("refused" if asked else "FOUND", dialect, case, data, by, refusal, theirs=case.truth)
    ours = of_countpm(graph)
    a, b = sums(ours), sums(case.truth)
    right = is_same(ours, case.truth) or (ours.kind == case.truth.kind and all(map(is_near, a, b)))
    value = counted(graph)
    right = right and (value is None or is_near(value, b[0], sums(case.truth, absolute=True)[0]))
    return Verdict("right" if right else "FOUND", dialect, case, data, by, "" if right else f"{a}, and written was {b}", said, ours, case.truth)
