"""The threads of the CPU: how many there are, how long they spin, which cores they may use, and
blocks of work for them.
"""

from __future__ import annotations

import os
import sys
import warnings
from contextlib import suppress
from importlib import import_module
from numbers import Integral
from typing import TYPE_CHECKING, Any

from graphla.errors import InvalidValue

if TYPE_CHECKING:
    from collections.abc import Callable

SPINS = "20000"  # iterations: 0.3 ms on a Xeon; libgomp's default is 300 000, 3.8 ms there
LIBRARY = "suitesparse_graphblas"  # the module that loads libgomp
BLOCK = 1 << 18  # elements that a thread takes at a time, which fit in cache
BINDING = ("OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY")


def configure_openmp() -> None:
    """Set libgomp's environment, and keep its thread binding away from all other threads.

    Idle OpenMP threads spin before they sleep and slow the code that runs next: `GOMP_SPINCOUNT` is
    set to SPINS unless the user has set it or `OMP_WAIT_POLICY`. libgomp reads it when it is
    loaded, so this runs before SuiteSparse is imported; processes started later inherit it.

    If the environment binds OpenMP threads, libgomp binds the thread that loads it to one
    core (to its first place), and threads that this thread creates, Numba's for one, inherit
    that. SuiteSparse is then imported here, and the thread's affinity mask restored. The
    OpenMP threads themselves stay bound.

    Warns
    -----
    RuntimeWarning
        SuiteSparse was imported before, so that the mask to restore is not known.
    """
    if "OMP_WAIT_POLICY" not in os.environ:
        os.environ.setdefault("GOMP_SPINCOUNT", SPINS)
    binding = next((name for name in BINDING if _binds(os.environ.get(name))), None)
    if binding is None or not hasattr(os, "sched_getaffinity"):
        return
    mask = os.sched_getaffinity(0)
    if LIBRARY not in sys.modules:
        import ctypes

        with suppress(ImportError):  # raised again where it is used
            import_module(LIBRARY)
        with suppress(OSError):  # not installed: Numba runs without it
            ctypes.CDLL("libgomp.so.1")  # another copy, which Numba's OpenMP layer would load later
        os.sched_setaffinity(0, mask)
    elif len(mask) < (os.cpu_count() or 1):
        warnings.warn(
            f"{binding}={os.environ[binding]} in the environment: libgomp bound the thread that "
            f"imported graphblas to {len(mask)} of {os.cpu_count()} cores, and Numba's threads "
            f"inherit that. Import graphla before graphblas, or unset {binding}.",
            RuntimeWarning,
            stacklevel=3,
        )


def _binds(value: str | None) -> bool:
    """Whether a value of a variable in BINDING binds threads."""
    return value is not None and value.strip().lower() not in ("", "false")


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

    before = num_threads()
    gb.ss.config["nthreads"] = n
    if "numba" in sys.modules:
        import numba

        most: int = numba.config.NUMBA_NUM_THREADS
        numba.set_num_threads(min(n, most))
    return before


def num_threads() -> int:
    """Return the number of threads that :func:`set_threads` has set; by default all cores."""
    import graphblas as gb

    return int(gb.ss.config["nthreads"])


def map_blocks(work: Callable[[int, int], Any], size: int) -> list[Any]:
    """Return work(start, stop) for each block of the elements 0..size-1, in order.

    Python's threads take the blocks in turn, and share the work as far as it releases the global
    lock, as NumPy's loops do.
    """
    results: list[Any] = [None] * -(-size // BLOCK)

    def task(k: int) -> None:
        results[k] = work(k * BLOCK, min((k + 1) * BLOCK, size))

    if len(results) > 1:
        from graphla.numba_support.thread_pool import run_tasks

        run_tasks(task, len(results), num_threads())
    elif results:
        task(0)
    return results
