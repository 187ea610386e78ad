"""C[P, Q] extracted, assigned and resized, for index axes P and Q of any kind.

A region of a bitmap or full array is read by extract.cu and updated in place by assign.cu; the
mask and the value have the region's shape. Regions of compressed sparse rows are extracted and
assigned by csr_extract.py, those of bits by bit_matrix.py. What these cannot do is composed:

    C[P, Q](M, accum, replace) << X  is  Z = C[P, Q];  Z(M, accum, replace) << X;  C[P, Q] = Z,
    C(M, accum)[P, Q] << X           is  C[P, Q](M[P, Q], accum) << X,
    and with replace, in addition        C(M, replace) << C.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from graphla.cuda.expressions.arguments import extent
from graphla.cuda.expressions.index_keys import Axis
from graphla.cuda.expressions.scalar import Scalar
from graphla.cuda.expressions.statement import OUTPUTS, CachedPlan, Mask, probe
from graphla.cuda.operations import bit_matrix, csr_extract
from graphla.cuda.operations.definitions import constants, typedefs, update_definitions
from graphla.cuda.operators.elementwise_formula import Formula
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import Kernel, kernel
from graphla.cuda.storage.bit_matrix import BitMatrix
from graphla.cuda.storage.csr import CSR
from graphla.cuda.storage.vector_formats import (
    Dense,
    Sparse,
    bitmap_words,
    kernel_index_dtype,
    no_index,
    to_dense,
    to_sorted_list,
)
from graphla.errors import DimensionMismatch

Axes = tuple[Axis, ...]


def shape_of(region: Axes) -> tuple[int, ...]:
    """Return the shape of a region."""
    return tuple(axis.length for axis in region if not axis.single)


def is_whole(region: Axes) -> bool:
    """Whether a region is all of an object."""
    return all(axis.whole and not axis.single for axis in region)


def _position(x: Any, region: Axes) -> int:
    """Return the position of a single element."""
    return region[0].start * x._ncols + (region[1].start if x.ndim == 2 else 0)


def _region_arguments(region: Axes) -> tuple[int, int, str, tuple[Any, ...]]:
    """Return the description of a region for the kernels.

    Returns
    -------
    count, ncols : int
        Positions of the region, and of one of its rows.
    text : str
        The types of index lists (index_axis.cuh).
    arguments : tuple
        The number of columns of the object, and both axes.
    """
    rows, columns = region if len(region) == 2 else (region[0], Axis(1, 1))
    text = typedefs(RowIndex=_list_type(rows), ColumnIndex=_list_type(columns))
    arguments = (
        columns.size, rows.array, rows.start, rows.step, columns.array, columns.start, columns.step,
    )  # fmt: skip
    return rows.length * columns.length, max(1, columns.length), text, arguments


def _list_type(axis: Axis) -> Any:
    return "i32" if axis.array is None else axis.array.dtype


# ---- extract


def extract(x: Any, region: Axes) -> Any:
    """Return a new store of the entries in a region."""
    x = x._matrix() if x.ndim == 2 else x
    if is_whole(region):
        return x._store.copy()
    if isinstance(x._store, BitMatrix):
        bits = bit_matrix.extract(x._store, *region)
        return bits.to_csr().to_list() if any(axis.single for axis in region) else bits
    if not isinstance(x._store, CSR):
        return extract_dense(to_dense(x._flat(), x._positions), region)
    rows, columns = region
    if columns.single:
        return extract_column(x._store, rows, columns.start, 0)
    if rows.single:
        return _extract_row(x._store, rows.start, columns)
    return csr_extract.extract(x._store, rows, columns)


def extracted(x: Any, region: Axes) -> Any:
    """Return a region as a Vector or a Matrix."""
    shape = shape_of(region)
    out = OUTPUTS[len(shape)](x.dtype, *shape)
    out._store = extract(x, region)
    out._apply_storage_hint()
    return out


def extract_element(x: Any, region: Axes) -> Scalar:
    """Return the entry at one position as a Scalar, which stays on the device until it is read."""
    xp = device.xp
    x = x._matrix() if x.ndim == 2 else x
    store = x._store
    if isinstance(store, BitMatrix):
        has_entry = bit_matrix.extract(store, *region).words[:1] != 0
        return Scalar.on_device(x.dtype, has_entry, has_entry)
    if isinstance(store, CSR):
        element = extract_column(store, region[0], region[1].start, 0)
        return Scalar.on_device(x.dtype, element.values, element.bits)
    if isinstance(store, Dense):
        element = extract_dense(store, region)
        bits = xp.ones(1, np.uint32) if element.bits is None else element.bits
        return Scalar.on_device(x.dtype, element.values, bits)
    keys, values = store.sorted_arrays()
    if not keys.size:
        return Scalar(x.dtype)
    p = xp.full(1, _position(x, region), keys.dtype)
    k = xp.minimum(xp.searchsorted(keys, p), keys.size - 1)
    return Scalar.on_device(x.dtype, values[k], keys[k] == p)


def extract_dense(x: Dense, region: Axes) -> Dense:
    """Return the entries in a region of a bitmap or full array."""
    xp = device.xp
    count, ncols, text, axes = _region_arguments(region)
    out = xp.empty(count, x.values.dtype)
    bits = None if x.bits is None else xp.zeros(bitmap_words(count), np.uint32)
    run = kernel("extract", text + typedefs(X=out.dtype))
    run(count, count, ncols, *axes, x.values, x.bits, out, bits)
    return Dense(out, bits)


def _extract_row(A: CSR, row: int, columns: Axis) -> Any:
    """Return A(row, columns) as a list, or a bitmap."""
    begin, end = device.to_host(A.indptr[row : row + 2]).tolist()
    values = A.values if A.iso else A.values[begin:end]
    values = device.xp.broadcast_to(values[: end - begin], (end - begin,)).copy()
    entries = Sparse.of(A.indices[begin:end].copy(), values)
    return entries if columns.whole else extract_dense(to_dense(entries, A.ncols), (columns,))


def extract_column(A: CSR, rows: Axis, column: int, step: int) -> Dense:
    """Return the entries (rows[k], column + step k) of compressed sparse rows, for each k."""
    xp = device.xp
    text = typedefs(RowIndex=_list_type(rows), X=A.values.dtype)
    text += A.typedefs() + constants(ISO=A.iso)
    bits = xp.zeros(bitmap_words(rows.length), np.uint32)
    out = Dense(xp.empty(rows.length, A.values.dtype), bits)
    run = kernel("csr_lookup", text)
    axis = (rows.array, rows.start, rows.step)
    run(rows.length, rows.length, *axis, column, step, *A.arrays, out.values, out.bits)
    return out


# ---- assign


def assign_store(C: Any, store: Any, dtype: Any, mask: Any, accum: Any, replace: bool) -> None:
    """Compute C<mask, accum, replace> = the entries of a new store, whose arrays C may take."""
    if mask is None and accum is None and C.dtype.np_type == store.values.dtype:
        C._store = store
        C._apply_storage_hint()
        return
    T = OUTPUTS[C.ndim](dtype, *C.shape)
    T._store = store
    T._apply_storage_hint()
    C._elementwise(Formula("Identity", None, dtype), (T,), None, mask, accum, replace)


def assign(x: Any, region: Axes, value: Any, mask: Any, accum: Any, replace: bool) -> None:
    """x(mask, accum, replace)[keys] << value; the mask has the shape of x, or of one line of it."""
    if mask is None:
        subassign(x, region, value, None, accum, False)
        return
    line = tuple(axis for axis in region if not axis.single)
    whole_line = tuple(axis if axis.single else Axis(axis.size, axis.size) for axis in region)
    is_of_line = mask.parent.shape != x.shape
    if is_of_line and (len(line) == len(region) or mask.parent.shape != (line[0].size,)):
        raise DimensionMismatch(f"a mask of {mask.parent.shape} for an output of {x.shape}")
    if replace and mask.parent is x:
        mask = Mask(x.dup(), mask.structure, mask.complement)
    part = extracted(mask.parent, line if is_of_line else region)
    part_mask = Mask(part, mask.structure, mask.complement)
    if not replace:
        subassign(x, region, value, part_mask, accum, False)
        return
    with _restored_on_error(x):
        subassign(x, region, value, part_mask, accum, False)
        if is_of_line:
            subassign(x, whole_line, extracted(x, whole_line), mask, None, True)
        else:
            x(mask=mask, replace=True) << x


@contextmanager
def _restored_on_error(x: Any) -> Iterator[None]:
    """Undo writes into a bitmap or full array if one of several fails; a copy is made first."""
    store = x._store
    copy = store.copy() if isinstance(store, Dense) else None
    try:
        yield
    except BaseException:
        if copy is not None:
            store.values[...] = copy.values
            if store.bits is not None:
                store.bits[...] = copy.bits
            store.forget_count()
        raise


def subassign(x: Any, region: Axes, value: Any, mask: Any, accum: Any, replace: bool) -> None:
    """x[keys](mask, accum, replace) << value; a mask has the region's shape."""
    shape = shape_of(region)
    if mask is not None and mask.parent.shape != shape:
        raise DimensionMismatch(f"a mask of {mask.parent.shape} for a region of {shape}")
    if mask is not None and mask.parent is x:
        mask = Mask(x.dup(), mask.structure, mask.complement)
    value = x.dup() if value is x else value
    is_element = all(axis.length == 1 and axis.array is None for axis in region)
    writes_element = is_element and mask is None and accum is None
    if x.ndim == 2 and not x._is_flat:
        _assign_rows(x, region, shape, value, mask, accum, replace)
    elif writes_element and not isinstance(x._store, Dense) and isinstance(x._flat(), Sparse):
        x._store = _insert(x._flat(), x._positions, _position(x, region), value, x.dtype)
    else:
        dense = to_dense(x._flat(), x._positions)
        x._store = _assign_dense(dense, region, value, mask, accum, replace)
    x._apply_storage_hint()


def _assign_rows(
    x: Any, region: Axes, shape: Any, value: Any, mask: Any, accum: Any, replace: bool
) -> None:
    """Compute x[region](mask, accum, replace) << value for x as compressed sparse rows, or bits."""
    keeps = accum is not None or (mask is not None and not replace)
    Z = extracted(x, region) if keeps else OUTPUTS[len(shape)](x.dtype, *shape)
    Z(mask=mask, accum=accum, replace=replace) << value
    rows, columns = region
    if isinstance(x._store, BitMatrix) and Z.ndim == 2 and columns.whole and (bits := Z._bits()):
        x._store = bit_matrix.assign_rows(x._store, rows, bits)
        return
    if Z.ndim == 2:
        stored = Z._csr()
    else:
        stored = CSR.from_list(to_sorted_list(Z._store, Z._positions), rows.length, columns.length)
    x._store = csr_extract.assign(x._csr(), rows, columns, stored)


def _insert(entries: Sparse, size: int, position: int, value: Any, dtype: Any) -> Sparse:
    """Return a list of `size` positions with another value, or no entry, at position p."""
    xp = device.xp
    if isinstance(value, np.generic) and value.dtype.kind in "biu":
        value = value.astype(dtype.np_type)  # as a kernel casts it; kernels cast floats differently
    if isinstance(value, np.generic) and value.dtype == dtype.np_type:
        if not entries.max_nvals:
            return Sparse.single_entry(size, position, value, dtype)
        entry, num_new = Dense(xp.full(1, value)), 1
    else:
        entry = _assign_dense(Dense.empty(1, dtype), (Axis(1, 1),), value, None, None, False)
        num_new = 1 if isinstance(value, np.generic) else entry.nvals
    keys, values = entries.sorted_arrays()
    key = xp.full(1, position, keys.dtype)
    if num_new and not keys.size:
        return Sparse.of(key, entry.values)
    k = int(device.read_scalar(xp.searchsorted(keys, key))) if keys.size else 0
    after = k + int(k < keys.size and device.read_scalar(keys[k]) == position)
    return Sparse.of(
        xp.concatenate([keys[:k], key[:num_new], keys[after:]]),
        xp.concatenate([values[:k], entry.values[:num_new], values[after:]]),
    )


@cache
def _assign_kernel(text: str, mask: int, accum: Any, replace: bool, is_scalar: bool) -> Kernel:
    update = update_definitions(mask, accum, replace)
    return kernel("assign", text + constants(SCALAR=is_scalar) + update)


def _assign_dense(
    out: Dense, region: Axes, value: Any, mask: Any, accum: Any, replace: bool
) -> Dense:
    """Update a region of a bitmap or full array in place, and return it."""
    count, ncols, text, axes = _region_arguments(region)
    is_scalar = isinstance(value, np.generic)
    x, s = Dense(None), value
    if not is_scalar:
        x = to_dense(value._flat(), value._positions)
        s = x.values.dtype.type(0)
    m = probe(mask)
    deletes = (replace and m.kind) or (accum is None and not is_scalar and x.bits is not None)
    bits = _all_bits(out.values.size) if out.bits is None and deletes else out.bits
    mask_dtype = s.dtype if m.values is None else m.values.dtype
    text += typedefs(T=s.dtype, C=out.values.dtype, Mask=mask_dtype)
    run = _assign_kernel(text, m.kind, accum, bool(replace), is_scalar)
    run(count, count, ncols, *axes, x.values, x.bits, s, m.values, m.bits, out.values, bits)
    return Dense(out.values, bits)


def _all_bits(size: int) -> Any:
    """Return the bits of a bitmap that has all entries."""
    xp = device.xp
    bits = xp.full(bitmap_words(size), 0xFFFFFFFF, np.uint32)
    if size % 32 or not size:
        bits[-1:] = (1 << size % 32) - 1
    return bits


# ---- resize


def resize(A: Any, nrows: int, ncols: int) -> None:
    """Change the shape of a Matrix; entries outside of the new shape are deleted."""
    nrows, ncols = extent(nrows, "nrows"), extent(ncols, "ncols")
    store = A._csr()
    if ncols != A.ncols:
        store = csr_extract.extract_columns(store, _first_indices(A.ncols, ncols))
    if nrows != A.nrows:
        store = csr_extract.extract_rows(store, _first_indices(A.nrows, nrows))
    A.nrows, A.ncols, A._store = nrows, ncols, store
    A._apply_storage_hint()
    CachedPlan.shape_changes += 1


def _first_indices(size: int, count: int) -> Any:
    """Return the indices 0 to count - 1; no index in place of those that are not below `size`."""
    k = device.xp.arange(count, dtype=kernel_index_dtype(max(size, count)))
    k[size:] = no_index(k.dtype)
    return k
