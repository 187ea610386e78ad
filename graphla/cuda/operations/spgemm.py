"""C<M> = A B on any semiring: sparse matrix times sparse matrix, all by rows.

Three methods, in files of their own; :func:`method_of` chooses.

- hash (``spgemm_hash``): Gustavson's, for no mask or a complemented one. Two passes; the
  result is allocated at its size, temporaries stay below `limit`.
- gustavson, dot (``spgemm_masked``): only what a mask lets through is computed.

What is deterministic: structure always, and values wherever Add gives the same in any order
(integers, min, max, and, or; not sums of floats, whose last bits may differ from run to run;
`any` takes one of the products, and not always the same).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphla.cuda.compile import kernel
from graphla.cuda.device import device
from graphla.cuda.operations import spgemm_hash
from graphla.cuda.operations.csr import CSRArrays, integer, typedef
from graphla.cuda.operations.spgemm_masked import WARP, Masked
from graphla.errors import InvalidValue

SHARE = 4  # of the free bytes, one part of this many may be spent on tables
DOT_GAIN = 2  # a product that a dot reads costs less than Gustavson's by this factor: no atomics

Structure = tuple[Any, Any]


def spgemm(
    A: CSRArrays,
    B: CSRArrays | None,
    semiring: str,
    *,
    zdtype: Any,
    uses: str = "xy",
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
    uses : str
        Letters of what Multiply asks for: x (values of A), y (values of B). What it does not
        ask for is not read. Positions are always at hand.
    mask : (indptr, indices), optional
        Structure of the mask's true entries, nrows x ncols.
    complement : bool, optional
        Compute what the mask does not hold.
    transposed : CSRArrays, ncols x inner, optional
        B' by rows; its values are B's.
    limit : int, optional
        Bytes that hash tables may take; a quarter of the free ones by default.
    method : {"hash", "gustavson", "dot"}, optional
        Chosen by what they cost by default.

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
    zdtype = np.dtype(zdtype)
    other = transposed if B is None else B
    if other is None:
        raise InvalidValue("spgemm needs B or its transpose")
    if (mask is None and complement) or not (len(A.indices) and len(other.indices)):
        return empty(nrows, ncols, zdtype)
    if mask is not None and not complement and not len(mask[1]):
        return empty(nrows, ncols, zdtype)
    if mask is None or complement:
        if B is None:
            raise InvalidValue("a product without a mask needs B by rows")
        text = definitions(A, B, semiring, uses, mask)
        return spgemm_hash.multiply(
            A, B, mask, text, zdtype, ncols, limit or device.free() // SHARE
        )
    return masked(A, B, transposed, semiring, uses, mask, zdtype, method, False).result()


def spgemm_total(
    A: CSRArrays,
    B: CSRArrays | None,
    semiring: str,
    *,
    zdtype: Any,
    uses: str = "xy",
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
    product = masked(A, B, transposed, semiring, uses, mask, np.dtype(zdtype), method, True)
    return product.total()


def masked(
    A: CSRArrays,
    B: CSRArrays | None,
    transposed: CSRArrays | None,
    semiring: str,
    uses: str,
    mask: Structure,
    zdtype: Any,
    method: str | None,
    reduce: bool,
) -> Masked:
    """Return the product under a mask, computed."""
    n = len(A.indptr) - 1
    work = None
    if B is not None and method != "dot":
        work = spgemm_hash.work(A, B, definitions(A, B, semiring, uses, mask))
    method = method or method_of(A, transposed, mask, work, semiring, n)
    operand = transposed if method == "dot" else B
    if operand is None:
        raise InvalidValue(f"method {method!r} needs {'the transpose of B' if B else 'B'} by rows")
    position = int(method != "dot" or reads("x", A, uses) == 2)
    text = definitions(A, operand, semiring, uses, mask) + f"enum {{ POSITION = {position} }};\n"
    product = Masked(A, operand, mask, text, zdtype, reduce)
    if method == "dot":
        product.dot()
    else:
        product.gustavson(work)
    return product


def method_of(
    A: CSRArrays, transposed: CSRArrays | None, mask: Structure, work: Any, semiring: str, n: int
) -> str:
    """Return "dot" or "gustavson": whichever reads fewer entries, counted exactly."""
    if transposed is None:
        return "gustavson"
    if work is None:
        return "dot"
    dots = device.xp.empty(n, np.int64)
    text = definitions(A, transposed, semiring, "", mask)
    kernel("spgemm_work", text, "dot_work")(n * WARP, n, A.indptr, transposed.indptr, *mask, dots)
    dot, gustavson = (int(device.word(x.sum())) for x in (dots, work))
    return "dot" if dot <= DOT_GAIN * gustavson else "gustavson"


def reads(letter: str, M: CSRArrays, uses: str) -> int:
    """Return how a product reads a value of `M`: 0 not at all, 1 one for all, 2 each its own."""
    return 0 if letter not in uses or M.values is None else 1 if len(M.values) == 1 else 2


def definitions(
    A: CSRArrays, B: CSRArrays, semiring: str, uses: str, mask: Structure | None
) -> str:
    """Return the text in front of the kernels: see product.cuh."""
    text = semiring
    for name, index, M, letter in (("A", "AIndex", A, "x"), ("B", "Index", B, "y")):
        read = reads(letter, M, uses)
        text += typedef(f"{name}Offset", M.indptr.dtype) + typedef(index, M.indices.dtype)
        text += typedef(f"{name}Type", M.values.dtype if read else np.bool_)
        text += f"enum {{ {name}_READ = {read} }};\n"
    mp, mi = mask or (A.indptr, A.indices)
    return text + typedef("MOffset", mp.dtype) + typedef("MIndex", mi.dtype)


def empty(nrows: int, ncols: int, zdtype: Any) -> CSRArrays:
    """Return a matrix without entries."""
    xp = device.xp
    indptr, indices = xp.zeros(nrows + 1, np.int32), xp.empty(0, integer(ncols))
    return CSRArrays(indptr, indices, xp.empty(0, zdtype))
