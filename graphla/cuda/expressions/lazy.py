"""An expression as an operand, or one of whose result an attribute is read: it is computed.

As in python-graphblas, ``graphblas.config.set(autocompute=False)`` refuses that, and ``.new()``
computes an expression.
"""

from __future__ import annotations

from operator import index
from typing import Any

from graphblas import config

from graphla.cuda.expressions.python_protocols import absent
from graphla.cuda.expressions.signs import Signs
from graphla.cuda.operators import graphblas_bridge
from graphla.errors import DomainMismatch

OUTPUTS: dict[int, Any] = {}  # number of dimensions -> Scalar, Vector, Matrix


def refuse_automatic(what: Any) -> None:
    """Refuse an expression where a value is needed, if python-graphblas is configured so."""
    if not config.get("autocompute"):
        raise DomainMismatch(
            f"{what} is not computed: .new() does that, or "
            "graphblas.config.set(autocompute=True) for all expressions"
        )


class Lazy(Signs):
    """An expression: its attributes, and signs, are those of the result."""

    __slots__ = ()
    new: Any
    shape: Any

    def _computed(self) -> Any:
        """Return the result where Python's syntax or another operation needs it."""
        refuse_automatic(repr(self))
        return self.new()

    def _number(self) -> Any:
        """Return the Scalar that the expression evaluates to."""
        if self.shape:
            raise DomainMismatch(f"expected an expression of one number, not {self!r}")
        return self._computed()

    def __or__(self, other: Any) -> Any:
        return self._computed() | other

    def __ror__(self, other: Any) -> Any:
        return other | self._computed()

    def __and__(self, other: Any) -> Any:
        return self._computed() & other

    def __rand__(self, other: Any) -> Any:
        return other & self._computed()

    def __matmul__(self, other: Any) -> Any:
        return self._computed() @ other

    def __ior__(self, other: Any) -> Any:
        raise DomainMismatch("|= does not update an expression")

    def __iand__(self, other: Any) -> Any:
        raise DomainMismatch("&= does not update an expression")

    def __imatmul__(self, other: Any) -> Any:
        raise DomainMismatch("@= does not update an expression")

    def __bool__(self) -> bool:
        return bool(self._number())

    def __int__(self) -> int:
        return int(self._number())

    def __index__(self) -> int:
        return index(self._number())

    def __float__(self) -> float:
        return float(self._number())

    def __complex__(self) -> complex:
        return complex(self._number())

    def __array__(self, dtype: Any = None, *, copy: bool | None = None) -> Any:
        return self._number().__array__(dtype)

    def __eq__(self, other: object) -> Any:
        return self._computed() == other

    def __ne__(self, other: object) -> Any:
        return self._computed() != other

    __hash__ = object.__hash__

    def __contains__(self, keys: Any) -> bool:
        return keys in self._computed()

    def __getitem__(self, keys: Any) -> Any:
        return self._computed()[keys]

    def _as_vector(self) -> Any:
        return self._computed()._as_vector()

    def _as_matrix(self) -> Any:
        return self._computed()._as_matrix()

    def reduce_scalar(self, *arguments: Any, **options: Any) -> Any:
        """Reduce the result, a Matrix or a Vector, to one number: aggregators call this."""
        x = self._computed()
        return getattr(x, "reduce_scalar" if x.ndim == 2 else "reduce")(*arguments, **options)

    def __iter__(self) -> Any:
        return iter(self._computed())

    def __getattr__(self, name: str) -> Any:
        kind = OUTPUTS[len(self.shape)]
        if name in graphblas_bridge.INTERNALS and name not in ("name", "new"):
            raise absent(self, name)
        if name.startswith("_") or not hasattr(kind, name):
            raise AttributeError(f"an expression of a {kind.__name__} has no attribute {name!r}")
        return getattr(self._computed(), name)
