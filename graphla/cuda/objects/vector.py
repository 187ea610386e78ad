"""Vector: python-graphblas's, on the device."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from graphla.core.results import first_values
from graphla.core.validation import real_dtype
from graphla.cuda.expressions.arguments import (
    NUMBERS,
    apply_arguments,
    extent,
    filler,
    operand,
    select_arguments,
    to_numpy_scalar,
    to_scalar,
)
from graphla.cuda.expressions.statement import (
    OUTPUTS,
    CachedPlan,
    Elementwise,
    Expression,
    is_mask,
    masked,
    translate_out_of_memory,
)
from graphla.cuda.objects.array_interface import Shared
from graphla.cuda.objects.base import Collection
from graphla.cuda.objects.compositions import VectorCompositions
from graphla.cuda.objects.formats import vector_to_dict
from graphla.cuda.objects.suitesparse import OfObject, VectorSuiteSparse
from graphla.cuda.operations import (
    build,
    diagonal,
    ewise_vector,
    indexing,
)
from graphla.cuda.operations import reduce as reductions
from graphla.cuda.operations.aggregate import aggregate
from graphla.cuda.operations.spmv import dispatch as spmv
from graphla.cuda.operators import graphblas_bridge
from graphla.cuda.operators.graphblas_bridge import is_aggregator
from graphla.cuda.storage.vector_formats import Dense, Sparse, filled, kernel_index_dtype
from graphla.errors import DimensionMismatch, DomainMismatch, InvalidValue


class Vector(Shared, VectorCompositions, Collection):
    """A sparse vector on the device, in the language of :class:`graphblas.Vector`.

    Parameters
    ----------
    dtype : dtype
        bool, (unsigned) integer of 8 to 64 bits, float32 or float64.
    size : int
        Its length.

    Examples
    --------
    The same lines run with ``graphblas.Vector``:

    >>> from graphblas import binary  # doctest: +SKIP
    >>> v = Vector.from_coo([0, 2], [1.5, 2.5], size=4)  # doctest: +SKIP
    >>> v(binary.plus) << v.apply(binary.times, right=2)  # doctest: +SKIP
    >>> v.to_dense(fill_value=0).tolist()  # doctest: +SKIP
    [4.5, 0.0, 7.5, 0.0]
    """

    __slots__ = ("_size",)
    ndim = 1

    def __init__(self, dtype: Any = "FP64", size: int = 0, *, name: str | None = None) -> None:
        self.dtype, self._size = real_dtype(dtype), extent(size, "size")
        self.name, self._storage_hint = name, None
        self._store = Sparse.empty(self._size, self.dtype)

    @classmethod
    def _of(cls, store: Any, dtype: Any, size: int) -> Vector:
        """Make a Vector around a store, without the store of an empty one."""
        v = cls.__new__(cls)
        v.dtype, v._size, v.name, v._storage_hint, v._store = dtype, size, None, None, store
        return v

    @property
    def size(self) -> int:
        """Length."""
        return self._size

    @property
    def shape(self) -> tuple[int, ...]:
        """(size,)."""
        return (self._size,)

    _positions = property(lambda self: self._size)
    _ncols = 1  # position p is entry (p, 0)
    _is_flat = True

    ss = OfObject(VectorSuiteSparse)

    # ---- making

    @classmethod
    @translate_out_of_memory
    def from_coo(
        cls, indices: Any, values: Any = 1.0, dtype: Any = None, *, size: int | None = None,
        dup_op: Any = None, name: str | None = None,
    ) -> Vector:  # fmt: skip
        """Make a Vector of indices and values; duplicates need `dup_op`."""
        return build.vector(cls, indices, values, dtype, size, dup_op, name)

    @classmethod
    def from_pairs(
        cls, pairs: Any, dtype: Any = None, *, size: int | None = None, dup_op: Any = None,
        name: str | None = None,
    ) -> Vector:  # fmt: skip
        """Make a Vector of (index, value) pairs; duplicates need `dup_op`."""
        if hasattr(pairs, "ndim"):
            raise DomainMismatch("from_pairs takes pairs; from_coo takes arrays")
        try:
            indices, values = list(zip(*pairs, strict=True)) or ((), ())
        except TypeError:
            raise DomainMismatch("from_pairs takes pairs of an index and a value") from None
        except ValueError:
            raise InvalidValue("each pair is an index and a value") from None
        return cls.from_coo(indices, values, dtype, size=size, dup_op=dup_op, name=name)

    @classmethod
    def from_dict(
        cls, d: dict[int, Any], dtype: Any = None, *, size: int | None = None, name: Any = None
    ) -> Vector:
        """Make a Vector of a dict from index to value."""
        if not isinstance(d, Mapping):
            raise DomainMismatch(f"from_dict takes a dict, not {type(d).__name__}")
        size = 0 if size is None and not d else size
        return cls.from_pairs(d.items(), dtype, size=size, name=name)

    @classmethod
    def from_scalar(
        cls, value: Any, size: int, dtype: Any = None, *, name: str | None = None
    ) -> Vector:
        """Make a Vector with one value everywhere."""
        v = cls(dtype or to_scalar(value).dtype, size, name=name)
        v << value
        return v

    @classmethod
    @translate_out_of_memory
    def from_dense(
        cls, values: Any, missing_value: Any = None, *, dtype: Any = None, copy: bool = True,
        name: str | None = None,
    ) -> Vector:  # fmt: skip
        """Make a Vector of an array; entries equal to `missing_value` are left out.

        Anything will do that has ``__cuda_array_interface__`` or ``__dlpack__``. `copy=False`
        shares its memory if it is on the device and of the dtype: a change of one is a change
        of the other.
        """
        return build.dense(cls, values, missing_value, dtype, name, copy)

    def dup(
        self, dtype: Any = None, *, clear: bool = False, mask: Any = None, name: str | None = None,
        **options: Any,
    ) -> Vector:  # fmt: skip
        """Return a copy, of another dtype if one is given, or an empty one of the same length."""
        if options:
            graphblas_bridge.check_options(options)
        if mask is None and not clear and isinstance(self._store, Dense):
            return self._copied(self.dtype if dtype is None else real_dtype(dtype), name)
        out = Vector(dtype or self.dtype, self._size, name=name)
        if not clear:
            out(mask=mask) << self
            out._shrink()
        return out

    @translate_out_of_memory
    def _copied(self, dtype: Any, name: str | None) -> Vector:
        """Return a copy of a bitmap or full array."""
        store = self._store.copy() if dtype == self.dtype else self._store.astype(dtype)
        out = Vector._of(store, dtype, self._size)
        out.name = name
        return out

    @translate_out_of_memory
    def build(
        self, indices: Any, values: Any, *, dup_op: Any = None, clear: bool = False,
        size: int | None = None,
    ) -> None:  # fmt: skip
        """Fill an empty Vector, or with `clear` any; `size` changes its length."""
        build.fill(self, indices, values, dup_op, clear=clear, shape=(size,))

    def clear(self) -> None:
        """Remove all entries."""
        self._store = Sparse.empty(self._size, self.dtype)
        self._apply_storage_hint()

    # ---- values out

    @translate_out_of_memory
    def to_coo(
        self, dtype: Any = None, *, indices: bool = True, values: bool = True, sort: bool = True
    ) -> tuple[Any, Any]:
        """Return indices (int64, ascending) and values as arrays of the device."""
        if not indices and dtype is None and self._store.form == "full":
            return None, (self._store.values.copy() if values else None)
        keys, stored = ewise_vector.as_list(self).sorted_arrays()
        if values and dtype is not None:
            stored = stored.astype(real_dtype(dtype).np_type)
        return (keys.astype(np.int64) if indices else None), (stored.copy() if values else None)

    @translate_out_of_memory
    def to_dense(self, fill_value: Any = None, dtype: Any = None) -> Any:
        """Return an array of the device with a value for every entry, `fill_value` for no entry."""
        if fill_value is None and self.nvals < self._size:
            raise DomainMismatch(f"{self.nvals} of {self._size} entries exist: give a fill_value")
        np_type = real_dtype(dtype or self.dtype).np_type
        fill, np_type = filler(fill_value, np_type, dtype)
        store = self._store
        if isinstance(store, Dense) and store.bits is None and store.values.dtype == np_type:
            return store.values.copy()
        return filled(store, self._size, fill.astype(np_type)[()])

    def to_dict(self) -> dict[int, Any]:
        """Return a dict from index to value, on the host."""
        return vector_to_dict(self)

    # ---- lazy operations

    def apply(self, op: Any, right: Any = None, *, left: Any = None) -> Expression:
        """op(x) for each entry x; with a scalar op(x, right) or op(left, x)."""
        return Elementwise(*apply_arguments(self, op, left, right))

    def select(self, op: Any, thunk: Any = None) -> Expression:
        """The entries for which op(x, thunk) is true, or which a mask lets through."""
        if is_mask(op):
            return masked(self, op, thunk)
        return Elementwise(*select_arguments(self, op, thunk))

    def vxm(self, A: Any, op: Any = "plus_times") -> Expression:
        """self' A over a semiring."""
        return spmv.vxm(self, A, op)

    def inner(self, other: Any, op: Any = "plus_times") -> Expression:
        """self' other over a semiring: a Scalar."""
        return reductions.Inner(self, self._same(other, "inner"), op)

    def reduce(self, op: Any = "plus", *, allow_empty: bool = True) -> Expression:
        """The sum of all entries over a monoid, or by an aggregator: a Scalar."""
        if is_aggregator(op):
            return aggregate(self, op, "reduce", allow_empty)
        return reductions.Reduce(self, op, allow_empty)

    @translate_out_of_memory
    def diag(self, k: int = 0, *, dtype: Any = None, name: str | None = None) -> Any:
        """Return the Matrix with the entries on its k-th diagonal."""
        return diagonal.diagonal_matrix(self, k, dtype, name)

    # ---- elements

    def __getitem__(self, keys: Any) -> Any:
        return indexing.index(self, (keys,))

    @translate_out_of_memory
    def __setitem__(self, keys: Any, value: Any, **options: Any) -> None:
        if options:
            graphblas_bridge.check_options(options)
        is_element = type(keys) is int and type(value) in NUMBERS
        if not (is_element and self._set_element(keys, value)):
            indexing.index(self, (keys,)) << value

    def _set_element(self, i: int, value: Any) -> bool:
        """Write a Python number at index i in one launch.

        Return False, and write nothing, if i is out of range or the Vector is a list that has
        entries.
        """
        store, size = self._store, self._size
        if (store.form == "sparse" and store.max_nvals) or not -size <= i < size:
            return False
        position, scalar = i % size, to_numpy_scalar(value)
        if store.form != "sparse":
            store.write_entry(position, scalar)
        else:
            kind = Sparse if self._storage_hint in (None, "sparse") else Dense
            self._store = kind.single_entry(size, position, scalar, self.dtype)
        return True

    def __delitem__(self, keys: Any) -> None:
        indexing.delete(self, (keys,))

    def __contains__(self, i: int) -> bool:
        return indexing.entry(self, (i,)).value is not None

    def get(self, i: int, default: Any = None) -> Any:
        """Return the value at i, or `default`."""
        return indexing.entry(self, (i,), InvalidValue).get(default)

    def isequal(self, other: Any, *, check_dtype: bool = False) -> bool:
        """Whether size, structure and values are those of `other`."""
        return reductions.isequal(self, other, check_dtype)

    def isclose(
        self, other: Any, *, rel_tol: float = 1e-7, abs_tol: float = 0.0, check_dtype: bool = False
    ) -> bool:
        """Whether size and structure are those of `other`, and the values nearly so."""
        return reductions.isclose(self, other, rel_tol, abs_tol, check_dtype)

    @translate_out_of_memory
    def resize(self, size: int) -> None:
        """Change the length; entries beyond it are lost."""
        size = extent(size, "size")
        keys, values = ewise_vector.as_list(self).sorted_arrays()
        inside = keys < size
        store = Sparse.of(keys[inside].astype(kernel_index_dtype(size)), values[inside])
        self._size, self._store = size, store
        self._apply_storage_hint()
        CachedPlan.shape_changes += 1

    def _same(self, other: Any, operation: str) -> Vector:
        vector: Vector = operand(operation, other, 1)
        if vector.size != self.size:
            raise DimensionMismatch(f"{operation}: Vectors of length {vector.size} and {self.size}")
        return vector

    def _plan(
        self, formula: Any, operands: tuple[Any, ...], s: Any, mask: Any, accum: Any, replace: bool
    ) -> Any:
        return ewise_vector.plan_elementwise(self, formula, operands, s, mask, accum, replace)

    def __repr__(self) -> str:
        return f"<Vector: {self.dtype.name}, size {self.size:,}, {self.nvals:,} entries, cuda>"

    def _repr_html_(self) -> str:
        return f"<p><b>graphla.cuda.Vector</b>: {repr(self)[9:-1]}<br>{first_values(self)}</p>"


OUTPUTS[1] = Vector
graphblas_bridge.register(Vector)
__all__ = ["Vector"]
