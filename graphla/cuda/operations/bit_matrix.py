"""Matrices of bits: C<M, accum, replace> = T word by word, and Boolean products.

All operators that a word can do give True for True and True: in the type BOOL they differ in
nothing else, as all entries are True. Whatever is not of that kind is left to other forms.

    few entries in A    row i of C is the OR of B's rows k in A(i)           (bit_matrix_or_rows.cu)
    many                tensor cores count the k that A(i) and B(:, j) have  (bit_matrix_mxm.cu)
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from graphblas.dtypes import BOOL

from graphla.cuda.expressions.mask import Mask
from graphla.cuda.expressions.scalar import typed
from graphla.cuda.operations import ewise_csr
from graphla.cuda.operators import tables
from graphla.cuda.operators.elementwise_formula import Combine
from graphla.cuda.runtime.compile import Kernel, kernel
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.bit_matrix import BitMatrix
from graphla.cuda.storage.csr import CSR

TRUE = {"any", "first", "second", "pair", "oneb", "lor", "land", "min", "max"}  # of True, True
WORD = {"Same": "x", "Value": "one", "Either": "x | y", "Both": "x & y"}
SPARSE = 48  # positions for each entry of A from which its rows are OR'ed
TILE = 256 * 128 // 256  # entries of C that a thread takes (bit_matrix_mxm.cu)


def is_true(op: Any) -> bool:
    """Whether a typed operator gives True for True and True."""
    return op.return_type == BOOL and tables.name_of(op) in TRUE


def is_bits(x: Any) -> bool:
    """Whether a Matrix, or the one that a transpose shows, is bits."""
    return isinstance((x if hasattr(x, "_store") else x.T)._store, BitMatrix)


class Output(NamedTuple):
    """Where T goes: the definitions of bits128.cuh, and the words of the old C and of the mask."""

    text: str
    old: Any
    mask: Any


def output(C: Any, mask: Mask | None, accum: Any, replace: bool) -> Output | None:
    """Return where T goes, or None where C cannot be bits."""
    if C.dtype != BOOL or C._keep not in (None, "bits"):
        return None
    if accum is not None and not is_true(accum):
        return None
    replace = replace and mask is not None
    old = None
    if accum is not None or (mask is not None and not replace):
        if (bits := C._bits()) is None:
            return None
        old = bits.words
    kind, words = 0, None
    if mask is not None:
        kind, parent = 1 + 2 * mask.complement, mask.parent._store
        bits = (
            parent
            if isinstance(parent, BitMatrix)
            else BitMatrix.from_csr(ewise_csr.structure(mask))
        )
        words = bits.words
    return Output(
        f"enum {{ MASK = {kind}, ACCUM = {accum is not None:d}, REPLACE = {replace:d} }};\n",
        old,
        words,
    )


def run(
    C: Any, how: Combine, operands: Any, s: Any, mask: Mask | None, accum: Any, replace: bool
) -> bool:
    """C<mask, accum, replace> = combine(operands, s), if it can be done on bits."""
    if C._keep != "bits" and not any(is_bits(x) for x in (C, *operands)):
        return False
    if how.template not in WORD:
        return False
    if how.template in ("Either", "Both") and not is_true(how.op):
        return False
    if how.template == "Value" and not bool(typed(s)):
        return False
    T = [x._matrix()._bits() for x in operands]
    where = None if any(x is None for x in T) else output(C, mask, accum, replace)
    if where is None:
        return False
    found = BitMatrix.allocate(C.nrows, C.ncols)
    words = [x.words for x in T] + [None, None]
    quads = found.words.size // 4
    _each(how.template, where.text)(
        quads, quads, found.row_quads, C.ncols, *words[:2], where.old, where.mask, found.words
    )
    C._store = found
    return True


@cache
def _each(template: str, text: str) -> Kernel:
    combine = f"u32 combine(u32 x, u32 y, u32 one) {{ return {WORD[template]}; }}"
    return kernel("bit_matrix_ewise", f"{text}__device__ __forceinline__ {combine}\n")


# ---- products


def try_mxm(C: Any, A: Any, B: Any, op: Any, mask: Mask | None, accum: Any, replace: bool) -> bool:
    """C<mask, accum, replace> = A B over a semiring, if B is, or is to be, bits."""
    packed = [is_bits(x) for x in (A, B)]
    if not packed[1] and not (packed[0] and C._keep == "bits"):
        return False
    if not (op.return_type == BOOL and is_true(op.monoid) and is_true(op.binaryop)):
        return False
    reads = tables.uses(op)
    for x, letter, is_packed in zip((A, B), "xy", packed, strict=True):
        if not is_packed and letter in reads and not (x.dtype == BOOL and _all_true(x)):
            return False
    where = output(C, mask, accum, replace)
    if where is None:
        return False
    left, right = (
        x._matrix()._store if there else x._csr() for x, there in zip((A, B), packed, strict=True)
    )
    right = right if packed[1] else BitMatrix.from_csr(right)
    C._store = product(left, right, where)
    return True


def _all_true(x: Any) -> bool:
    A = x._csr()
    return not A.nvals or bool(device.read_scalar(A.values.all()))


def product(A: BitMatrix | CSR, B: BitMatrix, where: Output) -> BitMatrix:
    """Return C<M, accum, replace> = A B, the structure of A alone being read."""
    C = BitMatrix.allocate(A.nrows, B.ncols)
    end = (where.old, where.mask, C.words)
    if A.nvals * SPARSE <= A.nrows * A.ncols:
        rows = A.rows() if isinstance(A, BitMatrix) else A
        quads = C.words.size // 4
        run = kernel("bit_matrix_or_rows", where.text + rows.typedefs())
        run(quads, quads, B.row_quads, rows.indptr, rows.indices, B.words, *end)
    else:
        left = A if isinstance(A, BitMatrix) else BitMatrix.from_csr(A)
        run = kernel("bit_matrix_mxm", where.text)
        threads = -(-A.nrows * B.ncols // TILE)
        run(
            threads,
            C.nrows,
            C.ncols,
            left.row_quads,
            C.row_quads,
            left.words,
            B.transposed().words,
            *end,
        )
    return C


# ---- rows and columns


def region(A: BitMatrix, P: Any, Q: Any) -> BitMatrix:
    """Return A[P, Q], the axes P and Q being of any kind."""
    if not P.whole:
        words = device.xp.take(A.table, P.list(), axis=0).reshape(-1)
        A = BitMatrix(words, P.length, A.ncols)
    return A if Q.whole else A.columns(Q.list())


def put(A: BitMatrix, P: Any, Z: BitMatrix) -> BitMatrix:
    """Return A with Z in the place of A[P, :]."""
    if P.whole:
        return Z
    found = BitMatrix(A.words.copy(), A.nrows, A.ncols)
    found.table[P.list()] = Z.table
    return found
