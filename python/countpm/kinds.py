"""Types of matrices, for type checkers alone: what kind of number a permanent or hafnian is of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Union

import numpy as np
import numpy.typing as npt

__all__ = ["IntMatrix"]

IntMatrix = Union[npt.NDArray[np.integer[Any]], npt.NDArray[np.bool_], Sequence[Sequence[int]]]
