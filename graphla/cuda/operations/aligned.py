"""A formula of combine.cuh at the entries of compressed sparse rows.

Each thread takes an entry of given rows, looks the operands and the mask up at its position, by
binary search in the row unless they share their structure, and writes the value and a flag.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from graphla.cuda import operators
from graphla.cuda.compile import Kernel, kernel
from graphla.cuda.csr import CSR
from graphla.cuda.device import device
from graphla.cuda.operations.elementwise import Combine
from graphla.cuda.storage import element
from graphla.cuda.structs import ctype, reads


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
        found = reads(operators.expression(op, operators.UNARY, ("x",)))
    elif op.opclass in ("IndexUnaryOp", "SelectOp"):
        found = reads(operators.expression(op, operators.INDEX, ("x", "xi", "xj", "y")))
    else:
        found = operators.uses(op)
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
    equal = out.size == 1 or device.word((out == out[0]).all())
    return out[:1] if equal else None


def _row(A: CSR, columns: list[int]) -> CSR:
    """Return a row with A's one value in some columns."""
    xp = device.xp
    indptr = xp.asarray([0, len(columns)], A.indptr.dtype)
    return CSR(indptr, xp.asarray(columns, A.indices.dtype), A.values, A.ncols, A.iso)


@cache
def _kernel(how: Combine, types: tuple[str, ...], choices: str) -> Kernel:
    names = ("Index", "Offset", "XOffset", "X", "YOffset", "Y", "MOffset", "Mask", "S", "Out")
    typedefs = "".join(f"typedef {t} {name};\n" for name, t in zip(names, types, strict=True))
    return kernel("aligned", typedefs + choices + how.text(False))


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
            ["i32", "bool"] if A is None else [element(A.indptr.dtype), element(A.values.dtype)]
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
        element(base.indices.dtype), element(base.indptr.dtype), *types, element(scalar.dtype),
        ctype(how.dtype) if out is None else element(out.dtype),
    )  # fmt: skip
    n = base.nvals
    _kernel(how, names, choices)(
        n, n, base.nrows, base.indptr, base.indices, *arrays[0], *arrays[1], scalar, *arrays[2],
        out, flags,
    )  # fmt: skip
