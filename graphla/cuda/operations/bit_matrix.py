"""Operations on matrices of bits: C<M, accum, replace> = T word by word, and Boolean products.

All entries of such a matrix are True. The operators in TRUE give True for True and True, so that in
the type BOOL only the structure of a result is to be computed: 32 positions by one operation on
words. :func:`try_update` and :func:`try_mxm` return False for all that is not of this kind, which
other kernels compute. :func:`_multiply` chooses between the kernels of a product:

- bit_matrix_or_rows.cu, if A has few entries: row i of C is the OR of the rows k of B in A(i, :);
- bit_matrix_mxm.cu, otherwise: tensor cores count the k that A(i, :) and B(:, j) have in common.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from graphblas.dtypes import BOOL

from graphla.cuda.expressions.scalar import typed
from graphla.cuda.expressions.statement import Mask
from graphla.cuda.operations import ewise_csr
from graphla.cuda.operations.definitions import WARP, constants
from graphla.cuda.operators import tables
from graphla.cuda.operators.elementwise_formula import Formula
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import Kernel, kernel
from graphla.cuda.storage.bit_matrix import BitMatrix
from graphla.cuda.storage.csr import CSR

TRUE = {"any", "first", "second", "pair", "oneb", "lor", "land", "min", "max"}  # of True, True
WORD_FORMULAS = {
    "Identity": "x",
    "Constant": "one",
    "Union": "x | y",
    "Intersection": "x & y",
}  # by template
SPARSE = 48  # positions for each entry of A from which its rows are OR'ed
TILE_ROWS, TILE_COLUMNS = 64, 64  # of C, which a warp computes (bit_matrix_mxm.cu)


def is_true(op: Any) -> bool:
    """Whether a typed operator gives True for True and True."""
    return op.return_type == BOOL and tables.name_of(op) in TRUE


def is_bits(x: Any) -> bool:
    """Whether a Matrix, or the matrix behind a transposed view, is stored as bits."""
    return isinstance((x if hasattr(x, "_store") else x.T)._store, BitMatrix)


class OutputWords(NamedTuple):
    """The update of C: definitions for bits128.cuh, and the words of the old C and of the mask."""

    definitions: str
    old: Any
    mask: Any


def _output_words(C: Any, mask: Mask | None, accum: Any, replace: bool) -> OutputWords | None:
    """Return the update of C, or None if C cannot be bits."""
    if C.dtype != BOOL or C._storage_hint not in (None, "bits"):
        return None
    if accum is not None and not is_true(accum):
        return None
    replace = replace and mask is not None
    old = None
    if accum is not None or (mask is not None and not replace):
        if (bits := C._bits()) is None:
            return None
        old = bits.words
    kind, mask_words = 0, None
    if mask is not None:
        kind, store = 1 + 2 * mask.complement, mask.parent._store
        if not isinstance(store, BitMatrix):
            store = BitMatrix.from_csr(ewise_csr.mask_structure(mask))
        mask_words = store.words
    flags = constants(MASK=kind, ACCUM=accum is not None, REPLACE=replace)
    return OutputWords(flags, old, mask_words)


# ---- element-wise


def try_update(
    C: Any, formula: Formula, operands: Any, s: Any, mask: Mask | None, accum: Any, replace: bool
) -> bool:
    """Compute C<mask, accum, replace> = combine(operands, s) on bits; return whether it was."""
    if C._storage_hint != "bits" and not any(is_bits(x) for x in (C, *operands)):
        return False
    if formula.template not in WORD_FORMULAS:
        return False
    if formula.template in ("Union", "Intersection") and not is_true(formula.op):
        return False
    if formula.template == "Constant" and not bool(typed(s)):
        return False
    bits = [x._matrix()._bits() for x in operands]
    output = None if any(x is None for x in bits) else _output_words(C, mask, accum, replace)
    if output is None:
        return False
    result = BitMatrix.allocate(C.nrows, C.ncols)
    words = [x.words for x in bits] + [None, None]
    quads = result.words.size // 4
    _ewise_kernel(formula.template, output.definitions)(
        quads, quads, result.row_quads, C.ncols, *words[:2], output.old, output.mask, result.words
    )
    C._store = result
    return True


@cache
def _ewise_kernel(template: str, text: str) -> Kernel:
    combine = f"u32 combine(u32 x, u32 y, u32 one) {{ return {WORD_FORMULAS[template]}; }}"
    return kernel("bit_matrix_ewise", f"{text}__device__ __forceinline__ {combine}\n")


# ---- products


def try_mxm(C: Any, A: Any, B: Any, op: Any, mask: Mask | None, accum: Any, replace: bool) -> bool:
    """Compute C<mask, accum, replace> = A B if B is a bit matrix or C has the hint "bits".

    Return whether C was computed.
    """
    a_is_bits, b_is_bits = is_bits(A), is_bits(B)
    if not b_is_bits and not (a_is_bits and C._storage_hint == "bits"):
        return False
    if not (op.return_type == BOOL and is_true(op.monoid) and is_true(op.binaryop)):
        return False
    reads = tables.uses(op)
    for x, letter, stored_as_bits in ((A, "x", a_is_bits), (B, "y", b_is_bits)):
        if not stored_as_bits and letter in reads and not (x.dtype == BOOL and _all_true(x)):
            return False
    output = _output_words(C, mask, accum, replace)
    if output is None:
        return False
    left = A._matrix()._store if a_is_bits else A._csr()
    right = B._matrix()._store if b_is_bits else BitMatrix.from_csr(B._csr())
    C._store = _multiply(left, right, output)
    return True


def _all_true(x: Any) -> bool:
    A = x._csr()
    return not A.nvals or bool(device.read_scalar(A.values.all()))


def _multiply(A: BitMatrix | CSR, B: BitMatrix, output: OutputWords) -> BitMatrix:
    """Choose the kernel and return C<M, accum, replace> = A B; only the structure of A is read."""
    C = BitMatrix.allocate(A.nrows, B.ncols)
    words = (output.old, output.mask, C.words)
    if A.nvals * SPARSE <= A.nrows * A.ncols:
        rows = A.to_csr() if isinstance(A, BitMatrix) else A
        quads = C.words.size // 4
        run = kernel("bit_matrix_or_rows", output.definitions + rows.typedefs())
        run(quads, quads, B.row_quads, rows.indptr, rows.indices, B.words, *words)
    else:
        left, right = A if isinstance(A, BitMatrix) else BitMatrix.from_csr(A), B.transposed()
        tile = constants(TILE_ROWS=TILE_ROWS, TILE_COLUMNS=TILE_COLUMNS)
        run = kernel("bit_matrix_mxm", output.definitions + tile)
        threads = -(-A.nrows * B.ncols * WARP // (TILE_ROWS * TILE_COLUMNS))
        run(
            threads, C.nrows, C.ncols, left.row_quads, C.row_quads, left.words, right.words, *words
        )  # fmt: skip
    return C


# ---- rows and columns


def extract(A: BitMatrix, rows: Any, columns: Any) -> BitMatrix:
    """Return A[rows, columns] for index axes."""
    if not rows.whole:
        words = device.xp.take(A.words_by_row, rows.list(), axis=0).reshape(-1)
        A = BitMatrix(words, rows.length, A.ncols)
    return A if columns.whole else A.take_columns(columns.list())


def assign_rows(A: BitMatrix, rows: Any, Z: BitMatrix) -> BitMatrix:
    """Return A with Z in the place of A[rows, :]."""
    if rows.whole:
        return Z
    result = BitMatrix(A.words.copy(), A.nrows, A.ncols)
    result.words_by_row[rows.list()] = Z.words_by_row
    return result
