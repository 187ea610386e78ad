"""C<M> = A B over a semiring, for A, B and M as compressed sparse rows.

:func:`choose_method` chooses one of four methods:

- hash (hash.py): Gustavson's method with hash tables, without a mask, with a complemented one, or
  with one of many more entries than there are products;
- sort (sort.py): without a mask, if the products crowd into few rows;
- dot (dot.py): one dot product for each entry of the mask, with the rows of B';
- gustavson (masked.py): Gustavson's method, computing the entries of the mask only.

The structure of C is deterministic. So are its values if Add gives the same in any order (integers,
min, max, and, or); the last bits of sums of floats may differ from run to run, and ANY takes one
of the products, not always the same.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np
from graphblas.dtypes import lookup_dtype

from graphla.cuda.operations.definitions import WARP, constants, typedefs
from graphla.cuda.operations.spgemm import dot, hash, masked, sort
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import kernel
from graphla.cuda.storage.csr import CSR
from graphla.errors import InvalidValue

TABLE_SHARE = 4  # hash tables take at most one part in this many of the free bytes
RATIO = 32  # times that a row is longer than another from which it is searched, not read
DOT_GAIN = 2  # times a product of a dot is cheaper than one of Gustavson's: it needs no atomics
SEARCH_MASK = 4  # entries of the mask for each product from which the mask is searched (hash)


def spgemm(
    A: CSR,
    B: CSR | None,
    semiring: str,
    *,
    zdtype: Any,
    uses: Collection[str] = "xy",
    native: str = "",
    mask: CSR | None = None,
    complement: bool = False,
    transposed: CSR | None = None,
    limit: int | None = None,
    method: str | None = None,
) -> CSR:
    """Return C<M> = A B.

    Parameters
    ----------
    A : CSR, m x k
    B : CSR, k x n, or None
        None if only `transposed` is stored, which is enough for the method "dot" alone.
    semiring : str
        CUDA text that defines ``struct Multiply`` and ``struct Add``.
    zdtype : dtype
        Of the result: that of ``Add::Z``.
    uses : collection of str, optional
        The arguments that Multiply reads: x (values of A), y (values of B). Values that are not
        read are not loaded. Positions are always passed.
    native : str, optional
        Definitions of the hardware's atomic operation that is Add, if it has one (hash_table.cuh).
    mask : CSR, m x n, optional
        Its structure is that of the mask's true entries.
    complement : bool, optional
        Compute the entries that are not in the mask.
    transposed : CSR, n x k, optional
        B' by rows; its values are B's.
    limit : int, optional
        Bytes that hash tables may take; a quarter of the free ones by default.
    method : {"hash", "sort", "gustavson", "dot"}, optional
        By default the one that :func:`choose_method` returns.

    Returns
    -------
    CSR
        With a value for each entry. Under a mask (not complemented) it may share the mask's
        arrays.

    Raises
    ------
    OutOfDeviceMemory
        The result does not fit. Its entries are counted before any of them is computed.
    """
    if B is None and transposed is None:
        raise InvalidValue("spgemm needs B or its transpose")
    if B is None and (mask is None or complement or method not in (None, "dot")):
        raise InvalidValue("all products but dots inside a mask need B by rows")
    operands = Operands(A, B, transposed, semiring, uses, native, mask, np.dtype(zdtype))
    B, mask, zdtype = operands.B, operands.mask, operands.zdtype
    stored = operands.transposed if B is None else B
    ncols = stored.nrows if B is None else stored.ncols
    excludes_all = complement if mask is None else not complement and not mask.nvals
    if excludes_all or not A.nvals or not stored.nvals:
        return CSR.empty(A.nrows, ncols, lookup_dtype(zdtype))
    work = None
    if B is not None and method != "dot":
        work = hash.count_products(A, B, operands.definitions(B))
    if method is None:
        method = choose_method(operands, complement, work)
    if method == "dot":
        if transposed is None:
            raise InvalidValue("method 'dot' needs the transpose of B by rows")
        text = operands.definitions(transposed)
        return dot.multiply(A, transposed, mask, text, zdtype, operands.reads_a == 2)
    text = operands.definitions(B)
    if method == "sort":
        return sort.multiply(A, B, text, zdtype)
    if method == "hash":
        limit = limit or device.free() // TABLE_SHARE
        text += constants(MASK=0 if mask is None else 2 if complement else 1)
        return hash.multiply(A, B, mask, text, zdtype, limit, work)
    return masked.multiply(A, B, mask, text, zdtype, work)


class Operands(NamedTuple):
    """What one call multiplies, and over which semiring; see :func:`spgemm`."""

    A: CSR
    B: Any  # a CSR, or None
    transposed: Any  # a CSR, or None
    semiring: str
    uses: Collection[str]
    native: str
    mask: Any  # a CSR, or None
    zdtype: Any

    @property
    def reads_a(self) -> int:
        """How a product reads a value of A (spgemm_multiply.cuh)."""
        return _reads("x", self.A, self.uses)

    def definitions(self, B: CSR) -> str:
        """Return the definitions of spgemm_multiply.cuh; `B`: B or B', as the kernel takes it."""
        text = self.native + self.semiring
        for name, index, X, letter in (("A", "AIndex", self.A, "x"), ("B", "Index", B, "y")):
            read = _reads(letter, X, self.uses)
            types = {
                f"{name}Offset": X.indptr.dtype,
                index: X.indices.dtype,
                f"{name}Type": X.values.dtype if read else np.bool_,
            }
            text += typedefs(**types) + constants(**{f"{name}_READ": read})
        mask = self.A if self.mask is None else self.mask
        text += typedefs(MOffset=mask.indptr.dtype, MIndex=mask.indices.dtype)
        return text + constants(RATIO=RATIO)


def _reads(letter: str, X: CSR, uses: Collection[str]) -> int:
    """Return how a product reads a value of X: 0 not at all, 1 one for all entries, 2 its own."""
    return 0 if letter not in uses else 1 if X.iso else 2


def choose_method(operands: Operands, complement: bool, work: Any) -> str:
    """Return the cheapest method by the number of products, which is counted exactly.

    `work` is the number of products of each row, or None if B is not stored by rows. Under a
    mask, a dot product reads row j of B' for each entry (i, j) of the mask, and Gustavson's method
    row k of B for each entry (i, k) of A.
    """
    A, mask, transposed = operands.A, operands.mask, operands.transposed
    if mask is None:
        return "sort" if sort.is_faster(A, work, operands.zdtype) else "hash"
    if complement:
        return "hash"
    if work is None:
        return "dot"
    products = int(device.read_scalar(work.sum()))
    if SEARCH_MASK * products < mask.nvals:
        return "hash"
    if transposed is None:
        return "gustavson"
    n = A.nrows
    dots = device.xp.empty(n, np.int64)
    run = kernel("spgemm_work", operands.definitions(transposed), "dot_work")
    run(n * WARP, n, A.indptr, transposed.indptr, mask.indptr, mask.indices, dots)
    return "dot" if int(device.read_scalar(dots.sum())) <= DOT_GAIN * products else "gustavson"
