"""C<M> = A B on any semiring: sparse matrix times sparse matrix, all by rows.

Four methods, in files of their own; :func:`method_of` chooses.

- hash (``spgemm_hash``): Gustavson's, for no mask, a complemented one, or one much larger than
  the product. Two passes; the result is allocated at its size, tables stay below `limit`.
- sort (``spgemm_sort``): for no mask, where products crowd into few rows.
- gustavson, dot (``spgemm_masked``): only what a mask lets through is computed.

What is deterministic: structure always, and values wherever Add gives the same in any order
(integers, min, max, and, or; not sums of floats, whose last bits may differ from run to run;
`any` takes one of the products, and not always the same).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np

from graphla.cuda.operations.spgemm import hash, sort
from graphla.cuda.operations.spgemm.masked import WARP, Masked
from graphla.cuda.runtime.compile import kernel
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.csr import CSRArrays, typedef
from graphla.cuda.storage.vector_formats import index_dtype
from graphla.errors import InvalidValue

SHARE = 4  # of the free bytes, one part of this many may be spent on tables
DOT_GAIN = 2  # a product that a dot reads costs less than Gustavson's by this factor: no atomics

SPARSE = 4  # a mask of this many entries for each product is searched

Structure = tuple[Any, Any]


def spgemm(
    A: CSRArrays,
    B: CSRArrays | None,
    semiring: str,
    *,
    zdtype: Any,
    uses: Collection[str] = "xy",
    native: str = "",
    mask: Structure | None = None,
    complement: bool = False,
    transposed: CSRArrays | None = None,
    nrows: int,
    ncols: int,
    inner: int,
    limit: int | None = None,
    method: str | None = None,
) -> CSRArrays:
    """Return C<M> = A B.

    Parameters
    ----------
    A : CSRArrays, nrows x inner
    B : CSRArrays, inner x ncols, or None
        None where only `transposed` is at hand, which serves the method "dot" alone.
    semiring : str
        CUDA text that defines ``struct Multiply`` and ``struct Add``.
    zdtype : dtype
        Of the result: that of ``Add::Z``.
    uses : collection of str, optional
        What Multiply asks for: whether x (values of A) and y (values of B) are in it. What it
        does not ask for is not read. Positions are always at hand.
    native : str, optional
        Definitions of the hardware's atomic operation that is Add, if it has one (hash_table.cuh).
    mask : (indptr, indices), optional
        Structure of the mask's true entries, nrows x ncols.
    complement : bool, optional
        Compute what the mask does not hold.
    transposed : CSRArrays, ncols x inner, optional
        B' by rows; its values are B's.
    limit : int, optional
        Bytes that hash tables may take; a quarter of the free ones by default.
    method : {"hash", "sort", "gustavson", "dot"}, optional
        By default the cheapest, see `method_of`.

    Returns
    -------
    CSRArrays
        With a value for each entry. Under a mask (not complemented) it may share the mask's
        arrays.

    Raises
    ------
    OutOfDeviceMemory
        The result does not fit. It is counted, but nothing of it is computed before.
    """
    P = Product(A, B, transposed, semiring, uses, native, mask, np.dtype(zdtype))
    kind = 0 if mask is None else 2 if complement else 1
    other = transposed if B is None else B
    if other is None:
        raise InvalidValue("spgemm needs B or its transpose")
    if B is None and (kind != 1 or method == "hash"):
        raise InvalidValue("a product without a mask, or outside it, needs B by rows")
    nothing = (complement and kind == 0) or (kind == 1 and not len(P.mask[1]))
    if nothing or not len(A.indices) or not len(other.indices):
        return empty(nrows, ncols, P.zdtype)
    work = P.work(method)
    if method is None:
        method = method_of(P, work) if kind == 1 else "hash"
        if kind == 0 and sort.wins(A, work, P.zdtype):
            method = "sort"
    if method == "sort":
        return sort.multiply(A, P.B, P.text(P.B), P.zdtype, ncols)
    if method == "hash":
        limit = limit or device.free() // SHARE
        text = P.text(P.B) + f"enum {{ MASK = {kind} }};\n"
        return hash.multiply(A, P.B, mask, text, P.zdtype, ncols, limit, work)
    return masked(P, method, work, reduce=False).result()


def spgemm_total(
    A: CSRArrays,
    B: CSRArrays | None,
    semiring: str,
    *,
    zdtype: Any,
    uses: Collection[str] = "xy",
    native: str = "",
    mask: Structure,
    transposed: CSRArrays | None = None,
    method: str | None = None,
) -> tuple[Any, Any]:
    """Return the sum by Add of all entries of C<M> = A B, which is not stored.

    Returns
    -------
    total : array of one element of `zdtype`
        The identity where C has no entry.
    some : array of one uint32
        Whether C has an entry.
    """
    P = Product(A, B, transposed, semiring, uses, native, mask, np.dtype(zdtype))
    work = P.work(method)
    method = method or method_of(P, work, hashes=False)
    return masked(P, method, work, reduce=True).total()


class Product(NamedTuple):
    """What is multiplied."""

    A: CSRArrays
    B: Any  # CSRArrays, or None where not at hand
    transposed: Any
    semiring: str
    uses: Collection[str]
    native: str
    mask: Any  # a Structure or None
    zdtype: Any

    def text(self, B: CSRArrays) -> str:
        """Return the definitions for the kernels (spgemm_multiply.cuh); `B`: as they take it."""
        text = self.native + self.semiring
        for name, index, M, letter in (("A", "AIndex", self.A, "x"), ("B", "Index", B, "y")):
            read = reads(letter, M, self.uses)
            text += typedef(f"{name}Offset", M.indptr.dtype) + typedef(index, M.indices.dtype)
            text += typedef(f"{name}Type", M.values.dtype if read else np.bool_)
            text += f"enum {{ {name}_READ = {read} }};\n"
        mp, mi = self.mask or self.A[:2]
        return text + typedef("MOffset", mp.dtype) + typedef("MIndex", mi.dtype)

    def work(self, method: str | None) -> Any:
        """Return the number of products of each row, or None where `method` does not ask."""
        if self.B is None or method == "dot":
            return None
        return hash.work(self.A, self.B, self.text(self.B))


def masked(P: Product, method: str, work: Any, *, reduce: bool) -> Masked:
    """Return the product under a mask, computed."""
    operand = P.transposed if method == "dot" else P.B
    if operand is None:
        missing = "the transpose of B" if method == "dot" else "B"
        raise InvalidValue(f"method {method!r} needs {missing} by rows")
    position = int(method != "dot" or reads("x", P.A, P.uses) == 2)
    text = P.text(operand) + f"enum {{ POSITION = {position} }};\n"
    product = Masked(P.A, operand, P.mask, text, P.zdtype, reduce)
    if method == "dot":
        product.dot()
    else:
        product.gustavson(work)
    return product


def method_of(P: Product, work: Any, *, hashes: bool = True) -> str:
    """Return the method of a product under a mask that reads least, counted exactly.

    A mask with many more entries than there are products is searched for each ("hash");
    else a dot product reads row j of B' for each of its entries (i, j), and Gustavson's
    method row k of B for each entry (i, k) of A.
    """
    if work is None:
        return "dot"
    products = int(device.word(work.sum()))
    if hashes and SPARSE * products < len(P.mask[1]):
        return "hash"
    if P.transposed is None:
        return "gustavson"
    n = len(work)
    dots = device.xp.empty(n, np.int64)
    run = kernel("spgemm_work", P.text(P.transposed), "dot_work")
    run(n * WARP, n, P.A.indptr, P.transposed.indptr, *P.mask, dots)
    return "dot" if int(device.word(dots.sum())) <= DOT_GAIN * products else "gustavson"


def reads(letter: str, M: CSRArrays, uses: Collection[str]) -> int:
    """Return how a product reads a value of `M`: 0 not at all, 1 one for all, 2 each its own."""
    return 0 if letter not in uses or M.values is None else 1 if len(M.values) == 1 else 2


def empty(nrows: int, ncols: int, zdtype: Any) -> CSRArrays:
    """Return a matrix without entries."""
    xp = device.xp
    indptr, indices = xp.zeros(nrows + 1, np.int32), xp.empty(0, index_dtype(ncols))
    return CSRArrays(indptr, indices, xp.empty(0, zdtype))
