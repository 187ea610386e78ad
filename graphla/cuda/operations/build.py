"""Build objects from arrays: coordinates, compressed sparse rows, dense arrays.

Coordinates become positions row * ncols + column, which are sorted unless they ascend already. The
sort is stable, and one thread folds the values of a position in the order of input
(fold_duplicates.cu), so that a `dup_op` need not commute. Arguments are checked before any work.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.core.validation import real_dtype
from graphla.cuda.expressions.arguments import extent, typed_operator
from graphla.cuda.expressions.array_arguments import as_array, to_device
from graphla.cuda.operations.definitions import typedefs
from graphla.cuda.operators import tables
from graphla.cuda.operators.codegen import ctype
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import kernel
from graphla.cuda.storage.csr import CSR
from graphla.cuda.storage.vector_formats import Dense, Sparse, kernel_index_dtype
from graphla.errors import (
    DimensionMismatch,
    DomainMismatch,
    InvalidIndex,
    InvalidValue,
    OutputNotEmpty,
)


def vector(
    cls: Any, indices: Any, values: Any, dtype: Any, size: Any, dup_op: Any, name: Any
) -> Any:
    """Return a Vector of indices and values.

    Raises
    ------
    DimensionMismatch
        Lengths differ.
    InvalidIndex
        An index is negative, or not below `size`.
    DomainMismatch
        Indices are not integers, or the engine has no such dtype.
    InvalidValue
        Duplicates without `dup_op`; no index to infer the size from.
    """
    indices = _indices(indices, "indices")
    values, dtype = _values(values, dtype)
    v = cls(dtype, _extent(indices, size, "size"), name=name)
    _build(v, (indices,), values, dup_op)
    return v


def matrix(
    cls: Any, rows: Any, columns: Any, values: Any, dtype: Any, nrows: Any, ncols: Any,
    dup_op: Any, name: Any,
) -> Any:  # fmt: skip
    """Return a Matrix of rows, columns and values; errors as of :func:`vector`."""
    rows, columns = _indices(rows, "rows"), _indices(columns, "columns")
    values, dtype = _values(values, dtype)
    shape = _extent(rows, nrows, "nrows"), _extent(columns, ncols, "ncols")
    C = cls(dtype, *shape, name=name)
    _build(C, (rows, columns), values, dup_op)
    return C


def fill(C: Any, *arguments: Any, clear: bool = False, shape: tuple[Any, ...] = ()) -> None:
    """Fill an object without entries; arguments: indices (or rows, columns), values, dup_op.

    With `clear` it may have entries; `shape` has its new dimensions, None for those that stay. If
    the call fails, nothing changes.
    """
    *coordinates, values, dup_op = arguments
    names = _names(coordinates)
    coordinates = [_indices(c, name) for c, name in zip(coordinates, names, strict=True)]
    values, _ = _values(values, None)
    if coordinates[0].size and not clear and not C.is_empty:
        raise OutputNotEmpty(f"build: the output has {C.nvals:,} entries already")
    if not clear and all(size is None for size in shape):
        _build(C, coordinates, values, dup_op)
        return
    shape = tuple(
        size if new is None else extent(new, "size")
        for new, size in zip(shape, C.shape, strict=True)
    )
    built = type(C)(C.dtype, *shape)
    _build(built, coordinates, values, dup_op)
    if shape != C.shape:
        C.resize(*shape)
    C._store = built._store
    C._apply_storage_hint()


def from_csr(
    cls: Any, indptr: Any, indices: Any, values: Any, dtype: Any, ncols: Any, name: Any,
    *, copy: bool = True,
) -> Any:  # fmt: skip
    """Return a Matrix of compressed sparse rows, whose columns may be in any order.

    Without `copy`, arrays that have the right dtype become the Matrix's own.

    Raises
    ------
    InvalidValue
        `indptr` does not ascend from 0 to the number of indices; a column twice in a row.
    """
    indptr, indices = _indices(indptr, "indptr"), _indices(indices, "indices")
    values, dtype = _values(values, dtype)
    n = indices.size
    if not indptr.size:
        raise InvalidValue("indptr needs nrows + 1 elements; got none")
    is_valid = ncols is not None and _validate(indptr, indices, extent(ncols, "ncols"))
    if not is_valid:
        first, last = (int(device.read_scalar(indptr[k])) for k in (0, -1))
        if (first, last) != (0, n) or device.read_scalar((indptr[1:] < indptr[:-1]).any()):
            raise InvalidValue(f"indptr must ascend from 0 to {n}; it goes from {first} to {last}")
    ncols = 0 if ncols is None and not n else _extent(indices, ncols, "ncols")
    C = cls(dtype, indptr.size - 1, ncols, name=name)
    _check((indices,), (C.ncols,), values, ("indices",), in_range=is_valid)
    iso = values.ndim == 0
    values = to_device(values.reshape(-1), C.dtype.np_type, copy)
    offsets = to_device(indptr, kernel_index_dtype(n), copy)
    columns = to_device(indices, kernel_index_dtype(C.ncols), copy)
    A = CSR(offsets, columns, values, C.ncols, iso)
    if not (is_valid or _rows_ascend(A)):
        keys = A.positions()
        order = keys.argsort(kind="stable")
        keys = keys[order]
        is_duplicate = keys[1:] == keys[:-1]
        if device.read_scalar(is_duplicate.any()):
            row, column = divmod(int(device.read_scalar(keys[is_duplicate.argmax()])), C.ncols)
            raise InvalidValue(f"row {row} has column {column} twice")
        A = CSR.from_positions(keys, values if iso else values[order], C.nrows, C.ncols, iso)
    C._store = A
    C._apply_storage_hint()
    return C


def _validate(indptr: Any, indices: Any, ncols: int) -> bool:
    """Whether rows are known to be valid: contiguous, short, with ascending columns in range.

    False if one of them is long: validate_csr.cu does not check these.
    """
    invalid = device.xp.zeros(1, np.uint32)
    types = typedefs(Offset=indptr.dtype, Index=indices.dtype)
    nrows, arrays = indptr.size - 1, map(device.xp.ascontiguousarray, (indptr, indices))
    kernel("validate_csr", types)(nrows, nrows, indices.size, ncols, *arrays, invalid)
    return nrows > 0 and not device.read_scalar(invalid)


def _rows_ascend(A: CSR) -> bool:
    """Whether the columns of each row ascend strictly."""
    falls = A.indices[1:] <= A.indices[:-1]
    starts = A.indptr[1:-1]
    falls[starts[(starts > 0) & (starts < A.nvals)] - 1] = False  # between two rows
    return not device.read_scalar(falls.any())


def dense(
    cls: Any, values: Any, missing_value: Any, dtype: Any, name: Any, copy: bool = True
) -> Any:
    """Return an object of an array, without the entries equal to `missing_value`."""
    values = as_array(values, "values")
    dtype = real_dtype(values.dtype if dtype is None else dtype)
    if values.ndim != cls.ndim:
        raise DimensionMismatch(
            f"a {cls.__name__} has {cls.ndim} dimension{'s'[: cls.ndim - 1]}; "
            f"got an array of shape {values.shape}"
        )
    C = cls(dtype, *values.shape, name=name)
    with device.allocation(values.size * dtype.np_type.itemsize, f"an array of {values.shape}"):
        C._store = Dense(to_device(values, dtype.np_type, copy).reshape(-1))
        C._apply_storage_hint()
    if missing_value is not None:
        C << C.select("!=", missing_value)
    return C


# ---- arguments


def _indices(x: Any, name: str) -> Any:
    """Return indices as an array of the device."""
    x = as_array(x, name)
    if x.size and x.dtype.kind not in "iub":
        raise DomainMismatch(f"{name} must be integers, not {x.dtype}")
    if x.ndim != 1:
        raise DimensionMismatch(f"{name} must have 1 dimension; got the shape {x.shape}")
    if x.dtype.kind not in "iu":
        x = x.astype(np.int64)
    return device.xp.asarray(x)


def _values(x: Any, dtype: Any) -> tuple[Any, Any]:
    """Return values as an array of the device, 0-dimensional for one value, and their dtype."""
    x = as_array(x, "values")
    if x.dtype.kind == "O":
        raise InvalidValue("values must be real numbers, not objects")
    if x.dtype.kind not in "biuf":
        raise DomainMismatch(f"values must be real numbers, not {x.dtype}")
    dtype = real_dtype(x.dtype if dtype is None else dtype)
    return device.xp.asarray(x), dtype


def _extent(indices: Any, size: Any, name: str) -> int:
    """Return a given size, or the greatest index plus one."""
    if size is not None:
        return extent(size, name)
    if not indices.size:
        raise InvalidValue(f"no index to infer {name} from: give {name}")
    return max(0, int(device.read_scalar(indices.max())) + 1)


def _check(coordinates: Any, shape: Any, values: Any, names: Any, in_range: bool = False) -> None:
    """Raise unless lengths agree and, if that is not known, indices are in range."""
    lengths = {name: c.size for name, c in zip(names, coordinates, strict=True)}
    if values.ndim:
        lengths["values"] = values.size
    if values.ndim > 1 or len(set(lengths.values())) > 1:
        counts = ", ".join(f"{size:,} {name}" for name, size in lengths.items())
        raise DimensionMismatch(f"lengths must agree; got {counts}")
    for c, size, name in zip(coordinates, shape, names, strict=True) if not in_range else ():
        low, high = (int(device.read_scalar(f())) for f in (c.min, c.max)) if c.size else (0, -1)
        if low < 0 or high >= size:
            outside = c < 0 if low < 0 else c >= size
            k = int(device.read_scalar(outside.argmax()))
            raise InvalidIndex(f"{name}[{k}] is {device.read_scalar(c[k])}, not in 0..{size - 1}")


# ---- work


def _names(coordinates: Any) -> tuple[str, ...]:
    return ("indices",) if len(coordinates) == 1 else ("rows", "columns")


def _build(C: Any, coordinates: Any, values: Any, dup_op: Any) -> None:
    """Store coordinates and values as the entries of C."""
    _check(coordinates, C.shape, values, _names(coordinates))
    iso = values.ndim == 0
    if iso and dup_op is not None:
        raise InvalidValue("dup_op has nothing to combine if values is one scalar")
    op = None if dup_op is None else _resolve_dup_op(dup_op, C.dtype)
    kind = kernel_index_dtype(C._positions)
    keys = coordinates[0].astype(kind)
    if len(coordinates) == 2:
        keys = keys * kind(C.ncols) + coordinates[1].astype(kind)
    needed = keys.nbytes * 4 + values.nbytes * 2  # sorted keys, and their order
    with device.allocation(needed, f"building of {keys.size:,} entries"):
        keys, values = _sort_and_fold(keys, values, op, C)
    if len(coordinates) == 2:
        C._store = CSR.from_positions(keys, values, C.nrows, C.ncols, iso)
    else:
        C._store = Sparse.of(keys, values)
    C._apply_storage_hint()


def _resolve_dup_op(op: Any, dtype: Any) -> Any:
    """Return the typed operator, which must map two values of one type to that type."""
    op = typed_operator(op, "binary", dtype, dtype)
    if not tables.domain(op) == tables.second_domain(op) == ctype(op.return_type):
        raise DomainMismatch(f"dup_op {op!r} takes {op.type} and returns {op.return_type}")
    if tables.uses(op) - {"x", "y"}:
        raise DomainMismatch(f"dup_op {op!r} reads positions, which duplicates do not have")
    return op


def _sort_and_fold(keys: Any, values: Any, op: Any, C: Any) -> tuple[Any, Any]:
    """Return ascending keys without duplicates, and their values, as the store of C takes them."""
    xp, iso = device.xp, values.ndim == 0
    values = xp.array(values.reshape(-1), C.dtype.np_type)
    if not device.read_scalar((keys[1:] > keys[:-1]).all()):
        order = keys.argsort(kind="stable")
        keys = keys[order]
        is_duplicate = keys[1:] == keys[:-1]
        if not device.read_scalar(is_duplicate.any()):
            values = values if iso else values[order]
        elif op is None and not iso:
            key = int(device.read_scalar(keys[is_duplicate.argmax()]))
            name = f"index {key}" if C.ndim == 1 else f"position {divmod(key, C.ncols)}"
            raise InvalidValue(f"{name} occurs twice: give a dup_op")
        else:
            starts = xp.concatenate((xp.zeros(1, np.int64), xp.nonzero(~is_duplicate)[0] + 1))
            keys = keys[starts]
            if not iso:
                values = _fold_duplicates(op, starts, order, values)
    if iso and not isinstance(C._store, CSR):
        values = xp.full(keys.size, values[0], values.dtype)
    return keys, values


def _fold_duplicates(op: Any, starts: Any, order: Any, values: Any) -> Any:
    """Return the values of each run of `order`, folded by an operator from left to right."""
    text = typedefs(Start=starts.dtype, Order=order.dtype, V=values.dtype) + tables.binary(op)
    out = device.xp.empty(starts.size, values.dtype)
    run = kernel("fold_duplicates", text)
    run(out.size, out.size, order.size, starts, order, values, out)
    return out
