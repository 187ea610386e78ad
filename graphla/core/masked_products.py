"""Masked products that SuiteSparse never ends, and the form in which they are safe.

SuiteSparse's saxpy3 sizes the hash table of a row of C<M> = A B by an estimate of the work
(``GB_AxB_saxpy3_flopcount``, 9.4.5 to 10.5.1). It counts none for an entry A(i, k) where

- M is not complemented, and dense: a bitmap, or with every entry present and used by its
  values, and
- row k of B has more than 256 entries and fewer than it has places.

The table may then have fewer slots than the row has results, and the search for a free slot
does not end. Where M is A or B itself, a dense M makes that operand dense: another kernel
multiplies. So the rule of this package:

    a product whose mask is neither complemented nor an operand has a safe form:
    its update takes the options ``GUSTAVSON``, which need no hash table, or
    its mask is a structure that has the storage hint "sparse" (``set_storage_hint``).

The engine for CUDA takes the options and ignores them: its kernels do not share the fault.
"""

from __future__ import annotations

from typing import Any

GUSTAVSON = {"axb_method": "gustavson"}  # options of an update: C(mask, **GUSTAVSON) << product
PRODUCTS = ("mxm", "mxv", "vxm")
LONG = 256  # entries of a row beyond which its work is estimated by the mask's entries

SPARSE = {"hypersparse", "sparse"}

WARNING = (
    f"under a dense mask that is not complemented, with rows of more than {LONG} entries: "
    "SuiteSparse may never return from this product. Write w(mask, axb_method='gustavson') << ... "
    "or keep the mask sparse, see docs/how-to/masked-products.md"
)


def needs_safe_form(operation: str, mask: Any, A: Any, B: Any, method: str) -> bool:
    """Whether a product of python-graphblas has, by its form, none that is safe.

    Parameters
    ----------
    operation : str
        "mxm", "mxv" or "vxm".
    mask : Mask or None
    A, B : Matrix or Vector
        The operands, transposed or not.
    method : str
        The update's "axb_method".
    """
    if operation not in PRODUCTS or mask is None or mask.complement:
        return False
    if method in ("gustavson", "dot") or any(_itself(x) is mask.parent for x in (A, B)):
        return False
    return not (mask.structure and mask.parent.ss.config["sparsity_control"] <= SPARSE)


def may_hang(operation: str, mask: Any, A: Any, B: Any, method: str) -> bool:
    """Whether a product of python-graphblas is one that SuiteSparse may never return from.

    It has no safe form, its mask is dense now, and the longest row that may be hashed has
    enough entries. Which rows the other operand selects is not checked.
    """
    if not needs_safe_form(operation, mask, A, B, method) or not _is_dense(mask):
        return False
    M = mask.parent
    by_column = M.ndim == 2 and M.ss.orientation == "columnwise"
    rows, by_row = (A, False) if operation == "mxv" or by_column else (B, True)
    if "bitmap" in _itself(rows).ss.format or "full" in _itself(rows).ss.format:
        return False
    counts = (rows.reduce_rowwise if by_row else rows.reduce_columnwise)("count").new()
    places = rows.ncols if by_row else rows.nrows
    return bool(counts.select(">", LONG).new().select("<", places).new().nvals)


def method_of(descriptor: Any) -> str:
    """Return the option "axb_method" of a descriptor of python-graphblas."""
    if descriptor is None:
        return "default"
    from graphblas.core import ffi, lib

    method = ffi.new("int32_t*")
    lib.GxB_Desc_get_INT32(descriptor._carg, lib.GxB_AxB_METHOD, method)
    names = {lib.GxB_AxB_GUSTAVSON: "gustavson", lib.GxB_AxB_DOT: "dot"}
    return names.get(method[0], "default")


def _itself(x: Any) -> Any:
    """Return the matrix of a transposed view; other objects unchanged."""
    return x.T if getattr(x, "_is_transposed", False) else x


def _is_dense(mask: Any) -> bool:
    """Whether SuiteSparse treats a mask as dense: every position can be looked up."""
    M = mask.parent
    size = M.size if M.ndim == 1 else M.nrows * M.ncols
    return "bitmap" in M.ss.format or (M.nvals == size and not mask.structure)
