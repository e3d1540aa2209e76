"""The exceptions, all of them :class:`Error`, as the command's exit codes have them.

=================  =====================  ==========================================================================
exception          also a                 meaning
=================  =====================  ==========================================================================
``UsageError``     ``ValueError``         an option that does not exist or does not fit; the message lists what does
``InputError``     ``ValueError``         a graph or matrix that is not what is asked for: ``.file``, ``.line``,
                                          ``.expected``, ``.found``
``UnableError``    ``RuntimeError``       beyond the limits, or no method can: ``.remedy`` says what would help
``CheckError``     ``RuntimeError``       a check on a result failed: nothing was counted
=================  =====================  ==========================================================================

``CountpmWarning``, a ``UserWarning``, says that a file was read in one way where another would make the number
another one: a line taken for a header, columns or values that are not used. So are matrices and edges whose values
are not used.
``warnings.simplefilter("error", countpm.CountpmWarning)`` makes an error of it.
"""

from __future__ import annotations

import re
import sys
import warnings

from . import _core
from ._core import CheckError, CountpmWarning, Error, InputError, UnableError, UsageError

__all__ = ["CheckError", "CountpmWarning", "Error", "InputError", "UnableError", "UsageError", "in_python", "input_error",
           "of_the_same_call", "warn"]


def warn(text: str) -> None:
    """A CountpmWarning at the line that called this package."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == __name__.partition(".")[0]:
        level, frame = level + 1, frame.f_back
    warnings.warn(text, CountpmWarning, stacklevel=level)


def input_error(where: str, expected: str, found: str) -> InputError:
    """An InputError in the words of the library's own: ``WHERE: expected EXPECTED, found FOUND``."""
    error = _core.InputError(f"{where}: expected {expected}, found {found}")
    error.file, error.line, error.expected, error.found = where, None, expected, found
    return error


def of_the_same_call(error: BaseException) -> None:
    """What goes on with a checkpoint is the call that made it; a remedy speaks of the command."""
    if isinstance(error, UnableError):
        error.remedy = re.sub(r"'countpm resume .*' goes on", "the same call goes on", error.remedy)


# Options of the command that Python has under another name, or as a function.
_OPTIONS = {
    "at": "a number for the letter",
    "degree": "number_of_factors()",
    "double-check": "double_check=True",
    "exact": "exact=True",
    "ground-state": "ground_state()",
    "ln-z": "ln_z()",
    "maximum": "maximum_matchings()",
    "minors": "minors()",
    "ring-weight": "ring_weight",
    "sampled": "sampled=True",
    "signed": "signed_sum()",
    "weight-column": "weight",
    "weights": "weight=True",
}
_WORDS = {
    "arithmetic": r"mpfr|double-double|kahan|plain",
    "kind": r"bipartite|directed|undirected|symmetric",
    "device": r"auto|cpu|gpu",
    "first-line": r"edge|header",
    "format": r"(?!says$|takes$|reads$|and$|or$|is$)[a-z]+[0-9]*",
    "loops": r"drop|monomer|reject",
    "method": r"(?!and$|or$|is$|needs$)[a-z-]+",
    "monomers": r"[a-z]",
    "multi": r"sum|first|reject",
    "sampler": r"boundary|bethe|annealed|scaling\+?|[a-z]+\+",
    "second": r"auto|none|annealed",
}
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
_OPTION = re.compile(r"--([a-z][a-z-]*[a-z])(?:[ =]([A-Za-z0-9.+_-]+(?:=[A-Za-z0-9.+/-]+)?))?")
_COMMAND = re.compile(r"'countpm ([a-z]+)(?: INPUT)?((?: --[a-z][^']*)?)'")


def _seconds(value: str) -> str | None:
    if re.fullmatch(r"(\d+(\.\d+)?[smhdw])+", value) is None:
        return value if re.fullmatch(r"\d+(\.\d+)?", value) else None
    total = sum(float(number) * _UNITS[unit] for number, unit in re.findall(r"(\d+(?:\.\d+)?)([smhdw])", value))
    return f"{total:.10g}"


def _bytes(value: str) -> str | None:
    known = re.fullmatch(r"(\d+(?:\.\d+)?)([KMGT]?)(i?)B?", value)
    if known is None:
        return None
    # "4G" is 2^30 as "4GiB" is; "4GB" is 10^9.
    power = "KMGT".find(known[2]) + 1 if known[2] else 0
    unit = 1024**power if known[3] or not value.endswith("B") else 1000**power
    return f"{float(known[1]) * unit:.0f}"


def _keyword(found: re.Match[str]) -> str:
    option, value = found[1], found[2]
    name = _OPTIONS.get(option, option.replace("-", "_"))
    if value is None or "=" in name or name.endswith("()") or " " in name:
        if value is not None and option == "at":
            letter, _, number = value.partition("=")
            return f"{letter} = {number}" if number else f"{name} {value}"
        return name if value is None else f"{name} {value}"
    rest = ""
    while value and value[-1] in ".-":
        value, rest = value[:-1], value[-1] + rest
    if option == "time-limit":
        known_value = _seconds(value)
    elif option in ("memory-limit", "gpu-memory"):
        known_value = _bytes(value)
    elif option in _WORDS:
        known_value = repr(value) if re.fullmatch(_WORDS[option], value) else None
    else:
        known_value = value if re.fullmatch(r"\d+(\.\d+)?(e[+-]?\d+)?", value) else None
    return f"{name}={known_value}{rest}" if known_value is not None else f"{name} {value}{rest}"


def in_python(text: str) -> str:
    """A message of the library, which names the command's options, with keyword arguments and functions in their place."""
    if "--" not in text and "countpm " not in text:
        return text
    text = text.replace("'countpm many'", "count_many(read_many(FILE))")
    text = _COMMAND.sub(lambda found: f"{found[1]}(){' with ' + found[2].strip() if found[2] else ''}", text)
    text = text.replace("--on-limit estimate", "estimate()").replace("--on-limit bounds", "count_or_bounds()")
    text = text.replace("'countpm INPUT'", "count()").replace("'countpm INPUT --weights'", "count(weight=True)")
    return _OPTION.sub(_keyword, text)
