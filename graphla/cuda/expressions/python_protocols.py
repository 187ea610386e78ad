"""Python protocols that objects of the device refuse with an explanation.

These are iteration, truth and conversion to a NumPy array, which would copy entries to the host.
"""

from __future__ import annotations

from typing import Any

from graphla.cuda.operators import graphblas_bridge
from graphla.errors import DomainMismatch, EngineMismatch


class NotOfCPU(EngineMismatch, AttributeError):
    """An operation of python-graphblas was given an object of the device."""


def absent(x: Any, name: str) -> AttributeError:
    """Return the exception for a missing attribute of x.

    If the name is internal to python-graphblas, x was mixed with its objects.
    """
    kind = type(x).__name__
    if name in graphblas_bridge.INTERNALS:
        return NotOfCPU(
            f"{kind} is on engine 'cuda', and {name!r} is what objects of engine 'cpu' "
            "ask of each other: graphla.cuda.to_graphblas(x) copies it there"
        )
    return AttributeError(f"{kind!r} object has no attribute {name!r}")


class Guards:
    """Refuses loops over the entries, ``bool(x)`` and ``np.asarray(x)``."""

    __slots__ = ()

    def _refuse(self, what: str, instead: str) -> Any:
        raise DomainMismatch(f"{what} of a {type(self).__name__} on engine 'cuda': {instead}")

    def __iter__(self) -> Any:
        self._refuse("a loop over the entries", "x.to_coo() has them all")

    def __bool__(self) -> bool:
        self._refuse("the truth value", "use x.nvals or x.reduce(...)")
        return False

    def __array__(self, *args: Any, **options: Any) -> Any:
        self._refuse(
            "a copy to the host", "x.to_dense() is an array of the device, .get() copies it"
        )
