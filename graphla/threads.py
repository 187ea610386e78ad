"""How many threads the engines of the CPU use."""

from __future__ import annotations

import sys
from numbers import Integral

from graphla.errors import InvalidValue


def set_threads(n: int) -> int:
    """Set the number of threads of SuiteSparse and of Numba together.

    Parameters
    ----------
    n : int
        At least 1. Numba takes no more than it was started with (by default
        the number of cores), and is set to that many if `n` is larger.

    Returns
    -------
    int
        The number that SuiteSparse had before.

    Examples
    --------
    >>> import graphla as gl
    >>> before = gl.set_threads(1)
    >>> gl.set_threads(before)
    1
    """
    if isinstance(n, bool) or not isinstance(n, Integral) or n < 1:
        raise InvalidValue(f"n={n!r}: the number of threads is an integer >= 1")
    n = int(n)
    import graphblas as gb

    before = int(gb.ss.config["nthreads"])
    gb.ss.config["nthreads"] = n
    if "numba" in sys.modules:
        import numba

        most: int = numba.config.NUMBA_NUM_THREADS
        numba.set_num_threads(min(n, most))
    return before
