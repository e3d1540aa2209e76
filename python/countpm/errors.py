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

from . import _core
from ._core import CheckError, Error, InputError, UnableError, UsageError

__all__ = ["CheckError", "Error", "InputError", "UnableError", "UsageError", "input_error"]


def input_error(where: str, expected: str, found: str) -> InputError:
    """An InputError in the words of the library's own: ``WHERE: expected EXPECTED, found FOUND``."""
    error = _core.InputError(f"{where}: expected {expected}, found {found}")
    error.file, error.line, error.expected, error.found = where, None, expected, found
    return error
