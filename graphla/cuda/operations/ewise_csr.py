"""C<M, accum, replace> = combine(x, y, s) entry by entry, for matrices as compressed sparse rows.

T = combine(x, y, s) is evaluated at the entries of rows that cover it (:func:`_covering_rows`):
those of an operand, of the union of both (eWiseAdd), or of the mask if that has fewer entries. The
other operands and the mask are looked up by binary search in the row. An entry that is not in T
gets no flag, and the flagged entries are compacted. The update of C is an eWiseAdd of the entries
of C that stay and those of T, with the accumulator as its operator.

Arrays that do not change (offsets, columns, a value that all entries have) are shared, not copied.
Kernels: ewise_csr.cu evaluates the formula; entry_flags.cu and csr_structure.cu compact and merge.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from graphblas import binary
from graphblas.dtypes import lookup_dtype

from graphla.cuda.expressions.scalar import typed
from graphla.cuda.expressions.statement import Mask
from graphla.cuda.operations.definitions import constants, typedefs
from graphla.cuda.operators import tables
from graphla.cuda.operators.codegen import ctype, reads
from graphla.cuda.operators.elementwise_formula import FALSE, Formula
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import Kernel, kernel
from graphla.cuda.storage.csr import CSR
from graphla.cuda.storage.vector_formats import cuda_type, kernel_index_dtype
from graphla.errors import OutOfDeviceMemory


class CSRMask(NamedTuple):
    """The positions that a mask allows: its kind (mask.cuh) and its entries."""

    kind: int
    rows: CSR

    @property
    def complement(self) -> CSRMask:
        """The mask of the other positions."""
        return CSRMask((3, 4, 1, 2)[self.kind - 1], self.rows)


def update(
    C: Any,
    formula: Formula,
    operands: Any,
    s: Any,
    mask: Mask | None,
    accum: Any,
    replace: bool,
) -> None:
    """Compute C<mask, accum, replace> = combine(x, y, s) for matrices of one shape and a Scalar."""
    s = None if s is None else typed(s)
    allowed = None if mask is None else CSRMask(mask.kind, mask.parent._csr())
    x, y, *_ = *(z._csr() for z in operands), None, None
    old = C._csr()
    max_entries = sum(z.nvals for z in (x, y, old) if z is not None)
    needed = max_entries * (old.indices.itemsize + C.dtype.np_type.itemsize)
    with device.allocation(needed, f"a Matrix of up to {max_entries:,} entries"):
        C._store = _updated(C, formula, x, y, s, allowed, old, accum, replace)
    C._apply_storage_hint()


def _updated(
    C: Any, formula: Formula, x: Any, y: Any, s: Any, mask: CSRMask | None, old: CSR, accum: Any,
    replace: bool,
) -> CSR:  # fmt: skip
    """Return C<mask, accum, replace> = combine(x, y, s), the old C being given."""
    overwrites = not old.nvals or (accum is None and (mask is None or replace))
    T = combined(formula, x, y, s, mask, C.shape, (C if overwrites else formula).dtype)
    if overwrites:
        return T
    if mask is not None and accum is None:
        old = _filtered(old, mask.complement)
    elif mask is not None and replace:
        old = _filtered(old, mask)
    union = Formula("Union", accum or binary.second[C.dtype], C.dtype)
    return combined(union, old, T, None, None, C.shape, C.dtype)


def mask_structure(mask: Mask) -> CSR:
    """Return rows whose entries are the mask's true ones; its complement is ignored."""
    return _true_entries(CSRMask(1 if mask.structure else 2, mask.parent._csr()))


def _filtered(A: CSR, mask: CSRMask) -> CSR:
    """Return the entries of A at the positions that a mask allows."""
    dtype = lookup_dtype(A.values.dtype)
    same = Formula("Identity", None, dtype)
    return combined(same, A, None, None, mask, (A.nrows, A.ncols), dtype)


def combined(
    formula: Formula,
    x: Any,
    y: Any,
    s: Any,
    mask: CSRMask | None,
    shape: tuple[int, int],
    dtype: Any,
) -> CSR:
    """Return combine(x, y, s) where the mask allows, its values cast to a dtype."""
    xp = device.xp
    rows, is_exact, mask = _covering_rows(formula, x, y, mask, shape)
    flags = None if is_exact and mask is None else xp.empty(rows.nvals, np.bool_)
    keeps_values = formula.template in ("Identity", "Select") and shares_structure(rows, x)
    if keeps_values and x.values.dtype == dtype.np_type:
        out, values, iso = None, x.values, x.iso
    else:
        values = common_value(formula, rows, x, y, s, dtype)
        iso = values is not None
        out = None if iso else xp.empty(rows.nvals, dtype.np_type)
        values = values if iso else out
    if flags is not None or out is not None:
        _evaluate(formula, rows, x, y, s, mask, out, flags)
    if flags is None:
        return CSR(rows.indptr, rows.indices, values, rows.ncols, iso)
    return _compacted(rows, flags, values, iso)


# ---- structure


def shares_structure(x: CSR | None, y: CSR | None) -> bool:
    """Whether two matrices have the same arrays of offsets and columns."""
    return x is not None and y is not None and x.indices is y.indices and x.indptr is y.indptr


def _covering_rows(
    formula: Formula, x: Any, y: Any, mask: CSRMask | None, shape: tuple[int, int]
) -> tuple[CSR, bool, CSRMask | None]:
    """Choose rows with all entries of T.

    Returns
    -------
    CSR
        The rows; their values do not matter.
    bool
        Whether T has all of their entries.
    CSRMask or None
        The mask if it has still to be applied.
    """
    inside = mask if mask is not None and mask.kind <= 2 else None
    if formula.template == "Constant":
        return (_true_entries(inside), True, None) if inside else (_full(shape), True, mask)
    sizes = [z.nvals for z in (x, y) if z is not None]
    size = sum(sizes) if formula.template == "Union" else min(sizes)
    if inside and inside.rows.nvals < size and not shares_structure(inside.rows, x):
        return _true_entries(inside), False, None
    if formula.template == "Union":
        return _union_structure(x, y), True, mask
    if formula.template == "Intersection":
        return min(x, y, key=lambda z: z.nvals), shares_structure(x, y), mask
    return x, formula.template != "Select", mask


def _true_entries(mask: CSRMask) -> CSR:
    """Return the entries of a mask; of one by value (kind 2) those that are true."""
    A = mask.rows
    true = device.xp.ones(1, np.bool_)
    if mask.kind % 2:
        return CSR(A.indptr, A.indices, true, A.ncols, True)
    return _compacted(A, A.full_values() != 0, true, True)


def _full(shape: tuple[int, int]) -> CSR:
    """Return rows with an entry at each position.

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


class EntryFlags:
    """Which entries of a matrix are selected: a bit each, and counts before each word of bits.

    See entry_flags.cuh. `definitions` has the type of the counts.
    """

    __slots__ = ("bits", "count", "definitions", "ends")

    def __init__(self, flags: Any) -> None:
        xp, n = device.xp, flags.size
        words, kind = n // 32 + 1, kernel_index_dtype(n)
        self.definitions = typedefs(FlagCount=kind)
        self.bits, self.ends = xp.empty(words, np.uint32), xp.zeros(words + 1, kind)
        text = self.definitions + typedefs(Offset="i32", OutOffset="i32")
        pack = kernel("entry_flags", text, "pack_flags")
        pack(words, n, flags, self.bits, self.ends[1:])
        xp.cumsum(self.ends, out=self.ends)
        self.count = int(device.read_scalar(self.ends[-1]))

    def row_offsets(self, indptr: Any) -> Any:
        """Return the offsets of the rows of the selected entries."""
        out = device.xp.empty(indptr.size, kernel_index_dtype(self.count))
        text = self.definitions + typedefs(Offset=indptr.dtype, OutOffset=out.dtype)
        run = kernel("entry_flags", text, "flagged_row_offsets")
        run(out.size, out.size, indptr, self.bits, self.ends, out)
        return out


def _compacted(A: CSR, flags: Any, values: Any, iso: bool) -> CSR:
    """Return the entries of A that have a flag, with their part of `values`."""
    xp = device.xp
    selected = EntryFlags(flags)
    count = selected.count
    if count == A.nvals:
        return CSR(A.indptr, A.indices, values, A.ncols, iso)
    indices = xp.empty(count, A.indices.dtype)
    out = values if iso else xp.empty(count, values.dtype)
    text = selected.definitions + typedefs(
        Index=indices.dtype, V=values.dtype, XOffset="i32", YOffset="i32"
    )
    kernel("csr_structure", text, "compact_flagged")(
        A.nvals, A.nvals, selected.bits, selected.ends, A.indices, None if iso else values,
        indices, out,
    )  # fmt: skip
    return CSR(selected.row_offsets(A.indptr), indices, out, A.ncols, iso)


def _union_structure(x: CSR, y: CSR) -> CSR:
    """Return the structure of x or y; x or y itself if it has all entries of the other."""
    xp = device.xp
    if shares_structure(x, y) or not y.nvals:
        return x
    flags = xp.empty(y.nvals, np.bool_)
    same = Formula("Identity", None, lookup_dtype(y.values.dtype))
    _evaluate(same, y, y, None, None, CSRMask(3, x), None, flags)
    only_y = EntryFlags(flags)
    if not only_y.count or not x.nvals:
        return x if not only_y.count else y
    total = x.nvals + only_y.count
    offset = kernel_index_dtype(total)
    indptr = x.indptr.astype(offset) + only_y.row_offsets(y.indptr).astype(offset)
    indices = xp.empty(total, x.indices.dtype)
    text = only_y.definitions + typedefs(
        Index=indices.dtype, XOffset=x.indptr.dtype, YOffset=y.indptr.dtype, V="bool"
    )
    kernel("csr_structure", text, "merge_structures")(
        x.nvals + y.nvals, x.nvals, y.nvals, x.nrows, x.indptr, x.indices, y.indptr, y.indices,
        only_y.bits, only_y.ends, indices,
    )  # fmt: skip
    return CSR(indptr, indices, xp.ones(1, np.bool_), x.ncols, True)


# ---- values


@cache
def operands_read(formula: Formula) -> tuple[frozenset[str], bool]:
    """Return which of the entries x and y a formula reads, and whether it reads positions."""
    if formula.template in ("Identity", "Constant"):
        return frozenset("x" if formula.template == "Identity" else ""), False
    op = formula.op
    if formula.template == "Apply" and op.opclass == "UnaryOp":
        names = reads(tables.expression(op, tables.UNARY, ("x",)))
    elif op.opclass in ("IndexUnaryOp", "SelectOp"):
        names = reads(tables.expression(op, tables.INDEX, ("x", "xi", "xj", "y")))
    else:
        names = tables.uses(op)
    positional = bool(names - {"x", "y"})
    if formula.template == "BindFirst":  # the operator's x is the scalar, its y the entry
        return frozenset("x" if "y" in names else ""), positional
    if formula.template == "Union":
        return frozenset("xy"), positional
    return names & frozenset("xy" if formula.template == "Intersection" else "x"), positional


def common_value(formula: Formula, rows: CSR, x: Any, y: Any, s: Any, dtype: Any) -> Any:
    """Return the one value that all entries of T have, or None if they may differ.

    The formula is evaluated at one entry for each combination of operands that can occur.
    """
    if formula.template == "Select":
        formula = Formula("Identity", None, formula.dtype)
    entries, positional = operands_read(formula)
    present = [z is not None and z.nvals > 0 for z in (x, y)]
    if positional or not all(z.iso for z, name in ((x, "x"), (y, "y")) if name in entries):
        return None
    # columns of x, of y and of T: both in column 0, x alone in column 1, y alone in column 2
    columns = ([0, 1], [0, 2], [0, 1, 2])
    if formula.template != "Union" or not all(present) or shares_structure(x, y):
        columns = ([0], [0], [0])
    of_x, of_y = (
        _single_row(z, of_z) if has else None
        for z, of_z, has in zip((x, y), columns[:2], present, strict=True)
    )
    out = device.xp.empty(len(columns[2]), dtype.np_type)
    _evaluate(formula, _single_row(rows, columns[2]), of_x, of_y, s, None, out, None)
    is_common = out.size == 1 or device.read_scalar((out == out[0]).all())
    return out[:1] if is_common else None


def _single_row(A: CSR, columns: list[int]) -> CSR:
    """Return one row with A's one value in some columns."""
    xp = device.xp
    indptr = xp.asarray([0, len(columns)], A.indptr.dtype)
    return CSR(indptr, xp.asarray(columns, A.indices.dtype), A.values, A.ncols, A.iso)


@cache
def _kernel(formula: Formula, types: tuple[str, ...], flags: str) -> Kernel:
    names = ("Index", "Offset", "XOffset", "X", "YOffset", "Y", "MOffset", "Mask", "S", "Out")
    text = typedefs(**dict(zip(names, types, strict=True)))
    return kernel("ewise_csr", text + flags + formula.definitions(False))


def _evaluate(
    formula: Formula, rows: CSR, x: Any, y: Any, s: Any, mask: CSRMask | None, out: Any, flags: Any
) -> None:
    """Fill `out` with the values and `flags` at the entries of `rows`; either may be None.

    X_AT and Y_AT are how the kernel finds an operand's entry: 0 it has none, 1 at the same place of
    its arrays, 2 by a search in the row.
    """
    lookups = [0 if z is None else 1 if shares_structure(rows, z) else 2 for z in (x, y)]
    needs_rows = operands_read(formula)[1] or mask is not None or 2 in lookups
    types, arrays, isos = [], [], []
    for A in (x, y, None if mask is None else mask.rows):
        if A is None:
            types += ["i32", "bool"]
            arrays += [None, None, None]
        else:
            types += [cuda_type(A.indptr.dtype), cuda_type(A.values.dtype)]
            arrays += A.arrays
        isos.append(A is not None and A.iso)
    scalar = FALSE if s is None else s
    choices = constants(
        X_AT=lookups[0],
        Y_AT=lookups[1],
        X_ISO=isos[0],
        Y_ISO=isos[1],
        MASK=0 if mask is None else mask.kind,
        M_ISO=isos[2],
        ROWS=needs_rows,
    )
    names = (
        *map(cuda_type, (rows.indices.dtype, rows.indptr.dtype)), *types, cuda_type(scalar.dtype),
        ctype(formula.dtype) if out is None else cuda_type(out.dtype),
    )  # fmt: skip
    n = rows.nvals
    _kernel(formula, names, choices)(
        n, n, rows.nrows, rows.indptr, rows.indices, *arrays[:6], scalar, *arrays[6:], out, flags,
    )  # fmt: skip
