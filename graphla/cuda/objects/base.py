"""What Vector and Matrix share: the update ``C(mask, accum, replace=True) << expression``."""

from __future__ import annotations

from typing import Any

from graphblas import binary
from graphblas.dtypes import BOOL

from graphla.cuda.expressions.arguments import on_device, typed_operator
from graphla.cuda.expressions.infix import Operand
from graphla.cuda.expressions.python_protocols import Guards
from graphla.cuda.expressions.scalar import check_how, typed
from graphla.cuda.expressions.signs import Sign, operator
from graphla.cuda.expressions.statement import (
    Expression,
    Identity,
    Mask,
    Update,
    as_mask,
    evaluate,
    is_operand,
    out_of_device_memory,
    output_options,
    translate_out_of_memory,
)
from graphla.cuda.operations import assign_extract, indexing
from graphla.cuda.operators import graphblas_bridge
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.vector_formats import Dense, to_dense, to_list
from graphla.errors import DimensionMismatch, DomainMismatch, InvalidValue, OutOfMemory


class Collection(Guards, Operand):
    """A Vector or a Matrix: entries of one dtype, in some form of storage, ``_store``.

    ``_storage_hint`` is the form that a caller asked for, one of ``_forms``; None if no form was.
    """

    __slots__ = ("__weakref__", "_storage_hint", "_store", "dtype", "name")
    _engine = "cuda"
    dtype: Any
    shape: Any  # the length of each dimension
    name: str | None
    _storage_hint: Any  # str or None
    _store: Any  # Sparse, Dense, CSR or BitMatrix
    _positions: int
    _ncols: int
    _forms: tuple[str | None, ...] = (None, "sparse", "bitmap", "full")

    # ---- update

    def __call__(
        self, *arguments: Any, mask: Any = None, accum: Any = None, replace: bool = False,
        input_mask: Any = None, axb_method: str | None = None, **options: Any,
    ) -> Update:  # fmt: skip
        if axb_method is not None and axb_method not in graphblas_bridge.AXB_METHODS:
            options["axb_method"] = axb_method
        if options:
            graphblas_bridge.check_options(options)
        if input_mask is not None:
            found: Any = indexing.InputMasked
            return found(self, input_mask, arguments, mask, accum, replace)
        mask, accum, replace = output_options(arguments, mask, accum, replace)
        return Update(self, mask, self._accum(accum), replace)

    def update(self, expr: Any, **options: Any) -> None:
        """Do the same as ``x << expr``."""
        if options:
            graphblas_bridge.check_options(options)
        self << expr

    def __lshift__(self, expression: Any) -> None:
        plans = getattr(expression, "plans", None)
        plan = plans and plans.get(id(self))
        if plan and plan.is_valid() and not isinstance(expression, Identity):
            evaluate(expression, self, None, plan.run)
        else:
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
        if mask is None:
            return None
        mask = as_mask(mask)
        if (found := mask.parent.shape) != self.shape:
            if len(found) > self.ndim:
                raise DomainMismatch(f"a mask of {found} for an output of {self.shape}")
            raise DimensionMismatch(f"a mask of {found} for an output of {self.shape}")
        return mask

    def _accum(self, accum: Any) -> Any:
        on_device("mask or accumulator", accum)
        return None if accum is None else typed_operator(accum, "binary", self.dtype, self.dtype)

    # ---- in-place

    def _update_in_place(self, sign: Sign, other: Any) -> Any:
        """Return the object itself after ``self sign= other``."""
        on_device(f"{sign.text}=", other)
        if sign.text not in "+^" or not is_operand(other) or len(other.shape) < self.ndim:
            self << sign.of(self, other)
            return self
        self._same_kind(f"{sign.text}=", other)
        if sign.text == "^" and other.dtype != BOOL:
            raise DomainMismatch(f"x ^= y is for y of BOOL, not {other.dtype.name}")
        self(operator(sign.op)) << other
        return self

    def __ior__(self, other: Any) -> Any:
        on_device("|=", other)
        if not is_operand(other):
            return self._updated("|=", self.apply(binary.lor, right=other))
        if len(other.shape) < self.ndim:
            return self._updated("|=", self.ewise_add(other, binary.lor))
        self._same_kind("|=", other)
        if other.dtype != BOOL:
            raise DomainMismatch(f"x |= y is for y of BOOL, not {other.dtype.name}")
        self(binary.lor) << other
        return self

    def __iand__(self, other: Any) -> Any:
        on_device("&=", other)
        if is_operand(other):
            return self._updated("&=", self.ewise_mult(other, binary.land))
        return self._updated("&=", self.apply(binary.land, right=other))

    def __imatmul__(self, other: Any) -> Any:
        product = self @ other
        if product.shape:
            self._same_kind("@=", product)
        self << product
        return self

    def _same_kind(self, sign: str, x: Any) -> None:
        if len(x.shape) != self.ndim:
            raise DomainMismatch(f"{sign}: a result of {x.shape} into a {type(self).__name__}")

    def _updated(self, sign: str, expression: Expression) -> Any:
        """Return the object itself, updated by an expression of dtype BOOL."""
        if expression.dtype != BOOL:
            raise DomainMismatch(f"{sign} is for BOOL; the result is {expression.dtype.name}")
        self << expression
        return self

    # ---- storage

    @translate_out_of_memory
    def store(self, form: str | None) -> None:
        """Keep the entries as "sparse", "bitmap" or "full" from now on. No value changes.

        A Matrix also takes "bits": one bit a position, while all entries are True.
        """
        if form not in self._forms:
            raise InvalidValue(f"form={form!r} is not one of {self._forms[1:]}")
        self._storage_hint = form
        if self._store.form != "sparse" or self._store.max_nvals:  # else at its first entry
            self._convert()

    def _flat(self) -> Any:
        """Return the entries by position: a list, a bitmap or a full array."""
        return self._store

    @property
    def _entries(self) -> Any:
        """Return a store with the values of all entries, in any order."""
        return self._store

    def _apply_storage_hint(self) -> None:
        """Convert the entries to the form of the storage hint."""
        wanted = self._storage_hint
        if wanted is not None and wanted != self._store.form:
            self._convert_if_possible()

    def _convert_if_possible(self) -> None:
        """Convert the entries unless memory ends: they are complete in any form."""
        try:
            self._convert()
        except device.out_of_memory:
            return

    def _convert(self) -> None:
        """Convert the entries to the form of the storage hint, or raise if memory ends."""
        wanted, store = self._storage_hint, self._store
        if wanted is None or wanted == store.form:
            return
        if wanted == "sparse":
            self._store = to_list(store, self._positions)
        elif store.form == "sparse":
            self._store = to_dense(store, self._positions)

    def _shrink(self) -> None:
        """Free memory that the entries of a new object do not need."""
        if self._store.form == "sparse":
            self._store = self._store.trimmed()

    def _replace(self, store: Any) -> None:
        self._store = store

    def _elementwise(
        self, formula: Any, operands: tuple[Any, ...], s: Any, mask: Any, accum: Any, replace: bool
    ) -> None:
        """C<mask, accum, replace> = combine(operands, s), now."""
        self._plan(formula, operands, s, mask, accum, replace)()
        self._apply_storage_hint()

    def _fill(self, scalar: Any) -> None:
        """Set every position to the value of a Scalar; for entries kept by position."""
        store = self._store
        if isinstance(store, Dense):
            values = store.values
        else:
            values = device.active.xp.empty(self._positions, self.dtype.np_type)
        self._store = Dense.full(values, typed(scalar))

    def _expression(self) -> Expression:
        return Identity(self)

    def _assignment(self, keys: Any, mask: Any, accum: Any, replace: bool) -> Any:
        """Return ``C(mask, accum, replace)[keys]``: the mask is of the shape of C."""
        region = indexing.index(self, (keys,) if self.ndim == 1 else keys)
        return indexing.Assignment(region, assign_extract.assign, (), mask, accum, replace)

    def _matrix(self) -> Any:
        """Return the object itself: a transposed view makes itself one."""
        return self

    @property
    def nvals(self) -> int:
        """Number of entries."""
        try:
            return self._store.nvals
        except device.out_of_memory as error:
            if isinstance(error, OutOfMemory):
                raise
            raise out_of_device_memory(error, "nvals") from error

    def __copy__(self, memo: Any = None) -> Any:
        return self.dup()

    __deepcopy__ = __copy__

    def __sizeof__(self) -> int:
        """Return the bytes of the object, and of device memory of its entries."""
        found: int = object.__sizeof__(self) + self.ss.nbytes
        return found

    def wait(self, how: str = "materialize") -> Any:
        """Do nothing: operations end in order. `how` is "materialize" or "complete"."""
        check_how(how)
        return self

    @property
    def is_empty(self) -> bool:
        """Whether there is no entry."""
        return not self.nvals
