"""What transforms ask of engine "cuda": arrays and kernels of the device.

Entries move by sorting words: (new row, new place in the row, weight) in the bits of one
where they fit, else without the weight, which then follows by a permutation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from graphblas import semiring
from graphblas.dtypes import BOOL, INT64

from graphla.algorithms.components.connected_components import connected_components
from graphla.core.properties import CSR
from graphla.cuda.device_arrays import csr_of, matrix_from_csr, vector_from_list
from graphla.cuda.runtime.compile import kernel
from graphla.cuda.runtime.device import device
from graphla.cuda.storage.csr import CSR as Store
from graphla.cuda.storage.vector_formats import element, index_dtype
from graphla.transform.codes import decode, encode

if TYPE_CHECKING:
    from graphla.core.graph import Graph


def __getattr__(name: str) -> Any:
    if name == "xp":
        return device.xp
    raise AttributeError(name)


def entries(G: Graph) -> CSR:
    """Return the adjacency matrix as arrays; no values where it is Boolean."""
    A = csr_of(G.A)
    return CSR(A.indptr, A.indices, None if G.dtype == BOOL else A.expanded())


def matrix(rows: CSR, like: Any) -> Any:
    """Return a square Matrix of rows with ascending columns; a Boolean one without values."""
    indptr, indices, values = rows
    n, iso = indptr.size - 1, values is None and indices.size > 0
    values = device.xp.ones(int(iso), np.bool_) if values is None else values
    return matrix_from_csr(Store(indptr, indices, values, n, iso), like)


def row_numbers(indptr: Any) -> Any:
    """Return the row of each entry."""
    n = indptr.size - 1
    nvals = int(device.word(indptr[-1:]))
    out = device.xp.empty(nvals, index_dtype(n))
    types = f"typedef {element(indptr.dtype)} Offset;\ntypedef {element(out.dtype)} Row;\n"
    kernel("csr_row_indices", types)(nvals, nvals, n, indptr, out)
    return out


def arranged(G: Graph, nrows: int, row: Any, order: Any, names: Any) -> CSR:
    """Return A with other numbers of rows, each row in another order of columns.

    Row u becomes row[u]; columns stand in the order of their places in `order`, where
    the k-th is called names[k], or k. What neither names has no entry.
    """
    xp = device.xp
    A = entries(G)
    lengths = xp.zeros(nrows, np.int64)
    lengths[row[order]] = (A.indptr[1:] - A.indptr[:-1])[order]
    place = xp.zeros(G.n, A.indices.dtype)
    place[order] = xp.arange(order.size, dtype=place.dtype)
    columns, values = _sorted(A, row, place, max(nrows, 1), max(order.size, 1))
    if names is not None and columns.size:
        columns = names.astype(columns.dtype)[columns]
    return CSR(_offsets(lengths, columns.size), columns, values)


def by_weight(G: Graph) -> CSR:
    """Return the rows of A, each by (weight, column)."""
    A, xp = entries(G), device.xp
    if A.values is None or not A.indices.size:
        return A
    code, low, bits = _codes(A.values)
    row, column = (G.n - 1).bit_length(), (G.n - 1).bit_length()
    if row + column + bits <= 64:
        same = xp.arange(G.n, dtype=A.indices.dtype)
        shifts = (bits + column, 0, column)
        words = _words(A, same, same, code, shifts)
        words.sort()
        indices, values = _split(words, shifts, column, bits, A, low, code)
        return CSR(A.indptr, indices, values)
    order = code.argsort(kind="stable")
    order = order[row_numbers(A.indptr)[order].argsort(kind="stable")]
    return CSR(A.indptr, A.indices[order], A.values[order])


def _offsets(lengths: Any, nvals: int) -> Any:
    xp = device.xp
    indptr = xp.zeros(lengths.size + 1, index_dtype(nvals))
    indptr[1:] = lengths.cumsum()
    return indptr


def _codes(values: Any) -> tuple[Any, Any, int]:
    """Return the weights as unsigned integers from 0 on, in their order; the offset; the bits.

    These are more than a word has where -0.0 is among them, which has the code of 0.0.
    """
    xp = device.xp
    code = encode(values, xp)
    low, high = int(device.word(code.min())), int(device.word(code.max()))
    code -= code.dtype.type(low)
    lost = values.dtype.kind == "f" and device.word(((values == 0) & xp.signbit(values)).any())
    return code, low, 65 if lost else (high - low).bit_length()


def _sorted(A: CSR, row: Any, place: Any, nrows: int, count: int) -> tuple[Any, Any]:
    """Return place[column] of all entries, and their values, by (row[i], place[column])."""
    low, bits, code = 0, 0, None
    high, middle = (nrows - 1).bit_length(), (count - 1).bit_length()
    if A.values is not None and A.indices.size:
        code, low, bits = _codes(A.values)
    if high + middle + bits <= 64:
        shifts = (middle + bits, bits, 0)
        words = _words(A, row, place, code, shifts)
        words.sort()
        return _split(words, shifts, middle, bits, A, low, code)
    shifts = (middle, 0, 0)
    words = _words(A, row, place, None, shifts)
    order = words.argsort(kind="stable")
    assert A.values is not None
    columns, _ = _split(words[order], shifts, middle, 0, A, low, None)
    return columns, A.values[order]


def _types(A: CSR, code: Any) -> str:
    code = "u8" if code is None else element(code.dtype)
    return (
        f"typedef {element(A.indptr.dtype)} Offset;\n"
        f"typedef {element(A.indices.dtype)} Index;\ntypedef {code} Code;\n"
    )


def _words(A: CSR, row: Any, place: Any, code: Any, shifts: tuple[int, int, int]) -> Any:
    """Return (row, place of the column, code) of each entry in the bits of a word."""
    nvals, n = A.indices.size, A.indptr.size - 1
    words = device.xp.empty(nvals, np.uint64)
    row = row.astype(A.indices.dtype, copy=False)
    join = kernel("sort_keys", _types(A, code), "pack_sort_keys")
    join(nvals, nvals, n, *shifts, A.indptr, A.indices, code, row, place, words)
    return words


def _split(
    words: Any, shifts: tuple[int, int, int], middle: int, bits: int, A: CSR, low: int, code: Any
) -> tuple[Any, Any]:
    """Return the places and the weights that words hold."""
    xp = device.xp
    columns = xp.empty(words.size, A.indices.dtype)
    codes = None if code is None else xp.empty(words.size, code.dtype)
    masks = (1 << middle) - 1, (1 << bits) - 1 if bits < 64 else -1
    split = kernel("sort_keys", _types(A, code), "unpack_sort_keys")
    split(words.size, words.size, shifts[1], shifts[2], *masks, words, columns, codes)
    if codes is None or A.values is None:
        return columns, A.values
    codes += codes.dtype.type(low)
    return columns, decode(codes, A.values.dtype, xp)


def queued(G: Graph, seeds: Any, degree: Any) -> Any:
    """Return the vertices as a queue lets them out.

    One that comes out lets its unvisited neighbours in, by number or by degree; when it
    is empty, the first unvisited seed enters. The structure of G is symmetric.

    All components are searched at once, level by level: the vertices of a level are
    sorted by (first neighbour in the level before, degree), which is one product min.first.
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
    of = xp.empty(n, np.int64)  # the rank of the seed of each vertex
    of[order] = rank[roots][first.cumsum() - 1]

    place = xp.empty(n, np.int64)
    place[roots] = rank[roots].argsort().argsort()
    new, tail = xp.sort(roots), roots.size
    unvisited, found = G.vector(BOOL), G.vector(INT64)
    unvisited << True
    unvisited[new] << False
    while new.size:
        frontier = vector_from_list(new.astype(index_dtype(n)), place[new], INT64, n)
        found(unvisited.V, replace=True) << frontier.vxm(G.A, semiring.min_first[INT64])
        unvisited(found.S) << False
        new, before = found.to_coo()
        keys = [before] if degree is None else [degree[new], before]
        place[new[xp.lexsort(xp.stack(keys))] if new.size else new] = tail + xp.arange(new.size)
        tail += new.size
    return xp.lexsort(xp.stack([place, of])).astype(index_dtype(n))


def most(indptr: Any, indices: Any, size: int) -> Any:
    """Return the largest index of each `size` rows, 0 where they have none."""
    n = indptr.size - 1
    out = device.xp.zeros(-(-n // size), np.uint32)
    run = kernel("bit_packed_columns", _types(CSR(indptr, indices, None), None), "largest_columns")
    run(indices.size, indices.size, n, size, indptr, indices, out)
    return out


def pack(indptr: Any, indices: Any, size: int, starts: Any, widths: Any, words: Any) -> None:
    """Write the indices of each `size` rows as numbers of their width, from their first word."""
    run = kernel("bit_packed_columns", _types(CSR(indptr, indices, None), None), "pack_columns")
    n, nwords = indptr.size - 1, words.size - 1
    run(nwords, nwords, widths.size, n, size, indptr, indices, starts, widths, words)


def unpack(indptr: Any, size: int, starts: Any, widths: Any, words: Any, indices: Any) -> None:
    """Read them back."""
    run = kernel("bit_packed_columns", _types(CSR(indptr, indices, None), None), "unpack_columns")
    run(indices.size, indices.size, indptr.size - 1, size, indptr, starts, widths, words, indices)


def windows(indptr: Any, indices: Any, width: int) -> Any:
    """Return the column of each row from which `width` columns hold most of its entries."""
    n = indptr.size - 1
    base = device.xp.zeros(n, indices.dtype)
    run = kernel("densest_windows", _types(CSR(indptr, indices, None), None))
    run(32 * n, n, width, indptr, indices, base)
    return base
