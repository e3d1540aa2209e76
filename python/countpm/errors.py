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
"""

from __future__ import annotations

import re

from . import _core
from ._core import CheckError, Error, InputError, UnableError, UsageError

__all__ = ["CheckError", "Error", "InputError", "UnableError", "UsageError", "input_error", "of_the_same_call"]


def input_error(where: str, expected: str, found: str) -> InputError:
    """An InputError in the words of the library's own: ``WHERE: expected EXPECTED, found FOUND``."""
    error = _core.InputError(f"{where}: expected {expected}, found {found}")
    error.file, error.line, error.expected, error.found = where, None, expected, found
    return error


def of_the_same_call(error: BaseException) -> None:
    """What goes on with a checkpoint is the call that made it; a remedy speaks of the command."""
    if isinstance(error, UnableError):
        error.remedy = re.sub(r"'countpm resume .*' goes on", "the same call goes on", error.remedy)
