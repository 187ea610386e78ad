"""Blocks that are objects of python-graphblas."""

from __future__ import annotations

from typing import Any

import graphblas as gb
import numpy as np

from graphla.core import memory
from graphla.execution.push_pull import COSTS, register_costs
from graphla.ranks.blocks.engine import BlockEngine, index_type

ELEMENTWISE = {"ewise_add", "ewise_mult", "ewise_union"}


class CPUBlocks(BlockEngine):
    """Objects of python-graphblas and arrays of NumPy."""

    name, alignment = "cpu", 1

    @property
    def xp(self) -> Any:
        """NumPy."""
        return np

    @property
    def objects(self) -> Any:
        """python-graphblas."""
        return gb

    def from_host(self, A: Any) -> Any:
        """Return the object itself."""
        return A

    def value_to_write(self, value: Any, out: Any) -> Any:
        """Compute an element-wise operation first if all entries of the output share one value.

        SuiteSparse 9.4.5 would write beyond that value if the output is full (docs/upstream.md).
        """
        if getattr(value, "method_name", None) in ELEMENTWISE and out.ss.is_iso:
            return value.new()
        return value

    def index_dtype(self, length: int) -> Any:
        """Return an unsigned type, shorter than that of python-graphblas if possible."""
        return index_type(length)

    def entries_of(self, v: Any) -> tuple[Any, Any]:
        """Return the ascending indices and the values of a Vector."""
        indices, values = v.to_coo()
        return indices, values

    def bits_of(self, v: Any) -> Any:
        """Return the bits of the positions that have entries, as uint8."""
        indices, _ = v.to_coo(values=False)
        present = np.zeros(v.size, bool)
        present[indices] = True
        return np.packbits(present, bitorder="little")

    def values_of_full(self, v: Any) -> Any:
        """Return the values of a Vector that has all entries."""
        return v.to_dense()

    def full_vector(self, values: Any, dtype: Any) -> Any:
        """Return a Vector with all entries, which keeps the array."""
        return gb.Vector.ss.import_full(values, take_ownership=True, dtype=dtype)

    def list_vector(self, indices: Any, values: Any, size: int, dtype: Any) -> Any:
        """Return a Vector of ascending indices and their values; no values: all are one."""
        return gb.Vector.ss.import_sparse(
            size=size, indices=indices.astype(np.uint64), values=_or_one(values, dtype),
            nvals=indices.size, is_iso=values is None, sorted_index=True, dtype=dtype,
        )  # fmt: skip

    def bitmap_vector(self, bits: Any, values: Any, nvals: int, size: int, dtype: Any) -> Any:
        """Return a Vector of bits and the values of its entries in order; none: all are one."""
        present = np.unpackbits(bits, bitorder="little", count=size).astype(bool)
        if values is not None:
            entries, values = values, np.zeros(size, dtype.np_type)
            values[present] = entries
        return gb.Vector.ss.import_bitmap(
            bitmap=present, values=_or_one(values, dtype), nvals=nvals, size=size,
            is_iso=values is None, dtype=dtype,
        )  # fmt: skip

    def copy_storage_hint(self, v: Any, other: Any) -> None:
        """Give a Vector the storage hint of another."""
        v.ss.config["sparsity_control"] = other.ss.config["sparsity_control"]

    def csr_arrays(self, A: Any) -> tuple[Any, Any, Any]:
        """Return offsets, columns and values of the rows of a Matrix, or of its transpose."""
        transposed = hasattr(A, "T") and type(A) is not gb.Matrix
        offsets, columns, values = A.T.to_csc() if transposed else A.to_csr()
        stored = A.T if transposed else A
        return offsets, columns, values[:1] if values.size and stored.ss.is_iso else values

    def csr_matrix(self, offsets: Any, columns: Any, values: Any, dtype: Any, ncols: int) -> Any:
        """Return a Matrix of rows whose columns ascend."""
        return gb.Matrix.from_csr(offsets, columns, _one_or_all(values, dtype), dtype, ncols=ncols)

    def csc_matrix(self, offsets: Any, rows: Any, values: Any, dtype: Any, nrows: int) -> Any:
        """Return a Matrix of columns whose rows ascend."""
        A = gb.Matrix.from_csc(offsets, rows, _one_or_all(values, dtype), dtype, nrows=nrows)
        A.ss.config["format"] = "by_row"
        return A

    def release_memory(self) -> None:
        """Do nothing: the system takes it back."""

    def available_memory(self) -> int:
        """Return the bytes of host memory that this process can still allocate."""
        return memory.available("cpu")


def _or_one(values: Any, dtype: Any) -> Any:
    return np.ones(1, dtype.np_type) if values is None else values


def _one_or_all(values: Any, dtype: Any) -> Any:
    """Return one value, if all are equal, which SuiteSparse then stores once."""
    content = _or_one(values, dtype)
    return content[0] if content.size and (content == content[0]).all() else content


ENGINE = CPUBlocks()
register_costs(
    ENGINE.costs_name, COSTS["cpu"]._replace(counts_edges_with_size=True, masked_share=0.0)
)
