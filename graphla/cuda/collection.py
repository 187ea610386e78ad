"""What Vector and Matrix share: the update ``C(mask, accum, replace=True) << expression``."""

from __future__ import annotations

from typing import Any

from graphla.cuda import bridge
from graphla.cuda.expression import Expression, Identity
from graphla.cuda.mask import Mask
from graphla.cuda.operations import elementwise
from graphla.cuda.scalar import Scalar, typed
from graphla.cuda.storage import Dense, Sparse, to_dense, to_sparse
from graphla.errors import DimensionMismatch, DomainMismatch, EngineMismatch


class Collection:
    """A Vector or a Matrix: entries of one dtype, in some form of storage, ``_store``.

    ``_keep`` is the form that a caller asked for ("sparse", "bitmap", "full"), or None.
    """

    __slots__ = ("__weakref__", "_keep", "_store", "dtype", "name")
    dtype: Any
    shape: tuple[int, ...]
    _positions: int
    _ncols: int

    # ---- update

    def __call__(self, *arguments: Any, mask: Any = None, accum: Any = None, replace: bool = False) -> Update:
        for argument in arguments:
            if isinstance(argument, Mask):
                mask = argument
            elif argument is not None:
                accum = argument
        return Update(self, self._mask(mask), self._accum(accum), bool(replace))

    def __lshift__(self, expression: Any) -> None:
        Update(self, None, None, False) << expression

    @property
    def S(self) -> Mask:
        """The mask that is the structure."""
        return Mask(self, True)

    @property
    def V(self) -> Mask:
        """The mask that is the true values."""
        return Mask(self, False)

    def _mask(self, mask: Any) -> Mask | None:
        if mask is None or isinstance(mask, Mask):
            if mask is not None and mask.parent.shape != self.shape:
                raise DimensionMismatch(f"a mask of {mask.parent.shape} for an output of {self.shape}")
            return mask
        raise EngineMismatch(f"a mask is x.S, x.V or ~ of those, on engine 'cuda'; got {mask!r}")

    def _accum(self, accum: Any) -> Any:
        return None if accum is None else bridge.typed(accum, "binary", self.dtype, self.dtype)

    # ---- storage

    def store(self, form: str | None) -> None:
        """Keep the entries as "sparse", "bitmap" or "full" from now on: a hint, never a value."""
        self._keep = form
        self._settle()

    def _flat(self) -> Any:
        """Return the entries by position: a list, a bitmap or a full array."""
        return self._store

    @property
    def _entries(self) -> Any:
        """Return a store that holds the values of the entries, whatever their positions."""
        return self._store

    def _settle(self) -> None:
        """Bring the entries into the form that was asked for."""
        if self._keep == "sparse" and isinstance(self._store, Dense):
            self._store = to_sparse(self._store, self._positions)
        elif self._keep in ("bitmap", "full") and isinstance(self._store, Sparse):
            self._store = to_dense(self._store, self._positions)

    @property
    def nvals(self) -> int:
        """Number of entries."""
        return self._store.nvals

    @property
    def is_empty(self) -> bool:
        """Whether there is no entry."""
        return not self.nvals


class Update:
    """``C(mask, accum, replace)``, into which an expression is shifted."""

    __slots__ = ("accum", "mask", "out", "replace")

    def __init__(self, out: Any, mask: Mask | None, accum: Any, replace: bool) -> None:
        self.out, self.mask, self.accum, self.replace = out, mask, accum, replace

    def __lshift__(self, value: Any) -> None:
        if not isinstance(value, Expression):
            value = expression(value, self.out)
        if value.shape != self.out.shape and value.shape is not None:
            raise DimensionMismatch(f"{value.operation}: a result of {value.shape} into {self.out.shape}")
        value.run(self.out, self.mask, self.accum, self.replace)

    update = __lshift__


class Fill(Expression):
    """A scalar for every position."""

    __slots__ = ("scalar",)

    def __init__(self, scalar: Any, dtype: Any) -> None:
        super().__init__("assign", None, dtype, None, ())
        self.scalar = scalar

    def run(self, C: Any, mask: Any = None, accum: Any = None, replace: bool = False) -> None:
        """C<mask, accum, replace> = scalar."""
        s = typed(self.scalar)
        how = elementwise.Combine(elementwise.VALUE, None, bridge.lookup(s.dtype))
        elementwise.run(C, how, s=s, mask=mask, accum=accum, replace=replace)


def expression(value: Any, out: Any) -> Expression:
    """Return what may stand on the right of ``<<`` as an expression."""
    if isinstance(value, Collection):
        return Identity(value)
    if isinstance(value, (bool, int, float, Scalar)) or getattr(value, "ndim", None) == 0:
        return Fill(value, out.dtype)
    if hasattr(value, "_expression"):  # an infix or transposed one
        return value._expression()
    if type(value).__module__.startswith("graphblas"):
        raise EngineMismatch(f"{type(value).__name__} is on engine 'cpu', the output on 'cuda'")
    raise DomainMismatch(f"{type(value).__name__} cannot be assigned")
