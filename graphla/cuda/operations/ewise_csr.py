"""Position by position, for matrices of many rows: operations on compressed sparse rows.

T = combine(x, y, s) is computed entry by entry of rows that hold all of T: those of x, of the
smaller operand (eWiseMult), of the union (eWiseAdd), or of the mask, if that has fewer. Other
operands and the mask are looked up by binary search in the row. What is left out gets no flag,
and the flagged entries are moved together. The update is an eWiseAdd once more: of the entries
of C that stay and of the entries of T that the mask allows, with the accumulator as operator.

Arrays that do not change (rows, columns, values that are all equal) are shared, never copied.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from graphblas import binary
from graphblas.dtypes import lookup_dtype

from graphla.cuda.expressions.mask import Mask
from graphla.cuda.expressions.scalar import typed
from graphla.cuda.operations.definitions import typedefs
from graphla.cuda.operators import tables
from graphla.cuda.operators.codegen import ctype, reads
from graphla.cuda.operators.elementwise_formula import Combine
from graphla.cuda.runtime.compile import Kernel, kernel
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.csr import CSR
from graphla.cuda.storage.vector_formats import cuda_type, kernel_index_dtype
from graphla.errors import OutOfDeviceMemory


def run(
    C: Any, how: Combine, operands: Any, s: Any, mask: Mask | None, accum: Any, replace: bool
) -> None:
    """C<mask, accum, replace> = combine(x, y, s) for matrices of one shape and a Scalar."""
    s = None if s is None else typed(s)
    where = None if mask is None else Where(mask.kind, mask.parent._csr())
    x, y, *_ = *(z._csr() for z in operands), None, None
    old = C._csr()
    most = sum(z.nvals for z in (x, y, old) if z is not None)
    needed = most * (old.indices.itemsize + C.dtype.np_type.itemsize)
    with device.allocation(needed, f"a Matrix of up to {most:,} entries"):
        C._store = _updated(C, how, x, y, s, where, old, accum, replace)
    C._settle()


def _updated(
    C: Any, how: Combine, x: Any, y: Any, s: Any, where: Where | None, old: CSR, accum: Any,
    replace: bool,
) -> CSR:  # fmt: skip
    """Return C<mask, accum, replace> = combine(x, y, s), the old C being given."""
    anew = not old.nvals or (accum is None and (where is None or replace))
    T = combined(how, x, y, s, where, C.shape, (C if anew else how).dtype)
    if not anew:
        if where is not None and accum is None:
            old = filtered(old, where.rest)
        elif where is not None and replace:
            old = filtered(old, where)
        either = Combine("Either", accum or binary.second[C.dtype], C.dtype)
        T = combined(either, old, T, None, None, C.shape, C.dtype)
    return T


def structure(mask: Mask) -> CSR:
    """Return rows whose entries are the mask's true ones, its complement ignored."""
    return _truths(Where(1 if mask.structure else 2, mask.parent._csr()))


def filtered(A: CSR, where: Where) -> CSR:
    """Return the entries of A at the positions that a mask allows."""
    dtype = lookup_dtype(A.values.dtype)
    itself = Combine("Same", None, dtype)
    return combined(itself, A, None, None, where, (A.nrows, A.ncols), dtype)


def combined(
    how: Combine, x: Any, y: Any, s: Any, where: Where | None, shape: tuple[int, int], dtype: Any
) -> CSR:
    """Return combine(x, y, s) where the mask allows, its values cast to a dtype."""
    xp = device.xp
    base, sure, where = _base(how, x, y, where, shape)
    flags = None if sure and where is None else xp.empty(base.nvals, np.bool_)
    if how.template in ("Same", "Select") and same(base, x) and x.values.dtype == dtype.np_type:
        out, values, iso = None, x.values, x.iso
    else:
        values = one_value(how, base, x, y, s, dtype)
        iso = values is not None
        out = None if iso else xp.empty(base.nvals, dtype.np_type)
        values = values if iso else out
    if flags is not None or out is not None:
        evaluate(how, base, x, y, s, where, out, flags)
    if flags is None:
        return CSR(base.indptr, base.indices, values, base.ncols, iso)
    return _compacted(base, flags, values, iso)


def _base(
    how: Combine, x: Any, y: Any, where: Where | None, shape: tuple[int, int]
) -> tuple[CSR, bool, Where | None]:
    """Return rows that hold all of T, whether T has them all, and the mask still to be applied."""
    inside = where if where is not None and where.kind <= 2 else None
    if how.template == "Value":
        return (_truths(inside), True, None) if inside else (_full(shape), True, where)
    sizes = [z.nvals for z in (x, y) if z is not None]
    size = sum(sizes) if how.template == "Either" else min(sizes)
    if inside and inside.rows.nvals < size and not same(inside.rows, x):
        return _truths(inside), False, None
    if how.template == "Either":
        return union(x, y), True, where
    if how.template == "Both":
        return min(x, y, key=lambda z: z.nvals), same(x, y), where
    return x, how.template != "Select", where


def _truths(where: Where) -> CSR:
    """Return the entries of a mask, those of its values that are true if they matter."""
    A = where.rows
    true = device.xp.ones(1, np.bool_)
    if where.kind % 2:
        return CSR(A.indptr, A.indices, true, A.ncols, True)
    return _compacted(A, A.full_values() != 0, true, True)


def _full(shape: tuple[int, int]) -> CSR:
    """Return rows without a gap.

    Raises
    ------
    OutOfDeviceMemory
        They do not fit.
    """
    xp, (nrows, ncols) = device.xp, shape
    size = nrows * ncols
    index, offset = kernel_index_dtype(ncols), kernel_index_dtype(size)
    needed, free = size * np.dtype(index).itemsize, device.free()
    if needed > free:
        raise OutOfDeviceMemory(f"a full Matrix of {shape}", needed=needed, free=free)
    indptr = (xp.arange(nrows + 1, dtype=np.int64) * ncols).astype(offset)
    indices = xp.tile(xp.arange(ncols, dtype=index), nrows) if size else xp.empty(0, index)
    return CSR(indptr, indices, xp.ones(1, np.bool_), ncols, True)


# ---- structure


class Flags:
    """Flags given as an array of Booleans; see entry_flags.cuh."""

    __slots__ = ("bits", "count", "ends", "text")

    def __init__(self, flags: Any) -> None:
        xp, n = device.xp, flags.size
        words, kind = n // 32 + 1, kernel_index_dtype(n)
        self.text = f"typedef {cuda_type(kind)} Ends;\n"
        self.bits, self.ends = xp.empty(words, np.uint32), xp.zeros(words + 1, kind)
        pack = kernel(
            "entry_flags", f"{self.text}typedef i32 Offset; typedef i32 Start;\n", "pack_flags"
        )
        pack(words, n, flags, self.bits, self.ends[1:])
        xp.cumsum(self.ends, out=self.ends)
        self.count = int(device.read_scalar(self.ends[-1]))

    def starts(self, indptr: Any) -> Any:
        """Return where the rows of the flagged entries begin."""
        out = device.xp.empty(indptr.size, kernel_index_dtype(self.count))
        types = f"typedef {cuda_type(indptr.dtype)} Offset; typedef {cuda_type(out.dtype)} Start;\n"
        run = kernel("entry_flags", self.text + types, "flagged_row_offsets")
        run(out.size, out.size, indptr, self.bits, self.ends, out)
        return out


def _compacted(A: CSR, flags: Any, values: Any, iso: bool) -> CSR:
    """Return the entries of A that have a flag, with their part of `values`."""
    xp = device.xp
    found = Flags(flags)
    count = found.count
    if count == A.nvals:
        return CSR(A.indptr, A.indices, values, A.ncols, iso)
    indices = xp.empty(count, A.indices.dtype)
    kept = values if iso else xp.empty(count, values.dtype)
    text = (
        f"{found.text}typedef {cuda_type(indices.dtype)} Index;\n"
        f"typedef {cuda_type(values.dtype)} V; typedef i32 XOffset; typedef i32 YOffset;\n"
    )
    move = kernel("csr_structure", text, "compact_flagged")
    entries = (found.bits, found.ends, A.indices, None if iso else values)
    move(A.nvals, A.nvals, *entries, indices, kept)
    return CSR(found.starts(A.indptr), indices, kept, A.ncols, iso)


def union(x: CSR, y: CSR) -> CSR:
    """Return the structure of x or y, the larger one itself if the other is within."""
    xp = device.xp
    if same(x, y) or not y.nvals:
        return x
    flags = xp.empty(y.nvals, np.bool_)
    dtype = lookup_dtype(y.values.dtype)
    evaluate(Combine("Same", None, dtype), y, y, None, None, Where(3, x), None, flags)
    found = Flags(flags)
    new = found.count
    if not new or not x.nvals:
        return x if not new else y
    total = x.nvals + new
    offset = kernel_index_dtype(total)
    indptr = x.indptr.astype(offset) + found.starts(y.indptr).astype(offset)
    indices = xp.empty(total, x.indices.dtype)
    text = (
        f"{found.text}typedef {cuda_type(indices.dtype)} Index;\n"
        f"typedef {cuda_type(x.indptr.dtype)} XOffset;\n"
        f"typedef {cuda_type(y.indptr.dtype)} YOffset;\n"
        "typedef bool V;\n"
    )
    merge = kernel("csr_structure", text, "merge_structures")
    merge(
        x.nvals + y.nvals, x.nvals, y.nvals, x.nrows, x.indptr, x.indices, y.indptr, y.indices,
        found.bits, found.ends, indices,
    )  # fmt: skip
    return CSR(indptr, indices, xp.ones(1, np.bool_), x.ncols, True)


# A formula of elementwise_formula.cuh at the entries of compressed sparse rows.
#
# Each thread takes an entry of given rows, looks the operands and the mask up at its position, by
# binary search in the row unless they share their structure, and writes the value and a flag.


class Where(NamedTuple):
    """The positions that a mask allows: its kind (see mask.cuh) and its entries."""

    kind: int
    rows: CSR

    @property
    def rest(self) -> Where:
        """The other positions."""
        return Where((3, 4, 1, 2)[self.kind - 1], self.rows)


def same(x: CSR | None, y: CSR | None) -> bool:
    """Whether two matrices share their structure."""
    return x is not None and y is not None and x.indices is y.indices and x.indptr is y.indptr


@cache
def operands_read(how: Combine) -> tuple[frozenset[str], bool]:
    """Return which of the entries x and y a formula reads, and whether it reads positions."""
    if how.template in ("Same", "Value"):
        return frozenset("x" if how.template == "Same" else ""), False
    op = how.op
    if how.template == "Apply" and op.opclass == "UnaryOp":
        found = reads(tables.expression(op, tables.UNARY, ("x",)))
    elif op.opclass in ("IndexUnaryOp", "SelectOp"):
        found = reads(tables.expression(op, tables.INDEX, ("x", "xi", "xj", "y")))
    else:
        found = tables.uses(op)
    positional = bool(found - {"x", "y"})
    if how.template == "BindFirst":  # whose x is the scalar
        return frozenset("x" if "y" in found else ""), positional
    if how.template == "Either":
        return frozenset("xy"), positional
    return found & frozenset("xy" if how.template == "Both" else "x"), positional


def one_value(how: Combine, base: CSR, x: Any, y: Any, s: Any, dtype: Any) -> Any:
    """Return the one value that all entries of T have, or None where they may differ."""
    if how.template == "Select":
        how = Combine("Same", None, how.dtype)
    entries, positional = operands_read(how)
    there = [z is not None and z.nvals > 0 for z in (x, y)]
    if positional or not all(z.iso for z, name in ((x, "x"), (y, "y")) if name in entries):
        return None
    # A row of what can meet: x with y, x alone, y alone.
    columns = ([0, 1], [0, 2], [0, 1, 2])
    if how.template != "Either" or not all(there) or same(x, y):
        columns = ([0], [0], [0])
    of_x, of_y = (
        _row(z, at) if has else None for z, at, has in zip((x, y), columns[:2], there, strict=True)
    )
    out = device.xp.empty(len(columns[2]), dtype.np_type)
    evaluate(how, _row(base, columns[2]), of_x, of_y, s, None, out, None)
    equal = out.size == 1 or device.read_scalar((out == out[0]).all())
    return out[:1] if equal else None


def _row(A: CSR, columns: list[int]) -> CSR:
    """Return a row with A's one value in some columns."""
    xp = device.xp
    indptr = xp.asarray([0, len(columns)], A.indptr.dtype)
    return CSR(indptr, xp.asarray(columns, A.indices.dtype), A.values, A.ncols, A.iso)


@cache
def _kernel(how: Combine, types: tuple[str, ...], choices: str) -> Kernel:
    names = ("Index", "Offset", "XOffset", "X", "YOffset", "Y", "MOffset", "Mask", "S", "Out")
    text = typedefs(**dict(zip(names, types, strict=True)))
    return kernel("ewise_csr", text + choices + how.text(False))


def evaluate(
    how: Combine, base: CSR, x: Any, y: Any, s: Any, where: Where | None, out: Any, flags: Any
) -> None:
    """Fill `out` and `flags`, which may be None, at the entries of `base`."""
    at = [0 if z is None else 1 if same(base, z) else 2 for z in (x, y)]
    rows = operands_read(how)[1] or where is not None or 2 in at
    mask = None if where is None else where.rows
    types, arrays, isos = [], [], []
    for A in (x, y, mask):
        types += (
            ["i32", "bool"] if A is None else [cuda_type(A.indptr.dtype), cuda_type(A.values.dtype)]
        )
        arrays.append((None, None, None) if A is None else (A.indptr, A.indices, A.values))
        isos.append(A is not None and A.iso)
    scalar = np.bool_(False) if s is None else s
    kind = 0 if where is None else where.kind
    choices = (
        f"enum {{ X_AT = {at[0]}, Y_AT = {at[1]}, X_ISO = {isos[0]:d}, Y_ISO = {isos[1]:d}, "
        f"MASK = {kind}, M_ISO = {isos[2]:d}, ROWS = {rows:d} }};\n"
    )
    names = (
        cuda_type(base.indices.dtype), cuda_type(base.indptr.dtype), *types,
        cuda_type(scalar.dtype), ctype(how.dtype) if out is None else cuda_type(out.dtype),
    )  # fmt: skip
    n = base.nvals
    _kernel(how, names, choices)(
        n, n, base.nrows, base.indptr, base.indices, *arrays[0], *arrays[1], scalar, *arrays[2],
        out, flags,
    )  # fmt: skip
