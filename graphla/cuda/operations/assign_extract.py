"""What stands in a region C[P, Q], and its update.

Two kernels do the work where entries stand in a bitmap or full array: *extract* gathers a
region, *assign* updates it in place, the mask and the value having the region's shape. Rows
and columns of compressed sparse rows are taken, and put back, by take.py. All else is these:

    C[P, Q](M, accum, replace) << X    is  Z = C[P, Q];  Z(M, accum, replace) << X;  Z is put back,
    C(M, accum)[P, Q] << X             is  C[P, Q](M[P, Q], accum) << X,
    and with replace in addition           C(M, replace) << C.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from graphla.cuda.expressions.arguments import extent
from graphla.cuda.expressions.expression import OUTPUTS, CachedPlan
from graphla.cuda.expressions.index_keys import Axis
from graphla.cuda.expressions.mask import Mask, probe
from graphla.cuda.expressions.scalar import Scalar
from graphla.cuda.operations import bit_matrix, convert_values, csr_extract
from graphla.cuda.operators import tables
from graphla.cuda.operators.elementwise_formula import NO_ACCUM
from graphla.cuda.runtime.compile import Kernel, kernel
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.bit_matrix import BitMatrix
from graphla.cuda.storage.csr import CSR
from graphla.cuda.storage.vector_formats import (
    Dense,
    Sparse,
    bitmap_words,
    cuda_type,
    kernel_index_dtype,
    to_dense,
    to_sparse,
)
from graphla.errors import DimensionMismatch

Axes = tuple[Axis, ...]


def shape_of(where: Axes) -> tuple[int, ...]:
    """Return the shape of a region."""
    return tuple(axis.length for axis in where if not axis.single)


def is_whole(where: Axes) -> bool:
    """Whether a region is all of an object."""
    return all(axis.whole and not axis.single for axis in where)


def extract(x: Any, where: Axes) -> Any:
    """Return a store, of its own, of the entries in a region."""
    x = x._matrix() if x.ndim == 2 else x
    if is_whole(where):
        return x._store.copy()
    if isinstance(x._store, BitMatrix):
        found = bit_matrix.extract(x._store, *where)
        return found.rows().to_list() if any(axis.single for axis in where) else found
    if not isinstance(x._store, CSR):
        return gather(to_dense(x._flat(), x._positions), where)
    P, Q = where
    if Q.single:
        return entries_of_rows(x._store, P, Q.start, 0)
    if not P.single:
        return csr_extract.region(x._store, P, Q)
    A = x._store
    begin, end = device.to_host(A.indptr[P.start : P.start + 2]).tolist()
    values = A.values if A.iso else A.values[begin:end]
    values = device.xp.broadcast_to(values[: end - begin], (end - begin,)).copy()
    row = Sparse.of(A.indices[begin:end].copy(), values)
    return row if Q.whole else gather(to_dense(row, A.ncols), (Q,))


def extracted(x: Any, where: Axes) -> Any:
    """Return a region as a Vector or a Matrix."""
    shape = shape_of(where)
    found = OUTPUTS[len(shape)](x.dtype, *shape)
    found._store = extract(x, where)
    found._settle()
    return found


def find(x: Any, where: Axes) -> Scalar:
    """Return the entry at one position, which is read when it is asked for."""
    xp = device.xp
    x = x._matrix() if x.ndim == 2 else x
    store = x._store
    if isinstance(store, BitMatrix):
        there = bit_matrix.extract(store, *where).words[:1] != 0
        return Scalar.on_device(x.dtype, there, there)
    if isinstance(store, CSR):
        found = entries_of_rows(store, where[0], where[1].start, 0)
        return Scalar.on_device(x.dtype, found.values, found.bits)
    if isinstance(store, Dense):
        found = gather(store, where)
        bits = xp.ones(1, np.uint32) if found.bits is None else found.bits
        return Scalar.on_device(x.dtype, found.values, bits)
    keys, values = store.arrays()
    if not keys.size:
        return Scalar(x.dtype)
    p = xp.full(1, position(x, where), keys.dtype)
    k = xp.minimum(xp.searchsorted(keys, p), keys.size - 1)
    return Scalar.on_device(x.dtype, values[k], keys[k] == p)


def position(x: Any, where: Axes) -> int:
    """Return the position of a single element."""
    return where[0].start * x._ncols + (where[1].start if x.ndim == 2 else 0)


def region(where: Axes) -> tuple[int, int, str, tuple[Any, ...]]:
    """Return the number of positions, those of a row, the types and arguments of index_axis.cuh."""
    P, Q = where if len(where) == 2 else (where[0], Axis(1, 1))
    names = zip(("Rows", "Columns"), (P, Q), strict=True)
    types = "".join(
        f"typedef {'i32' if axis.array is None else cuda_type(axis.array.dtype)} {name};\n"
        for name, axis in names
    )
    places = (P.array, P.start, P.step, Q.array, Q.start, Q.step)
    return P.length * Q.length, max(1, Q.length), types, (Q.size, *places)


def gather(x: Dense, where: Axes) -> Dense:
    """Return the entries in a region of a bitmap or full array."""
    xp = device.xp
    count, across, types, places = region(where)
    out = xp.empty(count, x.values.dtype)
    bits = None if x.bits is None else xp.zeros(bitmap_words(count), np.uint32)
    run = kernel("extract", f"{types}typedef {cuda_type(out.dtype)} X;\n")
    run(count, count, across, *places, x.values, x.bits, out, bits)
    return Dense(out, bits)


def entries_of_rows(A: CSR, P: Axis, column: int, right: int) -> Dense:
    """Return the entries (P[k], column + right k) of compressed sparse rows."""
    xp = device.xp
    rows = "i32" if P.array is None else cuda_type(P.array.dtype)
    types = f"typedef {rows} Rows;\ntypedef {cuda_type(A.values.dtype)} X;\n{A.typedefs()}"
    found = Dense(xp.empty(P.length, A.values.dtype), xp.zeros(bitmap_words(P.length), np.uint32))
    run = kernel("csr_lookup", f"{types}enum {{ ISO = {A.iso:d} }};\n")
    run(
        P.length, P.length, P.array, P.start, P.step, column, right, A.indptr, A.indices, A.values,
        found.values, found.bits,
    )  # fmt: skip
    return found


# ---- assign


def assign(x: Any, where: Axes, value: Any, mask: Any, accum: Any, replace: bool) -> None:
    """C(mask, accum, replace)[keys] << value: a mask of C's shape, or of the row's or column's."""
    if mask is None:
        subassign(x, where, value, None, accum, False)
        return
    line = tuple(axis for axis in where if not axis.single)
    whole_line = tuple(axis if axis.single else Axis(axis.size, axis.size) for axis in where)
    of_line = mask.parent.shape != x.shape
    if of_line and (len(line) == len(where) or mask.parent.shape != (line[0].size,)):
        raise DimensionMismatch(f"a mask of {mask.parent.shape} for an output of {x.shape}")
    if replace and mask.parent is x:
        mask = Mask(x.dup(), mask.structure, mask.complement)
    allowed = extracted(mask.parent, line if of_line else where)
    there = Mask(allowed, mask.structure, mask.complement)
    subassign(x, where, value, there, accum, False)
    if replace and of_line:
        subassign(x, whole_line, extracted(x, whole_line), mask, None, True)
    elif replace:
        x(mask=mask, replace=True) << x


def subassign(x: Any, where: Axes, value: Any, mask: Any, accum: Any, replace: bool) -> None:
    """C[keys](mask, accum, replace) << value: a mask of the region's shape."""
    shape = shape_of(where)
    if mask is not None and mask.parent.shape != shape:
        raise DimensionMismatch(f"a mask of {mask.parent.shape} for a region of {shape}")
    if mask is not None and mask.parent is x:
        mask = Mask(x.dup(), mask.structure, mask.complement)
    value = x.dup() if value is x else value
    one = mask is None and accum is None
    one = one and all(axis.length == 1 and axis.array is None for axis in where)
    if x.ndim == 2 and not x._is_flat:
        put(x, where, shape, value, mask, accum, replace)
    elif one and not isinstance(x._store, Dense) and isinstance(x._flat(), Sparse):
        x._store = insert(x._flat(), x._positions, position(x, where), value, x.dtype)
    else:
        x._store = scatter(to_dense(x._flat(), x._positions), where, value, mask, accum, replace)
    x._settle()


def put(x: Any, where: Axes, shape: Any, value: Any, mask: Any, accum: Any, replace: bool) -> None:
    """C[P, Q](mask, accum, replace) << value where C is compressed sparse rows, or bits."""
    keeps = accum is not None or (mask is not None and not replace)
    Z = extracted(x, where) if keeps else OUTPUTS[len(shape)](x.dtype, *shape)
    Z(mask=mask, accum=accum, replace=replace) << value
    P, Q = where
    if isinstance(x._store, BitMatrix) and Z.ndim == 2 and Q.whole and (bits := Z._bits()):
        x._store = bit_matrix.assign_rows(x._store, P, bits)
        return
    if Z.ndim == 2:
        rows = Z._csr()
    else:
        rows = CSR.from_list(to_sparse(Z._store, Z._positions), P.length, Q.length)
    x._store = csr_extract.put(x._csr(), P, Q, rows)


def insert(entries: Sparse, size: int, p: int, value: Any, dtype: Any) -> Sparse:
    """Return a list with another value, or none, at position p of `size`."""
    xp = device.xp
    if isinstance(value, np.generic) and value.dtype.kind in "biu":
        value = value.astype(dtype.np_type)  # as a kernel casts it; floats it does by other rules
    if isinstance(value, np.generic) and value.dtype == dtype.np_type:
        if not entries.max_nvals:
            return convert_values.entry(size, p, value, dtype)
        one, new = Dense(xp.full(1, value)), 1
    else:
        one = scatter(Dense.empty(1, dtype), (Axis(1, 1),), value, None, None, False)
        new = 1 if isinstance(value, np.generic) else one.nvals
    keys, values = entries.arrays()
    at = xp.full(1, p, keys.dtype)
    if new and not keys.size:
        return Sparse.of(at, one.values)
    k = int(device.read_scalar(xp.searchsorted(keys, at))) if keys.size else 0
    after = k + int(k < keys.size and device.read_scalar(keys[k]) == p)
    return Sparse.of(
        xp.concatenate([keys[:k], at[:new], keys[after:]]),
        xp.concatenate([values[:k], one.values[:new], values[after:]]),
    )


@cache
def _assign(types: str, mask: int, accum: Any, replace: bool, is_scalar: bool) -> Kernel:
    flags = f"MASK = {mask}, ACCUM = {accum is not None:d}, REPLACE = {replace:d}"
    added = NO_ACCUM if accum is None else tables.binary(accum, "Accum")
    return kernel("assign", f"{types}enum {{ {flags}, SCALAR = {is_scalar:d} }};\n{added}")


def scatter(c: Dense, where: Axes, value: Any, mask: Any, accum: Any, replace: bool) -> Dense:
    """Update a region of a bitmap or full array in place, and return it."""
    count, across, types, places = region(where)
    is_scalar = isinstance(value, np.generic)
    x, s = Dense(None), value
    if not is_scalar:
        x = to_dense(value._flat(), value._positions)
        s = x.values.dtype.type(0)
    m = probe(mask)
    deletes = (replace and m.kind) or (accum is None and not is_scalar and x.bits is not None)
    bits = all_bits(c.values.size) if c.bits is None and deletes else c.bits
    types += "".join(
        f"typedef {cuda_type(t.dtype)} {name};\n"
        for name, t in (("T", s), ("C", c.values), ("Mask", s if m.values is None else m.values))
    )
    run = _assign(types, m.kind, accum, bool(replace), is_scalar)
    run(
        count, count, across, *places, x.values, x.bits, s, m.values, m.bits, c.values, bits
    )  # fmt: skip
    return Dense(c.values, bits)


def all_bits(size: int) -> Any:
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
        store = csr_extract.columns(store, _first_indices(A.ncols, ncols))
    if nrows != A.nrows:
        store = csr_extract.rows(store, _first_indices(A.nrows, nrows))
    A.nrows, A.ncols, A._store = nrows, ncols, store
    A._settle()
    CachedPlan.shape_changes += 1


def _first_indices(size: int, count: int) -> Any:
    """Return the indices 0 to count - 1; -1 in place of those that are not below `size`."""
    xp = device.xp
    k = xp.arange(count, dtype=kernel_index_dtype(max(size, count)))
    return xp.where(k < size, k, k.dtype.type(-1))
