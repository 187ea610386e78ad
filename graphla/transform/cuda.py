"""The operations of transforms on engine "cuda": CuPy arrays and CUDA kernels.

:class:`graphla.transform.engine.EngineOperations` says what each of them returns.

Entries are moved by one radix sort of 64-bit keys. A key is (new row, new column, weight) if
these fit in 64 bits; the sorted keys are then the result. Otherwise the key is (new row, new
column), and the weights are gathered by the permutation that the sort returns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from graphblas import semiring
from graphblas.dtypes import BOOL, INT64

from graphla.algorithms.components.connected_components import connected_components
from graphla.core.properties import CSR
from graphla.core.weight_order import decode, encode
from graphla.cuda.device_arrays import csr_of, matrix_from_csr, vector_from_list
from graphla.cuda.runtime.device import device
from graphla.cuda.runtime.kernel import kernel
from graphla.cuda.storage.csr import CSR as DeviceCSR
from graphla.cuda.storage.vector_formats import cuda_type, kernel_index_dtype

if TYPE_CHECKING:
    from graphla.core.graph import Graph


xp: Any  # the array module of the current device: see __getattr__


def __getattr__(name: str) -> Any:
    if name == "xp":
        return device.xp
    raise AttributeError(name)


def csr_arrays(G: Graph) -> CSR:
    """Return the arrays of the matrix; a single value for all entries is expanded."""
    A = csr_of(G.A)
    return CSR(A.indptr, A.indices, None if G.dtype == BOOL else A.full_values())


def matrix_from_rows(rows: CSR, dtype: Any) -> Any:
    """Return a Matrix that uses the arrays; without values, one True for all entries."""
    indptr, indices, values = rows
    n, iso = indptr.size - 1, values is None and indices.size > 0
    values = device.xp.ones(int(iso), np.bool_) if values is None else values
    return matrix_from_csr(DeviceCSR(indptr, indices, values, n, iso), dtype)


def row_numbers(indptr: Any) -> Any:
    """Return the row of each entry."""
    n = indptr.size - 1
    nvals = int(device.read_scalar(indptr[-1:]))
    out = device.xp.empty(nvals, kernel_index_dtype(n))
    types = f"typedef {cuda_type(indptr.dtype)} Offset;\ntypedef {cuda_type(out.dtype)} Row;\n"
    kernel("csr_row_indices", types)(nvals, nvals, n, indptr, out)
    return out


def permute(G: Graph, num_rows: int, new_row: Any, column_order: Any, names: Any) -> CSR:
    """Sort the entries by (new row, position of the column in the new order)."""
    xp = device.xp
    A = csr_arrays(G)
    lengths = xp.zeros(num_rows, np.int64)
    lengths[new_row[column_order]] = (A.indptr[1:] - A.indptr[:-1])[column_order]
    position = xp.zeros(G.n, A.indices.dtype)
    position[column_order] = xp.arange(column_order.size, dtype=position.dtype)
    columns, values = _sort_entries(
        A, new_row, position, max(num_rows, 1), max(column_order.size, 1)
    )
    if names is not None and columns.size:
        columns = names.astype(columns.dtype)[columns]
    return CSR(_offsets(lengths, columns.size), columns, values)


def sort_rows_by_weight(G: Graph) -> CSR:
    """Sort the entries by (row, weight, column): by one key, or by two stable sorts."""
    A, xp = csr_arrays(G), device.xp
    if A.values is None or not A.indices.size:
        return A
    codes, low, code_bits = _weight_codes(A.values)
    vertex_bits = (G.n - 1).bit_length()
    if 2 * vertex_bits + code_bits <= 64:
        identity = xp.arange(G.n, dtype=A.indices.dtype)
        shifts = (code_bits + vertex_bits, 0, vertex_bits)
        keys = _pack_keys(A, identity, identity, codes, shifts)
        keys.sort()
        indices, values = _unpack_keys(keys, shifts, vertex_bits, code_bits, A, low, codes)
        return CSR(A.indptr, indices, values)
    order = codes.argsort(kind="stable")
    order = order[row_numbers(A.indptr)[order].argsort(kind="stable")]
    return CSR(A.indptr, A.indices[order], A.values[order])


def _offsets(lengths: Any, nvals: int) -> Any:
    """Return the prefix sums of the row lengths, in the index type for `nvals` entries."""
    xp = device.xp
    indptr = xp.zeros(lengths.size + 1, kernel_index_dtype(nvals))
    indptr[1:] = lengths.cumsum()
    return indptr


def _weight_codes(values: Any) -> tuple[Any, Any, int]:
    """Return codes of the weights minus the smallest code, that code, and the bits of a code.

    If -0.0 is among the weights, the number of bits is 65, which fits in no key: its code is that
    of 0.0, so a code would not give it back.
    """
    xp = device.xp
    codes = encode(values, xp)
    low, high = int(device.read_scalar(codes.min())), int(device.read_scalar(codes.max()))
    codes -= codes.dtype.type(low)
    has_negative_zero = values.dtype.kind == "f" and device.read_scalar(
        ((values == 0) & xp.signbit(values)).any()
    )
    return codes, low, 65 if has_negative_zero else (high - low).bit_length()


def _sort_entries(
    A: CSR, new_row: Any, new_column: Any, num_rows: int, num_columns: int
) -> tuple[Any, Any]:
    """Return the new columns and the values of all entries, sorted by (new row, new column)."""
    low, code_bits, codes = 0, 0, None
    row_bits, column_bits = (num_rows - 1).bit_length(), (num_columns - 1).bit_length()
    if A.values is not None and A.indices.size:
        codes, low, code_bits = _weight_codes(A.values)
    if row_bits + column_bits + code_bits <= 64:
        shifts = (column_bits + code_bits, code_bits, 0)
        keys = _pack_keys(A, new_row, new_column, codes, shifts)
        keys.sort()
        return _unpack_keys(keys, shifts, column_bits, code_bits, A, low, codes)
    shifts = (column_bits, 0, 0)
    keys = _pack_keys(A, new_row, new_column, None, shifts)
    order = keys.argsort(kind="stable")
    assert A.values is not None
    columns, _ = _unpack_keys(keys[order], shifts, column_bits, 0, A, low, None)
    return columns, A.values[order]


def _types(indptr: Any, indices: Any, codes: Any = None) -> str:
    """Return the type definitions of the kernels."""
    code = "u8" if codes is None else cuda_type(codes.dtype)
    return (
        f"typedef {cuda_type(indptr.dtype)} Offset;\n"
        f"typedef {cuda_type(indices.dtype)} Index;\ntypedef {code} Code;\n"
    )


def _pack_keys(
    A: CSR, new_row: Any, new_column: Any, codes: Any, shifts: tuple[int, int, int]
) -> Any:
    """Return the key of each entry: new row, new column and code, each shifted by its shift."""
    nvals, n = A.indices.size, A.indptr.size - 1
    keys = device.xp.empty(nvals, np.uint64)
    new_row = new_row.astype(A.indices.dtype, copy=False)
    pack = kernel("sort_keys", _types(A.indptr, A.indices, codes), "pack_sort_keys")
    pack(nvals, nvals, n, *shifts, A.indptr, A.indices, codes, new_row, new_column, keys)
    return keys


def _unpack_keys(
    keys: Any,
    shifts: tuple[int, int, int],
    column_bits: int,
    code_bits: int,
    A: CSR,
    low: int,
    codes: Any,
) -> tuple[Any, Any]:
    """Return the columns and the weights of keys; `codes` are those that were packed, or None."""
    xp = device.xp
    columns = xp.empty(keys.size, A.indices.dtype)
    sorted_codes = None if codes is None else xp.empty(keys.size, codes.dtype)
    masks = (1 << column_bits) - 1, (1 << code_bits) - 1 if code_bits < 64 else -1
    unpack = kernel("sort_keys", _types(A.indptr, A.indices, codes), "unpack_sort_keys")
    unpack(keys.size, keys.size, shifts[1], shifts[2], *masks, keys, columns, sorted_codes)
    if sorted_codes is None or A.values is None:
        return columns, A.values
    sorted_codes += sorted_codes.dtype.type(low)
    return columns, decode(sorted_codes, A.values.dtype, xp)


def breadth_first_order(G: Graph, seeds: Any, degree: Any) -> Any:
    """Search all components at once, level by level.

    The vertices of a level are sorted by (position of the first neighbour in the level before,
    degree, vertex); those positions are one product over min.first. Finally the vertices are
    sorted by (rank of the component's seed, position), as the queue takes one component after
    another.
    """
    xp, n = device.xp, G.n
    if not n:
        return seeds
    component = connected_components(G).to_dense()
    rank = xp.empty(n, np.int64)
    rank[seeds] = xp.arange(n)
    order = xp.lexsort(xp.stack([rank, component]))  # by component, then by rank
    first = xp.ones(n, np.bool_)
    first[1:] = component[order[1:]] != component[order[:-1]]
    starts = xp.flatnonzero(first)
    roots = order[starts]
    seed_rank = xp.empty(n, np.int64)  # for each vertex, the rank of its component's seed
    seed_rank[order] = rank[roots][first.cumsum() - 1]

    position = xp.empty(n, np.int64)  # in the order of the search
    position[roots] = rank[roots].argsort().argsort()
    new, tail = xp.sort(roots), roots.size
    unvisited, reached = G.vector(BOOL), G.vector(INT64)
    unvisited << True
    unvisited[new] << False
    while new.size:
        frontier = vector_from_list(new.astype(kernel_index_dtype(n)), position[new], INT64, n)
        reached(unvisited.V, replace=True) << frontier.vxm(G.A, semiring.min_first[INT64])
        unvisited(reached.S) << False
        new, first_neighbour = reached.to_coo()
        keys = [first_neighbour] if degree is None else [degree[new], first_neighbour]
        if new.size:
            position[new[xp.lexsort(xp.stack(keys))]] = tail + xp.arange(new.size)
        tail += new.size
    return xp.lexsort(xp.stack([position, seed_rank])).astype(G.index_dtype.np_type)


def largest_columns(indptr: Any, indices: Any, group_rows: int) -> Any:
    """Return the largest column of each group of rows."""
    n = indptr.size - 1
    out = device.xp.zeros(-(-n // group_rows), np.uint32)
    run = kernel("bit_packed_columns", _types(indptr, indices), "largest_columns")
    run(indices.size, indices.size, n, group_rows, indptr, indices, out)
    return out


def pack_columns(
    indptr: Any, indices: Any, group_rows: int, starts: Any, widths: Any, words: Any
) -> None:
    """Write the columns of each group; a thread writes one word."""
    run = kernel("bit_packed_columns", _types(indptr, indices), "pack_columns")
    n, nwords = indptr.size - 1, words.size - 1
    run(nwords, nwords, widths.size, n, group_rows, indptr, indices, starts, widths, words)


def unpack_columns(
    indptr: Any, group_rows: int, starts: Any, widths: Any, words: Any, indices: Any
) -> None:
    """Undo pack_columns; a thread reads one number."""
    run = kernel("bit_packed_columns", _types(indptr, indices), "unpack_columns")
    n, nvals = indptr.size - 1, indices.size
    run(nvals, nvals, n, group_rows, indptr, starts, widths, words, indices)


def densest_windows(indptr: Any, indices: Any, width: int) -> Any:
    """Search the densest window of each row; a warp searches one row."""
    n = indptr.size - 1
    base = device.xp.zeros(n, indices.dtype)
    run = kernel("densest_windows", _types(indptr, indices))
    run(32 * n, n, width, indptr, indices, base)
    return base
